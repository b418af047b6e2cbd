//! Conditional lines: `#if`, `#else`, `#endif` and their like, which say what of a file counts.
//!
//! In: the bytes of a file; out: those that belong together, or the first that is alone. By the C standard (6.10.1) and its like of the
//! other languages they pair within one file.
//!
//! Known limit: a raw string of C++ that holds such a line is not told from code.

use super::jinja::TagGroup;
use crate::text::{Lines, Span};

/// A line that belongs to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoneCondition {
    /// The line, from its sign to its end.
    pub(crate) line: Span,
    /// What it lacks.
    pub(crate) lacks: LackedCondition,
}

/// What a conditional line lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LackedCondition {
    /// The line that begins what it parts or ends.
    Begin,
    /// The line that ends it.
    End,
    /// The right to part: it comes after an `#else`.
    Place,
}

/// What a line does to a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Begins,
    Parts,
    PartsLast,
    Ends,
}

/// Returns the conditional lines of a file that belong together, each group in file order, or the first that is alone.
pub(crate) fn conditions(bytes: &[u8]) -> Result<Vec<TagGroup>, LoneCondition> {
    if memchr::memmem::find(bytes, b"if").is_none() {
        return Ok(Vec::new());
    }
    let mut open: Vec<(Vec<Span>, bool)> = Vec::new();
    let mut groups = Vec::new();
    for (line, role) in conditional_lines(bytes) {
        let lone = |lacks| LoneCondition { line, lacks };
        match role {
            Role::Begins => open.push((vec![line], false)),
            Role::Parts | Role::PartsLast => {
                let (tags, is_last) = open.last_mut().ok_or(lone(LackedCondition::Begin))?;
                if *is_last {
                    return Err(lone(LackedCondition::Place));
                }
                *is_last = role == Role::PartsLast;
                tags.push(line);
            }
            Role::Ends => {
                let (mut tags, _) = open.pop().ok_or(lone(LackedCondition::Begin))?;
                tags.push(line);
                groups.push(TagGroup::of(tags));
            }
        }
    }
    match open.pop().and_then(|(tags, _)| tags.first().copied()) {
        Some(line) => Err(LoneCondition {
            line,
            lacks: LackedCondition::End,
        }),
        None => {
            groups.sort_by_key(|group: &TagGroup| group.tags.first().map(|tag| tag.start));
            Ok(groups)
        }
    }
}

/// Returns the conditional lines of a file, each from its sign to its end.
fn conditional_lines(bytes: &[u8]) -> Vec<(Span, Role)> {
    let lines = Lines::of(bytes);
    let mut found = Vec::new();
    let mut inside = Inside::default();
    let mut is_continued = false;
    for number in 1..=lines.count() {
        let content = lines.content(bytes, number);
        let text = content.of(bytes);
        let start = text.len() - text.trim_ascii_start().len();
        let line = Span::new(content.start + start, content.end);
        if !is_continued
            && inside == Inside::default()
            && let Some(role) = role(line.of(bytes))
        {
            found.push((line, role));
        }
        is_continued = text.ends_with(b"\\");
        inside.read(text);
    }
    found
}

fn role(line: &[u8]) -> Option<Role> {
    let rest = line.strip_prefix(b"#")?.trim_ascii_start();
    let end = rest.iter().position(|byte| !byte.is_ascii_alphabetic());
    match &rest[..end.unwrap_or(rest.len())] {
        b"if" | b"ifdef" | b"ifndef" => Some(Role::Begins),
        b"elif" | b"elifdef" | b"elifndef" | b"elseif" => Some(Role::Parts),
        b"else" => Some(Role::PartsLast),
        b"endif" => Some(Role::Ends),
        _ => None,
    }
}

/// What the end of a line is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Code,
    /// `/* … */`
    Comment,
    /// `""" … """`
    Text,
}

impl Inside {
    /// Reads one line. A quote that a line leaves open ends with it.
    fn read(&mut self, line: &[u8]) {
        let mut quote = None;
        let mut at = 0;
        while let Some(&byte) = line.get(at) {
            let rest = &line[at..];
            let step = match (*self, quote) {
                (Inside::Comment, _) if rest.starts_with(b"*/") => {
                    *self = Inside::Code;
                    2
                }
                (Inside::Text, _) if rest.starts_with(b"\"\"\"") => {
                    *self = Inside::Code;
                    3
                }
                (Inside::Comment | Inside::Text, _) => 1,
                (Inside::Code, Some(_)) if byte == b'\\' => 2,
                (Inside::Code, Some(opener)) => {
                    if byte == opener {
                        quote = None;
                    }
                    1
                }
                (Inside::Code, None) if rest.starts_with(b"//") => return,
                (Inside::Code, None) if rest.starts_with(b"/*") => {
                    *self = Inside::Comment;
                    2
                }
                (Inside::Code, None) if rest.starts_with(b"\"\"\"") => {
                    *self = Inside::Text;
                    3
                }
                (Inside::Code, None) => {
                    // One that has its other end on the line: `don't`, `1'000` have none.
                    let is_quote = matches!(byte, b'"' | b'\'') && rest[1..].contains(&byte);
                    quote = is_quote.then_some(byte);
                    1
                }
            };
            at += step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the words of each group, or of the line that is alone.
    fn told(text: &str) -> Result<Vec<String>, (String, LackedCondition)> {
        let word = |span: &Span| text[span.start..span.end].to_owned();
        conditions(text.as_bytes())
            .map(|groups| {
                let words = |group: &TagGroup| group.tags.iter().map(word).collect::<Vec<_>>();
                groups.iter().map(|group| words(group).join("; ")).collect()
            })
            .map_err(|lone| (word(&lone.line), lone.lacks))
    }

    #[test]
    fn what_begins_parts_and_ends_belongs_together() {
        let groups = |text| told(text).unwrap();
        assert_eq!(
            groups("#ifdef A\na\n# if B\n  #elif C\n# endif\n#else\nb\n#endif // A\n"),
            ["#ifdef A; #else; #endif // A", "# if B; #elif C; # endif"]
        );
        assert_eq!(
            groups("#if DEBUG\n#elseif os(Linux)\n#endif\n#include \"if.h\"\n"),
            ["#if DEBUG; #elseif os(Linux); #endif"]
        );
    }

    #[test]
    fn one_that_is_alone_is_found() {
        for (text, line, lacks) in [
            ("#endif\n", "#endif", LackedCondition::Begin),
            ("#if A\n#endif\n#else\n", "#else", LackedCondition::Begin),
            ("#if A\n#ifdef B\n#endif\n", "#if A", LackedCondition::End),
            (
                "#if A\n#else\n#elif B\n#endif\n",
                "#elif B",
                LackedCondition::Place,
            ),
        ] {
            assert_eq!(told(text), Err((line.to_owned(), lacks)), "{text}");
        }
    }

    #[test]
    fn what_is_no_code_does_not_count() {
        for text in [
            "/* if\n#endif\n*/\n",
            "// if\n",
            "let a = \"\"\"\n#if\n\"\"\"\n",
            "#define M(x) if \\\n#endif\n",
            "char *a = \"/*\"; // if\n",
            "#error don't /* if\n#endif\n*/\n",
        ] {
            assert_eq!(told(text), Ok(Vec::new()), "{text}");
        }
        assert!(told("char *a = \"/*\"; char b = '\"';\n#if\n").is_err());
    }
}
