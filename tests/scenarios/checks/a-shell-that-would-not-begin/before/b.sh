one() {
  echo 1
}
