//! `Held`: what a batch that is resolved a second time is held to.
//!
//! Who was overtaken resolves its batch again, and who puts a batch forth again does so, too. Then a name finds its place in what
//! the file has become; but a number finds another one, and what is taken away may be the work that somebody put there in
//! between. So what counts is held to the files that it counted in (`Counted`), and what takes bytes away to the bytes that it took
//! (`Taken`).

mod counted;
mod taken;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Destination, Manifest};
use crate::plan::Plan;
use crate::snapshot::Snapshot;
use counted::Counted;
use taken::Taken;

/// What was found when a batch was resolved first; of one that never was, nothing.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// The batch that was published then, as messages call it; `None` where the batch is still on its way.
    published: Option<String>,
    counted: Option<Counted>,
    taken: Option<Taken>,
}

/// An operation that has another meaning now.
struct Otherwise {
    /// Its index.
    operation: usize,
    /// Its field that says so.
    field: &'static str,
    /// What it does to it.
    does: String,
    /// The file or the segment that is not what it was.
    what: String,
}

impl Held {
    /// Returns what a batch is held to that was published as `id`, in a file of operations that is `manifest`: it was resolved in
    /// `snapshot`, to `plan`.
    pub fn of_batch(id: &str, manifest: &Manifest, snapshot: &Snapshot, plan: Option<&Plan>) -> Held {
        Held {
            published: Some(id.to_owned()),
            counted: Some(Counted::of(manifest, snapshot)),
            taken: Some(plan.map_or_else(Taken::default, |plan| Taken::of(manifest, plan))),
        }
    }

    /// Remembers the files of `snapshot` that `manifest` counts in. Where it was resolved before, returns a refusal for each
    /// operation that counts in another file now.
    pub fn count(&mut self, manifest: &Manifest, snapshot: &Snapshot) -> Vec<Diagnostic> {
        let counted = Counted::of(manifest, snapshot);
        let Some(first) = &self.counted else {
            self.counted = Some(counted);
            return Vec::new();
        };
        first.otherwise(&counted).iter().map(|found| self.refusal(found, manifest)).collect()
    }

    /// Remembers the bytes that `plan` takes away for `manifest`. Where it was resolved before, returns a refusal for each
    /// operation that takes away others now.
    pub fn take(&mut self, manifest: &Manifest, plan: &Plan) -> Vec<Diagnostic> {
        let Some(first) = &self.taken else {
            self.taken = Some(Taken::of(manifest, plan));
            return Vec::new();
        };
        first.otherwise(&Taken::of(manifest, plan)).iter().map(|found| self.refusal(found, manifest)).collect()
    }

    fn refusal(&self, found: &Otherwise, manifest: &Manifest) -> Diagnostic {
        let Otherwise { operation, field, does, what } = found;
        let what = shown(what);
        let place = manifest.operations.get(*operation).and_then(|operation| operation.place(field));
        let refusal = match &self.published {
            Some(id) => {
                let message = format!("operation {operation} of batch {id} {does} {what}, which is another now");
                let look = format!(
                    "`git segedit show-batch {id}` shows its operation file, to be written for the files as they are"
                );
                Diagnostic::new(Code::ChangedSince, message).note(look)
            }
            None => {
                let code = match manifest.destination {
                    Destination::Commit | Destination::Stash => Code::RefMoved,
                    Destination::Index | Destination::Cached | Destination::Worktree => Code::ChangedSince,
                };
                Diagnostic::new(code, format!("operation {operation} {does} {what}, which somebody changed meanwhile"))
                    .note("read the file again and repeat the request")
            }
        };
        refusal.at(place).of_operation(*operation)
    }
}
