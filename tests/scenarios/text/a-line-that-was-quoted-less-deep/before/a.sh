setup() {
  conf
}
