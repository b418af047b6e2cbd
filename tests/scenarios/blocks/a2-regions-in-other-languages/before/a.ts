class A {
  //#region api
  b = 1;
  //#endregion
}
