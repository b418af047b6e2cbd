/** Runs. */
export default class Named {
  am() {
    return 2;
  }
  b() {}
}
