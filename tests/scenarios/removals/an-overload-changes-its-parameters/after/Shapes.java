class Shapes {
    double area(Round circle) {
        double radius = circle.radius();
        return Math.PI * radius * radius;
    }

    double area(Square square) {
        return square.side() * square.side();
    }

    String name(Locale locale) {
        return names.get(locale);
    }
}
