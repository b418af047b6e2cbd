#define X(a) \
  foo(a); \
  bar(a)
int x;
