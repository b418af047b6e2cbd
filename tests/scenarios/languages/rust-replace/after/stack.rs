//! Stacks.

/// A stack.
#[derive(Debug, Default)]
pub struct Stack<T> {
    items: Vec<T>,
}

impl<T> Stack<T> {
    /// Puts one on top.
    #[inline]
    pub fn push(&mut self, item: T) -> bool {
        let fits = self.items.len() < LIMIT;
        if fits {
            self.items.push(item);
        }
        fits
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }
}

impl<T> Drop for Stack<T> {
    fn drop(&mut self) {}
}

pub const LIMIT: usize = 64;

#[cfg(test)]
mod tests {
    #[test]
    fn it_works() {}
}
