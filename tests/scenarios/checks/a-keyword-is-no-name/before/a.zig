fn f() void {
    run();
}
