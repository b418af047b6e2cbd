#define A 2 // a
#define B 3 /* b */
#define URL "https://y" // u
#define F(x) h(x) // f
