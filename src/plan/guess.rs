//! Where a definition begins and ends in a file that does not parse: a guess, which its layout has to bear out.
//!
//! The parser repairs what it cannot read, and may let a function with an open bracket take its neighbours in, or end it early. What is
//! written as people lay out code shows that: all that is in a definition is deeper than its first line, and what comes after it is
//! not. A section of Markdown whose fence nothing closes is such a guess, too: all below counts as code.
//!
//! Known limit: layout is told by blanks and the beginnings of lines; of strings only those are passed by that are known to go on over
//! lines.

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::Operation;
use crate::resolve::{self, Definition, Document, Reading, is_code};
use crate::syntax::markdown::{enclosures, may_enclose};
use crate::syntax::tree::left_open;
use crate::syntax::{SegmentKind, Symbol};
use crate::text::{is_blank, leading_blank};

/// Refuses a definition of which nobody knows where it begins and ends.
pub(super) fn refuse_guess(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    operation: &Operation,
) -> Result<(), Diagnostic> {
    let document = reading.document;
    let (name, path) = (named.address(), &document.path);
    let refusal = if named.symbol.kind == SegmentKind::Section {
        left_open_in(document, named.symbol).map(|line| {
            let message =
                format!("`{name}` in {path} leaves open what begins at line {line}, so that it takes in all below");
            Diagnostic::new(Code::Unsupported, message)
                .note("close it first, by `text` or `lines`, in a batch of its own")
        })
    } else if is_code(named.symbol.kind)
        && !document.outline().sound
        && !document.errors().is_empty()
    {
        // What is around it may have taken it from a neighbour.
        let around = std::iter::successors(reading.parent(named), |named| reading.parent(named));
        let doubts = around.filter_map(|around| {
            let why = extent_doubt(document, around.symbol)?;
            Some(format!("is in {}, which {why}", around.address()))
        });
        let own = doubt_about(document, named.symbol);
        own.or_else(|| doubts.last()).map(|why| {
            let message = format!(
                "{path} does not parse, and {name} {why}: where it begins and ends is not certain"
            );
            Diagnostic::new(Code::Unsupported, message)
                .note("mend the file first, or edit it by `text` or `lines`")
        })
    } else {
        None
    };
    let word = || {
        operation
            .scoped()
            .map_or("symbol", |scoped| resolve::selector_word(&scoped.selector))
    };
    refusal.map_or(Ok(()), |refusal| Err(refusal.at(operation.place(word()))))
}

/// Returns the line at which a section opens a fence or a comment that nothing closes, if headings are below that.
fn left_open_in(document: &Document, section: &Symbol) -> Option<usize> {
    // A section begins where nothing is open, so that it can be read alone.
    let text = section.definition.of(&document.bytes);
    if !may_enclose(text) {
        return None;
    }
    let open = enclosures(text).into_iter().find(|it| it.close.is_none())?;
    let below = text.get(open.open.end..).unwrap_or_default();
    let is_heading = |line: &[u8]| {
        let signs = line.iter().take_while(|byte| **byte == b'#').count();
        (1..=6).contains(&signs) && line.get(signs) == Some(&b' ')
    };
    let has_headings = below.split(|&byte| byte == b'\n').any(is_heading);
    has_headings.then(|| {
        document
            .lines()
            .line(section.definition.start + open.open.start)
    })
}

/// Says what speaks against a definition.
fn doubt_about(document: &Document, symbol: &Symbol) -> Option<String> {
    let bytes = &document.bytes;
    let span = symbol.definition;
    let first = document.lines().line(span.start);
    if !document.has_lines_to_itself(symbol.whole()) {
        return Some(format!("shares line {first} with something else"));
    }
    let habits = &document.language?.habits;
    if !habits.offside && left_open(span.of(bytes)).contains(&b'{') {
        return Some("leaves a brace open".to_owned());
    }
    extent_doubt(document, symbol)
}

/// Says what in the layout speaks against the extent of a definition.
fn extent_doubt(document: &Document, symbol: &Symbol) -> Option<String> {
    let (lines, bytes) = (document.lines(), &document.bytes);
    let span = symbol.definition;
    let first = lines.line(span.start);
    let habits = &document.language?.habits;
    let last = lines.line(span.end.saturating_sub(1).max(span.start));
    let line = |number: usize| lines.content(bytes, number).of(bytes);
    let depth = leading_blank(line(first)).len();
    let (mut strings, mut has_body, mut has_ended) = (Strings::default(), false, false);
    strings.pass(line(first));
    for number in first + 1..=lines.count() {
        let text = line(number);
        let is_inside = strings.pass(text);
        let words = text.trim_ascii();
        let own = leading_blank(text).len();
        // A string that is left open ends where the next one begins.
        let opens = DEFINITIONS
            .iter()
            .any(|start| words.starts_with(start.as_bytes()));
        if is_inside && number <= last && own <= depth && opens {
            return Some(format!("seems to end before line {number}"));
        }
        if [&b"<<<<<<< "[..], b">>>>>>> "]
            .iter()
            .any(|mark| text.starts_with(mark))
            || text == b"======="
        {
            return Some(format!("is beside a mark of a conflict at line {number}"));
        }
        let is_comment = habits
            .line_comments
            .iter()
            .any(|mark| words.starts_with(mark.as_bytes()));
        if is_inside || is_blank(text) || is_comment {
            continue;
        }
        let closes = words.starts_with(b"}") || words.starts_with(b")") || words.starts_with(b"]");
        if number > last {
            let goes_on = own > depth || own == depth && closes && !has_ended && has_body;
            return goes_on.then(|| format!("seems to go on at line {number}"));
        }
        has_body |= own > depth;
        let is_of_header = !has_body
            && HEADERS
                .iter()
                .any(|start| words.starts_with(start.as_bytes()));
        if own < depth || own == depth && (has_ended || !(closes || is_of_header)) {
            return Some(format!("seems to end before line {number}"));
        }
        has_ended |= own == depth && words.starts_with(b"}");
    }
    None
}

/// How lines begin that open a definition, or end one.
const DEFINITIONS: &[&str] = &[
    "def ",
    "class ",
    "async ",
    "@",
    "}",
    "function ",
    "export ",
    "func ",
    "type ",
    "fn ",
    "pub ",
    "impl ",
    "public ",
    "private ",
    "protected ",
    "static ",
    "const ",
    "interface ",
];

/// How a line may begin that is as deep as the definition whose first lines it is one of.
const HEADERS: &[&str] = &[
    "{",
    "where",
    "->",
    "=>",
    "=",
    ":",
    "throws",
    "extends",
    "implements",
    "permits",
    "@",
    "#[",
];

/// Strings and comments that go on over lines.
#[derive(Default)]
struct Strings {
    open: Option<&'static [u8]>,
}

impl Strings {
    /// Passes a line, and says whether it begins inside of one.
    fn pass(&mut self, line: &[u8]) -> bool {
        const MARKS: [(&[u8], &[u8]); 4] = [
            (b"\"\"\"", b"\"\"\""),
            (b"'''", b"'''"),
            (b"`", b"`"),
            (b"/*", b"*/"),
        ];
        let was_open = self.open.is_some();
        let mut rest = line;
        loop {
            let next = match self.open {
                Some(close) => memchr::memmem::find(rest, close).map(|at| (at + close.len(), None)),
                None => {
                    let found = |(open, close): &(&'static [u8], &'static [u8])| {
                        memchr::memmem::find(rest, open).map(|at| (at + open.len(), Some(*close)))
                    };
                    MARKS.iter().filter_map(found).min_by_key(|(at, _)| *at)
                }
            };
            let Some((at, open)) = next else {
                return was_open;
            };
            (rest, self.open) = (&rest[at..], open);
        }
    }
}
