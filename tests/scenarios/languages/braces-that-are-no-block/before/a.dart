int two(int x) => x + 1;
