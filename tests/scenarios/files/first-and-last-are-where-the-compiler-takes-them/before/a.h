/* A licence. */
#ifndef A_H
#define A_H

#include <a>

struct s { int a; };

#endif /* A_H */
