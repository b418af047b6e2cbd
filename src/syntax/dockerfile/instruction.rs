//! `Instruction`: one instruction of a Dockerfile with all the lines that it goes on in.

use super::words::{DocumentEnd, JoinedLine};
use crate::text::{Lines, Span, is_blank};

/// Every one, in capital letters.
const KEYWORDS: [&str; 18] = [
    "FROM",
    "ARG",
    "ENV",
    "RUN",
    "COPY",
    "ADD",
    "CMD",
    "ENTRYPOINT",
    "EXPOSE",
    "HEALTHCHECK",
    "LABEL",
    "MAINTAINER",
    "ONBUILD",
    "SHELL",
    "STOPSIGNAL",
    "USER",
    "VOLUME",
    "WORKDIR",
];

/// An instruction.
pub(super) struct Instruction {
    /// Which of the keywords it begins with.
    pub keyword: Option<usize>,
    /// From its keyword to its last byte, here-documents included.
    pub whole: Span,
    pub line: JoinedLine,
    /// How many bytes of `line` its keyword has.
    pub keyword_length: usize,
    /// The comments between its lines.
    pub comments: Vec<Span>,
    /// The lines that it goes on in, without their comments.
    pub more: Vec<Span>,
    /// The number of its last line.
    pub last: usize,
    /// A here-document does not end.
    pub is_open: bool,
}

impl Instruction {
    /// Says whether it is this one.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.keyword.and_then(|at| KEYWORDS.get(at)) == Some(&keyword)
    }

    /// Reads the instruction on the line `first`, whose text begins at `start`.
    pub(super) fn read(
        source: &[u8],
        lines: &Lines,
        first: usize,
        start: usize,
        escape: u8,
    ) -> Instruction {
        let mut found = Instruction {
            keyword: None,
            whole: Span::new(start, start),
            line: JoinedLine {
                bytes: Vec::new(),
                offsets: Vec::new(),
            },
            keyword_length: 0,
            comments: Vec::new(),
            more: Vec::new(),
            last: first,
            is_open: false,
        };
        let mut goes_on = found.take(
            source,
            Span::new(start, lines.content(source, first).end),
            escape,
        );
        let mut number = first;
        while goes_on && number < lines.count() {
            number += 1;
            let span = trimmed(source, lines.content(source, number));
            if span.is_empty() {
                continue;
            }
            found.last = number;
            if span.of(source).starts_with(b"#") {
                found.comments.push(span);
                continue;
            }
            found.more.push(span);
            goes_on = found.take(source, lines.content(source, number), escape);
        }
        let bytes = &found.line.bytes;
        found.keyword_length = bytes
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(bytes.len());
        let word = &bytes[..found.keyword_length];
        found.keyword = KEYWORDS
            .iter()
            .position(|keyword| word.eq_ignore_ascii_case(keyword.as_bytes()));
        found.take_documents(source, lines, escape);
        found
    }

    /// Takes the text of a line, and says whether the next one is a part of it.
    fn take(&mut self, source: &[u8], line: Span, escape: u8) -> bool {
        let text = line.of(source).trim_ascii_end();
        self.whole.end = line.start + text.len();
        let goes_on = match text.strip_suffix(&[escape]) {
            Some(rest) => !rest.ends_with(&[escape]),
            None => false,
        };
        let end = self.whole.end - usize::from(goes_on);
        self.line.bytes.extend_from_slice(&source[line.start..end]);
        self.line.offsets.extend(line.start..end);
        goes_on
    }

    fn take_documents(&mut self, source: &[u8], lines: &Lines, escape: u8) {
        for end in self.documents(escape) {
            let mut number = self.last + 1;
            loop {
                if number > lines.count() {
                    self.is_open = true;
                    return;
                }
                let line = lines.content(source, number);
                let text = line.of(source);
                self.last = number;
                if !is_blank(text) {
                    self.more.push(trimmed(source, line));
                    self.whole.end = line.end;
                }
                if end.is(text) {
                    break;
                }
                number += 1;
            }
        }
    }

    /// Returns the ends of the here-documents that it announces.
    fn documents(&self, escape: u8) -> Vec<DocumentEnd> {
        let has_some = ["RUN", "COPY", "ADD", "ONBUILD"]
            .iter()
            .any(|it| self.is(it));
        if !has_some || memchr::memmem::find(&self.line.bytes, b"<<").is_none() {
            return Vec::new();
        }
        let words = self
            .line
            .words(self.keyword_length, escape)
            .unwrap_or_default();
        let texts = words.iter().map(|word| word.of(&self.line.bytes));
        let is_of_other = self.is("ONBUILD")
            && !texts.clone().next().is_some_and(|word| {
                [&b"RUN"[..], b"COPY", b"ADD"]
                    .iter()
                    .any(|it| word.eq_ignore_ascii_case(it))
            });
        match is_of_other {
            true => Vec::new(),
            false => texts.filter_map(DocumentEnd::of_word).collect(),
        }
    }
}

fn trimmed(source: &[u8], line: Span) -> Span {
    let text = line.of(source);
    let blanks = text.len() - text.trim_ascii_start().len();
    let end = line.start + text.trim_ascii_end().len();
    Span::new((line.start + blanks).min(end), end)
}
