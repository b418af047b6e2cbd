//! The moments at which batches are published and taken back. The clock says when that is; where it was set back, a moment is
//! just past the last one, so that what came later sorts later.
//!
//! Invariant: no moment is given twice, nor one before another that was given, as long as the publisher's turn is held.
//!
//! The last moment is kept in a file of its own, because listing 20,000 entries would cost more than publishing. It is a cache:
//! without it, the entries are listed.

use super::walk;
use crate::diagnostic::Diagnostic;
use crate::git::{HeldFile, Home, Repo};

/// Past this, in the year 3111, an entry is none of ours: its name would leave no room for those after it.
const LAST: u64 = 1 << 55;

/// Returns the first of `many` moments in a row, in microseconds since 1970: `now`, or later. In the publisher's turn only.
pub(crate) fn moments(repo: &Repo, now: u64, many: usize) -> Result<u64, Diagnostic> {
    let cache = repo.home()?.folder("cache")?;
    let newest = match read(&cache) {
        Some(newest) => newest,
        None => newest_of_all(repo)?,
    };
    let first = now.max(newest + 1);
    note(&cache, first.saturating_add(many as u64).saturating_sub(1));
    Ok(first)
}

const NEWEST: &str = "newest";

fn read(cache: &Home) -> Option<u64> {
    const MOST: u64 = 64;
    let HeldFile::Bytes(text) = cache.place(NEWEST).ok()?.read(MOST).ok()? else {
        return None;
    };
    let text = String::from_utf8(text).ok()?;
    // All of it: what a full disk or a death left is shorter.
    let digits = text
        .strip_suffix('\n')
        .filter(|digits| digits.len() == 14)?;
    u64::from_str_radix(digits, 16)
        .ok()
        .filter(|&moment| moment < LAST)
}

/// Writes the last moment down. What cannot be written is looked up the next time.
fn note(cache: &Home, moment: u64) {
    let Ok(file) = cache.place(NEWEST) else {
        return;
    };
    if file
        .write(format!("{moment:014x}\n").as_bytes(), false)
        .is_err()
    {
        let _ = file.remove();
    }
}

fn newest_of_all(repo: &Repo) -> Result<u64, Diagnostic> {
    let batches = walk::list(repo)?;
    // One that cannot be read orders nothing.
    let undone = batches
        .iter()
        .filter(|batch| batch.undone.is_some())
        .filter_map(|batch| walk::read(repo, batch).ok());
    let undone: Vec<u64> = undone
        .filter_map(|entry| entry.mark.map(|mark| mark.time))
        .collect();
    let published = batches.iter().map(walk::NamedEntry::micros);
    Ok(published
        .chain(undone)
        .filter(|&moment| moment < LAST)
        .max()
        .unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::git::testing::Sandbox;

    #[test]
    fn a_clock_that_was_set_back_goes_on() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let (repo, tree) = (sandbox.repo(), sandbox.git(&["rev-parse", "HEAD^{tree}"]));
        let file = repo.common_dir().join("segedit/cache/newest");
        let check = |now: u64, many: usize, expected: u64| {
            assert_eq!(
                moments(&repo, now, many).unwrap(),
                expected,
                "{now}: {:?}",
                fs::read_to_string(&file)
            );
        };
        check(100, 1, 100);
        check(100, 3, 101);
        check(50, 1, 104);
        check(1000, 1, 1000);
        // Lost, it is looked up; a name that is nobody's moment counts for nothing.
        for (micros, name) in [(2000_u64, "b1"), (0x00ff_ffff_ffff_ffff, "zz")] {
            sandbox.git(&[
                "update-ref",
                &format!("refs/segedit/batches/{micros:014x}-{name}"),
                &tree,
            ]);
        }
        for lost in ["", "00000000000", "no number 1234\n", "ffffffffffffff\n"] {
            fs::write(&file, lost).unwrap();
            check(50, 1, 2001);
        }
        fs::remove_dir_all(file.parent().unwrap()).unwrap();
        check(50, 1, 2001);
        check(50, 1, 2002);
    }
}
