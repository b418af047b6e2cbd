struct A;

/// B docs
struct B;
