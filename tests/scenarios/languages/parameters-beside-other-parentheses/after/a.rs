fn map<T, U, F: FnMut(T, u8) -> U>(items: Vec<T>, f: F, limit: usize) -> Vec<U> {
    todo!()
}
