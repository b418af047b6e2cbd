//! Work on many things at once: on all processors where that pays, one after the other where there are few.

use rayon::prelude::*;

/// So few are done before the other threads have begun.
const FEW: usize = 8;

/// Returns what `work` makes of each of `items`, in their order.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    if items.len() < FEW { items.into_iter().map(work).collect() } else { items.into_par_iter().map(work).collect() }
}

/// Returns what `work` makes of each of a few large `items`, in their order.
pub fn each<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    // A lone one needs no other thread to be begun.
    if items.len() < 2 { items.into_iter().map(work).collect() } else { items.into_par_iter().map(work).collect() }
}

/// Of fewer bytes, reading them takes less than it takes a thread to begin.
const FEW_BYTES: usize = 128 << 10;

/// Does two things with so many `bytes`, at once where there are many.
pub fn both<A: Send, B: Send>(
    bytes: usize,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if bytes < FEW_BYTES { (one(), other()) } else { rayon::join(one, other) }
}

/// Does the same with each of some things that have so many `bytes` together.
pub fn weighed<T: Send, R: Send>(bytes: usize, items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    if bytes < FEW_BYTES { items.into_iter().map(work).collect() } else { each(items, work) }
}

/// Returns how many things are worked on at once.
pub fn width() -> usize {
    rayon::current_num_threads()
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
