export function find(name: string): Item;
export function find(index: number): Item;
export function find(key: string | number): Item {
  return items.get(key);
}
