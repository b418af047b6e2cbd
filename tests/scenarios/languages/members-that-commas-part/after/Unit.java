enum Unit {
    /** One. */
    GRAM(10),
    KILO(1000),
    TON(1000000);

    final int grams;

    Unit(int grams) {
        this.grams = grams;
    }

    int half() {
        return grams / 2;
    }
}
enum Flag { ON, UNKNOWN, OFF }
