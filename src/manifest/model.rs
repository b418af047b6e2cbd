//! `Manifest`: the model of a checked batch, and what it says of all its operations.

use std::borrow::Cow;

use super::{NameRules, Operation};

/// One batch: all its operations are published together or not at all.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The operation file: what to call it in messages, and its text for snippets.
    pub source: ManifestText,
    /// The commit message as given.
    pub message: Option<String>,
    /// Trailers in the file's order.
    pub trailers: Vec<(String, String)>,
    /// The author, when it is not the caller.
    pub author: Option<Author>,
    /// Where the batch goes.
    pub destination: Destination,
    /// Short or full name of the branch to publish on.
    pub branch: Option<String>,
    /// Revision to resolve against.
    pub base: Option<String>,
    /// What happens on a failed check.
    pub mode: CheckMode,
    /// Whether operations see each other's results.
    pub order: ResolveOrder,
    /// What becomes of names that nothing defines, unless an operation says otherwise.
    pub rules: NameRules,
    /// The operations in file order; never empty.
    pub operations: Vec<Operation>,
}

impl Manifest {
    /// Returns the batch with each operation's rules as they hold for it in a repository that says `outer`.
    pub fn settled(&self, outer: NameRules) -> Cow<'_, Manifest> {
        let outer = self.rules.under(outer);
        if outer == NameRules::default() {
            return Cow::Borrowed(self);
        }
        let mut settled = self.clone();
        for operation in &mut settled.operations {
            operation.rules = operation.rules.under(outer);
        }
        Cow::Owned(settled)
    }
}

/// The text that a manifest was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManifestText {
    /// How messages call it: a path, `<stdin>`, or `<command line>`.
    pub name: String,
    /// Its bytes as text; empty for a manifest made from the command line.
    pub text: String,
}

/// A checked `Name <mail>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The name, without line breaks or angle brackets.
    pub name: String,
    /// The mail address, likewise.
    pub email: String,
}

/// Where a batch is published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Destination {
    /// One commit on a branch.
    #[default]
    Commit,
    /// Index and worktree files.
    Index,
    /// Index only.
    Cached,
    /// Worktree files only.
    Worktree,
    /// A stash entry.
    Stash,
}

/// What happens on a failed check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckMode {
    /// Any failure refuses.
    #[default]
    Strict,
    /// Failures become warnings.
    Interactive,
    /// Everything but publishing.
    VerifyOnly,
}

/// What an operation is resolved against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResolveOrder {
    /// All against the same snapshot.
    #[default]
    Snapshot,
    /// Each against the result of those before it.
    Sequential,
}
