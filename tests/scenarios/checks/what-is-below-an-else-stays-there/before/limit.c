#ifdef A
int limit = 1;
#else
int limit = 2;
#endif
int y;
