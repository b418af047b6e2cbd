class Card {
  @Input()
  title(): string {
    return "a";
  }

  other(): number {
    return 1;
  }
}
