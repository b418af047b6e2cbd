class A {
  //#region api
  c = 2;
  d = 3;
  //#endregion
}
