class A {
public:
  int x;
private:
  int y;
};
