//! Pieces → blocks: `{% block name %} … {% endblock %}`, nested as they are.
//!
//! A template whose tags do not pair has no blocks: whatever is said of one would be a guess. Only tags that Jinja itself
//! knows have to pair; those of extensions and of other engines are overlooked.

use std::collections::HashSet;

use super::lexer::{Broken, TemplatePiece, TemplatePieceKind, pieces};
use crate::text::Span;

/// One block of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateBlock {
    /// Its name.
    pub name: String,
    /// `{% block name %}`
    pub open: Span,
    /// `{% endblock %}`
    pub close: Span,
    /// Position of the block around it in the list.
    pub parent: Option<usize>,
}

/// Tags that have an end.
pub(super) const PAIRED: [&str; 9] = [
    "block",
    "if",
    "for",
    "macro",
    "call",
    "filter",
    "with",
    "autoescape",
    "set",
];

/// Returns the blocks of a template in file order, those around others before them, or where its tags do not pair.
pub fn blocks(source: &[u8]) -> Result<Vec<TemplateBlock>, Broken> {
    let mut found: Vec<TemplateBlock> = Vec::new();
    // Each with the block that it is, and the innermost block that it is in or is.
    let mut open: Vec<(&str, Span, Option<usize>, Option<usize>)> = Vec::new();
    for piece in pieces(source)? {
        let Some(statement) = StatementTag::of(source, &piece) else {
            continue;
        };
        // One that closes something is part of what it closes.
        if matches!(statement.word, "endraw" | "endverbatim" | "endcomment") {
            return Err(Broken::new(
                piece.span.start,
                format!("`{}` that closes nothing", statement.word),
            ));
        }
        if statement.opens() {
            let block = match statement.word {
                "block" => Some(found.len()),
                _ => None,
            };
            let parent = open.last().and_then(|(_, _, _, innermost)| *innermost);
            if block.is_some() {
                let name = statement
                    .block_name()
                    .ok_or_else(|| Broken::new(piece.span.start, "a block without a name"))?;
                found.push(TemplateBlock {
                    name: name.to_owned(),
                    open: piece.span,
                    close: piece.span,
                    parent,
                });
            }
            open.push((statement.word, piece.span, block, block.or(parent)));
        } else if let Some(word) = statement.closes() {
            let Some((_, _, block, _)) = open.pop().filter(|(opened, ..)| *opened == word) else {
                return Err(Broken::new(
                    piece.span.start,
                    format!("`end{word}` that closes nothing"),
                ));
            };
            let Some(block) = block.and_then(|at| found.get_mut(at)) else {
                continue;
            };
            if statement
                .block_name()
                .is_some_and(|name| name != block.name)
            {
                let message = format!("`endblock` of another block than `{}`", block.name);
                return Err(Broken::new(piece.span.start, message));
            }
            block.close = piece.span;
        }
    }
    match open.first() {
        Some((word, span, ..)) => Err(Broken::new(
            span.start,
            format!("`{word}` without `end{word}`"),
        )),
        None => Ok(found),
    }
}

/// Returns the first block that has the name of one before it: Jinja takes no template with two.
pub fn repeated(blocks: &[TemplateBlock]) -> Option<&TemplateBlock> {
    let mut names = HashSet::new();
    blocks.iter().find(|block| !names.insert(&block.name))
}

/// Returns the `{% extends … %}` of a template in which it is the first tag, as it is where nothing but comments and blanks are ahead.
pub fn extends(source: &[u8]) -> Option<Span> {
    let is_nothing = |piece: &&TemplatePiece| match piece.sort {
        TemplatePieceKind::Data => piece.span.of(source).trim_ascii().is_empty(),
        TemplatePieceKind::Comment => true,
        TemplatePieceKind::Expression | TemplatePieceKind::Statement | TemplatePieceKind::Raw => {
            false
        }
    };
    let pieces = pieces(source).ok()?;
    let first = pieces.iter().find(|piece| !is_nothing(piece))?;
    StatementTag::of(source, first)
        .filter(|statement| statement.word == "extends")
        .map(|_| first.span)
}

/// A `{% … %}` as its first word and what follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementTag<'s> {
    /// `block`, `endblock`, `if`, …
    pub(super) word: &'s str,
    /// The rest, white space at its ends taken off.
    pub(super) rest: &'s str,
}

impl<'s> StatementTag<'s> {
    /// Returns what `piece` says, when it is a statement in UTF-8.
    pub(super) fn of(source: &'s [u8], piece: &TemplatePiece) -> Option<StatementTag<'s>> {
        if piece.sort != TemplatePieceKind::Statement {
            return None;
        }
        let text = std::str::from_utf8(piece.inner.of(source)).ok()?.trim();
        let end = text
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        Some(StatementTag {
            word,
            rest: rest.trim(),
        })
    }

    /// Says whether a closing tag has to follow.
    pub(super) fn opens(&self) -> bool {
        match self.word {
            "set" => !assigns(self.rest),
            word => PAIRED.contains(&word),
        }
    }

    /// Returns the word of the tag that this one closes.
    pub(super) fn closes(&self) -> Option<&'static str> {
        let word = self.word.strip_prefix("end")?;
        PAIRED.into_iter().find(|known| *known == word)
    }

    /// Returns the name that is first in the rest.
    pub(super) fn block_name(&self) -> Option<&'s str> {
        self.rest.split_ascii_whitespace().next()
    }
}

/// Says whether a `set` gives its value with `=`, and so has no end.
fn assigns(rest: &str) -> bool {
    let mut depth = 0usize;
    let mut quote: Option<char> = None;
    for letter in rest.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, '=') if depth == 0 => return true,
            (None, _) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(source: &str) -> String {
        let named = |blocks: &[TemplateBlock], block: &TemplateBlock| {
            let around = block
                .parent
                .map(|at| format!("{}/", blocks[at].name))
                .unwrap_or_default();
            let inner = &source[block.open.end..block.close.start];
            format!("{around}{}={inner:?}", block.name)
        };
        match blocks(source.as_bytes()) {
            Ok(blocks) => blocks
                .iter()
                .map(|block| named(&blocks, block))
                .collect::<Vec<_>>()
                .join(" "),
            Err(broken) => format!("{} at {}", broken.message, broken.offset),
        }
    }

    #[test]
    fn blocks_nest_and_close_by_name() {
        let check = |source: &str, expected: &str| assert_eq!(told(source), expected, "{source:?}");
        check("", "");
        check("{% block a %}x{% endblock %}", r#"a="x""#);
        check(
            "{%- block a scoped required -%}x{%- endblock a -%}",
            r#"a="x""#,
        );
        check(
            "{% block a %}{% block b %}x{% endblock b %}y{% endblock %}",
            r#"a="{% block b %}x{% endblock b %}y" a/b="x""#,
        );
        check(
            "{% if c %}{% block a %}x{% endblock %}{% else %}z{% endif %}",
            r#"a="x""#,
        );
        check(
            "{% block a %}{% for b in c %}{% block d %}{% endblock %}{% endfor %}{% endblock %}{% block e %}{% endblock %}",
            r#"a="{% for b in c %}{% block d %}{% endblock %}{% endfor %}" a/d="" e="""#,
        );
        check("{# {% block a %} #}{% raw %}{% block b %}{% endraw %}", "");
        check(
            "{% block a %}{{ '{% endblock %}' }}{% endblock %}",
            r#"a="{{ '{% endblock %}' }}""#,
        );
        check(
            "{% block side-bar %}{% url 'x' %}{% endblock side-bar %}",
            r#"side-bar="{% url 'x' %}""#,
        );
        check(
            "{% set a = 1 %}{% set b %}x{% endset %}{% set c | upper %}{% endset %}{% set a, b = 1, 2 %}{% block d %}{% endblock %}",
            r#"d="""#,
        );
        check(
            "{% set a['='] %}{% endset %}{% block d %}{% endblock %}",
            r#"d="""#,
        );
        check(
            "{% trans %}a{% endtrans %}{% trans 'b' %}{% load x %}{% block d %}{% endblock %}",
            r#"d="""#,
        );
        check(
            "{% call(user) f() %}{% endcall %}{% block d %}{% endblock %}",
            r#"d="""#,
        );
    }

    #[test]
    fn tags_that_do_not_pair_leave_no_blocks() {
        let check = |source: &str, expected: &str| assert_eq!(told(source), expected, "{source:?}");
        check("{% block a %}", "`block` without `endblock` at 0");
        check("{% endblock %}", "`endblock` that closes nothing at 0");
        check(
            "{% block a %}{% endblock b %}",
            "`endblock` of another block than `a` at 13",
        );
        check(
            "{% if a %}{% block b %}{% endif %}{% endblock %}",
            "`endif` that closes nothing at 23",
        );
        check("{% block %}{% endblock %}", "a block without a name at 0");
        check("{% block a %}x{{ {% endblock %}", "`{{` without `}}` at 14");
    }
}
