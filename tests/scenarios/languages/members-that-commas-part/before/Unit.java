enum Unit {
    /** One. */
    GRAM(1),
    KILO(1000);

    final int grams;

    Unit(int grams) {
        this.grams = grams;
    }
}
enum Flag { ON, OFF }
