export enum Size {
  Small = 1,
  Large = Small * 2,
}
export class Box {
  #inner = Size.Small;
  static of() {
    return new Box().#inner;
  }
  grow() {
    return [1].map(() => this.#inner);
  }
}
