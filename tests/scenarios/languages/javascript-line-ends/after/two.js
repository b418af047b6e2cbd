const a = 2; /* x */ go(); /* y */
foo()
