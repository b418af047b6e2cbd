/// T.
#[test]
fn t() {
    a();
}

pub fn f<T>(a: T) -> T
where
    T: Copy,
{
    a
}

pub fn g<T>(a: T) -> T
where
    T: Copy,
{
    a
}
