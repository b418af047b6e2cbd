#define A 1 /* the
               first */
#define B 2
