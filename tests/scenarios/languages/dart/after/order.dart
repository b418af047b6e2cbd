library shop;

/// An order.
@immutable
class Order extends Base {
  final String name;

  const Order(this.name);

  /// Says it.
  @override
  String toString() => 'Order $name';

  int get count => 1;

  set count(int value) {
    print(value);
  }
}
