class Shop {
 public:
  int one() { return 1; }
  int two() { return 2; }

 private:
  int n;
};
