#!/bin/sh
echo two
echo three
