//! The caller's content made ready for its place: which lines it has, what it defines, how it is indented.

use std::borrow::Cow;

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::Indent;
use crate::resolve::{Definition, Document, Reading};
use crate::syntax::{Language, Outline, SegmentKind, Symbol};
use crate::text::indent::{self, IndentSyntax, LineRole, Problem, Start, Unit};
use crate::text::{LineEnding, Span, is_blank, leading_blank};

/// Where content will stand.
pub struct ContentPlace<'a> {
    /// The file.
    pub document: &'a Document,
    /// Offset of the first byte that it replaces or stands ahead of; its line tells the line ending.
    pub offset: usize,
    /// The blanks that its lines begin with.
    pub base: Vec<u8>,
    /// The file's step of indentation there.
    pub unit: Option<Unit>,
    /// The first line begins a line of the file, so that it is indented too.
    pub fresh_line: bool,
    /// What the segment around it is.
    pub parent: Option<SegmentKind>,
    /// What stands there now, if anything.
    pub old: Option<Span>,
}

impl<'a> ContentPlace<'a> {
    /// Returns the place of whole lines from `offset` on, whose lines keep their own step of indentation.
    pub fn of_lines(document: &'a Document, offset: usize, base: &[u8]) -> ContentPlace<'a> {
        ContentPlace {
            document,
            offset,
            base: base.to_vec(),
            unit: None,
            fresh_line: true,
            parent: None,
            old: None,
        }
    }
}

/// Returns `content` with LF endings, without blank lines ahead of it or line endings behind it.
pub fn trim_to_block(content: &str) -> Vec<u8> {
    let text = LineEnding::Lf.write(content.as_bytes()).into_owned();
    let mut rest = text.as_slice();
    while let Some(end) = rest
        .iter()
        .position(|&byte| byte == b'\n')
        .filter(|&end| is_blank(&rest[..end]))
    {
        rest = &rest[end + 1..];
    }
    let end = rest
        .iter()
        .rposition(|byte| !matches!(byte, b'\n' | b' ' | b'\t'))
        .map_or(0, |at| at + 1);
    // Blanks at the end of the last line are content.
    let line = rest[end..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(rest.len(), |length| end + length);
    rest[..if end == 0 { 0 } else { line }].to_vec()
}

/// Returns `content` with LF endings, without one final line ending: lines as given.
pub fn end_in_line_break(content: &str) -> Vec<u8> {
    let mut text = LineEnding::Lf.write(content.as_bytes()).into_owned();
    if text.ends_with(b"\n") {
        text.pop();
    }
    text
}

/// Returns `content`, LF throughout, indented for `place` and with the line endings of the file there.
pub fn fit_to_place(
    content: &[u8],
    indent: Indent,
    place: &ContentPlace<'_>,
) -> Result<Vec<u8>, Diagnostic> {
    fit_with_roles(None, content, indent, place)
}

/// Does that with the roles of the lines, if they are known.
fn fit_with_roles(
    roles: Option<&[LineRole]>,
    content: &[u8],
    indent: Indent,
    place: &ContentPlace<'_>,
) -> Result<Vec<u8>, Diagnostic> {
    let ending = LineEnding::at(&place.document.bytes, place.offset);
    let language = place.document.language;
    let indented = match (indent, language) {
        // Nobody knows what indentation means in a file that nobody reads, so its bytes stay.
        (Indent::Keep, _) | (Indent::Auto, None) => content.to_vec(),
        (Indent::Auto, Some(_)) => indent_content(roles, content, &place.base, place.unit, place)?,
        (Indent::Spaces(count), _) => {
            indent_content(roles, content, &indent::spaces(count), None, place)?
        }
    };
    Ok(with_endings_of_file(indented, ending, place))
}

/// Returns `content` as `fit_to_place` does, moved to its place in files of a language that nobody reads as well: a template's
/// blocks are laid out by whoever reads them.
pub fn move_to_place(
    content: &[u8],
    indent: Indent,
    place: &ContentPlace<'_>,
) -> Result<Vec<u8>, Diagnostic> {
    match (indent, place.document.language) {
        (Indent::Auto, None) => {
            let ending = LineEnding::at(&place.document.bytes, place.offset);
            Ok(with_endings_of_file(
                indent_content(None, content, &place.base, None, place)?,
                ending,
                place,
            ))
        }
        (Indent::Auto | Indent::Keep | Indent::Spaces(_), _) => {
            fit_to_place(content, indent, place)
        }
    }
}

fn with_endings_of_file(
    indented: Vec<u8>,
    ending: LineEnding,
    place: &ContentPlace<'_>,
) -> Vec<u8> {
    // What stands there already keeps its endings, mixed ones too.
    let standing = place.old.map(|span| span.of(&place.document.bytes));
    if let Some(old) = standing.filter(|old| *LineEnding::Lf.write(old) == *indented) {
        return old.to_vec();
    }
    ending.write(&indented).into_owned()
}

fn indent_content(
    roles: Option<&[LineRole]>,
    content: &[u8],
    base: &[u8],
    unit: Option<Unit>,
    place: &ContentPlace<'_>,
) -> Result<Vec<u8>, Diagnostic> {
    if most_indented(content, base, unit) > MAX_INDENTED {
        let message = format!(
            "the content would come to more than {} MiB once it is indented",
            MAX_INDENTED >> 20
        );
        return Err(
            Diagnostic::new(Code::TooLarge, message).note("`indent: keep` takes it as it is")
        );
    }
    let language = place.document.language;
    let roles = match (roles, language) {
        (Some(roles), _) => Cow::Borrowed(roles),
        (None, Some(language)) => Cow::Owned(language.grammar.line_roles(content, place.parent)),
        (None, None) => Cow::Owned(plain_roles(content)),
    };
    let offside = language.is_some_and(|language| language.habits.offside);
    let line_comments = language.map_or(&[][..], |language| language.habits.line_comments);
    // A segment may be laid out unlike its file. Content that is laid out like the file is right there, too.
    let usual = unit
        .and(place.document.unit())
        .filter(|usual| matches!(usual, Unit::Spaces(_)) != (unit == Some(Unit::Tab)));
    let unit = unit
        .filter(|_| usual.is_none() || indent::unit_of(content, &roles, line_comments) != usual);
    let old = place
        .old
        .map(|span| LineEnding::Lf.write(span.of(&place.document.bytes)));
    let to = indent::IndentTarget {
        base,
        unit,
        start: if place.fresh_line {
            Start::OwnLine
        } else {
            Start::MidLine
        },
        layout: if offside {
            IndentSyntax::Offside
        } else {
            IndentSyntax::Free
        },
        line_comments,
        old: old.as_deref(),
    };
    indent::fit(content, &roles, &to).map_err(|Problem::Mixed { line }| {
        let message =
            format!("line {line} of the content mixes tabs and spaces in its indentation");
        Diagnostic::new(Code::MixedIndentation, message).note(
            "indent all of it with tabs or all of it with spaces; `indent: keep` takes it as it is",
        )
    })
}

/// Most bytes that content may come to once every line of it begins with the indentation of its place: a file whose
/// lines begin with a megabyte of spaces would make terabytes of a short text.
const MAX_INDENTED: usize = 64 << 20;

/// Returns what `content` comes to at most: each line with the base ahead of it, each blank turned into a step.
fn most_indented(content: &[u8], base: &[u8], unit: Option<Unit>) -> usize {
    let step = match unit {
        Some(Unit::Spaces(width)) => width.max(1),
        Some(Unit::Tab) | None => 1,
    };
    let lines = content.split(|&byte| byte == b'\n');
    let indented = |line: &[u8]| {
        leading_blank(line)
            .len()
            .saturating_mul(step)
            .saturating_add(base.len())
    };
    lines.fold(content.len(), |size, line| {
        size.saturating_add(indented(line))
    })
}

fn plain_roles(content: &[u8]) -> Vec<LineRole> {
    content
        .split(|&byte| byte == b'\n')
        .map(|line| {
            if is_blank(line) {
                LineRole::Blank
            } else {
                LineRole::Code
            }
        })
        .collect()
}

/// Returns the step of indentation at a segment: its own when it shows one, else the file's, else the language's.
pub fn unit_at(document: &Document, segment: Span, parent: Option<SegmentKind>) -> Option<Unit> {
    let language = document.language?;
    let bytes = segment.of(&document.bytes);
    let own = || {
        indent::unit_of(
            bytes,
            &language.grammar.line_roles(bytes, parent),
            language.habits.line_comments,
        )
    };
    let habit = if language.habits.unit == "\t" {
        Unit::Tab
    } else {
        Unit::Spaces(language.habits.unit.len().max(1))
    };
    own().or_else(|| document.unit()).or(Some(habit))
}

/// What content defines, told by the language.
pub struct Defined {
    outline: Outline,
    /// The roles of its lines, where they were found on the way.
    roles: Option<Vec<LineRole>>,
    start: usize,
    end: usize,
}

/// How much room a neighbour wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bulk {
    /// A line among lines: a variable, a statement.
    Slim,
    /// A block: a function, a class, a section.
    Bulky,
}

impl Bulk {
    /// Returns how much room a segment wants.
    pub fn of(symbol: &Symbol) -> Bulk {
        if symbol.parted {
            return Bulk::Slim;
        }
        match symbol.kind {
            SegmentKind::Method if symbol.body.is_none() => Bulk::Slim,
            SegmentKind::Variable
            | SegmentKind::Constant
            | SegmentKind::Type
            | SegmentKind::Element
            | SegmentKind::Key => Bulk::Slim,
            SegmentKind::Function
            | SegmentKind::Method
            | SegmentKind::Class
            | SegmentKind::Struct
            | SegmentKind::Enum
            | SegmentKind::Interface
            | SegmentKind::Trait
            | SegmentKind::Module
            | SegmentKind::Impl
            | SegmentKind::Section => Bulk::Bulky,
        }
    }
}

impl Defined {
    /// Says whether it defines a member of a list that commas part, first of all.
    pub fn is_parted(&self) -> bool {
        self.outline
            .symbols
            .first()
            .is_some_and(|first| first.parted)
    }

    /// Reads `content` (LF, trimmed) as it would stand inside a segment of kind `parent`.
    pub fn by(content: &[u8], language: Option<&Language>, parent: Option<SegmentKind>) -> Defined {
        let read = language.map(|language| language.grammar.read_fragment(content, parent));
        let (outline, roles) = read.unwrap_or_default();
        let start = content
            .iter()
            .position(|byte| !byte.is_ascii_whitespace())
            .unwrap_or(0);
        Defined {
            outline,
            roles,
            start,
            end: content.trim_ascii_end().len(),
        }
    }

    /// Returns the content that was read, in a place inside the same segment, as the function `fitted` does.
    pub fn fitted(
        &self,
        content: &[u8],
        indent: Indent,
        place: &ContentPlace<'_>,
    ) -> Result<Vec<u8>, Diagnostic> {
        fit_with_roles(self.roles.as_deref(), content, indent, place)
    }

    /// Says whether the content defines nothing, as far as it can be read by itself.
    pub fn is_empty(&self) -> bool {
        self.outline.symbols.is_empty()
    }

    /// Returns the definition that the content begins with, its decorations ahead of it.
    pub fn leading(&self) -> Option<&Symbol> {
        self.outline
            .symbols
            .iter()
            .find(|symbol| symbol.whole().start <= self.start)
    }

    /// Returns the definition that takes the place of the one called `name`: that of its name, or else the one that the content
    /// begins with.
    pub fn successor(&self, name: &str) -> Option<&Symbol> {
        let leading = self.leading();
        let namesake = || {
            self.outline
                .symbols
                .iter()
                .find(|symbol| symbol.name == name)
        };
        leading
            .filter(|leading| leading.name == name)
            .or_else(namesake)
            .or(leading)
    }

    /// Returns the definition that the content ends with.
    fn closing(&self) -> Option<&Symbol> {
        self.outline
            .symbols
            .last()
            .filter(|symbol| symbol.whole().end >= self.end)
    }

    /// Returns where the line of the definition that takes the place of the one called `name` ends, if no comment is at its end.
    pub fn bare_end(&self, name: &str, content: &[u8]) -> Option<usize> {
        // The text that documents a variable is no part of its line.
        let is_last =
            |symbol: &&Symbol| symbol.trailing.is_none() || symbol.kind == SegmentKind::Variable;
        let end = self.successor(name).filter(is_last)?.definition.end;
        let rest = content.get(end..self.end).unwrap_or_default();
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_bare = line
            .iter()
            .all(|byte| matches!(byte, b';' | b',' | b' ' | b'\t' | b'\r'));
        is_bare.then(|| end + line.trim_ascii_end().len())
    }

    /// Returns how much room the content wants above it.
    pub fn bulk_above(&self) -> Bulk {
        self.leading().map_or(Bulk::Slim, Bulk::of)
    }

    /// Returns how much room the content wants below it.
    pub fn bulk_below(&self) -> Bulk {
        self.closing().map_or(Bulk::Slim, Bulk::of)
    }

    /// Says whether the content ends in comment lines that belong to its last definition.
    pub fn brings_trailing(&self) -> bool {
        self.closing()
            .is_some_and(|symbol| symbol.trailing.is_some())
    }
}

/// Reads content as it would stand inside the segment around `named`.
pub fn defined_beside(reading: &Reading<'_>, named: &Definition<'_>, content: &[u8]) -> Defined {
    Defined::by(
        content,
        reading.document.language,
        parent_kind(reading, named),
    )
}

/// Returns the kind of what stands around `named`: the parent's, or for a method with an owner what owns it.
pub fn parent_kind(reading: &Reading<'_>, named: &Definition<'_>) -> Option<SegmentKind> {
    let owned = named.symbol.owner.as_ref().map(|_| SegmentKind::Struct);
    reading
        .parent(named)
        .map(|parent| parent.symbol.kind)
        .or(owned)
}

/// Returns the place of content that takes the lines or bytes of `span`.
pub fn place_at<'a>(
    reading: &'a Reading<'_>,
    span: Span,
    named: Option<&Definition<'_>>,
) -> ContentPlace<'a> {
    let document = reading.document;
    let parent = named.and_then(|named| parent_kind(reading, named));
    ContentPlace {
        document,
        offset: span.start,
        base: document.indentation(span.start).to_vec(),
        unit: unit_at(
            document,
            named.map_or(span, |named| document.widened(named.symbol.definition)),
            parent,
        ),
        fresh_line: document.line_start(document.lines().line(span.start)) == span.start,
        parent,
        old: None,
    }
}

/// Returns how deep a body is whose lines are `lines`: as deep as the first of them that is code. Neither a comment tells, which may be code
/// that an editor switched off, nor a label, nor a line for the preprocessor.
pub fn indentation_inside(document: &Document, lines: Span) -> Vec<u8> {
    let first = document.indentation(lines.start);
    let Some(language) = document.language else {
        return first.to_vec();
    };
    let habits = &language.habits;
    let mut ending: Option<&str> = None;
    let mut goes_on = false;
    for line in lines.of(&document.bytes).split(|&byte| byte == b'\n') {
        let text = line.trim_ascii();
        if let Some(end) = ending {
            if memchr::memmem::find(text, end.as_bytes()).is_some() {
                ending = None;
            }
            continue;
        }
        let is_for_preprocessor = habits.conditional_lines && (goes_on || text.starts_with(b"#"));
        goes_on = is_for_preprocessor && text.ends_with(b"\\");
        if is_for_preprocessor {
            continue;
        }
        let begins = |mark: &&str| text.starts_with(mark.as_bytes());
        let block = habits.block_comments.iter().find(|(open, _)| begins(open));
        if let Some((open, end)) = block {
            let inner = text.get(open.len()..).unwrap_or_default();
            ending = memchr::memmem::find(inner, end.as_bytes())
                .is_none()
                .then_some(*end);
            continue;
        }
        let is_comment = habits.line_comments.iter().any(begins);
        let is_label = !habits.offside
            && text.strip_suffix(b":").is_some_and(|label| {
                let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                !label.is_empty() && label.iter().all(is_of_name)
            });
        if !text.is_empty() && !is_comment && !is_label {
            return leading_blank(line).to_vec();
        }
    }
    first.to_vec()
}

/// Returns `count` line endings as the file writes them at `offset`.
pub fn line_endings(document: &Document, offset: usize, count: usize) -> Vec<u8> {
    LineEnding::at(&document.bytes, offset)
        .as_bytes()
        .repeat(count)
}

pub(super) fn without_final_newline(content: &str) -> &str {
    content
        .strip_suffix("\r\n")
        .or(content.strip_suffix('\n'))
        .unwrap_or(content)
}
