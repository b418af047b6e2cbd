interface Reader {
    String read(File source);

    String read(String text, Charset charset) throws IOException;
}
