//! Pieces → tags that belong together: `{% if … %}`, its `{% elif … %}` and `{% else %}`, its `{% endif %}`.
//!
//! Tags of extensions and of other engines that have an end somewhere are recognized by that: `{% ifchanged %} … {% else %} …
//! {% endifchanged %}`. Where those do not pair, as with a tag that has an end only now and then, they are overlooked.

use std::collections::BTreeSet;

use super::blocks::{PAIRED, StatementTag};
use super::lexer::{Broken, pieces};
use crate::text::Span;

/// Tags that part what others open and close.
const PARTING: [&str; 6] = ["else", "elif", "elseif", "empty", "plural", "pluralize"];

/// Tags of Django and Twig that always have an end.
const ENDED: [&str; 14] = [
    "apply",
    "blocktrans",
    "blocktranslate",
    "cache",
    "embed",
    "ifchanged",
    "ifequal",
    "ifnotequal",
    "language",
    "localize",
    "localtime",
    "sandbox",
    "spaceless",
    "timezone",
];

/// Tags that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagGroup {
    /// What opens it, what parts it, what closes it, in file order. One that parts and is in nothing is alone.
    pub tags: Vec<Span>,
    /// What parts it and cannot: a second `else`, an `elif` after one or in a `for`, an `else` that is in nothing.
    pub misplaced: Option<Broken>,
    word: String,
}

impl TagGroup {
    /// Returns a group of `tags`, in file order, of which nothing else is asked.
    pub(crate) fn of(tags: Vec<Span>) -> TagGroup {
        TagGroup {
            tags,
            misplaced: None,
            word: String::new(),
        }
    }

    /// Returns a group of what `tag` opens.
    pub(super) fn begun(tag: Span) -> TagGroup {
        TagGroup {
            tags: vec![tag],
            misplaced: None,
            word: String::new(),
        }
    }

    fn part(&mut self, tag: Span, word: &str, is_else: &mut bool) {
        let branches = matches!(word, "else" | "elif" | "elseif");
        let message = match self.word.as_str() {
            "if" | "for" if *is_else && branches => Some(format!(
                "behind the `else` of this `{}` there can be no other",
                self.word
            )),
            "for" if *is_else && word == "empty" => {
                Some("this `for` has said already what it is when it is empty".to_owned())
            }
            "if" => None,
            "for" if word == "else" => None,
            outer if branches && (outer.is_empty() || PAIRED.contains(&outer)) => {
                Some(format!("`{word}` that belongs to no `if`"))
            }
            _ => None,
        };
        self.misplaced = self
            .misplaced
            .take()
            .or_else(|| Some(Broken::new(tag.start, message?)));
        *is_else |= word == "else" || word == "empty" && self.word == "for";
    }
}

/// Returns the words of `source` that are closed somewhere, and that Jinja does not know.
pub fn foreign(source: &[u8]) -> BTreeSet<String> {
    let ends = |statement: &StatementTag<'_>| {
        statement.closes().is_none() && statement.word.starts_with("end")
    };
    let pieces = pieces(source).unwrap_or_default();
    let statements = pieces
        .iter()
        .filter_map(|piece| StatementTag::of(source, piece))
        .filter(ends);
    statements
        .filter_map(|statement| statement.word.strip_prefix("end"))
        .map(str::to_owned)
        .collect()
}

/// Returns where `new` loses the end of a tag, or ends what nothing opens, when the tags of `old` had theirs: those of Django and Twig
/// that always have one, and those of which each one in `old` has.
pub fn unpaired(old: &[u8], new: &[u8]) -> Option<Broken> {
    let ended: BTreeSet<String> = ENDED.map(str::to_owned).into();
    let mut words = foreign(old);
    words.extend(ended.iter().cloned());
    let known = || {
        groups(old, &ended)
            .is_ok()
            .then(|| groups(new, &ended).err())
            .flatten()
    };
    if groups(old, &words).is_err() {
        return known();
    }
    let broken = groups(new, &words).err()?;
    // What has an end now and then may be added without; an end that went, or that ends nothing, is another matter.
    let is_lost = words.iter().any(|word| {
        let (opened, closed) = counted(new, word);
        closed > opened || closed < counted(old, word).1
    });
    if is_lost { Some(broken) } else { known() }
}

/// Returns where a tag of `new` has no counterpart, when it had one in `old`, where all of them pair, and `new` has fewer of those.
pub fn halved(old: &[u8], new: &[u8]) -> Option<Broken> {
    let lone = lone_ends(new);
    if lone.len() > lone_ends(old).len() {
        return lone.into_iter().next();
    }
    let words = foreign(old);
    let groups_then = groups(old, &words).ok()?;
    let broken = groups(new, &words).err()?;
    let is_lost = |word: &str| {
        let (opened, closed) = counted(new, word);
        let (had_opened, had_closed) = counted(old, word);
        closed < had_closed.min(opened) || opened < had_opened.min(closed)
    };
    let mut known = groups_then.iter().map(|group| group.word.as_str());
    known.any(is_lost).then_some(broken)
}

/// Returns each tag that ends raw text or a comment, where none is open.
fn lone_ends(source: &[u8]) -> Vec<Broken> {
    let pieces = pieces(source).unwrap_or_default();
    let tags = pieces
        .iter()
        .filter_map(|piece| Some((piece.span.start, StatementTag::of(source, piece)?.word)));
    tags.filter(|(_, word)| matches!(*word, "endraw" | "endverbatim" | "endcomment"))
        .map(|(start, word)| Broken::new(start, format!("`{word}` that closes nothing")))
        .collect()
}

/// Returns how many tags `word` and `endword` there are.
fn counted(source: &[u8], word: &str) -> (usize, usize) {
    let pieces = pieces(source).unwrap_or_default();
    let mut counts = (0, 0);
    for statement in pieces
        .iter()
        .filter_map(|piece| StatementTag::of(source, piece))
    {
        counts.0 += usize::from(statement.word == word);
        counts.1 += usize::from(statement.word.strip_prefix("end") == Some(word));
    }
    counts
}

/// Returns the groups of a template, in the order in which they end, where `foreign` words have an end, too; or where its tags do
/// not pair.
pub fn groups(source: &[u8], foreign: &BTreeSet<String>) -> Result<Vec<TagGroup>, Broken> {
    let mut open: Vec<(TagGroup, bool)> = Vec::new();
    let mut found = Vec::new();
    for piece in pieces(source)? {
        let Some(statement) = StatementTag::of(source, &piece) else {
            continue;
        };
        let group = |tags: Vec<Span>, word: &str| TagGroup {
            tags,
            misplaced: None,
            word: word.to_owned(),
        };
        let closed = statement.word.strip_prefix("end");
        let foreign_end = closed.filter(|word| foreign.contains(*word));
        if statement.opens() || foreign.contains(statement.word) {
            open.push((group(vec![piece.span], statement.word), false));
        } else if let Some(word) = statement.closes().or(foreign_end) {
            let Some((mut group, _)) = open.pop().filter(|(group, _)| group.word == word) else {
                return Err(Broken::new(
                    piece.span.start,
                    format!("`end{word}` that closes nothing"),
                ));
            };
            group.tags.push(piece.span);
            found.push(group);
        } else if PARTING.contains(&statement.word) {
            match open.last_mut() {
                Some((around, is_else)) => {
                    around.tags.push(piece.span);
                    around.part(piece.span, statement.word, is_else);
                }
                None => {
                    let mut alone = group(vec![piece.span], "");
                    alone.part(piece.span, statement.word, &mut false);
                    found.push(alone);
                }
            }
        }
    }
    match open.first() {
        Some((TagGroup { tags, word, .. }, _)) => {
            let start = tags.first().map_or(0, |tag| tag.start);
            Err(Broken::new(start, format!("`{word}` without `end{word}`")))
        }
        None => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_belong_together() {
        let check = |source: &str, expected: &[&str]| {
            let found = groups(source.as_bytes(), &foreign(source.as_bytes())).unwrap();
            let told = |group: &TagGroup| {
                let tags: Vec<&str> = group
                    .tags
                    .iter()
                    .map(|tag| source[tag.start..tag.end].trim_matches(['{', '}', '%', ' ']))
                    .collect();
                format!(
                    "{}{}",
                    tags.join(" "),
                    if group.misplaced.is_some() { "!" } else { "" }
                )
            };
            assert_eq!(
                found.iter().map(told).collect::<Vec<_>>(),
                expected,
                "{source}"
            );
        };
        check(
            "{% if a %}1{% elif b %}2{% else %}3{% endif %}",
            &["if a elif b else endif"],
        );
        check(
            "{% for a in b %}{% if c %}1{% endif %}{% else %}2{% endfor %}",
            &["if c endif", "for a in b else endfor"],
        );
        check(
            "{% if a %}{% else %}{% else %}{% endif %}",
            &["if a else else endif!"],
        );
        check(
            "{% for a in b %}{% empty %}{% empty %}{% endfor %}",
            &["for a in b empty empty endfor!"],
        );
        check(
            "{% for a in b %}{% empty %}{% endfor %}",
            &["for a in b empty endfor"],
        );
        check(
            "{% if a %}{% else %}{% elif b %}{% endif %}",
            &["if a else elif b endif!"],
        );
        check(
            "{% if a %}{% x %}1{% else %}2{% endx %}{% else %}3{% endif %}",
            &["x else endx", "if a else endif"],
        );
        check("{% url a %}{% else %}", &["else!"]);
        check(
            "{% block a %}1{% else %}2{% endblock %}",
            &["block a else endblock!"],
        );
        check(
            "{% for a in b %}1{% elif c %}2{% endfor %}",
            &["for a in b elif c endfor!"],
        );
        check(
            "{% for a in b %}1{% empty %}2{% endfor %}",
            &["for a in b empty endfor"],
        );
        check("{% set a = 1 %}{% set b %}1{% endset %}", &["set b endset"]);
    }

    #[test]
    fn an_end_that_goes() {
        let check = |old: &str, new: &str, expected: Option<&str>| {
            let found = unpaired(old.as_bytes(), new.as_bytes()).map(|broken| broken.message);
            assert_eq!(found.as_deref(), expected, "{old} to {new}");
        };
        check(
            "{% comment %}a{% endcomment %}",
            "{% comment %}a",
            Some("`{% comment %}` without `{% endcomment %}`"),
        );
        check(
            "{% cache %}a{% endcache %}",
            "a{% endcache %}",
            Some("`endcache` that closes nothing"),
        );
        check("{% comment %}a{% endcomment %}", "a", None);
        check(
            "a",
            "{% spaceless %}a",
            Some("`spaceless` without `endspaceless`"),
        );
        check("{% spaceless %}a", "{% spaceless %}b", None);
        check(
            "{% box %}a{% endbox %}",
            "{% box %}a",
            Some("`box` without `endbox`"),
        );
        check(
            "{% box %}a{% endbox %}",
            "a{% endbox %}",
            Some("`endbox` that closes nothing"),
        );
        check(
            "{% box %}a{% endbox %}",
            "{% box %}a{% endbox %}{% box %}",
            None,
        );
        check(
            "{% box %}{% box %}a{% endbox %}",
            "{% box %}{% box %}b{% endbox %}",
            None,
        );
        check(
            "{% box %}{% cache 5 %}a{% endcache %}",
            "{% box %}{% cache 5 %}a",
            Some("`cache` without `endcache`"),
        );
    }
}
