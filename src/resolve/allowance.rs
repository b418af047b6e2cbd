//! `Allowance`: what the operations of one batch may spend together, so that no operation file, however short, costs
//! more than a bounded time and memory.
//!
//! The one clock below the front doors stands here, and is read only while a pattern is matched: how long that takes
//! cannot be told from pattern and file. The rest is counted, and so the same on every machine.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

/// How long the patterns of one batch may be matched, all together.
pub const MAX_MATCHING: Duration = Duration::from_secs(2);
/// Most matches that the substitutions of one batch may replace.
pub const MAX_MATCHES: usize = 250_000;
/// Most bytes that the replacements of one batch may come to.
pub const MAX_REPLACED: usize = 64 << 20;
/// Most bytes that the later steps of a sequential batch may write, each with the whole of its files.
pub const MAX_REWRITTEN: usize = 256 << 20;
/// How many looks at elements the CSS selectors of one batch may take.
const MAX_SELECTING: usize = 200_000_000;
/// How much work goes into guessing what misspelt texts may have meant, in pairs of bytes compared.
const MAX_GUESSING: usize = 100_000_000;

/// What is left to spend; clones share it.
#[derive(Clone, Debug)]
pub struct Budget(Rc<AllowanceLeft>);

#[derive(Debug)]
struct AllowanceLeft {
    matching: Cell<Duration>,
    matches: Cell<usize>,
    replaced: Cell<usize>,
    rewritten: Cell<usize>,
    guessing: Cell<usize>,
    selecting: Cell<usize>,
}

/// What ran out; reads as the end of "the batch would …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// `MAX_MATCHING`
    Matching,
    /// `MAX_MATCHES`
    Matches,
    /// `MAX_REPLACED`
    Replaced,
    /// `MAX_REWRITTEN`
    Rewritten,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exceeded::Matching => write!(
                f,
                "match patterns for longer than {} seconds",
                MAX_MATCHING.as_secs()
            ),
            Exceeded::Matches => write!(f, "replace more than {MAX_MATCHES} matches"),
            Exceeded::Replaced => write!(
                f,
                "write replacements of more than {} MiB",
                MAX_REPLACED >> 20
            ),
            Exceeded::Rewritten => {
                write!(
                    f,
                    "rewrite files of more than {} MiB, step by step",
                    MAX_REWRITTEN >> 20
                )
            }
        }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget(Rc::new(AllowanceLeft {
            matching: Cell::new(MAX_MATCHING),
            matches: Cell::new(MAX_MATCHES),
            replaced: Cell::new(MAX_REPLACED),
            rewritten: Cell::new(MAX_REWRITTEN),
            guessing: Cell::new(MAX_GUESSING),
            selecting: Cell::new(MAX_SELECTING),
        }))
    }
}

impl Budget {
    /// Returns one in which only what is counted runs out, however busy the machine is.
    #[cfg(test)]
    pub fn without_clock() -> Budget {
        let allowance = Budget::default();
        allowance.0.matching.set(Duration::from_secs(3600));
        allowance
    }

    /// Returns how long patterns may still be matched.
    pub fn matching(&self) -> Duration {
        self.0.matching.get()
    }

    /// Returns how many matches may still be replaced, and by how many bytes.
    pub fn replacing(&self) -> (usize, usize) {
        (self.0.matches.get(), self.0.replaced.get())
    }

    /// Takes off the time that matching a pattern took.
    pub fn spend_matching(&self, time: Duration) {
        self.0.matching.set(self.matching().saturating_sub(time));
    }

    /// Takes off replacements of so many `bytes` in the place of so many `matches`.
    pub fn spend_replacing(&self, matches: usize, bytes: usize) -> Result<(), Exceeded> {
        let (matches_left, bytes_left) = self.replacing();
        self.0
            .matches
            .set(matches_left.checked_sub(matches).ok_or(Exceeded::Matches)?);
        self.0
            .replaced
            .set(bytes_left.checked_sub(bytes).ok_or(Exceeded::Replaced)?);
        Ok(())
    }

    /// Takes off a file of so many bytes, written by a step that is not the first.
    pub fn spend_rewriting(&self, bytes: usize) -> Result<(), Exceeded> {
        self.0.rewritten.set(
            self.0
                .rewritten
                .get()
                .checked_sub(bytes)
                .ok_or(Exceeded::Rewritten)?,
        );
        Ok(())
    }

    /// Returns how many looks at elements are left; whoever looks takes them off.
    pub fn selecting(&self) -> &Cell<usize> {
        &self.0.selecting
    }

    /// Takes off so much work of guessing and says whether there was that much left.
    pub fn affords_guess(&self, work: usize) -> bool {
        let left = self.0.guessing.get().checked_sub(work);
        self.0.guessing.set(left.unwrap_or(0));
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_is_gone_for_all_that_share_it() {
        let allowance = Budget::default();
        let shared = allowance.clone();
        assert_eq!(shared.spend_replacing(MAX_MATCHES - 1, 10), Ok(()));
        assert_eq!(allowance.replacing(), (1, MAX_REPLACED - 10));
        assert_eq!(allowance.spend_replacing(2, 0), Err(Exceeded::Matches));
        assert_eq!(
            allowance.spend_replacing(1, MAX_REPLACED),
            Err(Exceeded::Replaced)
        );
        assert_eq!(allowance.spend_rewriting(MAX_REWRITTEN), Ok(()));
        assert_eq!(shared.spend_rewriting(1), Err(Exceeded::Rewritten));
        assert!(
            shared.affords_guess(MAX_GUESSING - 1)
                && allowance.affords_guess(1)
                && !allowance.affords_guess(1)
        );
        shared.spend_matching(MAX_MATCHING * 2);
        assert_eq!(allowance.matching(), Duration::ZERO);
    }
}
