class A {
    @PostMapping("/a")
    String z() {
        return y();
    }

    String a() {
        return x();
    }
}
