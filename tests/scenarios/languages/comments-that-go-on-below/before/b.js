function f() { /* long
   tail */
  g();
}
