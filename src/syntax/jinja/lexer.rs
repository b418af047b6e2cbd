//! Source → pieces: what is text, and where the tags are.
//!
//! Every byte belongs to one piece, in order. Brackets and strings inside a tag hide its end, as they do in Jinja; what
//! else is there is not judged. The text of a piece of data is as written: `-` beside a tag is a property of the tag.

use crate::text::Span;

/// A stretch of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplatePiece {
    /// What it is.
    pub sort: TemplatePieceKind,
    /// All of it, delimiters and their signs included.
    pub span: Span,
    /// What is between the delimiters; of data all of it, of raw text what is rendered.
    pub inner: Span,
    /// A `-` takes the white space before it away.
    pub trims_before: bool,
    /// A `-` takes the white space after it away.
    pub trims_after: bool,
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplatePieceKind {
    /// Text.
    Data,
    /// `{# … #}`
    Comment,
    /// `{{ … }}`
    Expression,
    /// `{% … %}`
    Statement,
    /// `{% raw %} … {% endraw %}`
    Raw,
}

/// A place where a template cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Byte offset.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

impl Broken {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Broken {
        Broken {
            offset,
            message: message.into(),
        }
    }
}

/// Returns the pieces of a template in order, or where it cannot be read.
pub fn pieces(source: &[u8]) -> Result<Vec<TemplatePiece>, Broken> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let Some(start) = next_tag(source, at) else {
            pieces.push(data_piece(at, source.len()));
            break;
        };
        if start > at {
            pieces.push(data_piece(at, start));
        }
        let piece = read_tag(source, start)?;
        at = piece.span.end;
        pieces.push(piece);
    }
    Ok(pieces)
}

fn data_piece(start: usize, end: usize) -> TemplatePiece {
    let span = Span::new(start, end);
    TemplatePiece {
        sort: TemplatePieceKind::Data,
        span,
        inner: span,
        trims_before: false,
        trims_after: false,
    }
}

/// Returns where the next tag begins.
fn next_tag(source: &[u8], from: usize) -> Option<usize> {
    let opens = |at: &usize| matches!(source.get(at + 1), Some(b'%' | b'{' | b'#'));
    memchr::memchr_iter(b'{', source.get(from..)?)
        .map(|at| from + at)
        .find(opens)
}

/// Reads the tag that begins at `start`.
fn read_tag(source: &[u8], start: usize) -> Result<TemplatePiece, Broken> {
    let sign = source
        .get(start + 2)
        .copied()
        .filter(|byte| matches!(byte, b'-' | b'+'));
    let (inner, trims_before) = (start + 2 + usize::from(sign.is_some()), sign == Some(b'-'));
    match source.get(start + 1) {
        Some(b'#') => read_comment(source, start, inner, trims_before),
        Some(b'{') => read_until_closed(
            source,
            start,
            (inner, trims_before),
            TemplatePieceKind::Expression,
        ),
        _ => match RAW
            .into_iter()
            .find_map(|word| Some((word, raw_begin(source, inner, word)?)))
        {
            Some((word, after)) => read_raw(source, start, word, after, trims_before),
            None => read_until_closed(
                source,
                start,
                (inner, trims_before),
                TemplatePieceKind::Statement,
            ),
        },
    }
}

fn read_comment(
    source: &[u8],
    start: usize,
    inner: usize,
    trims_before: bool,
) -> Result<TemplatePiece, Broken> {
    let end =
        find_from(source, inner, b"#}").ok_or_else(|| Broken::new(start, "`{#` without `#}`"))?;
    let sign = source
        .get(inner..end)
        .and_then(<[u8]>::last)
        .copied()
        .filter(|byte| matches!(byte, b'-' | b'+'));
    Ok(TemplatePiece {
        sort: TemplatePieceKind::Comment,
        span: Span::new(start, end + 2),
        inner: Span::new(inner, end - usize::from(sign.is_some())),
        trims_before,
        trims_after: sign == Some(b'-'),
    })
}

fn find_from(source: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(source.get(from..)?, needle).map(|at| from + at)
}

/// Reads a tag up to its end, over the strings and brackets in it.
fn read_until_closed(
    source: &[u8],
    start: usize,
    opened: (usize, bool),
    sort: TemplatePieceKind,
) -> Result<TemplatePiece, Broken> {
    let (inner, trims_before) = opened;
    let (close, name): (&[u8], _) = if sort == TemplatePieceKind::Expression {
        (b"}}", "`{{` without `}}`")
    } else {
        (b"%}", "`{%` without `%}`")
    };
    let mut brackets: Vec<(u8, usize)> = Vec::new();
    let mut at = if sort == TemplatePieceKind::Expression {
        past_comment(source, inner)
    } else {
        inner
    };
    while let Some(&byte) = source.get(at) {
        if brackets.is_empty() {
            let signed = byte == b'-' || (byte == b'+' && sort == TemplatePieceKind::Statement);
            let end = at + usize::from(signed);
            if source
                .get(end..)
                .is_some_and(|rest| rest.starts_with(close))
            {
                let span = Span::new(start, end + 2);
                let (inner, trims_after) = (Span::new(inner, at), byte == b'-');
                return Ok(TemplatePiece {
                    sort,
                    span,
                    inner,
                    trims_before,
                    trims_after,
                });
            }
        }
        match byte {
            b'\'' | b'"' => {
                at = string_end(source, at)
                    .ok_or_else(|| Broken::new(at, "a string without its closing quote"))?;
                continue;
            }
            // Other engines' strings.
            b'`' if sort == TemplatePieceKind::Expression => {
                at = find_from(source, at + 1, b"`")
                    .ok_or_else(|| Broken::new(at, "a string without its closing quote"))?;
            }
            b'(' => brackets.push((b')', at)),
            b'[' => brackets.push((b']', at)),
            b'{' => brackets.push((b'}', at)),
            b')' | b']' | b'}' if brackets.pop().is_none_or(|(wanted, _)| wanted != byte) => {
                return Err(Broken::new(
                    at,
                    format!("a `{}` that closes nothing", char::from(byte)),
                ));
            }
            _ => {}
        }
        at += 1;
    }
    match brackets.first() {
        Some(&(wanted, open)) => Err(Broken::new(
            open,
            format!("a bracket without its `{}`", char::from(wanted)),
        )),
        None => Err(Broken::new(start, name)),
    }
}

/// Returns where a comment has ended that other engines have in braces, `{{/* … */}}`, `{{!-- … --}}` or `{{! … }}`; `from` where there
/// is none.
fn past_comment(source: &[u8], from: usize) -> usize {
    let start = skip_blank(source, from);
    let rest = source.get(start..).unwrap_or_default();
    let signs: [(&[u8], &[u8], usize); 3] =
        [(b"/*", b"*/", 2), (b"!--", b"--", 2), (b"!", b"}}", 0)];
    let comment = signs.into_iter().find(|(open, ..)| rest.starts_with(open));
    let end = comment
        .and_then(|(open, close, past)| Some(find_from(source, start + open.len(), close)? + past));
    end.unwrap_or(from)
}

/// Returns where the string that begins at `start` has ended.
fn string_end(source: &[u8], start: usize) -> Option<usize> {
    let quote = *source.get(start)?;
    let mut at = start + 1;
    loop {
        match *source.get(at)? {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// Tags of which nothing is read up to their ends; the others than `raw` are Django's, and may be given a name or a note.
const RAW: [&str; 3] = ["raw", "verbatim", "comment"];

/// Returns where the tag has ended if `inner` begins what is in `{% raw %}`, with whether it trims.
fn raw_begin(source: &[u8], inner: usize, name: &str) -> Option<(usize, bool)> {
    let word = skip_blank(source, inner);
    let after = word + name.len();
    let is_longer = source
        .get(after)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if source.get(word..after) != Some(name.as_bytes()) || is_longer {
        return None;
    }
    let end = skip_blank(source, after);
    if name != RAW[0] {
        return Some((find_from(source, end, b"%}")? + 2, false));
    }
    let trims = source.get(end) == Some(&b'-');
    let end = end + usize::from(trims);
    (source.get(end..end + 2) == Some(b"%}")).then_some((end + 2, trims))
}

/// Reads raw text up to its `{% endraw %}`.
fn read_raw(
    source: &[u8],
    start: usize,
    name: &str,
    after: (usize, bool),
    trims_before: bool,
) -> Result<TemplatePiece, Broken> {
    let (text, trims_first) = after;
    let mut from = text;
    while let Some(open) = find_from(source, from, b"{%") {
        if let Some((end, sign, trims_after)) = raw_end(source, open, name) {
            let first = if trims_first {
                skip_blank(source, text).min(open)
            } else {
                text
            };
            let last = if sign == Some(b'-') {
                first + without_tail(source, first, open)
            } else {
                open
            };
            let (span, inner) = (Span::new(start, end), Span::new(first, last.max(first)));
            return Ok(TemplatePiece {
                sort: TemplatePieceKind::Raw,
                span,
                inner,
                trims_before,
                trims_after,
            });
        }
        from = open + 2;
    }
    Err(Broken::new(
        start,
        format!("`{{% {name} %}}` without `{{% end{name} %}}`"),
    ))
}

/// Returns where an `{% endraw %}` at `open` has ended, the sign that it begins with, and whether it trims after.
fn raw_end(source: &[u8], open: usize, name: &str) -> Option<(usize, Option<u8>, bool)> {
    let sign = source
        .get(open + 2)
        .copied()
        .filter(|byte| matches!(byte, b'-' | b'+'));
    let word = skip_blank(source, open + 2 + usize::from(sign.is_some()));
    let after = word + "end".len() + name.len();
    let is_end = source
        .get(word..after)
        .is_some_and(|found| found.strip_prefix(b"end") == Some(name.as_bytes()));
    if !is_end {
        return None;
    }
    let end = skip_blank(source, after);
    if name != RAW[0] {
        return Some((find_from(source, end, b"%}")? + 2, sign, false));
    }
    let closing = source
        .get(end)
        .copied()
        .filter(|byte| matches!(byte, b'-' | b'+'));
    let end = end + usize::from(closing.is_some());
    (source.get(end..end + 2) == Some(b"%}")).then_some((end + 2, sign, closing == Some(b'-')))
}

fn skip_blank(source: &[u8], from: usize) -> usize {
    let rest = source.get(from..).unwrap_or_default();
    from + (rest.len() - rest.trim_ascii_start().len())
}

fn without_tail(source: &[u8], start: usize, end: usize) -> usize {
    source
        .get(start..end)
        .unwrap_or_default()
        .trim_ascii_end()
        .len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes pieces as `sort:inner`, with `-` where they trim.
    fn told(source: &str) -> String {
        let sign = |trims: bool| if trims { "-" } else { "" };
        let word = |piece: &TemplatePiece| {
            let sort = match piece.sort {
                TemplatePieceKind::Data => "text",
                TemplatePieceKind::Comment => "note",
                TemplatePieceKind::Expression => "value",
                TemplatePieceKind::Statement => "tag",
                TemplatePieceKind::Raw => "raw",
            };
            let inner = String::from_utf8_lossy(piece.inner.of(source.as_bytes())).into_owned();
            format!(
                "{}{sort}{}:{inner:?}",
                sign(piece.trims_before),
                sign(piece.trims_after)
            )
        };
        match pieces(source.as_bytes()) {
            Ok(pieces) => pieces.iter().map(word).collect::<Vec<_>>().join(" "),
            Err(broken) => format!("{} at {}", broken.message, broken.offset),
        }
    }

    #[test]
    fn pieces_are_jinjas() {
        let check = |source: &str, expected: &str| assert_eq!(told(source), expected, "{source:?}");
        check("", "");
        check("a { b } %} }} #}", r#"text:"a { b } %} }} #}""#);
        check("a{{ b }}c", r#"text:"a" value:" b " text:"c""#);
        check(
            "{%- if a -%}b{%+ endif +%}",
            r#"-tag-:" if a " text:"b" tag:" endif ""#,
        );
        check("{#- a -#}", r#"-note-:" a ""#);
        check("{##}{#-#}{#--#}", r#"note:"" -note:"" -note-:"""#);
        check("{# {{ a }} {% b #}c", r#"note:" {{ a }} {% b " text:"c""#);
        check(
            "{{ '}}' ~ \"%}\\\"}}\" }}",
            r#"value:" '}}' ~ \"%}\\\"}}\" ""#,
        );
        check("{{ {'a': {'b': 1}} }}", r#"value:" {'a': {'b': 1}} ""#);
        check("{{ {'a':{}}}}", r#"value:" {'a':{}}""#);
        check("{% set a = {'%}': 1} %}", r#"tag:" set a = {'%}': 1} ""#);
        check("{{ a -}} b", r#"value-:" a " text:" b""#);
        check("{{ a +}} b", r#"value:" a +" text:" b""#);
        check(
            "{% raw %}{{ a }}{% b %}{% endraw %}",
            r#"raw:"{{ a }}{% b %}""#,
        );
        check(
            "{%- raw -%} {{ a {%- endraw -%} b",
            r#"-raw-:"{{ a" text:" b""#,
        );
        check("{%raw%}{%endraw%}", r#"raw:"""#);
        check(
            "{% verbatim a %}{% if %}{{ b {% endverbatim a %}c",
            r#"raw:"{% if %}{{ b " text:"c""#,
        );
        check(
            "{% comment \"why\" %}{% if %}{% endcomment %}",
            r#"raw:"{% if %}""#,
        );
        check("{% comments %}", r#"tag:" comments ""#);
        check("{%- raw -%} {%- endraw %}", r#"-raw:"""#);
        check("{% rawness %}", r#"tag:" rawness ""#);
        check("{% raw +%}", r#"tag:" raw ""#);
        check(
            "# for a in b\n% if c\n",
            r##"text:"# for a in b\n% if c\n""##,
        );
        check("{{ ü['ß'] }}", r#"value:" ü['ß'] ""#);
        check(
            "{{/* it's */}}{{- /* (b */ -}}",
            r#"value:"/* it's */" -value-:" /* (b */ ""#,
        );
        check(
            "{{!-- don't }} --}}{{! (c }}",
            r#"value:"!-- don't }} --" value:"! (c ""#,
        );
        check("{{ `it's` }}", r#"value:" `it's` ""#);
    }

    #[test]
    fn what_cannot_be_read_says_where() {
        let check = |source: &str, expected: &str| assert_eq!(told(source), expected, "{source:?}");
        check("a {{ b", "`{{` without `}}` at 2");
        check("a {% b }}", "a `}` that closes nothing at 7");
        check("{# a }}", "`{#` without `#}` at 0");
        check(
            "{% raw %} {% endra %}",
            "`{% raw %}` without `{% endraw %}` at 0",
        );
        check("{{ 'a }}", "a string without its closing quote at 3");
        check("{{ 'a\\", "a string without its closing quote at 3");
        check("{{ (a }}", "a `}` that closes nothing at 6");
        check("{{ (a ", "a bracket without its `)` at 3");
        check("{{ a) }}", "a `)` that closes nothing at 4");
        check("{%", "`{%` without `%}` at 0");
        check("{%-", "`{%` without `%}` at 0");
    }
}
