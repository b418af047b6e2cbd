//! Work on many things at once: on all processors where that pays, one after the other where there are few.

use std::sync::Once;

use rayon::prelude::*;

/// So few are done before the other threads have begun.
const FEW: usize = 8;

/// Returns what `work` makes of each of `items`, in their order.
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    if items.len() < FEW {
        items.into_iter().map(work).collect()
    } else {
        at_once(items, work)
    }
}

/// Returns what `work` makes of each of a few large `items`, in their order.
pub(crate) fn each<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    // A lone one needs no other thread to be begun.
    if items.len() < 2 {
        items.into_iter().map(work).collect()
    } else {
        at_once(items, work)
    }
}

fn at_once<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    ready();
    items.into_par_iter().map(work).collect()
}

/// Has the first thread of the process be one of those that work: else it would stand still while as many others as there
/// are processors begin, and have to be given fresh memory afterwards that these have used and freed.
fn ready() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The others end; and a pool without a thread of its own would have whoever else asks wait for this one.
        let is_first = std::thread::current().name() == Some("main");
        let width = std::thread::available_parallelism().map_or(1, |count| count.get());
        if is_first && width > 1 {
            // There is a pool already where something else was first to need one.
            let _ = rayon::ThreadPoolBuilder::new()
                .num_threads(width)
                .use_current_thread()
                .build_global();
        }
    });
}

/// Of fewer bytes, reading them takes less than it takes a thread to begin.
const FEW_BYTES: usize = 128 << 10;

/// Does two things with so many `bytes`, at once where there are many.
pub(crate) fn both<A: Send, B: Send>(
    bytes: usize,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if bytes < FEW_BYTES {
        return (one(), other());
    }
    ready();
    rayon::join(one, other)
}

/// Does the same with each of some things that have so many `bytes` together.
pub(crate) fn weighed<T: Send, R: Send>(
    bytes: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    if bytes < FEW_BYTES {
        items.into_iter().map(work).collect()
    } else {
        each(items, work)
    }
}

/// Returns how many things are worked on at once.
pub(crate) fn width() -> usize {
    ready();
    rayon::current_num_threads()
}

/// Gives back the memory of something large while this thread goes on.
pub(crate) fn discard<T: Send + 'static>(large: T) {
    ready();
    rayon::spawn(move || drop(large));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_stays() {
        for count in [0, 1, FEW, 1000] {
            let doubled = map((0..count).collect(), |number| number * 2);
            assert_eq!(
                doubled,
                (0..count).map(|number| number * 2).collect::<Vec<_>>()
            );
        }
    }
}
