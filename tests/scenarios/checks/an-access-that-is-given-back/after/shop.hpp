class Shop {
 public:
  int one() { return 1; }
  private:
  int helper() { return 1; }

  public:
  int two() { return 2; }

 protected:
  int n;
};
