#ifdef FOO
int a1(void) { return 1; }
int a2(void) { return 1; }
#else
int b1(void) { return 2; }
#endif
int tail(void) { return 3; }
