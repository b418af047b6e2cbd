class A {
    /**
     * Says.
     */
    void a() {
        x();
    }
}
