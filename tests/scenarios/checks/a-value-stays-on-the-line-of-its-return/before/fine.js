function sum(a, b) {
  return a + b;
}

function pair(a, b) {
  return { a, b };
}
