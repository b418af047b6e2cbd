export const Row: React.FC<{ onPick: (id: string) => void }> = ({ onPick }) => null;

class A {
  handle: (e: Event) => void = (e) => {};
}
