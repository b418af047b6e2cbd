/// T.
#[tokio::test]
async fn t() {
    a();
}

pub fn f<T>(a: T) -> T
where
    T: Clone,
{
    a
}

pub fn g<T: Copy>(a: T) -> T
{
    a
}
