class Sizes {
    int size(File file) {
        file.check();
        file.open();
        return of.size();
    }

    int size(Text text) {
        return text.length();
    }
}
