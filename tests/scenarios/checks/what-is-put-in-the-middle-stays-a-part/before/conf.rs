fn f() -> Config {
    Config {
        #[cfg(debug_assertions)]
        trace: true,
        ..Config::default()
    }
}
