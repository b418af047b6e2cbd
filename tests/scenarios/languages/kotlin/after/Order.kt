package shop

/** An order. */
@Serializable
data class Order(val name: String) : Base() {
    var count: Int = 1

    /** Says it. */
    @Test
    override fun toString(): String = "Order $name"

    companion object {
        fun of(name: String) = Order(name)

        fun none() = Order("")
    }
}
