class A {
    @Override
    public String toString() {
        return "b";
    }
}
