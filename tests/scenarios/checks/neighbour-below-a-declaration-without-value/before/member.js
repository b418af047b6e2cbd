class A {
  x
  ["k"] = 1
}
