//! `Lookup`: what a search by name came to, as data; resolve words it as a diagnostic.

/// One, none or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup<T> {
    /// The only one that fits.
    Found(T),
    /// Nothing fits.
    Missing {
        /// Addresses within the file that the caller may have meant, nearest first.
        nearest: Vec<String>,
    },
    /// Several fit.
    Ambiguous {
        /// Each with an address within the file that would have been unique, in file order.
        candidates: Vec<(String, T)>,
    },
}
