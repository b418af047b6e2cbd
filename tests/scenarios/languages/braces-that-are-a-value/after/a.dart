Map<String, int> two(int x) => {'x': x};
Set<int> three(int x) => <int>{x};
