//! Links to what is in a section that moves, those that are in it, and those to headings whose anchors get other numbers by that.

use std::collections::{BTreeMap, HashMap};

use super::moved::Moving;
use crate::path::RepoPath;
use crate::plan::edit::EditKind;
use crate::plan::page_links::{is_page, leads_to, link_target};
use crate::references::{Reference, References};
use crate::snapshot::Snapshot;
use crate::syntax::markdown::anchors::{WrittenLink, decoded, headings, ids, links};
use crate::text::splice::Splice;
use crate::text::{Lines, Span};

/// The pages that a section leaves and goes to, now and then.
pub(super) struct MovedPages<'p> {
    /// The page that it leaves.
    pub(super) old: &'p [u8],
    /// The section there.
    pub(super) span: Span,
    /// The page that it goes to, if that is another one.
    pub(super) new: Option<&'p [u8]>,
    /// Where it goes in the page that it goes to, as that is now.
    pub(super) at: usize,
    /// The page that it leaves, without it; the page that it goes to, with it, where that is the same one.
    pub(super) old_then: &'p [u8],
    /// The page that it goes to, with it, if that is another one.
    pub(super) new_then: Option<&'p [u8]>,
}

/// What the anchors of both pages lead to then.
pub(super) struct Anchors {
    /// By its anchor, each heading of the page that the section leaves: whether it moves, and its anchor then.
    old: HashMap<String, (bool, String)>,
    /// By its anchor, each heading of the other page: its anchor then.
    new: HashMap<String, String>,
}

impl Anchors {
    /// Returns those of both pages; `None` where a line would be a heading in one place and none in the other.
    pub(super) fn of(pages: &MovedPages<'_>) -> Option<Anchors> {
        let now = headings(pages.old);
        let is_moved = |at: Span| pages.span.contains(at);
        let moved: Vec<usize> = (0..now.len())
            .filter(|at| is_moved(now[*at].span))
            .collect();
        let stays = (0..now.len()).filter(|at| !is_moved(now[*at].span));
        let mut stays: Vec<usize> = stays.collect();
        let then = headings(pages.old_then);
        let mut anchors = Anchors {
            old: HashMap::new(),
            new: HashMap::new(),
        };
        if let (Some(new), Some(new_then)) = (pages.new, pages.new_then) {
            let (there, there_then) = (headings(new), headings(new_then));
            let ahead = there
                .iter()
                .take_while(|it| it.span.start < pages.at)
                .count();
            let are_all = there_then.len() == there.len() + moved.len();
            if !are_all || then.len() != stays.len() {
                return None;
            }
            let mut come = there_then.into_iter().map(|it| it.anchor);
            for heading in &there[..ahead] {
                anchors.new.insert(heading.anchor.clone(), come.next()?);
            }
            for at in moved {
                let anchor = (true, come.next()?);
                anchors.old.insert(now[at].anchor.clone(), anchor);
            }
            for heading in &there[ahead..] {
                anchors.new.insert(heading.anchor.clone(), come.next()?);
            }
        } else {
            let ahead = stays
                .iter()
                .take_while(|at| now[**at].span.start < pages.at);
            let ahead = ahead.count();
            stays.splice(ahead..ahead, moved);
            if then.len() != stays.len() {
                return None;
            }
        }
        for (at, then) in stays.into_iter().zip(then) {
            let anchor = (false, then.anchor);
            anchors.old.insert(now[at].anchor.clone(), anchor);
        }
        for id in ids(pages.span.of(pages.old)) {
            let id = String::from_utf8_lossy(id).into_owned();
            let moves = (pages.new.is_some(), id.clone());
            anchors.old.entry(id).or_insert(moves);
        }
        Some(anchors)
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
    let own = [moving.path, to].into_iter().filter_map(|path| {
        let file = snapshot.file(path)?;
        Some((path, &file.bytes))
    });
    let own: BTreeMap<&RepoPath, _> = own.collect();
    let others = snapshot.project.files.iter();
    let others = others.filter(|(path, _)| !own.contains_key(path) && is_page(path));
    for (path, bytes) in own
        .iter()
        .map(|(path, bytes)| (*path, *bytes))
        .chain(others)
    {
        let mut lines: Option<Lines> = None;
        for link in links(bytes) {
            let is_inside = path == moving.path && span.contains(link.span);
            let from = if is_inside { to } else { path };
            let Some(then) = link_then(moving, anchors, path, from, &link) else {
                continue;
            };
            let ends = [
                (link.span.start, link.path.as_str(), then.path),
                (
                    link.span.end - link.anchor.as_ref().map_or(0, String::len),
                    link.anchor.as_deref().unwrap_or_default(),
                    then.anchor,
                ),
            ];
            let mut is_changed = false;
            for (start, now, then) in ends {
                let Some(then) = then.filter(|then| then != now) else {
                    continue;
                };
                is_changed = true;
                let place = Span::new(start, start + now.len());
                if is_inside {
                    let place = Span::new(place.start - span.start, place.end - span.start);
                    found.inside.push(Splice::new(place, then));
                } else {
                    let edits = found.files.entry(path.clone()).or_default();
                    edits.push(EditKind::replace(place, then));
                }
            }
            if !is_inside && (is_changed || then.moves) {
                let lines = lines.get_or_insert_with(|| Lines::of(bytes));
                let mut place = Reference::at(path, bytes, lines, link.span, Ok(()));
                place.is_changed = is_changed;
                found.references.places.push(place);
            }
        }
    }
    let places = &mut found.references.places;
    places.sort_by(|one, other| (&one.path, one.span).cmp(&(&other.path, other.span)));
    found
}

/// What a link says then.
struct LinkThen {
    /// The path, where that changes.
    path: Option<String>,
    /// The anchor, where that changes.
    anchor: Option<String>,
    /// Whether it leads to what moves.
    moves: bool,
}

/// Returns what a link of the page at `path` says then, which is of the page at `from` then; `None` where it says the same.
fn link_then(
    moving: &Moving<'_>,
    anchors: &Anchors,
    path: &RepoPath,
    from: &RepoPath,
    link: &WrittenLink,
) -> Option<LinkThen> {
    let target = link_target(path, link)?;
    let to = moving.to_path();
    let anchor = link.anchor.as_deref().map(decoded);
    let anchor = anchor.as_deref().unwrap_or_default();
    let (mut target_then, mut anchor_then, mut moves) = (target.clone(), None, false);
    if leads_to(path, link, moving.path) {
        if let Some((is_moved, then)) = anchors.old.get(anchor) {
            anchor_then = Some(then.clone()).filter(|then| then != anchor);
            moves = *is_moved;
            if moves {
                target_then = to.to_string();
            }
        }
    } else if leads_to(path, link, to) {
        let then = anchors.new.get(anchor);
        anchor_then = then.cloned().filter(|then| then != anchor);
    }
    // A path from the root is the same wherever the page is.
    let leads_alike = from == path || link.path.starts_with('/');
    let path_then = match leads_alike && target_then == target {
        true => None,
        false if target_then == from.as_str() && link.anchor.is_some() => Some(String::new()),
        // Its folder stands for the page that the section went to.
        false if !moves && leads_to(path, link, from) && link.anchor.is_some() => {
            Some(String::new())
        }
        false => {
            let slash = if link.path.ends_with('/') && !moves {
                "/"
            } else {
                ""
            };
            Some(between(from, &target_then) + slash)
        }
    };
    let is_same = path_then.is_none() && anchor_then.is_none() && !moves;
    (!is_same).then_some(LinkThen {
        path: path_then,
        anchor: anchor_then,
        moves,
    })
}

fn written(moving: &Moving<'_>) -> String {
    crate::resolve::refusal::words(moving.selector)
}

/// Returns how the page at `from` links to the file at `to`.
fn between(from: &RepoPath, to: &str) -> String {
    let from: Vec<&str> = from.as_str().split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let (folders, ahead) = (&from[..from.len() - 1], &to[..to.len() - 1]);
    let shared = folders
        .iter()
        .zip(ahead)
        .take_while(|(one, other)| one == other)
        .count();
    let up = vec![".."; folders.len() - shared];
    let parts: Vec<&str> = up.into_iter().chain(to[shared..].iter().copied()).collect();
    parts.join("/").replace(' ', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_link_to_each_other_by_folders() {
        #[track_caller]
        fn check(from: &str, to: &str, expected: &str) {
            let (from, to) = (RepoPath::parse(from).unwrap(), RepoPath::parse(to).unwrap());
            let link = between(&from, to.as_str());
            assert_eq!(link, expected);
            let written = WrittenLink {
                path: link,
                anchor: None,
                span: Span::at(0),
            };
            assert_eq!(link_target(&from, &written), Some(to.to_string()));
        }
        check("a.md", "b.md", "b.md");
        check("docs/a.md", "docs/b.md", "b.md");
        check("docs/a.md", "README.md", "../README.md");
        check("README.md", "docs/a.md", "docs/a.md");
        check("a/b/c.md", "a/d/e.md", "../d/e.md");
        check("a/b/c.md", "a/my guide.md", "../my%20guide.md");
    }
}
