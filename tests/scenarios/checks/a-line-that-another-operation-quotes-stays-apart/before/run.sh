#!/bin/sh
docker run \
  --rm \
  --name x
rm -rf build
