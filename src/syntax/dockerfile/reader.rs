//! Reads stages and variables instruction by instruction.
//!
//! A stage goes from its `FROM` to the last line before the next one that is not blank, without the comment right above that one. One
//! without a name has no address; what it sets is named as if it stood alone.
//!
//! Known limits: several variables in one instruction have no names, nor have labels.

use super::instruction::Instruction;
use crate::syntax::word_names::{dotted_name, quoted_name};
use crate::syntax::{Decoration, DecorationKind, SegmentKind, Statement, Symbol, SyntaxError};
use crate::text::indent::LineRole;
use crate::text::{BOM, Lines, Span, is_blank};

/// What a Dockerfile is made of.
#[derive(Default)]
pub(super) struct DockerfileReading {
    pub symbols: Vec<Symbol>,
    pub errors: Vec<SyntaxError>,
    pub roles: Vec<LineRole>,
    pub comments: Vec<Span>,
    pub statements: Vec<Statement>,
}

/// The kinds of statements are the numbers of the keywords, and these.
const OTHER: u16 = 100;
const MORE_LINE: u16 = 101;

/// What is known on the way through the instructions.
#[derive(Default)]
struct StageReader {
    reading: DockerfileReading,
    /// The stage that the instructions are in, if it has a name.
    stage: Option<Box<Symbol>>,
    /// Which statement the last `FROM` is.
    from: Option<usize>,
    /// What stands above the first `FROM`, where Docker takes nothing but `ARG`. A file without any is a piece of one.
    strays: Vec<SyntaxError>,
    /// The comment lines right above.
    above: Vec<Decoration>,
}

/// Returns what `source` is made of.
pub(super) fn read(source: &[u8]) -> DockerfileReading {
    let lines = Lines::of(source);
    let directives = Directives::of(source, &lines);
    let mut reader = StageReader::default();
    let mut number = 1;
    while number <= lines.count() {
        let line = lines.content(source, number);
        let mark = match number {
            1 if line.of(source).starts_with(BOM) => BOM.len(),
            _ => 0,
        };
        let text = line.of(source).get(mark..).unwrap_or_default();
        let start = line.start + mark + text.len() - text.trim_ascii_start().len();
        if is_blank(text) {
            reader.take_blank();
            reader.reading.roles.push(LineRole::Blank);
        } else if source[start] == b'#' {
            let end = line.start + mark + text.trim_ascii_end().len();
            reader.take_comment(Span::new(start, end), number <= directives.count);
            reader.reading.roles.push(LineRole::Code);
        } else {
            let found = Instruction::read(source, &lines, number, start, directives.escape);
            reader.reading.roles.push(LineRole::Code);
            let more = (number..found.last).map(|_| LineRole::Frozen);
            reader.reading.roles.extend(more);
            reader.find_faults(&found, directives.is_custom);
            reader.state(&found);
            number = found.last;
            reader.take(source, found, directives.escape);
        }
        number += 1;
    }
    reader.take_blank();
    reader.close_stage(source);
    let errors = &mut reader.reading.errors;
    errors.sort_by_key(|error| error.offset);
    reader.reading
}

/// What the first comments of a file say to its parser.
struct Directives {
    /// How many lines they are.
    count: usize,
    escape: u8,
    /// Another than Docker's own reads the file.
    is_custom: bool,
}

impl Directives {
    fn of(source: &[u8], lines: &Lines) -> Directives {
        let mut found = Directives {
            count: 0,
            escape: b'\\',
            is_custom: false,
        };
        for number in 1..=lines.count() {
            let line = lines.content(source, number).of(source);
            let line = line.strip_prefix(BOM).unwrap_or(line).trim_ascii();
            let Some((key, value)) = directive(line) else {
                break;
            };
            if key.eq_ignore_ascii_case(b"escape") && value == b"`" {
                found.escape = b'`';
            }
            if key.eq_ignore_ascii_case(b"syntax") {
                found.is_custom = memchr::memmem::find(value, b"docker/dockerfile").is_none();
            }
            found.count = number;
        }
        found
    }
}

/// Returns the two sides of `# key=value`.
fn directive(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = line.strip_prefix(b"#")?;
    let sign = memchr::memchr(b'=', text)?;
    let key = text.get(..sign)?.trim_ascii();
    let is_word = !key.is_empty() && key.iter().all(u8::is_ascii_alphabetic);
    is_word.then_some((key, text.get(sign + 1..)?.trim_ascii()))
}

impl StageReader {
    /// A blank line parts comments from what is below.
    fn take_blank(&mut self) {
        let last = self.above.last().map(|comment| comment.span.end);
        self.above.clear();
        if let (Some(end), Some(stage)) = (last, &mut self.stage) {
            stage.definition.end = end;
        }
    }

    fn take_comment(&mut self, span: Span, is_directive: bool) {
        self.reading.comments.push(span);
        if !is_directive {
            self.above.push(Decoration {
                sort: DecorationKind::Comment,
                span,
            });
        }
    }

    fn find_faults(&mut self, found: &Instruction, is_custom: bool) {
        let word = String::from_utf8_lossy(&found.line.bytes[..found.keyword_length]);
        let what = if found.keyword.is_none() && !is_custom {
            format!("Docker knows no instruction `{word}`")
        } else if found.is_open {
            "a here-document does not end".to_owned()
        } else if found.is("FROM") {
            self.reading.errors.append(&mut self.strays);
            return;
        } else if self.from.is_none() && !is_custom && !found.is("ARG") {
            self.strays.push(SyntaxError {
                offset: found.whole.start,
                message: format!("`{word}` above the first `FROM`"),
            });
            return;
        } else {
            return;
        };
        self.reading.errors.push(SyntaxError {
            offset: found.whole.start,
            message: what,
        });
    }

    /// Adds a statement for the instruction, and one in it for each line that it goes on in.
    fn state(&mut self, found: &Instruction) {
        let is_stage = found.is("FROM");
        let statements = &mut self.reading.statements;
        if is_stage {
            self.from = Some(statements.len());
        } else if let Some(from) = self.from.and_then(|at| statements.get_mut(at)) {
            from.span.end = found.whole.end;
        }
        let depth = usize::from(self.from.is_some() && !is_stage);
        let keyword = found.keyword.and_then(|at| u16::try_from(at).ok());
        let keyword = keyword.unwrap_or(OTHER);
        let statement = |kind, span: Span, depth| Statement {
            kind,
            span,
            decorated: span.start,
            depth,
            leads: false,
            is_open: is_stage && kind == keyword,
        };
        statements.push(statement(keyword, found.whole, depth));
        for line in &found.more {
            statements.push(statement(MORE_LINE, *line, depth + 1));
        }
    }

    fn take(&mut self, source: &[u8], found: Instruction, escape: u8) {
        let above = std::mem::take(&mut self.above);
        if found.is("FROM") {
            self.close_stage(source);
            self.stage = stage(&found, escape, above).map(Box::new);
        } else {
            if let Some(stage) = &mut self.stage {
                stage.definition.end = found.whole.end;
            }
            let variable = variable(&found, escape, above);
            match &mut self.stage {
                Some(stage) => stage.children.extend(variable),
                None => self.reading.symbols.extend(variable),
            }
        }
        self.reading.comments.extend(found.comments);
    }

    fn close_stage(&mut self, source: &[u8]) {
        let Some(mut stage) = self.stage.take() else {
            return;
        };
        let below = stage.signature.end;
        let feed = memchr::memchr(b'\n', source.get(below..).unwrap_or_default());
        let start = feed.map_or(stage.definition.end, |at| below + at + 1);
        if start < stage.definition.end {
            stage.body = Some(Span::new(start, stage.definition.end));
        }
        self.reading.symbols.push(*stage);
    }
}

/// Returns the stage that `FROM image AS name` begins.
fn stage(found: &Instruction, escape: u8, above: Vec<Decoration>) -> Option<Symbol> {
    let line = &found.line;
    let words = line.words(found.keyword_length, escape)?;
    let texts = words.iter().map(|word| word.of(&line.bytes));
    let mut texts = texts.skip_while(|word| word.starts_with(b"--")).skip(1);
    if !texts.next()?.eq_ignore_ascii_case(b"as") {
        return None;
    }
    let name = quoted_name(std::str::from_utf8(texts.next()?).ok()?)?;
    let symbol = symbol(name, None, SegmentKind::Struct, found.whole, above);
    Some(symbol)
}

/// Returns the variable that an `ENV` or `ARG` sets, if it is one alone.
fn variable(found: &Instruction, escape: u8, above: Vec<Decoration>) -> Option<Symbol> {
    if !found.is("ENV") && !found.is("ARG") {
        return None;
    }
    let line = &found.line;
    let words = line.words(found.keyword_length, escape)?;
    let first = *words.first()?;
    let sign = memchr::memchr(b'=', first.of(&line.bytes)).map(|at| first.start + at);
    let (name, value) = match sign {
        Some(sign) if words.len() == 1 => (Span::new(first.start, sign), sign + 1),
        // The old form: all that is behind the name.
        None if found.is("ENV") => (first, words.get(1)?.start),
        None if words.len() == 1 => (first, first.end),
        _ => return None,
    };
    let (owner, text) = dotted_name(std::str::from_utf8(name.of(&line.bytes)).ok()?)?;
    let name = line.place(name)?;
    let value = line.place(Span::new(value, line.bytes.len()));
    let signature = Span::new(found.whole.start, name.end);
    Some(Symbol {
        signature,
        body: value.map(|value| Span::new(value.start, found.whole.end)),
        ..symbol(text, owner, SegmentKind::Variable, found.whole, above)
    })
}

fn symbol(
    name: String,
    owner: Option<String>,
    kind: SegmentKind,
    whole: Span,
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
        definition: whole,
        decorations,
        trailing: None,
        signature: whole,
        body: None,
        docstring: None,
        children: Vec::new(),
    }
}
