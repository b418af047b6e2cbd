/* A licence. */
#ifndef A_H
#define A_H

#include <a>

struct r;

struct s { int a; };

struct t;

#endif /* A_H */
