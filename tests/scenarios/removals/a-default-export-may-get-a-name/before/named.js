/** Runs. */
export default class {
  am() {
    return 1;
  }
  b() {}
}
