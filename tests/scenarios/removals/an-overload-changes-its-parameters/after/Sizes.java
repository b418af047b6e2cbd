class Sizes {
    int size(Path path) {
        Attributes of = attributes(path);
        return of.size();
    }

    int size(Text text) {
        return text.length();
    }
}
