class Runner {
    @Override
    public void run(final String name, int... rest) {
        go();
    }

    void stop() {
        go();
    }
}
