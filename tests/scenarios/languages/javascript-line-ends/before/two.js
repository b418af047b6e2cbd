const a = 1; /* x */ go(); /* y */
foo()
