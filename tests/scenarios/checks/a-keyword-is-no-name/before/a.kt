fun f() {
    run()
}
