int g(void); /* Frees
                it. */
