class Outer {
  struct In {
    int a;
    int b;
  } in;
};
struct Two { int x; int y; } one, *two;
