int f(void); /* Returns the
                number. */
int g(void); /* Frees
                it. */
