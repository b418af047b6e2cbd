class A {
    @Override public String a() {
        return "";
    }
}
