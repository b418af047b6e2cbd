//! What a chain of templates renders → lines, holes, and the ends of blocks between them.
//!
//! Blank lines are left out, because what becomes of them is up to settings that the template does not tell, and the
//! white space at the ends of lines with them. An end of a block that shares its line with text on both sides is no
//! border between lines: such a block is a part of its line.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::jinja::Event;
use crate::text::leading_blank;

/// A template as lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skeleton {
    /// In order.
    pub items: Vec<Item>,
    /// The lines.
    pub lines: Vec<Line>,
    /// For each gap, lines that it may hold among others, and the number of lines ahead of it.
    pub hidden: Vec<(Vec<Vec<u8>>, usize)>,
    /// The names of the blocks; `Item::Open` and `Item::Close` count in it.
    pub blocks: Vec<String>,
    /// The least of those in each block; `None` for a block without lines.
    pub least_depths: Vec<Option<usize>>,
}

/// A part of a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The line of this number.
    Line(usize),
    /// Any number of lines; the number is that of what they may be at least.
    Gap(usize),
    /// The block of this number begins.
    Open(usize),
    /// The block of this number ends.
    Close(usize),
}

/// A line with text on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// A tag stands on it as well, so that it may have become one with the line behind it or ahead of it.
    pub doubtful: bool,
    /// How many blanks it begins with.
    pub depth: usize,
    /// The pieces of text, never none: a value stands ahead of each but the first, an empty one at an end is a value there.
    pub pieces: Vec<Vec<u8>>,
}

impl Line {
    /// Says whether `text`, white space at its ends taken off, may be this line.
    pub fn fits(&self, text: &[u8]) -> bool {
        let [first, rest @ ..] = self.pieces.as_slice() else { return false };
        let Some((last, between)) = rest.split_last() else { return first == text };
        let Some(mut text) = text.strip_prefix(first.as_slice()).and_then(|text| text.strip_suffix(last.as_slice()))
        else {
            return false;
        };
        between.iter().all(|piece| {
            let found = memchr::memmem::find(text, piece);
            text = found.and_then(|at| text.get(at + piece.len()..)).unwrap_or_default();
            found.is_some()
        })
    }

    /// Returns the line when no value stands on it.
    pub fn literal(&self) -> Option<&[u8]> {
        if let [only] = self.pieces.as_slice() { Some(only) } else { None }
    }

    /// Says whether the line can be told without its neighbours.
    pub fn stands_alone(&self) -> bool {
        !self.doubtful && self.has_substance()
    }

    /// Says whether there is enough on it to be told from others.
    pub fn has_substance(&self) -> bool {
        self.substance() >= LEAST_ALONE
    }

    /// Returns how many letters and digits it has.
    fn substance(&self) -> usize {
        self.pieces.iter().map(|piece| substance(piece)).sum()
    }
}

/// Least letters and digits on a line that can be told without its neighbours: `}` and `pass` stand anywhere.
const LEAST_ALONE: usize = 6;

/// Returns how many letters and digits `text` has.
fn substance(text: &[u8]) -> usize {
    text.iter().filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).count()
}

/// Least letters and digits on a line with values: with fewer it would fit too much.
const LEAST_BESIDE_VALUES: usize = 4;

impl Skeleton {
    /// Returns the name of each block, once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut seen = BTreeSet::new();
        self.blocks.iter().map(String::as_str).filter(move |name| seen.insert(*name))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Atom {
    Text(Vec<u8>),
    Newline,
    Value,
    Unknown(Vec<u8>),
    Open(usize),
    Close(usize),
}

/// Returns the skeleton of what `events` render.
pub fn skeleton(events: &[Event]) -> Skeleton {
    let (atoms, blocks) = atoms(events);
    let atoms = without_inline(atoms, blocks.len());
    let least_depths = vec![None; blocks.len()];
    let skeleton = Skeleton { blocks, least_depths, ..Skeleton::default() };
    let mut building = Building { skeleton, open: Vec::new(), pieces: vec![Vec::new()], gap: None, glued: false };
    for atom in atoms {
        match atom {
            Atom::Text(text) => {
                if let Some(last) = building.pieces.last_mut() {
                    last.extend(text);
                }
            }
            Atom::Value => building.pieces.push(Vec::new()),
            Atom::Unknown(source) => building.gap.get_or_insert_default().extend(source),
            Atom::Newline => {
                let glued = building.glued;
                building.glued = !building.end_line(false) && glued;
            }
            Atom::Open(block) => {
                building.glued |= building.end_line(true);
                building.skeleton.items.push(Item::Open(block));
                building.open.push(block);
            }
            Atom::Close(block) => {
                building.glued |= building.end_line(true);
                building.skeleton.items.push(Item::Close(block));
                building.open.pop();
            }
        }
    }
    let _ = building.end_line(false);
    building.skeleton
}

struct Building {
    skeleton: Skeleton,
    /// The blocks that are open.
    open: Vec<usize>,
    /// Of the line that is being read.
    pieces: Vec<Vec<u8>>,
    /// An end of a block stands behind text. Where rendering drops the line break behind a tag, as it may, the next line goes on
    /// behind that text, and one that begins with a value would swallow it.
    glued: bool,
    /// Something unknown stands on it.
    gap: Option<Vec<u8>>,
}

impl Building {
    /// Ends the line, at a tag or at its end. Says whether anything stands on it.
    fn end_line(&mut self, at_tag: bool) -> bool {
        let mut pieces = std::mem::replace(&mut self.pieces, vec![Vec::new()]);
        let gap = std::mem::take(&mut self.gap);
        let depth = pieces.first().map_or(0, |first| leading_blank(first).len());
        if let Some(first) = pieces.first_mut() {
            *first = first.trim_ascii_start().to_vec();
        }
        if let Some(last) = pieces.last_mut() {
            *last = last.trim_ascii_end().to_vec();
        }
        let line = Line { pieces, depth, doubtful: self.glued || at_tag };
        let ends = [line.pieces.first().filter(|_| self.glued), line.pieces.last().filter(|_| at_tag)];
        let has_values = line.pieces.len() > 1;
        let swallows = ends.into_iter().flatten().any(Vec::is_empty);
        let values_only = has_values && (swallows || line.substance() < LEAST_BESIDE_VALUES);
        if let Some(source) = gap.or(values_only.then(Vec::new)) {
            self.skeleton.items.push(Item::Gap(self.skeleton.hidden.len()));
            let lines = source.split(|&byte| byte == b'\n').map(|line| line.trim_ascii().to_vec());
            let lines = lines.filter(|line| !line.is_empty()).collect();
            self.skeleton.hidden.push((lines, self.skeleton.lines.len()));
            true
        } else if has_values || line.literal().is_some_and(|text| !text.is_empty()) {
            self.skeleton.items.push(Item::Line(self.skeleton.lines.len()));
            self.skeleton.lines.push(line);
            for block in &self.open {
                if let Some(least) = self.skeleton.least_depths.get_mut(*block) {
                    *least = Some(least.map_or(depth, |least| least.min(depth)));
                }
            }
            true
        } else {
            false
        }
    }
}

fn atoms(events: &[Event]) -> (Vec<Atom>, Vec<String>) {
    let (mut atoms, mut blocks, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Text(text) => {
                for (at, line) in text.split(|&byte| byte == b'\n').enumerate() {
                    if at > 0 {
                        atoms.push(Atom::Newline);
                    }
                    if !line.is_empty() {
                        atoms.push(Atom::Text(line.to_vec()));
                    }
                }
            }
            Event::Value => atoms.push(Atom::Value),
            Event::Unknown(source) => atoms.push(Atom::Unknown(source.clone())),
            Event::Open(name) => {
                open.push(blocks.len());
                atoms.push(Atom::Open(blocks.len()));
                blocks.push(name.clone());
            }
            Event::Close => atoms.extend(open.pop().map(Atom::Close)),
        }
    }
    (atoms, blocks)
}

/// Puts a value, or something unknown where there are several lines, in the place of each block whose ends are no borders
/// between lines.
fn without_inline(atoms: Vec<Atom>, blocks: usize) -> Vec<Atom> {
    let mut between_lines = vec![true; blocks];
    let ahead = blank_ahead(atoms.iter());
    let mut behind = blank_ahead(atoms.iter().rev());
    behind.reverse();
    for (atom, (ahead, behind)) in atoms.iter().zip(ahead.into_iter().zip(behind)) {
        if let Atom::Open(block) | Atom::Close(block) = atom
            && !(ahead || behind)
            && let Some(flag) = between_lines.get_mut(*block)
        {
            *flag = false;
        }
    }
    let mut kept = Vec::new();
    let mut inside: Option<(usize, bool)> = None;
    for atom in atoms {
        match (&mut inside, &atom) {
            (None, Atom::Open(block)) if between_lines.get(*block) == Some(&false) => inside = Some((*block, false)),
            (None, _) => kept.push(atom),
            (Some((block, several)), Atom::Close(closed)) if block == closed => {
                kept.push(if *several { Atom::Unknown(Vec::new()) } else { Atom::Value });
                inside = None;
            }
            (Some((_, several)), Atom::Newline | Atom::Unknown(_)) => *several = true,
            (Some(_), _) => {}
        }
    }
    kept
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
            Atom::Open(_) | Atom::Close(_) => {}
        }
    }
    told
}

/// How often each name stands among the blocks.
pub fn counts(skeleton: &Skeleton) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for name in &skeleton.blocks {
        *counts.entry(name.as_str()).or_insert(0) += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::jinja;

    fn told(source: &str) -> String {
        let events = jinja::rendered(&[jinja::template(source.as_bytes()).unwrap()]).unwrap();
        let skeleton = skeleton(&events);
        let word = |item: &Item| match item {
            Item::Line(at) => {
                let pieces: Vec<String> = skeleton.lines[*at]
                    .pieces
                    .iter()
                    .map(|piece| String::from_utf8_lossy(piece).into_owned())
                    .collect();
                pieces.join("_")
            }
            Item::Gap(_) => "?".to_owned(),
            Item::Open(block) => format!("<{}", skeleton.blocks[*block]),
            Item::Close(block) => format!("{}>", skeleton.blocks[*block]),
        };
        skeleton.items.iter().map(word).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn a_template_is_lines_and_ends_of_blocks() {
        let check = |source: &str, expected: &str| assert_eq!(told(source), expected, "{source:?}");
        check("a\n\n  b\n{% block c %}\n  d\n{% endblock %}\ne\n", "a | b | <c | d | c> | e");
        check("a\n{% block c %}d{% endblock %}\ne", "a | <c | d | c> | e");
        check("a\n{%- block c %}\nd\n{%- endblock %}\ne", "a | <c | d | c> | e");
        check("a\n{%- block c -%}\nd\n{%- endblock -%}\ne", "?");
        check("alpha {% block c %}d{% endblock %} omega", "alpha _ omega");
        check("class A({% block c %}B{% endblock %}):\n", "class A(_):");
        check("x = [{% block c %}\n1,\n{% endblock %}]\n", "x = [ | <c | 1, | c> | ]");
        check("x = {% block c %}[\n1]{% endblock %}, 2\n", "?");
        check("class {{ a }}(B):\n{{ c }}\n{{ d }} = 1\n", "class _(B): | ? | ?");
        check("a\n{% if b %}\nc\n{% endif %}\nd\n", "a | ? | d");
        check("def f({% if b %}c{% endif %}):\n", "def f(_):");
        check("a\n{% set b = 1 %}\n{# c #}\nd", "a | d");
        check("{% block a %}\n{% block b %}\n{% endblock %}\nc\n{% endblock %}", "<a | <b | b> | c | a>");
        check("a {% include 'b' %} c\nd", "? | d");
    }

    #[test]
    fn lines_fit_what_has_their_text() {
        let fits = |pieces: &[&str], text: &str| {
            let pieces = pieces.iter().map(|piece| piece.as_bytes().to_vec()).collect();
            Line { pieces, depth: 0, doubtful: false }.fits(text.as_bytes())
        };
        assert!(fits(&["a b"], "a b") && !fits(&["a b"], "a  b") && !fits(&["a b"], "a b c"));
        assert!(
            fits(&["class ", ":"], "class A:")
                && fits(&["class ", ":"], "class :")
                && !fits(&["class ", ":"], "class A")
        );
        assert!(fits(&["a", "b", "c"], "a1b2c") && !fits(&["a", "b", "c"], "a1c") && !fits(&["aa", "aa"], "aaa"));
        assert!(
            fits(&["", " = ", ""], "x = 1")
                && fits(&["a", "b", "b", "c"], "abbc")
                && !fits(&["a", "b", "b", "c"], "abc")
        );
    }
}
