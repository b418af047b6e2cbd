function f() {
  if (ok) {
    keep();
  }
  else
    wipe();
}
