class A {
  def a(): Unit = { run() }
}
