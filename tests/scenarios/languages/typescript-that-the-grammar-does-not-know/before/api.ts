export interface Parameter {
  name: string
  in: "query" | "header"
  schema: object
}

export interface Factory<in out T> {
  <A>(value: A): T
  <A>(): T
}

export class Client {
  static accessor count = 0

  get() {
    return 1
  }
}
