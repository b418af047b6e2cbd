class A {
  @Input()
  f: string;
}
