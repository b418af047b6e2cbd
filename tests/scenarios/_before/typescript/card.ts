import { Input } from "./framework";

export interface Props {
  title: string;
  onClose?(reason: string): void;
}

export class Card {
  @Input() title: string = "";

  /** Opens it. */
  @Input()
  open(): void {
    this.draw();
  }

  private draw(): void {}
}

export function render(card: Card): string;
export function render(card: Card, deep: boolean): string;
export function render(card: Card, deep = false): string {
  return card.title;
}

export enum Size {
  Small,
  Large,
}
