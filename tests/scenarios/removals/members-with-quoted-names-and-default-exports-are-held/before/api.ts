export interface Api {
  "GET /users": { a: 1 };
  "GET /repos/{id}": { b: 2 };
  c: 3;
}

export class Bag {
  "m x"() {
    return 1;
  }
  get "g.h"() {
    return 2;
  }
}
