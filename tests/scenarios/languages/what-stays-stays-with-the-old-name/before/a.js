/** What App does. */
export default function App() {
  return 1;
}

export function load() {
  return 2;
}
