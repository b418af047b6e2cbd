export class S {
  x = 1;
  y() { return this.x; }
}
