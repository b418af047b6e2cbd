class A {
    @GetMapping("/a")
    String a() {
        return x();
    }
}
