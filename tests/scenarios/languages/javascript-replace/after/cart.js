// Carts, and what they cost.

/** Sums the prices. */
export const total = (items) => {
  const price = (item) => item.price * item.count;
  return items.map(price).reduce((sum, price) => sum + price, 0);
};

export class Cart {
  #items = [];

  // Keeps the order.
  add(item) {
    this.#items.push({ count: 1, ...item });
  }

  clear() {
    this.#items = [];
  }
}

export const TAX = 0.19;
