class Card {
  @Input()
  title(): string {
    return "b";
  }

  other(): number {
    return 1;
  }
}
