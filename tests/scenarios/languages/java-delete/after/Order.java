package shop;

/** An order. */
@Entity
public class Order extends Base {
    private static final int LIMIT = 10;

    public Order(String name) {
        this.name = name;
    }

    void add(int count) {}

    void add(String code) {}

    enum State {
        OPEN,
        CLOSED
    }
}
