package shop

/** An order. */
@deprecated
case class Order(name: String) extends Base {
  val count = 1

  /** Says it. */
  override def toString: String = {
    name
  }
}

object Order:
  // None.
  def none =
    val name = ""
    Order(name)

  def one = Order("one")
