fn run() {
    start();
    stop();
}
