class A {
    @GetMapping("/z")
    String z() {
        return y();
    }

    String a() {
        return x();
    }
}
