class Outer {
  struct In {
    int a;
  } in;
};
struct Two { int x; } one, *two;
