export class B {

  n = 1;

  m() {
    a();
  }
}
