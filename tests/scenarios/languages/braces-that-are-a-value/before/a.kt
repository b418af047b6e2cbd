fun later(x: Int): () -> Unit = make(x)
fun each(x: Int) = run(x)
