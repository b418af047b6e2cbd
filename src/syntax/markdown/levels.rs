//! Headings of another level: a section that `move` puts below another one has them so much deeper; `insert` keeps them as they are written.

use super::language::MARKDOWN;
use crate::syntax::Symbol;
use crate::text::Span;
use crate::text::splice::{Splice, Splices};

/// The deepest level that there is.
const DEEPEST: i16 = 6;

/// Returns `section`, with its own heading at `level`, and those inside of it as much deeper as they were; `None` where one would be
/// deeper than there is.
pub fn at_level(section: &[u8], level: u8) -> Option<Vec<u8>> {
    let outline = MARKDOWN.grammar.fragment_outline(section, None);
    let first = outline.symbols.first()?;
    let by = i16::from(level) - i16::from(first.level);
    if by == 0 {
        return Some(section.to_vec());
    }
    let mut splices = Vec::new();
    let mut waiting: Vec<&Symbol> = outline.symbols.iter().collect();
    while let Some(symbol) = waiting.pop() {
        let wanted = i16::from(symbol.level) + by;
        let wanted = u8::try_from(wanted).ok().filter(|it| *it >= 1)?;
        if i16::from(wanted) > DEEPEST {
            return None;
        }
        splices.extend(releveled(section, symbol, wanted));
        waiting.extend(&symbol.children);
    }
    let splices = Splices::new(splices).ok()?;
    Some(splices.apply(section))
}

/// Returns what makes a heading one of `level`: other markers, or another line below it; below the second level there is no such line.
fn releveled(text: &[u8], symbol: &Symbol, level: u8) -> Vec<Splice> {
    let heading = symbol.signature;
    let own = heading.of(text);
    let blanks = own.iter().take_while(|byte| **byte == b' ').count();
    let marks = own[blanks..]
        .iter()
        .take_while(|byte| **byte == b'#')
        .count();
    let wanted = "#".repeat(usize::from(level));
    if marks > 0 {
        let start = heading.start + blanks;
        let mut splices = vec![Splice::new(Span::new(start, start + marks), wanted.clone())];
        let rest = own[blanks + marks..].trim_ascii_end();
        let closing = rest.iter().rev().take_while(|it| **it == b'#').count();
        let ahead = &rest[..rest.len() - closing];
        if closing > 0 && ahead.ends_with(b" ") {
            let end = heading.start + blanks + marks + rest.len();
            splices.push(Splice::new(Span::new(end - closing, end), wanted));
        }
        return splices;
    }
    let Some(line) = own.iter().rposition(|byte| *byte == b'\n') else {
        return Vec::new();
    };
    let below = own[line + 1..].trim_ascii();
    let start =
        heading.start + line + 1 + own[line + 1..].len() - own[line + 1..].trim_ascii_start().len();
    let span = Span::new(start, start + below.len());
    match level {
        1 => vec![Splice::new(span, "=".repeat(below.len()))],
        2 => vec![Splice::new(span, "-".repeat(below.len().max(3)))],
        _ => {
            // Of several lines, the words go on as one heading.
            let words = String::from_utf8_lossy(&own[..line]).replace(['\r', '\n'], " ");
            vec![Splice::new(heading, format!("{wanted} {}", words.trim()))]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_take_on_a_level() {
        #[track_caller]
        fn check(text: &str, level: u8, expected: Option<&str>) {
            let found = at_level(text.as_bytes(), level);
            let found = found.map(|found| String::from_utf8(found).unwrap());
            assert_eq!(found.as_deref(), expected, "{text:?}");
        }
        check("## A\n\nx\n\n### B\n", 3, Some("### A\n\nx\n\n#### B\n"));
        check("### A\n#### B\n", 1, Some("# A\n## B\n"));
        check("## A ##\n", 3, Some("### A ###\n"));
        check("## A C#\n", 3, Some("### A C#\n"));
        check("A\n===\n\nB\n---\n", 2, Some("A\n---\n\n### B\n"));
        check("B\n---\n", 1, Some("B\n===\n"));
        check(
            "## A\n```\n## no\n```\n",
            3,
            Some("### A\n```\n## no\n```\n"),
        );
        check("##### A\n###### B\n", 6, None);
        check("## A\n", 2, Some("## A\n"));
    }
}
