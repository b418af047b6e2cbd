int f(void); /* Returns the
                number. */

int h(void);

int g(void); /* Frees
                it. */
