package shop;

/** An order. */
@Entity
public class Order extends Base {
    private static final int LIMIT = 10;

    private final String name;

    public Order(String name) {
        this.name = name;
    }

    /** Says it. */
    @Override
    public String toString() {
        return name;
    }

    void add(int count) {}

    void add(String code) {}

    enum State {
        OPEN,
        CLOSED
    }
}
