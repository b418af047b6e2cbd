//! `OpenDraft`: a draft that was read. Whose it is, whether it is over, and what may be done with it.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::actions::apply;
use crate::actions::outcome::Outcome;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::drafts::{DraftHeader, DraftLock, DraftName, DraftOrigin, DraftText, KEPT_FOR, Shelved};
use crate::git::Repo;
use crate::history;
use crate::manifest::{Manifest, Overrides, ResolveOrder, yaml};
use crate::path::Reach;
use crate::snapshot::Id;

/// How long a draft may rest and still be continued without a look at it.
pub(super) const CURRENT_FOR: Duration = Duration::from_secs(60 * 60);

/// Most entries of the history that are asked whether they are a draft.
const MOST_ASKED: usize = 1000;

/// A draft in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftState {
    /// Its name.
    pub name: DraftName,
    /// How many calls added to it.
    pub edits: usize,
    /// How long ago it was begun.
    pub begun: Duration,
}

impl DraftState {
    /// Returns `2 edits, begun 3 min ago`.
    pub fn words(&self) -> String {
        let edits = if self.edits == 1 {
            "1 edit".to_owned()
        } else {
            format!("{} edits", self.edits)
        };
        format!("{edits}, begun {} ago", ago(self.begun))
    }
}

/// What became of an edit or of a publication, and of its draft.
pub struct Drafted {
    /// What became of it.
    pub outcome: Outcome,
    /// The draft as it is now, or as it was published; `None` where there is none.
    pub draft: Option<DraftState>,
}

/// A draft that was read.
pub(super) struct OpenDraft {
    pub(super) name: DraftName,
    pub(super) text: DraftText,
    /// What is known of it; of one that others wrote, what it looks like.
    pub(super) header: DraftHeader,
    /// How long ago it was written last.
    pub(super) age: Duration,
}

/// Returns the draft `name` that is `shelved`, if it is still one.
pub(super) fn load(
    repo: &Repo,
    name: &DraftName,
    shelved: Shelved,
    now: SystemTime,
) -> Result<Option<OpenDraft>, Diagnostic> {
    let (text, age) = match shelved {
        Shelved::Nothing => return Ok(None),
        Shelved::Unfit(why) => {
            let message =
                format!("the file of draft `{name}` is not one that this program writes: {why}");
            return Err(Diagnostic::new(Code::DraftExists, message));
        }
        Shelved::Draft(text, age) => (text, age),
    };
    let header = match (&text.header, text.origin) {
        (Some(header), DraftOrigin::Here) => header.clone(),
        (header, _) => DraftHeader {
            draft: name.to_string(),
            begun: micros(now).saturating_sub(u64::try_from(age.as_micros()).unwrap_or(u64::MAX)),
            edits: 0,
            worktree: header
                .as_ref()
                .map_or_else(|| repo.worktree_name(), |header| header.worktree.clone()),
            tree: None,
            operations: String::new(),
            held: BTreeMap::new(),
        },
    };
    if is_published(repo, &text, &header)? {
        return Ok(None);
    }
    Ok(Some(OpenDraft {
        name: name.clone(),
        text,
        header,
        age,
    }))
}

/// Says whether a batch of these very bytes was published since the draft was begun.
fn is_published(repo: &Repo, text: &DraftText, header: &DraftHeader) -> Result<bool, Diagnostic> {
    let id = Id::of_blob(repo.hash_kind(), &text.bytes);
    // A clock may have been set back since.
    const SLACK: u64 = 24 * 60 * 60 * 1_000_000;
    let begun = header.begun.saturating_sub(SLACK);
    let batches = history::list(repo)?;
    for batch in batches
        .iter()
        .take_while(|batch| batch.micros() >= begun)
        .take(MOST_ASKED)
    {
        if repo.in_folder(&batch.tree, history::OPERATIONS)?.as_ref() == Some(&id) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Says that there is no draft `name`, and forgets what is left of one that is over.
pub(super) fn missing(repo: &Repo, locked: DraftLock, name: &DraftName) -> Diagnostic {
    let _ = locked.remove(repo);
    let days = KEPT_FOR.as_secs() / (24 * 60 * 60);
    Diagnostic::new(Code::DraftNotFound, format!("there is no draft `{name}`")).note(format!(
        "it was published or discarded, or not touched for {days} days"
    ))
}

impl OpenDraft {
    pub(super) fn state(&self, now: SystemTime) -> DraftState {
        let begun = Duration::from_micros(micros(now).saturating_sub(self.header.begun));
        DraftState {
            name: self.name.clone(),
            edits: self.header.edits,
            begun,
        }
    }

    /// Reads its operations and where they go. More is not said by an edit, and so not taken from a file that others may have
    /// written.
    pub(super) fn manifest(&self, overrides: &Overrides) -> Result<Manifest, Vec<Diagnostic>> {
        let read = yaml::read_with(&format!("draft {}", self.name), &self.text.bytes, overrides);
        let manifest = read.map_err(|errors| {
            let about = |error: Diagnostic| {
                error.note(format!("the file of draft `{}` cannot be read", self.name))
            };
            errors.into_iter().map(about).collect::<Vec<_>>()
        })?;
        let Overrides {
            message,
            branch,
            mode,
            ..
        } = overrides.clone();
        Ok(Manifest {
            message,
            branch,
            mode: mode.unwrap_or_default(),
            order: ResolveOrder::Sequential,
            trailers: Vec::new(),
            author: None,
            base: None,
            ..manifest
        })
    }

    /// Refuses a draft of another worktree: its edits were made on other files.
    pub(super) fn check_place(&self, repo: &Repo) -> Result<(), Diagnostic> {
        if self.header.worktree == repo.worktree_name() {
            return Ok(());
        }
        let place = self.header.worktree.as_deref();
        let place = place.map_or_else(
            || "the main worktree".to_owned(),
            |name| format!("worktree `{}`", shown(name)),
        );
        Err(self.exists(&format!("belongs to {place}")))
    }

    /// Refuses a draft with an edit of what the caller may not change.
    pub(super) fn check_reach(&self, reach: &Reach) -> Result<(), Vec<Diagnostic>> {
        if self.text.bytes.is_empty() || reach.folder().is_none() {
            return Ok(());
        }
        match apply::out_of_reach(&self.manifest(&Overrides::default())?, reach) {
            beyond if beyond.is_empty() => Ok(()),
            beyond => {
                let in_draft = |error: Diagnostic| {
                    error.note(format!("draft `{}` has an edit of it", self.name))
                };
                Err(beyond.into_iter().map(in_draft).collect())
            }
        }
    }

    /// Refuses a draft that this program did not write just as it is.
    pub(super) fn check_origin(&self) -> Result<(), Diagnostic> {
        match self.text.origin {
            DraftOrigin::Here => Ok(()),
            DraftOrigin::Elsewhere => {
                Err(self.exists("was not written by this program for you, or was changed since"))
            }
        }
    }

    pub(super) fn exists(&self, what: &str) -> Diagnostic {
        Diagnostic::new(Code::DraftExists, format!("draft `{}` {what}", self.name))
    }
}

/// Returns how long ago something was, in words.
pub fn ago(age: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    match age.as_secs() {
        seconds if seconds < 2 * HOUR => format!("{} min", seconds / MINUTE),
        seconds if seconds < 2 * DAY => format!("{} h", seconds / HOUR),
        seconds => format!("{} days", seconds / DAY),
    }
}

/// Returns microseconds since 1970.
pub(super) fn micros(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| {
        u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
    })
}

pub(super) fn one_draft(error: Diagnostic) -> Vec<Diagnostic> {
    vec![error]
}
