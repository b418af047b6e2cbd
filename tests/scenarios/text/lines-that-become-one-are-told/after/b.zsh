f() {
    # New note.    rm -rf build
}
