#!/bin/sh
docker run \
  --rm \
  --name x
