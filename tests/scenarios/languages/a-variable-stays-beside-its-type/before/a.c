// A point.
struct pt { int x; } origin;
static struct cfg {
  int a;
} conf = {
    .a = 3,
};
enum mode { ON, OFF } cur = ON;
typedef struct row { int n; } row_t;
