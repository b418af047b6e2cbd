# New note.rm -rf build
