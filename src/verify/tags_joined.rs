//! Tags that are joined by a slip: a quotation goes from one pair of tags into the first tag of the next, and the content, which says something
//! else, gives neither the end of the first nor that tag back. What was below the tag would be in the first pair.
//!
//! Example: of `<p>1</p>{% endfor %}{% for b in y %}` only `<p>2</p>` is given back: what is said of each `b` would be said of each `a`.
//!
//! Who takes the two tags and nothing else means to join what they parted, and so does who has a tag in their place (`{% elif b %}`), or joins
//! two that begin with the same tag.

use super::branches::{Cut, TagsAndText};
use super::neighbours::is_anothers;
use crate::syntax::jinja::TagGroup;
use crate::text::Span;
use crate::text::splice::Splices;

/// The first tag of those that belong together, and the last.
#[derive(Clone, Copy)]
struct TagPair<'g> {
    opener: Span,
    closer: Span,
    group: &'g TagGroup,
}

/// Returns the pairs of one side. A tag that is alone is none.
fn pairs(groups: &[TagGroup]) -> Vec<TagPair<'_>> {
    let pairs = groups.iter().filter_map(|group| match group.tags[..] {
        [opener, .., closer] => Some(TagPair {
            opener,
            closer,
            group,
        }),
        _ => None,
    });
    pairs.collect()
}

/// Returns the first thing below the tag of a pair that an edit takes, where another pair, whose end the edit takes, has it.
pub(super) fn joined(splices: &Splices, old: TagsAndText, new: TagsAndText) -> Option<Cut> {
    let (before, after) = (pairs(old.0), pairs(new.0));
    let moves = splices.moves();
    splices.with_new_spans().find_map(|(splice, written)| {
        let taken = splice.span;
        if is_part(&splice.bytes, taken.of(old.1)) {
            return None;
        }
        let is_cut =
            |pair: &&TagPair| pair.opener.overlaps(taken) && taken.end <= pair.closer.start;
        let one = before.iter().find(is_cut)?;
        let end = moves.after(one.closer.start);
        let heir = after.iter().find(|pair| pair.closer.start == end)?;
        let mut ended = before.iter().filter(|pair| pair.closer.overlaps(taken));
        let is_anothers = if written.contains(heir.opener) {
            let begun = |pairs: &[TagPair], span: Span| {
                let in_span = |pair: &&TagPair| pair.opener.overlaps(span);
                pairs.iter().filter(in_span).count()
            };
            let brings_body = old.1[one.opener.end.min(taken.end)..taken.end]
                .trim_ascii()
                .is_empty()
                && !new.1[heir.opener.end..written.end].trim_ascii().is_empty();
            let is_its = |pair: &TagPair| {
                let tags = (
                    heir.opener.of(new.1),
                    one.opener.of(old.1),
                    pair.opener.of(old.1),
                );
                pair.opener.overlaps(taken) && is_anothers(tags, brings_body)
            };
            begun(&after, written) < begun(&before, taken) && ended.any(is_its)
        } else {
            let is_parted = heir.group.tags.iter().any(|tag| written.contains(*tag));
            let is_its = |pair: &TagPair| {
                !pair.opener.overlaps(taken)
                    && moves.after(pair.opener.start) == heir.opener.start
                    && pair.opener.of(old.1) != one.opener.of(old.1)
            };
            !is_parted && ended.any(is_its)
        };
        let rest = &old.1[taken.end..];
        let at = old.1.len() - rest.trim_ascii_start().len();
        is_anothers.then(|| Cut {
            branch: one.opener,
            at,
            now: moves.after(at),
        })
    })
}

/// Says whether the lines of `content` are some of those of `quoted`, in their order.
fn is_part(content: &[u8], quoted: &[u8]) -> bool {
    let lines = |text: &'_ [u8]| {
        let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        lines
            .filter(|line| !line.is_empty())
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    let quoted = lines(quoted);
    let mut quoted = quoted.iter();
    lines(content)
        .iter()
        .all(|line| quoted.any(|other| other == line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::jinja;
    use crate::verify::marked;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let (old, splices) = marked::read(text);
        let new = splices.apply(old.as_bytes());
        let groups = |text: &[u8]| {
            let foreign = jinja::foreign(text);
            jinja::actions(text)
                .ok()
                .filter(|groups| !groups.is_empty())
                .unwrap_or_else(|| jinja::groups(text, &foreign).unwrap())
        };
        let (before, after) = (groups(old.as_bytes()), groups(&new));
        let cut = joined(&splices, (&before, old.as_bytes()), (&after, &new));
        let found =
            cut.map(|cut| String::from_utf8_lossy(cut.branch.of(old.as_bytes())).into_owned());
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn a_tag_that_is_quoted_below_another_pair_is_not_forgotten() {
        let with = "{{- with .V.affinity }}";
        check(
            "{{- with .V.node }}\nnode:\n«  {{- toYaml . }}\n{{- end }}\n{{- with .V.affinity }}\n|  {{- tpl (toYaml .) $ }}\n»affinity:\n  {{- toYaml . }}\n{{- end }}\n",
            Some(with),
        );
        check(
            "«{{- with .V.node }}\nnode: {{ . }}\n{{- end }}\n{{- with .V.affinity }}\n|{{- with .V.selector }}\nnode: {{ . }}\n»affinity: {{ . }}\n{{- end }}\n",
            Some(with),
        );
        check(
            "{% for a in x %}\n«<p>1</p>\n{% endfor %}\n{% for b in y %}\n|<p>2</p>\n»<p>{{ b }}</p>\n{% endfor %}\n",
            Some("{% for b in y %}"),
        );
        check(
            "«{% if a %}\na: 1\n{% endif %}\n{% if b %}\n|{% if a %}\na: 2\n»b: 2\n{% endif %}\n",
            Some("{% if b %}"),
        );
    }

    #[test]
    fn two_pairs_may_be_joined() {
        let check = |text: &str| check(text, None);
        check("{% if a %}x«{% endif %}{% if b %}|{% elif b %}»y{% endif %}");
        check("{% if a %}\nx\n«{% endif %}\n{% if b %}\n|»y\n{% endif %}");
        check("{% if a %}\n«x\n{% endif %}\n{% if b %}\n|x\n»y\n{% endif %}");
        check("{% if a %}\n«x\n{% endif %}\n{% if a %}\n|z\n»y\n{% endif %}");
        // The first goes, and the second is changed.
        check("«{% if a %}\nx\n{% endif %}\n{% if b %}\n|{% if b and c %}\n»y\n{% endif %}");
        check("«{% if a %}\nx\n{% endif %}\n{% if b %}\n|{% if b %}\nz\n»y\n{% endif %}");
        // Both stay.
        check(
            "«{% if a %}\nx\n{% endif %}\n{% if b %}\n|{% if a %}\nz\n{% endif %}\n{% if b %}\n»y\n{% endif %}",
        );
    }
}
