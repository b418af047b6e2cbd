#!/bin/bash
# Licence: MIT
set -e
