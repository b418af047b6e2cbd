//! Reads the modules that files of Python import which a batch edits: those whose names stand in what it writes, and nothing else.

use std::collections::{BTreeSet, HashSet};

use crate::diagnostic::Diagnostic;
use crate::git::{ReadSource, Repo};
use crate::parallel;
use crate::path::RepoPath;
use crate::plan::Candidate;
use crate::references::{Sources, is_python_file, may_use_anew};
use crate::snapshot::{Blob, Change};

/// A batch that edits more files of Python than this is not looked at in this way; nor is a file with more bytes.
const MOST_FILES: usize = 100;
const MOST_BYTES: usize = 1 << 20;

/// Returns the files of Python that `candidate` leaves, on top of the `earlier` changes, and the modules that they import; `None` where
/// there are none, or too many.
pub(super) fn beside(
    repo: &Repo,
    source: &ReadSource,
    candidate: &Candidate,
    earlier: &[Change],
) -> Result<Option<Sources>, Diagnostic> {
    let edited: Vec<(&Change, &Blob)> = candidate
        .changes()
        .iter()
        .filter_map(|change| Some((change, &change.after.as_ref()?.bytes)))
        .filter(|(change, bytes)| is_python_file(&change.path, bytes))
        .filter(|(_, bytes)| bytes.len() <= MOST_BYTES)
        .take(MOST_FILES + 1)
        .collect();
    if edited.is_empty() || edited.len() > MOST_FILES {
        return Ok(None);
    }
    let old = |change: &'_ Change| {
        let origin = candidate.moves().get(&change.path);
        match (&change.before, origin) {
            (Some(before), _) => Some(before.bytes.clone()),
            (None, Some(origin)) => before(candidate, origin).cloned(),
            (None, None) => None,
        }
    };
    let uses_anew =
        |(change, bytes): (&Change, &Blob)| old(change).is_none_or(|old| may_use_anew(&old, bytes));
    // What another file of the batch makes of its definitions may be used wrongly by any.
    if !parallel::map(edited.clone(), uses_anew).contains(&true) {
        return Ok(None);
    }
    let mut sources = Sources::default();
    for (change, bytes) in &edited {
        sources.add(change.path.clone(), (*bytes).clone());
    }
    let places_of = |(change, bytes): (&Change, &Blob)| {
        let known = old(change);
        let written = written_words(known.as_deref().unwrap_or_default(), bytes);
        sources.places_beside(&change.path, |name| written.contains(name.as_bytes()))
    };
    let places: BTreeSet<RepoPath> = parallel::map(edited, places_of)
        .into_iter()
        .flatten()
        .collect();
    if places.is_empty() {
        return Ok(Some(sources));
    }
    let holding = repo.holding(source)?;
    for place in places {
        let changed = candidate
            .changes()
            .iter()
            .chain(earlier)
            .find(|change| change.path == place);
        let file = match changed {
            Some(change) => change.after.clone(),
            None => holding.file(&place)?,
        };
        if let Some(file) = file.filter(|file| file.bytes.len() <= MOST_BYTES) {
            sources.add(place, file.bytes);
        }
    }
    Ok(Some(sources))
}

fn before<'c>(candidate: &'c Candidate, path: &RepoPath) -> Option<&'c Blob> {
    let change = candidate.changes().iter().find(|it| it.path == *path)?;
    Some(&change.before.as_ref()?.bytes)
}

/// Returns the words of the lines that `new` has and `old` has not.
fn written_words<'b>(old: &[u8], new: &'b [u8]) -> HashSet<&'b [u8]> {
    let known: HashSet<&[u8]> = old.split(|byte| *byte == b'\n').collect();
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    new.split(|byte| *byte == b'\n')
        .filter(|line| !known.contains(line))
        .flat_map(|line| line.split(move |byte| !is_of_word(byte)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_lines_that_are_new_are_written() {
        let words = written_words(b"a = b\nc(d)\n", b"a = b\nc(d, e.f)\n");
        let mut words: Vec<&[u8]> = words.into_iter().filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        assert_eq!(words, [b"c", b"d", b"e", b"f"]);
    }
}
