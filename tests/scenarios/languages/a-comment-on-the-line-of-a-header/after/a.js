class S { // eslint-disable-line max-classes
  f(a) { // eslint-disable-line complexity
    k();
    g();
  }
  e() { // nothing yet
    k();
  }
  h() {}
}
