#!/bin/sh
# Copyright 2021 Some One
set -e
