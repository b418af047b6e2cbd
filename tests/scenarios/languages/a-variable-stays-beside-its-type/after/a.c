// A place.
struct pt { int x; int y; } origin;
static struct cfg {
  int a;
  int b;
} conf = {
    .a = 3,
};
enum mode { ON, OFF, AUTO } cur = AUTO;
typedef struct row { int n; int m; } row_t;
