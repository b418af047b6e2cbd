#!/usr/bin/env bash
set -eu

LIMIT=20

# Says it.
say() {
  cat <<EOF
Order
  $1
EOF
}

# Ends it.
fail() {
  say "$1" >&2
  exit 1
}

add() {
  [ "$1" -le "$LIMIT" ] || say "too many"
}

add "$@"
