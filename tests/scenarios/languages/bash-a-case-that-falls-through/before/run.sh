#!/bin/bash
run() {
  case $1 in
    all)
      build
      ;&
    test | check)
      check
      ;;
    *)
      usage
      ;;
  esac
}
