// Carts, and what they cost.

export class Cart {
  #items = [];

  clear() {
    this.#items = [];
  }
}

export const TAX = 0.19;
