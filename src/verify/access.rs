//! Access: what is below an edit in a class may be used by whom it could be used by before.
//!
//! Example: a member of C++ that is replaced by itself, `private:` and one more would make all members below private.
//!
//! A label at the end of what is quoted, which the content forgets, is refused as well. Who takes a label alone, or gives it back as
//! another, wants what is below to be so; who ends with the access that was there changes nothing.

use super::edited_file::{common_language, showing};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::{AccessBody, AccessLabel, AccessMap, says_access};
use crate::text::splice::Splices;
use crate::text::{Lines, Span};

/// Returns a refusal when a label of the content would hold for a member below it.
pub(super) fn check(edit: &FileEdit, old: &Document, new: &Document) -> Option<Diagnostic> {
    let splices = edit.splices.as_ref()?;
    let language = common_language(old, new)?;
    // Few edits write such a word, and to find the labels of a file takes reading it.
    let may_bring = splices.iter().any(|splice| says_access(&splice.bytes));
    let may_take = splices
        .iter()
        .any(|splice| !splice.bytes.is_empty() && says_access(splice.span.of(&old.bytes)));
    if !may_bring && !may_take {
        return None;
    }
    let after = language.grammar.access(&new.bytes);
    let before = language.grammar.access(&old.bytes);
    let comments = language.grammar.comments(&old.bytes);
    let both = ((&before[..], &old.bytes[..], &comments[..]), &after[..]);
    let brings = brought(splices, &after).next().is_some();
    let taken = brings
        .then(|| taken(splices, both.0, both.1))
        .flatten()
        .or_else(|| forgotten(splices, both.0, both.1))?;
    let (path, lines) = (&edit.path, Lines::of(&old.bytes));
    let line = lines.line(taken.at);
    let rest = Span::new(taken.at, lines.content(&old.bytes, line).end.max(taken.at));
    let quoted = shown(String::from_utf8_lossy(rest.of(&old.bytes)).trim_end());
    let (was, is) = (taken.was, taken.is);
    let message =
        format!("the edit would make `{quoted}`, at line {line} of {path}, `{is}`: it is `{was}`");
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message).note(format!(
        "let the content end with `{was}` again, put it below what is `{is}` already, or quote all that is to be `{is}`"
    ));
    Some(showing(edit, diagnostic, (&old.bytes, taken.at), taken.now))
}

/// A member that another access would hold for.
#[derive(Debug)]
struct OtherAccess<'a> {
    /// Where it is in the old file.
    at: usize,
    /// Where it is in the new file.
    now: usize,
    was: &'a str,
    is: &'a str,
}

/// Returns the labels that the splices write.
fn brought<'a>(
    splices: &'a Splices,
    bodies: &'a [AccessBody],
) -> impl Iterator<Item = &'a AccessLabel> {
    let written: Vec<Span> = splices.with_new_spans().map(|(_, span)| span).collect();
    bodies
        .iter()
        .flat_map(|body| &body.labels)
        .filter(move |label| in_one(label.span, &written).is_some())
}

/// Returns which of `ranges`, in order, reaches into `span`.
fn in_one(span: Span, ranges: &[Span]) -> Option<usize> {
    let at = ranges.partition_point(|range| range.end <= span.start);
    let range = ranges.get(at)?;
    range.overlaps(span).then_some(at)
}

/// Returns the first member right below an edit that a label of the content would hold for, and that another access held for.
fn taken<'a>(
    splices: &Splices,
    (before, old, comments): (&'a [AccessBody], &[u8], &[Span]),
    after: &'a [AccessBody],
) -> Option<OtherAccess<'a>> {
    let (was, is) = (AccessMap::of(before), AccessMap::of(after));
    let taken: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let written: Vec<Span> = splices.with_new_spans().map(|(_, span)| span).collect();
    let moves = splices.moves();
    let next = taken.iter().skip(1).map(|span| span.start);
    let gaps = taken.iter().zip(next.chain([old.len()]));
    gaps.map(|(taken, next)| Span::new(taken.end, next.max(taken.end)))
        .find_map(|gap| {
            let at = first_code(gap, old, comments)?;
            let now = moves.after(at);
            let (from, to) = (was.at(at)?, is.at(now)?);
            let label = to.label?;
            let by = in_one(label.span, &written)?;
            // Another class is the business of those who look at braces.
            let opener = from.body.span.start;
            let near = Span::new(opener.saturating_sub(1), opener + 1);
            let is_same = moves.after(opener) == to.body.span.start
                || moves.before(opener) == to.body.span.start
                || in_one(near, &taken).is_some();
            let is_wanted = from.label.is_some_and(|old_label| {
                in_one(old_label.span, &taken).is_some()
                    && !is_given(&old_label.access, to.body, *written.get(by).unwrap_or(&gap))
            });
            (is_same && !is_wanted && from.access() != to.access()).then_some(OtherAccess {
                at,
                now,
                was: from.access(),
                is: to.access(),
            })
        })
}

/// Returns the first member right below an edit that takes the label which held for it, at the end of something else, and gives something else
/// without it.
fn forgotten<'a>(
    splices: &'a Splices,
    (before, old, comments): (&'a [AccessBody], &[u8], &[Span]),
    after: &'a [AccessBody],
) -> Option<OtherAccess<'a>> {
    let (was, is) = (AccessMap::of(before), AccessMap::of(after));
    let moves = splices.moves();
    splices.iter().find_map(|splice| {
        let gap = Span::new(splice.span.end, old.len());
        let at = first_code(gap, old, comments)?;
        let now = moves.after(at);
        let (from, to) = (was.at(at)?, is.at(now)?);
        let label = from.label?;
        let ahead = Span::new(splice.span.start, label.span.start.max(splice.span.start));
        let is_last = splice.span.contains(label.span)
            && !ahead.of(old).trim_ascii().is_empty()
            && !splice.bytes.trim_ascii().is_empty();
        (is_last && from.access() != to.access()).then_some(OtherAccess {
            at,
            now,
            was: from.access(),
            is: to.access(),
        })
    })
}

/// Says whether a label that is `written` in a body says the same.
fn is_given(access: &str, body: &AccessBody, written: Span) -> bool {
    let mut labels = body.labels.iter();
    labels.any(|label| written.overlaps(label.span) && label.access == access)
}

/// Returns where the first thing is in `gap` that is neither a blank, a comment nor the end of what is above it.
fn first_code(gap: Span, text: &[u8], comments: &[Span]) -> Option<usize> {
    let mut at = gap.start;
    loop {
        let rest = text.get(at..gap.end)?;
        at += rest
            .iter()
            .position(|byte| !byte.is_ascii_whitespace() && *byte != b';')?;
        let next = comments.partition_point(|comment| comment.end <= at);
        match comments.get(next).filter(|comment| comment.start <= at) {
            Some(comment) => at = comment.end,
            None => return Some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::LANGUAGES;
    use crate::verify::marked;

    /// Reads a marked text, and returns the line that would have another access, and which.
    fn changed(language: &str, text: &str) -> Option<String> {
        let language = LANGUAGES.iter().find(|it| it.name == language).unwrap();
        let (old, splices) = marked::read(text);
        let new = splices.apply(old.as_bytes());
        let before = language.grammar.access(old.as_bytes());
        let after = language.grammar.access(&new);
        let comments = language.grammar.comments(old.as_bytes());
        let taken = taken(&splices, (&before, old.as_bytes(), &comments), &after)?;
        let line = old[taken.at..].lines().next().unwrap();
        Some(format!("{line} {} {}", taken.was, taken.is))
    }

    #[test]
    fn what_is_below_an_edit_keeps_its_access() {
        for (text, expected) in [
            (
                "class A {\npublic:\n  «int a;|int a;\nprivate:\n  int b;»\n  // c\n  int c;\n};\n",
                Some("int c; public private"),
            ),
            (
                "class A {\npublic:\n  int a;\n«|private:\n  int b;\n»};\n",
                None,
            ),
            (
                "class A {\npublic:\n  «int a;|int a;\nprivate:\n  int b;\npublic:»\n  int c;\n};\n",
                None,
            ),
            (
                "class A {\npublic:\n  «int a;|int a;\nprivate:\n  int b;»\nprotected:\n  int c;\n};\n",
                None,
            ),
            ("class A {\n«public|private»:\n  int c;\n};\n", None),
            (
                "class A {\n«public:\n  int a;|public:\n  int a;\nprivate:\n  int b;»\n  int c;\n};\n",
                Some("int c; public private"),
            ),
            ("class A {\n  int a;\n«|private:\n»  int c;\n};\n", None),
            (
                "struct A {\n  int a;\n«|private:\n»  int c;\n};\n",
                Some("int c; public private"),
            ),
            (
                "struct A {\n  struct B {\n    int a;\n    «|private:»\n  };\n  int c;\n};\n",
                None,
            ),
            (
                "struct A {\n  int a;\n«|\nsignals:\n»  void c();\n};\n",
                Some("void c(); public signals"),
            ),
        ] {
            assert_eq!(changed("C++", text).as_deref(), expected, "{text}");
        }
        for (text, expected) in [
            (
                "class A\n«|  private\n\n  def a; end\n\n»  def b; end\nend\n",
                Some("def b; end public private"),
            ),
            (
                "class A\n  def b; end\n«|  private\n\n  def a; end\n»end\n",
                None,
            ),
            (
                "class A\n«|  private def a; end\n\n»  def b; end\nend\n",
                None,
            ),
        ] {
            assert_eq!(changed("Ruby", text).as_deref(), expected, "{text}");
        }
    }
}
