//! What a template that extends another says outside of its blocks: before the `{% extends %}`, which engines want first, or let be
//! shown before the page; and after it, where no engine shows anything.
//!
//! Known limits: an `{% extends %}` that only some condition reaches makes no child; of tags that Jinja does not know only some are
//! known to show something.

use super::blocks::StatementTag;
use super::groups::foreign;
use super::lexer::{TemplatePiece, TemplatePieceKind, pieces};
use crate::text::Span;

/// Tags that say nothing of the page, and that Jinja and Twig run wherever they are in a child.
const DEFINING: [&str; 10] = [
    "set",
    "endset",
    "import",
    "from",
    "do",
    "macro",
    "endmacro",
    "use",
    "trans_default_domain",
    "form_theme",
];

/// Tags of which what they hold is shown where something else says so, if at all.
const HOLDING: [&str; 5] = ["block", "macro", "set", "call", "filter"];

/// Tags that are nothing but what they show.
const SHOWING: [&str; 5] = ["include", "url", "static", "csrf_token", "translate"];

/// A template that extends another, whatever else is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// Its `{% extends %}`.
    pub extends: Span,
    /// The second one.
    pub again: Option<Span>,
    /// What is before it and is no comment and no definition, piece by piece.
    pub early: Vec<Span>,
    /// What is after it and in no block, piece by piece: it is never shown.
    pub unseen: Vec<Span>,
}

/// Returns what a template says outside of its blocks, if it extends another and can be read.
pub fn child(source: &[u8]) -> Option<Child> {
    let foreign = foreign(source);
    let opens =
        |statement: &StatementTag<'_>| statement.opens() || foreign.contains(statement.word);
    let mut open: Vec<&str> = Vec::new();
    let mut found: Option<Child> = None;
    let mut early = Vec::new();
    for piece in pieces(source).ok()? {
        let statement = StatementTag::of(source, &piece);
        if let Some(word) = statement.and_then(|statement| statement.word.strip_prefix("end")) {
            // One of an extension may have had no end.
            if let Some(depth) = open.iter().rposition(|opened| *opened == word) {
                open.truncate(depth);
            }
        }
        if let Some(statement) =
            statement.filter(|statement| statement.word == "extends" && open.is_empty())
        {
            debug_assert!(!opens(&statement), "it has no end");
            match &mut found {
                Some(child) => child.again = child.again.or(Some(piece.span)),
                None => {
                    let early = std::mem::take(&mut early);
                    found = Some(Child {
                        extends: piece.span,
                        again: None,
                        early,
                        unseen: Vec::new(),
                    });
                }
            }
            continue;
        }
        let is_held = open
            .iter()
            .any(|word| HOLDING.contains(word) || foreign.contains(*word));
        match &mut found {
            Some(child) if !is_held => child.unseen.extend(shown_of(source, &piece)),
            Some(_) => {}
            None if is_held => {}
            None => early.extend(said_of(source, &piece)),
        }
        if let Some(statement) = statement.filter(opens) {
            open.push(statement.word);
        }
    }
    found
}

/// Returns what of a piece before an `{% extends %}` counts: text that is no comment, and tags that do something.
fn said_of(source: &[u8], piece: &TemplatePiece) -> Option<Span> {
    match piece.sort {
        TemplatePieceKind::Data => text(source, piece.span),
        TemplatePieceKind::Comment => None,
        TemplatePieceKind::Raw if is_comment(source, piece) => None,
        TemplatePieceKind::Expression | TemplatePieceKind::Raw => Some(piece.span),
        TemplatePieceKind::Statement => {
            let defines = StatementTag::of(source, piece)
                .is_some_and(|statement| DEFINING.contains(&statement.word));
            (!defines).then_some(piece.span)
        }
    }
}

/// Returns what of a piece would be shown.
fn shown_of(source: &[u8], piece: &TemplatePiece) -> Option<Span> {
    match piece.sort {
        TemplatePieceKind::Data => text(source, piece.span),
        TemplatePieceKind::Comment => None,
        TemplatePieceKind::Raw if is_comment(source, piece) => None,
        TemplatePieceKind::Expression | TemplatePieceKind::Raw => Some(piece.span),
        TemplatePieceKind::Statement => {
            let shows = StatementTag::of(source, piece)
                .is_some_and(|statement| SHOWING.contains(&statement.word));
            shows.then_some(piece.span)
        }
    }
}

/// Says whether this is Django's `{% comment %} … {% endcomment %}`.
fn is_comment(source: &[u8], piece: &TemplatePiece) -> bool {
    let tag = piece.span.of(source).get(2..).unwrap_or_default();
    tag.trim_ascii_start().starts_with(b"comment")
}

/// Returns the text from its first word to its last, less the comments of HTML at its ends.
fn text(source: &[u8], span: Span) -> Option<Span> {
    let (mut start, mut end) = (span.start, span.end);
    loop {
        let text = Span::new(start, end).of(source);
        let blanks = text.len() - text.trim_ascii_start().len();
        let rest = text.trim_ascii();
        (start, end) = (start + blanks, start + blanks + rest.len());
        let comment = rest
            .starts_with(b"<!--")
            .then(|| memchr::memmem::find(rest, b"-->"))
            .flatten();
        match comment {
            Some(close) => start += close + "-->".len(),
            None if rest.is_empty() => return None,
            None => return Some(Span::new(start, end)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, early: &[&str], unseen: &[&str]) {
        let child = child(source.as_bytes()).expect("a child");
        let words = |spans: &[Span]| {
            spans
                .iter()
                .map(|span| source[span.start..span.end].to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (words(&child.early), words(&child.unseen)),
            (words_of(early), words_of(unseen)),
            "{source:?}"
        );
    }

    fn words_of(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn what_is_in_no_block_is_not_shown() {
        check(
            "{% extends 'a' %}\n{% load b %}{% block c %}d{{ e }}{% endblock %}\n",
            &[],
            &[],
        );
        check(
            "{% extends 'a' %} b {% block c %}d{% endblock %}{{ e }}",
            &[],
            &["b", "{{ e }}"],
        );
        check(
            "{% extends 'a' %}{% if b %}c{% block d %}e{% endblock %}{% endif %}",
            &[],
            &["c"],
        );
        check(
            "{% extends 'a' %}{% set b = 1 %}{% set c %}d{% endset %}{% macro e() %}f{% endmacro %}",
            &[],
            &[],
        );
        check(
            "{% extends 'a' %}{% trans 'x' %}{% block b %}c{% endblock %}d{% trans %}e{% endtrans %}",
            &[],
            &[],
        );
        check(
            "{% extends 'a' %}<!-- b --> <!-- c -->{# d #}{% comment %}e{% endcomment %}",
            &[],
            &[],
        );
        check(
            "{% extends 'a' %}<!-- b --> c{% include 'd' %}{% raw %}e{% endraw %}",
            &[],
            &["c", "{% include 'd' %}", "{% raw %}e{% endraw %}"],
        );
    }

    #[test]
    fn what_is_before_extends() {
        check(
            "{# a #}\n<!-- b -->{% comment %}c{% endcomment %}{% extends 'd' %}",
            &[],
            &[],
        );
        check(
            "{% set a = 1 %}{% from b import c %}{% macro d() %}e{% endmacro %}{% extends a %}",
            &[],
            &[],
        );
        check(
            "a{% load b %}{{ c }}{% extends 'd' %}",
            &["a", "{% load b %}", "{{ c }}"],
            &[],
        );
    }

    #[test]
    fn a_child_extends_whatever_else_is_true() {
        assert_eq!(child(b"a {% block b %}{% endblock %}"), None);
        assert_eq!(child(b"{% if a %}{% extends 'b' %}{% endif %}"), None);
        assert!(
            child(b"{% extends 'a' %}{% extends 'b' %}").is_some_and(|child| child.again.is_some())
        );
    }
}
