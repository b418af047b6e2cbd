#include <x.h>

int g(void) { return 2; }

int f(void) { return 1; }
