class A {
  String get(
      @PathVariable("id")
      String id,
      @Valid String b) { return id; }
}
