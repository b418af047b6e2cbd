contract A {
    function f() public {
        run();
    }
}
