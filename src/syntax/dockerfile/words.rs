//! The words of an instruction, as BuildKit parts them: at blanks outside of quotation marks.

use crate::text::Span;

/// The bytes of an instruction that are read as one line, each with its place in the file.
pub(super) struct JoinedLine {
    pub bytes: Vec<u8>,
    pub offsets: Vec<usize>,
}

impl JoinedLine {
    /// Returns the words from the byte with this number on, as ranges of `bytes`; `None` where a quotation mark is left open.
    pub(super) fn words(&self, from: usize, escape: u8) -> Option<Vec<Span>> {
        let mut found = Vec::new();
        let mut begun = None;
        let mut quote = None;
        let mut at = from;
        while let Some(&byte) = self.bytes.get(at) {
            if quote.is_none() && byte.is_ascii_whitespace() {
                found.extend(begun.take().map(|start| Span::new(start, at)));
                at += 1;
                continue;
            }
            begun.get_or_insert(at);
            match quote {
                // In single ones nothing is escaped.
                Some(open) if byte == open => quote = None,
                Some(b'\'') => {}
                _ if byte == escape => at += 1,
                None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
                _ => {}
            }
            at += 1;
        }
        found.extend(begun.map(|start| Span::new(start, self.bytes.len())));
        quote.is_none().then_some(found)
    }

    /// Returns where in the file a range of `bytes` is.
    pub(super) fn place(&self, word: Span) -> Option<Span> {
        let last = self.offsets.get(word.end.checked_sub(1)?)?;
        Some(Span::new(*self.offsets.get(word.start)?, last + 1))
    }
}

/// What a here-document ends with.
pub(super) struct DocumentEnd {
    pub word: Vec<u8>,
    /// Tabs before it do not count: `<<-`.
    pub after_tabs: bool,
}

impl DocumentEnd {
    /// Returns what a word announces: `<<EOF`, `<<-"EOF"`, `3<<EOF`.
    pub(super) fn of_word(word: &[u8]) -> Option<DocumentEnd> {
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rest = word.get(digits..)?.strip_prefix(b"<<")?;
        let (rest, after_tabs) = match rest.strip_prefix(b"-") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let word: Vec<u8> = rest
            .iter()
            .copied()
            .filter(|byte| !matches!(byte, b'"' | b'\'' | b'\\'))
            .collect();
        (!word.is_empty() && !word.contains(&b'<')).then_some(DocumentEnd { word, after_tabs })
    }

    /// Says whether a line is the end.
    pub(super) fn is(&self, line: &[u8]) -> bool {
        let tabs = match self.after_tabs {
            true => line.iter().take_while(|&&byte| byte == b'\t').count(),
            false => 0,
        };
        line.get(tabs..) == Some(&self.word[..])
    }
}
