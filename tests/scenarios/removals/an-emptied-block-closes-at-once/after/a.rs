struct A;

impl A {}

impl<T> X for T
where
    T: Y,
{
}
