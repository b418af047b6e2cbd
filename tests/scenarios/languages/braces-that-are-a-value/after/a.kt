fun later(x: Int): () -> Unit = { println(x) }
fun each(x: Int) = { y: Int -> x + y }
