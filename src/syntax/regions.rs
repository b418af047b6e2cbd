//! Regions: what is between `# region name` and `# endregion`, in the comments of the file's own language.
//!
//! As in the editors that know them, a closing comment closes the innermost region that is open; one that names a region
//! closes that. What is never closed is no region, nor is what a comment with the name of none that is open closes.

use std::collections::BTreeMap;

use super::{Language, directives};
use crate::text::{Lines, Span};

/// One region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentRegion {
    /// What is after `region`, runs of white space as one space; never empty.
    pub name: String,
    /// The comment that opens it.
    pub open: Span,
    /// The comment that closes it.
    pub close: Span,
}

/// What begins and ends a comment, in files of a language that is not read here. An empty end is the end of the line.
const MARKS: [(&str, &str); 9] = [
    ("<!--", "-->"),
    ("/*", "*/"),
    ("{#", "#}"),
    ("(*", "*)"),
    ("//", ""),
    ("--", ""),
    ("#", ""),
    (";", ""),
    ("%", ""),
];

/// Returns the regions of a file in file order, by the comments of its `language`; of a file that is not read here, by all
/// lines that begin as comments do somewhere.
pub fn regions(source: &[u8], language: Option<&Language>) -> Vec<CommentRegion> {
    let has = |needle: &[u8]| memchr::memmem::find(source, needle).is_some();
    if !has(b"egion") && !has(b"EGION") {
        return Vec::new();
    }
    let mut open = OpenRegions::default();
    let mut found = Vec::new();
    for (span, marker) in markers(source, language) {
        match marker {
            Marker::Open(name) => open.push(name, span),
            Marker::Close(named) => {
                let wanted = named.as_ref().and_then(|name| open.innermost(name));
                open.stack
                    .truncate(wanted.map_or(open.stack.len(), |at| at + 1));
                let Some((name, start)) = open.stack.pop() else {
                    continue;
                };
                let certain = named.is_none() || wanted.is_some();
                found.extend(name.filter(|_| certain).map(|name| CommentRegion {
                    name,
                    open: start,
                    close: span,
                }));
            }
        }
    }
    found.sort_by_key(|region| region.open);
    found
}

/// Returns the first comment that closes no region, or that opens one that is not closed.
pub fn unpaired(source: &[u8], language: Option<&Language>) -> Option<Span> {
    let mut open: Vec<Span> = Vec::new();
    for (span, marker) in markers(source, language) {
        match marker {
            Marker::Open(_) => open.push(span),
            Marker::Close(_) if open.pop().is_none() => return Some(span),
            Marker::Close(_) => {}
        }
    }
    open.first().copied()
}

/// Says whether a comment, or a line of it, opens or closes a region, or a stretch for some tool: such a one belongs to no
/// definition below it.
pub fn is_border(comment: &[u8]) -> bool {
    directives::is_border(comment)
        || memchr::memmem::find(comment, b"egion").is_some()
            && comment
                .split(|&byte| byte == b'\n')
                .filter_map(|line| comment_text(line.trim_ascii()))
                .any(|(_, text)| marker(text).is_some())
}

/// The regions that are open.
#[derive(Default)]
struct OpenRegions {
    stack: Vec<(Option<String>, Span)>,
    /// Where in the stack each name was put last; what was taken off since is found out when it is asked for.
    by_name: BTreeMap<String, Vec<usize>>,
}

impl OpenRegions {
    fn push(&mut self, name: Option<String>, span: Span) {
        if let Some(name) = &name {
            self.by_name
                .entry(name.clone())
                .or_default()
                .push(self.stack.len());
        }
        self.stack.push((name, span));
    }

    fn innermost(&mut self, name: &str) -> Option<usize> {
        let places = self.by_name.get_mut(name)?;
        loop {
            let at = *places.last()?;
            if self
                .stack
                .get(at)
                .is_some_and(|(open, _)| open.as_deref() == Some(name))
            {
                return Some(at);
            }
            places.pop();
        }
    }
}

enum Marker {
    Open(Option<String>),
    Close(Option<String>),
}

/// Returns the comments that open or close a region, each alone on its line, in file order.
fn markers(source: &[u8], language: Option<&Language>) -> Vec<(Span, Marker)> {
    let lines = Lines::of(source);
    let mut found = Vec::new();
    let mut asked_until = 0;
    // What has the word in no case is looked at no closer.
    for at in words(source) {
        let number = lines.line(at);
        if number <= asked_until {
            continue;
        }
        asked_until = number;
        let line = lines.content(source, number);
        let text = line.of(source);
        let text = text.strip_prefix(crate::text::BOM).unwrap_or(text);
        if text.len() > LONGEST {
            continue;
        }
        let start = line.end - text.trim_ascii_start().len();
        let span = Span::new(start, start + text.trim_ascii().len());
        let Some((mark, text)) = comment_text(span.of(source)) else {
            continue;
        };
        found.extend(marker(text).map(|marker| (span, mark, marker)));
    }
    // Files speak of regions more often than they have any; only then are their comments worth a parse.
    let unsure = found.iter().any(|(_, mark, _)| *mark != "{#");
    let comments = language
        .filter(|_| unsure)
        .map(|language| language.grammar.comments(source));
    let is_comment = |span: Span| {
        let comments = comments.as_deref().unwrap_or_default();
        let comment = comments.binary_search_by_key(&span.start, |comment| comment.start);
        comment
            .ok()
            .and_then(|at| comments.get(at))
            .is_some_and(|comment| comment.end >= span.end)
    };
    found.retain(|(span, mark, _)| language.is_none() || *mark == "{#" || is_comment(*span));
    found
        .into_iter()
        .map(|(span, _, marker)| (span, marker))
        .collect()
}

/// Returns, in order, where the word that makes a region may be, in either case or in both.
fn words(source: &[u8]) -> Vec<usize> {
    let letters = memchr::memchr2_iter(b'g', b'G', source);
    letters
        .filter(|&at| at >= 2 && source.get(at - 2..).is_some_and(begins_with_region))
        .collect()
}

/// Says whether `text` begins with `region`, in either case.
fn begins_with_region(text: &[u8]) -> bool {
    text.get(..6)
        .is_some_and(|word| word.eq_ignore_ascii_case(b"region"))
}

/// Longest line in bytes that is looked at: a marker is a short comment.
const LONGEST: usize = 1024;

/// Returns what begins the comment that a whole line is, and the text in it.
fn comment_text(line: &[u8]) -> Option<(&'static str, &str)> {
    let line = std::str::from_utf8(line).ok()?;
    MARKS.into_iter().find_map(|(mark, end)| {
        let text = line.strip_prefix(mark)?.strip_suffix(end)?;
        let first = mark.chars().last()?;
        // `///`, `##`, `{#-`: more of the mark's own, and the signs of a template.
        Some((
            mark,
            text.trim_start_matches(first)
                .trim_matches(['-', '+', '!'])
                .trim(),
        ))
    })
}

fn marker(text: &str) -> Option<Marker> {
    let text = text.strip_prefix('#').unwrap_or(text).trim_start();
    let (end, rest) = match strip_word(text, "end") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text),
    };
    let rest = strip_word(rest, "region")?;
    if rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
        return None;
    }
    // A line that says what the region of something is, and is commented out.
    let value = rest.trim_start().strip_prefix('=');
    if value.is_some_and(|value| !value.starts_with(['=', '-', '*']) && !value.is_empty()) {
        return None;
    }
    let rest = rest.trim_start().strip_prefix(':').unwrap_or(rest);
    let name = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name
        .strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'))
        .unwrap_or(&name);
    let name = name.trim_matches(['-', '=', '*', ' ']);
    let name = Some(name.to_owned()).filter(|name| !name.is_empty());
    Some(if end {
        Marker::Close(name)
    } else {
        Marker::Open(name)
    })
}

/// Takes `word` off the front, in either case.
fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::syntax::language_of;

    fn check(path: &str, source: &str, expected: &[&str]) {
        let language = language_of(&RepoPath::parse(path).unwrap());
        let lines = Lines::of(source.as_bytes());
        let found: Vec<String> = regions(source.as_bytes(), language)
            .iter()
            .map(|region| {
                format!(
                    "{} {}-{}",
                    region.name,
                    lines.line(region.open.start),
                    lines.line(region.close.start)
                )
            })
            .collect();
        assert_eq!(found, expected, "{path}: {source:?}");
    }

    #[test]
    fn every_language_has_its_own_comments() {
        check("a.py", "# region a\nx = 1\n# endregion\n", &["a 1-3"]);
        check("a.py", "#region a\nx = 1\n#endregion a\n", &["a 1-3"]);
        check("a.py", "x = '''\n# region a\n# endregion\n'''\n", &[]);
        check("a.py", "// region a\n// endregion\n", &[]);
        check("a.js", "// region a b\nf();\n// endregion\n", &["a b 1-3"]);
        check("a.js", "//#region a\nf();\n//#endregion\n", &["a 1-3"]);
        check(
            "a.js",
            "/* region a */\nf();\n/* endregion */\n",
            &["a 1-3"],
        );
        check(
            "a.ts",
            "class A {\n    // #region a\n    b = 1;\n    // #endregion\n}\n",
            &["a 2-4"],
        );
        check(
            "a.rs",
            "// region: a\nfn f() {}\n// endregion: a\n",
            &["a 1-3"],
        );
        check("a.go", "package a\n// region a\n// endregion\n", &["a 2-3"]);
        check(
            "a.md",
            "<!-- region a -->\n# b\n<!-- endregion -->\n",
            &["a 1-3"],
        );
        check("a.md", "# region a\n\n# endregion\n", &[]);
        check(
            "a.md",
            "```\n<!-- region a -->\n<!-- endregion -->\n```\n",
            &[],
        );
        check("a.cs", "#region a\n#endregion\n", &["a 1-2"]);
        check(
            "a.css",
            "/* #region a */\nb {}\n/* #endregion */\n",
            &["a 1-3"],
        );
        check("a.sql", "-- region a\n-- endregion\n", &["a 1-2"]);
        check("a.vb", "#Region \"a b\"\n#End Region\n", &["a b 1-2"]);
        check(
            "a.py.jinja2",
            "{#- region a -#}\n{# endregion #}\n",
            &["a 1-2"],
        );
        check(
            "a.xml",
            "<!-- #region a -->\r\n<!-- #endregion -->\r\n",
            &["a 1-2"],
        );
    }

    #[test]
    fn borders_are_told_from_other_comments() {
        let check = |comment: &str, expected: bool| {
            assert_eq!(is_border(comment.as_bytes()), expected, "{comment}")
        };
        check("# region limits", true);
        check("# region =====", true);
        check("# region  = \"eu-west-1\"", false);
        check("    # region=\"eu\",", false);
        check("//#endregion", true);
        check("# About this region.", false);
        check("# one\n    # endregion", true);
        check("# one", false);
    }

    #[test]
    fn regions_nest_and_what_is_not_closed_is_none() {
        check(
            "a.py",
            "# region a\n# region b\n# endregion\n# endregion\n",
            &["a 1-4", "b 2-3"],
        );
        check("a.py", "# region a\nx = 1\n", &[]);
        check("a.py", "# region a\n# region b\n# endregion\n", &["b 2-3"]);
        check(
            "a.py",
            "# region a\n# region of interest\n# endregion a\n",
            &["a 1-3"],
        );
        check("a.py", "# region a\n# endregion b\n", &[]);
        check("a.py", "# endregion\n# region a\n# endregion\n", &["a 2-3"]);
        check(
            "a.py",
            "# region\n# region a\n# endregion\n# endregion\n",
            &["a 2-3"],
        );
        check("a.py", "# regional\n# endregion\n# region_a\n", &[]);
        check("a.py", "x = 1  # region a\n# endregion\n", &[]);
        check(
            "a.py",
            "# region a\n# endregion\n# region a\n# endregion\n",
            &["a 1-2", "a 3-4"],
        );
        check("a.py", "\u{feff}# region a\r\nx\r\n# endregion", &["a 1-3"]);
    }
}
