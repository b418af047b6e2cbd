class A : B {
    public override int Load() {
        return base.Load();
    }
}
