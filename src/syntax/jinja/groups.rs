//! Pieces → tags that belong together: `{% if … %}`, its `{% elif … %}` and `{% else %}`, its `{% endif %}`.
//!
//! Tags of extensions and of other engines that have an end somewhere are told by that: `{% ifchanged %} … {% else %} …
//! {% endifchanged %}`. Where those do not pair, as with a tag that has an end only now and then, they are overlooked.

use std::collections::BTreeSet;

use super::blocks::Statement;
use super::lexer::{Broken, pieces};
use crate::text::Span;

/// Tags that part what others open and close.
const PARTING: [&str; 6] = ["else", "elif", "elseif", "empty", "plural", "pluralize"];

/// Tags that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What opens it, what parts it, what closes it, in file order. One that parts and is in nothing is alone.
    pub tags: Vec<Span>,
    /// Where a second `else` stands, or an `elif` behind one.
    pub second_else: Option<Span>,
    word: String,
}

impl Group {
    /// Returns the word that opens it.
    pub fn word(&self) -> &str {
        &self.word
    }

    fn part(&mut self, tag: Span, word: &str, is_else: &mut bool) {
        let is_known = matches!(self.word.as_str(), "if" | "for");
        if is_known && *is_else && matches!(word, "else" | "elif") {
            self.second_else = self.second_else.or(Some(tag));
        }
        *is_else |= word == "else";
        self.tags.push(tag);
    }
}

/// Returns the words of `source` that are closed somewhere, and that Jinja does not know.
pub fn foreign(source: &[u8]) -> BTreeSet<String> {
    let ends = |statement: &Statement<'_>| statement.closes().is_none() && statement.word.starts_with("end");
    let pieces = pieces(source).unwrap_or_default();
    let statements = pieces.iter().filter_map(|piece| Statement::of(source, piece)).filter(ends);
    statements.filter_map(|statement| statement.word.strip_prefix("end")).map(str::to_owned).collect()
}

/// Returns the groups of a template, in the order in which they end, where `foreign` words have an end, too; or where its tags do
/// not pair.
pub fn groups(source: &[u8], foreign: &BTreeSet<String>) -> Result<Vec<Group>, Broken> {
    let mut open: Vec<(Group, bool)> = Vec::new();
    let mut found = Vec::new();
    for piece in pieces(source)? {
        let Some(statement) = Statement::of(source, &piece) else { continue };
        let group = |word: &str| Group { tags: vec![piece.span], second_else: None, word: word.to_owned() };
        let closed = statement.word.strip_prefix("end");
        let foreign_end = closed.filter(|word| foreign.contains(*word));
        if statement.opens() || foreign.contains(statement.word) {
            open.push((group(statement.word), false));
        } else if let Some(word) = statement.closes().or(foreign_end) {
            let Some((mut group, _)) = open.pop().filter(|(group, _)| group.word == word) else {
                return Err(Broken::new(piece.span.start, format!("`end{word}` that closes nothing")));
            };
            group.tags.push(piece.span);
            found.push(group);
        } else if PARTING.contains(&statement.word) {
            match open.last_mut() {
                Some((around, is_else)) => around.part(piece.span, statement.word, is_else),
                None => found.push(group("")),
            }
        }
    }
    match open.first() {
        Some((Group { tags, word, .. }, _)) => {
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
            let told = |group: &Group| {
                let tags: Vec<&str> = group
                    .tags
                    .iter()
                    .map(|tag| source[tag.start..tag.end].trim_matches(['{', '}', '%', ' ']))
                    .collect();
                format!("{}{}", tags.join(" "), if group.second_else.is_some() { "!" } else { "" })
            };
            assert_eq!(found.iter().map(told).collect::<Vec<_>>(), expected, "{source}");
        };
        check("{% if a %}1{% elif b %}2{% else %}3{% endif %}", &["if a elif b else endif"]);
        check(
            "{% for a in b %}{% if c %}1{% endif %}{% else %}2{% endfor %}",
            &["if c endif", "for a in b else endfor"],
        );
        check("{% if a %}{% else %}{% else %}{% endif %}", &["if a else else endif!"]);
        check("{% if a %}{% else %}{% elif b %}{% endif %}", &["if a else elif b endif!"]);
        check("{% if a %}{% x %}1{% else %}2{% endx %}{% else %}3{% endif %}", &["x else endx", "if a else endif"]);
        check("{% url a %}{% else %}", &["else"]);
        check("{% set a = 1 %}{% set b %}1{% endset %}", &["set b endset"]);
    }
}
