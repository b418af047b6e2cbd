class Shapes {
    double area(Circle circle) {
        double radius = circle.radius();
        return Math.PI * radius * radius;
    }

    double area(Square square) {
        return square.side() * square.side();
    }

    String name() {
        return "shapes";
    }
}
