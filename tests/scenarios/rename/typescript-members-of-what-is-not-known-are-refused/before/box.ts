export class Box {
  grow() {
    return this.grow();
  }
}
