package shop

/** An order. */
@deprecated
case class Order(name: String) extends Base {
  /** Says it. */
  override def toString: String = s"Order $name"
}

object Order:
  // None.
  def none =
    Order("")

  def one = Order("one")

  def two = Order("two")
