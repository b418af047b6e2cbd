//! `Record` and `Mark`: what is written about a batch and about its undoing. JSON, version 1; a key may be added, none is
//! taken away.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::conversation::Conversation;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::words::FixedWord;
use crate::manifest::{CheckMode, Destination};
use crate::path::RepoPath;
use crate::snapshot::{self, Id};

/// What is written about a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchRecord {
    /// The version of this form.
    pub version: u32,
    /// The batch's id, as in the commit's trailer and the report.
    pub id: String,
    /// Seconds since 1970.
    pub time: u64,
    /// Where it went.
    #[serde(with = "word")]
    pub destination: Destination,
    /// How strict it was.
    #[serde(with = "word")]
    pub mode: CheckMode,
    /// Which linked worktree it was published from; `None` for the main one and for a bare repository.
    pub worktree: Option<String>,
    /// The ref that moved.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// Where that ref stood before; `None` if it did not exist.
    #[serde(with = "id")]
    pub before: Option<Id>,
    /// The commit that it was resolved against.
    #[serde(with = "id")]
    pub base: Option<Id>,
    /// The commit or stash entry that it made.
    #[serde(with = "id")]
    pub commit: Option<Id>,
    /// How many operations it has.
    pub operations: usize,
    /// One for each changed path, sorted.
    pub files: Vec<FileRecord>,
    /// What it cost.
    pub ledger: LedgerRecord,
    /// What the operation file is called.
    pub source: String,
    /// Who published it, as far as that was known.
    pub who: Option<String>,
    /// The message that was asked for, in the file or on the command line.
    pub message: Option<String>,
    /// The author that was asked for, likewise.
    pub author: Option<String>,
    /// The batch that this one puts forth again.
    pub redo_of: Option<String>,
    /// Files of worktrees that held more than git stores of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub displaced: Vec<DisplacedRecord>,
    /// The talk with a model that the batch came from, if it came from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<Box<Conversation>>,
}

/// A file of a worktree, before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisplacedRecord {
    /// Which linked worktree; `None` for the main one.
    pub worktree: Option<String>,
    /// The path.
    #[serde(with = "path")]
    pub path: RepoPath,
    /// What stood there.
    pub old: Option<HeldRecord>,
    /// What stands there then.
    pub new: Option<HeldRecord>,
}

/// What a file of a worktree holds, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldRecord {
    /// The blob that its bytes would be, unconverted.
    #[serde(with = "name")]
    pub blob: Id,
    /// Its permissions; `None` for what a new file gets.
    pub permissions: Option<u32>,
}

/// What is written about one path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The path.
    #[serde(with = "path")]
    pub path: RepoPath,
    /// `added`, `modified` or `deleted`.
    pub status: String,
    /// The file before.
    pub old: Option<RecordedFile>,
    /// The file after.
    pub new: Option<RecordedFile>,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

/// A file, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFile {
    /// The blob.
    pub blob: String,
    /// `100644` or `100755`.
    pub mode: String,
}

/// What a batch cost against rewriting its files; tokens are estimated as a quarter of the bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerRecord {
    /// Lines added or removed, of each file the larger number. Entries from before this was so have the sum.
    pub lines_changed: usize,
    /// Lines of the touched files.
    pub lines_total: usize,
    /// Tokens of what the caller wrote.
    pub tokens_written: usize,
    /// Tokens of the touched files.
    pub tokens_full_rewrite: usize,
}

/// What is written about an undoing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoMark {
    /// The version of this form.
    pub version: u32,
    /// Microseconds since 1970: marks of one second have an order too.
    pub time: u64,
    /// How it was done.
    #[serde(flatten)]
    pub how: How,
    /// Files of worktrees that held more than git stores of them, when it was undone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub displaced: Vec<DisplacedRecord>,
}

/// How a batch was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "how")]
pub enum How {
    /// The branch moved back; to nothing if it was the batch that had made it.
    Moved {
        /// Where it stands since.
        #[serde(with = "id")]
        to: Option<Id>,
    },
    /// A commit on top undoes it.
    Inverse {
        /// That commit.
        #[serde(with = "name")]
        commit: Id,
    },
    /// Index, files or both hold again what they held.
    Restored,
    /// The stash entry is gone.
    Dropped,
}

impl RecordedFile {
    /// Returns the version that `file` is, its objects named by `kind`.
    pub fn of(file: &snapshot::File, kind: snapshot::HashKind) -> RecordedFile {
        let mode = match file.mode {
            snapshot::FileMode::Regular => "100644",
            snapshot::FileMode::Executable => "100755",
        };
        RecordedFile {
            blob: file.bytes.id(kind).0,
            mode: mode.to_owned(),
        }
    }
}

impl BatchRecord {
    /// Returns lines added and removed.
    pub fn lines(&self) -> (usize, usize) {
        let sum = |count: fn(&FileRecord) -> usize| self.files.iter().map(count).sum();
        (sum(|file| file.added), sum(|file| file.removed))
    }

    /// Returns the short name of the branch; `None` when the batch moved none.
    pub fn branch(&self) -> Option<&str> {
        let name = self
            .reference
            .as_deref()
            .filter(|_| self.destination == Destination::Commit)?;
        Some(name.strip_prefix("refs/heads/").unwrap_or(name))
    }
}

/// Reads what `name` of the history says.
pub(super) fn parse<T: DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<T, Diagnostic> {
    #[derive(Deserialize)]
    struct VersionedRecord {
        version: u32,
    }
    let cannot = |why: &str| Diagnostic::new(Code::Io, format!("{name} cannot be read: {why}"));
    let failed = |error: serde_json::Error| {
        cannot(&error.to_string()).note(format!(
            "`git update-ref -d {name}` forgets it, and that the batch was published"
        ))
    };
    let version: VersionedRecord = serde_json::from_slice(bytes).map_err(failed)?;
    if version.version != 1 {
        return Err(cannot("a newer version of this program wrote it"));
    }
    serde_json::from_slice(bytes).map_err(failed)
}

/// Writes a record or a mark.
pub(super) fn text<T: Serialize>(value: &T) -> Result<Vec<u8>, Diagnostic> {
    serde_json::to_vec_pretty(value).map_err(|error| {
        Diagnostic::new(
            Code::Io,
            format!("could not write an entry of the history: {error}"),
        )
    })
}

/// Values that are written as a word.
mod word {
    use super::*;
    use serde::de::Error as _;
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<T: FixedWord, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(value.word())
    }

    pub(super) fn deserialize<'de, T: FixedWord, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let word = String::deserialize(deserializer)?;
        T::from_word(&word).ok_or_else(|| D::Error::custom(format!("what is `{word}`?")))
    }
}

/// A path, checked again: an entry is an object that anybody could have written.
mod path {
    use super::*;
    use serde::de::Error as _;
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        path: &RepoPath,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(path.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<RepoPath, D::Error> {
        let path = String::deserialize(deserializer)?;
        RepoPath::parse(&path).map_err(|_| D::Error::custom("a path that leaves the repository"))
    }
}

/// An object's name, checked: hexadecimal digits.
mod name {
    use super::*;
    use serde::de::Error as _;
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(id: &Id, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&id.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        let text = String::deserialize(deserializer)?;
        let hex =
            matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if hex {
            Ok(Id(text))
        } else {
            Err(D::Error::custom("an object's name that is none"))
        }
    }
}

/// An object's name, or null.
mod id {
    use super::*;
    use serde::{Deserializer, Serializer};

    #[derive(Serialize, Deserialize)]
    struct EntryName(#[serde(with = "name")] Id);

    pub(super) fn serialize<S: Serializer>(
        id: &Option<Id>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        id.clone().map(EntryName).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Id>, D::Error> {
        Ok(Option::<EntryName>::deserialize(deserializer)?.map(|name| name.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> BatchRecord {
        BatchRecord {
            version: 1,
            id: "b1".to_owned(),
            time: 7,
            destination: Destination::Commit,
            mode: CheckMode::Strict,
            worktree: None,
            reference: Some("refs/heads/bot/x".to_owned()),
            before: None,
            base: Some(Id("1".repeat(40))),
            commit: Some(Id("2".repeat(64))),
            operations: 1,
            files: vec![FileRecord {
                path: RepoPath::parse("a/b.py").unwrap(),
                status: "added".to_owned(),
                old: None,
                new: Some(RecordedFile {
                    blob: "3".repeat(40),
                    mode: "100644".to_owned(),
                }),
                added: 2,
                removed: 0,
            }],
            ledger: LedgerRecord::default(),
            source: "ops.yaml".to_owned(),
            who: None,
            message: None,
            author: None,
            redo_of: None,
            displaced: vec![DisplacedRecord {
                worktree: Some("side".to_owned()),
                path: RepoPath::parse("a/c.py").unwrap(),
                old: Some(HeldRecord {
                    blob: Id("4".repeat(40)),
                    permissions: Some(0o600),
                }),
                new: None,
            }],
            conversation: None,
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let written = text(&record()).unwrap();
        assert_eq!(parse::<BatchRecord>("x", &written).unwrap(), record());
        assert_eq!(record().branch(), Some("bot/x"));
        for how in [
            How::Moved { to: None },
            How::Moved {
                to: Some(Id("1".repeat(40))),
            },
            How::Inverse {
                commit: Id("1".repeat(40)),
            },
            How::Restored,
            How::Dropped,
        ] {
            let mark = UndoMark {
                version: 1,
                time: 1,
                how,
                displaced: record().displaced,
            };
            assert_eq!(parse::<UndoMark>("x", &text(&mark).unwrap()).unwrap(), mark);
        }
    }

    #[test]
    fn what_somebody_else_wrote_is_not_trusted() {
        let check = |from: &str, to: &str| {
            let written = String::from_utf8(text(&record()).unwrap()).unwrap();
            assert!(written.contains(from), "{written}");
            let refusal = parse::<BatchRecord>(
                "refs/segedit/batches/x",
                written.replace(from, to).as_bytes(),
            )
            .unwrap_err();
            assert!(
                refusal
                    .message
                    .starts_with("refs/segedit/batches/x cannot be read"),
                "{refusal:?}"
            );
        };
        check("a/b.py", "../b.py");
        check("a/b.py", ".git/config");
        check(&"2".repeat(64), "HEAD");
        check(&"1".repeat(40), "--upload-pack");
        check("a/c.py", "../c.py");
        check(&"4".repeat(40), "../../config");
        check("\"commit\",", "\"elsewhere\",");
        check("\"version\": 1", "\"version\": 2");
    }
}
