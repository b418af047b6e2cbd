class A : B {
    public override int Load() {
        return 1;
    }
}
