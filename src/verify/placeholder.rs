//! Placeholders: a comment that stands for code left out ("… rest unchanged …") must not get into a file.

use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::{FileEdit, WrittenContent};
use crate::syntax::markdown::MARKDOWN;
use crate::text::line_count;

/// An ellipsis and a word that speaks of code which is elsewhere, or a sentence that says so outright.
static STANDS_FOR_CODE: LazyLock<Regex> = LazyLock::new(|| {
    const CODE: &str =
        "(code|implementation|logic|body|lines|content|methods?|functions?|fields|imports?|tests?)";
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

/// A comment that is nothing but such a sentence, and that nobody writes above code that is there.
static IS_THE_SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    const CODE: &str = "(code|implementation|logic)";
    const LEFT: &str = "(unchanged|the same|as is|as before|not changed|omitted( for brevity)?|omitted for clarity)";
    let text = format!(
        r"(?i)^[\[(]*(keep )?((the |all )?(rest|remainder)( of [\w ]+?)? (is |are |remains? |stays? )?{LEFT}|(the |your |all )*existing {CODE}( here| goes here| (is |remains |stays )?{LEFT})?|your {CODE} (goes )?here|({CODE} )?omitted for (brevity|clarity))[\])]*\.?$"
    );
    Regex::new(&text).expect("the pattern is a constant that a test compiles")
});

/// A comment that says nothing but that something is left out. As a comment of its own it may be meant; where lines are lost
/// beside it, it is not.
static SAYS_NOTHING_ELSE: LazyLock<Regex> = LazyLock::new(|| {
    const WHAT: &str = "(code|implementation|logic|body|lines|content|section|text|styles|methods?|functions?|fields|imports?|tests?|branches|steps|cases|items|entries|props|jsx)";
    const SAME: &str = "(is |are |remains? |stays? )?(unchanged|the same|as is|as before|as above|omitted|here|not changed|remains?|stays?)";
    let text = format!(
        r"(?i)^[\[(]*(\.\.\.|…)?[\s\[(]*(todo:? |keep |continue with )?(the |all )?((rest|remainder)( of [\w ]+?)?( {SAME})?|{WHAT} {SAME}|unchanged( {WHAT})?|not? changed?|as before|snip|keep|(existing|remaining|previous|original|other)( \w+)? {WHAT}( {SAME})?|same ({WHAT} )?as (before|above)|({WHAT} )?omitted( for brevity)?|(\d+ )?(more|other) {WHAT}|etc|and so on)?\s*[\])]*(\.\.\.|…)?[\])]*\.?$"
    );
    Regex::new(&text).expect("the pattern is a constant that a test compiles")
});

/// What comments usually begin with.
const MARKS: [&[u8]; 7] = [b"#", b"//", b"/*", b"<!--", b"--", b"{#", b"{%"];

/// Returns a refusal for each placeholder that an operation wrote and that the bytes it replaced did not have.
pub fn check(edit: &FileEdit) -> Vec<Diagnostic> {
    edit.written
        .iter()
        .flat_map(|written| placeholders(edit, written))
        .collect()
}

/// Says whether the content holds any of the words that a placeholder begins with. Compiling the pattern costs more than
/// the rest of a small batch, and hardly any content needs it.
fn may_hold_one(content: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] = [
        b"rest ",
        b"remainder ",
        b"existing ",
        b"remaining ",
        b"previous ",
        b"original ",
        b"omitted for ",
        b" here",
        b"unchanged",
    ];
    has_any(content, &WORDS)
}

/// Says whether it holds any of the words of a comment that says nothing else.
fn may_say_nothing_else(content: &[u8]) -> bool {
    const WORDS: [&[u8]; 19] = [
        b"etc",
        b"and so on",
        b"changed",
        b"no change",
        b"as before",
        b"as above",
        b"snip",
        b"keep",
        b"rest",
        b"remainder",
        b"unchanged",
        b"existing",
        b"remaining",
        b"previous",
        b"original",
        b"other",
        b"same",
        b"omitted",
        b"more",
    ];
    has_any(content, &WORDS)
}

/// Says whether the content holds an ellipsis, or one of these words in either case.
fn has_any(content: &[u8], words: &[&[u8]]) -> bool {
    let has = |text: &[u8], needle: &[u8]| memchr::memmem::find(text, needle).is_some();
    if has(content, b"...") || has(content, "…".as_bytes()) {
        return true;
    }
    let folded = content.to_ascii_lowercase();
    words.iter().any(|word| has(&folded, word))
}

fn placeholders(edit: &FileEdit, written: &WrittenContent) -> Vec<Diagnostic> {
    let content = written.content.as_bytes();
    // One that has its line to itself is one line of those, and no code.
    let (are, were) = (line_count(content), line_count(&written.replaced));
    let is_loss = are <= were && may_say_nothing_else(content);
    let loses_code = || lines_of_code(content) < lines_of_code(&written.replaced);
    let is_lost_beside =
        |comment: &[u8]| is_loss && (are < were || is_line(comment, content) && loses_code());
    if !is_loss && !may_hold_one(content) {
        return Vec::new();
    }
    let is_empty = |comment: &[u8]| {
        let text = words_of(comment);
        !text.is_empty() && SAYS_NOTHING_ELSE.is_match(text)
    };
    let lines = if is_loss {
        lines_that_may_be_one(edit, content)
    } else {
        Vec::new()
    };
    comments(edit, content)
        .into_iter()
        .chain(lines)
        .filter(|comment| {
            STANDS_FOR_CODE.is_match(comment)
                || IS_THE_SENTENCE.is_match(words_of(comment))
                || is_lost_beside(comment) && is_empty(comment)
        })
        .filter(|comment| memchr::memmem::find(&written.replaced, comment).is_none())
        .map(|comment| {
            let text = String::from_utf8_lossy(comment).trim().to_owned();
            let message = format!(
                "the content for {} stands in for code left out: `{}`",
                edit.path,
                shown(&text)
            );
            Diagnostic::new(Code::Placeholder, message)
                .note("write the code in full; a smaller segment or part needs less of it")
                .of_operation(written.operation)
        })
        .collect()
}

/// Returns how many lines are neither empty nor begin as comments do.
fn lines_of_code(text: &[u8]) -> usize {
    let is_code =
        |line: &&[u8]| !line.is_empty() && !MARKS.iter().any(|mark| line.starts_with(mark));
    text.split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(is_code)
        .count()
}

/// Says whether `comment` has a line of `content` to itself.
fn is_line(comment: &[u8], content: &[u8]) -> bool {
    content
        .split(|&byte| byte == b'\n')
        .any(|line| line.trim_ascii() == comment)
}

/// Returns a comment without what begins and ends it.
fn words_of(comment: &[u8]) -> &[u8] {
    let is_mark = |byte: &u8| {
        matches!(
            byte,
            b'#' | b'/' | b'*' | b'<' | b'!' | b'-' | b'{' | b'%' | b' ' | b'\t'
        )
    };
    let is_end = |byte: &u8| {
        matches!(
            byte,
            b'#' | b'*' | b'/' | b'>' | b'-' | b'}' | b'%' | b' ' | b'\t'
        )
    };
    let start = comment
        .iter()
        .position(|byte| !is_mark(byte))
        .unwrap_or(comment.len());
    let end = comment
        .iter()
        .rposition(|byte| !is_end(byte))
        .map_or(start, |at| at + 1);
    &comment[start..end.max(start)]
}

/// Returns the lines of the content that are no comments and may stand for what is left out: of prose those in brackets or with an
/// ellipsis, of Python an ellipsis that is no body.
fn lines_that_may_be_one<'c>(edit: &FileEdit, content: &'c [u8]) -> Vec<&'c [u8]> {
    let language = edit.language();
    let is_prose = language.is_none_or(|language| language.name == MARKDOWN.name);
    let has_ellipsis = language.is_some_and(|language| language.habits.offside);
    let mut found = Vec::new();
    let mut above: &[u8] = b"";
    for line in content
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
    {
        let dots = |line: &[u8]| line.starts_with(b"...") || line.ends_with(b"...");
        let is_bracketed = matches!(
            (line.first(), line.last()),
            (Some(b'['), Some(b']')) | (Some(b'('), Some(b')'))
        );
        let is_body = above.ends_with(b":")
            || above.ends_with(b"\"\"\"")
            || above.ends_with(b"\"")
            || above.is_empty();
        if is_prose && (is_bracketed || dots(line)) || has_ellipsis && line == b"..." && !is_body {
            found.push(line);
        }
        above = line;
    }
    found
}

/// Returns the comments of the content; in a file that no grammar reads, lines that begin as comments usually do.
fn comments<'c>(edit: &FileEdit, content: &'c [u8]) -> Vec<&'c [u8]> {
    match edit.language() {
        Some(language) => {
            let spans = language.grammar.comments_inside(content, None);
            spans
                .into_iter()
                .filter_map(|span| content.get(span.start..span.end))
                .map(<[u8]>::trim_ascii)
                .collect()
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
            let found =
                may_hold_one(comment.as_bytes()) && STANDS_FOR_CODE.is_match(comment.as_bytes());
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
        check(
            "# variant: name omitted, so it must be ... something",
            false,
        );
        check("# ... keep going", false);
        check("# ... existing ...", true);
        check("# ... other methods ...", true);
    }

    #[test]
    fn sentences_that_are_nothing_else_are_told_wherever_they_are() {
        let check = |comment: &str, expected: bool| {
            let found = may_hold_one(comment.as_bytes())
                && IS_THE_SENTENCE.is_match(words_of(comment.as_bytes()));
            assert_eq!(found, expected, "{comment}");
        };
        for comment in [
            "# rest unchanged",
            "# The rest of the method is unchanged.",
            "# your existing code",
            "// (existing code)",
            "// existing code goes here",
            "// Existing logic remains unchanged",
            "# your code here",
            "/* omitted for brevity */",
            "// implementation omitted for brevity",
            "<!-- the rest stays as is -->",
        ] {
            check(comment, true);
        }
        for comment in [
            "# the rest is for later",
            "# existing users",
            "# existing code paths need a lock",
            "# your code here is a text",
            "# the previous value",
            "# remaining items",
            "# unchanged since 2019",
            "# here",
        ] {
            check(comment, false);
        }
    }

    #[test]
    fn comments_that_say_nothing_else_are_told_where_lines_are_lost() {
        let check = |comment: &str, expected: bool| {
            let text = words_of(comment.as_bytes());
            let found = !text.is_empty() && SAYS_NOTHING_ELSE.is_match(text);
            assert_eq!(found, expected, "{comment}");
        };
        for comment in [
            "# rest unchanged",
            "# rest remains unchanged",
            "# ...",
            "# …",
            "# existing code",
            "# unchanged",
            "# same as before",
            "# omitted for brevity",
            "# other code omitted",
            "# ... (20 more branches)",
            "# ... other steps ...",
            "# same implementation as before",
            "# [...]",
            "# rest of function",
            "# all other branches unchanged",
            "# Keep existing code",
            "# other methods remain the same",
            "// (other methods remain)",
            "// etc.",
            "/* ... */",
            "{/* existing JSX */}",
            "<!-- rest of the page -->",
        ] {
            check(comment, true);
        }
        for comment in [
            "# the rest is for later",
            "# loading...",
            "# x",
            "#",
            "#!/bin/sh",
            "# existing users",
            "# the other branch",
            "# keep the order",
            "# unchanged since 2019",
            "// more of it",
            "# other",
        ] {
            check(comment, false);
        }
    }
}
