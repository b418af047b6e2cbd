class Runner {
    public void run(final String name, int width, int... rest) {
        go();
    }

    @Deprecated
    void stop() {
        go();
    }
}
