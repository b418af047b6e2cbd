fn f() {
    run();
    stop();
}
