#!/bin/sh
set -e
docker run \
  --rm \
  --name x
rm -rf build
