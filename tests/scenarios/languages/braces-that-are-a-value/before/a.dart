Map<String, int> two(int x) => make(x);
Set<int> three(int x) => makeSet(x);
