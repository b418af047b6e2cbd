class A {
  void m() {
    throw StateError('one '
        'two '
        '''three
  four''');
  }
}
