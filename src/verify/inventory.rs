//! Inventory: every segment beside the edits is there before and after, under the same name. This catches what still
//! parses: a lost closing quote that swallows the next function. What went and came inside of the edits is for
//! `removals` to judge.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::parents::taken_over;
use super::removals::{FileExchanged, Went};
use super::touched_spans::{header, is_touched};
use super::twice;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::resolve::named::flatten;
use crate::resolve::{Definition, Document, overload};
use crate::syntax::css::is_style;
use crate::syntax::keys::KeyFormat;
use crate::syntax::markdown::{MARKDOWN, enclosures};
use crate::syntax::{Decoration, DecorationKind, SegmentKind, yaml};
use crate::text::Span;
use crate::text::splice::{OffsetShift, Splices};

/// What became of the segments of a file.
#[derive(Default)]
pub struct Inventory {
    /// A refusal for each segment that went missing, appeared, or lost its name beside the edits.
    pub problems: Vec<Diagnostic>,
    /// What went inside of the edits.
    pub went: Went,
    /// A warning for each definition or key that came beside one of its name.
    pub twice: Vec<Diagnostic>,
}

impl Inventory {
    /// Adds what became of the definitions or keys of a script in the file.
    pub fn add(&mut self, script: Inventory) {
        self.problems.extend(script.problems);
        self.went.add(script.went);
        self.twice.extend(script.twice);
    }
}

/// Compares the segments of `old` with those of `new`.
pub fn check(edit: &FileEdit, old: &Document, new: &Document) -> Inventory {
    let Some(splices) = edit.splices.as_ref().filter(|_| old.bytes != new.bytes) else {
        return Inventory::default();
    };
    let Some(language) = old
        .language
        .filter(|_| new.language.is_some() && !old.too_large() && !new.too_large())
    else {
        return Inventory::default();
    };
    // What had no names has none to lose.
    if old.outline().excess.is_some() {
        return Inventory::default();
    }
    if became_template(edit, old, new) {
        return Inventory::default();
    }
    // Where a file does not parse, its outline is a guess that may change with any edit; the syntax check speaks then.
    let (old_named, new_named) = (flatten(old.outline()), flatten(new.outline()));
    let escaped = escaped(edit, splices, &new_named, new);
    // What a rule of a style is called is its header, and its statements are compared with all others.
    let is_held_by_statements = is_style(language);
    let mut lost = match is_held_by_statements {
        true => Vec::new(),
        false => differences(&old_named, &new_named, splices),
    };
    if lost
        .iter()
        .any(|difference| matches!(difference, SegmentDifference::Appeared(..)))
        && closes(splices, old, new)
    {
        lost.retain(|difference| !matches!(difference, SegmentDifference::Appeared(..)));
    }
    if lost.is_empty() && !is_held_by_statements {
        lost = taken_over(&old_named, (&new_named, &new.bytes), splices)
            .into_iter()
            .map(|taken| SegmentDifference::TakenOver {
                member: taken.member.qualified.clone(),
                place: taken.member.symbol.definition,
                holder: taken.holder.qualified.clone(),
            })
            .collect();
    }
    let is_sound = || language.grammar.parses(&old.bytes);
    let mut inventory = Inventory::default();
    if !(escaped.is_empty() && lost.is_empty()) && is_sound() {
        inventory.problems.extend(escaped);
        inventory.problems.extend(
            lost.into_iter()
                .map(|difference| refusal(edit, difference, old, new)),
        );
    }
    inventory.problems.extend(redecorated(
        edit,
        splices,
        (old, &old_named),
        (new, &new_named),
    ));
    inventory.problems.extend(documenting_another(
        edit,
        splices,
        (old, &old_named),
        (new, &new_named),
    ));
    inventory.went = Went::between(edit, splices, (old, &old_named), (new, &new_named));
    inventory.twice = twice::definitions(edit, splices, (old, &old_named), (new, &new_named));
    inventory.twice.extend(twice::keys(edit, splices, old, new));
    front_matter(edit, splices, (old, new), &mut inventory);
    if !inventory.went.exchange.is_empty() && !is_sound() {
        inventory
            .went
            .exchange
            .guess(&language.grammar.errors(&old.bytes), &new.bytes);
    }
    inventory
}

/// Adds what becomes of the front matter of a page: its keys are those of a configuration file.
fn front_matter(
    edit: &FileEdit,
    splices: &Splices,
    (old, new): (&Document, &Document),
    inventory: &mut Inventory,
) {
    let Some(before) = old.front_matter() else {
        return;
    };
    // Its last line is the one that ends it.
    let ends = before.bytes.len() + "---".len();
    if !splices.iter().any(|splice| splice.span.start <= ends) {
        return;
    }
    let nothing = || {
        Document::new(new.path.clone(), Vec::new().into(), new.hash).in_language(before.language)
    };
    let found = new.front_matter();
    let is_gone = found.is_none();
    let after = found.unwrap_or_else(nothing);
    // As long as the page, so that an edit further down has its place.
    let (before, after) = (
        before.padded(old.bytes.len()),
        after.padded(new.bytes.len()),
    );
    let (before_named, after_named) = (flatten(before.outline()), flatten(after.outline()));
    let exchange = FileExchanged::between(
        edit,
        splices,
        (&before, &before_named),
        (&after, &after_named),
    );
    // Who takes all its keys takes it away.
    let is_beside = |named: &Definition<'_>| {
        !splices
            .iter()
            .any(|splice| splice.span.overlaps(named.symbol.definition))
    };
    let was_read = before.keys().is_some_and(|keys| keys.is_ok());
    let problem = match after.keys() {
        Some(Err(error)) if was_read => {
            let line = after.lines().line(error.offset);
            let message = format!(
                "the front matter of {} would not be read: line {line}: {}",
                edit.path,
                shown(&error.message)
            );
            Some(Diagnostic::new(Code::SyntaxError, message))
        }
        _ if is_gone && (before_named.iter().any(is_beside) || keeps(splices, &before, new)) => {
            let message = format!("the front matter of {} would be none any more", edit.path);
            Some(
                Diagnostic::new(Code::StructureLost, message)
                    .note("it stands between its two lines at the beginning of the file"),
            )
        }
        _ => None,
    };
    // What is at its beginning or end did it.
    let reaching = edit.claims.iter().find(|(claim, _)| claim.start <= ends);
    inventory
        .problems
        .extend(problem.map(|problem| match reaching {
            Some(&(_, operation)) => problem.of_operation(operation),
            None => problem,
        }));
    inventory.went.exchange.join(exchange);
}

/// Says whether a page that has no front matter any more still has its first line, or one of its keys in what an edit gives.
fn keeps(splices: &Splices, front: &Document, new: &Document) -> bool {
    let outline = front.outline();
    let keys: Vec<&[u8]> = outline
        .symbols
        .iter()
        .map(|key| key.name.as_bytes())
        .collect();
    let has_key = |line: &[u8]| {
        keys.iter().any(|key| {
            let rest = line.strip_prefix(*key).map(<[u8]>::trim_ascii_start);
            rest.is_some_and(|rest| matches!(rest.first(), Some(b':' | b'=')))
        })
    };
    let is_open = new.bytes.starts_with(b"---") || new.bytes.starts_with(b"+++");
    is_open
        && splices
            .iter()
            .all(|splice| splice.span.start >= "---".len())
        || splices
            .iter()
            .any(|splice| splice.bytes.split(|&byte| byte == b'\n').any(has_key))
}

/// Says whether an edit writes the first tags on lines of their own of a YAML file, as a Helm chart has them: nobody knows its keys
/// any more before it is rendered.
fn became_template(edit: &FileEdit, old: &Document, new: &Document) -> bool {
    let has_keys = |document: &Document| !document.outline().symbols.is_empty();
    let is_yaml = new
        .language
        .is_some_and(|language| language.grammar.format() == Some(KeyFormat::Yaml));
    let mut written = edit.splices.iter().flat_map(Splices::iter);
    is_yaml
        && has_keys(old)
        && !has_keys(new)
        && written.any(|splice| yaml::is_template(&splice.bytes))
}

/// Says whether the edit takes away what opened a block that nothing closed, or closes it, and leaves none open: what was code then
/// is read again, headings too.
fn closes(splices: &Splices, old: &Document, new: &Document) -> bool {
    let is_markdown = old
        .language
        .is_some_and(|language| language.name == MARKDOWN.name);
    let open = |document: &Document| {
        enclosures(&document.bytes)
            .into_iter()
            .find(|block| block.close.is_none())
    };
    let ends_it = |block: &Span| {
        splices
            .iter()
            .any(|splice| splice.span.overlaps(*block) || block.end <= splice.span.start)
    };
    is_markdown && open(old).is_some_and(|block| ends_it(&block.open)) && open(new).is_none()
}

/// A segment beside the edits that is on one side only.
enum SegmentDifference {
    Lost(String, Span),
    Appeared(String, Span),
    /// It is in another than before, which is named.
    TakenOver {
        member: String,
        place: Span,
        holder: String,
    },
}

/// Compares the segments whose headers no splice touches: by name, kind and where their header now must stand.
fn differences(
    old: &[Definition<'_>],
    new: &[Definition<'_>],
    splices: &Splices,
) -> Vec<SegmentDifference> {
    let mut touched_old: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let mut touched_new: Vec<Span> = splices.with_new_spans().map(|(_, span)| span).collect();
    let moves = splices.moves();
    if are_same_beside((old, &touched_old), (new, &touched_new), &moves) {
        return Vec::new();
    }
    touch_both_sides((old, &mut touched_old), (new, &mut touched_new), &moves);
    if are_same_beside((old, &touched_old), (new, &touched_new), &moves) {
        return Vec::new();
    }

    let moved =
        |(at, named): (usize, &Definition<'_>)| (moves.after(named.symbol.definition.start), at);
    let old_beside: Vec<(usize, usize)> =
        beside(old, &touched_old).into_iter().map(moved).collect();
    let new_beside = beside(new, &touched_new);
    let definition = |at: usize| {
        old.get(at)
            .map_or(Span::at(0), |named| named.symbol.definition)
    };
    let mut kept: BTreeMap<(usize, String), Span> = old_beside
        .iter()
        .map(|&(moved, at)| ((moved, key(old, at, &touched_old)), definition(at)))
        .collect();
    let mut found = Vec::new();
    for (at, named) in new_beside {
        let key = (named.symbol.definition.start, key(new, at, &touched_new));
        if kept.remove(&key).is_none() {
            found.push(SegmentDifference::Appeared(
                named.qualified.clone(),
                named.symbol.definition,
            ));
        }
    }
    // The last variable that is left of several in one statement is the whole statement, keyword and all.
    let variables: Vec<(String, Span)> = (0..new.len())
        .filter(|&at| new[at].symbol.kind == SegmentKind::Variable)
        .map(|at| (key(new, at, &touched_new), new[at].symbol.definition))
        .collect();
    let is_alone_now = |place: usize, key: &str| {
        variables
            .iter()
            .any(|(name, span)| name == key && span.start < place && place < span.end)
    };
    let alone: Vec<(usize, String)> = kept
        .keys()
        .filter(|(place, key)| is_alone_now(*place, key))
        .cloned()
        .collect();
    for known in &alone {
        kept.remove(known);
    }
    found.retain(|difference| match difference {
        SegmentDifference::Appeared(_, span) => !alone
            .iter()
            .any(|(place, _)| span.start < *place && *place < span.end),
        _ => true,
    });
    // A type that is an interface now has members that are named, and the other way round.
    for (was, now) in rekinded((old, &touched_old), (new, &touched_new), &moves) {
        kept.retain(|_, span| !was.contains(*span));
        found.retain(|difference| match difference {
            SegmentDifference::Appeared(_, span) => !now.contains(*span),
            _ => true,
        });
    }
    // What is there under another name is in the list by its old one.
    let places: HashSet<usize> = kept.keys().map(|(place, _)| *place).collect();
    found.retain(|difference| !matches!(difference, SegmentDifference::Appeared(_, span) if places.contains(&span.start)));
    let lost = kept
        .into_iter()
        .map(|((_, name), span)| SegmentDifference::Lost(name, span));
    lost.chain(found).collect()
}

/// Returns what an edit of its header makes another kind of segment, under the name that it has, and from its first byte to its last: where it
/// is in both files.
fn rekinded(
    (old, touched_old): SegmentsAndTouched<'_, '_>,
    (new, touched_new): SegmentsAndTouched<'_, '_>,
    moves: &OffsetShift,
) -> Vec<(Span, Span)> {
    let edited = |named: &&Definition<'_>, touched: &[Span]| is_touched(header(named), touched);
    let mut ends: HashMap<(usize, &str), &Definition<'_>> = HashMap::new();
    for named in new.iter().filter(|named| edited(named, touched_new)) {
        let definition = named.symbol.definition;
        ends.insert((definition.end, &named.symbol.name), named);
    }
    let found = old
        .iter()
        .filter(|named| edited(named, touched_old))
        .filter_map(|named| {
            let was = named.symbol.definition;
            let end = moves.after(was.end);
            // A type ends with its `;`, which is none of an interface.
            let now = [end, end.saturating_sub(1)]
                .into_iter()
                .find_map(|end| ends.get(&(end, &named.symbol.name)))?;
            let is_other = now.symbol.kind != named.symbol.kind;
            is_other.then_some((was, now.symbol.definition))
        });
    found.collect()
}

/// Says whether the segments whose headers no splice touches are the same ones, at the same places.
fn are_same_beside(
    before: SegmentsAndTouched<'_, '_>,
    after: SegmentsAndTouched<'_, '_>,
    moves: &OffsetShift,
) -> bool {
    let (old, new) = (beside(before.0, before.1), beside(after.0, after.1));
    let is_same =
        |(&(was, named), &(now, other)): (&(usize, &Definition<'_>), &(usize, &Definition<'_>))| {
            moves.after(named.symbol.definition.start) == other.symbol.definition.start
                && is_named_alike(before, was, after, now)
        };
    old.len() == new.len() && old.iter().zip(&new).all(is_same)
}

/// Adds to what is touched the headers that are touched on the other side only: what is put right before or after one, or taken from
/// there, such as `async`, `pub` or `extends B`, is a part of the header on that side, and all else of the segment is the same.
fn touch_both_sides(
    (old, touched_old): (&[Definition<'_>], &mut Vec<Span>),
    (new, touched_new): (&[Definition<'_>], &mut Vec<Span>),
    moves: &OffsetShift,
) {
    let is_free = |named: &Definition<'_>, touched: &[Span]| !is_touched(header(named), touched);
    let first = |named: &Definition<'_>| {
        Span::new(
            named.symbol.definition.start,
            named.symbol.definition.start + 1,
        )
    };

    // What has a body has the same one where it ends at the same place.
    let mut known: HashMap<(usize, &str, SegmentKind, u8), &Definition<'_>> = HashMap::new();
    for named in old {
        let end = named.symbol.definition.end;
        for end in [moves.before(end), moves.after(end)] {
            known.insert(
                (end, title(named), named.symbol.kind, named.symbol.level),
                named,
            );
        }
    }
    let (mut more_old, mut more_new) = (Vec::new(), Vec::new());
    for named in new {
        let symbol = named.symbol;
        let same = known.get(&(
            symbol.definition.end,
            title(named),
            symbol.kind,
            symbol.level,
        ));
        let Some(was) = same.filter(|was| !header(was).is_empty() && !header(named).is_empty())
        else {
            continue;
        };
        let start = moves.after(header(was).start);
        let moved = Span::new(start, moves.before(header(was).end).max(start));
        match (is_free(was, touched_old), is_free(named, touched_new)) {
            (true, false) if header(named).contains(moved) => more_old.push(first(was)),
            (false, true) if moved.contains(header(named)) => more_new.push(first(named)),
            _ => {}
        }
    }
    for (touched, more) in [(touched_old, more_old), (touched_new, more_new)] {
        touched.extend(more);
        touched.sort_unstable();
    }
}

/// Returns the name that a segment has whatever is put after its header: a heading is all of its line.
fn title<'n>(named: &'n Definition<'_>) -> &'n str {
    if named.symbol.kind == SegmentKind::Section {
        ""
    } else {
        &named.symbol.name
    }
}

/// Returns the segments whose header no splice touches, with their positions in the list.
pub(super) fn beside<'n, 'a>(
    named: &'n [Definition<'a>],
    touched: &[Span],
) -> Vec<(usize, &'n Definition<'a>)> {
    named
        .iter()
        .enumerate()
        .filter(|(_, named)| !is_touched(header(named), touched))
        .collect()
}

/// Returns the name to compare: qualified, but below a header that was itself edited only from there on. An element is
/// named by itself: the one around it is no segment any more once its id is gone, and the structure has a check of its own.
fn key(all: &[Definition<'_>], at: usize, touched: &[Span]) -> String {
    let Some(named) = all.get(at) else {
        return String::new();
    };
    let mut name = named.symbol.name.clone();
    if named.symbol.kind == SegmentKind::Element {
        return format!("{name} ({})", named.symbol.kind);
    }
    if let Some(owner) = &named.symbol.owner {
        name = format!("{owner}.{name}");
    }
    let mut parent = named.parent;
    while let Some(around) = parent.and_then(|at| all.get(at)) {
        if is_touched(header(around), touched) {
            // A key in something is another than one at the top, whatever that something is called.
            if around.symbol.kind == SegmentKind::Key {
                name = format!("*.{name}");
            }
            break;
        }
        name = format!("{}.{name}", around.symbol.name);
        parent = around.parent;
    }
    format!("{name} ({})", named.symbol.kind)
}

/// Segments of one side, and what of that side splices touch.
type SegmentsAndTouched<'s, 'a> = (&'s [Definition<'a>], &'s [Span]);

/// Says whether `key` names two segments alike, without making the names: most of those beside an edit are alike.
fn is_named_alike(
    (old, touched_old): SegmentsAndTouched<'_, '_>,
    was: usize,
    (new, touched_new): SegmentsAndTouched<'_, '_>,
    now: usize,
) -> bool {
    fn own<'n>(named: &'n Definition<'_>) -> (SegmentKind, Option<&'n str>) {
        (named.symbol.kind, named.symbol.owner.as_deref())
    }
    let (Some(one), Some(other)) = (old.get(was), new.get(now)) else {
        return false;
    };
    if one.symbol.name != other.symbol.name || own(one) != own(other) {
        return false;
    }
    if one.symbol.kind == SegmentKind::Element {
        return true;
    }
    fn around<'n, 'a>(
        all: &'n [Definition<'a>],
        of: &Definition<'_>,
        touched: &[Span],
    ) -> Around<'n> {
        match of.parent.and_then(|at| all.get(at)) {
            Some(around) if !is_touched(header(around), touched) => Around::Named(around),
            Some(around) if around.symbol.kind == SegmentKind::Key => Around::Edited,
            _ => Around::Nothing,
        }
    }
    let (mut one, mut other) = (
        around(old, one, touched_old),
        around(new, other, touched_new),
    );
    loop {
        (one, other) = match (one, other) {
            (Around::Named(was), Around::Named(now)) if was.symbol.name == now.symbol.name => {
                (around(old, was, touched_old), around(new, now, touched_new))
            }
            (Around::Edited, Around::Edited) | (Around::Nothing, Around::Nothing) => return true,
            _ => return false,
        }
    }
}

/// What is around a segment, as far as its name goes.
#[derive(Clone, Copy)]
enum Around<'n> {
    /// Something whose header no splice touches.
    Named(&'n Definition<'n>),
    /// A key or table with another name, maybe.
    Edited,
    /// Nothing that counts.
    Nothing,
}

/// Returns a refusal for everything that was written for the inside of a definition and is not in it: the body of an arrow
/// function that has no braces ends with its first expression.
fn escaped(
    edit: &FileEdit,
    splices: &Splices,
    named: &[Definition<'_>],
    new: &Document,
) -> Vec<Diagnostic> {
    if splices.iter().all(|splice| splice.inside.is_none()) {
        return Vec::new();
    }
    // Of two that begin at one place, the outer.
    let holders: HashMap<usize, &Definition<'_>> = named
        .iter()
        .rev()
        .map(|named| (named.symbol.definition.start, named))
        .collect();
    let moves = splices.moves();
    let mut found = Vec::new();
    for (splice, written) in splices.with_new_spans() {
        let holder = splice
            .inside
            .and_then(|start| holders.get(&moves.after(start)));
        let Some(holder) = holder else { continue };
        let end = holder.symbol.whole().end.max(written.start);
        if written.end <= end || is_empty_code(new, Span::new(end, written.end)) {
            continue;
        }

        let (name, line) = (&holder.qualified, new.lines().line(end));
        let message = format!(
            "the content would go on after the end of {name}, at line {line} of {}",
            edit.path
        );
        let diagnostic = Diagnostic::new(Code::InventoryChanged, message).note(
            "a body that is an expression takes no statements: replace it by a block in braces, or the whole definition",
        );
        found.push(of_operation_at(edit, Some(written.start), diagnostic));
    }
    found
}

/// Returns a refusal for each text that documents a definition, and would document what comes between the two.
fn documenting_another(
    edit: &FileEdit,
    splices: &Splices,
    (old, old_named): (&Document, &[Definition<'_>]),
    (new, new_named): (&Document, &[Definition<'_>]),
) -> Vec<Diagnostic> {
    let touched: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let meets = |span: Span| {
        let from = touched.partition_point(|splice| splice.end < span.start);
        touched
            .get(from)
            .is_some_and(|splice| splice.start <= span.end)
    };
    // In between, or in the definition, and not in the text itself.
    let parted = old_named.iter().filter_map(|named| {
        let text = named.symbol.docstring?;
        let from = touched.partition_point(|splice| splice.end <= text.start);
        let is_taken = touched
            .get(from)
            .is_some_and(|splice| splice.overlaps(text));
        (!is_taken && meets(named.symbol.definition.cover(text))).then_some((named, text))
    });
    let parted: Vec<(&Definition<'_>, Span)> = parted.collect();
    if parted.is_empty() {
        return Vec::new();
    }

    let texts = new_named
        .iter()
        .filter_map(|named| Some((named.symbol.docstring?.start, named)));
    let documented: HashMap<usize, &Definition<'_>> = texts.collect();
    let names: HashSet<&str> = new_named
        .iter()
        .map(|named| named.qualified.as_str())
        .collect();
    let overloads = Overloads {
        old: (old, old_named),
        new: (new, new_named),
    };
    let moves = splices.moves();
    let mut found = Vec::new();
    for (was, text) in parted {
        let place = moves.after(text.start);
        let Some(now) = documented.get(&place) else {
            continue;
        };
        let is_another = now.qualified != was.qualified && names.contains(was.qualified.as_str());
        if !is_another && !overloads.are_exchanged(was, now) {
            continue;
        }
        let line = old.lines().line(text.start);
        let (one, other) = overloads.called(was, now);
        let message = format!(
            "{other} would get the documentation of {one}, at line {line} of {}",
            edit.path
        );
        let note = if is_another {
            format!(
                "`insert` with `symbol: {}` puts it beside both",
                was.qualified
            )
        } else {
            "edit each of them where it is, or put its documentation into the content".to_owned()
        };
        let diagnostic = Diagnostic::new(Code::InventoryChanged, message).note(note);
        let offset = if is_another {
            place
        } else {
            now.symbol.signature.start
        };
        found.push(of_operation_at(edit, Some(offset), diagnostic));
    }
    found
}

/// The definitions before and after, to ask which of several of one name one is.
struct Overloads<'n, 'a> {
    old: (&'n Document, &'n [Definition<'a>]),
    new: (&'n Document, &'n [Definition<'a>]),
}

impl Overloads<'_, '_> {
    /// Says whether `now`, which has the name of `was`, is another of that name by the types of its parameters, and both are there
    /// before and after.
    fn are_exchanged(&self, was: &Definition<'_>, now: &Definition<'_>) -> bool {
        let ((old, old_named), (new, new_named)) = (self.old, self.new);
        if was.qualified != now.qualified || was.twins < 2 || now.twins < 2 {
            return false;
        }
        let types = |named: &Definition<'_>, document: &Document| {
            overload::parameter_types(named, &document.bytes)
        };
        let (Some(were), Some(are)) = (types(was, old), types(now, new)) else {
            return false;
        };
        let has = |all: &[Definition<'_>], document: &Document, wanted: &Vec<String>| {
            let mut twins = all.iter().filter(|named| named.qualified == was.qualified);
            twins.any(|twin| types(twin, document).as_ref() == Some(wanted))
        };
        were != are && has(old_named, old, &are) && has(new_named, new, &were)
    }

    /// Returns what the two are called in a message: by their types as well, where they have one name.
    fn called(&self, was: &Definition<'_>, now: &Definition<'_>) -> (String, String) {
        let called = |named: &Definition<'_>, document: &Document| {
            let types = overload::parameter_types(named, &document.bytes);
            match types.filter(|_| was.qualified == now.qualified) {
                Some(types) => format!("`{}({})`", named.qualified, types.join(", ")),
                None => format!("`{}`", named.qualified),
            }
        };
        (called(was, self.old.0), called(now, self.new.0))
    }
}

/// Says whether there is nothing in `span` but blanks, comments, and what ends or parts statements.
fn is_empty_code(document: &Document, span: Span) -> bool {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b';' | b',');
    if span.of(&document.bytes).iter().all(is_blank) {
        return true;
    }
    let comments = document
        .language
        .map(|language| language.grammar.comments(&document.bytes))
        .unwrap_or_default();
    let mut at = span.start;
    for comment in comments
        .into_iter()
        .filter(|comment| span.contains(*comment))
    {
        if !Span::new(at, comment.start.max(at))
            .of(&document.bytes)
            .iter()
            .all(is_blank)
        {
            return false;
        }
        at = comment.end;
    }
    Span::new(at, span.end)
        .of(&document.bytes)
        .iter()
        .all(is_blank)
}

/// Returns a refusal for each definition that is still there, and whose decorators or attributes, which no splice touches, are
/// another's: who writes something before a definition writes it between that and what decorates it.
fn redecorated(
    edit: &FileEdit,
    splices: &Splices,
    (old, old_named): (&Document, &[Definition<'_>]),
    (new, new_named): (&Document, &[Definition<'_>]),
) -> Vec<Diagnostic> {
    let touched: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let is_kept = |decoration: &&Decoration| {
        let from = touched.partition_point(|splice| splice.end <= decoration.span.start);
        decoration.sort == DecorationKind::Decorator
            && !touched
                .get(from)
                .is_some_and(|splice| splice.overlaps(decoration.span))
    };
    let meets = |offset: usize| {
        let from = touched.partition_point(|splice| splice.end < offset);
        touched
            .get(from)
            .is_some_and(|splice| splice.start <= offset)
    };
    let edited: Vec<(&Definition<'_>, &Decoration)> = old_named
        .iter()
        .filter(|named| {
            !named.symbol.decorations.is_empty() && meets(named.symbol.definition.start)
        })
        .filter_map(|named| Some((named, named.symbol.decorations.iter().find(is_kept)?)))
        .collect();
    if edited.is_empty() {
        return Vec::new();
    }

    let decorations = |named: &'_ Definition<'_>| {
        named
            .symbol
            .decorations
            .iter()
            .map(|it| it.span.start)
            .collect::<Vec<_>>()
    };
    let holders: HashMap<usize, &Definition<'_>> = new_named
        .iter()
        .flat_map(|named| {
            decorations(named)
                .into_iter()
                .map(move |start| (start, named))
        })
        .collect();
    let names: HashSet<&str> = new_named
        .iter()
        .map(|named| named.qualified.as_str())
        .collect();
    let overloads = Overloads {
        old: (old, old_named),
        new: (new, new_named),
    };
    let moves = splices.moves();
    let mut found = Vec::new();
    for (was, decoration) in edited {
        let place = moves.after(decoration.span.start);
        let Some(now) = holders.get(&place) else {
            continue;
        };
        let is_another = now.qualified != was.qualified && names.contains(was.qualified.as_str());
        if !is_another && !overloads.are_exchanged(was, now) {
            continue;
        }
        let line = old.lines().line(decoration.span.start);
        let (one, other) = overloads.called(was, now);
        let message = format!(
            "{other} would get the decorators or attributes of {one}, at line {line} of {}",
            edit.path
        );
        let note = if is_another {
            format!(
                "`insert` with `symbol: {}` and `position: before` puts it before them",
                was.qualified
            )
        } else {
            "edit each of them where it is, or put its decorators or attributes into the content"
                .to_owned()
        };
        let diagnostic = Diagnostic::new(Code::InventoryChanged, message).note(note);
        let offset = if is_another {
            moves.after(was.symbol.definition.start)
        } else {
            now.symbol.signature.start
        };
        found.push(of_operation_at(edit, Some(offset), diagnostic));
    }
    found
}

fn refusal(
    edit: &FileEdit,
    difference: SegmentDifference,
    old: &Document,
    new: &Document,
) -> Diagnostic {
    let path = &edit.path;
    let (message, offset) = match &difference {
        SegmentDifference::Lost(name, span) => {
            let line = old.lines().line(span.start);
            let offset = edit
                .splices
                .as_ref()
                .map(|splices| splices.moves().after(span.start));
            (
                format!("the edit would swallow or rename {name} at line {line} of {path}"),
                offset,
            )
        }
        SegmentDifference::Appeared(name, span) => {
            let line = new.lines().line(span.start);
            (
                format!("`{name}` would appear outside the edit, at line {line} of {path}"),
                Some(span.start),
            )
        }
        SegmentDifference::TakenOver {
            member,
            place,
            holder,
        } => {
            let line = old.lines().line(place.start);
            let offset = edit
                .splices
                .as_ref()
                .map(|splices| splices.moves().after(place.start));
            (
                format!("the edit would hand {member} at line {line} of {path} over to {holder}"),
                offset,
            )
        }
    };
    let index = offset.and_then(|offset| edit.operation_at(offset));
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message);
    // What deletes has no content that anything could be open in.
    let wrote = index.is_none_or(|index| {
        edit.written
            .iter()
            .any(|written| written.operation == index)
    });
    let diagnostic = if wrote {
        diagnostic.note("the content seems to leave a quote, a bracket or a code fence open, so that what comes after it is read as a part of it: close it")
    } else {
        diagnostic.note("what is deleted seems to be what kept what comes before it and what comes after it apart: leave it, or edit both as one range")
    };
    of_operation_at(edit, offset, diagnostic)
}

/// Returns `diagnostic` as one of the operation that wrote what is at `offset` of the new file.
fn of_operation_at(edit: &FileEdit, offset: Option<usize>, diagnostic: Diagnostic) -> Diagnostic {
    match offset.and_then(|offset| edit.operation_at(offset)) {
        Some(index) => diagnostic.of_operation(index),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::snapshot::{File, FileMode, HashKind};
    use crate::verify::marked;

    fn document(path: &str, text: &str) -> Document {
        Document::new(
            RepoPath::parse(path).unwrap(),
            text.as_bytes().into(),
            HashKind::Sha1,
        )
    }

    /// Holds an edit of `«old|new»` to what it says of segments beside it.
    #[track_caller]
    fn check_edit(path: &str, text: &str, expected: &[&str]) {
        let (old, splices) = marked::read(text);
        let new = splices.apply(old.as_bytes());
        let file = |bytes: &[u8]| File {
            mode: FileMode::Regular,
            bytes: bytes.to_vec().into(),
        };
        let (before, after) = (Some(file(old.as_bytes())), Some(file(&new)));
        let edit = FileEdit {
            splices: Some(splices),
            ..FileEdit::whole(RepoPath::parse(path).unwrap(), before, after)
        };
        let (old, new) = (
            document(path, &old),
            document(path, std::str::from_utf8(&new).unwrap()),
        );
        assert_eq!(new.errors(), [], "the result parses: {text}");
        let found = check(&edit, &old, &new).problems;
        let told: Vec<&str> = found
            .iter()
            .map(|it| it.message.split(" at line").next().unwrap())
            .collect();
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn a_header_may_get_words_at_its_edges() {
        check_edit("a.js", "«|async »function a(b) {\n  c();\n}\n", &[]);
        check_edit("a.js", "«export default |»class A {\n  m() {}\n}\n", &[]);
        check_edit(
            "a.ts",
            "class A«| extends B» {\n  «private |»m() {}\n  x«|?: number»;\n}\n",
            &[],
        );
        check_edit(
            "a.rs",
            "«|pub »fn a()«| -> u8» { 1 }\n\n«pub(crate) |»trait T«|: Send» { «|async »fn m(); }\n",
            &[],
        );
        check_edit(
            "A.java",
            "«|public »class A«| extends B» {\n    «static |»int m()«| throws E» { return 1; }\n}\n",
            &[],
        );
        check_edit(
            "a.py",
            "class A«|(B)»:\n    «async |»def m(self)«| -> int»:\n        return 1\n",
            &[],
        );
        check_edit(
            "a.go",
            "package a\n\nfunc A()«| error» {\n}\n\nvar b«| int» = 1\n",
            &[],
        );
        check_edit("a.ts", "«|export »const a = 1, b = 2;\n", &[]);
        check_edit("a.md", "# A\n\n## B«| and C»\n\ntext\n", &[]);
    }

    #[test]
    fn a_type_may_become_an_interface() {
        let body = "{\n  d: string;\n  e(): true;\n}\n\nconst x = 1;\n";
        let header = |edit: &str| format!("export {edit}{body}");
        check_edit("a.ts", &header("«type P = |interface P »"), &[]);
        check_edit("a.ts", &header("«interface P |type P = »"), &[]);
        check_edit("a.ts", "«type P = |interface P »{\n  d: string;\n};\n", &[]);
        // Who writes the header of another has meant that.
        check_edit(
            "a.ts",
            "«type P = {|interface P {\n}\n\ninterface Q {»\n  d: string;\n}\n",
            &[],
        );
    }

    #[test]
    fn words_at_the_edge_of_a_header_take_no_name_or_body() {
        let swallowed = |path, text, names: &[&str]| {
            let expected = names
                .iter()
                .map(|name| format!("the edit would swallow or rename {name}"));
            let expected: Vec<String> = expected.collect();
            check_edit(
                path,
                text,
                &expected.iter().map(String::as_str).collect::<Vec<_>>(),
            );
        };
        swallowed(
            "a.py",
            "class A«|:\n    pass\n\n\nclass C»:\n    x = 1\n",
            &["A.x (variable)"],
        );
        swallowed(
            "a.py",
            "class A«|(B):\n    pass\n\n\nclass C»:\n    x = 1\n",
            &["A (class)", "A.x (variable)"],
        );
        swallowed(
            "a.ts",
            "function a()«|: b {}\nfunction c()» {\n  d();\n}\n",
            &["a (function)"],
        );
        swallowed(
            "a.js",
            "«|const b = »function a() {\n  c();\n}\n",
            &["a (function)"],
        );
        swallowed(
            "a.js",
            "«|function b() {}\nconst c = »class A {}\n",
            &["A (class)"],
        );
    }

    /// Two segments are named alike when they have one key, whichever headers were touched.
    #[test]
    fn what_is_named_alike_has_one_key() {
        let python = "class A:\n    x = 1\n    def f(self): pass\n    class B:\n        def f(self): pass\n\ndef f(): pass\n";
        let other = "class A:\n    def f(self): pass\n    class C:\n        def f(self): pass\n\nx = 1\ndef g(): pass\n";
        let rust =
            "struct S;\nimpl S { fn f(&self) {} }\nmod m { impl S { fn f(&self) {} } fn f() {} }\n";
        let html = "<div id=\"a\"><p id=\"b\">x</p></div>\n";
        let documents = [
            document("a.py", python),
            document("b.py", other),
            document("a.rs", rust),
            document("a.html", html),
        ];
        for (one, two) in documents
            .iter()
            .flat_map(|one| documents.iter().map(move |two| (one, two)))
        {
            let (old, new) = (flatten(one.outline()), flatten(two.outline()));
            let touches = |named: &[Definition<'_>]| -> Vec<Vec<Span>> {
                std::iter::once(Vec::new())
                    .chain(named.iter().map(|named| vec![header(named)]))
                    .collect()
            };
            for (touched_old, touched_new) in touches(&old).iter().flat_map(|it| {
                touches(&new)
                    .into_iter()
                    .map(move |other| (it.clone(), other))
            }) {
                for (was, now) in
                    (0..old.len()).flat_map(|was| (0..new.len()).map(move |now| (was, now)))
                {
                    let alike =
                        is_named_alike((&old, &touched_old), was, (&new, &touched_new), now);
                    let keys = (key(&old, was, &touched_old), key(&new, now, &touched_new));
                    assert_eq!(alike, keys.0 == keys.1, "{keys:?}");
                }
            }
        }
    }
}
