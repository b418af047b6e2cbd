fn run() -> String {
    start();
    String::new()
}
