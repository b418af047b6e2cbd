//! Carries an edit over to a text that is not quite the one it was made of: a file whose line endings, or whose lines in other
//! places, git stores in another form.
//!
//! ```text
//!   base     what is stored            a b c d
//!   theirs   what the edit makes of it a b C d
//!   ours     what the file holds       a B c d      →      a B C d
//! ```
//!
//! Every line of `ours` outside of the edit stays as it is, its ending too; lines that the edit brings end like those that they
//! take the place of. Unlike in a merge, changes that touch may stand beside each other: who calls this has the stored form
//! of the result to hold it against.

use std::borrow::Cow;
use std::ops::Range;

use super::diff::{Run, equal_runs};

/// Carries what `theirs` made of `base` over to `ours`; `None` where that changes lines that differ there, or where it cannot
/// be said which comes first.
pub fn carry(base: &[u8], theirs: &[u8], ours: &[u8]) -> Option<Vec<u8>> {
    let [base, theirs, ours] = [base, theirs, ours].map(|text| {
        text.split_inclusive(|&byte| byte == b'\n')
            .collect::<Vec<_>>()
    });
    let [plain_base, plain_ours] =
        [&base, &ours].map(|lines| lines.iter().map(|line| plain(line)).collect::<Vec<_>>());
    let [base_keys, our_keys] = [&plain_base, &plain_ours]
        .map(|lines| lines.iter().map(|line| &**line).collect::<Vec<&[u8]>>());
    let own = equal_runs(&base_keys, &our_keys);
    let edited = equal_runs(&base, &theirs);
    let mut hunks = hunks(&own, base.len(), ours.len(), Whose::Ours);
    hunks.extend(self::hunks(
        &edited,
        base.len(),
        theirs.len(),
        Whose::Theirs,
    ));
    hunks.sort_by_key(|hunk| (hunk.old.start, hunk.old.end));
    if hunks
        .windows(2)
        .any(|pair| matches!(pair, [one, next] if one.meets(next)))
    {
        return None;
    }
    let (mut carried, mut done, mut ours_done) = (Vec::new(), 0, 0);
    for hunk in &hunks {
        let kept = hunk.old.start - done;
        carried.extend(ours[ours_done..ours_done + kept].concat());
        ours_done += kept;
        match hunk.whose {
            Whose::Ours => {
                carried.extend(ours[hunk.new.clone()].concat());
                ours_done = hunk.new.end;
            }
            Whose::Theirs => {
                for (at, line) in theirs[hunk.new.clone()].iter().enumerate() {
                    // Like the line whose place it takes; one that is only added, like the one ahead of it.
                    let model = |start: usize| match hunk.old.len() {
                        0 => start.saturating_sub(1),
                        lines => start + at.min(lines - 1),
                    };
                    let stored = ends_with_crlf(&base, model(hunk.old.start));
                    carried.extend_from_slice(&ended(
                        line,
                        !stored && ends_with_crlf(&ours, model(ours_done)),
                    ));
                }
                ours_done += hunk.old.len();
            }
        }
        done = hunk.old.end;
    }
    carried.extend(ours[ours_done..].concat());
    Some(carried)
}

/// Whose change it is.
#[derive(Clone, Copy, Debug)]
enum Whose {
    Ours,
    Theirs,
}

/// Lines of the base, and what one side has in their place.
#[derive(Clone, Debug)]
struct CarriedHunk {
    old: Range<usize>,
    new: Range<usize>,
    whose: Whose,
}

impl CarriedHunk {
    /// Says whether `next`, which does not begin before it, changes the same lines, or adds some at the same place.
    fn meets(&self, next: &CarriedHunk) -> bool {
        next.old.start < self.old.end || self.old == next.old
    }
}

/// Returns what stands between `equal` runs.
fn hunks(equal: &[Run], old_end: usize, new_end: usize, whose: Whose) -> Vec<CarriedHunk> {
    let (mut old, mut new) = (0, 0);
    let mut hunks = Vec::new();
    let end = Run {
        old: old_end..old_end,
        new: new_end..new_end,
    };
    for run in equal.iter().chain([&end]) {
        if old < run.old.start || new < run.new.start {
            hunks.push(CarriedHunk {
                old: old..run.old.start,
                new: new..run.new.start,
                whose,
            });
        }
        (old, new) = (run.old.end, run.new.end);
    }
    hunks
}

/// Returns `line` with a plain line ending.
fn plain(line: &[u8]) -> Cow<'_, [u8]> {
    match line.strip_suffix(b"\r\n") {
        Some(content) => Cow::Owned([content, b"\n"].concat()),
        None => Cow::Borrowed(line),
    }
}

/// Returns `line` with CRLF at its end, if it shall have that and has an ending.
fn ended(line: &[u8], crlf: bool) -> Cow<'_, [u8]> {
    match line.strip_suffix(b"\n") {
        Some(content) if crlf && !content.ends_with(b"\r") => {
            Cow::Owned([content, b"\r\n"].concat())
        }
        Some(_) | None => Cow::Borrowed(line),
    }
}

/// Says whether the line at `at` ends with CRLF; where it has no ending, the nearest that has one ahead of it, or else behind.
fn ends_with_crlf(lines: &[&[u8]], at: usize) -> bool {
    let (ahead, behind) = lines.split_at((at + 1).min(lines.len()));
    let ended = ahead
        .iter()
        .rev()
        .chain(behind)
        .find(|line| line.ends_with(b"\n"));
    ended.is_some_and(|line| line.ends_with(b"\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Letters stand for lines; `.` behind one for CRLF, `!` at the end for no line ending.
    fn text(letters: &str) -> Vec<u8> {
        let whole = letters.replace('.', "\r\n");
        let mut text = String::new();
        let mut letters = whole.chars().peekable();
        while let Some(letter) = letters.next() {
            text.push(letter);
            if letter.is_alphabetic() && !matches!(letters.peek(), Some('\r' | '!')) {
                text.push('\n');
            }
        }
        text.replace('!', "").into_bytes()
    }

    #[track_caller]
    fn check(base: &str, theirs: &str, ours: &str, expected: Option<&str>) {
        let found = carry(&text(base), &text(theirs), &text(ours));
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(
            found.as_deref().map(shown),
            expected.map(|letters| shown(&text(letters))),
            "{base} {theirs} {ours}"
        );
    }

    #[test]
    fn lines_outside_of_the_edit_keep_their_endings() {
        check("abc", "aXc", "a.bc.", Some("a.Xc."));
        check("abc", "aXc", "ab.c", Some("aX.c"));
        check("abc", "aXYZc", "a.b.c", Some("a.X.Y.Z.c"));
        check("abc", "abcd", "a.b.c.", Some("a.b.c.d."));
        check("abc", "xabc", "a.bc", Some("x.a.bc"));
        check("abc", "ac", "ab.c.", Some("ac."));
        check("abc", "", "a.b.c.", Some(""));
        check("ab!", "abc", "a.b!", Some("a.b.c."));
        check("ab!", "aX!", "a.b!", Some("a.X!"));
        check("", "ab", "", Some("ab"));
    }

    #[test]
    fn an_ending_that_is_stored_is_the_edits() {
        check("a.b.c.", "a.X.c.", "a.b.c.", Some("a.X.c."));
        check("a.b.c.", "a.Xc.", "a.b.c.", Some("a.Xc."));
    }

    #[test]
    fn lines_that_only_the_file_has_stay() {
        check("abcde", "abcdE", "aXbcde", Some("aXbcdE"));
        check("abcde", "Abcde", "abYe", Some("AbYe"));
        check("abcde", "abce", "a.X.bcd.e", Some("a.X.bce"));
        // Beside the edit, not in it.
        check("abcde", "abXde", "aBcde", Some("aBXde"));
        check("abcde", "abXde", "abcDe", Some("abXDe"));
        check("abcde", "abXcde", "aBcde", Some("aBXcde"));
        check("abcde", "abXcde", "abCde", Some("abXCde"));
        check("abcde", "abCde", "abYcde", Some("abYCde"));
        check("abcde", "abCde", "abcYde", Some("abCYde"));
    }

    #[test]
    fn the_same_lines_on_both_sides_are_nobodys_to_decide() {
        check("abc", "aXc", "aYc", None);
        check("abc", "aXc", "aXc", None);
        check("abcd", "aXd", "abYd", None);
        check("abcd", "aXd", "abYcd", None);
        check("abc", "aXbc", "aYbc", None);
        check("abcd", "abXcd", "aYd", None);
    }

    proptest! {
        /// Line endings alone never are in the way, and whatever is carried over says the same but for them.
        #[test]
        fn with_plain_endings_it_is_the_edit(
            base in "[abc]{0,12}",
            theirs in "[abcd]{0,12}",
            crlf in proptest::collection::vec(any::<bool>(), 12),
        ) {
            let (base, theirs) = (text(&base), text(&theirs));
            let lines = base.split_inclusive(|&byte| byte == b'\n').zip(&crlf);
            let ours: Vec<u8> = lines.flat_map(|(line, &crlf)| ended(line, crlf).into_owned()).collect();
            let carried = carry(&base, &theirs, &ours).unwrap();
            let plain: Vec<u8> =
                carried.split_inclusive(|&byte| byte == b'\n').flat_map(|line| plain(line).into_owned()).collect();
            prop_assert_eq!(plain, theirs);
        }

        /// Nothing that only the file has is ever lost.
        #[test]
        fn every_line_of_the_files_own_is_kept(
            base in "[abc]{0,10}",
            theirs in "[abcd]{0,10}",
            inserts in proptest::collection::vec((0usize..10, 0usize..3), 0..4),
        ) {
            let base = text(&base);
            let mut ours: Vec<Vec<u8>> = base.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            for (at, count) in inserts {
                let at = at.min(ours.len());
                for _ in 0..count {
                    ours.insert(at, b"own\n".to_vec());
                }
            }
            let count = |text: &[u8]| text.split(|&byte| byte == b'\n').filter(|line| *line == b"own").count();
            let ours = ours.concat();
            if let Some(carried) = carry(&base, &text(&theirs), &ours) {
                prop_assert_eq!(count(&carried), count(&ours));
            }
        }
    }
}
