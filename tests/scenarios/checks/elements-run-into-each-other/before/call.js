run(a, b);
