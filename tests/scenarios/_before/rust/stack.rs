//! Stacks.

/// A stack.
#[derive(Debug, Default)]
pub struct Stack<T> {
    items: Vec<T>,
}

impl<T> Stack<T> {
    /// Puts one on top.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }
}

impl<T> Drop for Stack<T> {
    fn drop(&mut self) {}
}

pub const LIMIT: usize = 8;

#[cfg(test)]
mod tests {
    #[test]
    fn it_works() {}
}
