class A {
    @Override
    public String a(int x) {
        return "";
    }
}
