//! What is known of one content, as bytes: its segments without the path, or that other files have a say in them.
//!
//! Nothing in it is trusted when it is read: bytes that make no sense give `None`, and who asked begins anew.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::bytes::{Reader, Writer};
use crate::path::RepoPath;
use crate::resolve::called::word_of;
use crate::resolve::{Called, CalledKind, Segment};
use crate::syntax::{Excess, SegmentKind};
use crate::text::Digest;
use crate::text::ascii::to_hexadecimal;

/// What a content tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ContentSegments {
    /// Its segments, in file order.
    Segments(Vec<IndexedSegment>),
    /// It names a template, which has a say in what its blocks are.
    Scaffolded,
    /// It has segments that are not told.
    Excessive(Excess),
}

/// A segment, and whether its own name stands in the file as it is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexedSegment {
    pub(super) called: Called,
    pub(super) is_literal: bool,
}

/// How far behind the beginning of a segment its name is looked for.
const NEAR: usize = 4096;

const SEGMENTS: u8 = 1;

const SCAFFOLDED: u8 = 2;

const EXCESSIVE: u8 = 3;

/// What a byte ahead of each segment says.
const IS_OTHER: u8 = 1;

const IS_BLOCK: u8 = 2;

const IS_PLAIN: u8 = 4;

const IS_LITERAL: u8 = 8;

/// The qualified name is that of the segment around, a dot, and its own name; without one around only the last.
const IS_BELOW: u8 = 16;

const ADDRESS_IS_QUALIFIED: u8 = 32;

const HAS_SIGNATURE: u8 = 64;

/// How the segment around is told.
const NO_PARENT: usize = 0;

const PARENT_IS_TEXT: usize = 1;

const PARENT_IS_EARLIER: usize = 2;

impl IndexedSegment {
    /// Returns what is known of a segment of `bytes`.
    pub(super) fn of(called: Called, bytes: &[u8]) -> IndexedSegment {
        let start = called.segment.start_byte.min(bytes.len());
        let near = bytes
            .get(start..bytes.len().min(start.saturating_add(NEAR)))
            .unwrap_or_default();
        let is_literal =
            memchr::memmem::find(near, word_of(&called.segment.name).as_bytes()).is_some();
        IndexedSegment { called, is_literal }
    }
}

impl ContentSegments {
    /// Returns the digests of all words under which it can be asked for.
    pub(super) fn words(&self) -> BTreeSet<u64> {
        let mut words = BTreeSet::new();
        match self {
            ContentSegments::Scaffolded => drop(words.insert(scaffolded())),
            ContentSegments::Excessive(_) => drop(words.insert(excessive())),
            ContentSegments::Segments(segments) => {
                for IndexedSegment { called, .. } in segments {
                    words.insert(word(&called.segment.name));
                    if called.sort != CalledKind::Block {
                        words.insert(word(&called.qualified));
                        words.insert(word(&called.address));
                    }
                    if called.sort == CalledKind::Code {
                        let ends = ends(&called.qualified);
                        words.extend(ends.match_indices('.').map(|(at, _)| word(&ends[at + 1..])));
                    }
                }
            }
        }
        words
    }

    /// Returns it as bytes.
    pub(super) fn written(&self) -> Vec<u8> {
        let mut to = Writer::default();
        match self {
            ContentSegments::Scaffolded => to.byte(SCAFFOLDED),
            ContentSegments::Excessive(excess) => {
                to.byte(EXCESSIVE);
                to.number(
                    Excess::ALL
                        .iter()
                        .position(|known| known == excess)
                        .unwrap_or(0),
                );
            }
            ContentSegments::Segments(segments) => {
                to.byte(SEGMENTS);
                to.number(segments.len());
                let mut before = Before::default();
                for known in segments {
                    write(&mut to, known, &mut before);
                }
            }
        }
        to.finish()
    }

    /// Returns what `bytes` say of the file at `path`, hashes `width` hexadecimal digits wide.
    pub(super) fn read(bytes: &[u8], path: &RepoPath, width: usize) -> Option<ContentSegments> {
        let mut from = Reader::of(bytes);
        match from.byte()? {
            SCAFFOLDED if from.is_empty() => Some(ContentSegments::Scaffolded),
            EXCESSIVE => {
                let excess = *Excess::ALL.get(from.number()?)?;
                from.is_empty()
                    .then_some(ContentSegments::Excessive(excess))
            }
            SEGMENTS => {
                let mut segments: Vec<IndexedSegment> = Vec::new();
                for _ in 0..from.number()? {
                    segments.push(read(&mut from, &segments, path, width)?);
                }
                from.is_empty()
                    .then_some(ContentSegments::Segments(segments))
            }
            _ => None,
        }
    }
}

/// Returns the digests of the words under which everything stands that may answer to `asked`.
pub(super) fn words_of(asked: &str) -> BTreeSet<u64> {
    let asked = asked.trim_start_matches("*.").trim();
    let block = asked.strip_prefix("block:").unwrap_or(asked);
    BTreeSet::from([word(asked), word(block)])
}

/// Returns the word under which everything stands that names a template. No name of a segment holds a NUL.
pub(super) fn scaffolded() -> u64 {
    Digest::of(b"\0template")
}

/// Returns the word under which everything stands whose segments are not told.
pub(super) fn excessive() -> u64 {
    Digest::of(b"\0excess")
}

fn word(name: &str) -> u64 {
    Digest::of(ends(name).as_bytes())
}

/// Returns the last components of a name: all, unless somebody nests a thousand definitions, whose names with all their ends would
/// be more than anybody can keep.
fn ends(name: &str) -> &str {
    const MOST: usize = 16;
    name.rmatch_indices('.')
        .nth(MOST - 1)
        .map_or(name, |(at, _)| &name[at + 1..])
}

/// What was written already, for what repeats it.
#[derive(Default)]
struct Before {
    line: usize,
    byte: usize,
    /// The number to write for a segment around that goes by this.
    parents: HashMap<String, usize>,
    count: usize,
}

fn write(to: &mut Writer, known: &IndexedSegment, before: &mut Before) {
    let Called {
        segment,
        qualified,
        address,
        sort,
        is_plain,
    } = &known.called;
    let is_below = *qualified == below(segment.parent.as_deref(), &segment.name);
    let same = qualified == address;
    let flag = |is: bool, flag: u8| if is { flag } else { 0 };
    to.byte(
        flag(*sort == CalledKind::Other, IS_OTHER)
            | flag(*sort == CalledKind::Block, IS_BLOCK)
            | flag(*is_plain, IS_PLAIN)
            | flag(known.is_literal, IS_LITERAL)
            | flag(is_below, IS_BELOW)
            | flag(same, ADDRESS_IS_QUALIFIED)
            | flag(segment.signature.is_some(), HAS_SIGNATURE),
    );
    let kind = SegmentKind::ALL
        .iter()
        .position(|kind| kind.as_str() == segment.kind);
    to.number(kind.map_or(0, |kind| kind + 1));
    if kind.is_none() {
        to.bytes(segment.kind.as_bytes());
    }
    match segment
        .parent
        .as_ref()
        .map(|parent| (parent, before.parents.get(parent)))
    {
        None => to.number(NO_PARENT),
        Some((_, Some(number))) => to.number(*number),
        Some((parent, None)) => {
            to.number(PARENT_IS_TEXT);
            to.bytes(parent.as_bytes());
        }
    }
    to.bytes(segment.name.as_bytes());
    if !is_below {
        to.bytes(qualified.as_bytes());
    }
    if !same {
        to.bytes(address.as_bytes());
    }
    // Wrapping, so that whatever the numbers are they come back.
    to.number(segment.start_line.wrapping_sub(before.line));
    to.number(segment.end_line.wrapping_sub(segment.start_line));
    to.number(segment.start_byte.wrapping_sub(before.byte));
    to.number(segment.end_byte.wrapping_sub(segment.start_byte));
    to.number(segment.indent);
    let digit = |at: usize| {
        segment
            .hash
            .as_bytes()
            .get(at)
            .and_then(|&digit| char::from(digit).to_digit(16))
    };
    for at in (0..segment.hash.len()).step_by(2) {
        let byte = digit(at).unwrap_or(0) << 4 | digit(at + 1).unwrap_or(0);
        to.byte(u8::try_from(byte).unwrap_or(0));
    }
    if let Some(signature) = &segment.signature {
        to.bytes(signature.as_bytes());
    }
    (before.line, before.byte) = (segment.start_line, segment.start_byte);
    before
        .parents
        .entry(qualified.clone())
        .or_insert(PARENT_IS_EARLIER + 2 * before.count);
    before
        .parents
        .entry(address.clone())
        .or_insert(PARENT_IS_EARLIER + 2 * before.count + 1);
    before.count += 1;
}

fn below(around: Option<&str>, name: &str) -> String {
    around.map_or_else(|| name.to_owned(), |around| format!("{around}.{name}"))
}

fn read(
    from: &mut Reader<'_>,
    before: &[IndexedSegment],
    path: &RepoPath,
    width: usize,
) -> Option<IndexedSegment> {
    let flags = from.byte()?;
    let has = |flag: u8| flags & flag != 0;
    let kind = match from.number()?.checked_sub(1) {
        None => Cow::Owned(from.text()?),
        Some(at) => Cow::Borrowed(SegmentKind::ALL.get(at)?.as_str()),
    };
    let parent = match from.number()? {
        NO_PARENT => None,
        PARENT_IS_TEXT => Some(from.text()?),
        earlier => {
            let number = earlier - PARENT_IS_EARLIER;
            let around = &before.get(number / 2)?.called;
            Some(if number.is_multiple_of(2) {
                around.qualified.clone()
            } else {
                around.address.clone()
            })
        }
    };
    let name = from.text()?;
    let qualified = if has(IS_BELOW) {
        below(parent.as_deref(), &name)
    } else {
        from.text()?
    };
    let address = if has(ADDRESS_IS_QUALIFIED) {
        qualified.clone()
    } else {
        from.text()?
    };
    let last = before.last().map(|known| &known.called.segment);
    let start_line = from
        .number()?
        .wrapping_add(last.map_or(0, |last| last.start_line));
    let end_line = from.number()?.wrapping_add(start_line);
    let start_byte = from
        .number()?
        .wrapping_add(last.map_or(0, |last| last.start_byte));
    let end_byte = from.number()?.wrapping_add(start_byte);
    let indent = from.number()?;
    let hash = to_hexadecimal(from.take(width / 2)?);
    let signature = if has(HAS_SIGNATURE) {
        Some(from.text()?)
    } else {
        None
    };
    let sort = match (has(IS_OTHER), has(IS_BLOCK)) {
        (false, false) => CalledKind::Code,
        (true, false) => CalledKind::Other,
        (false, true) => CalledKind::Block,
        (true, true) => return None,
    };
    let segment = Segment {
        address: format!("{path}::{address}"),
        path_length: path.as_str().len(),
        name,
        kind,
        start_line,
        end_line,
        start_byte,
        end_byte,
        indent,
        hash,
        signature,
        parent,
    };
    let called = Called {
        segment,
        qualified,
        address,
        sort,
        is_plain: has(IS_PLAIN),
    };
    Some(IndexedSegment {
        called,
        is_literal: has(IS_LITERAL),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::{Document, Reading, called};
    use crate::snapshot::HashKind;

    fn known(path: &str, text: &str, hash: HashKind) -> (RepoPath, Vec<IndexedSegment>) {
        let path = RepoPath::parse(path).unwrap();
        let document = Document::new(path.clone(), text.as_bytes().into(), hash);
        let called = called::all(&Reading::of(&document));
        (
            path,
            called
                .into_iter()
                .map(|called| IndexedSegment::of(called, text.as_bytes()))
                .collect(),
        )
    }

    /// Definitions within definitions, more than names are kept whole for.
    fn deep() -> String {
        (0..40)
            .map(|depth| format!("{}class C{}:\n", " ".repeat(depth), depth % 9))
            .collect::<String>()
            + &" ".repeat(40)
            + "x = 1\n"
    }

    const FILES: [(&str, &str); 8] = [
        (
            "a.py",
            "class A:\n    @x\n    def f(self): # ä\n        def g(): ...\n\ndef f(): ...\ndef f(): ...\nX = 1\n",
        ),
        (
            "b::c.md",
            "# Guide\n\n## Use &amp; more\n\n## Use\n\n# Guide\n\n## Use\n",
        ),
        (
            "c.json",
            "{\"a.b\": {\"c\": [1, {\"d\": 2}]}, \"e\": 1, \"e\": 2}",
        ),
        (
            "d.html",
            "<nav id=n><a id='x'>y</a></nav><h1>Tide</h1><script>function f() {}</script>",
        ),
        (
            "e.jinja",
            "{% block a %}\n{% block b %}{% endblock %}\n{% endblock %}\n{% block a %}{% endblock %}",
        ),
        (
            "f.rs",
            "// region one\nimpl A { fn f(&self) {} }\n// endregion\nimpl B { fn f(&self) {} }\n",
        ),
        ("g.txt", "# region x\ny\n# endregion\n"),
        ("h.py", ""),
    ];

    #[test]
    fn what_is_known_comes_back_as_it_was() {
        let deep = deep();
        for hash in [HashKind::Sha1, HashKind::Sha256] {
            for (path, text) in FILES.into_iter().chain([("deep.py", deep.as_str())]) {
                let (path, segments) = known(path, text, hash);
                assert_eq!(segments.is_empty(), text.is_empty(), "{path}");
                let width = if hash == HashKind::Sha1 { 40 } else { 64 };
                let told = ContentSegments::Segments(segments);
                assert_eq!(
                    ContentSegments::read(&told.written(), &path, width),
                    Some(told),
                    "{path}"
                );
            }
        }
        let path = RepoPath::parse("a").unwrap();
        assert_eq!(
            ContentSegments::read(&ContentSegments::Scaffolded.written(), &path, 40),
            Some(ContentSegments::Scaffolded)
        );
    }

    #[test]
    fn bytes_that_were_cut_or_changed_are_never_worse_than_wrong() {
        for (path, text) in FILES {
            let (path, segments) = known(path, text, HashKind::Sha1);
            let bytes = ContentSegments::Segments(segments).written();
            for at in 0..bytes.len() {
                assert_eq!(ContentSegments::read(&bytes[..at], &path, 40), None);
                for flip in [1, 0x40, 0x80, 0xff] {
                    let mut bytes = bytes.clone();
                    bytes[at] ^= flip;
                    let _ = ContentSegments::read(&bytes, &path, 40);
                }
            }
        }
    }

    #[test]
    fn whatever_answers_to_a_name_stands_under_its_words() {
        let deep = deep();
        for (path, text) in FILES.into_iter().chain([("deep.py", deep.as_str())]) {
            let (_, segments) = known(path, text, HashKind::Sha1);
            let every = |known: &IndexedSegment| {
                let Called {
                    segment,
                    qualified,
                    address,
                    ..
                } = &known.called;
                [
                    segment.name.clone(),
                    qualified.clone(),
                    address.clone(),
                    format!("block:{}", segment.name),
                ]
            };
            let mut asked: Vec<String> = segments.iter().flat_map(every).collect();
            asked.extend(asked.clone().iter().map(|name| format!("*.{name} ")));
            for name in asked.clone() {
                asked.extend(
                    name.match_indices('.')
                        .map(|(at, _)| name[at + 1..].to_owned()),
                );
            }
            for asked in asked {
                let words = words_of(&asked);
                for known in segments
                    .iter()
                    .filter(|known| known.called.names().answer_to(&asked))
                {
                    let own = ContentSegments::Segments(vec![known.clone()]).words();
                    assert!(!own.is_disjoint(&words), "{asked:?} {known:?}");
                }
            }
        }
    }
}
