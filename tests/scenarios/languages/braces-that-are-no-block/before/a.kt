fun log(x: Int) = println(x)
fun two(x: Int): Int = x + 1
