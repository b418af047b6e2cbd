template <typename T>
T twice(T x) {
  return x + x;
}

extern "C" int count(void) {
  return 1;
}

class Box {
 public:
  template <typename T>
    requires Small<T>
  void put(T x) {
    keep(x);
  }
};

template <typename T>
T half(T x) {
  return x / 2;
}
