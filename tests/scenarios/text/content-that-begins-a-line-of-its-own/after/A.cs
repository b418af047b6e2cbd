namespace N {
    class A {
        // Does it.
        public void M() { }
    }
}
