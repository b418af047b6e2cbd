function helper() {}

/** What App does. */
export default function App() {
  return helper();
}

const LIMIT = 3;

export function load() {
  return LIMIT;
}
