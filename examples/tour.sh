#!/bin/sh
# A tour on a sample repository in a temporary folder: an operation file, the commit that it becomes, and what a
# misspelt name looks like. Builds git-segedit first, unless told in which folder one is: tour.sh <folder>.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tour=$(mktemp -d "${TMPDIR:-/tmp}/segedit-tour.XXXXXX")
trap 'rm -rf "$tour"' EXIT

if [ $# -gt 0 ]; then
    PATH=$(cd "$1" && pwd):$PATH
else
    echo "Building git-segedit with all that it is made of, once: some minutes." >&2
    target=${CARGO_TARGET_DIR:-$here/../target}
    cargo build --locked --manifest-path "$here/../Cargo.toml" --target-dir "$target" --bin git-segedit
    PATH=$(cd "$target/debug" && pwd):$PATH
fi

cp -R "$here/sample" "$tour/sample"
cd "$tour/sample"
git init --quiet --initial-branch=main
git config user.name "Ada Example"
git config user.email ada@example.org
git add .
git commit --quiet --message "A sample"

say() { printf '\n\033[1m# %s\033[0m\n' "$1"; }
run() { printf '\n$ %s\n' "$*"; "$@"; }
[ -t 1 ] || say() { printf '\n# %s\n' "$1"; }

say "What is in this file?"
run git segedit outline src/worker.py

say "An operation file says by name what to change:"
run cat edits/validate.yaml

say "Applied: every operation resolved against one snapshot, checked, published as one commit."
run git segedit apply edits/validate.yaml

say "The commit, as git sees it:"
run git log --stat

say "A misspelt name changes nothing, and says what was meant:"
run git segedit replace src/worker.py::Worker.proces --part body --content 'return data' || true

say "Nothing is left behind:"
run git status --short --branch
