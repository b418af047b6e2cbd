// Carts, and what they cost.

/** Sums the prices. */
export const total = (items) => items.reduce((sum, item) => sum + item.price, 0);

export class Cart {
  #items = [];

  // Keeps the order.
  add(item) {
    this.#items.push(item);
  }

  clear() {
    this.#items = [];
  }
}

export const TAX = 0.19;
