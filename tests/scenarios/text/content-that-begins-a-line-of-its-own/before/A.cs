namespace N {
    class A {
        public void M() { }
    }
}
