class S { // eslint-disable-line max-classes
  f(a) { // eslint-disable-line complexity
    g();
  }
  e() { // nothing yet
  }
}
