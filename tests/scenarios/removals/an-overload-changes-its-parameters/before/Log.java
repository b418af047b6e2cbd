class Log {
    void write(String text) {
        write(text, null);
    }

    void write(String text, Object of) {
        lines.add(text + of);
    }
}
