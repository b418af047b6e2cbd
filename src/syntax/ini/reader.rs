//! Reads sections and keys line by line; each line is looked at once.
//!
//! A section goes from its header to the last line before the next one that is not blank, without the comment right above that one.
//!
//! Known limits: a comment behind a value is a part of it; a section with a quotation mark in its name has no address but in the form of Git
//! (`[remote "origin"]`), nor have its keys; what is behind the `]` of a header is a part of the header.

use crate::syntax::word_names::{dotted_name, is_of_name, quoted_name};
use crate::syntax::{Decoration, DecorationKind, SegmentKind, Statement, Symbol, SyntaxError};
use crate::text::indent::LineRole;
use crate::text::{Lines, Span, is_blank, leading_blank};

/// How a value goes on below its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Continuation {
    /// In lines indented deeper than its key, comments and blank lines between them or not.
    Deeper,
    /// Below a line that ends with a backslash.
    Backslash,
    /// The same, but for a backslash in a comment behind the value.
    BeforeComments,
}

/// What a file is made of.
#[derive(Default)]
pub(super) struct SectionReading {
    pub symbols: Vec<Symbol>,
    pub errors: Vec<SyntaxError>,
    pub roles: Vec<LineRole>,
    pub comments: Vec<Span>,
    pub statements: Vec<Statement>,
}

/// The kinds of statements.
const SECTION: u16 = 1;
const KEY: u16 = 2;
const VALUE_LINE: u16 = 3;

/// What is known on the way through the lines.
struct SectionReader<'s> {
    source: &'s [u8],
    reading: SectionReading,
    /// The section that the lines are in; none that can be named where it is `Unnamed`.
    section: SectionPlace,
    /// How deep the last key is indented, if a value may go on.
    key_indent: Option<usize>,
    /// The last key has a name, so that what goes on is a part of it.
    is_named: bool,
    /// The comment lines right above.
    above: Vec<Decoration>,
    /// Which statements the last section and the last key are.
    open: [Option<usize>; 2],
}

/// Where lines are.
enum SectionPlace {
    Top,
    Section(Box<Symbol>),
    Unnamed,
}

/// Returns what `source` is made of.
pub(super) fn read(source: &[u8], continuation: Continuation) -> SectionReading {
    let lines = Lines::of(source);
    let mut reader = SectionReader {
        source,
        reading: SectionReading::default(),
        section: SectionPlace::Top,
        key_indent: None,
        is_named: false,
        above: Vec::new(),
        open: [None, None],
    };
    let (mut goes_on, mut is_quoted) = (false, false);
    for number in 1..=lines.count() {
        let line = lines.content(source, number);
        let mark = if number == 1 && line.of(source).starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        let line = Span::new(line.start + mark, line.end);
        let indent = leading_blank(line.of(source)).len();
        let code = Span::new(
            line.start + indent,
            line.start + line.of(source).trim_ascii_end().len().max(indent),
        );
        let text = code.of(source);
        let is_continued = match continuation {
            Continuation::Backslash | Continuation::BeforeComments => goes_on,
            Continuation::Deeper => reader.key_indent.is_some_and(|key| indent > key),
        };
        let is_comment = text.starts_with(b"#") || text.starts_with(b";");
        let role = if is_blank(text) {
            reader.take_blank();
            LineRole::Blank
        } else if is_comment && !goes_on {
            reader.take_comment(code);
            LineRole::Code
        } else if is_continued {
            reader.extend(code);
            LineRole::Frozen
        } else if text.starts_with(b"[") {
            reader.open_section(code, continuation);
            LineRole::Code
        } else {
            reader.take_key(code, indent, continuation);
            LineRole::Code
        };
        if continuation != Continuation::Deeper && !(is_comment && goes_on) {
            let is_value = is_continued || !(is_comment || text.starts_with(b"["));
            let end = match is_value {
                true => line_end(line.of(source), is_quoted && is_continued, continuation),
                false => LineEnd::default(),
            };
            (goes_on, is_quoted) = (end.goes_on, end.is_quoted);
            let fault = end.fault.map(|(at, what)| SyntaxError {
                offset: line.start + at,
                message: what.to_owned(),
            });
            reader.reading.errors.extend(fault);
        }
        reader.reading.roles.push(role);
    }
    reader.finish()
}

impl SectionReader<'_> {
    /// A blank line parts comments from what is below.
    fn take_blank(&mut self) {
        let last = self.above.last().map(|comment| comment.span.end);
        self.above.clear();
        if let (Some(end), SectionPlace::Section(section)) = (last, &mut self.section) {
            section.definition.end = end;
        }
    }

    fn take_comment(&mut self, comment: Span) {
        self.reading.comments.push(comment);
        self.above.push(Decoration {
            sort: DecorationKind::Comment,
            span: comment,
        });
    }

    /// Takes a line in that the last value goes on in.
    fn extend(&mut self, line: Span) {
        let end = line.end;
        self.state(VALUE_LINE, line);
        self.above.clear();
        if let SectionPlace::Section(section) = &mut self.section {
            section.definition.end = end;
        }
        let Some(key) = self.open_key() else { return };
        key.definition.end = end;
        if let Some(value) = &mut key.body {
            value.end = end;
        }
    }

    /// Adds a statement: a section, a key of the last one, or a line that the value of the last key goes on in.
    fn state(&mut self, kind: u16, line: Span) {
        let around = match kind {
            SECTION => 0,
            KEY => 1,
            _ => 2,
        };
        for inner in self.open.iter_mut().skip(around) {
            *inner = None;
        }
        let statements = &mut self.reading.statements;
        let mut depth = 0;
        for at in self.open.iter().flatten() {
            if let Some(statement) = statements.get_mut(*at) {
                statement.span.end = line.end;
                depth += 1;
            }
        }
        if let Some(own) = self.open.get_mut(around) {
            *own = Some(statements.len());
        }
        statements.push(Statement {
            kind,
            span: line,
            decorated: line.start,
            depth,
            leads: false,
            is_open: kind == SECTION,
        });
    }

    fn open_section(&mut self, header: Span, continuation: Continuation) {
        self.state(SECTION, header);
        self.close_key();
        self.close_section();
        self.key_indent = None;
        let above = std::mem::take(&mut self.above);
        let text = header.of(self.source);
        let Some(close) = memchr::memrchr(b']', without_comment(text)) else {
            self.reading.errors.push(SyntaxError {
                offset: header.start,
                message: "the header of a section has no `]`".to_owned(),
            });
            self.section = SectionPlace::Unnamed;
            return;
        };
        let inner = text.get(1..close).unwrap_or_default();
        if continuation == Continuation::BeforeComments && !is_section_of_git(inner) {
            self.reading.errors.push(SyntaxError {
                offset: header.start,
                message: "Git takes letters, digits, `-` and `.`, then a text in quotation marks"
                    .to_owned(),
            });
        }
        self.section = match section_name(inner) {
            Some((owner, name)) => {
                let kind = SegmentKind::Struct;
                let section = symbol(name, owner, kind, header, header, above);
                SectionPlace::Section(Box::new(section))
            }
            None => SectionPlace::Unnamed,
        };
    }

    fn take_key(&mut self, line: Span, indent: usize, continuation: Continuation) {
        self.state(KEY, line);
        self.close_key();
        self.key_indent = Some(indent);
        let above = std::mem::take(&mut self.above);
        let text = line.of(self.source);
        let sign = match continuation {
            Continuation::Deeper => memchr::memchr2(b'=', b':', text),
            Continuation::Backslash | Continuation::BeforeComments => memchr::memchr(b'=', text),
        };
        let key = text
            .get(..sign.unwrap_or(text.len()))
            .unwrap_or_default()
            .trim_ascii_end();
        if let SectionPlace::Section(section) = &mut self.section {
            section.definition.end = line.end;
        }
        let Some((owner, name)) = std::str::from_utf8(key).ok().and_then(dotted_name) else {
            return;
        };
        let is_of_git = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        if continuation == Continuation::BeforeComments
            && !(key.iter().all(is_of_git) && key.first().is_some_and(u8::is_ascii_alphabetic))
        {
            self.reading.errors.push(SyntaxError {
                offset: line.start,
                message: "Git takes letters, digits and `-` for the name of a key".to_owned(),
            });
        }
        let head = Span::new(line.start, line.start + key.len());
        let value = sign.map(|sign| {
            let blanks = leading_blank(text.get(sign + 1..).unwrap_or_default()).len();
            Span::new(line.start + sign + 1 + blanks, line.end)
        });
        let found = Symbol {
            body: value,
            ..symbol(name, owner, SegmentKind::Variable, line, head, above)
        };
        self.is_named = true;
        match &mut self.section {
            SectionPlace::Top => self.reading.symbols.push(found),
            SectionPlace::Section(section) => section.children.push(found),
            SectionPlace::Unnamed => {}
        }
    }

    /// Returns the last key, if it has a name.
    fn open_key(&mut self) -> Option<&mut Symbol> {
        if !self.is_named {
            return None;
        }
        match &mut self.section {
            SectionPlace::Top => self.reading.symbols.last_mut(),
            SectionPlace::Section(section) => section.children.last_mut(),
            SectionPlace::Unnamed => None,
        }
    }

    /// No line below belongs to the last key.
    fn close_key(&mut self) {
        let source = self.source;
        if let Some(key) = self.open_key() {
            // Nothing is written of a value, or it begins below the line of its key.
            key.body = key.body.filter(|value| !value.is_empty()).map(|value| {
                let text = value.of(source);
                let blanks = text.len() - text.trim_ascii_start().len();
                Span::new(value.start + blanks, value.end)
            });
        }
        self.is_named = false;
    }

    fn close_section(&mut self) {
        let SectionPlace::Section(mut section) =
            std::mem::replace(&mut self.section, SectionPlace::Unnamed)
        else {
            return;
        };
        let below = section.signature.end;
        let feed = memchr::memchr(b'\n', self.source.get(below..).unwrap_or_default());
        let start = feed.map_or(section.definition.end, |at| below + at + 1);
        if start < section.definition.end {
            section.body = Some(Span::new(start, section.definition.end));
        }
        self.reading.symbols.push(*section);
    }

    fn finish(mut self) -> SectionReading {
        self.take_blank();
        self.close_key();
        self.close_section();
        self.reading
    }
}

/// What a line of a value ends with.
#[derive(Default)]
struct LineEnd {
    /// A backslash that stands for none itself, and is in no comment.
    goes_on: bool,
    /// Within quotation marks.
    is_quoted: bool,
    /// Where something is that Git does not read, and what.
    fault: Option<(usize, &'static str)>,
}

/// Reads a line of a value, which begins within quotation marks or not.
fn line_end(line: &[u8], is_quoted: bool, continuation: Continuation) -> LineEnd {
    let is_of_git = continuation == Continuation::BeforeComments;
    let mut end = LineEnd {
        is_quoted,
        ..LineEnd::default()
    };
    for (at, byte) in line.iter().enumerate() {
        if end.goes_on {
            end.goes_on = false;
            if is_of_git && !b"\\\"ntb".contains(byte) {
                end.fault = end
                    .fault
                    .or(Some((at - 1, "an escape that Git does not know")));
            }
            continue;
        }
        match byte {
            b'\\' => end.goes_on = true,
            b'"' => end.is_quoted = !end.is_quoted,
            b'#' | b';' if is_of_git && !end.is_quoted => return end,
            _ => {}
        }
    }
    if is_of_git && end.is_quoted && !end.goes_on {
        let open = memchr::memrchr(b'"', line).unwrap_or(0);
        end.fault = end.fault.or(Some((open, "a quotation mark is left open")));
    }
    end
}

fn symbol(
    name: String,
    owner: Option<String>,
    kind: SegmentKind,
    definition: Span,
    signature: Span,
    decorations: Vec<Decoration>,
) -> Symbol {
    Symbol {
        name,
        owner,
        address: None,
        names_inside: true,
        parted: false,
        component: false,
        kind,
        level: 0,
        definition,
        decorations,
        trailing: None,
        signature,
        body: None,
        docstring: None,
        children: Vec::new(),
    }
}

/// Says whether Git reads what is between the brackets of a header: `remote "origin"`, `core`, `branch.main`.
fn is_section_of_git(inner: &[u8]) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let len = inner.iter().take_while(|byte| is_of_name(byte)).count();
    let (name, rest) = inner.split_at(len);
    let blank = rest.len() - rest.trim_ascii_start().len();
    let quoted = rest.trim_ascii_start().strip_prefix(b"\"");
    let Some(quoted) = quoted.filter(|_| blank > 0) else {
        return !name.is_empty() && rest.is_empty();
    };
    let end = line_end(quoted, true, Continuation::Backslash);
    let last = quoted.strip_suffix(b"\"");
    !name.is_empty() && !end.is_quoted && last.is_some_and(|last| !has_plain_quote(last))
}

/// Says whether a text has a quotation mark that no backslash is before.
fn has_plain_quote(text: &[u8]) -> bool {
    let mut is_escaped = false;
    text.iter().any(|byte| {
        let is_plain = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_plain
    })
}

/// Returns a header without the comment behind it.
fn without_comment(header: &[u8]) -> &[u8] {
    let marks = memchr::memchr2_iter(b'#', b';', header);
    let begins = |at: usize| at.checked_sub(1).and_then(|before| header.get(before));
    marks
        .filter(|&at| begins(at).is_some_and(u8::is_ascii_whitespace))
        .filter_map(|at| header.get(..at))
        .find(|head| head.trim_ascii_end().ends_with(b"]"))
        .unwrap_or(header)
}

/// Returns the name of a section and what is before its last dot; `remote "origin"` is `origin` of `remote`, as Git has it.
fn section_name(inner: &[u8]) -> Option<(Option<String>, String)> {
    let text = std::str::from_utf8(inner).ok()?.trim();
    let Some((outer, quoted)) = text.split_once('"') else {
        return dotted_name(text);
    };
    let outer = outer.trim_end();
    let name = quoted.strip_suffix('"')?;
    let is_plain = |text: &str| !text.is_empty() && text.chars().all(is_of_name);
    if !is_plain(outer) || name.contains(['"', '\\']) {
        return None;
    }
    Some((Some(outer.to_owned()), quoted_name(name)?))
}
