enum Only {
  A, B;
}
