function f() { /* long
   tail */
  g();
  h();
}
