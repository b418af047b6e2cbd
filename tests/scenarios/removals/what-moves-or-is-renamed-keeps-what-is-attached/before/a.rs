/// Counts.
#[must_use]
pub fn count(of: &[u8]) -> usize {
    let all = of.len();
    all + 1
}

#[cfg(test)]
mod tests {
    fn one() {}
}
