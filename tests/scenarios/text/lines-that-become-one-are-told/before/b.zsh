f() {
    # Old note.
    rm -rf build
}
