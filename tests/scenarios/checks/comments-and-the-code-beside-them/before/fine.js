debug(a, b);
run();
