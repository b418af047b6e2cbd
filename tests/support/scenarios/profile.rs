//! Repository profiles: the same stories in repositories that people set up otherwise. What has to come of a case is the same
//! in all of them; a profile says how the repository is made and what its worktree then holds.

use std::fs;

use crate::support::{Entry, Sandbox, Tree};

/// How the repository is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As `git init` makes it.
    Plain,
    /// A worktree that `git worktree add` made; the main one stands detached beside it.
    Linked,
    /// A sparse index over a checkout of everything but one folder.
    Sparse,
    /// `core.autocrlf=true`: the worktree has CRLF where the repository has LF.
    Crlf,
    /// All refs and objects packed.
    Packed,
    /// SHA-256.
    Sha256,
}

pub(super) const PROFILES: [Profile; 6] = [
    Profile::Plain,
    Profile::Linked,
    Profile::Sparse,
    Profile::Crlf,
    Profile::Packed,
    Profile::Sha256,
];

/// The file that a sparse checkout leaves out.
const LEFT_OUT: &str = "zz-left-out/kept.left";

impl Profile {
    pub(super) fn name(self) -> &'static str {
        match self {
            Profile::Plain => "plain",
            Profile::Linked => "linked",
            Profile::Sparse => "sparse",
            Profile::Crlf => "crlf",
            Profile::Packed => "packed",
            Profile::Sha256 => "sha256",
        }
    }

    /// Says whether there are bare repositories of this sort.
    pub(super) fn can_be_bare(self) -> bool {
        match self {
            Profile::Plain | Profile::Packed | Profile::Sha256 => true,
            Profile::Linked | Profile::Sparse | Profile::Crlf => false,
        }
    }

    /// Returns what the repository's trees hold, of a tree that a case names.
    pub(super) fn tracked(self, mut tree: Tree) -> Tree {
        if self == Profile::Sparse {
            tree.insert(
                LEFT_OUT.to_owned(),
                Entry {
                    mode: "100644".to_owned(),
                    bytes: b"kept\n".to_vec(),
                },
            );
        }
        tree
    }

    /// Returns what the worktree holds of such a tree.
    pub(super) fn checked_out(self, tree: &Tree) -> Tree {
        let mut tree = tree.clone();
        if self == Profile::Sparse {
            tree.remove(LEFT_OUT);
        }
        if self == Profile::Crlf {
            for entry in tree
                .values_mut()
                .filter(|entry| entry.mode != "120000" && !entry.bytes.contains(&0))
            {
                entry.bytes = entry
                    .bytes
                    .split_inclusive(|&byte| byte == b'\n')
                    .flat_map(with_crlf)
                    .collect();
            }
        }
        tree
    }

    /// Makes the repository that all runs of a case start from.
    pub(super) fn original(self, before: &Tree) -> Sandbox {
        if self == Profile::Sha256 {
            Sandbox::with_tree_as(&["--object-format=sha256"], before)
        } else {
            Sandbox::with_tree(before)
        }
    }

    /// Turns a copy of it into one of this sort.
    pub(super) fn dress(self, sandbox: &Sandbox) {
        match self {
            Profile::Plain | Profile::Sha256 => {}
            Profile::Linked => sandbox.move_to_linked_worktree(),
            Profile::Sparse => {
                let folders = fs::read_dir(sandbox.repo())
                    .expect("the worktree")
                    .map(|entry| entry.expect("an entry"));
                let folders = folders
                    .filter(|entry| entry.path().is_dir() && !entry.path().is_symlink())
                    .map(|entry| {
                        entry
                            .file_name()
                            .into_string()
                            .expect("test folders have plain names")
                    })
                    .filter(|name| name != ".git" && !LEFT_OUT.starts_with(name.as_str()));
                let lines: String = folders.map(|name| format!("{name}\n")).collect();
                sandbox.git_with_input(
                    &[
                        "sparse-checkout",
                        "set",
                        "--cone",
                        "--sparse-index",
                        "--stdin",
                    ],
                    lines.as_bytes(),
                );
            }
            Profile::Crlf => {
                sandbox.git(&["config", "core.autocrlf", "true"]);
                for path in sandbox.worktree_tree().into_keys() {
                    fs::remove_file(sandbox.repo().join(path))
                        .expect("a file that was just listed");
                }
                sandbox.git(&["checkout-index", "--all", "--force", "--index"]);
            }
            Profile::Packed => {
                sandbox.git(&["pack-refs", "--all"]);
                sandbox.git(&["repack", "-a", "-d", "-q"]);
            }
        }
    }
}

fn with_crlf(line: &[u8]) -> Vec<u8> {
    line.strip_suffix(b"\n")
        .map_or_else(|| line.to_vec(), |text| [text, b"\r\n"].concat())
}
