export interface Parameter {
  name: string
  in: "query" | "header" | "path"
  schema: object
  required?: boolean
}

export class Client {
  static accessor count = 1

  get() {
    return 2
  }
}
