//! Who may use the members of a class: `private:`, and Qt's `signals:` and `public slots:`.
//!
//! It is read from the words of a file, for what the macros in the header of a class make of the tree is anything.

use tree_sitter::{Node, Tree};

use crate::syntax::tree::tokens;
use crate::syntax::{AccessBody, AccessLabel};
use crate::text::Span;

/// Returns the classes of a file, in the order in which they begin.
pub(super) fn access(tree: &Tree, source: &[u8]) -> Vec<AccessBody> {
    let tokens = tokens(tree);
    let mut found: Vec<AccessBody> = Vec::new();
    let mut open: Vec<Option<usize>> = Vec::new();
    let (mut header, mut at) = (0, 0);
    while let Some(token) = tokens.get(at) {
        let mut next = at + 1;
        match text(token, source) {
            b"{" => {
                let default = tokens
                    .get(header..at)
                    .and_then(|header| default(header, source));
                open.push(default.map(|default| {
                    found.push(AccessBody {
                        span: Span::new(token.end_byte(), source.len()),
                        default,
                        labels: Vec::new(),
                    });
                    found.len() - 1
                }));
                header = next;
            }
            b"}" => {
                let body = open.pop().flatten().and_then(|body| found.get_mut(body));
                if let Some(body) = body {
                    body.span.end = token.start_byte();
                }
                header = next;
            }
            b";" => header = next,
            _ => {
                let body = open.last().copied().flatten();
                let body = body.and_then(|body| found.get_mut(body));
                if let Some(body) = body
                    && let Some((label, length)) = label(&tokens[at..], source)
                {
                    body.labels.push(label);
                    next = at + length;
                    header = next;
                }
            }
        }
        at = next;
    }
    found
}

fn text<'s>(token: &Node<'_>, source: &'s [u8]) -> &'s [u8] {
    source.get(token.byte_range()).unwrap_or_default()
}

/// Returns what holds in the braces that this is ahead of, unless they are those of something else than a class.
fn default(header: &[Node<'_>], source: &[u8]) -> Option<&'static str> {
    let (mut depth, mut above): (usize, &[u8]) = (0, b"");
    for token in header {
        let word = text(token, source);
        match word {
            b"<" | b"(" => depth += 1,
            b">" | b")" => depth = depth.saturating_sub(1),
            b">>" => depth = depth.saturating_sub(2),
            _ if depth > 0 || above == b"enum" => {}
            b"class" => return Some("private"),
            b"struct" | b"union" => return Some("public"),
            _ => {}
        }
        above = word;
    }
    None
}

/// Returns the label that `tokens`, which go on to the end of the file, begin with, and of how many of them it is.
fn label(tokens: &[Node<'_>], source: &[u8]) -> Option<(AccessLabel, usize)> {
    let word = |at: usize| tokens.get(at).map(|token| text(token, source));
    let first = word(0)?;
    let length = match first {
        b"public" | b"protected" | b"private" => match word(1)? {
            b":" => 2,
            b"slots" | b"Q_SLOTS" if word(2)? == b":" => 3,
            _ => return None,
        },
        b"signals" | b"Q_SIGNALS" if word(1)? == b":" && begins_line(tokens.first()?, source) => 2,
        _ => return None,
    };
    let access = match (first, length) {
        (b"signals" | b"Q_SIGNALS", _) => "signals".to_owned(),
        (_, 3) => [&*String::from_utf8_lossy(first), "slots"].join(" "),
        (_, _) => String::from_utf8_lossy(first).into_owned(),
    };
    let span = Span::new(
        tokens.first()?.start_byte(),
        tokens.get(length - 1)?.end_byte(),
    );
    Some((AccessLabel { span, access }, length))
}

/// Says whether nothing but blanks is before a token on its line.
fn begins_line(token: &Node<'_>, source: &[u8]) -> bool {
    let ahead = source.get(..token.start_byte()).unwrap_or_default();
    let line = memchr::memrchr(b'\n', ahead).map_or(0, |at| at + 1);
    ahead[line..].trim_ascii().is_empty()
}
