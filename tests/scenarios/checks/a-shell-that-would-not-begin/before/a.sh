one() {
  echo 1
}

two() {
  echo 2
}
