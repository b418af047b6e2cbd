//! `Shift`: one indentation exchanged for another, on any line that has the part that goes.
//!
//! What both have in common at their end stays, so that a shift to the right only adds, and is possible on every line;
//! a shift to the left takes away, and is exact only on lines that have what is taken.

/// Takes the bytes `off` from a line's indentation and puts `on` in their place.
#[derive(Clone, Copy, Debug)]
pub struct Shift<'a> {
    off: &'a [u8],
    on: &'a [u8],
}

impl<'a> Shift<'a> {
    /// Returns the shift that makes `to` of `from`.
    pub fn between(from: &'a [u8], to: &'a [u8]) -> Shift<'a> {
        let common = from
            .iter()
            .rev()
            .zip(to.iter().rev())
            .take_while(|(old, new)| old == new)
            .count();
        Shift {
            off: &from[..from.len() - common],
            on: &to[..to.len() - common],
        }
    }

    /// Returns `indent` shifted, or `None` when it lacks what is to be taken off.
    pub fn exact(self, indent: &[u8]) -> Option<Vec<u8>> {
        indent
            .strip_prefix(self.off)
            .map(|rest| [self.on, rest].concat())
    }

    /// Returns `indent` shifted, or as far as it goes: a line at column 0 cannot move to the left.
    pub fn clamped(self, indent: &[u8]) -> Vec<u8> {
        self.exact(indent).unwrap_or_else(|| {
            let shared = indent
                .iter()
                .zip(self.off)
                .take_while(|(have, off)| have == off)
                .count();
            // `off` is not empty here, else every line would have it.
            let on = self.on.len() * shared / self.off.len().max(1);
            [&self.on[..on.min(self.on.len())], &indent[shared..]].concat()
        })
    }
}
