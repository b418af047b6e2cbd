//! Events → text, line breaks and tags. Tags whose places are no borders between lines become values or holes.

use super::{Line, SkeletonWeight};
use crate::syntax::jinja::RenderEvent;

/// A part of what is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// Text within a line.
    Text(Vec<u8>),
    /// The line ends.
    Newline,
    /// Something within a line.
    Value,
    /// Any lines, these among others.
    Unknown(Vec<Line>),
    /// A tag that belongs to the group of that number.
    Tag(usize, Tag),
}

/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// The block of this number begins.
    Open(usize),
    /// The block of this number ends.
    Close(usize),
    /// A choice begins.
    Fork,
    /// Its next branch.
    Or,
    /// It ends.
    Join,
    /// What repeats begins.
    Loop,
    /// It ends.
    EndLoop,
}

impl Tag {
    fn ends(self) -> bool {
        match self {
            Tag::Close(_) | Tag::Join | Tag::EndLoop => true,
            Tag::Open(_) | Tag::Fork | Tag::Or | Tag::Loop => false,
        }
    }
}

/// Returns what `events` come to, and the names of the blocks.
pub(super) fn atoms(events: &[RenderEvent]) -> (Vec<Atom>, Vec<String>) {
    let (mut atoms, mut blocks) = (Vec::new(), Vec::new());
    let (mut groups, mut open): (usize, Vec<(usize, usize)>) = (0, Vec::new());
    for event in events {
        let tag = match event {
            RenderEvent::Text(text) => {
                atoms.extend(text_atoms(text));
                continue;
            }
            RenderEvent::Value => {
                atoms.push(Atom::Value);
                continue;
            }
            RenderEvent::Unknown(source) => {
                atoms.push(Atom::Unknown(literal_lines(source)));
                continue;
            }
            RenderEvent::Open(name) => {
                blocks.push(name.clone());
                Tag::Open(blocks.len() - 1)
            }
            RenderEvent::Close => Tag::Close(open.last().map_or(0, |(_, block)| *block)),
            RenderEvent::Fork => Tag::Fork,
            RenderEvent::Or => Tag::Or,
            RenderEvent::Join => Tag::Join,
            RenderEvent::Loop => Tag::Loop,
            RenderEvent::EndLoop => Tag::EndLoop,
        };
        match tag {
            Tag::Open(_) | Tag::Fork | Tag::Loop => {
                atoms.push(Atom::Tag(groups, tag));
                open.push((groups, blocks.len().saturating_sub(1)));
                groups += 1;
            }
            Tag::Or => atoms.extend(open.last().map(|(group, _)| Atom::Tag(*group, tag))),
            Tag::Close(_) | Tag::Join | Tag::EndLoop => {
                atoms.extend(open.pop().map(|(group, _)| Atom::Tag(group, tag)));
            }
        }
    }
    (without_inline(atoms, groups), blocks)
}

fn text_atoms(text: &[u8]) -> impl Iterator<Item = Atom> {
    let lines = text.split(|&byte| byte == b'\n').enumerate();
    lines.flat_map(|(at, line)| {
        let newline = (at > 0).then_some(Atom::Newline);
        newline
            .into_iter()
            .chain((!line.is_empty()).then(|| Atom::Text(line.to_vec())))
    })
}

/// Returns the lines of what cannot be read any further.
fn literal_lines(source: &[u8]) -> Vec<Line> {
    let lines = source
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty());
    lines.map(|line| hidden(vec![line.to_vec()])).collect()
}

fn hidden(pieces: Vec<Vec<u8>>) -> Line {
    Line {
        depth: None,
        pieces,
        weight: SkeletonWeight::Optional,
        doubtful: false,
    }
}

/// Puts a value, or something unknown where there are several lines, in the place of each loop and of each group whose tags are
/// no borders between lines.
fn without_inline(atoms: Vec<Atom>, groups: usize) -> Vec<Atom> {
    let mut between_lines = vec![true; groups];
    let ahead = blank_ahead(atoms.iter());
    let mut behind = blank_ahead(atoms.iter().rev());
    behind.reverse();
    for (atom, (ahead, behind)) in atoms.iter().zip(ahead.into_iter().zip(behind)) {
        if let Atom::Tag(group, tag) = atom
            && let Some(flag) = between_lines.get_mut(*group)
        {
            *flag &= (ahead || behind) && *tag != Tag::Loop;
        }
    }
    let mut kept = Vec::new();
    let mut inside: Option<(usize, Vec<Atom>)> = None;
    let mut behind_tag = false;
    for atom in atoms {
        // A line break right behind a tag may be dropped: the next line then goes on behind what the tag ends.
        if inside.is_none() && std::mem::take(&mut behind_tag) && atom == Atom::Newline {
            kept.push(Atom::Tag(groups, Tag::EndLoop));
        }
        match (&mut inside, &atom) {
            (None, Atom::Tag(group, _)) if between_lines.get(*group) == Some(&false) => {
                inside = Some((*group, Vec::new()));
            }
            (None, _) => kept.push(atom),
            (Some((group, held)), Atom::Tag(closed, tag)) if group == closed && tag.ends() => {
                kept.push(as_one(held));
                (inside, behind_tag) = (None, true);
            }
            (Some((_, held)), _) => held.push(atom),
        }
    }
    kept
}

/// Returns a value for what stays within a line, else the lines that there may be.
fn as_one(atoms: &[Atom]) -> Atom {
    let mut lines = Vec::new();
    let mut pieces = vec![Vec::new()];
    let mut several = false;
    for atom in atoms.iter().chain([&Atom::Newline]) {
        match atom {
            Atom::Text(text) => pieces
                .last_mut()
                .into_iter()
                .for_each(|last: &mut Vec<u8>| last.extend(text)),
            Atom::Value => pieces.push(Vec::new()),
            Atom::Newline | Atom::Tag(..) => {
                let line = hidden(trimmed(std::mem::replace(&mut pieces, vec![Vec::new()])));
                lines.extend(Some(line).filter(|line| line.substance() > 0));
            }
            Atom::Unknown(held) => lines.extend(held.iter().cloned()),
        }
    }
    for atom in atoms {
        several |= match atom {
            Atom::Newline | Atom::Unknown(_) => true,
            Atom::Text(_) | Atom::Value | Atom::Tag(..) => false,
        };
    }
    if several {
        Atom::Unknown(lines)
    } else {
        Atom::Value
    }
}

/// Returns the pieces of a line without the blanks at its ends.
pub(super) fn trimmed(mut pieces: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    if let Some(first) = pieces.first_mut() {
        *first = first.trim_ascii_start().to_vec();
    }
    if let Some(last) = pieces.last_mut() {
        *last = last.trim_ascii_end().to_vec();
    }
    pieces
}

/// Says of each atom whether nothing but blanks stands between it and the end of the line ahead of it.
fn blank_ahead<'a>(atoms: impl Iterator<Item = &'a Atom>) -> Vec<bool> {
    let mut blank = true;
    let mut told = Vec::new();
    for atom in atoms {
        told.push(blank);
        match atom {
            Atom::Newline => blank = true,
            Atom::Text(text) => blank &= text.trim_ascii().is_empty(),
            Atom::Value | Atom::Unknown(_) => blank = false,
            Atom::Tag(..) => {}
        }
    }
    told
}
