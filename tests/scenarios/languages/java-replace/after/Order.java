package shop;

/** An order. */
@Entity
public class Order extends Base {
    private static final int LIMIT = 10;

    private final String name;

    public Order(String name) {
        super(name);
        this.name = name;
    }

    /** Says it. */
    @Override
    public String toString() {
        return "Order " + name;
    }

    void add(int count) {}

    void add(CharSequence code) {}

    enum State {
        OPEN,
        CLOSED
    }
}
