class A {
  String get(UUID id, @Valid Body b) { return id; }
}
