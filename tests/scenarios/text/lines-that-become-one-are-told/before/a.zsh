# Old note.
rm -rf build
