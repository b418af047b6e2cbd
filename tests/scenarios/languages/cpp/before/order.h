#pragma once

namespace shop {

// An order.
template <typename T>
class Order : public Base {
 public:
  explicit Order(T name) : name_(name) {}

  // Says it.
  T name() const;

 private:
  T name_;
};

template <typename T>
T Order<T>::name() const {
  return name_;
}

}  // namespace shop
