class A {
  String get(
      @PathVariable("id")
      final String id,
      @Valid String b) { return id; }
}
