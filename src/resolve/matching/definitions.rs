//! Which definition a line opens: siblings such as `min_set` and `max_set` are nearer to each other than what a caller
//! misremembers of either, so that a line which opens one never stands for a line which opens another.
//!
//! Told by the line alone, in all languages alike: the block around it may begin and end in the middle of anything. A
//! line that only looks like a header costs a match at most.

use crate::text::diff::words;

/// Words ahead of the name that is defined.
const OPENERS: &[&[u8]] = &[
    b"def",
    b"class",
    b"fn",
    b"func",
    b"function",
    b"fun",
    b"struct",
    b"enum",
    b"union",
    b"trait",
    b"interface",
    b"impl",
    b"type",
    b"mod",
    b"module",
    b"namespace",
    b"package",
    b"macro_rules",
    b"record",
    b"protocol",
    b"extension",
    b"sub",
    b"proc",
    b"defp",
    b"defmodule",
];

/// Words with a parenthesis behind them that open a block and define nothing.
const STATEMENTS: &[&[u8]] = &[
    b"if",
    b"for",
    b"while",
    b"switch",
    b"catch",
    b"with",
    b"return",
    b"elif",
    b"match",
    b"foreach",
    b"using",
    b"lock",
    b"synchronized",
    b"super",
    b"do",
    b"else",
    b"unless",
    b"until",
    b"when",
    b"and",
    b"or",
    b"not",
    b"await",
    b"yield",
];

/// Words that no definition is named by.
const LINKS: &[&[u8]] = &[b"in", b"is", b"as", b"of", b"to", b"the", b"a"];

/// Returns the names that a line defines as a header would: after a word that opens a definition, ahead of parentheses
/// and a brace that opens a body, or as the name of what becomes a function; for Markdown the heading.
pub(super) fn defined(line: &[u8], markdown: bool) -> Option<Vec<u8>> {
    let line = line.trim_ascii();
    let level = line.iter().take_while(|&&byte| byte == b'#').count();
    if markdown && (1..=6).contains(&level) && line.get(level) == Some(&b' ') {
        return Some(line.to_vec());
    }
    if [&b"#"[..], b"//", b"*", b"/*", b"--", b";", b"\"", b"'"]
        .iter()
        .any(|mark| line.starts_with(mark))
    {
        return None;
    }
    let words: Vec<&[u8]> = words(line)
        .into_iter()
        .filter(|word| !word.iter().all(u8::is_ascii_whitespace))
        .collect();
    opened(&words)
        .or_else(|| method(&words))
        .or_else(|| bound(&words))
}

fn is_name(word: &[u8]) -> bool {
    word.first()
        .is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80)
}

/// `pub fn name`, `func (r *T) name`, `class name`.
fn opened(words: &[&[u8]]) -> Option<Vec<u8>> {
    const MOST_MODIFIERS: usize = 6;
    let at = words
        .iter()
        .take(MOST_MODIFIERS)
        .position(|word| OPENERS.contains(word))?;
    // What opens a definition has nothing but words ahead of it: `x = type(y)` opens none.
    if !words[..at]
        .iter()
        .all(|word| is_name(word) || [&b"("[..], b")", b":", b"@"].contains(word))
    {
        return None;
    }
    let mut rest = &words[at + 1..];
    if words[at] == b"func" && rest.first() == Some(&&b"("[..]) {
        let close = rest.iter().position(|word| *word == b")")?;
        rest = &rest[close + 1..];
    }
    if words[at] == b"impl" {
        return Some(
            rest.iter()
                .take_while(|word| **word != b"{")
                .copied()
                .collect::<Vec<_>>()
                .concat(),
        );
    }
    // `function* name` and `macro_rules! name`.
    if matches!(rest.first(), Some(&b"*" | &b"!")) {
        rest = &rest[1..];
    }
    // `if func in callers` and `a function - or two` open none.
    let name = rest
        .first()
        .filter(|word| is_name(word) && !STATEMENTS.contains(word) && !LINKS.contains(word))?;
    Some(name.to_vec())
}

/// `async name(first, second) {`, `public int name(int first) {`.
fn method(words: &[&[u8]]) -> Option<Vec<u8>> {
    if words.last() != Some(&&b"{"[..]) {
        return None;
    }
    let open = words.iter().position(|word| *word == b"(")?;
    let name = words.get(open.checked_sub(1)?)?;
    // A call that is given a function opens a block, too: its own parenthesis stays open.
    if closing(&words[open..])? != words[open..].iter().rposition(|word| *word == b")")? {
        return None;
    }
    let ahead = &words[..open - 1];
    let plain = ahead.iter().all(|word| {
        !STATEMENTS.contains(word) && !matches!(*word, b"=" | b"." | b"(" | b")" | b"{" | b"}")
    });
    (is_name(name) && plain && !STATEMENTS.contains(name)).then(|| name.to_vec())
}

/// Returns where the parenthesis that `words` begin with is closed.
fn closing(words: &[&[u8]]) -> Option<usize> {
    let mut depth = 0usize;
    words.iter().position(|word| {
        depth = match *word {
            b"(" => depth + 1,
            b")" => depth.saturating_sub(1),
            _ => depth,
        };
        depth == 0
    })
}

/// `const name = (first) => {`, `name: function (first) {`, `exports.name = async () => {`.
fn bound(words: &[&[u8]]) -> Option<Vec<u8>> {
    let binds = words.iter().position(|word| matches!(*word, b"=" | b":"))?;
    let rest = &words[binds + 1..];
    let arrow = words.ends_with(&[b"=", b">", b"{"])
        || rest.windows(2).any(|pair| pair == [&b"="[..], b">"]);
    let makes = rest
        .first()
        .is_some_and(|word| matches!(*word, b"function" | b"class" | b"async" | b"("));
    (makes && (arrow || rest.contains(&&b"function"[..]) || rest.contains(&&b"class"[..])))
        .then(|| words[..binds].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_what_they_define() {
        let check = |line: &str, expected: Option<&str>| {
            let found =
                defined(line.as_bytes(), false).map(|name| String::from_utf8(name).unwrap());
            assert_eq!(found.as_deref(), expected, "{line}");
        };
        check("    async def run(self):", Some("run"));
        check("class Worker(Base):", Some("Worker"));
        check(
            "pub(crate) fn places(text: &[u8]) -> Vec<Span> {",
            Some("places"),
        );
        check("func (w *Worker) Run() error {", Some("Run"));
        check("impl Display for Span {", Some("DisplayforSpan"));
        check("  public static int sum(int a, int b) {", Some("sum"));
        check("export default function main(", Some("main"));
        check("const sum = (a, b) => {", Some("constsum"));
        check("exports.sum = function (a, b) {", Some("exports.sum"));
        check("  async load(path) {", Some("load"));
        check("if (first(a)) {", None);
        check("it('adds', function () {", None);
        check("} else if (x) {", None);
        check("value = type(other)", None);
        check("# def old():", None);
        check("function* walk(tree) {", Some("walk"));
        check("macro_rules! check {", Some("check"));
        check("if func in callers:", None);
        check("private functions and a function - or two", None);
        check("return worker.run(", None);
        check("const total = first + second;", None);
    }

    #[test]
    fn headings_name_sections() {
        assert_eq!(defined(b"## Usage", true), Some(b"## Usage".to_vec()));
        assert_eq!(defined(b"#hash", true), None);
        assert_eq!(defined(b"fn run() {", true), Some(b"run".to_vec()));
    }
}
