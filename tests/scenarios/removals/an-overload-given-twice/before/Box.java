class Box {
    int size(int x) {
        int a = x + 1;
        int b = a * 2;
        return a + b;
    }

    int size(String s) {
        return s.length();
    }
}
