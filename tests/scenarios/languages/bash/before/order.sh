#!/usr/bin/env bash
set -eu

LIMIT=10

# Says it.
say() {
  cat <<EOF
Order
  $1
EOF
}

add() {
  if [ "$1" -gt "$LIMIT" ]; then
    say "too many"
  fi
}

add "$@"
