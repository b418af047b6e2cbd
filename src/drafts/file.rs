//! `DraftText`: the file of a draft, taken apart and put together. What is known of a draft is in comments before its
//! operations, so that the whole is an operation file like any other.
//!
//! ```text
//! # A draft of git-segedit, which is an operation file: `git segedit apply` publishes it, too.
//! # {"draft":"orders","begun":1764032655000000,"edits":2,"worktree":null,"tree":"…","operations":"…"}
//! # 4f0c…                                      the seal over the line above, where there is a key
//! version: 1
//! …
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::DraftName;
use crate::git::{Repo, Seal};
use crate::snapshot::Id;

/// The first line.
const OPENING: &str =
    "# A draft of git-segedit, which is an operation file: `git segedit apply` publishes it, too.";

/// What a seal on a draft is a seal on.
const SORT: &str = "draft";

/// What is known of a draft beside its operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DraftHeader {
    /// Its name.
    pub draft: String,
    /// When it was begun, in microseconds since 1970: two drafts of one name and the same edits are two.
    pub begun: u64,
    /// How many calls added to it.
    pub edits: usize,
    /// Which linked worktree it belongs to; `None` for the main one.
    pub worktree: Option<String>,
    /// The tree that it gives; `None` where none can be made.
    pub tree: Option<String>,
    /// The blob id of the operations, which is what follows the header.
    pub operations: String,
    /// Of each operation that counts or takes something away, by its position, a hash of what that was in.
    #[serde(default)]
    pub held: BTreeMap<usize, String>,
}

/// Whose a draft is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DraftOrigin {
    /// This program wrote it, for this user and this clone, just as it is.
    Here,
    /// Others may have written it or changed it.
    Elsewhere,
}

/// The file of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DraftText {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What its header says; to be believed as far as `origin` says.
    pub header: Option<DraftHeader>,
    /// Whose it is.
    pub origin: DraftOrigin,
}

impl DraftText {
    /// Takes the bytes of the draft `name` apart.
    pub(crate) fn read(repo: &Repo, name: &DraftName, bytes: Vec<u8>) -> DraftText {
        let Some(Parts { sealed, operations }) = parts(&bytes) else {
            return DraftText {
                bytes,
                header: None,
                origin: DraftOrigin::Elsewhere,
            };
        };
        let (line, seal) = repo.unsealed(SORT, &sealed);
        let header: Option<DraftHeader> = serde_json::from_slice(line).ok();
        // Where no key can be kept, nobody can tell whose it is.
        let is_sealed = seal == Seal::Ours;
        let is_true = |header: &DraftHeader| {
            header.draft == name.as_str()
                && header.operations == Id::of_blob(repo.hash_kind(), operations).0
        };
        let is_ours = is_sealed && header.as_ref().is_some_and(is_true);
        let origin = if is_ours {
            DraftOrigin::Here
        } else {
            DraftOrigin::Elsewhere
        };
        DraftText {
            bytes,
            header,
            origin,
        }
    }

    /// Returns the name that the header of a draft's file says.
    pub(super) fn name_in(bytes: &[u8]) -> Option<String> {
        let Parts { sealed, .. } = parts(bytes)?;
        let line = sealed.split(|&byte| byte == b'\n').next()?;
        serde_json::from_slice(line)
            .ok()
            .map(|header: DraftHeader| header.draft)
    }

    /// Puts a header before `operations`, which are an operation file, and seals it.
    pub(crate) fn write(repo: &Repo, header: &DraftHeader, operations: &str) -> DraftText {
        let header = DraftHeader {
            operations: Id::of_blob(repo.hash_kind(), operations.as_bytes()).0,
            ..header.clone()
        };
        let line = serde_json::to_string(&header).expect("texts and numbers can be written");
        let sealed = repo.sealed(SORT, ascii(&line).into_bytes());
        let sealed = String::from_utf8_lossy(&sealed).into_owned();
        let mut text = format!("{OPENING}\n");
        for line in sealed.lines() {
            text.push_str(&format!("# {line}\n"));
        }
        text.push_str(operations);
        DraftText {
            bytes: text.into_bytes(),
            header: Some(header),
            origin: DraftOrigin::Here,
        }
    }
}

struct Parts<'t> {
    /// The header's line, and the seal's if there is one, as they were sealed.
    sealed: Vec<u8>,
    operations: &'t [u8],
}

fn parts(bytes: &[u8]) -> Option<Parts<'_>> {
    let rest = bytes
        .strip_prefix(OPENING.as_bytes())?
        .strip_prefix(b"\n")?;
    let (line, rest) = comment(rest)?;
    let is_seal = |line: &[u8]| line.iter().all(u8::is_ascii_hexdigit);
    match comment(rest) {
        Some((seal, operations)) if is_seal(seal) => Some(Parts {
            sealed: [line, b"\n", seal, b"\n"].concat(),
            operations,
        }),
        _ => Some(Parts {
            sealed: line.to_vec(),
            operations: rest,
        }),
    }
}

/// Returns what a comment says that is a line of its own, and what follows it.
fn comment(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(b"# ")?;
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    Some((rest.get(..end)?, rest.get(end + 1..)?))
}

/// Escapes what is not ASCII in JSON: some of it breaks lines in YAML, and a comment ends with its line.
fn ascii(json: &str) -> String {
    let mut written = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            ' '..='~' => written.push(character),
            other => {
                let mut units = [0; 2];
                written.extend(
                    other
                        .encode_utf16(&mut units)
                        .iter()
                        .map(|unit| format!("\\u{unit:04x}")),
                );
            }
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;
    use crate::manifest::yaml;

    const OPERATIONS: &str = "version: 1\noperations:\n- {op: remove, file: a.txt}\n";

    fn header(name: &str, worktree: Option<&str>) -> DraftHeader {
        DraftHeader {
            draft: name.to_owned(),
            begun: 7,
            edits: 1,
            worktree: worktree.map(str::to_owned),
            tree: None,
            operations: String::new(),
            held: BTreeMap::new(),
        }
    }

    #[test]
    fn a_draft_is_ours_only_as_it_was_written() {
        let (sandbox, other) = (Sandbox::new(&[]), Sandbox::new(&[]));
        let (repo, name) = (sandbox.repo(), DraftName::parse("orders").unwrap());
        let written = DraftText::write(
            &repo,
            &header("orders", Some("a\u{2028}b\u{1f600}")),
            OPERATIONS,
        );
        let text = String::from_utf8(written.bytes.clone()).unwrap();
        assert!(text.is_ascii() && text.ends_with(OPERATIONS), "{text}");
        assert_eq!(
            yaml::read("orders", text.as_bytes())
                .unwrap()
                .operations
                .len(),
            1
        );
        assert_eq!(
            DraftText::read(&repo, &name, written.bytes.clone()),
            written
        );
        let check = |bytes: &str, why: &str| {
            assert_eq!(
                DraftText::read(&repo, &name, bytes.into()).origin,
                DraftOrigin::Elsewhere,
                "{why}"
            );
        };
        check(OPERATIONS, "it has no header");
        check(&text.replace("a.txt", "b.txt"), "its operations are others");
        check(
            &text.replace("\"edits\":1", "\"edits\":2"),
            "its header says something else",
        );
        let unsealed: Vec<&str> = text
            .lines()
            .enumerate()
            .filter(|(at, _)| *at != 2)
            .map(|(_, line)| line)
            .collect();
        check(&(unsealed.join("\n") + "\n"), "it bears no seal");
        let foreign = DraftText::write(&other.repo(), &header("orders", None), OPERATIONS);
        check(
            &String::from_utf8(foreign.bytes).unwrap(),
            "another clone's",
        );
        let renamed = DraftText::write(&repo, &header("invoices", None), OPERATIONS);
        check(
            &String::from_utf8(renamed.bytes).unwrap(),
            "another draft's",
        );
        check("", "it is empty");
    }
}
