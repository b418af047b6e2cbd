fn f() {
    const A: i32 = 1; println!("x");
}
