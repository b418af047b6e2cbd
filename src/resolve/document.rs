//! `Document`: one file of the snapshot as resolution sees it. Lines and outline are made on first use, so that an
//! operation on lines never parses, and many operations on one file parse it once.

use std::sync::{Arc, OnceLock};

use crate::path::RepoPath;
use crate::snapshot::{Blob, HashKind, Templates};
use crate::syntax::html::{self, Dom, is_html};
use crate::syntax::keys::Tree;
use crate::syntax::markdown::{front_matter, is_markdown};
use crate::syntax::toml::TOML;
use crate::syntax::yaml::YAML;
use crate::syntax::{Excess, Language, Outline, SyntaxError, keys, told_language};
use crate::text::indent::{self, LineRole, Unit};
use crate::text::splice::Splices;
use crate::text::{BOM, Lines, Span, end_in_column, is_binary, is_blank, leading_blank};

/// Largest file in bytes that is parsed; line and text operations have no such limit.
pub const MAX_PARSED_BYTES: usize = 16 << 20;

/// One file, with what can be derived from its bytes.
pub struct Document {
    /// Where it stands.
    pub path: RepoPath,
    /// Its content.
    pub bytes: Blob,
    /// What reads it, when something does.
    pub language: Option<&'static Language>,
    /// What it is in, when this build leaves that out.
    pub left_out: Option<&'static Language>,
    /// Which hash names its segments.
    pub hash: HashKind,
    /// What it may have been made from.
    pub templates: Arc<Templates>,
    lines: OnceLock<Lines>,
    outline: OnceLock<Arc<Outline>>,
    errors: OnceLock<Vec<SyntaxError>>,
    dom: OnceLock<Dom>,
    keys: OnceLock<Result<Tree, SyntaxError>>,
    unit: OnceLock<Option<Unit>>,
    roles: OnceLock<Vec<LineRole>>,
}

/// A range of a document, with the 1-based lines that its first and last byte stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineSpan {
    /// The bytes.
    pub span: Span,
    /// The line of the first byte.
    pub first: usize,
    /// The line of the last byte.
    pub last: usize,
}

impl Document {
    /// Returns the document of `bytes` at `path`.
    pub fn new(path: RepoPath, bytes: Blob, hash: HashKind) -> Document {
        let told = told_language(&path, &bytes);
        let (left_out, language) = match told {
            Some(language) if language.is_left_out() => (told, None),
            _ => (None, told),
        };
        Document {
            path,
            bytes,
            language,
            left_out,
            hash,
            templates: Arc::default(),
            lines: OnceLock::new(),
            outline: OnceLock::new(),
            errors: OnceLock::new(),
            dom: OnceLock::new(),
            keys: OnceLock::new(),
            unit: OnceLock::new(),
            roles: OnceLock::new(),
        }
    }

    /// Returns the document as one of another language than its name says.
    pub fn in_language(self, language: Option<&'static Language>) -> Document {
        Document { language, ..self }
    }

    /// Returns the document with blanks after its bytes, `length` in all.
    pub fn padded(&self, length: usize) -> Document {
        let mut bytes = self.bytes.to_vec();
        bytes.resize(length.max(bytes.len()), b'\n');
        Document::new(self.path.clone(), bytes.into(), self.hash).in_language(self.language)
    }

    /// Returns the document with its outline, when somebody read it before.
    pub fn outlined(self, outline: Option<Arc<Outline>>) -> Document {
        match outline {
            Some(outline) => Document {
                outline: outline.into(),
                ..self
            },
            None => self,
        }
    }

    /// Returns the document with the templates that it may have been made from.
    pub fn among(self, templates: &Arc<Templates>) -> Document {
        Document {
            templates: templates.clone(),
            ..self
        }
    }

    /// Returns its outline if somebody asked for it: whoever comes later need not parse the file again.
    pub fn known_outline(&self) -> Option<Arc<Outline>> {
        self.outline.get().cloned()
    }

    /// Returns where its lines begin.
    pub fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::of(&self.bytes))
    }

    /// Returns its segments; nothing for a language that nobody reads, a binary file, or one past `MAX_PARSED_BYTES`.
    pub fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| match self.language {
            Some(language) if !self.too_large() && !is_binary(&self.bytes) => match self.keys() {
                Some(Ok(tree)) => Arc::new(keys::outline(tree, self.bytes.len())),
                Some(Err(error)) if error.is_too_deep() => {
                    Arc::new(Outline::exceeding(Excess::Depth))
                }
                Some(Err(_)) => Arc::default(),
                // A page is read once, whoever asks.
                None if is_html(language) => Arc::new(html::outline(&self.bytes, self.dom())),
                None => self.fit(language.grammar.outline(&self.bytes)),
            },
            None if self.left_out.is_some() => Arc::new(Outline::exceeding(Excess::LeftOut)),
            _ => Arc::default(),
        })
    }

    /// Reads the segments for a process that ends once it has told them.
    pub fn read_at_parting(&self) {
        let is_fit =
            |language: &&Language| !is_html(language) && language.grammar.format().is_none();
        let language = self
            .language
            .filter(is_fit)
            .filter(|_| !self.too_large() && !is_binary(&self.bytes));
        if let Some(language) = language.filter(|_| self.outline.get().is_none()) {
            let _ = self
                .outline
                .set(self.fit(language.grammar.parting_outline(&self.bytes)));
        }
    }

    /// Returns its syntax errors; nothing where there is no outline for its size or its language.
    pub fn errors(&self) -> &[SyntaxError] {
        self.errors.get_or_init(|| match self.language {
            Some(language) if !self.too_large() && !is_binary(&self.bytes) => {
                if is_html(language) {
                    html::errors(&self.bytes, self.dom())
                } else {
                    language.grammar.errors(&self.bytes)
                }
            }
            _ => Vec::new(),
        })
    }

    /// Reads segments and errors, for whoever will ask for both: the file is then parsed once.
    pub fn read_both(&self) {
        let unread = self.outline.get().is_none() && self.errors.get().is_none();
        let Some(language) = self
            .language
            .filter(|_| unread && !self.too_large() && !is_binary(&self.bytes))
        else {
            return;
        };
        // Those are read once in any case.
        if is_html(language) || language.grammar.format().is_some() {
            return;
        }
        let (outline, errors) = language.grammar.read(&self.bytes);
        let _ = (self.outline.set(self.fit(outline)), self.errors.set(errors));
    }

    /// Reads segments and errors of what `splices` made of `old`, whose segments are `outline`: the touched definitions
    /// alone where that will do.
    pub fn reread(&self, old: &[u8], outline: &Outline, splices: &Splices) {
        let language = self.language.filter(|_| {
            outline.sound
                && outline.excess.is_none()
                && !self.too_large()
                && !is_binary(&self.bytes)
        });
        match language
            .and_then(|language| language.grammar.reread(old, outline, &self.bytes, splices))
        {
            Some(outline) => {
                let _ = (
                    self.outline.set(self.fit(outline)),
                    self.errors.set(Vec::new()),
                );
            }
            None => self.read_both(),
        }
    }

    /// Returns the outline as others are to see it.
    fn fit(&self, outline: Outline) -> Arc<Outline> {
        let outline = outline.bounded(self.bytes.len());
        Arc::new(match self.language {
            Some(language) => outline.with_own_comments(&self.bytes, &language.habits),
            None => outline,
        })
    }

    /// Returns the elements of a page; none of any other file.
    pub fn dom(&self) -> &Dom {
        self.dom.get_or_init(|| match self.language {
            Some(language) if is_html(language) && !self.too_large() && !is_binary(&self.bytes) => {
                Dom::of(&self.bytes)
            }
            _ => Dom::default(),
        })
    }

    /// Returns the same bytes as they are laid out in `language`: a script is not laid out as the page around it.
    pub fn embedding(&self, language: &'static Language) -> Document {
        Document {
            language: Some(language),
            ..Document::new(self.path.clone(), self.bytes.clone(), self.hash)
        }
    }

    /// Returns the entries of a configuration file, or why it cannot be read; `None` for any other file.
    pub fn keys(&self) -> Option<&Result<Tree, SyntaxError>> {
        let format = self
            .language?
            .grammar
            .format()
            .filter(|_| !self.too_large() && !is_binary(&self.bytes))?;
        Some(self.keys.get_or_init(|| format.tree(&self.bytes)))
    }

    /// Returns the front matter of a page of Markdown as a configuration file: all bytes up to its end, each in its place.
    pub fn front_matter(&self) -> Option<Document> {
        let front = self
            .language
            .filter(|language| is_markdown(language))
            .and_then(|_| front_matter(&self.bytes))?;
        let mut bytes = self.bytes.get(..front.close)?.to_vec();
        if front.is_toml {
            bytes.get_mut(front.start..front.start + 3)?.fill(b'#');
        }
        let language = if front.is_toml { &TOML } else { &YAML };
        Some(Document::new(self.path.clone(), bytes.into(), self.hash).in_language(Some(language)))
    }

    /// Returns the step of indentation that the file's lines show.
    pub fn unit(&self) -> Option<Unit> {
        *self.unit.get_or_init(|| indent::unit_of_file(&self.bytes))
    }

    /// Returns the role of each line; nothing for a language that nobody reads.
    pub fn roles(&self) -> &[LineRole] {
        self.roles.get_or_init(|| match self.language {
            Some(language) if !self.too_large() => language.grammar.line_roles(&self.bytes, None),
            _ => Vec::new(),
        })
    }

    /// Says whether this line of a page begins where every blank counts: in a `<pre>`, in a string of a script.
    pub fn keeps_blanks(&self, line: usize) -> bool {
        let role = line
            .checked_sub(1)
            .and_then(|index| self.roles().get(index));
        self.language.is_some_and(is_html) && role == Some(&LineRole::Frozen)
    }

    /// Says whether the file is past `MAX_PARSED_BYTES`.
    pub fn too_large(&self) -> bool {
        self.bytes.len() > MAX_PARSED_BYTES
    }

    /// Returns `span` widened to whole lines, the last line's ending excluded, when nothing else stands on them but
    /// blanks, a closing `;` or `,`, and a comment, which may go on below; else `span` itself.
    pub fn widened(&self, span: Span) -> Span {
        self.widened_place(span).span
    }

    /// Returns the same with its lines.
    pub(super) fn widened_place(&self, span: Span) -> LineSpan {
        let place = self.place(span);
        let whole = self.whole_lines(place);
        let Some(end) = self.filled_to(span, whole) else {
            return LineSpan { span, ..place };
        };
        let widened = Span::new(whole.start, end.max(span.end));
        let last = match end > whole.end {
            true => self.lines().line(end),
            false => place.last,
        };
        LineSpan {
            span: widened,
            last,
            ..place
        }
    }

    /// Returns `span` with the lines that it begins and ends on.
    pub(super) fn place(&self, span: Span) -> LineSpan {
        let lines = self.lines();
        let first = lines.line(span.start);
        let last = span.end.saturating_sub(1).max(span.start);
        LineSpan {
            span,
            first,
            last: if last < lines.start(first + 1) {
                first
            } else {
                lines.line(last)
            },
        }
    }

    /// Says whether nothing else stands on the lines of `span`.
    pub fn has_lines_to_itself(&self, span: Span) -> bool {
        self.filled_to(span, self.whole_lines(self.place(span)))
            .is_some()
    }

    /// Returns the text of the lines of `place`, the last one's ending excluded.
    fn whole_lines(&self, place: LineSpan) -> Span {
        let start = self.line_start(place.first);
        Span::new(
            start,
            self.lines().content(&self.bytes, place.last).end.max(start),
        )
    }

    /// Returns where the lines end that nothing but `span` stands on, from `lines` on: a comment that begins there may go on below.
    fn filled_to(&self, span: Span, lines: Span) -> Option<usize> {
        let before = self.bytes.get(lines.start..span.start).unwrap_or_default();
        if !is_blank(before) {
            return None;
        }
        self.end_of_tail(Span::new(span.end.min(lines.end), lines.end))
    }

    /// Returns where the rest of a line ends that belongs to the statement ahead of it: blanks, a separator, comments.
    fn end_of_tail(&self, rest: Span) -> Option<usize> {
        let bytes = &self.bytes;
        let blanks = |at: usize| {
            let rest = bytes.get(at..rest.end).unwrap_or_default();
            at + (rest.len() - rest.trim_ascii_start().len())
        };
        let (mut begin, mut is_parted) = (blanks(rest.start), false);
        loop {
            let text = bytes.get(begin..rest.end).unwrap_or_default();
            if text.is_empty() {
                return Some(rest.end);
            }
            if !is_parted && matches!(text[0], b';' | b',') {
                is_parted = true;
                begin = blanks(begin + 1);
                continue;
            }
            let mut blocks = self.language?.habits.block_comments.iter();
            let Some((open, close)) = blocks.find(|(open, _)| text.starts_with(open.as_bytes()))
            else {
                break;
            };
            let inner = begin + open.len();
            let at = memchr::memmem::find(bytes.get(inner..)?, close.as_bytes())?;
            let end = inner + at + close.len();
            if end > rest.end {
                let lines = self.lines();
                let line = lines.content(bytes, lines.line(end)).end;
                return is_blank(Span::new(end, line.max(end)).of(bytes)).then_some(line);
            }
            begin = blanks(end);
        }
        let habits = self.language?.habits;
        let text = Span::new(begin, rest.end).of(bytes).trim_ascii_end();
        // To some languages these end a line, and a comment that runs to its end.
        let is_one_line = !["\u{2028}", "\u{2029}"]
            .iter()
            .any(|it| memchr::memmem::find(text, it.as_bytes()).is_some());
        let mut marks = habits.line_comments.iter();
        let mark = marks.find(|mark| text.starts_with(mark.as_bytes()))?;
        is_one_line.then(|| {
            let last = end_in_column(&self.bytes, begin, rest.end, mark.as_bytes());
            let lines = self.lines();
            lines.content(&self.bytes, lines.line(last)).end
        })
    }

    /// Returns the blanks ahead of the line that holds `offset`.
    pub fn indentation(&self, offset: usize) -> &[u8] {
        self.indentation_of_line(self.lines().line(offset))
    }

    /// Returns the blanks ahead of the 1-based `line`.
    pub(super) fn indentation_of_line(&self, line: usize) -> &[u8] {
        let start = self.line_start(line);
        leading_blank(self.bytes.get(start..).unwrap_or_default())
    }

    /// Returns where the text of the 1-based `line` begins: behind the byte-order mark on the first, else its first byte.
    pub fn line_start(&self, line: usize) -> usize {
        let marked = line <= 1 && self.bytes.starts_with(BOM);
        if marked {
            BOM.len()
        } else {
            self.lines().start(line)
        }
    }
}
