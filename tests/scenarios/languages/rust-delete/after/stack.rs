//! Stacks.

/// A stack.
#[derive(Debug, Default)]
pub struct Stack<T> {
    items: Vec<T>,
}

impl<T> Stack<T> {
    pub fn len(&self) -> usize {
        self.items.len()
    }
}

impl<T> Drop for Stack<T> {
    fn drop(&mut self) {}
}

pub const LIMIT: usize = 8;
