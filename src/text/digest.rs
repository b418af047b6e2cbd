//! `Digest`: 64 bits of whatever is put in, to tell values apart and to see that bytes are those that were written.
//!
//! The same on every machine and in every build, because it is kept in files. It is quick and no secret: whoever wants two values
//! with one digest can make them, so nothing that is decided by it may matter to anybody but the repository's owner.

/// Odd numbers without a pattern: the fractions of the golden ratio and of the square root of three.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
const ROOT: u64 = 0xbb67_ae85_84ca_a73b;

/// What was put in so far.
#[derive(Clone, Copy, Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(GOLDEN)
    }
}

impl Digest {
    /// Returns the digest of `bytes` alone.
    pub fn of(bytes: &[u8]) -> u64 {
        let mut digest = Digest::default();
        digest.text(bytes);
        digest.finish()
    }

    /// Puts in a number.
    pub fn number(&mut self, number: u64) {
        self.0 = fold(self.0 ^ number, ROOT).wrapping_add(GOLDEN);
    }

    /// Puts in bytes and how many they are, so that `ab` and `c` are not `a` and `bc`.
    pub fn text(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.number(word.try_into().map_or(0, u64::from_le_bytes));
        }
        let mut rest = [0; 8];
        rest.iter_mut()
            .zip(words.remainder())
            .for_each(|(to, from)| *to = *from);
        self.number(u64::from_le_bytes(rest));
        self.number(bytes.len() as u64);
    }

    /// Returns what came of it.
    pub fn finish(self) -> u64 {
        fold(self.0, GOLDEN)
    }
}

/// Multiplies, so that every bit of the one has a say in every bit of the other.
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the halves are taken apart"
    )]
    let halves = (product as u64, (product >> 64) as u64);
    // Not the product's halves alone: zero times anything is zero, and all that came before would be forgotten.
    halves.0 ^ halves.1 ^ left.rotate_left(29)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_differs_a_little_has_another_digest() {
        let mut seen = BTreeSet::new();
        let texts: Vec<Vec<u8>> = (0..70)
            .flat_map(|length| [vec![0; length], vec![b'a'; length + 1]])
            .collect();
        let flipped = (0..64).flat_map(|at| {
            (0..8).map(move |bit| {
                let mut text = vec![7u8; 64];
                text[at] ^= 1 << bit;
                text
            })
        });
        for text in texts.into_iter().chain(flipped) {
            assert!(seen.insert(Digest::of(&text)), "{text:?}");
        }
        let parts = |parts: &[&str]| {
            let mut digest = Digest::default();
            parts.iter().for_each(|part| digest.text(part.as_bytes()));
            digest.finish()
        };
        assert_ne!(parts(&["ab", "c"]), parts(&["a", "bc"]));
        assert_ne!(parts(&["", "a"]), parts(&["a", ""]));
    }
}
