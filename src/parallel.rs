//! Work on many things at once: on all processors where that pays, one after the other where there are few.

use rayon::prelude::*;

/// So few are done before the other threads have begun.
const FEW: usize = 8;

/// Returns what `work` makes of each of `items`, in their order.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    if items.len() < FEW { items.into_iter().map(work).collect() } else { items.into_par_iter().map(work).collect() }
}

/// Gives back the memory of something large while this thread goes on.
pub fn discard<T: Send + 'static>(large: T) {
    rayon::spawn(move || drop(large));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_stays() {
        for count in [0, 1, FEW, 1000] {
            let doubled = map((0..count).collect(), |number| number * 2);
            assert_eq!(doubled, (0..count).map(|number| number * 2).collect::<Vec<_>>());
        }
    }
}
