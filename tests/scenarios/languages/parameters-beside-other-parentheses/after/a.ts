export const Row: React.FC<{ onPick: (id: string) => void }> = ({ onPick }, ref) => null;

class A {
  handle: (e: Event) => void = (e, x?: number) => {};
}
