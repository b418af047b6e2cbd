class Find {
    int find(String name) {
        return names.indexOf(name);
    }

    int find(int number) {
        return numbers.indexOf(number);
    }
}
