use std::fmt;

pub struct Shop<T> {
    name: T,
}

impl<T> Shop<T> {
    pub fn name(&self) -> &T {
        &self.name
    }

    pub fn take(self) -> T {
        self.name
    }
}

impl<T: fmt::Debug> fmt::Display for Shop<T>
where
    T: Clone,
{
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.name.fmt(f)
    }
}

impl<T> Drop for Shop<T> {
    fn drop(&mut self) {}
}
