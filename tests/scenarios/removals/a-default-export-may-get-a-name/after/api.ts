export interface Api {
  'GET /users': { a: 2 };
  "GET /repos/{id}": { b: 2 };
  c: 3;
}

export class Bag {
  get "g.h"() {
    return 2;
  }
}
