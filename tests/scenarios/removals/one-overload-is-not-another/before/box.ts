export class Box {
  put(item: Item): void;
  put(item: Item, at: number): void;
  put(item: Item, at?: number): void {
    this.items.set(at ?? this.items.size, item);
  }
}
