//! What goes by a name in the files of a roll, once all of them are known.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::SearchHits;
use super::answer::Halt;
use super::name_key::width;
use super::record::{self, ContentSegments, IndexedSegment};
use super::store::{IndexDatabase, Trouble};
use super::update::Work;
use crate::diagnostic::Diagnostic;
use crate::git::{ReadSource, Repo};
use crate::path::RepoPath;
use crate::resolve::Segment;
use crate::resolve::called::{is_pattern, word_of};

/// How many contents are taken out at once.
const MOST_AT_ONCE: usize = 1 << 11;

/// Returns what goes by `name` in the `chosen` files of the roll.
pub(super) fn hits(
    repo: &Repo,
    source: &ReadSource,
    store: &IndexDatabase,
    work: &Work<'_>,
    chosen: &[usize],
    name: &str,
) -> Result<SearchHits, Halt> {
    let roll = work.roll();
    let among = |numbers: &BTreeSet<u32>| -> Vec<usize> {
        let holds = |at: &usize| {
            roll.contents
                .get(*at)
                .is_some_and(|number| numbers.contains(number))
        };
        if numbers.is_empty() {
            Vec::new()
        } else {
            chosen.iter().copied().filter(holds).collect()
        }
    };
    let mut hits = SearchHits::default();
    let templated = among(&store.standing(&BTreeSet::from([record::scaffolded()]))?);
    hits.scaffolded
        .extend(templated.into_iter().filter_map(|at| roll.path(at)));
    for at in among(&store.standing(&BTreeSet::from([record::excessive()]))?) {
        let Some((path, &number)) = roll.path(at).zip(roll.contents.get(at)) else {
            continue;
        };
        match ContentSegments::read(&store.told(number)?, &path, width(repo.hash_kind())) {
            Some(ContentSegments::Excessive(excess)) => hits.passed_over.push((path, excess)),
            // Digests of other words may be the same.
            Some(ContentSegments::Segments(_) | ContentSegments::Scaffolded) => {}
            None => return Err(Trouble::Broken.into()),
        }
    }
    let mut found: BTreeMap<u32, Vec<RepoPath>> = BTreeMap::new();
    // What is asked for by a part of its name can be anywhere.
    let standing = if is_pattern(name) {
        chosen.to_vec()
    } else {
        among(&store.standing(&record::words_of(name))?)
    };
    for at in standing {
        if let Some((path, &number)) = roll.path(at).zip(roll.contents.get(at)) {
            found.entry(number).or_default().push(path);
        }
    }
    let (word, width) = (word_of(name), width(repo.hash_kind()));
    let (mut proven, mut unproven) = (Vec::new(), BTreeMap::new());
    // In the order in which they were put in, which is the order on the disk; not all at once, because they may be all there is.
    for some in found.into_iter().collect::<Vec<_>>().chunks(MOST_AT_ONCE) {
        let told = some
            .iter()
            .map(|(number, paths)| Ok((store.told(*number)?, paths)));
        let told: Vec<(Vec<u8>, &Vec<RepoPath>)> = told.collect::<Result<_, Trouble>>()?;
        let known = told.par_iter().flat_map_iter(|(told, paths)| {
            paths
                .iter()
                .map(move |path| match ContentSegments::read(told, path, width) {
                    Some(ContentSegments::Segments(known)) => Ok((path, answering(known, name))),
                    Some(ContentSegments::Scaffolded | ContentSegments::Excessive(_)) => {
                        Ok((path, Vec::new()))
                    }
                    None => Err(Trouble::Broken),
                })
        });
        for (path, known) in known.collect::<Result<Vec<_>, Trouble>>()? {
            // Numbered, because segments that begin together keep the order that they have in the file.
            for (order, IndexedSegment { called, is_literal }) in known.into_iter().enumerate() {
                if is_literal && !is_pattern(name) && word_of(&called.segment.name) == word {
                    proven.push((path.clone(), order, called.segment));
                } else {
                    let of_file = unproven.entry(path.clone()).or_insert_with(Vec::new);
                    of_file.push((path.clone(), order, called.segment));
                }
            }
        }
    }
    proven.extend(having(repo, source, unproven, word)?);
    proven.sort_unstable_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
    hits.segments
        .extend(proven.into_iter().map(|(_, _, segment)| segment));
    Ok(hits)
}

/// Returns the names of all segments in the `chosen` files of the roll.
pub(super) fn names(
    repo: &Repo,
    store: &IndexDatabase,
    work: &Work<'_>,
    chosen: &[usize],
) -> Result<BTreeSet<String>, Halt> {
    let roll = work.roll();
    let mut names = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for &at in chosen {
        let Some((path, &number)) = roll.path(at).zip(roll.contents.get(at)) else {
            continue;
        };
        if !seen.insert(number) {
            continue;
        }
        match ContentSegments::read(&store.told(number)?, &path, width(repo.hash_kind())) {
            Some(ContentSegments::Segments(known)) => {
                names.extend(known.into_iter().map(|known| known.called.segment.name))
            }
            Some(ContentSegments::Scaffolded | ContentSegments::Excessive(_)) => {}
            None => return Err(Trouble::Broken.into()),
        }
    }
    Ok(names)
}

/// Returns those that go by `name`.
fn answering(mut known: Vec<IndexedSegment>, name: &str) -> Vec<IndexedSegment> {
    known.retain(|known| known.called.names().answer_to(name));
    known
}

/// A segment with its file and its place among those of the file.
type Placed = (RepoPath, usize, Segment);

/// Returns the segments of those files in which `word` stands as it is written: a file without it is not looked into by whoever
/// has no index either.
fn having(
    repo: &Repo,
    source: &ReadSource,
    unproven: BTreeMap<RepoPath, Vec<Placed>>,
    word: &str,
) -> Result<Vec<Placed>, Diagnostic> {
    let (paths, segments): (Vec<RepoPath>, Vec<Vec<Placed>>) = unproven.into_iter().unzip();
    let found = Mutex::new(Vec::new());
    repo.each_lazy_file(source, &paths, |at, file| {
        if memchr::memmem::find(&file.bytes()?, word.as_bytes()).is_some()
            && let Ok(mut found) = found.lock()
        {
            found.extend(segments.get(at).into_iter().flatten().cloned());
        }
        Ok(())
    })?;
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}
