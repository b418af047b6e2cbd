#pragma once

namespace shop {

// An order.
template <typename T>
class Order : public Base {
 public:
  // Says it.
  T name() const;

  int count() const { return 1; }

 private:
  T name_;
};

template <typename T>
T Order<T>::name() const {
  check();
  return name_;
}

}  // namespace shop
