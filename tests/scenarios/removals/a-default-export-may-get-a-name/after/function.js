const a = 1;

export default function get() {
  return a;
}
