import { Input } from "./framework";

export interface Props {
  title: string;
  onClose?(reason: string, at: Date): void;
}

export class Card {
  @Input() title: string = "";

  /** Opens it. */
  @Input()
  open(times = 1): void {
    for (let i = 0; i < times; i++) this.draw();
  }

  private draw(): void {}
}

export function render(card: Card): string;
export function render(card: Card, deep: boolean | number): string;
export function render(card: Card, deep = false): string {
  return card.title;
}

export enum Size {
  Small,
  Large,
}
