export class B {

  m() {
    a();
  }
}
