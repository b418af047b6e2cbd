//! Actions of Go's templates, and blocks of Handlebars, that belong together: `{{ if .A }} … {{ else }} … {{ end }}`, `{{#each a}} …
//! {{/each}}`. A file has them when it has ends of them.
//!
//! Known limits: delimiters that a program sets itself are not known, nor what a Go program does with the words of an action.

use super::groups::TagGroup;
use super::lexer::Broken;
use crate::text::Span;

/// What Go's templates end by `{{ end }}`.
const ENDED: [&[u8]; 5] = [b"if", b"range", b"with", b"block", b"define"];

/// What an action is to those around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ActionRole<'s> {
    /// It opens a block; of Handlebars with its name.
    Opens(&'s [u8]),
    /// It parts one.
    Parts,
    /// It ends one; of Handlebars with its name.
    Ends(&'s [u8]),
}

/// Returns the actions of `source` that belong together, in the order in which they end, or where they do not pair; none where no action
/// is an end.
pub fn actions(source: &[u8]) -> Result<Vec<TagGroup>, Broken> {
    let found: Vec<(Span, &[u8])> = tags(source).collect();
    let is_go = found
        .iter()
        .any(|(_, inside)| go_role(inside) == Some(ActionRole::Ends(b"")));
    let is_handlebars = found
        .iter()
        .any(|(_, inside)| matches!(handlebars_role(inside), Some(ActionRole::Ends(_))));
    let role = match (is_go, is_handlebars) {
        (true, false) => go_role,
        (false, true) => handlebars_role,
        // Of both one writes the other.
        (true, true) | (false, false) => return Ok(Vec::new()),
    };
    let mut open: Vec<(TagGroup, &[u8])> = Vec::new();
    let mut groups = Vec::new();
    let quoted = |tag: Span| String::from_utf8_lossy(tag.of(source)).into_owned();
    for (tag, role) in found
        .into_iter()
        .filter_map(|(tag, inside)| Some((tag, role(inside)?)))
    {
        match role {
            ActionRole::Opens(name) => open.push((TagGroup::begun(tag), name)),
            ActionRole::Parts => {
                let around = open.last_mut().ok_or_else(|| {
                    Broken::new(tag.start, format!("`{}` that parts nothing", quoted(tag)))
                })?;
                around.0.tags.push(tag);
            }
            ActionRole::Ends(name) => {
                let (mut group, _) = open
                    .pop()
                    .filter(|(_, opened)| *opened == name)
                    .ok_or_else(|| {
                        Broken::new(tag.start, format!("`{}` that ends nothing", quoted(tag)))
                    })?;
                group.tags.push(tag);
                groups.push(group);
            }
        }
    }
    match open.last().and_then(|(group, _)| group.tags.first()) {
        Some(&tag) => Err(Broken::new(
            tag.start,
            format!("`{}` has no end", quoted(tag)),
        )),
        None => Ok(groups),
    }
}

fn go_role(inside: &[u8]) -> Option<ActionRole<'_>> {
    let word = word(inside);
    match word {
        b"end" => Some(ActionRole::Ends(b"")),
        b"else" => Some(ActionRole::Parts),
        _ => ENDED.contains(&word).then_some(ActionRole::Opens(b"")),
    }
}

fn handlebars_role(inside: &[u8]) -> Option<ActionRole<'_>> {
    let name = |rest: &[u8]| {
        rest.iter()
            .take_while(|byte| !byte.is_ascii_whitespace())
            .count()
    };
    let (sign, rest) = inside.split_first()?;
    let rest = rest.trim_ascii_start();
    match sign {
        b'#' | b'^' if !rest.is_empty() => {
            let rest = rest
                .strip_prefix(b"*")
                .or(rest.strip_prefix(b">"))
                .unwrap_or(rest)
                .trim_ascii_start();
            Some(ActionRole::Opens(rest.get(..name(rest))?))
        }
        b'^' => Some(ActionRole::Parts),
        b'/' => Some(ActionRole::Ends(rest.get(..name(rest))?)),
        _ => (word(inside) == b"else").then_some(ActionRole::Parts),
    }
}

fn word(inside: &[u8]) -> &[u8] {
    let length = inside
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    inside.get(..length).unwrap_or_default()
}

/// Returns what is in double braces, with what is between them, less the signs that take white space; no comments.
fn tags(source: &[u8]) -> impl Iterator<Item = (Span, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at + memchr::memmem::find(source.get(at..)?, b"{{")?;
            let rest = source.get(open + 2..)?;
            let end = if let Some(text) = comment_end(rest) {
                text
            } else {
                end_of(rest)?
            };
            at = open + 2 + end + 2;
            let inside = rest.get(..end)?;
            // `${{ … }}` is of workflows, and three braces give text as it is.
            let is_other =
                inside.starts_with(b"{") || open > 0 && source.get(open - 1) == Some(&b'$');
            let inside = inside
                .strip_prefix(b"-")
                .or(inside.strip_prefix(b"~"))
                .unwrap_or(inside);
            let inside = inside
                .strip_suffix(b"-")
                .or(inside.strip_suffix(b"~"))
                .unwrap_or(inside)
                .trim_ascii();
            if !is_other && !inside.starts_with(b"!") && !inside.starts_with(b"/*") {
                return Some((Span::new(open, at), inside));
            }
        }
    })
}

/// Returns where a comment ends that `rest` begins with, before its braces.
fn comment_end(rest: &[u8]) -> Option<usize> {
    let text = rest
        .strip_prefix(b"-")
        .or(rest.strip_prefix(b"~"))
        .unwrap_or(rest)
        .trim_ascii_start();
    let start = rest.len() - text.len();
    let close: &[u8] = if text.starts_with(b"/*") {
        b"*/"
    } else if text.starts_with(b"!--") {
        b"--"
    } else {
        return None;
    };
    let closed = start + 2 + memchr::memmem::find(text.get(2..)?, close)?;
    Some(closed + memchr::memmem::find(rest.get(closed..)?, b"}}")?)
}

/// Returns where the first `}}` is that is in no quotes; where quotes are left open, the first one.
fn end_of(rest: &[u8]) -> Option<usize> {
    let mut quote: Option<u8> = None;
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match quote {
            Some(b'"' | b'\'') if byte == b'\\' => at += 1,
            Some(open) if byte == open => quote = None,
            Some(b'"' | b'\'') if byte == b'\n' => break,
            Some(_) => {}
            None if matches!(byte, b'"' | b'\'' | b'`') => quote = Some(byte),
            None if rest.get(at..).is_some_and(|rest| rest.starts_with(b"}}")) => return Some(at),
            None => {}
        }
        at += 1;
    }
    memchr::memmem::find(rest, b"}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_belong_together() {
        let check = |source: &str, expected: &[&[&str]]| {
            let found = actions(source.as_bytes()).expect("actions that pair");
            let words = |group: &TagGroup| {
                group
                    .tags
                    .iter()
                    .map(|tag| &source[tag.start..tag.end])
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                found.iter().map(words).collect::<Vec<_>>(),
                expected,
                "{source:?}"
            );
        };
        check(
            "{{ if .A }}{{- else if .B -}}{{else}}{{ .C }}{{- end }}",
            &[&[
                "{{ if .A }}",
                "{{- else if .B -}}",
                "{{else}}",
                "{{- end }}",
            ]],
        );
        check(
            "{{ range . }}{{ with .B }}{{ end }}{{/* {{ if */}}{{ end }}",
            &[
                &["{{ with .B }}", "{{ end }}"],
                &["{{ range . }}", "{{ end }}"],
            ],
        );
        check(
            "{{ if eq . \"}}{{ end }}\" }}{{ `{{ if` }}{{ end }}",
            &[&["{{ if eq . \"}}{{ end }}\" }}", "{{ end }}"]],
        );
        check(
            "{{#if a}}{{{b}}}{{else}}{{^}}{{~/if}}",
            &[&["{{#if a}}", "{{else}}", "{{^}}", "{{~/if}}"]],
        );
        check(
            "{{#> layout}}{{!-- {{#if}} --}}{{/layout}}",
            &[&["{{#> layout}}", "{{/layout}}"]],
        );
        check("{{ if }} {{ a }} ${{ end }}", &[]);
    }

    #[test]
    fn actions_that_do_not_pair() {
        for source in [
            "{{ if . }}{{ if . }}{{ end }}",
            "{{ end }}",
            "{{ else }}{{ if . }}{{ end }}",
            "{{#if a}}{{/each}}",
        ] {
            assert!(actions(source.as_bytes()).is_err(), "{source:?}");
        }
    }
}
