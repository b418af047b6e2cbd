#include <x.h>

int f(void) { return 1; }
