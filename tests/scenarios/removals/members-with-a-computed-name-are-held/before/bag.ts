export class Bag<out T> {
  readonly items: T[] = []
  static {
    register(Bag)
  }
  add(item: T) {
    this.items.push(item)
  }
  *[Symbol.iterator]() {
    yield* this.items
  }
}
