use std::fmt;

pub struct Shop<T> {
    name: T,
}

impl<T> Shop<T> {
    pub fn name(&self) -> &T {
        &self.name
    }
}

impl<T: fmt::Debug> fmt::Display for Shop<T>
where
    T: Clone,
{
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?}", self.name)
    }
}

unsafe impl Send for Shop<u8> {}
impl Index<[u8; 3]> for Shop<u8> {}
