//! Placeholders: a comment that stands for code left out ("… rest unchanged …") must not get into a file.

use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::{FileEdit, Written};
use crate::syntax::language_of;

/// An ellipsis and a word that speaks of code which is elsewhere, or a sentence that says so outright.
static STANDS_FOR_CODE: LazyLock<Regex> = LazyLock::new(|| {
    const CODE: &str = "(code|implementation|logic|body|lines|content|methods?|functions?|fields|imports?|tests?)";
    const DOTS: &str = r"(\.\.\.|…)";
    let words = format!(
        "rest of|the rest|rest unchanged|remainder|unchanged|(existing|remaining|previous|original|other) {CODE}|\
         {CODE} omitted|omitted for brevity|same as (before|above)|as before"
    );
    let text = format!(
        r"(?i)({DOTS}.*\b({words})\b|\b({words})\b.*{DOTS}|{DOTS}\s*(rest|existing)\b|\b(rest|existing)\s*{DOTS}|\b(rest|remainder) of (the |this )?\w+( \w+)? (is |remains |stays )?(unchanged|the same|here)|\b(existing|remaining|previous|original) {CODE} (here|goes here|unchanged|remains|stays))"
    );
    Regex::new(&text).expect("the pattern is a constant that a test compiles")
});

/// Returns a refusal for each placeholder that an operation wrote and that the bytes it replaced did not have.
pub fn check(edit: &FileEdit) -> Vec<Diagnostic> {
    edit.written.iter().flat_map(|written| placeholders(edit, written)).collect()
}

/// Says whether the content holds any of the words that a placeholder begins with. Compiling the pattern costs more than
/// the rest of a small batch, and hardly any content needs it.
fn may_hold_one(content: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 6] =
        [b"rest of ", b"remainder of ", b"existing ", b"remaining ", b"previous ", b"original "];
    let has = |needle: &[u8]| memchr::memmem::find(content, needle).is_some();
    if has(b"...") || has("…".as_bytes()) {
        return true;
    }
    let folded = content.to_ascii_lowercase();
    BEGINNINGS.iter().any(|beginning| memchr::memmem::find(&folded, beginning).is_some())
}

fn placeholders(edit: &FileEdit, written: &Written) -> Vec<Diagnostic> {
    let content = written.content.as_bytes();
    if !may_hold_one(content) || !STANDS_FOR_CODE.is_match(content) {
        return Vec::new();
    }
    comments(edit, content)
        .into_iter()
        .filter(|comment| STANDS_FOR_CODE.is_match(comment))
        .filter(|comment| memchr::memmem::find(&written.replaced, comment).is_none())
        .map(|comment| {
            let text = String::from_utf8_lossy(comment).trim().to_owned();
            let message = format!("the content for {} stands in for code left out: `{}`", edit.path, shown(&text));
            Diagnostic::new(Code::Placeholder, message)
                .note("write the code in full; a smaller segment or part needs less of it")
                .of_operation(written.operation)
        })
        .collect()
}

/// Returns the comments of the content; in a file that no grammar reads, lines that begin as comments usually do.
fn comments<'c>(edit: &FileEdit, content: &'c [u8]) -> Vec<&'c [u8]> {
    const MARKS: [&[u8]; 7] = [b"#", b"//", b"/*", b"<!--", b"--", b"{#", b"{%"];
    match language_of(&edit.path) {
        Some(language) => {
            let spans = language.grammar.comments(content);
            spans.into_iter().filter_map(|span| content.get(span.start..span.end)).map(<[u8]>::trim_ascii).collect()
        }
        None => content
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::trim_ascii)
            .filter(|line| MARKS.iter().any(|mark| line.starts_with(mark)))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_that_stand_for_code_are_told() {
        let check = |comment: &str, expected: bool| {
            let found = may_hold_one(comment.as_bytes()) && STANDS_FOR_CODE.is_match(comment.as_bytes());
            assert_eq!(found, expected, "{comment}");
        };
        check("# ... rest of the function ...", true);
        check("// … existing code …", true);
        check("# rest of the method unchanged", true);
        check("/* existing code here */", true);
        check("# ... (unchanged)", true);
        check("<!-- rest unchanged ... -->", true);
        check("# retry the rest later", false);
        check("# loading...", false);
        check("# the previous value", false);
        check("# existing users", false);
        check("# variant: name omitted, so it must be ... something", false);
        check("# ... keep going", false);
        check("# ... existing ...", true);
        check("# ... other methods ...", true);
    }
}
