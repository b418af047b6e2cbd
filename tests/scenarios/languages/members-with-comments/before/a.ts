type Nothing = {};
interface Line {
  to: number,
  (call: string): void
}
