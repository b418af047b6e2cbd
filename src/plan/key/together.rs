//! Several operations on the entries of one file.
//!
//! Each was planned by itself, against the snapshot. Where their edits compose into what all of them ask for, that is it.
//! Where they meet, in a comma or in brackets that are left with nothing, they are laid one after another: values first,
//! then what is new, then what goes away, each where the entry that it named has got to. What comes of that is what the
//! operations ask for too, or it is refused.

use std::collections::{BTreeMap, HashSet};

use super::meaning::KeyedValue;
use super::planned::{KeyChange, Planned};
use super::site::EntryPlace;
use super::{plan_key_edit, proof};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Operation, Position, Verb};
use crate::plan::edit::{Edit, EditKind};
use crate::plan::overlap;
use crate::resolve::{Document, Reading};
use crate::syntax::keys::{KeyFormat, Tree, ValueForm};
use crate::text::Span;
use crate::text::splice::{Splice, Splices};

/// Returns the edits of one file with those of `changes`, (operation, what it asks for), in agreement.
pub fn compose_together(
    document: &Document,
    edits: Vec<Edit>,
    changes: &[(usize, KeyChange)],
    operations: &[Operation],
) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let front = document.front_matter();
    let document = front.as_ref().unwrap_or(document);
    let format = document
        .language
        .and_then(|language| language.grammar.format());
    let (Some(Ok(tree)), Some(format)) = (document.keys(), format) else {
        return Ok(edits);
    };
    if changes.is_empty() {
        return Ok(edits);
    }
    let twins = find_twins(document, tree, format, changes);
    if !twins.is_empty() {
        return Err(twins);
    }
    let operations_of_keys: HashSet<usize> =
        changes.iter().map(|(operation, _)| *operation).collect();
    let (mut own, mut others): (Vec<Edit>, Vec<Edit>) = edits
        .into_iter()
        .partition(|edit| operations_of_keys.contains(&edit.operation));
    let wanted = proof::wanted_tree(
        tree,
        &document.bytes,
        changes.iter().map(|(_, change)| change),
    );
    let site = |change: &KeyChange| EntryPlace::in_file(document, tree, format, change.at());
    let agree = |own: &[Edit]| -> Result<bool, Vec<Diagnostic>> {
        let after = overlap::compose(document, own, operations)?.apply(&document.bytes);
        let is_newer = changes
            .first()
            .and_then(|(_, change)| proof::newer_toml_feature(&site(change)?, &after))
            .is_some();
        Ok(!is_newer && refuse_differing(&wanted, &after, format).is_none())
    };
    // All at once: to read the file again for each of many operations takes long.
    let mut composed = agree(&own);
    if composed != Ok(true) {
        own = one_by_one(own, changes, operations, &site)?;
        composed = agree(&own);
    }
    if composed == Ok(true) || changes.len() == 1 {
        others.extend(own);
        return Ok(others);
    }
    let nested = find_nested(document, tree, changes, operations);
    if !nested.is_empty() {
        return Err(composed.err().unwrap_or(nested));
    }
    let laid = Laying::of(document, tree, format)
        .all(changes, operations)
        .map_err(|refusal| vec![refusal])?;
    let splices: Vec<Splice> = laid.iter().map(|(splice, _)| splice.clone()).collect();
    let Ok(composed) = Splices::new(splices) else {
        return Err(composed.err().unwrap_or_default());
    };
    if let (Some(way), Some((operation, change))) = (
        refuse_differing(&wanted, &composed.apply(&document.bytes), format),
        changes.first(),
    ) {
        return Err(vec![
            proof::refuse_other_change(document, &way, change).of_operation(*operation),
        ]);
    }
    others.extend(laid.into_iter().map(|(splice, operation)| Edit {
        operation,
        what: EditKind::Replace(splice),
    }));
    Ok(others)
}

/// Returns the edits of each operation as they are right by themselves, or says of each that has none why not.
fn one_by_one<'d>(
    edits: Vec<Edit>,
    changes: &[(usize, KeyChange)],
    operations: &[Operation],
    site: &dyn Fn(&KeyChange) -> Option<EntryPlace<'d>>,
) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let mut of_operation: BTreeMap<usize, Vec<EditKind>> = BTreeMap::new();
    edits.into_iter().for_each(|edit| {
        of_operation
            .entry(edit.operation)
            .or_default()
            .push(edit.what)
    });
    let (mut proved, mut refused) = (Vec::new(), Vec::new());
    for (operation, change) in changes {
        let edits = of_operation.remove(operation).unwrap_or_default();
        let Some(site) = site(change) else { continue };
        match proof::prove_planned(
            &site,
            Planned {
                edits,
                change: change.clone(),
            },
        ) {
            Ok(planned) => {
                proved.extend(planned.edits.into_iter().map(|what| Edit {
                    operation: *operation,
                    what,
                }));
            }
            Err(refusal) => {
                let asked = operations.get(*operation);
                let field = if matches!(change, KeyChange::Deleted { .. }) {
                    "part"
                } else {
                    "content"
                };
                refused.push(
                    refusal
                        .at(asked.and_then(|asked| asked.place(field)))
                        .of_operation(*operation),
                );
            }
        }
    }
    if refused.is_empty() {
        Ok(proved)
    } else {
        Err(refused)
    }
}

/// Returns where a file does not say what is wanted; its top when it cannot be read.
fn refuse_differing(
    wanted: &KeyedValue,
    bytes: &[u8],
    format: KeyFormat,
) -> Option<Vec<crate::syntax::keys::KeySegment>> {
    match format.tree(bytes) {
        Ok(tree) => wanted.difference(&KeyedValue::of_file(&tree, bytes), format),
        Err(_) => Some(Vec::new()),
    }
}

/// Names every two operations that add the same key to the same holder.
fn find_twins(
    document: &Document,
    tree: &Tree,
    format: KeyFormat,
    changes: &[(usize, KeyChange)],
) -> Vec<Diagnostic> {
    let mut known: BTreeMap<(usize, &str), (usize, bool)> = BTreeMap::new();
    let mut found = Vec::new();
    for (operation, change) in changes {
        let KeyChange::Added { holder, new, .. } = change else {
            continue;
        };
        for node in new {
            let Some(key) = node.key.as_deref() else {
                continue;
            };
            let joins = format == KeyFormat::Toml && node.implied;
            match known.insert((*holder, key), (*operation, joins)) {
                Some((first, both)) if first != *operation && !(both && joins) => {
                    let holder = tree.address(*holder);
                    let holder = if holder.is_empty() {
                        String::new()
                    } else {
                        format!("::{}", shown(&holder))
                    };
                    let message = format!(
                        "operations {first} and {operation} both add `{}` to {}{holder}",
                        shown(key),
                        document.path
                    );
                    let twin = Diagnostic::new(Code::Overlap, message)
                        .note("a key stands once: give one of them another name");
                    found.push(twin.of_operation(*operation));
                }
                Some(_) | None => {}
            }
        }
    }
    found
}

/// Names every two operations of which one changes what the other takes away or writes anew.
fn find_nested(
    document: &Document,
    tree: &Tree,
    changes: &[(usize, KeyChange)],
    operations: &[Operation],
) -> Vec<Diagnostic> {
    let span = |at: usize| tree.get(at).map_or(Span::at(0), |entry| entry.span);
    let mut found = Vec::new();
    for (number, (operation, change)) in changes.iter().enumerate() {
        let (KeyChange::Replaced { at, .. } | KeyChange::Deleted { at }) = change else {
            continue;
        };
        for (other, (second, inner)) in changes.iter().enumerate() {
            // Of two that are of the same entry one mention is enough.
            let same = matches!(
                inner,
                KeyChange::Replaced { .. } | KeyChange::Deleted { .. }
            ) && inner.at() == *at;
            if other != number
                && !(same && other < number)
                && tree.upwards(inner.at()).any(|around| around == *at)
            {
                let (one, two) = ((span(*at), *operation), (span(inner.at()), *second));
                found.push(overlap::refuse_clashes(document, one, two, operations));
            }
        }
    }
    found
}

/// A file while operations are laid one after another.
struct Laying<'d> {
    snapshot: &'d Document,
    tree: &'d Tree,
    format: KeyFormat,
    bytes: Vec<u8>,
    /// Where each entry of the snapshot has got to, and behind those what was added.
    names: BTreeMap<usize, usize>,
    /// What was added last at a place among the entries of a holder.
    added: BTreeMap<(usize, usize), usize>,
    pieces: Vec<EntryOrigin>,
}

/// What the file consists of: of the snapshot, or of an operation.
enum EntryOrigin {
    Old(Span),
    New(Vec<u8>, usize),
}

impl<'d> Laying<'d> {
    fn of(snapshot: &'d Document, tree: &'d Tree, format: KeyFormat) -> Laying<'d> {
        Laying {
            snapshot,
            tree,
            format,
            bytes: snapshot.bytes.to_vec(),
            names: (0..tree.entries.len()).map(|at| (at, at)).collect(),
            added: BTreeMap::new(),
            pieces: vec![EntryOrigin::Old(Span::new(0, snapshot.bytes.len()))],
        }
    }

    /// Lays all operations, and returns what becomes of the snapshot's bytes.
    fn all(
        mut self,
        changes: &[(usize, KeyChange)],
        operations: &[Operation],
    ) -> Result<Vec<(Splice, usize)>, Diagnostic> {
        let mut changes: Vec<&(usize, KeyChange)> = changes.iter().collect();
        changes.sort_by_key(|(_, change)| change.turn());
        for (index, change) in changes {
            let Some(operation) = operations.get(*index) else {
                continue;
            };
            self.lay(*index, change, operation)
                .map_err(|refusal| refusal.of_operation(*index))?;
        }
        Ok(self.splices())
    }

    fn lay(
        &mut self,
        index: usize,
        change: &KeyChange,
        operation: &Operation,
    ) -> Result<(), Diagnostic> {
        let unread = || {
            Diagnostic::new(
                Code::Overlap,
                format!("operations meet in {}", self.snapshot.path),
            )
            .note("`resolve: sequential` lets an operation see those before it")
        };
        let (named, verb) = self.aim(change, &operation.verb);
        let at = self.names.get(&named).copied().ok_or_else(unread)?;
        let document = Document::new(
            self.snapshot.path.clone(),
            self.bytes.as_slice().into(),
            self.snapshot.hash,
        )
        .among(&self.snapshot.templates)
        .in_language(self.snapshot.language);
        let reading = Reading::of(&document);
        let planned = plan_key_edit(&reading, at, &verb)?;
        let site = EntryPlace::of(&reading, planned.change.at())?;
        let Planned {
            edits,
            change: made,
        } = proof::prove_planned(&site, planned)?;
        let own: Vec<Edit> = edits
            .into_iter()
            .map(|what| Edit {
                operation: index,
                what,
            })
            .collect();
        let splices = overlap::compose(&document, &own, &[])
            .map_err(|mut clashes| clashes.pop().unwrap_or_else(unread))?;
        let after = splices.apply(&self.bytes);
        let (Some(Ok(tree)), Ok(new)) = (document.keys(), self.format.tree(&after)) else {
            return Err(unread());
        };
        let mut now = KeyedValue::of_file(&new, &after);
        now.recognise(&proof::wanted_tree(tree, &self.bytes, [&made]), self.format);
        self.rename(&now, change);
        self.cut(&splices, index);
        self.bytes = after;
        Ok(())
    }

    /// Returns the entry that an operation is carried out on, and how: what comes to a place goes behind what came there
    /// before.
    fn aim(&self, change: &KeyChange, verb: &Verb) -> (usize, Verb) {
        let (KeyChange::Added { holder, place, .. }, Verb::Insert { position, .. }) =
            (change, verb)
        else {
            return (change.at(), verb.clone());
        };
        let child = |number: usize| {
            self.tree
                .get(*holder)
                .and_then(|entry| entry.children.get(number))
                .copied()
        };
        let position = position.unwrap_or(Position::After);
        // Statements of TOML are in no order, and a table does not stand beside one.
        let form = self.tree.get(*holder).map(|entry| entry.form);
        let ordered = self.format != KeyFormat::Toml || matches!(form, Some(ValueForm::Flow(_)));
        if let (Some(&before), true) = (self.added.get(&(*holder, *place)), ordered) {
            let mut behind = verb.clone();
            if let Verb::Insert { position, .. } = &mut behind {
                *position = Some(Position::After);
            }
            return (before, behind);
        }
        let beside = match position {
            Position::First | Position::Last => Some(*holder),
            Position::Before => child(*place),
            Position::After => place.checked_sub(1).and_then(child),
        };
        (beside.unwrap_or(*holder), verb.clone())
    }

    /// Takes note of where every entry stands now.
    fn rename(&mut self, now: &KeyedValue, change: &KeyChange) {
        let (mut moved, mut new) = (BTreeMap::new(), Vec::new());
        let mut open = vec![(now, false)];
        while let Some((node, inside)) = open.pop() {
            match node.origin {
                Some(origin) => drop(moved.insert(origin, node.at)),
                None if !inside => new.push(node.at),
                None => {}
            }
            // The file itself is no entry.
            let inside = node.origin.is_none() && node.at != usize::MAX;
            open.extend(node.children.iter().map(|child| (child, inside)));
        }
        self.names = self
            .names
            .iter()
            .filter_map(|(&name, at)| Some((name, *moved.get(at)?)))
            .collect();
        let last = new.into_iter().filter(|&at| at != usize::MAX).max();
        if let (KeyChange::Added { holder, place, .. }, Some(last)) = (change, last) {
            let name = self.tree.entries.len() + self.added.len();
            self.names.insert(name, last);
            self.added.insert((*holder, *place), name);
        }
    }

    /// Puts an operation's bytes in the place of those of the file as it was ahead of the operation.
    fn cut(&mut self, splices: &Splices, operation: usize) {
        // From the last to the first, so that no offset has moved when its turn comes.
        let splices: Vec<&Splice> = splices.iter().collect();
        for splice in splices.into_iter().rev() {
            let (from, to) = (self.apart(splice.span.start), self.apart(splice.span.end));
            let to = to.max(from);
            self.pieces.splice(
                from..to,
                [EntryOrigin::New(splice.bytes.clone(), operation)],
            );
        }
    }

    /// Returns the number of the piece that begins at `offset`, taken apart from what is ahead if need be.
    fn apart(&mut self, offset: usize) -> usize {
        let mut ahead = 0;
        for number in 0..self.pieces.len() {
            let length = self.pieces[number].len();
            if ahead >= offset {
                return number;
            }
            if ahead + length > offset {
                let [one, other] = self.pieces[number].split(offset - ahead);
                self.pieces.splice(number..=number, [one, other]);
                return number + 1;
            }
            ahead += length;
        }
        self.pieces.len()
    }

    /// Returns what became of the snapshot's bytes, each with an operation that did it.
    fn splices(self) -> Vec<(Splice, usize)> {
        let mut splices = Vec::new();
        let (mut from, mut bytes, mut operation) = (0, Vec::new(), None);
        let end = EntryOrigin::Old(Span::at(self.snapshot.bytes.len()));
        for piece in self.pieces.into_iter().chain([end]) {
            match piece {
                EntryOrigin::New(new, by) => {
                    bytes.extend(new);
                    operation = operation.or(Some(by));
                }
                EntryOrigin::Old(span) => {
                    if let Some(operation) = operation.take() {
                        splices.push((
                            Splice::new(Span::new(from, span.start), std::mem::take(&mut bytes)),
                            operation,
                        ));
                    }
                    from = span.end;
                }
            }
        }
        splices
    }
}

impl EntryOrigin {
    fn len(&self) -> usize {
        match self {
            EntryOrigin::Old(span) => span.len(),
            EntryOrigin::New(bytes, _) => bytes.len(),
        }
    }

    fn split(&self, at: usize) -> [EntryOrigin; 2] {
        match self {
            EntryOrigin::Old(span) => {
                let middle = span.start + at;
                [
                    EntryOrigin::Old(Span::new(span.start, middle)),
                    EntryOrigin::Old(Span::new(middle, span.end)),
                ]
            }
            EntryOrigin::New(bytes, operation) => {
                let (one, other) = bytes.split_at(at.min(bytes.len()));
                [
                    EntryOrigin::New(one.to_vec(), *operation),
                    EntryOrigin::New(other.to_vec(), *operation),
                ]
            }
        }
    }
}
