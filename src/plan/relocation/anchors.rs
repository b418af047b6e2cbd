//! Links to what is in a section that moves, and those that are in it.
//!
//! A link is written anew where it surely leads to a heading of the section, or from the section to another page or part of its own.
//! Where several headings of a page make the same anchor, it is a mention.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::moved::Moving;
use crate::path::RepoPath;
use crate::plan::edit::EditKind;
use crate::plan::page_links::{is_page, link_target, reference};
use crate::references::{References, Verdict};
use crate::resolve::{Definition, Reading};
use crate::snapshot::Snapshot;
use crate::syntax::SegmentKind;
use crate::syntax::markdown::anchors::{anchor_of, links};
use crate::text::splice::Splice;
use crate::text::{Lines, Span};

/// The anchors of a page.
pub(super) struct Anchors {
    /// How many headings make each, and whether the first of them moves.
    counted: HashMap<String, (usize, bool)>,
    /// Those that the page has to which it goes.
    taken: HashSet<String>,
}

impl Anchors {
    /// Returns those of the page that the section at `span` leaves.
    pub(super) fn of(reading: &Reading<'_>, span: Span, there: &Reading<'_>) -> Anchors {
        let mut counted: HashMap<String, (usize, bool)> = HashMap::new();
        for named in reading.named() {
            if named.symbol.kind != SegmentKind::Section {
                continue;
            }
            let moves = span.contains(named.symbol.signature);
            let anchor = counted
                .entry(anchor_of(&named.symbol.name))
                .or_insert((0, moves));
            anchor.0 += 1;
        }
        let is_section = |named: &&Definition<'_>| named.symbol.kind == SegmentKind::Section;
        let taken = there.named().iter().filter(is_section);
        let taken = taken.map(|named| anchor_of(&named.symbol.name)).collect();
        Anchors { counted, taken }
    }

    /// Says whether an anchor is of the section that moves; `None` where that cannot be told, or the new page has the same.
    fn moves(&self, anchor: &str) -> Option<bool> {
        match self.counted.get(anchor) {
            Some((1, true)) if self.taken.contains(anchor) => None,
            Some((1, moves)) => Some(*moves),
            Some(_) => None,
            None => Some(false),
        }
    }
}

/// What becomes of links.
pub(super) struct Relinked {
    /// In the section, from its first byte on.
    pub(super) inside: Vec<Splice>,
    /// By file, outside of it.
    pub(super) files: BTreeMap<RepoPath, Vec<EditKind>>,
    /// Every link that leads to the section.
    pub(super) references: References,
}

/// Returns what becomes of links when the section at `span` moves.
pub(super) fn relinked(
    moving: &Moving<'_>,
    snapshot: &Snapshot,
    anchors: &Anchors,
    span: Span,
) -> Relinked {
    let mut found = Relinked {
        inside: Vec::new(),
        files: BTreeMap::new(),
        references: References {
            address: format!("{}::{}", moving.path, written(moving)),
            word: String::new(),
            places: Vec::new(),
            doubts: Vec::new(),
        },
    };
    let to = moving.to_path();
    if to == moving.path {
        return found;
    }
    let own = snapshot.file(moving.path).map(|file| &file.bytes);
    let others = snapshot
        .project
        .files
        .iter()
        .filter(|(path, _)| *path != moving.path && is_page(path));
    for (path, bytes) in own
        .map(|bytes| (moving.path, bytes))
        .into_iter()
        .chain(others)
    {
        let mut lines: Option<Lines> = None;
        for link in links(bytes) {
            let is_inside = path == moving.path && span.contains(link.span);
            let leads_to = link_target(path, &link);
            let new = match (is_inside, &link.anchor) {
                // From the section to what stays, or to itself.
                (true, Some(anchor)) if link.path.is_empty() => match anchors.moves(anchor) {
                    Some(false) => Some(between(to, moving.path)),
                    Some(true) | None => None,
                },
                (true, _) => leads_to.map(|there| match there == *to {
                    true if link.anchor.is_some() => String::new(),
                    _ => between(to, &there),
                }),
                // To the section from elsewhere.
                (false, Some(anchor)) if leads_to.as_ref() == Some(moving.path) => {
                    let verdict = match anchors.moves(anchor) {
                        Some(true) => Verdict::Certain,
                        Some(false) => continue,
                        None => Verdict::Mention,
                    };
                    let lines = lines.get_or_insert_with(|| Lines::of(bytes));
                    let verdict_or_reason = match verdict {
                        Verdict::Certain => Ok(()),
                        _ => Err("several headings make this anchor"),
                    };
                    let place = reference(path, bytes, lines, link.span, verdict_or_reason);
                    found.references.places.push(place);
                    let new = match path == to {
                        true => String::new(),
                        false => between(path, to),
                    };
                    (verdict == Verdict::Certain).then_some(new)
                }
                (false, _) => None,
            };
            let Some(new) = new.filter(|new| *new != link.path) else {
                continue;
            };
            let place = Span::new(link.span.start, link.span.start + link.path.len());
            if is_inside {
                let place = Span::new(place.start - span.start, place.end - span.start);
                found.inside.push(Splice::new(place, new));
            } else {
                let edits = found.files.entry(path.clone()).or_default();
                edits.push(EditKind::replace(place, new));
            }
        }
    }
    found
}

fn written(moving: &Moving<'_>) -> String {
    crate::resolve::refusal::words(moving.selector)
}

/// Returns how the page at `from` links to the file at `to`.
fn between(from: &RepoPath, to: &RepoPath) -> String {
    let from: Vec<&str> = from.as_str().split('/').collect();
    let to: Vec<&str> = to.as_str().split('/').collect();
    let (folders, ahead) = (&from[..from.len() - 1], &to[..to.len() - 1]);
    let shared = folders
        .iter()
        .zip(ahead)
        .take_while(|(one, other)| one == other)
        .count();
    let up = vec![".."; folders.len() - shared];
    let parts: Vec<&str> = up.into_iter().chain(to[shared..].iter().copied()).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::markdown::anchors::WrittenLink;

    #[test]
    fn pages_link_to_each_other_by_folders() {
        #[track_caller]
        fn check(from: &str, to: &str, expected: &str) {
            let (from, to) = (RepoPath::parse(from).unwrap(), RepoPath::parse(to).unwrap());
            let link = between(&from, &to);
            assert_eq!(link, expected);
            let written = WrittenLink {
                path: link,
                anchor: None,
                span: Span::at(0),
            };
            assert_eq!(link_target(&from, &written), Some(to));
        }
        check("a.md", "b.md", "b.md");
        check("docs/a.md", "docs/b.md", "b.md");
        check("docs/a.md", "README.md", "../README.md");
        check("README.md", "docs/a.md", "docs/a.md");
        check("a/b/c.md", "a/d/e.md", "../d/e.md");
    }
}
