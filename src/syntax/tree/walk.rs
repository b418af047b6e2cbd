//! Walks a tree once, with what the query found in hand, and lays the segments out: definition, decorations,
//! signature, body, and which is inside which.
//!
//! A walk, and not questions put to single nodes, because tree-sitter answers "who is your parent, who is before you" by
//! starting at the root again: that is quadratic in a long file. Here the frames on the way down know both.

use std::collections::HashSet;
use std::rc::Rc;

use tree_sitter::{Node, Tree};

use super::compiled::{Compiled, Traits};
use super::segments::{FoundDefinition, NodeRole, Segments};
use crate::syntax::braces::{begins_line, own_lines};
use crate::syntax::outline::{Excess, MAX_NESTING};
use crate::syntax::{Decoration, DecorationKind, Symbol};
use crate::text::{Span, end_in_column, is_in_column, leading_blank, trim_ending};

/// Returns the outermost symbols of the tree, or why there are none.
pub(super) fn symbols(
    compiled: &Compiled,
    tree: &Tree,
    source: &[u8],
) -> Result<Vec<Symbol>, Excess> {
    let segments = Segments::find(compiled, tree, source)?;
    let mut walk = SymbolWalk {
        compiled,
        source,
        segments: &segments,
        flat: Vec::new(),
        announced: Vec::new(),
    };
    walk.run(tree)?;
    let written = written_elsewhere(&walk.flat, &walk.announced);
    Ok(nested(walk.flat, &written))
}

struct SymbolWalk<'w, 'tree> {
    compiled: &'w Compiled,
    source: &'w [u8],
    segments: &'w Segments<'tree>,
    /// In the order in which they begin, each with the index of the one around it.
    flat: Vec<(Option<usize>, Symbol)>,
    /// Those of them that are only announced.
    announced: Vec<usize>,
}

/// What is known about a node while its children are visited.
struct SymbolFrame<'tree> {
    kind: &'tree str,
    surroundings: EnclosingDefinitions,
    /// The wrapper that the children may take for their own.
    outer: Option<Outer<'tree>>,
    /// Decorations that the next child may own.
    run: Vec<Decoration>,
    /// The definition that ends right before.
    last: Option<usize>,
    /// Definitions directly inside are segments.
    holds: bool,
    /// What the node is.
    traits: Traits,
    /// It is around the value, and the first thing in it is to come; in a type, every one is such.
    passes_value: bool,
}

/// How many segments may be around members of a list that is a value: a tree of plain data has no names past that.
const DEEPEST_VALUE: usize = 12;

/// How many levels of the tree may be around a segment: each is kept while what is inside is visited, and nobody writes so many.
const MOST_LEVELS: usize = 10_000;

/// Which definitions are around a node.
#[derive(Clone)]
struct EnclosingDefinitions {
    symbol: Option<usize>,
    /// The node that is the value of that.
    value: Option<usize>,
    nesting: usize,
    owner: Option<Rc<str>>,
    unnamed: bool,
}

/// A wrapper (`export …`) with the decorations before it.
#[derive(Clone)]
struct Outer<'tree> {
    node: Node<'tree>,
    run: Vec<Decoration>,
}

impl<'tree> SymbolWalk<'_, 'tree> {
    fn run(&mut self, tree: &'tree Tree) -> Result<(), Excess> {
        let mut cursor = tree.walk();
        let top = EnclosingDefinitions {
            symbol: None,
            value: None,
            nesting: 0,
            owner: None,
            unnamed: false,
        };
        let mut frames = vec![SymbolFrame::of(tree.root_node(), top, None)];
        let mut more = cursor.goto_first_child();
        while let Some(frame) = frames.last_mut() {
            if !more {
                frames.pop();
                more = !frames.is_empty() && cursor.goto_parent() && cursor.goto_next_sibling();
                continue;
            }
            let node = cursor.node();
            if let Some(inner) = self.visit(node, frame)?
                && cursor.goto_first_child()
            {
                if frames.len() >= MOST_LEVELS {
                    return Err(Excess::Work);
                }
                frames.push(inner);
                continue;
            }
            more = cursor.goto_next_sibling();
        }
        Ok(())
    }

    /// Visits one child; returns the frame to visit its own children with, if that is worth it.
    fn visit(
        &mut self,
        node: Node<'tree>,
        frame: &mut SymbolFrame<'tree>,
    ) -> Result<Option<SymbolFrame<'tree>>, Excess> {
        let traits = self.compiled.traits(node);
        if traits.comment {
            self.take_comment(node, &mut frame.run);
            return Ok(None);
        }
        if self.compiled.is_decorator(node, self.source) {
            self.break_run(node.start_byte(), &mut frame.run);
            frame.run.push(Decoration {
                sort: DecorationKind::Decorator,
                span: node.byte_range().into(),
            });
            return Ok(None);
        }
        self.break_run(node.start_byte(), &mut frame.run);
        let run = std::mem::take(&mut frame.run);
        let last = frame.last.take();
        if let Some(last) = last
            && self.compiled.ends_member(frame.kind, node)
        {
            self.extend(last, node);
            return Ok(None);
        }
        if !self.segments.any_in(node) || frame.surroundings.unnamed {
            return Ok(None);
        }
        let mut inner = frame.surroundings.clone();
        let mut outer = None;
        let mut above = Vec::new();
        let is_value = inner.value == Some(node.id()) || frame.takes_value(node);
        let role = self
            .segments
            .role(node)
            .filter(|role| frame.holds || !matches!(role, NodeRole::Definition(_)));
        match role {
            Some(NodeRole::Definition(_)) if inner.nesting >= MAX_NESTING => {
                return Err(Excess::Nesting);
            }
            Some(NodeRole::Definition(found)) => {
                let outer = frame.outer.clone().unwrap_or(Outer { node, run });
                let owner = found.owner.clone().or_else(|| inner.owner.take());
                let mut symbol = self.symbol(node, found, owner, outer);
                symbol.parted = frame.traits.comma_list;
                symbol.component =
                    symbol.parted || frame.traits.value_list || frame.traits.component_list;
                self.flat.push((inner.symbol, symbol));
                frame.last = Some(self.flat.len() - 1);
                if found.announced {
                    self.announced.push(self.flat.len() - 1);
                }
                inner = EnclosingDefinitions {
                    symbol: frame.last,
                    value: found.value.map(|value| value.id()),
                    nesting: inner.nesting + 1,
                    owner: found.owner_inside.clone(),
                    unnamed: false,
                };
            }
            Some(NodeRole::Unnamed) => inner.unnamed = true,
            Some(NodeRole::Scope(owner)) => inner.owner = owner.clone(),
            Some(NodeRole::Claimed) => {}
            None if traits.wrapper && self.is_sole(node) => {
                outer = Some(frame.outer.clone().unwrap_or(Outer { node, run }));
            }
            // What is above a list that nothing opens is above the first thing in it.
            None if traits.list => above = run,
            None => {}
        }
        let holds = !traits.value_list || is_value && inner.nesting <= DEEPEST_VALUE;
        let mut entered = SymbolFrame::of(node, inner, outer);
        entered.run = above;
        entered.holds = holds;
        entered.traits = traits;
        entered.passes_value = is_value && traits.around_value;
        Ok(Some(entered))
    }

    /// Adds a comment to the run if it is on lines of its own, or after a decoration.
    fn take_comment(&self, node: Node<'_>, run: &mut Vec<Decoration>) {
        self.break_run(node.start_byte(), run);
        let span = comment_span(node, self.source);
        let comment = span.of(self.source);
        let belongs_around = self
            .compiled
            .other_comments
            .iter()
            .any(|opener| comment.starts_with(opener.as_bytes()));
        if belongs_around && comment.get(2) == Some(&b'!') {
            run.clear();
        } else if !run.is_empty()
            || begins_line(self.source, span.start) && !self.goes_on_from_above(span)
        {
            run.push(Decoration {
                sort: DecorationKind::Comment,
                span,
            });
        }
    }

    /// Says whether a comment that begins its line goes on with one that is behind code on a line above, in the same column.
    fn goes_on_from_above(&self, comment: Span) -> bool {
        let Some(mark) = line_mark(comment.of(self.source)) else {
            return false;
        };
        let mut above = self.source.get(..comment.start).unwrap_or_default();
        let column = above.len() - memchr::memrchr(b'\n', above).map_or(0, |line| line + 1);
        while let Some(end) = memchr::memrchr(b'\n', above) {
            above = &above[..end];
            let start = memchr::memrchr(b'\n', above).map_or(0, |line| line + 1);
            let line = &above[start..];
            let blanks = leading_blank(line).len();
            if blanks == column && line[blanks..].starts_with(mark) {
                continue;
            }
            let mut marks = memchr::memmem::find_iter(line, mark);
            return marks.any(|at| is_in_column(self.source, comment.start, start + at));
        }
        false
    }

    /// Forgets comments that a blank line parts from what begins at `start`. A decorator holds over blank lines, and a
    /// documentation comment over as many as the language lets it.
    fn break_run(&self, start: usize, run: &mut Vec<Decoration>) {
        let Some(last) = run.last() else { return };
        let gap = self.source.get(last.span.end..start).unwrap_or_default();
        let blank = gap
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            .saturating_sub(1);
        if last.sort == DecorationKind::Comment && blank > 0 && !self.reaches(last.span, blank) {
            let kept = run
                .iter()
                .rposition(|decoration| decoration.sort == DecorationKind::Decorator);
            run.truncate(kept.map_or(0, |at| at + 1));
        }
    }

    /// Says whether a documentation comment is at `comment` that speaks of what is below so many blank lines. One at the top
    /// of a file speaks of that, unless the language has it otherwise, and so does one that says so; a type has one of its own.
    fn reaches(&self, comment: Span, blank: usize) -> bool {
        const ALONE: [&str; 8] = [
            "@typedef",
            "@callback",
            "@file",
            "@overview",
            "@license",
            "@module",
            "@preserve",
            "@namespace",
        ];
        let text = comment.of(self.source);
        let (is_doc, gap) = (self.compiled.is_doc(text), self.compiled.doc_gap);
        let is_first = || {
            let before = self.source.get(..comment.start).unwrap_or_default();
            before
                .split(|&byte| byte == b'\n')
                .all(|line| line.trim_ascii().is_empty() || line.starts_with(b"#!"))
        };
        let stands_alone = || {
            is_first()
                || ALONE
                    .iter()
                    .any(|tag| text.windows(tag.len()).any(|it| it == tag.as_bytes()))
        };
        is_doc && blank <= gap && (gap > 1 || !stands_alone())
    }

    /// Takes the `;` after a member in.
    fn extend(&mut self, last: usize, terminator: Node<'_>) {
        let Some((_, symbol)) = self.flat.get_mut(last) else {
            return;
        };
        let gap = self
            .source
            .get(symbol.definition.end..terminator.start_byte())
            .unwrap_or_default();
        let is_there = self
            .source
            .get(terminator.start_byte())
            .is_some_and(|byte| !byte.is_ascii_whitespace());
        if is_there && !gap.contains(&b'\n') {
            symbol.definition.end = terminator.end_byte();
        }
    }

    /// Says whether a wrapper holds one thing, and no list in parentheses.
    fn is_sole(&self, wrapper: Node<'_>) -> bool {
        let mut cursor = wrapper.walk();
        let mut count = 0;
        let mut more = cursor.goto_first_child();
        while more {
            let child = cursor.node();
            let traits = self.compiled.traits(child);
            let is_beside =
                traits.comment || traits.decorator || traits.wrapper_head || traits.wrapper_type;
            count += usize::from(child.is_named() && !is_beside);
            if count > 1 || child.kind() == "(" {
                return false;
            }
            more = cursor.goto_next_sibling();
        }
        count == 1
    }

    fn symbol(
        &self,
        node: Node<'tree>,
        found: &FoundDefinition<'tree>,
        owner: Option<Rc<str>>,
        outer: Outer<'tree>,
    ) -> Symbol {
        let mut decorations = outer.run;
        let start = self.take_leading(outer.node, &mut decorations);
        let definition = Span::new(start, self.end(outer.node).max(start));
        // A body that indentation ends may reach to the next definition.
        let within = |span: Span| {
            let from = span.start.min(definition.end);
            Span::new(from, span.end.clamp(from, definition.end))
        };
        let (opener, body) = match found.value {
            Some(value) => (
                self.ahead_of_equals(start, value.start_byte()),
                // One that indentation ends has the blanks ahead of what ends it, too.
                Some(within(self.without_last_blanks(value.byte_range().into()))),
            ),
            None => {
                let (opener, body) = self.body(node, found.body, definition.end);
                (opener, body.map(within))
            }
        };
        Symbol {
            name: found.name.clone(),
            owner: owner.map(|owner| owner.to_string()),
            address: None,
            names_inside: found.names_inside,
            parted: false,
            component: false,
            kind: found.kind,
            level: 0,
            definition,
            docstring: self.docstring(&decorations),
            decorations,
            trailing: None,
            signature: self.signature(start, opener.max(start), body.is_some()),
            body,
            children: Vec::new(),
        }
    }

    /// Returns where a definition ends. A `;` that is on a later line, where the grammar looks for one, was put there for
    /// what follows: so do those who leave it out at the ends of lines, before `[` and `(`.
    fn end(&self, definition: Node<'_>) -> usize {
        // Go's end of the file is a token of its own, after the last byte.
        let end = definition.end_byte().min(self.source.len());
        let is_blank = |at: usize| {
            self.source
                .get(at)
                .is_some_and(|byte| byte.is_ascii_whitespace())
        };
        if !self.compiled.ends_freely() {
            // Some grammars count the line ending in, or what is above the next statement.
            let is_padded = end.checked_sub(1).is_some_and(is_blank);
            let end = match is_padded {
                true => last_token(self.compiled, definition).0.min(end),
                false => end,
            };
            return self.ahead_of_comment(definition, end);
        }
        let (last, terminator) = last_token(self.compiled, definition);
        let ending = end.checked_sub(1).and_then(|at| self.source.get(at));
        // A `;` that was read for a line ending, or after a comment that ends the line.
        let Some(terminator) = terminator.filter(|_| !ending.is_some_and(u8::is_ascii_whitespace))
        else {
            return last.min(end);
        };
        let gap = self.source.get(last..terminator).unwrap_or_default();
        if gap.contains(&b'\n') { last } else { end }
    }

    /// Returns where the value of a `#define` ends, up to `end`: grammars of C read a comment behind it as a part of it.
    fn ahead_of_comment(&self, definition: Node<'_>, end: usize) -> usize {
        let last = end.checked_sub(1);
        let value = last.and_then(|at| definition.descendant_for_byte_range(at, at));
        let Some(value) = value.filter(|value| value.kind() == "preproc_arg") else {
            return end;
        };
        let text = self.source.get(value.start_byte()..end).unwrap_or_default();
        let line = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
        let length = line_comment(&text[line..]).map_or(text.len(), |at| line + at);
        value.start_byte() + text[..length].trim_ascii_end().len()
    }

    /// Moves decorators that the node itself begins with to `decorations`, and the heads of wrappers; returns where the rest begins.
    fn take_leading(&self, node: Node<'tree>, decorations: &mut Vec<Decoration>) -> usize {
        let mut node = node;
        while let Some((head, inner)) = self.head(node) {
            decorations.push(Decoration {
                sort: DecorationKind::Decorator,
                span: head,
            });
            node = inner;
        }
        let above = decorations.len();
        let mut cursor = node.walk();
        let mut more = cursor.goto_first_child();
        let mut inside = false;
        while more {
            let child = cursor.node();
            let traits = self.compiled.traits(child);
            if traits.modifiers && cursor.goto_first_child() {
                inside = true;
                continue;
            }
            if traits.decorator {
                decorations.push(Decoration {
                    sort: DecorationKind::Decorator,
                    span: child.byte_range().into(),
                });
            } else if traits.comment {
                decorations.push(Decoration {
                    sort: DecorationKind::Comment,
                    span: comment_span(child, self.source),
                });
            } else {
                return child.start_byte();
            }
            more = cursor.goto_next_sibling();
            if !more && inside {
                inside = false;
                more = cursor.goto_parent() && cursor.goto_next_sibling();
            }
        }
        // Nothing but decorators: broken code, in which they are all there is of the definition.
        decorations.truncate(above);
        node.start_byte()
    }

    /// Returns what a wrapper writes ahead of the one thing in it, and that: `template <typename T>`.
    fn head(&self, wrapper: Node<'tree>) -> Option<(Span, Node<'tree>)> {
        if !self.compiled.traits(wrapper).wrapper {
            return None;
        }
        let mut cursor = wrapper.walk();
        let children = wrapper.named_children(&mut cursor);
        let mut end = None;
        for child in children {
            if self.compiled.traits(child).wrapper_head {
                end = Some(child.end_byte());
            } else if !self.compiled.traits(child).comment {
                return Some((Span::new(wrapper.start_byte(), end?), child));
            }
        }
        None
    }

    /// Returns where the header ends and what the body covers: what is between braces, or the expression that the
    /// query points at.
    fn body(
        &self,
        node: Node<'_>,
        captured: Option<Node<'_>>,
        end: usize,
    ) -> (usize, Option<Span>) {
        if let Some(found) = self.body_to_word(node).filter(|_| captured.is_none()) {
            return found;
        }
        let Some(body) = captured.or_else(|| node.child_by_field_name("body")) else {
            return (end, None);
        };
        let mut cursor = body.walk();
        let mut opening = None;
        let mut closing = None;
        let mut more = cursor.goto_first_child();
        // A body that its indentation ends.
        let colon = (more && cursor.node().kind() == ":").then(|| cursor.node());
        while more {
            let child = cursor.node();
            match child.kind() {
                "{" | "block_start" if opening.is_none() => opening = Some(child),
                "}" | "block_end" => closing = Some(child),
                _ => {}
            }
            more = cursor.goto_next_sibling();
        }
        match (opening, closing, colon) {
            (_, _, Some(colon)) => {
                let inner = Span::new(
                    colon.end_byte(),
                    body.end_byte().min(end).max(colon.end_byte()),
                );
                (colon.start_byte(), Some(self.own_lines(node, inner)))
            }
            (Some(opening), Some(closing), _) if opening.end_byte() <= closing.start_byte() => {
                let inner = Span::new(opening.end_byte(), closing.start_byte());
                (opening.start_byte(), Some(self.own_lines(node, inner)))
            }
            (None, None, _) if captured.is_some() && body != node => {
                (body.start_byte(), Some(body.byte_range().into()))
            }
            _ => (end, None),
        }
    }

    /// Returns where the header ends and what the body covers that a word ends (`end`), and nothing but the end of the header opens.
    fn body_to_word(&self, node: Node<'_>) -> Option<(usize, Option<Span>)> {
        let mut cursor = node.walk();
        let mut header = None;
        let mut is_header = true;
        let mut closing = None;
        let mut more = cursor.goto_first_child();
        while more {
            let child = cursor.node();
            let ends = self.compiled.ends_body(child);
            closing = ends.then_some(child).or(closing);
            let is_body = cursor.field_name() == Some("body") || child.kind() == "body";
            is_header &= !ends && !is_body && !self.compiled.traits(child).comment;
            if is_header {
                header = Some(child.end_byte());
            }
            more = cursor.goto_next_sibling();
        }
        let (header, closing) = (header?, closing?.start_byte());
        let gap = self.source.get(header..closing)?;
        let blanks = gap.iter().take_while(|byte| **byte == b' ').count();
        let sign = usize::from(gap.get(blanks) == Some(&b';'));
        let start = if sign > 0 {
            header + blanks + sign
        } else {
            header
        };
        let inner = Span::new(start, closing);
        Some((header, Some(self.own_lines(node, inner))))
    }

    /// Returns the lines of a body, without what comments its header at the end of that line.
    fn own_lines(&self, node: Node<'_>, inner: Span) -> Span {
        own_lines(self.source, self.after_header_comments(node, inner))
    }

    /// Returns what is in a body without the comments on the line of its header, if nothing else is on that.
    fn after_header_comments(&self, node: Node<'_>, inner: Span) -> Span {
        let bytes = inner.of(self.source);
        let Some(line) = memchr::memchr(b'\n', bytes) else {
            return inner;
        };
        let mut line_end = inner.start + line;
        let mut at = inner.start;
        let mut last = None;
        loop {
            let rest = Span::new(at, line_end).of(self.source);
            at = line_end - rest.trim_ascii_start().len();
            if at == line_end {
                let end = last.and_then(|comment: Span| {
                    let mark = line_mark(comment.of(self.source))?;
                    Some(end_in_column(self.source, comment.start, at, mark))
                });
                let end = end.unwrap_or(at);
                return Span::new(end.min(inner.end), inner.end);
            }
            let found = node.descendant_for_byte_range(at, at + 1);
            let around = std::iter::successors(found, Node::parent);
            let mut beginning = around.take_while(|around| around.start_byte() == at);
            let comment = beginning.find(|around| self.compiled.traits(*around).comment);
            let span = comment.map(|comment| comment_span(comment, self.source));
            let Some(span) = span.filter(|span| at < span.end && span.end <= inner.end) else {
                return inner;
            };
            at = span.end;
            if at > line_end {
                // It ends further down, and nothing else may share that line.
                let below = self.source.get(at..inner.end).unwrap_or_default();
                let Some(line) = memchr::memchr(b'\n', below) else {
                    return inner;
                };
                line_end = at + line;
            }
            last = Some(span);
        }
    }

    fn without_last_blanks(&self, span: Span) -> Span {
        let blanks = span.of(self.source).trim_ascii_end().len();
        Span::new(span.start, span.start + blanks)
    }

    fn ahead_of_equals(&self, start: usize, value: usize) -> usize {
        let head = self
            .source
            .get(start..value)
            .unwrap_or_default()
            .trim_ascii_end();
        let signs = [&b"=>"[..], b"<<-", b"<-", b"=", b":"];
        let bare = signs.iter().find_map(|sign| head.strip_suffix(*sign));
        start + bare.unwrap_or(head).len()
    }

    fn signature(&self, start: usize, opener: usize, has_body: bool) -> Span {
        let head = self
            .source
            .get(start..opener)
            .unwrap_or_default()
            .trim_ascii_end();
        // Above a body a comma is the last of a clause (`where T: Copy,`), else it parts two members.
        let comma = head.strip_suffix(b",").filter(|_| !has_body);
        let equals = head.strip_suffix(b"=").filter(|_| has_body);
        let head = head
            .strip_suffix(b";")
            .or(comma)
            .or(equals)
            .unwrap_or(head)
            .trim_ascii_end();
        Span::new(start, start + head.len())
    }

    /// Returns the last unbroken group of doc comments.
    fn docstring(&self, decorations: &[Decoration]) -> Option<Span> {
        let is_doc = |decoration: &Decoration| {
            decoration.sort == DecorationKind::Comment
                && self.compiled.is_doc(decoration.span.of(self.source))
        };
        let last = decorations.iter().rposition(is_doc)?;
        let group = decorations
            .get(..=last)?
            .iter()
            .rev()
            .take_while(|decoration| is_doc(decoration));
        group.map(|decoration| decoration.span).reduce(Span::cover)
    }
}

impl<'tree> SymbolFrame<'tree> {
    fn of(
        node: Node<'tree>,
        surroundings: EnclosingDefinitions,
        outer: Option<Outer<'tree>>,
    ) -> SymbolFrame<'tree> {
        SymbolFrame {
            kind: node.kind(),
            surroundings,
            outer,
            run: Vec::new(),
            last: None,
            holds: true,
            traits: Traits::default(),
            passes_value: false,
        }
    }

    /// Says whether a child is the value that this is around.
    fn takes_value(&mut self, child: Node<'_>) -> bool {
        let is_taken = self.passes_value && child.is_named();
        if is_taken && !self.kind.ends_with("_type") {
            self.passes_value = false;
        }
        is_taken
    }
}

/// Returns where the last token of `node` ends that is neither a comment nor a `;`, and where the `;` after it begins.
pub(super) fn last_token(compiled: &Compiled, node: Node<'_>) -> (usize, Option<usize>) {
    let (mut end, mut terminator) = (node.end_byte(), None);
    let mut cursor = node.walk();
    while cursor.goto_last_child() {
        loop {
            let child = cursor.node();
            let is_terminator = child.kind() == ";";
            if !is_terminator && !compiled.traits(child).comment {
                break;
            }
            terminator = if is_terminator {
                Some(child.start_byte())
            } else {
                terminator
            };
            if !cursor.goto_previous_sibling() {
                return (end, terminator);
            }
        }
        end = cursor.node().end_byte();
    }
    (end, terminator)
}

/// Returns the comment without the line ending that some grammars count in.
pub(super) fn comment_span(node: Node<'_>, source: &[u8]) -> Span {
    let range = node.byte_range();
    let length = source
        .get(range.clone())
        .map_or(0, |comment| trim_ending(comment).len());
    Span::new(range.start, range.start + length)
}

/// Says of each of `flat` whether it is one of `announced` that is written beside where it is announced: the name means that then.
fn written_elsewhere(flat: &[(Option<usize>, Symbol)], announced: &[usize]) -> Vec<bool> {
    let mut hidden = vec![false; flat.len()];
    if announced.is_empty() {
        return hidden;
    }
    for &at in announced {
        hidden[at] = true;
    }
    let named = |at: usize| {
        let (around, symbol) = &flat[at];
        (*around, symbol.owner.as_deref(), symbol.name.as_str())
    };
    let written: HashSet<_> = (0..flat.len())
        .filter(|&at| !hidden[at])
        .map(named)
        .collect();
    for &at in announced {
        hidden[at] = written.contains(&named(at));
    }
    hidden
}

/// Makes the list, in which each names the one around it, a tree, without those that are hidden.
fn nested(flat: Vec<(Option<usize>, Symbol)>, hidden: &[bool]) -> Vec<Symbol> {
    let mut slots: Vec<(Option<usize>, Option<Symbol>)> = flat
        .into_iter()
        .map(|(around, symbol)| (around, Some(symbol)))
        .collect();
    let mut top = Vec::new();
    for at in (0..slots.len()).rev() {
        let Some((around, Some(mut symbol))) = slots
            .get_mut(at)
            .map(|(around, symbol)| (*around, symbol.take()))
        else {
            continue;
        };
        if hidden.get(at) == Some(&true) {
            continue;
        }
        symbol.children.reverse();
        match around.and_then(|around| slots.get_mut(around)) {
            Some((_, Some(parent))) => parent.children.push(symbol),
            _ => top.push(symbol),
        }
    }
    top.reverse();
    top
}

/// Returns what a comment begins with that ends with its line: `//`, `--`, `#`.
fn line_mark(comment: &[u8]) -> Option<&[u8]> {
    match comment {
        [first, second, ..] if first == second => Some(&comment[..2]),
        [b'#', ..] => Some(&comment[..1]),
        _ => None,
    }
}

/// Returns where a comment begins in a line of C, `//`, that is in no text.
fn line_comment(line: &[u8]) -> Option<usize> {
    let mut quote = None;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        match (quote, byte) {
            (Some(_), b'\\') => at += 1,
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'/') if line[at..].starts_with(b"//") => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}
