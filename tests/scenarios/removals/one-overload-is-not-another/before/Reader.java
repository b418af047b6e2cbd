interface Reader {
    String read(File file);

    String read(String text);
}
