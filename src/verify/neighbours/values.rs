//! A value on the line of the word that gives it: in JavaScript `return` ends with its line, and what is on the next one is a statement
//! of its own that nothing reaches.
//!
//! Example: with a line break between `return` and `<List />`, nothing is returned.
//!
//! Known limits: who puts a `return` without a `;` above statements that are to be left out is refused as well.

use super::guard::Guard;
use crate::syntax::Statement;
use crate::text::Span;

/// Words that begin a statement which is no expression.
const BEGINNING: &[&str] = &[
    "abstract",
    "break",
    "class",
    "const",
    "continue",
    "debugger",
    "declare",
    "do",
    "enum",
    "export",
    "for",
    "function",
    "if",
    "import",
    "interface",
    "let",
    "namespace",
    "return",
    "switch",
    "throw",
    "try",
    "type",
    "var",
    "while",
];

/// Returns the first word that is alone on its line in the new file, at the edge of an edit or in it, with what may be its value
/// below it, and that was not alone before.
pub(super) fn left_alone(
    guard: &Guard,
    (before, old): (&[Statement], &[u8]),
    (after, new): (&[Statement], &[u8]),
) -> Option<Span> {
    let was_alone = |word: Span| {
        let from = before
            .iter()
            .find(|it| guard.moves.after(it.span.start) == word.start);
        from.is_some_and(|it| it.span.of(old) == word.of(new))
    };
    let is_edited =
        |from: usize, to: usize| guard.sides.new.at(Span::new(from, to)).next().is_some();
    let parted = after.array_windows::<2>().find(|[word, value]| {
        value.depth == word.depth
            && may_be_parted(word.span.of(new), value.span.of(new))
            && !new
                .get(word.span.end..value.span.start)
                .is_some_and(|gap| gap.trim_ascii().starts_with(b";"))
            && is_edited(word.span.start, value.span.start)
            && !was_alone(word.span)
    });
    // Before some signs the grammar knows of no line that ends: it has what begins with them for the value.
    let joined = || {
        after.iter().find_map(|it| {
            let word = word_of_line(it.span.of(new))?;
            let was_joined = || {
                before.iter().any(|was| {
                    guard.moves.after(was.span.start) == it.span.start
                        && word_of_line(was.span.of(old)).is_some()
                })
            };
            (is_edited(it.span.start, it.span.end) && !was_joined())
                .then(|| Span::new(it.span.start, it.span.start + word))
        })
    };
    parted.map(|[word, _]| word.span).or_else(joined)
}

/// Returns the length of the word that a statement begins with, if that ends its line and is one that may have a value.
fn word_of_line(statement: &[u8]) -> Option<usize> {
    let line = statement
        .split(|&byte| byte == b'\n')
        .next()
        .filter(|line| line.len() < statement.len())?;
    let word = [&b"return"[..], b"yield"]
        .into_iter()
        .find(|word| line.starts_with(word))?;
    let rest = line.get(word.len()..)?.trim_ascii();
    let is_remark = rest.starts_with(b"//") || rest.starts_with(b"/*") && rest.ends_with(b"*/");
    (rest.is_empty() || is_remark).then_some(word.len())
}

/// Says whether `word` is one that may have a value, and `value` may be that.
fn may_be_parted(word: &[u8], value: &[u8]) -> bool {
    let is_of_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii();
    match word {
        b"return" | b"yield" => {
            let first = value.iter().take_while(|byte| is_of_name(byte)).count();
            let is_async_function = value.starts_with(b"async function");
            !is_async_function
                && !BEGINNING
                    .iter()
                    .any(|word| word.as_bytes() == &value[..first])
        }
        // A label.
        b"break" | b"continue" => value.iter().all(is_of_name),
        _ => false,
    }
}
