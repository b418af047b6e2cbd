//! Template tags in a page are not HTML, so they are masked, byte for byte, and every offset stays true: Jinja's
//! `{{ value }}`, `{% statement %}`, `{# comment #}`, PHP's `<?php … ?>` and `<?= … ?>`, and the `<% … %>` of ERB, EJS and others.
//!
//! A tag that is never closed is no tag: `{{` is ordinary text then. Only PHP runs to the end of its file. Known limits: a
//! tag ends at the first closer, inside a string of the template's language too; PHP's short `<? … ?>` is not distinguished from
//! `<?xml … ?>` and stays what HTML takes it for, a comment that ends at the first `>`.

use memchr::{memchr2, memmem};

use crate::text::Span;

/// What is in the place of each byte of a template tag. No text file holds it.
pub(super) const MASK: u8 = 0;

/// A sort of tag.
struct TagDelimiters {
    opener: &'static [u8],
    closer: &'static [u8],
    is_value: bool,
    /// The end of the file closes it too.
    runs_on: bool,
}

/// The sorts, a longer opener before one that it begins with.
const DELIMITERS: [TagDelimiters; 8] = [
    TagDelimiters {
        opener: b"{{",
        closer: b"}}",
        is_value: true,
        runs_on: false,
    },
    TagDelimiters {
        opener: b"{%",
        closer: b"%}",
        is_value: false,
        runs_on: false,
    },
    TagDelimiters {
        opener: b"{#",
        closer: b"#}",
        is_value: false,
        runs_on: false,
    },
    TagDelimiters {
        opener: b"<?php",
        closer: b"?>",
        is_value: false,
        runs_on: true,
    },
    TagDelimiters {
        opener: b"<?=",
        closer: b"?>",
        is_value: true,
        runs_on: true,
    },
    TagDelimiters {
        opener: b"<%=",
        closer: b"%>",
        is_value: true,
        runs_on: false,
    },
    TagDelimiters {
        opener: b"<%-",
        closer: b"%>",
        is_value: true,
        runs_on: false,
    },
    TagDelimiters {
        opener: b"<%",
        closer: b"%>",
        is_value: false,
        runs_on: false,
    },
];

/// A template tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateTag {
    /// From its opener to its closer.
    pub span: Span,
    /// Written out as a value, not a statement or a comment.
    pub is_value: bool,
}

/// Returns the template tags of `source` in file order.
pub(super) fn tags(source: &[u8]) -> Vec<TemplateTag> {
    let mut tags = Vec::new();
    let mut at = 0;
    // A closer that is missing once is missing from there on: it is not looked for twice.
    let mut hopeless = [false; DELIMITERS.len()];
    while let Some(open) = source
        .get(at..)
        .and_then(|rest| memchr2(b'{', b'<', rest))
        .map(|found| at + found)
    {
        let rest = source.get(open..).unwrap_or_default();
        at = open + 1;
        let Some(which) = DELIMITERS
            .iter()
            .position(|sort| sort.begins(rest))
            .filter(|&which| !hopeless[which])
        else {
            continue;
        };
        let sort = &DELIMITERS[which];
        let inside = rest.get(sort.opener.len()..).unwrap_or_default();
        let end = match memmem::find(inside, sort.closer) {
            Some(length) => Some(sort.opener.len() + length + sort.closer.len()),
            None => sort.runs_on.then_some(rest.len()),
        };
        match end {
            Some(length) => {
                at = open + length;
                tags.push(TemplateTag {
                    span: Span::new(open, at),
                    is_value: sort.is_value || says_value(sort, inside),
                });
            }
            None => hopeless[which] = true,
        }
    }
    tags
}

impl TagDelimiters {
    /// Says whether `rest` begins with such a tag: `<?php` is a word of its own.
    fn begins(&self, rest: &[u8]) -> bool {
        let word = rest
            .get(..self.opener.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(self.opener));
        let last = self.opener.last().is_some_and(u8::is_ascii_alphabetic);
        word && !(last
            && rest
                .get(self.opener.len())
                .is_some_and(|next| !next.is_ascii_whitespace()))
    }
}

/// Says whether a statement of PHP writes something out.
fn says_value(sort: &TagDelimiters, inside: &[u8]) -> bool {
    let inside = inside.trim_ascii_start();
    sort.opener == b"<?php" && (inside.starts_with(b"echo") || inside.starts_with(b"print"))
}

/// Returns `source` with each tag's bytes as `MASK`; line endings inside stay.
pub(super) fn masked(source: &[u8], tags: &[TemplateTag]) -> Vec<u8> {
    filled(source, tags, |_| MASK)
}

/// Returns `source` with each tag's bytes as `filler` says; line endings inside stay.
pub(super) fn filled(
    source: &[u8],
    tags: &[TemplateTag],
    filler: impl Fn(TemplateTag) -> u8,
) -> Vec<u8> {
    let mut bytes = source.to_vec();
    for tag in tags {
        let inside = bytes
            .get_mut(tag.span.start..tag.span.end)
            .unwrap_or_default();
        inside
            .iter_mut()
            .filter(|byte| !matches!(byte, b'\n' | b'\r'))
            .for_each(|byte| *byte = filler(*tag));
    }
    bytes
}

/// Returns where the template tags of `source` are, in file order.
pub fn template_tags(source: &[u8]) -> Vec<Span> {
    tags(source).into_iter().map(|tag| tag.span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let tags = tags(source.as_bytes());
        let seen = filled(source.as_bytes(), &tags, |tag| {
            if tag.is_value { b'v' } else { b'.' }
        });
        assert_eq!(String::from_utf8(seen).unwrap(), expected);
    }

    #[test]
    fn tags_are_masked_byte_for_byte() {
        check("a {{ b }} c", "a vvvvvvv c");
        check("{% if x %}<p>{% endif %}", "..........<p>...........");
        check("{# one\ntwo #}x", "......\n......x");
        check("{{ a }}{{ b }}", "vvvvvvvvvvvvvv");
        check("{{ {% }} %}", "vvvvvvvv %}");
        check("{{ never", "{{ never");
        check("{{ never {% ever %}", "{{ never ..........");
        check("a{b}c{ {d} }", "a{b}c{ {d} }");
        check("{", "{");
        check("{{}}", "vvvv");
        check(
            "<?php if ($a > 1) { ?>b<?= $c ?>",
            "......................bvvvvvvvvv",
        );
        check("<?php echo $a; ?>b", "vvvvvvvvvvvvvvvvvb");
        check("a<?php b();\n", "a..........\n");
        check(
            "<?xml version='1.0'?><?phpx ?><?a <?",
            "<?xml version='1.0'?><?phpx ?><?a <?",
        );
        check(
            "<a b=\"<%= c > 1 %>\"><% if d %>e",
            "<a b=\"vvvvvvvvvvvv\">..........e",
        );
        check("<% never <%= ever <p 50%", "<% never <%= ever <p 50%");
    }
}
