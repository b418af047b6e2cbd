export interface Parameter {
  name: string
  in: "query" | % "header"
  schema: object
}

export function load(p: Parameter): number {
  return 1
}
