//! Tags whose expression no engine takes: `{% if %}`, `{% if a = 1 %}`, `{% for x of y %}`, `{{ }}`, `{{ x | }}`.
//!
//! Which engine renders a file is not known, so that little is asked: what Jinja, Django, Twig, Nunjucks, Liquid, Handlebars or Go may
//! read is no error. All else that one of them refuses is left to it.

use super::blocks::StatementTag;
use super::lexer::{Broken, TemplatePiece, TemplatePieceKind, pieces};
use crate::text::Span;

/// Tags that are nothing without what follows their word.
const FOLLOWED: [&str; 11] = [
    "if", "elif", "elseif", "elsif", "unless", "include", "extends", "import", "from", "set",
    "macro",
];

/// Returns the tags of a template whose expression no engine takes, in file order, each with what is wrong with it.
pub fn malformed(source: &[u8]) -> Vec<(Span, Broken)> {
    let found = pieces(source).unwrap_or_default();
    let broken = found.iter().filter_map(|piece| {
        Some((
            piece.span,
            Broken::new(piece.span.start, problem(source, piece)?),
        ))
    });
    broken.collect()
}

fn problem(source: &[u8], piece: &TemplatePiece) -> Option<String> {
    let inner = std::str::from_utf8(piece.inner.of(source)).ok()?.trim();
    match piece.sort {
        TemplatePieceKind::Data | TemplatePieceKind::Comment | TemplatePieceKind::Raw => None,
        TemplatePieceKind::Expression if inner.is_empty() => {
            Some("an expression is missing".to_owned())
        }
        TemplatePieceKind::Expression => {
            (!inner.starts_with('!') && lacks_filter(inner)).then(|| NO_FILTER.to_owned())
        }
        TemplatePieceKind::Statement if inner.is_empty() => Some("a tag without a word".to_owned()),
        TemplatePieceKind::Statement => {
            let StatementTag { word, rest } = StatementTag::of(source, piece)?;
            let is_condition = matches!(word, "if" | "elif" | "elseif");
            if rest.is_empty() && FOLLOWED.contains(&word) {
                return Some(format!("`{word}` with nothing after it"));
            }
            if word == "for" && !has_in(rest) {
                return Some("`for` without `in`".to_owned());
            }
            if is_condition && assigns(rest) {
                return Some(format!(
                    "`=` in the condition of `{word}`: two values are compared with `==`"
                ));
            }
            ((is_condition || word == "for") && lacks_filter(rest)).then(|| NO_FILTER.to_owned())
        }
    }
}

const NO_FILTER: &str = "no filter comes after this `|`";

/// Says whether a `|` comes last, other than the one that ends the names of Handlebars: `{{#each a as |b|}}`.
fn lacks_filter(expression: &str) -> bool {
    expression.ends_with('|') && !expression.contains("as |")
}

/// Returns the letters that are in no string and in no bracket, each with its place.
fn outside(text: &str) -> Vec<(usize, char)> {
    let (mut depth, mut quote, mut is_escaped) = (0_usize, None, false);
    let mut found = Vec::new();
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 => found.push((at, letter)),
            (None, _) => {}
        }
    }
    found
}

/// Says whether `in` is a word of its own.
fn has_in(text: &str) -> bool {
    let is_word = |letter: Option<char>| {
        letter.is_some_and(|it| it.is_alphanumeric() || it == '_' || it == '.')
    };
    let begins = |(at, _): (usize, char)| {
        let (before, rest) = (
            text.get(..at).unwrap_or_default(),
            text.get(at..).unwrap_or_default(),
        );
        rest.strip_prefix("in")
            .is_some_and(|rest| !is_word(rest.chars().next()))
            && !is_word(before.chars().next_back())
    };
    outside(text).into_iter().any(begins)
}

/// Says whether a `=` is no part of another sign.
fn assigns(text: &str) -> bool {
    let is_alone = |(at, letter): (usize, char)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + 1..).and_then(|after| after.chars().next());
        letter == '='
            && !before.is_some_and(|it| "=!<>:~+-*/%&|^".contains(it))
            && !after.is_some_and(|it| "=>~<".contains(it))
    };
    outside(text).into_iter().any(is_alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_engine_takes() {
        for source in [
            "{% if %}",
            "{%- elif -%}",
            "{% if a = 1 %}",
            "{% if a=b %}",
            "{% elif f(x=1) = 2 %}",
            "{% for x of y %}",
            "{% for %}",
            "{% for index %}",
            "{% for x in_y %}",
            "{{ }}",
            "{{- -}}",
            "{{ x | }}",
            "{{ x|}}",
            "{% if x | %}",
            "{% include %}",
            "{% %}",
        ] {
            assert_eq!(malformed(source.as_bytes()).len(), 1, "{source}");
        }
    }

    #[test]
    fn what_some_engine_takes() {
        for source in [
            "{% if a == b and c != d or e >= f %}",
            "{% for k, v in x if y %}",
            "{% for (a, b) in(x) %}",
            "{%- for a in\n  b -%}",
            "{% if a contains b %}{% if a =~ b %}{% if a === b %}{% if a !== b %}{% if a <=> b %}{% if a >=b %}",
            "{% if (y := x) %}{% if y := x %}",
            "{% if f(a=1)|g(x => x.y) and \"=\" in x %}",
            "{% with %}{% else %}{% block %}{% trans %}{% # note %}{% liquid %}{% set a = b %}{% when %}",
            "{{#if a}}{{/if}}{{^}}{{else}}{{> a}}{{~ a ~}}{{a||b}}{{ a, }}{{!}}{{! a | }}{{!-- a | --}}",
            "{{#each a as |b|}}{{else if a as |b c|}}",
            "{{ if .X }}{{ . }}{{ $y := 1 }}{{ .Y | printf \"%s\" }}{{ end -}}{{/* x | */}}",
            "{{ a ~ '|' }}{{ a == b }}{{ x.in }}",
            "{% raw %}{% if %}{% endraw %}{# {{ }} #}",
        ] {
            assert_eq!(malformed(source.as_bytes()), [], "{source}");
        }
    }
}
