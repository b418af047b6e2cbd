//! The statements of a tree, the blocks around them included.
//!
//! Expressions are looked into only where they hold a brace, or a word that a language has for it: no statement is in one without.

use tree_sitter::{Node, Tree};

use super::compiled::Compiled;
use super::walk::{comment_span, last_token};
use crate::syntax::Statement;
use crate::text::Span;

/// Returns them in the order in which they begin, one around others before them.
pub(super) fn find_statements(compiled: &Compiled, tree: &Tree, source: &[u8]) -> Vec<Statement> {
    let mut walk = StatementWalk {
        compiled,
        source,
        signs: compiled.block_signs(source),
        found: Vec::new(),
    };
    walk.run(tree);
    walk.found
}

/// Returns the range of what has to be ahead of every definition of the file.
pub(super) fn preamble(compiled: &Compiled, tree: &Tree, source: &[u8]) -> Option<Span> {
    leading(compiled, tree, source, None, true)
}

/// Returns the range of what has to be first in the file, or in a list that holds `body`.
pub(super) fn lead(
    compiled: &Compiled,
    tree: &Tree,
    source: &[u8],
    body: Option<Span>,
) -> Option<Span> {
    leading(compiled, tree, source, body, false)
}

fn leading(
    compiled: &Compiled,
    tree: &Tree,
    source: &[u8],
    body: Option<Span>,
    takes_imports: bool,
) -> Option<Span> {
    let mut list = tree.root_node();
    if let Some(body) = body {
        list = list.descendant_for_byte_range(body.start, body.end)?;
        while !compiled.traits(list).list {
            list = list.parent()?;
        }
    }
    let around = list.parent().map_or(u16::MAX, |around| around.kind_id());
    let mut cursor = list.walk();
    let mut lead: Option<Span> = None;
    let mut more = cursor.goto_first_child();
    while more {
        let node = cursor.node();
        let is_import = takes_imports && compiled.traits(node).import;
        if is_import || compiled.leads(node, list.kind_id(), around, source) {
            let span = if compiled.traits(node).comment {
                comment_span(node, source)
            } else {
                span_in_source(source, node)
            };
            lead = Some(lead.map_or(span, |lead| lead.cover(span)));
        } else if node.is_named() && !compiled.traits(node).comment && !is_shebang(node, source) {
            break;
        }
        more = cursor.goto_next_sibling();
    }
    lead.filter(|lead| body.is_none_or(|body| body.contains(*lead)))
}

/// Says whether a node is the line that says which program runs the file; of PHP it is the text ahead of the first tag.
fn is_shebang(node: Node<'_>, source: &[u8]) -> bool {
    let is_line_of_text = || {
        let text = source.get(node.byte_range()).unwrap_or_default();
        let is_one_line = memchr::memchr(b'\n', text).is_none_or(|end| end + 1 == text.len());
        node.start_byte() == 0 && text.starts_with(b"#!") && is_one_line
    };
    match node.kind() {
        "hash_bang_line" | "shebang" => true,
        "text" => is_line_of_text(),
        _ => false,
    }
}

struct StatementWalk<'w> {
    compiled: &'w Compiled,
    source: &'w [u8],
    /// Where blocks may begin in expressions.
    signs: Vec<usize>,
    found: Vec<Statement>,
}

/// What is known about a node while its children are visited.
struct StatementFrame {
    /// Its position among those found.
    statement: Option<usize>,
    /// Whether its children are statements.
    is_list: bool,
    depth: usize,
    /// From the first token that counts to the last so far.
    tokens: Option<Span>,
    /// Where the decorators begin that the next child has before it.
    decorators: Option<usize>,
    /// The position of a child that is one word, to which the next one may belong, unless a `;` parts them.
    prefix: Option<usize>,
    /// What the node is, and what is around it.
    kind: u16,
    around: u16,
    /// Whether all children so far have to be first.
    is_leading: bool,
    /// Whether it takes a statement of whatever kind, and whether the last token is what that comes behind.
    is_headed: bool,
    is_behind_head: bool,
}

impl StatementWalk<'_> {
    fn run(&mut self, tree: &Tree) {
        let mut cursor = tree.walk();
        let mut frames = vec![StatementFrame {
            is_list: true,
            kind: tree.root_node().kind_id(),
            ..StatementFrame::at(0)
        }];
        let mut more = cursor.goto_first_child();
        while let Some(frame) = frames.last_mut() {
            if !more {
                self.leave(&mut frames);
                more = !frames.is_empty() && cursor.goto_parent() && cursor.goto_next_sibling();
                continue;
            }
            let node = cursor.node();
            // What a `case` is for is no statement of it.
            let is_head = frame.is_list && cursor.field_name() == Some("value");
            if is_head {
                frame.cover(span_in_source(self.source, node));
            } else if let Some(inner) = self.visit(node, cursor.field_name(), frame) {
                if cursor.goto_first_child() {
                    frames.push(inner);
                    continue;
                }
                let span = span_in_source(self.source, node);
                match span.of(self.source).trim_ascii().is_empty() && node.is_named() {
                    // A body that has nothing in it is no statement.
                    true => drop(self.found.pop_if(|it| it.span == span)),
                    false => frame.cover(span),
                }
            }
            more = cursor.goto_next_sibling();
        }
    }

    /// Visits one child; returns the frame to visit its own children with, if that is worth it.
    fn visit(
        &mut self,
        node: Node<'_>,
        field: Option<&str>,
        frame: &mut StatementFrame,
    ) -> Option<StatementFrame> {
        let traits = self.compiled.traits(node);
        if traits.comment {
            return None;
        }
        if matches!(node.kind(), ";" | "empty_statement") {
            frame.prefix = None;
            frame.is_leading &= !node.is_named();
            return None;
        }
        // What decorates a statement is no part of it; in a list it stands by itself.
        let is_decorator = self.compiled.is_decorator(node, self.source);
        if is_decorator && !frame.is_list {
            return None;
        }
        if !node.is_named() {
            frame.is_behind_head = matches!(node.kind(), ")" | "else" | "do");
            frame.cover(span_in_source(self.source, node));
            return None;
        }
        if traits.inner_list {
            return Some(StatementFrame {
                is_list: true,
                kind: frame.kind,
                around: frame.around,
                ..StatementFrame::at(frame.depth)
            });
        }
        let is_block = traits.list && self.source.get(node.start_byte()) == Some(&b'{');
        let is_headed = frame.is_headed
            && (std::mem::take(&mut frame.is_behind_head)
                || matches!(field, Some("body" | "consequence" | "alternative")));
        let is_statement = frame.is_list || traits.statement || is_block || is_headed;
        if !is_statement && !traits.list && !traits.modifiers && !self.may_hold_block(node) {
            let whole = span_in_source(self.source, node);
            // The `;` of a declaration that is exported.
            let ends_so = whole
                .of(self.source)
                .last()
                .is_some_and(|byte| *byte == b';' || byte.is_ascii_whitespace());
            let end = if ends_so {
                last_token(self.compiled, node).0
            } else {
                whole.end
            };
            frame.cover(Span::new(whole.start, end.clamp(whole.start, whole.end)));
            return None;
        }
        let mut inner = StatementFrame {
            is_list: traits.list,
            is_headed: traits.headed,
            kind: node.kind_id(),
            around: frame.kind,
            ..StatementFrame::at(frame.depth)
        };
        if is_statement {
            if let Some(prefix) = frame.prefix.take().and_then(|at| self.found.get(at))
                && self.is_joined(prefix.span, node.start_byte())
            {
                inner.tokens = Some(prefix.span);
                self.found.pop();
            }
            let at = self.found.len();
            inner.statement = Some(at);
            inner.depth += 1;
            let span = span_in_source(self.source, node);
            if frame.is_list {
                let is_word =
                    |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
                let is_bare = !traits.statement && span.of(self.source).iter().all(is_word);
                frame.prefix = (is_bare && self.compiled.ends_freely()).then_some(at);
                if is_decorator {
                    frame.decorators.get_or_insert(span.start);
                }
            }
            let decorators = frame.decorators.take_if(|_| frame.is_list && !is_decorator);
            // A body may begin with the end of the line above it.
            let text = span.of(self.source);
            let begin = span.start + (text.len() - text.trim_ascii_start().len());
            let decorated = decorators.unwrap_or(begin);
            let leads = frame.is_leading
                && self
                    .compiled
                    .leads(node, frame.kind, frame.around, self.source);
            frame.is_leading = leads || is_shebang(node, self.source);
            self.found.push(Statement {
                kind: self.compiled.kind_of(node),
                span,
                decorated,
                depth: frame.depth,
                leads,
                is_open: traits.open,
            });
        }
        Some(inner)
    }

    /// Ends the innermost node: what it spans, the one around it spans as well.
    fn leave(&mut self, frames: &mut Vec<StatementFrame>) {
        let Some(StatementFrame {
            tokens, statement, ..
        }) = frames.pop()
        else {
            return;
        };
        let Some(tokens) = tokens else {
            return;
        };
        if let Some(statement) = statement.and_then(|at| self.found.get_mut(at)) {
            statement.span = tokens;
        }
        if let Some(around) = frames.last_mut() {
            around.cover(tokens);
        }
    }

    /// Says whether a member that is one word and what begins after it are one: what has parameters has a name. A comma parts them as
    /// a `;` does.
    fn is_joined(&self, word: Span, next: usize) -> bool {
        let between = self.source.get(word.end..next).unwrap_or_default();
        if between.trim_ascii_start().starts_with(b",") {
            return false;
        }
        self.compiled.is_prefix(word.of(self.source))
            || matches!(self.source.get(next), Some(b'(' | b'<'))
    }

    fn may_hold_block(&self, node: Node<'_>) -> bool {
        let next = self.signs.partition_point(|&at| at < node.start_byte());
        self.signs.get(next).is_some_and(|&at| at < node.end_byte())
    }
}

impl StatementFrame {
    fn at(depth: usize) -> StatementFrame {
        StatementFrame {
            statement: None,
            is_list: false,
            depth,
            tokens: None,
            decorators: None,
            prefix: None,
            kind: u16::MAX,
            around: u16::MAX,
            is_leading: true,
            is_headed: false,
            is_behind_head: false,
        }
    }

    fn cover(&mut self, span: Span) {
        self.tokens = Some(self.tokens.map_or(span, |tokens| tokens.cover(span)));
    }
}

/// Returns what a node covers of the file: Go's end of the file is a token of its own, after the last byte.
fn span_in_source(source: &[u8], node: Node<'_>) -> Span {
    let end = node.end_byte().min(source.len());
    Span::new(node.start_byte().min(end), end)
}
