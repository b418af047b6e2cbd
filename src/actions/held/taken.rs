//! `Taken`: the bytes that a batch takes away.
//!
//! Neither `all` places of a text nor what a `substitute` takes is held, unless that expects one place: who says so means whatever is
//! found. What is found by its words is held to the segment around it, too: equal words stand elsewhere.

use std::collections::{BTreeMap, HashMap};

use super::otherwise::Otherwise;
use crate::manifest::{Choice, Files, Manifest, Operation, Scoped, Selector, Verb};
use crate::path::RepoPath;
use crate::plan::{OperationStatus, Plan};
use crate::resolve::{Document, Reading};
use crate::snapshot::{Blob, HashKind, Id};
use crate::text::Span;

/// Of each operation that takes bytes away, those bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    by_operation: BTreeMap<usize, Taking>,
}

/// What one operation takes away.
#[derive(Clone, Debug)]
struct Taking {
    /// What it does.
    does: &'static str,
    /// What it does that to: the address of its segment, or its file.
    what: String,
    path: RepoPath,
    /// It counts, and a hash says which bytes it means.
    counts: bool,
    /// It finds them by what they say.
    is_quoted: bool,
    stretches: Vec<TakenStretch>,
}

/// Bytes of a file as it was; kept as a part of the whole, which is shared.
#[derive(Clone, Debug)]
struct TakenStretch {
    file: Blob,
    span: Span,
}

impl TakenStretch {
    /// Returns the bytes, less the white space around them: that it moved is no loss.
    fn bytes(&self) -> &[u8] {
        self.span.of(&self.file).trim_ascii()
    }

    /// Says whether these bytes stand nowhere else in the file.
    fn is_only_one(&self) -> bool {
        let bytes = self.bytes();
        !bytes.is_empty()
            && memchr::memmem::find_iter(&self.file, bytes)
                .nth(1)
                .is_none()
    }
}

impl Taking {
    /// Says what it takes, and where that stands, as far as the bytes alone do not tell.
    fn said(&self, stretch: &TakenStretch, kind: HashKind) -> String {
        let mut said = format!("takes {}\n", Id::of_blob(kind, stretch.bytes()).0);
        if self.counts && !stretch.is_only_one() {
            said.push_str(&format!("counts {}\n", stretch.file.id(kind).0));
        }
        if self.is_quoted {
            said.push_str(&format!(
                "in {}\n",
                self.around(stretch, kind).unwrap_or_default()
            ));
        }
        said
    }

    /// Says whether equal bytes that `was` took stood elsewhere.
    fn is_elsewhere(&self, was: &Taking) -> bool {
        let pairs = || self.stretches.iter().zip(&was.stretches);
        let is_another_file = |(now, was): (&TakenStretch, &TakenStretch)| now.file != was.file;
        let is_counted_anew = |(now, was): (&TakenStretch, &TakenStretch)| {
            is_another_file((now, was)) && !(now.is_only_one() && was.is_only_one())
        };
        let kind = HashKind::default();
        let is_in_another = |(now, before): (&TakenStretch, &TakenStretch)| {
            is_another_file((now, before)) && self.around(now, kind) != was.around(before, kind)
        };
        self.counts && pairs().any(is_counted_anew) || self.is_quoted && pairs().any(is_in_another)
    }

    /// Returns the name of the segment around what is taken, without numbers.
    fn around(&self, stretch: &TakenStretch, kind: HashKind) -> Option<String> {
        let document = Document::new(self.path.clone(), stretch.file.clone(), kind);
        let reading = Reading::of(&document);
        let text = stretch.span.of(&stretch.file);
        let start = stretch.span.start + (text.len() - text.trim_ascii_start().len());
        let span = Span::new(start, start + text.trim_ascii().len());
        reading.enclosing(span).map(|named| named.qualified.clone())
    }
}

/// Says whether what is meant is found by its words alone.
fn finds_by_words(scoped: &Scoped) -> bool {
    matches!(scoped.selector, Selector::Text(_) | Selector::Pattern(_))
        && scoped.choice == Choice::Only
}

impl Taken {
    /// Returns what `plan` takes away for the operations of `manifest`.
    pub(super) fn of(manifest: &Manifest, plan: &Plan) -> Taken {
        let mut by_operation: BTreeMap<usize, Taking> = BTreeMap::new();
        let removes = removes_text(manifest);
        for edit in plan.candidate.steps().iter().flat_map(|step| &step.files) {
            let Some(before) = &edit.before else { continue };
            let whole = Span::new(0, before.bytes.len());
            let removed = removes
                .get(&edit.path)
                .filter(|_| edit.after.is_none())
                .into_iter()
                .flatten();
            let claimed = edit
                .claims
                .iter()
                .copied()
                .chain(removed.map(|&operation| (whole, operation)));
            for (span, operation) in claimed {
                let outcome = plan.operations.get(operation);
                if outcome.is_none_or(|outcome| outcome.status != OperationStatus::Applied) {
                    continue;
                }
                let Some(does) = manifest.operations.get(operation).and_then(takes_by_name) else {
                    continue;
                };
                let segment = outcome.and_then(|outcome| outcome.segment.as_ref());
                let taking = by_operation.entry(operation).or_insert_with(|| {
                    let what = segment
                        .map_or_else(|| edit.path.to_string(), |segment| segment.address.clone());
                    let asked = manifest.operations.get(operation);
                    let counts =
                        asked.is_some_and(|operation| operation.counts_hashed_by().is_some());
                    let is_quoted = asked
                        .and_then(Operation::scoped)
                        .is_some_and(finds_by_words);
                    Taking {
                        does,
                        what,
                        path: edit.path.clone(),
                        counts,
                        is_quoted,
                        stretches: Vec::new(),
                    }
                });
                taking.stretches.push(TakenStretch {
                    file: before.bytes.clone(),
                    span,
                });
            }
        }
        Taken { by_operation }
    }

    /// Says, of each operation that takes something away, the hashes of that.
    pub(super) fn say(&self, kind: HashKind, said: &mut BTreeMap<usize, Vec<u8>>) {
        for (operation, taking) in &self.by_operation {
            let mut lines: Vec<String> = taking
                .stretches
                .iter()
                .map(|it| taking.said(it, kind))
                .collect();
            lines.sort();
            said.entry(*operation)
                .or_default()
                .extend_from_slice(lines.concat().as_bytes());
        }
    }

    /// Returns each operation that takes something away `now` that it did not before.
    pub(super) fn otherwise(&self, now: &Taken) -> Vec<Otherwise> {
        let differs = |(&operation, taking): (&usize, &Taking)| {
            let mut known: HashMap<&[u8], usize> = HashMap::new();
            for stretch in self
                .by_operation
                .get(&operation)
                .into_iter()
                .flat_map(|taking| &taking.stretches)
            {
                *known.entry(stretch.bytes()).or_default() += 1;
            }
            let is_other = |stretch: &TakenStretch| match known.get_mut(stretch.bytes()) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                Some(_) | None => !stretch.bytes().is_empty(),
            };
            let (does, what) = (taking.does.to_owned(), taking.what.clone());
            let is_elsewhere = || {
                self.by_operation
                    .get(&operation)
                    .is_some_and(|was| taking.is_elsewhere(was))
            };
            let differs = taking.stretches.iter().any(is_other) || is_elsewhere();
            differs.then_some(Otherwise {
                operation,
                field: "",
                does,
                what,
            })
        };
        now.by_operation.iter().filter_map(differs).collect()
    }
}

/// Returns the operations that delete a file, by its path.
fn removes_text(manifest: &Manifest) -> HashMap<&RepoPath, Vec<usize>> {
    let mut removes: HashMap<&RepoPath, Vec<usize>> = HashMap::new();
    for (index, operation) in manifest.operations.iter().enumerate() {
        if let (Verb::Remove { .. }, Files::One(path)) = (&operation.verb, &operation.files) {
            removes.entry(path).or_default().push(index);
        }
    }
    removes
}

/// Returns what an operation does that takes away what it names. A text that is quoted is found by looser levels than to the letter,
/// too, so its bytes are not what the operation says.
fn takes_by_name(operation: &Operation) -> Option<&'static str> {
    match &operation.verb {
        Verb::Replace { selector: None, .. } => Some("replaces"),
        Verb::Remove { .. } => Some("removes"),
        Verb::Replace {
            selector: Some(scoped),
            ..
        }
        | Verb::Delete {
            selector: scoped, ..
        } if matches!(scoped.selector, Selector::Text(_)) && scoped.choice == Choice::Every => None,
        Verb::Replace { .. } => Some("replaces"),
        Verb::Delete { .. } => Some("deletes"),
        // Who says that there is one means that one.
        Verb::Substitute {
            find,
            expect_count: Some(1),
            ..
        } if matches!(find.selector, Selector::Text(_))
            && matches!(operation.files, Files::One(_)) =>
        {
            Some("edits")
        }
        Verb::Insert { .. }
        | Verb::Move { .. }
        | Verb::Substitute { .. }
        | Verb::Create { .. }
        | Verb::Chmod { .. }
        | Verb::Rename { .. }
        | Verb::Import { .. }
        | Verb::Unimport { .. }
        | Verb::RenameFile { .. } => None,
    }
}
