#define A 1 // a
#define B 2 /* b */
#define URL "http://x" // u
#define F(x) \
  g(x) // f
