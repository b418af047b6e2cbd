//! Templates of YAML: Helm charts, Jinja, Go templates. Their keys are not known before they are rendered.

use crate::syntax::keys::{KeyEntry, Tree, ValueForm};
use crate::text::{Lines, Span};

/// Says whether the text holds template tags outside of comments: `{{ … }}` or `{% … %}`, but not the `${{ … }}` of
/// workflows, which is ordinary text to YAML.
pub fn is_template(source: &[u8]) -> bool {
    tags(source).next().is_some()
}

/// Returns the text with its tags taken out, as long as it was: a line of tags alone becomes a comment, a tag among other
/// words a word. `None` when there are none.
pub fn masked(source: &[u8]) -> Option<Vec<u8>> {
    let tags: Vec<Span> = tags(source).collect();
    if tags.is_empty() {
        return None;
    }
    let mut masked = source.to_vec();
    for tag in &tags {
        masked[tag.start..tag.end]
            .iter_mut()
            .filter(|byte| !byte.is_ascii_whitespace())
            .for_each(|byte| *byte = b'x');
    }
    let lines = Lines::of(source);
    for line in 1..=lines.count() {
        let content = lines.content(source, line);
        let outside = (content.start..content.end).filter(|&at| !source[at].is_ascii_whitespace());
        let mut words = outside.peekable();
        let Some(&first) = words.peek() else { continue };
        if words.all(|at| is_inside(&tags, at)) {
            masked[first] = b'#';
        } else if let Some(tag) = brought_below(source, content, &tags) {
            masked[tag.start] = b'#';
        }
    }
    Some(masked)
}

/// Returns where the first tag begins that is the whole beginning of a value.
pub fn first_bare_tag(source: &[u8]) -> Option<usize> {
    let is_bare = |tag: &Span| {
        let line = source[..tag.start].rsplit(|&byte| byte == b'\n').next();
        let before = line.unwrap_or_default().trim_ascii_end();
        before.is_empty() || before.ends_with(b":") || before.ends_with(b"-")
    };
    tags(source).find(is_bare).map(|tag| tag.start)
}

/// Returns the tag that a line ends with after the colon of a key, if what it brings is below that: `labels: {{- include "a" . | nindent 4 }}`.
fn brought_below(source: &[u8], line: Span, tags: &[Span]) -> Option<Span> {
    let text = line.of(source).trim_ascii_end();
    let end = line.start + text.len();
    let tag = tags
        .binary_search_by_key(&end, |tag| tag.end)
        .ok()
        .and_then(|at| tags.get(at))?;
    let key = source.get(line.start..tag.start)?;
    let begins_line = memchr::memmem::find(tag.of(source), b"nindent ").is_some();
    (begins_line && key.ends_with(b": ")).then_some(*tag)
}

/// Says whether a `{{ … }}` is where YAML reads braces inside of braces.
pub fn has_braced_key(tree: &Tree, source: &[u8]) -> bool {
    let braces = |entry: &KeyEntry| {
        matches!(entry.form, ValueForm::Flow(_)) && entry.value.of(source).starts_with(b"{{")
    };
    tree.entries.iter().any(braces)
}

/// A line of a template with a tag alone, whose place is taken by what the tag brings: a list or the keys of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateInsertion {
    /// The tag.
    pub tag: Span,
    /// The line that what it brings is deeper than, from its first word on; none at the top of a document.
    pub owner: Option<Span>,
    /// The line right above it, of a key without a value that is as deep as what it brings, which may be the list of that key.
    pub beside: Option<Span>,
}

/// Returns the lines of `source` with a tag alone that brings something, in file order; none in the lines of a text in `|` or `>`, but for those
/// that are all of it.
pub fn brought(source: &[u8]) -> Vec<TemplateInsertion> {
    let Some(masked) = masked(source) else {
        return Vec::new();
    };
    let tags: Vec<Span> = tags(source).collect();
    let lines = Lines::of(source);
    let mut found = Vec::new();
    // The lines that are open, each with its depth and whether it is a line of a text.
    let mut open: Vec<(usize, Span, bool)> = Vec::new();
    for number in 1..=lines.count() {
        let line = lines.content(source, number);
        let text = line.of(source);
        let depth = text.len() - text.trim_ascii_start().len();
        let words = Span::new(
            line.start + depth,
            line.start + depth + text.trim_ascii().len(),
        );
        if words.is_empty() {
            continue;
        }
        if words.of(source) == b"---" {
            open.clear();
        } else if masked.get(words.start) != Some(&b'#') {
            while open.pop_if(|(outer, ..)| *outer >= depth).is_some() {}
            let is_text = open
                .last()
                .is_some_and(|(_, outer, is_text)| *is_text || begins_text(outer.of(source)));
            open.push((depth, words, is_text));
        } else if let Ok(at) = tags.binary_search_by_key(&words.start, |tag| tag.start)
            && let Some(tag) = tags.get(at).filter(|tag| brings(tag.of(source)))
        {
            let own = own_depth(tag.of(source), depth);
            let owner = open.iter().rfind(|(outer, ..)| *outer < own);
            if owner.is_some_and(|(_, _, is_text)| *is_text) {
                continue;
            }
            let beside = open
                .last()
                .filter(|(beside, words, _)| *beside == own && words.of(source).ends_with(b":"));
            let words = |(_, words, _): &(usize, Span, bool)| *words;
            found.push(TemplateInsertion {
                tag: *tag,
                owner: owner.map(words),
                beside: beside.map(words),
            });
        }
    }
    found
}

/// Says whether a line ends with the sign of a text.
fn begins_text(line: &[u8]) -> bool {
    let is_sign = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-');
    let end = line
        .iter()
        .rposition(|byte| !is_sign(byte))
        .map_or(0, |at| at + 1);
    matches!(line.get(..end), Some([.., b':' | b'-', b' ', b'|' | b'>']))
}

/// Says whether a tag stands for something, and neither opens, parts or ends a block nor says something of the template alone.
fn brings(tag: &[u8]) -> bool {
    const SILENT: [&[u8]; 12] = [
        b"if",
        b"else",
        b"end",
        b"range",
        b"with",
        b"define",
        b"break",
        b"continue",
        b"fail",
        b"block",
        b"for",
        b"set",
    ];
    let inner = tag.get(2..).unwrap_or_default();
    let text = inner.strip_prefix(b"-").unwrap_or(inner).trim_ascii_start();
    let length = text
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let (word, rest) = text.split_at(length);
    match tag.get(1) {
        Some(b'{') => {
            let is_sign = || {
                matches!(
                    rest.first(),
                    None | Some(b'/' | b'$' | b'#' | b'^' | b'!' | b'}')
                )
            };
            !(SILENT.contains(&word) || word.is_empty() && is_sign())
        }
        Some(b'%') => word == b"include",
        _ => false,
    }
}

/// Returns how deep that is which a tag on a line of its own, `depth` deep, brings.
fn own_depth(tag: &[u8], depth: usize) -> usize {
    let number = |word: &[u8]| -> Option<usize> {
        let at = memchr::memmem::rfind(tag, word)? + word.len();
        let digits = tag
            .get(at..)?
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        std::str::from_utf8(tag.get(at..at + digits)?)
            .ok()?
            .parse()
            .ok()
    };
    match number(b"nindent ") {
        Some(depth) => depth,
        None => depth.saturating_add(number(b" indent ").unwrap_or(0)),
    }
}

fn is_inside(tags: &[Span], at: usize) -> bool {
    let next = tags.partition_point(|tag| tag.end <= at);
    tags.get(next).is_some_and(|tag| tag.start <= at)
}

/// Returns the tags in file order.
fn tags(source: &[u8]) -> impl Iterator<Item = Span> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at
                + source
                    .get(at..)?
                    .windows(2)
                    .position(|pair| matches!(pair, b"{{" | b"{%" | b"{#"))?;
            let close: &[u8] = match source[open + 1] {
                b'{' => b"}}",
                b'%' => b"%}",
                _ => b"#}",
            };
            at = open + 2;
            if open > 0 && source[open - 1] == b'$' || in_comment(source, open) {
                continue;
            }
            let rest = source.get(at..)?;
            let Some(length) = rest.windows(2).position(|pair| pair == close) else {
                continue;
            };
            at += length + 2;
            return Some(Span::new(open, at));
        }
    })
}

fn in_comment(source: &[u8], offset: usize) -> bool {
    let before = &source[..offset];
    let line = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(before, |at| &before[at + 1..]);
    line.trim_ascii_start().starts_with(b"#")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks each tag that brings something, with the line that it is in.
    #[track_caller]
    fn check(source: &str, expected: &[(&str, &str)]) {
        let words = |span: Option<Span>| span.map_or("", |span| &source[span.start..span.end]);
        let found: Vec<(&str, &str)> = brought(source.as_bytes())
            .iter()
            .map(|it| (words(Some(it.tag)), words(it.owner)))
            .collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn a_tag_on_a_line_of_its_own_brings_something_to_a_key() {
        check(
            "a:\n  b:\n    {{ c }}\n  d: {{ e }}\n",
            &[("{{ c }}", "b:")],
        );
        check(
            "a:\n  b:\n{{ c | indent 4 }}\n",
            &[("{{ c | indent 4 }}", "b:")],
        );
        check(
            "a:\n  b:\n  {{- c | nindent 2 }}\n",
            &[("{{- c | nindent 2 }}", "a:")],
        );
        check(
            "a:\n  - b: c\n    {{- d | nindent 4 }}\n",
            &[("{{- d | nindent 4 }}", "- b: c")],
        );
        check(
            "a:\n  {% include \"b\" %}\n",
            &[("{% include \"b\" %}", "a:")],
        );
        check(
            "{{ a }}\n---\nb: c\n---\n  {{ d }}\n",
            &[("{{ a }}", ""), ("{{ d }}", "")],
        );
    }

    #[test]
    fn a_tag_that_brings_nothing_is_in_nothing() {
        for tag in [
            "{{- if .a }}",
            "{{ end }}",
            "{{/* b */}}",
            "{{- /* b */ -}}",
            "{{ $c := 1 }}",
            "{{- with .d -}}",
            "{% if e %}",
            "{# f #}",
            "{{! g }}",
            "{{#if h}}",
            "{{ else }}",
            "# {{ i }}",
            "{{ j }} k",
            "{{ define \"l\" }}",
        ] {
            check(&format!("a:\n  {tag}\n"), &[]);
        }
    }

    #[test]
    fn lines_of_a_text_are_no_keys() {
        check("a: |\n  {{ b }}\n", &[("{{ b }}", "a: |")]);
        check("a: |-\n  b {\n    {{ c }}\n  }\n", &[]);
        check(
            "a:\n  - >2\n    b\n      {{ c }}\nd:\n  {{ e }}\n",
            &[("{{ e }}", "d:")],
        );
    }
}
