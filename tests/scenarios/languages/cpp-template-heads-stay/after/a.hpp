template <typename T>
T twice(T x) {
  return 2 * x;
}

extern "C" int count(void) { return 2; }

class Box {
 public:
  int size() { return 1; }

  template <typename T>
    requires Small<T>
  void put(T x) { drop(x); }
};

template <class Number>
Number half(Number x) {
  return x / 2;
}
