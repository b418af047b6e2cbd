library shop;

/// An order.
@immutable
class Order extends Base {
  final String name;

  const Order(this.name);

  Order.none() : name = '';

  /// Says it.
  @override
  String toString() {
    return name;
  }

  int get count => 1;
}
