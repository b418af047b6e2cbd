//! Neighbours: the statements beside an edit are the statements that stood there before, of the same kind, with the same
//! tokens, in the same blocks. This catches what parses and defines the same names: JavaScript in which a line without
//! its `;` takes the next one up, a comment that swallows the rest of its line, a statement that left its `if`.
//!
//! Both files are walked in step. Beside the edits is what no splice reaches into; around them is what holds one, and
//! what is in a splice may be anything. Since bytes beside the edits are the same in both files, two statements of one
//! kind that begin and end at the same of those bytes have the same tokens. Who names bytes (`text`, `pattern`, `lines`,
//! a formatter) may make them a part of what they touch; who names a place may not.
//!
//! A directive or docstring is one because of where it stands, and neither becomes one nor ceases to be one; nor does what counts only
//! as the first line of its file (`firsts`).
//!
//! So is what a statement stands for that repeats another: in a group of Go's constants an entry without a value of its own
//! repeats the one above it, and may have its own number in it.
//!
//! Known limits: which of several blocks of one statement another stands in is told by the clause around it, which
//! Java's `else` is not. A page has no statements; its scripts are given one by one, as files.

mod anchors;
mod brought;
mod codes;
mod comments;
mod documents;
mod elements;
mod falls;
mod firsts;
mod holes;
mod items;
mod left;
mod listed;
mod lone;
mod preamble;
mod prefix;
mod reopened;
mod scalars;
mod split;
mod stretches;
mod tails;
mod values;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic, Excerpt, shown};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::css::CSS;
use crate::syntax::go::GO;
use crate::syntax::html::is_html;
use crate::syntax::markdown::halves;
use crate::syntax::markdown::is_markdown;
use crate::syntax::markdown::leaves::{self, Disturbed, Naming};
use crate::syntax::rust::RUST;
use crate::syntax::yaml::{self, YAML};
use crate::syntax::{Implied, Kind, Language, Statement};
use crate::text::splice::{Moves, Splices};
use crate::text::{Span, is_blank};
use crate::verify::inventory;

use stretches::{Stretch, stretches};
use tails::Construct;

/// So many neighbours of one file are named.
const MOST_NAMED: usize = 3;

/// Characters of a statement that a message quotes.
const QUOTED: usize = 40;

/// What came of comparing what is beside the edits.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// A refusal for each statement that would not be what it was.
    pub refused: Vec<Diagnostic>,
    /// A warning where nothing could be compared.
    pub unread: Option<Diagnostic>,
}

/// Returns a refusal for each statement beside the edits that would not be what it was.
pub fn check(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Diagnostic> {
    compare(edit, old, new).refused
}

/// Returns the same, but for what comments take: one operation may begin a comment that another one ends.
pub fn check_code(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Diagnostic> {
    compared(edit, old, new, Scope::Code).refused
}

/// Compares what is beside the edits in both files. A template of YAML is read without its tags.
pub fn compare(edit: &FileEdit, old: &Document, new: &Document) -> Compared {
    compared(edit, old, new, Scope::All)
}

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    All,
    /// All but what comments take, the holes of lists, and first lines.
    Code,
}

fn compared(edit: &FileEdit, old: &Document, new: &Document, scope: Scope) -> Compared {
    let Some(splices) = edit.splices.as_ref().filter(|splices| !splices.is_empty()) else {
        return Compared::default();
    };
    if old.bytes == new.bytes || old.too_large() || new.too_large() {
        return Compared::default();
    }
    let mut found = compared_by_language(edit, splices, (old, new), scope);
    if found.refused.is_empty() && scope == Scope::All {
        found.refused.extend(firsts::displaced(edit, old, new));
    }
    found
}

fn compared_by_language(
    edit: &FileEdit,
    splices: &Splices,
    (old, new): (&Document, &Document),
    scope: Scope,
) -> Compared {
    let Some(language) = old
        .language
        .filter(|language| new.language.is_some_and(|it| std::ptr::eq(it, *language)))
    else {
        return Compared::default();
    };
    if let Some(hole) =
        holes::left(edit, splices, language, (old, new)).filter(|_| scope == Scope::All)
    {
        return Compared {
            refused: vec![hole],
            unread: None,
        };
    }
    let filled = filled(language, old, new);
    let (read, read_new) = filled.as_ref().map_or((old, new), |(old, new)| (old, new));
    let (mut changed, is_read) = changes(edit, splices, language, (read, read_new), scope);
    if changed.is_empty() && std::ptr::eq(language, &YAML) {
        let guard = Guard::of(edit, splices, &old.bytes, language);
        changed.extend(brought::passed_on(&guard, (&old.bytes, &new.bytes)));
    }
    let mut refused: Vec<Diagnostic> = changed
        .into_iter()
        .take(MOST_NAMED)
        .map(|change| refusal(edit, change, old, new))
        .collect();
    if let Some((old, new)) = filled.as_ref().filter(|_| refused.is_empty()) {
        // A template has no names; what is read of it has.
        refused = inventory::check(edit, old, new).problems;
    }
    let is_unread = refused.is_empty()
        && !is_blank(&old.bytes)
        && (!is_read || matches!(read.keys(), Some(Err(_))));
    // Who mends a file looks at all of it.
    Compared {
        refused,
        unread: (is_unread && !new.errors().is_empty()).then(|| unread(edit)),
    }
}

/// Returns both sides of a template of YAML with words in the place of its tags, where the old one is not read with them.
fn filled(
    language: &'static Language,
    old: &Document,
    new: &Document,
) -> Option<(Document, Document)> {
    if !std::ptr::eq(language, &YAML) || !matches!(old.keys(), Some(Err(_))) {
        return None;
    }
    let document = |document: &Document, bytes: Vec<u8>| {
        Document::new(document.path.clone(), bytes.into(), document.hash)
            .in_language(Some(language))
    };
    let before = document(old, yaml::masked(&old.bytes)?);
    let after = document(
        new,
        yaml::masked(&new.bytes).unwrap_or_else(|| new.bytes.to_vec()),
    );
    Some((before, after))
}

/// Returns what is beside `splices` and would be something else, and whether its statements could be read.
fn changes(
    edit: &FileEdit,
    splices: &Splices,
    language: &Language,
    (old, new): (&Document, &Document),
    scope: Scope,
) -> (Vec<Changed>, bool) {
    let guard = Guard::of(edit, splices, &old.bytes, language);
    let sides = (&old.bytes[..], &new.bytes[..]);
    let comments = |is_new: bool| comments_of(language, if is_new { new } else { old });
    let habits = &language.habits;
    let by_comments = || {
        comments::swallowed((&guard, edit), splices, habits, sides, comments)
            .or_else(|| comments::run_together(&guard, splices, habits, &old.bytes, comments))
            .or_else(|| comments::left(&guard, habits, sides, comments))
    };
    if let Some(changed) = (scope == Scope::All).then(by_comments).flatten() {
        return (vec![changed], true);
    }
    let restated = guard.restated(language, splices, old, new);
    let is_read = restated.is_some() || language.grammar.statements(b"", None).is_none();
    let mut changed = restated.unwrap_or_default();
    if changed.is_empty() && std::ptr::eq(language, &GO) {
        changed.extend(preamble::parted(&guard, sides, comments));
    }
    if changed.is_empty() && is_markdown(language) {
        changed = guard.disturbed(splices, old, new);
        if changed.is_empty() {
            changed = guard.parted_items(sides);
        }
        if changed.is_empty() {
            changed.extend(codes::remarked(&guard, sides));
        }
    }
    if changed.is_empty() && is_html(language) && reopened::may_reopen(&guard, sides) {
        let [before, after] = [old, new].map(reopened::Element::all);
        let elements = (&before[..], sides.0);
        changed.extend(reopened::handed_on(&guard, elements, (&after, sides.1)));
    }
    if changed.is_empty() && std::ptr::eq(language, &CSS) {
        changed.extend(listed::joined(&guard, sides));
    }
    if changed.is_empty() && std::ptr::eq(language, &YAML) {
        changed = scalars::continued(splices, old, new);
        changed.extend(documents::reassigned(&guard, splices, old, new));
        if changed.is_empty() {
            changed.extend(anchors::rebound(splices, old, new));
        }
    }
    if changed.is_empty() {
        changed = guard.parted_segments(old, new);
        // Where a file does not parse, its segments are a guess.
        changed.truncate(
            if changed.is_empty() || language.grammar.parses(&old.bytes) {
                MOST_NAMED
            } else {
                0
            },
        );
    }
    (changed, is_read)
}

/// Says that what is beside an edit was not compared.
fn unread(edit: &FileEdit) -> Diagnostic {
    let path = &edit.path;
    let message = format!("{path} does not parse: what is beside the edit was not compared");
    let diagnostic = Diagnostic::new(Code::SyntaxError, message).note(
        "look at the diff: whether a line below the edit belongs to it now was not looked at",
    );
    match edit.claims.first() {
        Some(&(_, operation)) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}

/// Returns the comments of a file; of a page those that its tags leave, and none of its scripts, which are read as files.
fn comments_of(language: &Language, document: &Document) -> Vec<Span> {
    if is_html(language) {
        document.dom().comments.clone()
    } else if is_markdown(language) {
        halves::comments(&document.bytes)
    } else {
        language.grammar.comments(&document.bytes)
    }
}

/// A statement beside the edits that is on one side only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changed {
    /// It is not what it was; with its place in the new file.
    Lost(Span, usize),
    /// It is what it was, with decorators that were another's, or without its own; with its place in the new file.
    Redecorated(Span, usize),
    /// It is what it was, without the words or decorators before it, which something else has now; with its place in the new file.
    Parted(Span, usize),
    /// It was there, or is still, below a comment that is for it, which something else has now; with the place of that in the new
    /// file.
    HandedOn(Span, usize),
    /// Its first line is quoted, and what remains of it something else of the content has now; with the place of that in the new
    /// file.
    PassedOn(Span, usize),
    /// It is what it was, and stands first in its block, or no longer does, which says what it means; with its place in the
    /// new file.
    Displaced(Span, usize),
    /// It was none before.
    Appeared(Span),
    /// It came with the content, and stands outside of the block or header that the rest of it stands in.
    Strayed(Span),
    /// It is a key, and would be one of another document; with its place in the new file.
    Reassigned(Span, usize),
    /// It is an alias, and would stand for the value of another anchor; with the place of that in the new file.
    Rebound(Span, usize),
    /// It is an element of a list, or an argument, and would be one with what is put beside it; with its place in the new file.
    Joined(Span, usize),
    /// It is code, or text that is shown, and would be a part of a comment; with its place in the new file.
    Commented(Span, usize),
    /// It looks like an item, and would be a part of the scalar above it.
    Continued(Span),
    /// It is what it was, and stands for something else; with its place in the new file.
    Revalued(Span, usize),
    /// It is a case that falls through to the next, and would fall through to another; with its place in the new file.
    Rerouted(Span, usize),
    /// It is a word that ends with its line, without the value that the line below has.
    Valueless(Span),
    /// It is an import that has a comment read, which is not right above it any more; with its place in the new file.
    Unread(Span, usize),
    /// It is a table, and its rows would be text; with its place in the new file.
    Untabled(Span, usize),
}

impl Changed {
    /// Returns where it stands in the new file.
    fn place(&self) -> usize {
        match self {
            Changed::Lost(_, now)
            | Changed::Redecorated(_, now)
            | Changed::Parted(_, now)
            | Changed::HandedOn(_, now)
            | Changed::PassedOn(_, now)
            | Changed::Displaced(_, now)
            | Changed::Commented(_, now)
            | Changed::Joined(_, now)
            | Changed::Reassigned(_, now)
            | Changed::Rebound(_, now)
            | Changed::Revalued(_, now)
            | Changed::Rerouted(_, now)
            | Changed::Unread(_, now)
            | Changed::Untabled(_, now) => *now,
            Changed::Appeared(span)
            | Changed::Strayed(span)
            | Changed::Continued(span)
            | Changed::Valueless(span) => span.start,
        }
    }
}

/// Returns the first statement of some content that does not stand where the content begins: what follows the only statement that
/// a header takes, as in `if a: b`, is no part of it any more.
fn strays(new: &Touched, statements: &[Statement], bytes: &[u8]) -> Option<Span> {
    // What each statement on the way in is, and, for each content, what its first statement stands in.
    let mut open: Vec<Statement> = Vec::new();
    let mut first: HashMap<usize, Option<Span>> = HashMap::new();
    for statement in statements {
        while open
            .last()
            .is_some_and(|outer| outer.depth >= statement.depth)
        {
            open.pop();
        }
        let outer = open.last().map(|outer| outer.span);
        open.push(*statement);
        let mut strokes = new
            .at(statement.span)
            .filter(|stroke| stroke.is_named || stroke.is_inline);
        let content = strokes.find(|stroke| stroke.span.contains(statement.span));
        let Some(Stroke { span: content, .. }) = content else {
            continue;
        };
        if outer.is_some_and(|outer| content.contains(outer)) {
            continue;
        }
        match first.get(&content.start) {
            None => drop(first.insert(content.start, outer)),
            Some(begun) if *begun == outer => {}
            // `export` and its like are a prefix of the one, and no block.
            Some(Some(begun))
                if is_prefix(Span::new(begun.start, content.start.max(begun.start)).of(bytes)) => {}
            Some(_) => return Some(statement.span),
        }
    }
    None
}

/// Says whether `span` is a part of one line, and something comes before it there.
fn is_inline(span: Span, bytes: &[u8]) -> bool {
    let line = memchr::memrchr(b'\n', &bytes[..span.start]).map_or(0, |at| at + 1);
    !span.is_empty() && !span.of(bytes).contains(&b'\n') && !is_blank(&bytes[line..span.start])
}

/// Says whether the last line break of `bytes` ends what is in them.
fn ends_line(bytes: &[u8]) -> bool {
    memchr::memrchr(b'\n', bytes).is_some_and(|at| is_blank(&bytes[at + 1..]))
}

fn is_prefix(header: &[u8]) -> bool {
    let words = String::from_utf8_lossy(header);
    words
        .split_whitespace()
        .next()
        .is_none_or(|word| matches!(word, "export" | "declare"))
}

/// What an edit is to one side of it.
struct Sides {
    old: Touched,
    new: Touched,
}

/// What splices take or give, in order.
struct Touched(Vec<Stroke>);

/// What one splice takes or gives.
#[derive(Clone, Copy, Debug)]
struct Stroke {
    span: Span,
    /// It names its place.
    is_named: bool,
    /// It takes a part of a line, after code that begins there: what it gives belongs to that.
    is_inline: bool,
    /// What it takes ends with a line break: what begins after that is on a line that the range does not name.
    ends_line: bool,
}

impl Sides {
    /// Returns what the splices of an edit are to a file that had `bytes`.
    fn of(edit: &FileEdit, splices: &Splices, bytes: &[u8]) -> Sides {
        let is_named = |span: Span| {
            let from = edit.named.partition_point(|named| named.end < span.start);
            edit.named[from..]
                .iter()
                .take_while(|named| named.start <= span.end)
                .next()
                .is_some()
        };
        let strokes = splices.with_new_spans().map(|(splice, new)| {
            let is_named = is_named(splice.span);
            let ends_line = ends_line(splice.span.of(bytes));
            let is_inline = is_inline(splice.span, bytes);
            let stroke = |span| Stroke {
                span,
                is_named,
                is_inline,
                ends_line,
            };
            (stroke(splice.span), stroke(new))
        });
        let (old, new) = strokes.unzip();
        Sides {
            old: Touched(old),
            new: Touched(new),
        }
    }

    /// Says whether any splice gives something in the place of something: one that only adds or only takes cuts nothing in two.
    fn exchanges(&self) -> bool {
        self.strokes()
            .any(|(was, now)| !was.span.is_empty() && !now.span.is_empty())
    }

    /// Returns what each splice takes, with what it gives.
    fn strokes(&self) -> impl Iterator<Item = (Stroke, Stroke)> {
        self.old.0.iter().copied().zip(self.new.0.iter().copied())
    }
}

impl Touched {
    /// Returns the splices that share a byte or an edge with `span`.
    fn at(&self, span: Span) -> impl Iterator<Item = Stroke> {
        let from = self
            .0
            .partition_point(|stroke| stroke.span.end < span.start);
        self.0[from..]
            .iter()
            .copied()
            .take_while(move |stroke| stroke.span.start <= span.end)
    }

    /// Returns what is between `from`, where one of the splices ends, and `to`, or the next splice before that.
    fn gap_after(&self, from: usize, to: usize) -> Span {
        let next = self.0.partition_point(|stroke| stroke.span.start < from);
        let mut later = self.0[next..]
            .iter()
            .map(|stroke| stroke.span)
            .filter(|span| span.end > from);
        let end = later.next().map_or(to, |span| span.start.min(to));
        Span::new(from, end.max(from))
    }

    fn is_touched(&self, offset: usize) -> bool {
        self.at(Span::at(offset)).next().is_some()
    }

    /// Returns how `span` stands to the edits.
    fn place(&self, span: Span) -> Standing {
        let mut standing = Standing::Beside;
        for Stroke {
            span: splice,
            is_named,
            ends_line,
            ..
        } in self.at(span)
        {
            if !splice.is_empty() && splice.contains(span) {
                return Standing::Inside;
            }
            let is_next_line = ends_line && splice.end <= span.start;
            if splice.overlaps(span) {
                standing = Standing::Around;
            } else if !is_named && !is_next_line && standing == Standing::Beside {
                standing = Standing::Touching;
            }
        }
        standing
    }

    /// Returns the bytes that an operation quotes or writes, and that hold what is at `offset`.
    fn quoting(&self, offset: usize) -> Option<Span> {
        let mut quoted = self
            .at(Span::at(offset))
            .filter(|stroke| !stroke.is_named)
            .map(|stroke| stroke.span);
        quoted.find(|span| span.start <= offset && offset < span.end)
    }
}

/// How a statement stands to the edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// No splice reaches into it.
    Beside,
    /// None does, but bytes that somebody named are right at its edge, and may be meant for a part of it.
    Touching,
    /// It holds a splice, or a part of one.
    Around,
    /// It is what a splice takes or gives.
    Inside,
}

/// A block or statement around others, as far as the edits leave it recognizable: offsets are those of the new file.
#[derive(Clone, Copy, Debug)]
struct Around {
    depth: usize,
    kind: u16,
    /// Where it begins, unless a splice gave or took what stands there.
    start: Option<usize>,
    /// Where the first of several labels in a row is that no splice gave or took: all of them have the statements below the last.
    labels: Option<usize>,
    is_header_touched: bool,
    /// The one around it.
    outer: Option<usize>,
    /// The innermost one, itself included, whose beginning is known.
    begun: Option<usize>,
    /// How many, itself included, have another beginning than before.
    rewritten: usize,
    /// How many of those end where something ended before, each somewhere else: of `else if` both end as one.
    open: usize,
    end: usize,
}

impl Around {
    /// Says whether `after` is what is left of it, without what a splice took at its end.
    fn is_cut_to(&self, after: &Neighbour) -> bool {
        self.start == Some(after.span.start)
            && self.kind == after.statement.kind
            && after.span.end <= self.end
    }
}

/// A statement that no edit reaches into, with its place in the new file.
struct Neighbour {
    statement: Statement,
    span: Span,
    decorated: Decorated,
    /// The innermost one around it.
    around: Option<usize>,
}

/// Where the decorators of a statement begin.
#[derive(Clone, Copy)]
struct Decorated {
    /// In the new file; without any, where the statement does; where the first is quoted, the end of that.
    at: usize,
    /// Whether there are any.
    any: bool,
    /// Whether an operation quotes or writes the first of them.
    is_quoted: bool,
}

impl Decorated {
    /// Says whether a statement that had these decorators has its own in `now`, and none of another.
    fn stays(self, now: Decorated) -> bool {
        match (self.is_quoted, now.is_quoted) {
            (false, false) => self.at == now.at,
            (true, false) => now.at >= self.at,
            (false, true) => !self.any || now.at <= self.at,
            (true, true) => true,
        }
    }
}

/// What one side has beside the edits.
#[derive(Default)]
struct Beside {
    neighbours: Vec<Neighbour>,
    arounds: Vec<Around>,
    /// The place, old and new, of statements that bytes somebody named are at the edge of.
    touching: Vec<(Span, Span)>,
}

struct Guard {
    moves: Rc<Moves>,
    sides: Sides,
    offside: bool,
    /// Of several labels in a row each stands for what is below the last.
    falls_through: bool,
    /// Documentation is an attribute of what comes next.
    documents_next: bool,
    /// A statement may end with its line.
    ends_lines: bool,
    /// A header is a list, the first of which may go: the selectors of a rule.
    lists_headers: bool,
}

impl Guard {
    /// Returns the guard of an edit of `bytes`, which `splices` change.
    fn of(edit: &FileEdit, splices: &Splices, bytes: &[u8], language: &Language) -> Guard {
        Guard {
            moves: Rc::new(splices.moves()),
            sides: Sides::of(edit, splices, bytes),
            offside: language.habits.offside,
            falls_through: language.name != GO.name,
            documents_next: language.name == RUST.name,
            ends_lines: language.grammar.ends_lines_freely(),
            lists_headers: language.name == CSS.name,
        }
    }

    /// Returns the guard of what the edit does in a stretch: looking at all of it once for each would be quadratic.
    fn within(&self, stretch: Span) -> Guard {
        let strokes = &self.sides.old.0;
        let from = strokes.partition_point(|stroke| stroke.span.end < stretch.start);
        let count = strokes[from..]
            .iter()
            .take_while(|stroke| stroke.span.start <= stretch.end)
            .count();
        let part = |side: &Touched| Touched(side.0[from..from + count].to_vec());
        Guard {
            moves: Rc::clone(&self.moves),
            sides: Sides {
                old: part(&self.sides.old),
                new: part(&self.sides.new),
            },
            ..*self
        }
    }

    /// Returns which statements beside `splices` would be others in `new`, or stand for something else; nothing where they could not be
    /// read.
    fn restated(
        &self,
        language: &Language,
        splices: &Splices,
        old: &Document,
        new: &Document,
    ) -> Option<Vec<Changed>> {
        let read = |document: &Document, span: Span, stretch: &Stretch| {
            let found = language
                .grammar
                .statements(span.of(&document.bytes), stretch.parent)?;
            let moved = |statement: Statement| statement.moved(|offset| offset + span.start);
            Some(found.into_iter().map(moved).collect::<Vec<_>>())
        };
        let both = |stretch: &Stretch| {
            Some((
                read(old, stretch.old, stretch)?,
                read(new, stretch.new, stretch)?,
            ))
        };
        let parted = stretches(old, new, splices, &self.moves);
        let parted: Option<Vec<_>> = parted
            .iter()
            .map(|stretch| Some((*stretch, both(stretch)?)))
            .collect();
        // What does not parse by itself is read with all that is around it. Where that does not parse either, nobody knows
        // what its statements are.
        let whole = Stretch::whole(old, new);
        let whole = || both(&whole).map(|read| vec![(whole, read)]);
        let read = parted.or_else(whole)?;
        let sides = (&old.bytes[..], &new.bytes[..]);
        let refused = read.iter().flat_map(|(stretch, (before, after))| {
            self.within(stretch.old).refused(before, after, sides)
        });
        let mut changed: Vec<Changed> = refused.take(MOST_NAMED).collect();
        if changed.is_empty() {
            let refused = read.iter().find_map(|(stretch, _)| {
                self.within(stretch.old)
                    .regrouped(language, stretch, (&old.bytes, &new.bytes))
            });
            changed.extend(refused);
        }
        if changed.is_empty() {
            changed = self.revalued(&language.grammar.implied(&old.bytes), || {
                language.grammar.implied(&new.bytes)
            });
        }
        if changed.is_empty() && falls::may_change(self, &old.bytes, &new.bytes) {
            let before = language.grammar.falls(&old.bytes);
            if !before.is_empty() {
                changed = falls::rerouted(self, &before, &language.grammar.falls(&new.bytes));
            }
        }
        Some(changed)
    }

    /// Returns the first element or parameter in a stretch that would be one with another, or two, or without what comes before it.
    fn regrouped(
        &self,
        language: &Language,
        stretch: &Stretch,
        (old, new): (&[u8], &[u8]),
    ) -> Option<Changed> {
        let in_stretch =
            |is_new: bool, found: fn(&Language, &[u8], Option<Kind>) -> Vec<Span>| -> Vec<Span> {
                let (span, bytes) = if is_new {
                    (stretch.new, new)
                } else {
                    (stretch.old, old)
                };
                let found = found(language, span.of(bytes), stretch.parent);
                found
                    .into_iter()
                    .map(|it| Span::new(it.start + span.start, it.end + span.start))
                    .collect()
            };
        let elements = |is_new| {
            in_stretch(is_new, |language, bytes, parent| {
                language.grammar.elements(bytes, parent)
            })
        };
        let comments = |is_new| {
            in_stretch(is_new, |language, bytes, _| {
                language.grammar.comments(bytes)
            })
        };
        let joined = elements::joined(self, (old, new), &elements, &comments);
        let (may_split, may_hand_on) =
            (split::may_split(self, new), prefix::may_hand_on(self, old));
        if joined.is_some() || !(may_split || may_hand_on) {
            return joined;
        }
        let (before, after) = (elements(false), elements(true));
        let split = may_split
            .then(|| split::split(self, (&before, old), (&after, new)))
            .flatten();
        split.or_else(|| {
            let as_statement = |&span: &Span| Statement {
                kind: 0,
                span,
                decorated: span.start,
                depth: 0,
                leads: false,
                is_open: false,
            };
            let both =
                [&before, &after].map(|spans| spans.iter().map(as_statement).collect::<Vec<_>>());
            prefix::handed_on(self, (&both[0], old), (&both[1], new))
                .into_iter()
                .next()
        })
    }

    /// Returns which blocks of a page would be others, or would go on in one beside what is named.
    fn disturbed(&self, splices: &Splices, old: &Document, new: &Document) -> Vec<Changed> {
        let naming = |span: Span| {
            let is_named = self
                .sides
                .old
                .at(span)
                .any(|stroke| stroke.is_named && stroke.span == span);
            if is_named {
                Naming::Named
            } else {
                Naming::Quoted
            }
        };
        let found = leaves::disturbed(&old.bytes, &new.bytes, splices, naming);
        let changed = |found| match found {
            Disturbed::Lost(span, now) => Changed::Lost(span, now),
            Disturbed::Untabled(span, now) => Changed::Untabled(span, now),
            Disturbed::Strayed(span) => Changed::Strayed(span),
        };
        found.into_iter().map(changed).collect()
    }

    /// Returns which items of lists, and notes, of a page would lose what remains of them.
    fn parted_items(&self, (old, new): (&[u8], &[u8])) -> Vec<Changed> {
        let (before, after) = (leaves::items(old), leaves::items(new));
        let mut found: Vec<Changed> = items::parted(self, (&before, old), (&after, new))
            .into_iter()
            .collect();
        let (was, now) = (Construct::of_items(&before), Construct::of_items(&after));
        if found.is_empty() && self.sides.exchanges() {
            found = tails::passed_on(self, (&was, old), (&now, new));
            if found.is_empty() {
                found = tails::dropped(self, (&was, old), (&now, new));
            }
        }
        if found.is_empty() {
            found.extend(tails::orphaned(self, (&was, old), &now));
        }
        found
    }

    /// Returns which segments would lose what remains of them to others: keys, sections, members of a class.
    fn parted_segments(&self, old: &Document, new: &Document) -> Vec<Changed> {
        if !self.sides.exchanges() {
            return Vec::new();
        }
        let fronts = old.front_matter().zip(new.front_matter());
        let both = |(before, after): (&Document, &Document)| {
            let (before, after) = (
                Construct::of_segments(before),
                Construct::of_segments(after),
            );
            tails::passed_on(self, (&before, &old.bytes), (&after, &new.bytes))
        };
        let mut found = both((old, new));
        found.extend(
            fronts
                .iter()
                .flat_map(|(before, after)| both((before, after))),
        );
        found
    }

    /// Returns which statements beside the edits are not the same, and else which that came with them stand elsewhere than the
    /// rest; the bytes are those of both files.
    fn refused(
        &self,
        before: &[Statement],
        after: &[Statement],
        (old, new): (&[u8], &[u8]),
    ) -> Vec<Changed> {
        let mut changed = if self.lists_headers {
            self.changed(before, &self.with_old_headers(before, after, new))
        } else {
            self.changed(before, after)
        };
        if changed.is_empty() {
            changed.extend(strays(&self.sides.new, after, new).map(Changed::Strayed));
        }
        if changed.is_empty() {
            changed.extend(left::left(self, (before, old), (after, new)).map(Changed::Strayed));
        }
        if changed.is_empty() && !self.offside {
            changed.extend(lone::followed(&self.sides.new, after, new).map(Changed::Strayed));
        }
        if changed.is_empty() {
            let merged = self
                .merged(before, after)
                .or_else(|| self.unended((before, old), (after, new)));
            changed.extend(merged.or_else(|| self.taken_up((before, old), (after, new))));
        }
        if changed.is_empty() && split::may_split(self, new) {
            let spans =
                |statements: &[Statement]| statements.iter().map(|it| it.span).collect::<Vec<_>>();
            changed.extend(split::split(
                self,
                (&spans(before), old),
                (&spans(after), new),
            ));
        }
        if changed.is_empty() && self.sides.exchanges() {
            let (was, now) = (
                Construct::of_statements(before, old),
                Construct::of_statements(after, new),
            );
            changed.extend(tails::passed_on(self, (&was, old), (&now, new)));
        }
        if changed.is_empty() {
            changed.extend(prefix::parted(self, (before, old), (after, new)));
        }
        if changed.is_empty() {
            changed.extend(prefix::handed_on(self, (before, old), (after, new)));
        }
        if changed.is_empty() {
            changed.extend(prefix::trailed(self, (before, old), (after, new)));
        }
        if changed.is_empty() {
            changed.extend(prefix::given_again(self, (before, old), (after, new)));
        }
        if changed.is_empty() && self.ends_lines {
            changed.extend(
                values::left_alone(self, (before, old), (after, new)).map(Changed::Valueless),
            );
        }
        if changed.is_empty() && self.documents_next {
            changed.extend(prefix::documented(self, before, (after, new)));
        }
        changed
    }

    /// Returns `after` with each rule that begins after blanks which an edit leaves, as `h2` does where `h1,` goes, from the edit on: it is the
    /// one that began there.
    fn with_old_headers(
        &self,
        before: &[Statement],
        after: &[Statement],
        new: &[u8],
    ) -> Vec<Statement> {
        let begun: HashSet<usize> = before
            .iter()
            .map(|it| self.moves.behind(it.span.start))
            .collect();
        let begins = |it: &Statement| {
            let ahead = new
                .get(..it.span.start)
                .unwrap_or_default()
                .trim_ascii_end()
                .len();
            let near = self.sides.new.at(Span::new(ahead, it.span.start));
            let edge = near
                .map(|stroke| stroke.span.end)
                .filter(|end| (ahead..=it.span.start).contains(end))
                .max();
            edge.filter(|_| !begun.contains(&it.span.start))
                .unwrap_or(it.span.start)
        };
        let moved = |it: &Statement| {
            let start = begins(it);
            Statement {
                span: Span::new(start, it.span.end),
                decorated: start,
                ..*it
            }
        };
        after.iter().map(moved).collect()
    }

    /// Returns the first statement that an edit reaches into, and whose beginning it leaves alone, that would be none of its own: without
    /// its `;` the one above goes on in it.
    fn merged(&self, before: &[Statement], after: &[Statement]) -> Option<Changed> {
        let is_touched = |it: &&Statement| {
            matches!(
                self.sides.old.place(it.span),
                Standing::Around | Standing::Touching
            )
        };
        let mut begun = before
            .iter()
            .filter(is_touched)
            .filter(|it| !self.sides.old.is_touched(it.span.start))
            .peekable();
        begun.peek()?;
        let starts: HashSet<usize> = after.iter().map(|it| it.span.start).collect();
        let moved = |it: &Statement| self.moves.behind(it.span.start);
        begun
            .find(|it| !starts.contains(&moved(it)))
            .map(|it| Changed::Lost(it.span, moved(it)))
    }

    /// Returns the first statement right below content without the `;` of what it takes the place of that would be none of its own, whatever
    /// another operation makes of it.
    fn unended(
        &self,
        (before, old): (&[Statement], &[u8]),
        (after, new): (&[Statement], &[u8]),
    ) -> Option<Changed> {
        let loses_end = |was: Span, now: Span| {
            was.of(old).trim_ascii_end().ends_with(b";")
                && now
                    .of(new)
                    .trim_ascii_end()
                    .last()
                    .is_some_and(|last| !b";{}".contains(last))
        };
        let mut unended = self
            .sides
            .strokes()
            .filter(|(was, now)| self.ends_lines && loses_end(was.span, now.span))
            .peekable();
        unended.peek()?;
        let starts: HashSet<usize> = after.iter().map(|it| it.span.start).collect();
        unended.find_map(|(was, now)| {
            let below = prefix::first_word(was.span.end, old)?;
            let from = before.partition_point(|it| it.span.start < below);
            let next = before.get(from).filter(|it| it.span.start == below)?;
            let place = prefix::first_word(now.span.end, new)?;
            (!starts.contains(&place)).then_some(Changed::Lost(next.span, now.span.start))
        })
    }

    /// Returns the first statement that ends with its line, without a `;`, and that would go on in content of lines of its own, which begins
    /// as a call, an index or a template does.
    fn taken_up(
        &self,
        (before, old): (&[Statement], &[u8]),
        (after, new): (&[Statement], &[u8]),
    ) -> Option<Changed> {
        let begins = |was: Span, now: Span| {
            let first = prefix::first_word(now.start, new).filter(|first| *first < now.end)?;
            let is_line = memchr::memrchr(b'\n', &new[..first])
                .is_some_and(|line| is_blank(&new[line + 1..first]));
            let above = old[..was.start].trim_ascii_end().len();
            (is_line && matches!(new[first], b'(' | b'[' | b'`')).then_some((first, above))
        };
        let strokes = self
            .sides
            .strokes()
            .filter(|(was, _)| self.ends_lines && !was.is_named);
        let begun: Vec<(usize, usize)> = strokes
            .filter_map(|(was, now)| begins(was.span, now.span))
            .collect();
        if begun.is_empty() {
            return None;
        }
        let starts: HashSet<usize> = after.iter().map(|it| it.span.start).collect();
        begun
            .into_iter()
            .filter(|(first, _)| !starts.contains(first))
            .find_map(|(first, above)| {
                let ends_freely =
                    |it: &&Statement| it.span.end == above && !old[..above].ends_with(b";");
                before
                    .iter()
                    .find(ends_freely)
                    .map(|it| Changed::Lost(it.span, first))
            })
    }

    /// Returns which statements beside the edits stand for something else in `after`, where they are the same.
    fn revalued(&self, before: &[Implied], after: impl FnOnce() -> Vec<Implied>) -> Vec<Changed> {
        if before.is_empty() {
            return Vec::new();
        }
        let after: HashMap<Span, Vec<u8>> = after()
            .into_iter()
            .map(|it| (it.span, it.stands_for))
            .collect();
        let is_beside = |it: &&Implied| {
            matches!(
                self.sides.old.place(it.span),
                Standing::Beside | Standing::Touching
            )
        };
        let revalued = before.iter().filter(is_beside).filter_map(|it| {
            let start = self.moves.behind(it.span.start);
            let now = Span::new(start, self.moves.ahead(it.span.end).max(start));
            (after.get(&now)? != &it.stands_for).then_some(Changed::Revalued(it.span, start))
        });
        revalued.collect()
    }

    /// Returns which statements beside the edits are not the same in `after` as in `before`.
    fn changed(&self, before: &[Statement], after: &[Statement]) -> Vec<Changed> {
        let moved = |span: Span| {
            let start = self.moves.behind(span.start);
            Span::new(start, self.moves.ahead(span.end).max(start))
        };
        let stays = |span: Span| span;
        let edited = |side: &Touched, statements: &[Statement], moved: &dyn Fn(Span) -> Span| {
            let is_around = |statement: &&Statement| side.place(statement.span) == Standing::Around;
            let around = statements.iter().filter(is_around);
            let mut edited: Vec<(usize, u16)> =
                around.map(|it| (moved(it.span).start, it.kind)).collect();
            edited.sort_unstable();
            edited
        };
        let has_open = self.offside
            || self.lists_headers
            || before
                .iter()
                .chain(after)
                .any(|statement| statement.is_open);
        let both_edited = has_open.then(|| {
            (
                edited(&self.sides.old, before, &moved),
                edited(&self.sides.new, after, &stays),
            )
        });
        let (old_edited, new_edited) = both_edited.unwrap_or_default();
        let old = beside(&self.sides.old, before, &moved, &new_edited, self);
        let new = beside(&self.sides.new, after, &stays, &old_edited, self);
        let mut changed = differences(&old, &new);
        if !old.touching.is_empty() {
            // It may have become longer, and still begins or ends where it did.
            let starts: HashSet<usize> =
                after.iter().map(|statement| statement.span.start).collect();
            let ends: HashSet<usize> = after.iter().map(|statement| statement.span.end).collect();
            let gone = old
                .touching
                .iter()
                .filter(|(_, now)| !starts.contains(&now.start) && !ends.contains(&now.end));
            changed.extend(gone.map(|&(was, now)| Changed::Lost(was, now.start)));
            changed.extend(displaced(before, after, &old.touching));
            changed.sort_by_key(Changed::place);
        }
        changed
    }
}

/// Returns the outermost statements that no edit reaches into, and what is around them.
///
/// Where indentation is syntax, a block ends with its last statement, and so does a `case`, so that to add one below it is to change
/// it; and where the first part of a header may go, the block begins with the next. So what the other side has in `edited` is looked
/// into here, too.
fn beside(
    side: &Touched,
    statements: &[Statement],
    moved: &dyn Fn(Span) -> Span,
    edited: &[(usize, u16)],
    &Guard {
        offside,
        lists_headers,
        falls_through,
        ..
    }: &Guard,
) -> Beside {
    let labels = if falls_through {
        first_labels(side, statements, moved)
    } else {
        HashMap::new()
    };
    let mut found = Beside::default();
    let mut innermost: Option<usize> = None;
    // What is deeper is a part of something that was dealt with.
    let mut done: Option<usize> = None;
    for (at, statement) in statements.iter().enumerate() {
        if done.is_some_and(|depth| statement.depth > depth) {
            continue;
        }
        done = Some(statement.depth);
        while let Some(outer) = innermost
            .and_then(|at| found.arounds.get(at))
            .filter(|it| it.depth >= statement.depth)
        {
            innermost = outer.outer;
        }
        let first_inside = statements
            .get(at + 1)
            .filter(|next| next.depth > statement.depth);
        let now = moved(statement.span);
        let may_change = statement.is_open || (offside || lists_headers) && first_inside.is_some();
        let is_edited = || may_change && edited.binary_search(&(now.start, statement.kind)).is_ok();
        match side.place(statement.span) {
            Standing::Inside => continue,
            Standing::Beside if !is_edited() => {
                let start = statement.decorated.min(statement.span.start);
                let quoted = side.quoting(start);
                // What is taken or given is between the same bytes in both files.
                let at = moved(Span::at(quoted.map_or(start, |quoted| quoted.end))).start;
                let decorated = Decorated {
                    at,
                    any: start < statement.span.start,
                    is_quoted: quoted.is_some(),
                };
                found.neighbours.push(Neighbour {
                    statement: *statement,
                    span: now,
                    decorated,
                    around: innermost,
                });
                continue;
            }
            Standing::Touching => found.touching.push((statement.span, now)),
            Standing::Beside | Standing::Around => {}
        }
        done = None;
        let header = Span::new(
            statement.span.start,
            first_inside.map_or(statement.span.end, |it| it.span.start),
        );
        let outer = innermost.and_then(|at| found.arounds.get(at));
        let start = (!side.is_touched(statement.span.start)).then_some(now.start);
        let is_open = start.is_none() && !side.is_touched(statement.span.end);
        let is_another_end = || {
            offside
                || statement.is_open
                || outer.is_none_or(|outer| outer.end != now.end || outer.start.is_some())
        };
        let around = Around {
            depth: statement.depth,
            kind: statement.kind,
            start,
            labels: labels.get(&at).copied(),
            is_header_touched: side.at(header).next().is_some(),
            outer: innermost,
            begun: if start.is_some() {
                Some(found.arounds.len())
            } else {
                outer.and_then(|outer| outer.begun)
            },
            rewritten: outer.map_or(0, |outer| outer.rewritten) + usize::from(start.is_none()),
            open: outer.map_or(0, |outer| outer.open) + usize::from(is_open && is_another_end()),
            end: now.end,
        };
        innermost = Some(found.arounds.len());
        found.arounds.push(around);
    }
    found
}

/// Returns, for each case by its position, where the first label is that stands for its statements and that no splice gave or took.
fn first_labels(
    side: &Touched,
    statements: &[Statement],
    moved: &dyn Fn(Span) -> Span,
) -> HashMap<usize, usize> {
    let mut found: HashMap<usize, usize> = HashMap::new();
    // The case above, while there is nothing in it but its label.
    let mut empty: Option<(usize, Statement)> = None;
    let mut last: Option<(usize, Statement)> = None;
    for (at, statement) in statements.iter().enumerate() {
        if !statement.is_open {
            empty = empty.filter(|(_, case)| statement.span.start == case.span.start);
            // A whole case that was put into another, or taken from there, shares nothing with what is left of that.
            let is_exchanged = empty.is_none() && side.place(statement.span) == Standing::Inside;
            if let Some((at, case)) = last.filter(|_| is_exchanged)
                && side.is_touched(case.span.start)
            {
                found.remove(&at);
            }
            continue;
        }
        let above = empty.filter(|(_, case)| case.depth == statement.depth);
        let own = || (!side.is_touched(statement.span.start)).then(|| moved(statement.span).start);
        let first = above
            .and_then(|(above, _)| found.get(&above).copied())
            .or_else(own);
        found.extend(first.map(|first| (at, first)));
        last = Some((at, *statement));
        empty = last;
    }
    found
}

/// Returns the directives and docstrings among the statements at the edge of what an operation names, (old, new) place, that are
/// none any more.
fn displaced(before: &[Statement], after: &[Statement], touching: &[(Span, Span)]) -> Vec<Changed> {
    let leading = |statements: &[Statement]| {
        let leads = statements.iter().filter(|statement| statement.leads);
        leads
            .map(|statement| statement.span)
            .collect::<HashSet<Span>>()
    };
    let (led, leads) = (leading(before), leading(after));
    let spans: HashSet<Span> = after.iter().map(|statement| statement.span).collect();
    let displaced = touching
        .iter()
        .filter(|(was, now)| led.contains(was) && spans.contains(now) && !leads.contains(now));
    displaced
        .map(|&(was, now)| Changed::Displaced(was, now.start))
        .collect()
}

/// Compares neighbours in the order in which they stand.
fn differences(old: &Beside, new: &Beside) -> Vec<Changed> {
    let lost =
        |neighbour: &Neighbour| Changed::Lost(neighbour.statement.span, neighbour.span.start);
    let mut chains = Chains {
        old: &old.arounds,
        new: &new.arounds,
        alike: HashMap::new(),
    };
    let mut changed = Vec::new();
    let (mut befores, mut afters) = (
        old.neighbours.iter().peekable(),
        new.neighbours.iter().peekable(),
    );
    loop {
        match (befores.peek(), afters.peek()) {
            (Some(before), Some(after)) if before.span == after.span => {
                if !chains.is_same(before, after) {
                    changed.push(lost(before));
                } else if !before.decorated.stays(after.decorated) {
                    changed.push(Changed::Redecorated(
                        before.statement.span,
                        before.span.start,
                    ));
                } else if before.statement.leads != after.statement.leads {
                    changed.push(Changed::Displaced(before.statement.span, before.span.start));
                }
                befores.next();
                afters.next();
            }
            (Some(before), after) if after.is_none_or(|after| before.span <= after.span) => {
                changed.push(lost(before));
                befores.next();
            }
            (_, Some(after)) => {
                if !old.arounds.iter().any(|around| around.is_cut_to(after)) {
                    changed.push(Changed::Appeared(after.span));
                }
                afters.next();
            }
            (_, None) => break,
        }
    }
    // Of both, what was there before tells more.
    let was_there = |change: &Changed| !matches!(change, Changed::Appeared(_));
    if changed.iter().any(was_there) {
        changed.retain(was_there);
    }
    changed
}

/// What stands around the neighbours on both sides.
struct Chains<'a> {
    old: &'a [Around],
    new: &'a [Around],
    /// What was found of two of them and all that is around those, so that deep nesting is climbed once.
    alike: HashMap<(usize, usize), bool>,
}

impl Chains<'_> {
    /// Says whether a statement is of the same kind and in the same blocks as before. What was written around a statement,
    /// or taken from around it, at both its ends, was meant to be.
    fn is_same(&mut self, before: &Neighbour, after: &Neighbour) -> bool {
        let old = before.around.and_then(|at| self.old.get(at));
        let new = after.around.and_then(|at| self.new.get(at));
        // The members of what is another thing now, because its header was edited, are called otherwise.
        let is_renamed = [old, new]
            .into_iter()
            .flatten()
            .any(|around| around.is_header_touched);
        if before.statement.kind != after.statement.kind && !is_renamed {
            return false;
        }
        if self.are_both_around(old, new) {
            return true;
        }
        // Another label may be the last of those that stand for it.
        let (Some(old), Some(new)) = (old, new) else {
            return false;
        };
        let outer =
            |all: &'_ [Around], around: &Around| around.outer.and_then(|at| all.get(at).copied());
        let (outer_old, outer_new) = (outer(self.old, old), outer(self.new, new));
        old.labels.is_some()
            && old.labels == new.labels
            && self.are_both_around(outer_old.as_ref(), outer_new.as_ref())
    }

    /// Says whether two blocks may be around the same statement: what edits left of their beginnings, and of those around them, is the
    /// same, and none begins or ends in only one of the files.
    fn are_both_around(&mut self, old: Option<&Around>, new: Option<&Around>) -> bool {
        let open = |around: Option<&Around>| around.map_or(0, |around| around.open);
        let rewritten = |around: Option<&Around>| around.map_or(0, |around| around.rewritten);
        open(new) <= rewritten(old)
            && open(old) <= rewritten(new)
            && self.are_alike(
                old.and_then(|around| around.begun),
                new.and_then(|around| around.begun),
            )
    }

    /// Says whether two blocks, and those around them, are the same as far as the edits left their beginnings.
    fn are_alike(&mut self, mut old: Option<usize>, mut new: Option<usize>) -> bool {
        let mut climbed = Vec::new();
        let alike = loop {
            let (Some(was), Some(now)) = (old, new) else {
                break old.is_none() && new.is_none();
            };
            if let Some(&known) = self.alike.get(&(was, now)) {
                break known;
            }
            let (Some(one), Some(other)) = (self.old.get(was), self.new.get(now)) else {
                break false;
            };
            climbed.push((was, now));
            let is_kind_kept =
                one.kind == other.kind || one.is_header_touched || other.is_header_touched;
            if one.start != other.start || !is_kind_kept {
                break false;
            }
            let begun = |all: &[Around], around: &Around| {
                all.get(around.outer?).and_then(|outer| outer.begun)
            };
            (old, new) = (begun(self.old, one), begun(self.new, other));
        };
        self.alike
            .extend(climbed.into_iter().map(|pair| (pair, alike)));
        alike
    }
}

fn refusal(edit: &FileEdit, changed: Changed, old: &Document, new: &Document) -> Diagnostic {
    let path = &edit.path;
    let (document, span, offset) = match changed {
        Changed::Lost(span, now)
        | Changed::Redecorated(span, now)
        | Changed::Parted(span, now)
        | Changed::HandedOn(span, now)
        | Changed::PassedOn(span, now)
        | Changed::Displaced(span, now)
        | Changed::Commented(span, now)
        | Changed::Joined(span, now)
        | Changed::Reassigned(span, now)
        | Changed::Rebound(span, now)
        | Changed::Revalued(span, now)
        | Changed::Rerouted(span, now)
        | Changed::Unread(span, now)
        | Changed::Untabled(span, now) => (old, span, now),
        Changed::Appeared(span)
        | Changed::Strayed(span)
        | Changed::Continued(span)
        | Changed::Valueless(span) => (new, span, span.start),
    };
    let lines = document.lines();
    let (line, column) = (lines.line(span.start), lines.column(span.start));
    let quoted = quotation(span.of(&document.bytes));
    let message = match changed {
        Changed::Lost(..) => {
            format!(
                "the edit would change its neighbour `{quoted}` at line {line} of {path}, which it does not name: it would be read as something else"
            )
        }
        Changed::Redecorated(..) => {
            format!(
                "the edit would give its neighbour `{quoted}` at line {line} of {path} the decorators or attributes of another, or take its own"
            )
        }
        Changed::Parted(..) => {
            format!(
                "the edit would give what comes before `{quoted}`, at line {line} of {path}, to the first statement of the content"
            )
        }
        Changed::HandedOn(_, now) => {
            let heir = quotation(line_from(now, &new.bytes));
            format!(
                "the edit would give the comment of `{quoted}`, at line {line} of {path}, to `{heir}`"
            )
        }
        Changed::PassedOn(_, now) => {
            let quoted = quotation(line_from(span.start, &old.bytes));
            let heir = quotation(line_from(now, &new.bytes));
            format!(
                "the edit would give what remains of `{quoted}`, at line {line} of {path}, to `{heir}`"
            )
        }
        Changed::Displaced(..) => {
            format!(
                "the edit would change what its neighbour `{quoted}` at line {line} of {path} is: whether it stands first tells a directive, a docstring, an `@import`"
            )
        }
        Changed::Revalued(..) => {
            format!(
                "the edit would change what its neighbour `{quoted}` at line {line} of {path} stands for: it repeats what is above it"
            )
        }
        Changed::Valueless(_) => {
            format!(
                "`{quoted}`, at line {line} of {path}, would end with its line: what is below it is no part of it"
            )
        }
        Changed::Rerouted(..) => {
            format!(
                "the edit would have its neighbour `{quoted}`, at line {line} of {path}, go on with another case: nothing ends it before the next one"
            )
        }
        Changed::Unread(..) => {
            format!(
                "the edit would part `{quoted}`, at line {line} of {path}, from its preamble, or put a remark into that: cgo compiles the comment that ends right above it"
            )
        }
        Changed::Strayed(_) => {
            format!(
                "`{quoted}`, at line {line} of {path}, would stand outside of what the content's first statement stands in"
            )
        }
        Changed::Reassigned(..) => {
            format!(
                "the edit would have its neighbour `{quoted}`, at line {line} of {path}, in another document"
            )
        }
        Changed::Rebound(_, now) => {
            let anchor = new.lines().line(now);
            format!(
                "the edit would have `{quoted}`, at line {line} of {path}, which it does not name, stand for something else: its anchor would be the one at line {anchor}"
            )
        }
        Changed::Joined(..) => {
            format!(
                "the edit would make one of its neighbour `{quoted}`, at line {line} of {path}, and what is put beside it: a comma is missing"
            )
        }
        Changed::Commented(..) => {
            format!(
                "the edit would make a part of a comment of its neighbour `{quoted}`, at line {line} of {path}"
            )
        }
        Changed::Continued(_) => {
            format!(
                "`{quoted}`, at line {line} of {path}, would be a part of the value that stands above it"
            )
        }
        Changed::Untabled(..) => {
            format!(
                "the edit would make text of the table at line {line} of {path}, which begins `{quoted}`"
            )
        }
        Changed::Appeared(_) => {
            format!(
                "the edit would make a statement of `{quoted}`, at line {line} of {path}, beside what it names"
            )
        }
    };
    let text = String::from_utf8_lossy(lines.content(&document.bytes, line).of(&document.bytes))
        .into_owned();
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message)
        .showing(Excerpt { path: path.clone(), line, column, text })
        .note(match changed {
            Changed::Revalued(..) => {
                "edit the whole group as one range by `lines`, or give it a value of its own first"
            }
            Changed::Valueless(_) => "begin its value on the same line, with a `(` for one; or end it with `;`",
            Changed::Rerouted(..) => {
                "end it with `break`, put the new case elsewhere, or take the whole case that falls through into the same range"
            }
            Changed::Unread(..) => {
                "keep the comment on the lines right above it: what is to come between goes above the comment, or below the import"
            }
            Changed::Redecorated(..) => {
                "take them along in the same range, or name the definition: `insert` with `position: before` puts something before them"
            }
            Changed::Parted(..) => {
                "decorators, attributes and words such as `pub` or `export` belong to what was quoted: quote them too"
            }
            Changed::PassedOn(..) => {
                "`insert` with `position: after` puts something after the whole, by its name or its last line; or quote all of it"
            }
            Changed::Reassigned(..) => "put a document behind the last key of another; `---` alone parts or joins what is around it",
            Changed::Rebound(..) => "an alias stands for the last anchor of its name above it: give the anchor in the content another name",
            Changed::Joined(..) => "take its line along and end it with a comma; what is meant to be one stands on one line",
            Changed::Commented(..) => "end the comment in the content, or put it on a line of its own",
            Changed::Continued(..) => "indent, begin and part it as its neighbours are; of a text in `|` or `>` take all its lines along",
            Changed::Untabled(..) => "a table begins with a row and, below it, one of dashes for as many cells: write both",
            Changed::HandedOn(..) => "keep the comment with it: quote both, or name the definition",
            Changed::Displaced(..) => "edit both as one range by `lines` or `text`",
            Changed::Strayed(_) if takes_one(document) => {
                "put braces around both statements, or name or quote the whole of what they are to stand in"
            }
            _ => way_out(document),
        });
    match edit.operation_at(offset) {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}

/// Says whether a header may take one statement without braces.
fn takes_one(document: &Document) -> bool {
    document
        .language
        .is_some_and(|language| !language.habits.offside && language.habits.body_opener == "{")
}

/// Says how to go about it.
fn way_out(document: &Document) -> &'static str {
    let Some(language) = document.language else {
        return "";
    };
    if is_markdown(language) {
        "part the two by a blank line, or edit both as one range by `lines` or `text`"
    } else if language.grammar.ends_lines_freely() {
        "end the content with `;`, or edit both as one range by `lines` or `text`"
    } else if language.habits.offside {
        "content for a part of a line is one line without a comment; else edit the whole line by `lines` or `text`"
    } else {
        "content for a part of a line must not end in a comment; else edit both as one range by `lines` or `text`"
    }
}

/// Returns the rest of the line at `offset`.
fn line_from(offset: usize, bytes: &[u8]) -> &[u8] {
    let rest = bytes.get(offset..).unwrap_or_default();
    rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()))
        .unwrap_or_default()
}

fn quotation(statement: &[u8]) -> String {
    let text = String::from_utf8_lossy(statement);
    let line = text.lines().next().unwrap_or_default().trim_end();
    let mut quoted: String = line.chars().take(QUOTED).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    shown(&quoted)
}

#[cfg(test)]
mod tests;
