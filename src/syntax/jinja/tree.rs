//! Pieces → what is rendered, as far as a template alone shows.
//!
//! Text is known, with the white space gone that a `-` takes away; a value is unknown but is in one place; of what
//! branches or repeats, each branch is known; what includes or filters is unknown altogether.

use std::collections::BTreeMap;

use super::blocks::{PAIRED, StatementTag};
use super::lexer::{Broken, TemplatePiece, TemplatePieceKind, pieces};
use crate::text::Span;

/// A part of what is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderNode {
    /// These bytes.
    Text(Vec<u8>),
    /// Something within a line.
    Value,
    /// Anything, lines too; the source says which it may be at least.
    Unknown(Vec<u8>),
    /// What the block comes to in the template that this one extends.
    Super,
    /// The block of this name, by whichever template gives it last.
    Block(String),
    /// One of these; without an `else`, the last of them is empty.
    Choice(Vec<Vec<RenderNode>>),
    /// This, any number of times.
    Loop(Vec<RenderNode>),
}

/// A template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// The template that it extends.
    pub extends: Option<Parent>,
    /// What is rendered outside of blocks; of a template that extends another, what is before that tag.
    pub body: Vec<RenderNode>,
    /// What each block holds, wherever it is.
    pub blocks: BTreeMap<String, Vec<RenderNode>>,
}

/// The template that another extends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parent {
    /// The one of this name.
    Named(String),
    /// One that only rendering shows.
    Unknown,
}

/// A tag that is open, and what is in it so far.
struct OpenTag<'s> {
    word: &'s str,
    name: &'s str,
    open: Span,
    /// The branches before the one that is open.
    branches: Vec<Vec<RenderNode>>,
    /// That is the last: an `else` began it.
    is_else: bool,
    nodes: Vec<RenderNode>,
}

impl<'s> OpenTag<'s> {
    fn new(word: &'s str, name: &'s str, open: Span) -> OpenTag<'s> {
        OpenTag {
            word,
            name,
            open,
            branches: Vec::new(),
            is_else: false,
            nodes: Vec::new(),
        }
    }
}

/// Most tags that may be open at once.
const DEEPEST: usize = 200;

/// Reads a template, or says where it cannot be read.
pub fn template(source: &[u8]) -> Result<Template, Broken> {
    let pieces = pieces(source)?;
    let mut template = Template::default();
    let mut frames = vec![OpenTag::new("", "", Span::at(0))];
    for (at, piece) in pieces.iter().enumerate() {
        let node = match piece.sort {
            TemplatePieceKind::Data => {
                Some(RenderNode::Text(trimmed(source, &pieces, at).to_vec()))
            }
            TemplatePieceKind::Raw => Some(RenderNode::Text(piece.inner.of(source).to_vec())),
            TemplatePieceKind::Comment => None,
            TemplatePieceKind::Expression if compact(piece.inner.of(source)) == b"super()" => {
                Some(RenderNode::Super)
            }
            TemplatePieceKind::Expression => Some(RenderNode::Value),
            TemplatePieceKind::Statement => statement(source, piece, &mut frames, &mut template)?,
        };
        if let (Some(node), Some(frame)) = (node, frames.last_mut()) {
            frame.nodes.push(node);
        }
    }
    match (frames.pop(), frames.is_empty()) {
        (Some(top), true) if template.extends.is_none() => Ok(Template {
            body: top.nodes,
            ..template
        }),
        (Some(_), true) => Ok(template),
        (Some(open), false) => Err(Broken::new(
            open.open.start,
            format!("`{0}` without `end{0}`", open.word),
        )),
        (None, _) => Ok(template),
    }
}

/// Returns the text of the data at `at` without what the tags beside it take away.
fn trimmed<'s>(source: &'s [u8], pieces: &[TemplatePiece], at: usize) -> &'s [u8] {
    let mut text = pieces
        .get(at)
        .map_or(&[][..], |piece| piece.span.of(source));
    if at
        .checked_sub(1)
        .and_then(|previous| pieces.get(previous))
        .is_some_and(|previous| previous.trims_after)
    {
        text = text.trim_ascii_start();
    }
    if pieces.get(at + 1).is_some_and(|next| next.trims_before) {
        text = text.trim_ascii_end();
    }
    text
}

fn compact(inner: &[u8]) -> Vec<u8> {
    inner
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect()
}

/// Opens or closes a frame; returns what the tag itself renders.
fn statement<'s>(
    source: &'s [u8],
    piece: &TemplatePiece,
    frames: &mut Vec<OpenTag<'s>>,
    template: &mut Template,
) -> Result<Option<RenderNode>, Broken> {
    let Some(statement) = StatementTag::of(source, piece) else {
        return Ok(Some(RenderNode::Unknown(Vec::new())));
    };
    if statement.opens() {
        let name = statement.block_name().unwrap_or_default();
        if frames.len() > DEEPEST {
            return Err(Broken::new(
                piece.span.start,
                format!("more than {DEEPEST} tags in each other"),
            ));
        }
        frames.push(OpenTag::new(statement.word, name, piece.span));
        return Ok(None);
    }
    if let Some(word) = statement.closes() {
        let frame = if frames.len() > 1 { frames.pop() } else { None };
        let Some(frame) = frame.filter(|frame| frame.word == word) else {
            return Err(Broken::new(
                piece.span.start,
                format!("`end{word}` that closes nothing"),
            ));
        };
        return closed(source, frame, piece, frames, template);
    }
    Ok(match statement.word {
        "extends" => {
            let parent = if frames.len() == 1 {
                literal(statement.rest)
            } else {
                Parent::Unknown
            };
            let previous = frames
                .first_mut()
                .map(|top| std::mem::take(&mut top.nodes))
                .unwrap_or_default();
            let again = template.extends.is_some();
            template.extends = Some(if again { Parent::Unknown } else { parent });
            template.body.extend(previous);
            None
        }
        "set" | "import" | "from" | "do" => None,
        "else" | "elif" => {
            if let Some(frame) = frames.last_mut().filter(|frame| frame.word == "if") {
                frame.branches.push(std::mem::take(&mut frame.nodes));
                frame.is_else |= statement.word == "else";
            }
            None
        }
        _ => Some(RenderNode::Unknown(Vec::new())),
    })
}

/// Returns what a closed frame renders.
fn closed(
    source: &[u8],
    frame: OpenTag<'_>,
    close: &TemplatePiece,
    frames: &mut [OpenTag<'_>],
    template: &mut Template,
) -> Result<Option<RenderNode>, Broken> {
    debug_assert!(
        PAIRED.contains(&frame.word),
        "only tags that have an end are opened"
    );
    match frame.word {
        "block" => {
            if template
                .blocks
                .insert(frame.name.to_owned(), frame.nodes)
                .is_some()
            {
                return Err(Broken::new(
                    frame.open.start,
                    format!("a second block `{}`", frame.name),
                ));
            }
            Ok(Some(RenderNode::Block(frame.name.to_owned())))
        }
        "with" | "autoescape" => {
            if let Some(around) = frames.last_mut() {
                around.nodes.extend(frame.nodes);
            }
            Ok(None)
        }
        "macro" | "set" => Ok(None),
        "if" => {
            let mut branches = frame.branches;
            branches.push(frame.nodes);
            if !frame.is_else {
                branches.push(Vec::new());
            }
            Ok(Some(RenderNode::Choice(branches)))
        }
        "for" => Ok(Some(RenderNode::Loop(frame.nodes))),
        _ => {
            let whole = frame.open.cover(close.span);
            let source = whole.of(source);
            Ok(Some(if source.contains(&b'\n') {
                RenderNode::Unknown(source.to_vec())
            } else {
                RenderNode::Value
            }))
        }
    }
}

/// Returns the name that an `extends` gives as a string.
fn literal(rest: &str) -> Parent {
    let quoted = |quote: char| {
        let name = rest.strip_prefix(quote)?.strip_suffix(quote)?;
        (!name.is_empty() && !name.contains([quote, '\\'])).then(|| Parent::Named(name.to_owned()))
    };
    quoted('"')
        .or_else(|| quoted('\''))
        .unwrap_or(Parent::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(nodes: &[RenderNode]) -> String {
        let branches = |branches: &[Vec<RenderNode>]| {
            branches
                .iter()
                .map(|nodes| words(nodes))
                .collect::<Vec<_>>()
                .join(" | ")
        };
        let word = |node: &RenderNode| match node {
            RenderNode::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
            RenderNode::Value => "value".to_owned(),
            RenderNode::Unknown(_) => "unknown".to_owned(),
            RenderNode::Super => "super".to_owned(),
            RenderNode::Block(name) => format!("[{name}]"),
            RenderNode::Choice(found) => format!("({})", branches(found)),
            RenderNode::Loop(nodes) => format!("({})*", words(nodes)),
        };
        nodes.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn check(source: &str, body: &str, blocks: &[(&str, &str)]) {
        let found = template(source.as_bytes()).unwrap();
        assert_eq!(words(&found.body), body, "{source:?}");
        let told: Vec<(String, String)> = found
            .blocks
            .iter()
            .map(|(name, nodes)| (name.clone(), words(nodes)))
            .collect();
        let told: Vec<(&str, &str)> = told
            .iter()
            .map(|(name, nodes)| (name.as_str(), nodes.as_str()))
            .collect();
        assert_eq!(told, blocks, "{source:?}");
    }

    #[test]
    fn what_is_rendered_is_told_as_far_as_it_can_be() {
        check("a{{ b }}c{# d #}e", r#""a" value "c" "e""#, &[]);
        check("a {%- set b = 1 -%} c", r#""a" "c""#, &[]);
        check(
            "{% block a %}x{% block b %}y{% endblock %}{% endblock %}",
            "[a]",
            &[("a", r#""x" [b]"#), ("b", r#""y""#)],
        );
        check("{% if a %}\nb\n{% endif %}", r#"("\nb\n" | )"#, &[]);
        check(
            "a{% if b %}c{% else %}d{% endif %}e",
            r#""a" ("c" | "d") "e""#,
            &[],
        );
        check(
            "{% if a %}b{% elif c %}d{% endif %}",
            r#"("b" | "d" | )"#,
            &[],
        );
        check(
            "{% if a %}{% block b %}c{% endblock %}{% endif %}",
            "([b] | )",
            &[("b", r#""c""#)],
        );
        check(
            "{% for a in b %}c{% else %}d{% endfor %}",
            r#"("c" "d")*"#,
            &[],
        );
        check("{% filter a %}\nb\n{% endfilter %}", "unknown", &[]);
        check(
            "{% with a = 1 %}b{% endwith %}{% macro c() %}d{% endmacro %}{% set e %}f{% endset %}",
            r#""b""#,
            &[],
        );
        check("{% include 'a' %}{% url b %}", "unknown unknown", &[]);
        check("{% raw %}{{ a }}{% endraw %}", r#""{{ a }}""#, &[]);
        check(
            "{% block a %}{{ super() }}{{ super ( ) }}{{ super()|e }}{% endblock %}",
            "[a]",
            &[("a", "super super value")],
        );
    }

    #[test]
    fn what_stands_ahead_of_extends_is_rendered_first() {
        check(
            "# head\n{% extends 'a' %}\nlost\n{% block b %}c{% endblock %}",
            r##""# head\n""##,
            &[("b", r#""c""#)],
        );
        let parent = |source: &str| template(source.as_bytes()).unwrap().extends;
        assert_eq!(
            parent("{% extends \"a/b.j2\" %}"),
            Some(Parent::Named("a/b.j2".to_owned()))
        );
        assert_eq!(parent("{% extends a %}"), Some(Parent::Unknown));
        assert_eq!(parent("{% extends ['a', 'b'] %}"), Some(Parent::Unknown));
        assert_eq!(
            parent("{% extends 'a' if b else 'c' %}"),
            Some(Parent::Unknown)
        );
        assert_eq!(
            parent("{% if a %}{% extends 'b' %}{% endif %}"),
            Some(Parent::Unknown)
        );
        assert_eq!(
            parent("{% extends 'a' %}{% extends 'b' %}"),
            Some(Parent::Unknown)
        );
        assert_eq!(parent("a"), None);
    }
}
