struct A;

impl A {
    fn f(&self) {}
}

impl<T> X for T
where
    T: Y,
{
    fn g(&self) {}
}
