func f() {
    if x {
        run()
    }
    stop()
}
