//! `Held`: what the first resolution of a batch found, to which later ones are held.

use std::collections::BTreeMap;

use super::counted::CountedMatches;
use super::otherwise::Otherwise;
use super::taken::Taken;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Destination, Manifest};
use crate::plan::Plan;
use crate::snapshot::{HashKind, Id, Snapshot};

/// What was found when a batch was resolved first; of one that never was, nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expectations {
    first: First,
    counted: Option<CountedMatches>,
    taken: Option<Taken>,
}

/// When a batch was resolved first.
#[derive(Clone, Debug, Default)]
enum First {
    /// In this very call.
    #[default]
    Now,
    /// When it was published, as the batch that messages call so.
    Published(String),
    /// When its edits went into a draft. Of each operation that counts or takes, the hash of that.
    Drafted(BTreeMap<usize, String>),
}

impl Expectations {
    /// Returns what a batch of `manifest` is held to that was resolved in `snapshot`, to `plan`.
    pub(crate) fn of(
        manifest: &Manifest,
        snapshot: &Snapshot,
        plan: Option<&Plan>,
    ) -> Expectations {
        Expectations {
            first: First::Now,
            counted: Some(CountedMatches::of(manifest, snapshot)),
            taken: Some(plan.map_or_else(Taken::default, |plan| Taken::of(manifest, plan))),
        }
    }

    /// Returns the same of a batch that was published as `id`.
    pub(crate) fn published_as(self, id: &str) -> Expectations {
        Expectations {
            first: First::Published(id.to_owned()),
            ..self
        }
    }

    /// Returns what a draft is held to, of whose operations these are the hashes (`hashes`).
    pub(crate) fn of_draft(hashes: &BTreeMap<usize, String>) -> Expectations {
        Expectations {
            first: First::Drafted(hashes.clone()),
            ..Expectations::default()
        }
    }

    /// Returns a hash of what each operation counts in and takes away; none of one that does neither.
    pub(crate) fn hashes(&self, kind: HashKind) -> BTreeMap<usize, String> {
        let mut said: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        if let Some(counted) = &self.counted {
            counted.say(kind, &mut said);
        }
        if let Some(taken) = &self.taken {
            taken.say(kind, &mut said);
        }
        said.into_iter()
            .map(|(operation, text)| (operation, Id::of_blob(kind, &text).0))
            .collect()
    }

    /// Remembers the files of `snapshot` that `manifest` counts in. Where it was resolved before, returns a refusal for each
    /// operation that counts in another file now.
    pub(crate) fn count(&mut self, manifest: &Manifest, snapshot: &Snapshot) -> Vec<Diagnostic> {
        let counted = CountedMatches::of(manifest, snapshot);
        match (&self.first, &self.counted) {
            (First::Now | First::Published(_), Some(first)) => first
                .otherwise(&counted)
                .iter()
                .map(|found| self.refusal(found, manifest))
                .collect(),
            // A draft is held to both at once, when it is known what it takes.
            (First::Drafted(_), _) | (_, None) => {
                self.counted = Some(counted);
                Vec::new()
            }
        }
    }

    /// Remembers the bytes that `plan` takes away for `manifest`. Where it was resolved before, returns a refusal for each
    /// operation that takes away others now.
    pub(crate) fn take(
        &mut self,
        manifest: &Manifest,
        plan: &Plan,
        kind: HashKind,
    ) -> Vec<Diagnostic> {
        let taken = Taken::of(manifest, plan);
        let otherwise = match (&self.first, &self.taken) {
            (First::Now | First::Published(_), Some(first)) => first.otherwise(&taken),
            (First::Drafted(hashes), _) => {
                let now = Expectations {
                    taken: Some(taken.clone()),
                    ..self.clone()
                }
                .hashes(kind);
                let other = hashes
                    .iter()
                    .filter(|(operation, hash)| now.get(operation) != Some(hash));
                other
                    .map(|(&operation, _)| Otherwise::of_drafted(operation, manifest))
                    .collect()
            }
            (First::Now | First::Published(_), None) => Vec::new(),
        };
        self.taken.get_or_insert(taken);
        otherwise
            .iter()
            .map(|found| self.refusal(found, manifest))
            .collect()
    }

    fn refusal(&self, found: &Otherwise, manifest: &Manifest) -> Diagnostic {
        let Otherwise {
            operation,
            field,
            does,
            what,
        } = found;
        let what = shown(what);
        let place = manifest
            .operations
            .get(*operation)
            .and_then(|operation| operation.place(field));
        let refusal = match &self.first {
            First::Drafted(_) => Diagnostic::new(
                Code::StaleSegment,
                format!("it {does} {what}, which somebody changed since"),
            )
            .note("discard the draft, and make its edits anew on the files as they are"),
            First::Published(id) => {
                let message = format!(
                    "operation {operation} of batch {id} {does} {what}, which is another now"
                );
                let look = format!(
                    "`git segedit show-batch {id}` shows its operation file, to be written for the files as they are"
                );
                Diagnostic::new(Code::ChangedSince, message).note(look)
            }
            First::Now => {
                let code = match manifest.destination {
                    Destination::Commit | Destination::Stash => Code::RefMoved,
                    Destination::Index | Destination::Cached | Destination::Worktree => {
                        Code::ChangedSince
                    }
                };
                Diagnostic::new(
                    code,
                    format!(
                        "operation {operation} {does} {what}, which somebody changed meanwhile"
                    ),
                )
                .note("read the file again and repeat the request")
            }
        };
        refusal.at(place).of_operation(*operation)
    }
}
