type Nothing = {
  a: string;
};
interface Line {
  to,
  (call: string): void
}
