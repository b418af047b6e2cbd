export default function App() {
  return 1;
}
