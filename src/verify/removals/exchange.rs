//! `Exchange`: what went and what came inside of the edits of one file, and what of it an operation asks for.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::attached::Attached;
use super::lines::{are_mostly_in, lines_with_words};
use super::overloads::{self, ChangedOverload, Overload, OverloadVersion};
use super::{headers, items};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::address::key_address;
use crate::manifest::{AllowRemove, Operation, Selector, Verb};
use crate::path::RepoPath;
use crate::plan::{FileEdit, Removed};
use crate::resolve::named::flatten;
use crate::resolve::{Block, Definition, Document, is_code, marked_blocks, overload};
use crate::snapshot::Blob;
use crate::syntax::{Redefinition, SegmentKind, SyntaxError, css};
use crate::text::Span;
use crate::text::splice::{OffsetShift, Splice, Splices};
use crate::verify::touched_spans::{header, is_touched};

/// What went and what came inside of the edits of one file.
#[derive(Clone, Debug, Default)]
pub struct FileExchanged {
    path: Option<RepoPath>,
    gone: Vec<Gone>,
    pub(super) came: Vec<Came>,
    /// Overloads that are there with other types, each as what it would be if it went.
    changed: Vec<(ChangedOverload, Gone)>,
    /// Positions before and after of those that have another name in their place.
    renamed: Vec<(usize, usize)>,
    /// Their qualified names before and after.
    new_names: Vec<(String, String)>,
    /// Names that operations replaced and that nothing defines now: (operation, qualified name).
    pub(super) undefined: Vec<(usize, String)>,
    /// The old file does not parse, so that its segments are a guess.
    pub(super) is_guessed: bool,
}

/// What one name may go over to another of: a function may become a class, no section becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Code,
    Section,
    Key,
    Block,
}

impl Family {
    fn of(kind: SegmentKind) -> Family {
        match kind {
            SegmentKind::Section => Family::Section,
            SegmentKind::Key => Family::Key,
            _ => Family::Code,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Gone {
    pub(super) path: RepoPath,
    /// Within the file.
    address: String,
    pub(super) qualified: String,
    /// What is around it.
    pub(super) around: String,
    /// What is written with its name, where that does not say all.
    apart: Option<String>,
    /// The types of its parameters, where others have its name.
    overload: Option<String>,
    name: String,
    kind: &'static str,
    family: Family,
    lines: (usize, usize),
    text: SharedText,
    /// Those that claim its header: the first is said to have taken it.
    pub(super) operations: Vec<usize>,
    /// The range of an operation is this segment, or a part of it.
    is_target: bool,
    /// It is a further name of what is around it: `b` of `a.x = a.y = …`.
    is_chained: bool,
    /// Its end is left: what remains of it goes to something else.
    is_cut: bool,
    /// Content in the place of this item says more of the one ahead of it.
    is_merged: bool,
    pub(super) attached: Attached,
    /// What the edit takes of that, with the operation that does.
    pub(super) taken: Vec<(Span, usize)>,
    /// The old file does not parse, and this may have been no segment, or may still be there.
    pub(super) is_guessed: bool,
}

/// Bytes of a file, which many share: what is in each other would come to the square of the file.
#[derive(Clone, Debug)]
struct SharedText {
    bytes: Blob,
    span: Span,
}

impl SharedText {
    fn bytes(&self) -> &[u8] {
        self.span.of(&self.bytes)
    }
}

impl Gone {
    /// Returns all of the file that it was in.
    pub(super) fn file(&self) -> &[u8] {
        &self.text.bytes
    }

    /// Returns its address within the file.
    pub(super) fn address(&self) -> &str {
        &self.address
    }
}

impl Came {
    /// Returns all of the file that it is in.
    pub(super) fn file(&self) -> &[u8] {
        &self.text.bytes
    }
}

#[derive(Clone, Debug)]
pub(super) struct Came {
    pub(super) path: RepoPath,
    qualified: String,
    /// What is around it.
    pub(super) around: String,
    /// That came with it.
    is_parent_new: bool,
    /// What is written with its name, where that does not say all.
    apart: Option<String>,
    /// The types of its parameters, where others have its name.
    overload: Option<String>,
    name: String,
    kind: &'static str,
    family: Family,
    text: SharedText,
    pub(super) attached: Attached,
    /// The operation that wrote it, of a file that was there.
    operation: Option<usize>,
}

/// What became of that which went in a step.
pub(super) struct Fates<'e, 'a> {
    /// Those that are nowhere in the batch since, with the one that each would be in another place.
    pub(super) lost: Vec<(&'e Gone, Option<&'a Came>)>,
    /// Those that are elsewhere, or have another name, with what they are there.
    pub(super) kept: Vec<(&'e Gone, &'e Came)>,
}

impl FileExchanged {
    /// Returns the positions before and after of those that have another name in their place, because the edit changes their header.
    pub fn renamed(&self) -> &[(usize, usize)] {
        &self.renamed
    }

    /// Says whether nothing went and nothing that was replaced is undefined.
    pub fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.undefined.is_empty()
    }

    /// Compares what `splices` touch of the segments of a file before and after.
    pub fn between(
        edit: &FileEdit,
        splices: &Splices,
        (old, old_named): (&Document, &[Definition<'_>]),
        (new, new_named): (&Document, &[Definition<'_>]),
    ) -> FileExchanged {
        let touched: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
        let written: Vec<Span> = splices.with_new_spans().map(|(_, span)| span).collect();
        let mut old_side = ExchangedSide::of(old_named, &touched);
        let mut new_side = ExchangedSide::of(new_named, &written);
        let claims = Claims::of(edit);
        let several = old_side.tell_apart(&mut new_side, old, new);
        let mut changed = Vec::new();
        if !several.is_empty() {
            let found = old_side.tell_overloads(
                &mut new_side,
                &several,
                (old, new),
                &claims,
                &splices.moves(),
            );
            changed.extend(
                found
                    .into_iter()
                    .map(|(at, it)| (it, Gone::of(at, &old_side, edit, old, &claims))),
            );
        }
        if old_side.has_items() || new_side.has_items() {
            new_side.names = Some(items::names((old_named, old), (new_named, new), splices));
        }
        let undefined = undefined(edit, new_named, new);
        if undefined.is_empty() && old_side.inside_names().eq(new_side.inside_names()) {
            return FileExchanged {
                changed,
                ..FileExchanged::default()
            };
        }

        let (before, after) = (old_side.counts(), new_side.counts());
        let (old_headers, new_headers) = (old_side.headers(old), new_side.headers(new));
        let gone = old_side.surplus(&before, &after, &old_headers, &new_headers);
        let came = new_side.surplus(&after, &before, &new_headers, &old_headers);
        let came_there: HashSet<usize> = came.iter().copied().collect();
        let successors = Successors::of(splices, old_named, new_named);
        let renamed_to = |at: usize| {
            let named = &old_named[at];
            let (header, body) = (header(named), named.symbol.body);
            let now = successors
                .of_one(named.symbol.definition.start)
                .into_iter()
                .find(|now| came_there.contains(now));
            // A rule of a style is called by its header: with another it is still the same.
            if old.language.is_some_and(css::is_style) && css::is_rule(named.symbol) {
                let begins = successors.moves.after(body?.start);
                let has_body = |named: &Definition<'_>| {
                    let body = named.symbol.body;
                    body.is_some_and(|body| body.start == begins)
                };
                return now.or_else(|| new_named.iter().position(has_body));
            }
            let now = now?;
            // Of one name they are told apart by their types, and this is none that it became.
            if old_side.overloads.contains_key(&at)
                && new_named
                    .get(now)
                    .is_some_and(|now| now.qualified == named.qualified)
            {
                return None;
            }
            // One of several that an operation names has to keep its name, as one that has it alone does.
            let names_it = |operation: usize| {
                edit.defines
                    .iter()
                    .any(|(by, name)| *by == operation && *name == named.qualified)
            };
            if claims
                .on(header)
                .iter()
                .any(|&(_, operation)| names_it(operation))
            {
                return None;
            }
            let is_as_written = old_side.apart.get(&at) == new_side.apart.get(&now);
            let keeps_body = body
                .is_some_and(|body| !meeting(&touched, body).any(|splice| splice.overlaps(body)));
            // Who names no more than the header, or its lines, does nothing to the rest.
            let names_no_more_than = |span: Span| {
                claims
                    .on(header)
                    .iter()
                    .all(|(claim, _)| span.contains(*claim))
            };
            let line_of = |offset: usize| old.lines().whole(old.lines().line(offset));
            let lines = || line_of(header.start).cover(line_of(header.end.saturating_sub(1)));
            let is_renamed = keeps_body && (is_as_written || names_no_more_than(lines()))
                || names_no_more_than(old.widened(header));
            is_renamed.then_some(now)
        };
        let exported = came
            .iter()
            .copied()
            .find(|&now| is_default_export(&new_named[now], new));
        let renamed: Vec<(usize, usize)> = gone
            .iter()
            .filter_map(|&at| {
                let exported = exported.filter(|_| is_nameless_export(&old_named[at]));
                Some((at, exported.or_else(|| renamed_to(at))?))
            })
            .collect();
        let new_names = renamed
            .iter()
            .map(|&(was, now)| {
                (
                    old_named[was].qualified.clone(),
                    new_named[now].qualified.clone(),
                )
            })
            .collect();
        let is_renamed = |at: usize| {
            renamed.iter().any(|(was, _)| *was == at)
                || is_nameless_export(&old_named[at]) && exports_default(new)
        };
        let is_replaced =
            |named: &Definition<'_>| undefined.iter().any(|(_, name)| *name == named.qualified);
        let all_gone: HashSet<usize> = gone.iter().copied().collect();
        let is_gone = |at: &usize| {
            let named = &old_named[*at];
            has_a_name(named, old) && (is_replaced(named) || !is_renamed(*at))
        };
        let gone = gone.into_iter().filter(is_gone).filter_map(|at| {
            let gone = Gone {
                is_merged: items::is_merged((&old_named[at], old), (new_named, new), splices),
                ..Gone::of(at, &old_side, edit, old, &claims)
            };
            let is_told = gone.is_target
                || is_taken_alone(&old_named[at], &claims, old)
                || is_replaced(&old_named[at])
                || !is_of_component(old_named, at, &all_gone);
            is_told.then_some(gone)
        });
        let came_names: HashSet<&str> = came
            .iter()
            .map(|&at| new_named[at].qualified.as_str())
            .collect();
        let came = came
            .iter()
            .filter(|&&at| has_a_name(&new_named[at], new))
            .map(|&at| {
                let named = &new_named[at];
                let parent = named.parent.and_then(|parent| new_named.get(parent));
                Came {
                    around: new_side.around(at),
                    apart: new_side.apart.get(&at).cloned(),
                    overload: new_side.overloads.get(&at).cloned(),
                    is_parent_new: parent
                        .is_some_and(|parent| came_names.contains(parent.qualified.as_str())),
                    operation: edit.operation_at(named.symbol.signature.start),
                    ..Came::of_named(named, new_named, &edit.path, new)
                }
            });
        FileExchanged {
            path: Some(edit.path.clone()),
            gone: gone.collect(),
            came: came.collect(),
            changed,
            undefined,
            is_guessed: false,
            renamed,
            new_names,
        }
    }

    /// Adds what went and came in the front matter of the file.
    pub fn join(&mut self, front: FileExchanged) {
        let in_place = |gone: Gone| Gone {
            address: key_address(&gone.path, &gone.address),
            ..gone
        };
        let gone = front.gone.into_iter().map(in_place).collect();
        self.add(FileExchanged { gone, ..front });
    }

    /// Adds what went and came in a script of the page.
    pub fn add(&mut self, script: FileExchanged) {
        self.path = self.path.take().or(script.path);
        self.gone.extend(script.gone);
        self.came.extend(script.came);
        self.changed.extend(script.changed);
        self.new_names.extend(script.new_names);
    }

    /// Takes all that went for a guess.
    pub fn guess_all(&mut self) {
        self.gone.iter_mut().for_each(|gone| gone.is_guessed = true);
    }

    /// Takes what went for a guess, as the old file has errors at these bytes; but not what has none of them in it and whose header is
    /// nowhere in the new file: that is gone whatever else is read anew.
    pub fn guess(&mut self, errors: &[SyntaxError], new: &[u8]) {
        self.is_guessed = true;
        for gone in &mut self.gone {
            let is_broken = errors
                .iter()
                .any(|error| gone.text.span.contains(Span::at(error.offset)));
            gone.is_guessed = is_broken
                || gone
                    .header()
                    .is_none_or(|header| memchr::memmem::find(new, header).is_some());
        }
    }

    /// Keeps of what went only that whose header is missing in `new`, whatever that is read as.
    pub fn keep_headless(&mut self, old: &[u8], new: &[u8]) {
        const MOST_COMPARED: usize = 1 << 30;
        let mut left = MOST_COMPARED;
        self.undefined.clear();
        self.gone.retain(|gone| {
            left = left.saturating_sub(old.len() + new.len());
            let is_missing = |header| headers::is_missing((header, bare(&gone.name)), old, new);
            left > 0 && gone.header().is_some_and(is_missing)
        });
    }

    /// Adds the blocks and regions whose opening tags or comments the edit takes away or writes.
    pub fn with_blocks(mut self, edit: &FileEdit, old: &Document, new: &Document) -> FileExchanged {
        let Some(splices) = edit.splices.as_ref().filter(|_| old.bytes != new.bytes) else {
            return self;
        };
        let touched: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
        let (before, after) = (marked_blocks(old), marked_blocks(new));
        let count = |blocks: &[Block]| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            for block in blocks {
                *counts.entry(block.name.clone()).or_default() += 1;
            }
            counts
        };
        let (here, there) = (count(&before), count(&after));
        let lacks =
            |side: &HashMap<String, usize>, other: &HashMap<String, usize>, block: &&Block| {
                other.get(&block.name).copied().unwrap_or(0)
                    < side.get(&block.name).copied().unwrap_or(0)
            };
        let moves = splices.moves();
        let opens: HashSet<usize> = after.iter().map(|block| block.open.start).collect();
        let is_renamed = |block: &Block| {
            let open = block.open;
            let is_within = meeting(&touched, open)
                .all(|splice| !splice.overlaps(open) || open.contains(splice));
            is_within && opens.contains(&moves.after(block.open.start))
        };
        let gone = before.iter().filter(|block| {
            is_touched(block.open, &touched) && lacks(&here, &there, block) && !is_renamed(block)
        });
        let claims = Claims::of(edit);
        self.gone
            .extend(gone.map(|block| Gone::of_block(block, edit, old, &claims)));
        let came = after.iter().filter(|block| lacks(&there, &here, block));
        self.came
            .extend(came.map(|block| Came::of_block(block, edit, new)));
        self.path = Some(edit.path.clone());
        self
    }

    /// Returns what became of those that went in `step`, as far as what came in the batch shows it.
    pub(super) fn fates<'e, 'a: 'e>(
        &'e self,
        step: usize,
        arrivals: &mut Arrivals<'a>,
    ) -> Fates<'e, 'a> {
        let new_names = self.new_names.iter().zip(self.path.iter().cycle());
        let mut became: Became<'_> = new_names
            .map(|((was, now), path)| (was.as_str(), path, now.as_str()))
            .collect();
        let mut fates = Fates {
            lost: Vec::new(),
            kept: Vec::new(),
        };
        for gone in self.gone.iter().filter(|gone| gone.is_target) {
            let Some(successor) = self.successor(gone) else {
                continue;
            };
            became.insert((&gone.qualified, &successor.path, &successor.qualified));
            // What has little in common with it is another one, to which nothing of this one belongs.
            if is_moved(gone.text.bytes(), successor.text.bytes()) {
                fates.kept.push((gone, successor));
            }
        }

        // What is around others comes before them.
        for gone in &self.gone {
            if let Some(came) = arrivals.take(gone, step, &became) {
                became.insert((&gone.qualified, &came.path, &came.qualified));
                fates.kept.push((gone, came));
            } else {
                fates.lost.push((gone, arrivals.displaced(gone)));
            }
        }
        fates
    }

    /// Returns the overloads that this makes others of than they were in `earlier` steps of the file, each as what it was at first,
    /// with the operations of this step.
    pub(super) fn gone_step_by_step(&self, earlier: &[&FileExchanged]) -> Vec<Gone> {
        let before = |changed: &ChangedOverload, path: &RepoPath, until: usize| {
            let steps = earlier.iter().enumerate().take(until).rev();
            let mut all =
                steps.flat_map(|(at, step)| step.changed.iter().map(move |one| (at, one)));
            all.find(|(_, (other, gone))| gone.path == *path && changed.follows(other))
        };
        let origin = |(changed, now): &(ChangedOverload, Gone)| {
            let mut first = before(changed, &now.path, earlier.len())?;
            while let Some(found) = before(&first.1.0, &now.path, first.0) {
                first = found;
            }
            let (was, gone) = first.1;
            (!changed.is_since(was)).then(|| Gone {
                operations: now.operations.clone(),
                ..gone.clone()
            })
        };
        self.changed.iter().filter_map(origin).collect()
    }

    /// Returns what an operation put in the place of `gone` under another name: of the same kind, if any is.
    fn successor(&self, gone: &Gone) -> Option<&Came> {
        let mut candidates = self
            .came
            .iter()
            .filter(|came| gone.is_replaced_by(came))
            .peekable();
        let first = candidates.peek().copied();
        candidates.find(|came| came.kind == gone.kind).or(first)
    }

    /// Returns a refusal for each name that an operation replaced and that nothing defines now.
    pub(super) fn refused_names(&self, operations: &[Operation]) -> Vec<Diagnostic> {
        let mut refusals = Vec::new();
        for (index, name) in &self.undefined {
            let gone = self.gone.iter().find(|gone| gone.qualified == *name);
            let allowed = operations
                .get(*index)
                .zip(gone)
                .is_some_and(|(operation, gone)| gone.is_allowed(operation, &self.undefined));
            let Some(path) = self.path.as_ref().filter(|_| !allowed) else {
                continue;
            };
            let instead = gone.and_then(|gone| self.successor(gone));
            let refusal = match instead {
                Some(came) => {
                    let message = format!(
                        "the content defines `{}`, and {path} would lose `{name}`",
                        came.qualified
                    );
                    Diagnostic::new(Code::WouldRemove, message).note(format!(
                        "to rename the definition alone: `allow_remove: [{}]` (`--allow-remove`); what refers to it keeps the old name", super::words::as_word(name)
                    ))
                }
                None => {
                    let message = format!(
                        "{path} no longer defines `{name}`, which operation {index} replaced"
                    );
                    Diagnostic::new(Code::InventoryChanged, message).note(
                        "the content must define the symbol that it replaces; `delete` removes one",
                    )
                }
            };
            refusals.push(refusal.of_operation(*index));
        }
        refusals
    }
}

/// Returns the names that operations replaced and that nothing defines now.
fn undefined(edit: &FileEdit, new: &[Definition<'_>], document: &Document) -> Vec<(usize, String)> {
    if edit.defines.is_empty() || !new.iter().all(|named| is_code(named.symbol.kind)) {
        return Vec::new();
    }
    let wanted: HashSet<&str> = edit.defines.iter().map(|(_, name)| name.as_str()).collect();
    let found: HashSet<&str> = new
        .iter()
        .map(|named| named.qualified.as_str())
        .filter(|name| wanted.contains(name))
        .collect();
    let is_found =
        |name: &str| found.contains(name) || name == DEFAULT && exports_default(document);
    edit.defines
        .iter()
        .filter(|(_, name)| !is_found(name))
        .cloned()
        .collect()
}

/// What a module of JavaScript exports by default has this name where it has none of its own, and others import it by that.
const DEFAULT: &str = "default";

/// Says whether it has no name but the one by which others import it: it may get one.
fn is_nameless_export(named: &Definition<'_>) -> bool {
    named.qualified == DEFAULT
}

/// Says whether others import it without its name.
fn is_default_export(named: &Definition<'_>, document: &Document) -> bool {
    named.parent.is_none()
        && named
            .symbol
            .signature
            .of(&document.bytes)
            .starts_with(EXPORT_DEFAULT)
}

fn exports_default(document: &Document) -> bool {
    memchr::memmem::find(&document.bytes, EXPORT_DEFAULT).is_some()
}

const EXPORT_DEFAULT: &[u8] = b"export default ";

/// Says whether it is one of those that are missed by name: a plain item of a list has a number only, and
/// elements are held by the structure, and a declaration of a style is a part of its rule, unless it is a variable.
fn has_a_name(named: &Definition<'_>, document: &Document) -> bool {
    let symbol = named.symbol;
    match symbol.kind {
        SegmentKind::Element => false,
        SegmentKind::Variable if document.language.is_some_and(css::is_style) => {
            named.parent.is_none()
                || css::VARIABLE_SIGNS
                    .iter()
                    .any(|sign| symbol.name.starts_with(sign))
        }
        SegmentKind::Key => !(symbol.name.starts_with('[') && symbol.children.is_empty()),
        _ => true,
    }
}

/// What tells a segment from others: its qualified name, of a section with the heading around it, and what is written with the
/// name and the types of its parameters where several have it.
type RemovedName<'n> = (&'n str, &'n str, &'n str, &'n str);

/// The segments of one side.
struct ExchangedSide<'n, 'a> {
    all: &'n [Definition<'a>],
    /// Positions of those whose header the edits touch.
    inside: Vec<usize>,
    /// The names of all, where those that they have count the items of lists otherwise.
    names: Option<Vec<String>>,
    /// By position, what is written with a name that does not say all.
    apart: HashMap<usize, String>,
    /// By position, the types of the parameters of one of several of a name: of a new one that is an old one, changed, those of the
    /// old one.
    overloads: HashMap<usize, String>,
}

impl<'n, 'a> ExchangedSide<'n, 'a> {
    fn of(all: &'n [Definition<'a>], touched: &[Span]) -> ExchangedSide<'n, 'a> {
        let inside = all
            .iter()
            .enumerate()
            .filter(|(_, named)| is_touched(header(named), touched));
        let inside = inside.map(|(at, _)| at).collect();
        ExchangedSide {
            all,
            inside,
            names: None,
            apart: HashMap::new(),
            overloads: HashMap::new(),
        }
    }

    /// Tells those apart, on both sides, that have the name of something inside the edits of one. Returns the names that several
    /// of a side have.
    fn tell_apart(
        &mut self,
        other: &mut ExchangedSide<'_, '_>,
        old: &Document,
        new: &Document,
    ) -> HashSet<String> {
        let called = |side: &ExchangedSide<'_, '_>| -> Vec<String> {
            side.inside
                .iter()
                .filter_map(|&at| Some(side.all.get(at)?.qualified.clone()))
                .collect()
        };
        let names: HashSet<String> = called(self).into_iter().chain(called(other)).collect();
        let has_twins = |side: &ExchangedSide<'_, '_>| -> HashSet<String> {
            let twins = side
                .all
                .iter()
                .filter(|named| named.twins > 1 && names.contains(&named.qualified));
            twins.map(|named| named.qualified.clone()).collect()
        };
        let several: HashSet<String> = has_twins(self).union(&has_twins(other)).cloned().collect();
        self.apart = apart(self.all, &names, &several, old);
        other.apart = apart(other.all, &names, &several, new);
        several
    }

    /// Tells functions of one name apart, on both sides, by the types of their parameters. Returns those whose types changed, with their
    /// positions.
    fn tell_overloads(
        &mut self,
        other: &mut ExchangedSide<'_, '_>,
        several: &HashSet<String>,
        (old, new): (&Document, &Document),
        claims: &Claims,
        moves: &OffsetShift,
    ) -> Vec<(usize, ChangedOverload)> {
        let is_target = |named: &Definition<'_>| {
            let whole = old.widened(named.symbol.whole());
            claims
                .on(header(named))
                .iter()
                .any(|(claim, _)| whole.contains(*claim))
        };
        let mut before = self.of_several(several, old);
        let after = other.of_several(several, new);
        for was in before.values_mut().flatten() {
            was.is_target = self.all.get(was.at).is_some_and(is_target);
            let is_left = |&last: &usize| !is_touched(Span::new(last, last + 1), &claims.splices);
            was.left = overloads::last_word(old, was.body)
                .filter(is_left)
                .map(|last| moves.after(last));
        }
        let mut changed = Vec::new();
        for (name, were) in &before {
            let are = after.get(name).map_or(&[][..], Vec::as_slice);
            // A name that one alone has on either side says all: what takes other parameters now is the same one, changed.
            if let ([_], [_]) = (were.as_slice(), are) {
                continue;
            }
            self.overloads
                .extend(were.iter().map(|was| (was.at, was.types.join(", "))));
            let may_repeat = old.language.is_some_and(|language| {
                matches!(language.habits.second, Redefinition::TakesPlace { .. })
            });
            let pairs = overloads::paired(were, are, may_repeat);
            let known = pairs
                .into_iter()
                .zip(are)
                .map(|(was, now)| (was.and_then(|was| were.get(was)), now));
            for (was, now) in known {
                other
                    .overloads
                    .insert(now.at, was.unwrap_or(now).types.join(", "));
                let was = was.filter(|was| was.types != now.types);
                let versions =
                    was.map(|was| (was.at, OverloadVersion::of(was), OverloadVersion::of(now)));
                changed.extend(versions.map(|(at, was, now)| {
                    (
                        at,
                        ChangedOverload {
                            name: name.clone(),
                            was,
                            now,
                        },
                    )
                }));
            }
        }
        changed
    }

    /// Returns the functions that have one of some names, by that and what is written with it.
    fn of_several<'d>(
        &self,
        several: &HashSet<String>,
        document: &'d Document,
    ) -> BTreeMap<(String, Option<String>), Vec<Overload<'d>>> {
        let mut found: BTreeMap<_, Vec<Overload>> = BTreeMap::new();
        let is_function = |named: &Definition<'_>| {
            matches!(
                named.symbol.kind,
                SegmentKind::Function | SegmentKind::Method
            )
        };
        let called =
            |named: &Definition<'_>| is_function(named) && several.contains(&named.qualified);
        for (at, named) in self
            .all
            .iter()
            .enumerate()
            .filter(|(_, named)| called(named))
        {
            let Some(types) = overload::parameter_types(named, &document.bytes) else {
                continue;
            };
            let body = named
                .symbol
                .body
                .unwrap_or(Span::at(named.symbol.definition.end));
            let text = body.of(&document.bytes);
            let name = (named.qualified.clone(), self.apart.get(&at).cloned());
            found.entry(name).or_default().push(Overload {
                at,
                types,
                body,
                text,
                is_target: false,
                left: None,
            });
        }
        found
    }

    /// Returns what is around a segment, with what tells that apart.
    fn around(&self, at: usize) -> String {
        let Some(named) = self.all.get(at) else {
            return String::new();
        };
        let around = around(named, self.all);
        match self.apart.get(&at).filter(|_| named.symbol.owner.is_some()) {
            Some(of) => format!("{around} as {of}"),
            None => around.to_owned(),
        }
    }

    /// Returns the headers of those inside the edits, by position.
    fn headers<'d>(&self, document: &'d Document) -> HashMap<usize, &'d [u8]> {
        let inside = self
            .inside
            .iter()
            .filter_map(|&at| Some((at, self.all.get(at)?)));
        inside
            .map(|(at, named)| (at, named.symbol.signature.of(&document.bytes).trim_ascii()))
            .collect()
    }

    fn has_items(&self) -> bool {
        self.inside
            .iter()
            .any(|&at| items::is_in_item(at, self.all))
    }

    fn name(&self, at: usize) -> RemovedName<'_> {
        let named = &self.all[at];
        let own = self
            .names
            .as_ref()
            .and_then(|names| names.get(at))
            .map_or(named.qualified.as_str(), String::as_str);
        let apart = self.apart.get(&at).map_or("", String::as_str);
        let overload = self.overloads.get(&at).map_or("", String::as_str);
        (heading_around(named, self.all), own, apart, overload)
    }

    fn inside_names(&self) -> impl Iterator<Item = RemovedName<'_>> {
        self.inside.iter().map(|&at| self.name(at))
    }

    fn counts(&self) -> HashMap<RemovedName<'_>, usize> {
        let mut counts: HashMap<RemovedName<'_>, usize> = HashMap::with_capacity(self.all.len());
        for at in 0..self.all.len() {
            *counts.entry(self.name(at)).or_default() += 1;
        }
        counts
    }

    /// Returns the positions of those inside the edits that the other side does not have, where `here` and `there` count the names of
    /// both. Of several of one name, those are the same whose headers are.
    fn surplus(
        &self,
        here: &HashMap<RemovedName<'_>, usize>,
        there: &HashMap<RemovedName<'_>, usize>,
        headers: &HashMap<usize, &[u8]>,
        other_headers: &HashMap<usize, &[u8]>,
    ) -> Vec<usize> {
        let count = |side: &HashMap<RemovedName<'_>, usize>, name: &RemovedName<'_>| {
            side.get(name).copied().unwrap_or(0)
        };
        let mut paired: HashMap<RemovedName<'_>, usize> = HashMap::new();
        for name in self.inside_names() {
            *paired.entry(name).or_default() += 1;
        }
        // Those of a name outside of the edits are on both sides.
        for (name, inside) in &mut paired {
            *inside = (*inside + count(there, name)).saturating_sub(count(here, name));
        }

        let kept: HashSet<&[u8]> = other_headers.values().copied().collect();
        let is_kept = |at: &usize| headers.get(at).is_some_and(|header| kept.contains(header));
        let (alike, others): (Vec<usize>, Vec<usize>) =
            self.inside.iter().partition(|&at| is_kept(at));
        let mut found: Vec<usize> = Vec::new();
        for at in alike.into_iter().chain(others) {
            match paired.get_mut(&self.name(at)) {
                Some(left) if *left > 0 => *left -= 1,
                _ => found.push(at),
            }
        }
        found.sort_unstable();
        found
    }
}

/// Returns by position what is written with the name of each that has one of `names`: of a method of Rust the trait that its
/// `impl` is of; of those with one of `several`, which others have too, what makes it a getter, a setter or a deleter.
fn apart(
    all: &[Definition<'_>],
    names: &HashSet<String>,
    several: &HashSet<String>,
    document: &Document,
) -> HashMap<usize, String> {
    let called = all
        .iter()
        .enumerate()
        .filter(|(_, named)| names.contains(&named.qualified));
    called
        .filter(|(_, named)| is_code(named.symbol.kind))
        .filter_map(|(at, named)| {
            let of_trait = named
                .symbol
                .owner
                .is_some()
                .then(|| overload::of_trait(named, &document.bytes))
                .flatten();
            let accessor = || {
                several
                    .contains(&named.qualified)
                    .then(|| overload::accessor(named, &document.bytes))
            };
            Some((at, of_trait.or_else(|| accessor().flatten())?))
        })
        .collect()
}

/// Says whether a segment is a further name of what the one around it names.
fn is_chained(all: &[Definition<'_>], named: &Definition<'_>) -> bool {
    let around = named.parent.and_then(|at| all.get(at));
    named.symbol.owner.is_some()
        && around.is_some_and(|around| {
            !around.symbol.names_inside && around.symbol.kind != SegmentKind::Impl
        })
}

/// Says whether an operation means a segment and nothing else but what parts it from the next.
fn is_taken_alone(named: &Definition<'_>, claims: &Claims, old: &Document) -> bool {
    let whole = named.symbol.whole();
    let is_bare = |span: Span| {
        let mut bytes = span.of(&old.bytes).iter();
        bytes.all(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';'))
    };
    claims.on(header(named)).iter().any(|(claim, _)| {
        claim.contains(whole)
            && is_bare(Span::new(claim.start, whole.start))
            && is_bare(Span::new(whole.end, claim.end))
    })
}

/// Says whether a segment that is gone is a part of what a type or a value is made of, or went with one: `members` speaks of those.
fn is_of_component(all: &[Definition<'_>], at: usize, gone: &HashSet<usize>) -> bool {
    let around = std::iter::successors(Some(at), |&at| all.get(at)?.parent);
    around
        .take_while(|at| gone.contains(at))
        .any(|at| all.get(at).is_some_and(|named| named.symbol.component))
}

/// Returns the heading around a section; nothing for what is none.
fn heading_around<'n>(named: &Definition<'_>, all: &'n [Definition<'_>]) -> &'n str {
    let around = named
        .parent
        .filter(|_| named.symbol.kind == SegmentKind::Section)
        .and_then(|at| all.get(at));
    around.map_or("", |around| &around.qualified)
}

impl Gone {
    fn of_block(block: &Block, edit: &FileEdit, old: &Document, claims: &Claims) -> Gone {
        let span = block.open.cover(block.close);
        let claims = claims.on(block.open);
        Gone {
            path: edit.path.clone(),
            address: block.address.clone(),
            qualified: block.name.clone(),
            around: String::new(),
            apart: None,
            overload: None,
            name: block.name.clone(),
            kind: block.sort.as_str(),
            family: Family::Block,
            lines: lines_of(old, span),
            text: SharedText {
                bytes: old.bytes.clone(),
                span,
            },
            operations: claims.iter().map(|(_, operation)| *operation).collect(),
            is_target: claims
                .iter()
                .any(|(claim, _)| old.widened(span).contains(*claim)),
            is_chained: false,
            is_cut: false,
            is_merged: false,
            attached: Attached::default(),
            taken: Vec::new(),
            is_guessed: false,
        }
    }

    fn of(
        at: usize,
        side: &ExchangedSide<'_, '_>,
        edit: &FileEdit,
        old: &Document,
        claims: &Claims,
    ) -> Gone {
        let named = &side.all[at];
        let (symbol, header) = (named.symbol, header(named));
        let attached = Attached::to(named, old);
        let taken = claims.taken(
            attached
                .decorators
                .iter()
                .copied()
                .chain(attached.documentation),
        );
        let claims = claims.on(header);
        let span = symbol.definition;
        Gone {
            path: edit.path.clone(),
            address: named.address(),
            qualified: named.qualified.clone(),
            around: side.around(at),
            apart: side.apart.get(&at).cloned(),
            overload: side.overloads.get(&at).cloned(),
            name: symbol.name.clone(),
            kind: symbol.kind.as_str(),
            family: Family::of(symbol.kind),
            lines: lines_of(old, span),
            text: SharedText {
                bytes: old.bytes.clone(),
                span,
            },
            operations: claims.iter().map(|(_, operation)| *operation).collect(),
            is_target: claims
                .iter()
                .any(|(claim, _)| old.widened(symbol.whole()).contains(*claim)),
            is_chained: is_chained(side.all, named),
            is_cut: is_end_left(edit, span) && symbol.kind != SegmentKind::Section,
            is_merged: false,
            attached,
            taken,
            is_guessed: false,
        }
    }

    /// Returns the first line that has its name.
    fn header(&self) -> Option<&[u8]> {
        header_in(self.text.bytes(), bare(&self.name))
    }

    /// Says whether `operation` names it, quotes its name, or allows that it goes.
    pub(super) fn is_asked_for(
        &self,
        operation: &Operation,
        undefined: &[(usize, String)],
    ) -> bool {
        // What moves is elsewhere then, with links and imports as they are there.
        if is_moved_by(operation) {
            return true;
        }
        let is_delete = matches!(operation.verb, Verb::Delete { .. });
        let is_named = match operation.scoped().map(|scoped| &scoped.selector) {
            // What is put beside a text takes nothing of it.
            Some(Selector::Text(text)) => {
                let takes = match operation.verb {
                    Verb::Insert { .. } => false,
                    Verb::Delete { .. } => !self.is_cut,
                    _ => true,
                };
                takes && !self.is_merged && self.is_quoted(text)
            }
            // Content that begins with a heading gives the section that one.
            Some(Selector::Section(_)) => is_delete || self.is_target,
            Some(
                Selector::Symbol(_) | Selector::Block(_) | Selector::Element(_) | Selector::Key(_),
            ) => is_delete && (!self.is_chained || self.is_target),
            // Who deletes lines means all that is in them, and not what they are a part of.
            Some(Selector::Lines(_)) => is_delete && !self.is_cut,
            // How far a pattern reaches, it alone knows.
            Some(Selector::Pattern(_)) | None => false,
        };
        is_named || self.is_allowed(operation, undefined)
    }

    /// Says whether a text quotes its name; of an item of a list, which has none, all of it.
    fn is_quoted(&self, text: &str) -> bool {
        if !self.name.starts_with('[') {
            return quotes(text, bare(&self.name));
        }
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        words(text).contains(&words(&String::from_utf8_lossy(self.text.bytes())))
    }

    /// Says whether `operation` allows that it goes: by a name of its own, or with something around it that goes as a
    /// whole. What is around it and only gets another name is not gone with all inside.
    fn is_allowed(&self, operation: &Operation, undefined: &[(usize, String)]) -> bool {
        let is_renamed = |name: &str| undefined.iter().any(|(_, renamed)| renamed == name);
        match &operation.allow_remove {
            AllowRemove::Nothing => false,
            AllowRemove::Everything => true,
            AllowRemove::Named(names) => names.iter().any(|name| {
                let name = self.within_file(name);
                self.answers_to(name) || (self.is_inside(name) && !is_renamed(name))
            }),
        }
    }

    /// Returns a name without the path of the file, if it brings that.
    fn within_file<'n>(&self, name: &'n str) -> &'n str {
        name.strip_prefix(self.path.as_str())
            .and_then(|rest| rest.strip_prefix("::"))
            .unwrap_or(name)
    }

    /// Says whether `name` is its own, its qualified one or its address within the file, of an overload with its types as well.
    fn answers_to(&self, name: &str) -> bool {
        let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
        let is_with_types = |types: &String| {
            let typed =
                |base: &str| without_blanks(&format!("{base}({types})")) == without_blanks(name);
            typed(&self.name) || typed(&self.qualified)
        };
        let is_plain = self.name == name || self.qualified == name || self.address == name;
        is_plain || name.ends_with(')') && self.overload.as_ref().is_some_and(is_with_types)
    }

    /// Says whether `qualified` is something around it.
    pub(super) fn is_inside(&self, qualified: &str) -> bool {
        let inner = self.qualified.strip_prefix(qualified);
        inner.is_some_and(|inner| inner.starts_with('.') || inner.starts_with('['))
    }

    /// Says whether `came`, of the same name, is this in what its parent became.
    fn is_in_family(&self, came: &Came, became: &Became<'_>) -> bool {
        let (was, now) = (self.around.as_str(), came.around.as_str());
        // Where one of them alone has its name, that says all.
        let is_overload = self
            .overload
            .as_ref()
            .zip(came.overload.as_ref())
            .is_none_or(|(was, now)| was == now);
        self.apart == came.apart
            && is_overload
            && (self.path == came.path && was == now || became.contains(&(was, &came.path, now)))
    }

    /// Says whether `came` has its place and name.
    pub(super) fn is_at(&self, came: &Came) -> bool {
        self.path == came.path && self.qualified == came.qualified && self.around == came.around
    }

    /// Says whether `came` has its place and name, and the types of another overload.
    fn is_other_overload(&self, came: &Came) -> bool {
        self.is_at(came)
            && self
                .overload
                .as_ref()
                .zip(came.overload.as_ref())
                .is_some_and(|(was, now)| was != now)
    }

    /// Says whether `came`, with the same header, got out of what this is in, or into what stands beside it, by the operation that took
    /// this away: so it is with content at another depth, or at lines that moved, more often than by intent.
    fn is_displaced(&self, came: &Came) -> bool {
        let is_one_in_other = |one: &str, other: &str| {
            one.is_empty()
                || other
                    .strip_prefix(one)
                    .is_some_and(|rest| rest.starts_with(['.', '[', ' ']))
        };
        let own = |around: &str| around.split(" as ").next().unwrap_or_default().to_owned();
        let (was, now) = (self.around.as_str(), came.around.as_str());
        self.path == came.path
            && matches!(self.family, Family::Code | Family::Key)
            && !came.is_parent_new
            && came
                .operation
                .is_some_and(|operation| self.operations.contains(&operation))
            && was != now
            && (is_one_in_other(was, now) || is_one_in_other(now, was) || own(was) == own(now))
            && header_in(self.text.bytes(), bare(&self.name))
                == header_in(came.text.bytes(), bare(&came.name))
    }

    /// Says whether the operation put `came` in its place, under a name of its own.
    fn is_replaced_by(&self, came: &Came) -> bool {
        self.is_target
            && self.path == came.path
            && self.family == came.family
            && self.around == came.around
    }

    /// Returns the name by which this alone may be allowed to go.
    pub(super) fn allowance(&self) -> &str {
        if self.overload.is_some() {
            &self.address
        } else {
            &self.qualified
        }
    }

    pub(super) fn as_removed(&self) -> Removed {
        let (start_line, end_line) = self.lines;
        let address = format!("{}::{}", self.path, self.address);
        Removed {
            address,
            kind: self.kind,
            start_line,
            end_line,
        }
    }

    /// Returns it with its kind and lines, and what it would be, for a sentence.
    pub(super) fn described(&self, displaced: Option<&Came>) -> String {
        let (first, last) = self.lines;
        let lines = if first == last {
            format!("line {first}")
        } else {
            format!("lines {first}-{last}")
        };
        let name = if self.around.contains(" as ") {
            format!("{}.{}", self.around, self.name)
        } else {
            self.address.clone()
        };
        let became = displaced.map_or_else(String::new, |came| match came.around.as_str() {
            around if around.contains(" as ") => format!("; it would be `{around}.{}`", came.name),
            _ => format!("; it would be `{}`", came.qualified),
        });
        format!("`{name}` ({}, {lines}{became})", self.kind)
    }
}

/// Returns those of sorted, disjoint ranges that share a byte or an edge with `span`.
fn meeting(sorted: &[Span], span: Span) -> impl Iterator<Item = Span> {
    let from = sorted.partition_point(|other| other.end < span.start);
    sorted[from..]
        .iter()
        .copied()
        .take_while(move |other| other.start <= span.end)
}

/// What begins where something began.
struct Successors {
    /// The ranges that splices take, each with where what begins in it begins, and the positions of what begins in what it writes.
    taken: Vec<(Span, Vec<usize>, Vec<usize>)>,
    /// By where each begins, of several the innermost.
    starts: HashMap<usize, usize>,
    moves: OffsetShift,
}

impl Successors {
    fn of(splices: &Splices, old: &[Definition<'_>], new: &[Definition<'_>]) -> Successors {
        let begins_in = |named: &[Definition<'_>], span: Span| {
            let from = named.partition_point(|named| named.symbol.definition.start < span.start);
            let to = named.partition_point(|named| named.symbol.definition.start < span.end);
            from..to.max(from)
        };
        let taken = splices.with_new_spans().map(|(splice, written)| {
            let were = begins_in(old, splice.span)
                .map(|at| old[at].symbol.definition.start)
                .collect();
            (splice.span, were, begins_in(new, written).collect())
        });
        let starts = new
            .iter()
            .enumerate()
            .map(|(at, named)| (named.symbol.definition.start, at));
        Successors {
            taken: taken.collect(),
            starts: starts.collect(),
            moves: splices.moves(),
        }
    }

    /// Returns the positions of what may be what began at `start`: of as many as began in what was written anew the one of its turn,
    /// else what begins at that byte.
    fn of_one(&self, start: usize) -> Vec<usize> {
        let from = self.taken.partition_point(|(span, ..)| span.end <= start);
        match self
            .taken
            .get(from)
            .filter(|(span, ..)| span.start <= start)
        {
            Some((_, were, are)) if were.len() == are.len() => {
                let turn = were.iter().position(|was| *was == start);
                turn.and_then(|turn| are.get(turn))
                    .into_iter()
                    .copied()
                    .collect()
            }
            Some((span, ..)) if span.start < start => Vec::new(),
            _ => {
                let places = [self.moves.before(start), self.moves.after(start)];
                places
                    .iter()
                    .filter_map(|place| self.starts.get(place).copied())
                    .collect()
            }
        }
    }
}

/// What operations claim of a file, and what splices take.
struct Claims {
    sorted: Vec<(Span, usize)>,
    splices: Vec<Span>,
}

impl Claims {
    fn of(edit: &FileEdit) -> Claims {
        let mut sorted = edit.claims.clone();
        sorted.sort_unstable();
        let splices = edit
            .splices
            .iter()
            .flat_map(|splices| splices.iter())
            .map(|splice| splice.span)
            .collect();
        Claims { sorted, splices }
    }

    /// Returns those of `spans` that splices take, each with the operation that claims it.
    fn taken(&self, spans: impl Iterator<Item = Span>) -> Vec<(Span, usize)> {
        let is_taken =
            |span: &Span| meeting(&self.splices, *span).any(|splice| splice.overlaps(*span));
        let claimed = |span| Some((span, self.on(span).first()?.1));
        spans.filter(is_taken).filter_map(claimed).collect()
    }

    /// Returns the claims of the operations that took `header` away: those that hold a part of it, then those that a splice
    /// through it may come from, because one splice may do the work of several.
    fn on(&self, header: Span) -> Vec<(Span, usize)> {
        let near = |span: Span| {
            let from = self
                .sorted
                .partition_point(|(claim, _)| claim.end < span.start);
            self.sorted[from..]
                .iter()
                .copied()
                .take_while(move |(claim, _)| claim.start <= span.end)
        };
        let mut found: Vec<(Span, usize)> = near(header)
            .filter(|(claim, _)| claim.overlaps(header))
            .collect();
        for splice in meeting(&self.splices, header).filter(|splice| splice.overlaps(header)) {
            let others: Vec<_> = near(splice)
                .filter(|claim| !found.contains(claim))
                .collect();
            found.extend(others);
        }
        found
    }
}

/// Returns the 1-based lines that `span` begins and ends on.
fn lines_of(document: &Document, span: Span) -> (usize, usize) {
    let lines = document.lines();
    (
        lines.line(span.start),
        lines.line(span.end.saturating_sub(1).max(span.start)),
    )
}

/// Returns what is around a segment: `A.B` of `A.B.f`, of a section the heading.
pub(super) fn around<'n>(named: &'n Definition<'_>, all: &'n [Definition<'_>]) -> &'n str {
    match named.symbol.kind {
        SegmentKind::Section => heading_around(named, all),
        _ => named
            .qualified
            .strip_suffix(&named.symbol.name)
            .map_or("", |around| around.trim_end_matches('.')),
    }
}

/// Returns a name without the double quotes that it has in an address; a file may have others around it.
fn bare(name: &str) -> &str {
    name.strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'))
        .unwrap_or(name)
}

/// Returns the first line of `text` that has `name` in it.
fn header_in<'t>(text: &'t [u8], name: &str) -> Option<&'t [u8]> {
    let mut lines = text.split(|&byte| byte == b'\n');
    lines
        .find(|line| memchr::memmem::find(line, name.as_bytes()).is_some())
        .map(<[u8]>::trim_ascii)
}

/// Says whether `text` holds `name` as a word of its own.
fn quotes(text: &str, name: &str) -> bool {
    let is_word =
        |character: Option<char>| character.is_some_and(|it| it.is_alphanumeric() || it == '_');
    let begins_word = is_word(name.chars().next());
    let ends_word = is_word(name.chars().next_back());
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let (before, after) = (
                text[..at].chars().next_back(),
                text[at + name.len()..].chars().next(),
            );
            !(begins_word && is_word(before) || ends_word && is_word(after))
        })
}

/// Returns the lines of a definition that tell it from another of its name: not the header, nor what holds no word.
fn telling_lines(text: &[u8]) -> Vec<&[u8]> {
    lines_with_words(text).skip(1).collect()
}

/// Says whether more than half of the telling lines of `text`, and one at least, are among those of `other`. A definition of one
/// line is another one only where that is the same.
fn is_moved(text: &[u8], other: &[u8]) -> bool {
    let (lines, others) = (telling_lines(text), telling_lines(other));
    if lines.is_empty() {
        return text.trim_ascii() == other.trim_ascii();
    }
    are_mostly_in(&lines, &others)
}

/// What became of definitions: the qualified name of each, and the file and qualified name that it has now.
type Became<'n> = HashSet<(&'n str, &'n RepoPath, &'n str)>;

/// What came in all files of a batch. Each of them can be one that went, and no other.
pub(super) struct Arrivals<'a> {
    by_name: HashMap<&'a str, Vec<ArrivedSegment<'a>>>,
    /// Bytes that may still be compared: of many of one name each could be any other.
    left: usize,
}

/// What came, and in which step of the batch.
#[derive(Clone, Copy)]
struct ArrivedSegment<'a> {
    came: &'a Came,
    step: usize,
}

impl<'a> Arrivals<'a> {
    /// Returns what came in each step, in its order.
    pub(super) fn of(came: impl Iterator<Item = (usize, &'a Came)>) -> Arrivals<'a> {
        const MOST_COMPARED: usize = 64 << 20;
        let mut by_name: HashMap<&str, Vec<ArrivedSegment>> = HashMap::new();
        for (step, came) in came {
            by_name
                .entry(&came.name)
                .or_default()
                .push(ArrivedSegment { came, step });
        }
        Arrivals {
            by_name,
            left: MOST_COMPARED,
        }
    }

    /// Takes the one that `gone` is since `step`, if there is one: in what its parent became, else with most of its lines. What has a
    /// parent is told by more lines than one.
    fn take(&mut self, gone: &Gone, step: usize, became: &Became<'_>) -> Option<&'a Came> {
        // Numbers of items say nothing.
        let named = self
            .by_name
            .get_mut(gone.name.as_str())
            .filter(|_| !gone.name.starts_with('['))?;
        // What came before and goes now is this itself.
        let alike = |arrival: &ArrivedSegment| {
            let came = arrival.came;
            came.family == gone.family && (arrival.step >= step || !gone.is_at(came))
        };
        let in_family = named
            .iter()
            .position(|arrival| alike(arrival) && gone.is_in_family(arrival.came, became));
        let text = gone.text.bytes();
        let is_inner = !gone.around.is_empty() && gone.family != Family::Section;
        let lines = telling_lines(text).len();
        // Many a class has a member of one line and this name.
        let is_telling =
            |came: &Came| !is_inner || lines > 1 || (lines == 1 && !came.is_parent_new);
        let moved = || {
            named.iter().position(|arrival| {
                if !is_telling(arrival.came) {
                    return false;
                }
                let cost = text.len() + arrival.came.text.span.len();
                self.left = self.left.saturating_sub(cost);
                self.left > 0
                    && alike(arrival)
                    && !gone.is_displaced(arrival.came)
                    && !gone.is_other_overload(arrival.came)
                    && is_moved(text, arrival.came.text.bytes())
            })
        };
        let at = in_family.or_else(moved)?;
        Some(named.remove(at).came)
    }

    /// Returns the one that `gone` would be, elsewhere than it should.
    fn displaced(&self, gone: &Gone) -> Option<&'a Came> {
        let named = self.by_name.get(gone.name.as_str())?;
        let found = named
            .iter()
            .find(|arrival| arrival.came.family == gone.family && gone.is_displaced(arrival.came));
        found.map(|arrival| arrival.came)
    }
}

impl Came {
    /// Returns what a new file defines.
    pub(super) fn all_of(document: &Document) -> Vec<Came> {
        if document.too_large() || document.language.is_none() {
            return Vec::new();
        }
        let all = flatten(document.outline());
        let came = all.iter().filter(|named| has_a_name(named, document));
        came.map(|named| Came::of_named(named, &all, &document.path, document))
            .collect()
    }

    fn of_block(block: &Block, edit: &FileEdit, new: &Document) -> Came {
        Came {
            path: edit.path.clone(),
            qualified: block.name.clone(),
            around: String::new(),
            is_parent_new: false,
            apart: None,
            overload: None,
            name: block.name.clone(),
            kind: block.sort.as_str(),
            family: Family::Block,
            text: SharedText {
                bytes: new.bytes.clone(),
                span: block.open.cover(block.close),
            },
            attached: Attached::default(),
            operation: edit.operation_at(block.open.start),
        }
    }

    fn of_named(
        named: &Definition<'_>,
        all: &[Definition<'_>],
        path: &RepoPath,
        new: &Document,
    ) -> Came {
        Came {
            path: path.clone(),
            qualified: named.qualified.clone(),
            around: around(named, all).to_owned(),
            is_parent_new: named.parent.is_some(),
            apart: None,
            overload: None,
            name: named.symbol.name.clone(),
            kind: named.symbol.kind.as_str(),
            family: Family::of(named.symbol.kind),
            text: SharedText {
                bytes: new.bytes.clone(),
                span: named.symbol.definition,
            },
            attached: Attached::to(named, new),
            operation: None,
        }
    }
}
/// Says whether an operation takes what it names to another place.
pub(super) fn is_moved_by(operation: &Operation) -> bool {
    matches!(operation.verb, Verb::Move { .. })
}
/// Says whether an edit takes the beginning of `span` and leaves its last byte, and does not give one line in the place of that, as who
/// changes a header does.
fn is_end_left(edit: &FileEdit, span: Span) -> bool {
    let Some(last) = span.end.checked_sub(1) else {
        return false;
    };
    let last = Span::new(last, span.end);
    let near = |span: Span| edit.splices.iter().flat_map(move |all| all.near(span));
    let lines = |bytes: &[u8]| {
        let lines = bytes.split(|byte| *byte == b'\n');
        lines.filter(|line| !line.trim_ascii().is_empty()).count()
    };
    let gives_header = |splice: &Splice| {
        let is_begun = splice.span.start <= span.start && span.start < splice.span.end;
        is_begun && lines(&splice.bytes) == 1
    };
    let is_taken = near(last).any(|splice| splice.span.overlaps(last));
    !is_taken && !near(Span::at(span.start)).any(gives_header)
}
