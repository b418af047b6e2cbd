class Log {
    void write(String text, Level level) {
        lines.at(level).add(text);
    }

    void write(String text, Object of) {
        lines.add(text + of);
    }
}
