fn f() -> A {
    A {
        #[cfg(unix)]
        a: 1,
        b: 2,
    }
}
