//! `Quarantine`: objects that nobody else sees, for a candidate that may yet be refused.
//!
//! Invariant: what is only here is never taken for stored. `Repo::write_objects` looks past it, so a batch that is
//! published is in the repository's own store to the last blob.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::base::scratch::Scratch;
use super::base::store::ObjectStore;
use super::program::Program;
use super::{Object, ReadSource, Repo, environment, failure};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::snapshot::{HashKind, Id};

/// A folder of objects beside the repository's own. It goes when this and the `Repo` that made it have gone.
#[derive(Clone)]
pub struct Quarantine {
    // One for each `Repo` and as long as it: libgit2 knows its stores by inode, and would take a second folder that was
    // given a gone one's inode for that one.
    folder: Arc<Scratch>,
    store: Rc<ObjectStore>,
}

impl Repo {
    /// Says whether git keeps the objects of a push or a commit apart until a hook has spoken, in which this program was started.
    pub fn is_quarantined(&self) -> bool {
        environment::variable("GIT_QUARANTINE_PATH").is_some_and(|path| !path.is_empty())
    }

    /// Refuses, in git's words, to move a ref where what it would name may never be stored.
    pub fn check_not_quarantined(&self) -> Result<(), Diagnostic> {
        if !self.is_quarantined() {
            return Ok(());
        }
        let message = "ref updates forbidden inside quarantine environment";
        Err(Diagnostic::new(Code::UnsupportedRepository, message)
            .note("a hook that may refuse can look, not publish: do it after the commit or the push, in `post-commit` or `post-receive`"))
    }

    /// Returns this repository's quarantine. From now on this `Repo` reads from it too.
    pub fn quarantine(&self) -> Result<Quarantine, Diagnostic> {
        if let Some(folder) = self.quarantined.get() {
            return Ok(self.quarantine_in(folder));
        }
        let folder = Arc::new(self.scratch()?);
        let quarantine = self.quarantine_in(self.quarantined.get_or_init(|| folder));
        quarantine.furnish(self.hash_kind())?;
        let attempt = "read from a quarantine";
        let objects = quarantine.folder();
        let path = objects.to_str().ok_or_else(|| {
            Diagnostic::new(
                Code::UnsupportedRepository,
                format!("could not {attempt}: {} is no UTF-8", objects.display()),
            )
        })?;
        let odb = self.git2.odb().map_err(failure::git2(attempt))?;
        odb.add_disk_alternate(path)
            .map_err(failure::git2(attempt))?;
        Ok(quarantine)
    }

    fn quarantine_in(&self, folder: &Arc<Scratch>) -> Quarantine {
        let store = ObjectStore::passing(
            folder.path().join("objects"),
            self.hash_kind(),
            self.config(),
        );
        Quarantine {
            folder: Arc::clone(folder),
            store: Rc::new(store),
        }
    }
}

impl Quarantine {
    /// Returns the folder of objects.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().join("objects")
    }

    /// Keeps `objects` here.
    pub fn write(&self, objects: &[Object]) -> Result<(), Diagnostic> {
        self.store.write(&objects.iter().collect::<Vec<_>>())
    }

    /// Returns the trees that are here.
    pub(super) fn trees(&self) -> Result<super::changes::Trees, Diagnostic> {
        let attempt = "list a quarantine";
        let store =
            git2::Repository::open_bare(self.folder.path()).map_err(failure::git2(attempt))?;
        let odb = store.odb().map_err(failure::git2(attempt))?;
        let mut all = Vec::new();
        odb.foreach(|&oid| {
            all.push(oid);
            true
        })
        .map_err(failure::git2(attempt))?;
        let mut trees = super::changes::Trees::new();
        for oid in all {
            let (_, kind) = odb.read_header(oid).map_err(failure::git2(attempt))?;
            if kind == git2::ObjectType::Tree {
                let tree = odb.read(oid).map_err(failure::git2(attempt))?;
                trees.insert(super::head::id(oid), tree.data().to_vec());
            }
        }
        Ok(trees)
    }

    /// Returns the git program of `repo`, which reads from here as well and writes nowhere else.
    pub(super) fn program<'r>(&self, repo: &'r Repo) -> Program<'r> {
        repo.program().storing_in(&self.folder())
    }

    /// Makes of the empty folder what libgit2 takes for a repository: it writes to no object store without one.
    fn furnish(&self, hash: HashKind) -> Result<(), Diagnostic> {
        let attempt = "make a quarantine";
        let root = self.folder.path();
        let config = match hash {
            HashKind::Sha1 => "[core]\n\trepositoryFormatVersion = 0\n\tbare = true\n",
            HashKind::Sha256 => {
                "[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"
            }
        };
        // With the folder for packs: libgit2 looks into it later only if it was there in the beginning.
        for folder in ["objects/pack", "objects/info", "refs"] {
            fs::create_dir_all(root.join(folder)).map_err(failure::system(attempt))?;
        }
        fs::write(root.join("config"), config).map_err(failure::system(attempt))?;
        fs::write(root.join("HEAD"), "ref: refs/heads/none\n").map_err(failure::system(attempt))
    }
}

impl Repo {
    /// Returns the tree that `source` amounts to, `None` for a branch without a commit. That of the index and of the
    /// worktree is made in `quarantine`; the caller's own index and object store are left as they are.
    pub fn whole_tree(
        &self,
        source: &ReadSource,
        quarantine: &Quarantine,
    ) -> Result<Option<Id>, Diagnostic> {
        match source {
            ReadSource::Commit { tree, .. } => Ok(Some(tree.clone())),
            ReadSource::Unborn { tree } => Ok(tree.clone()),
            ReadSource::Index => self.tree_of_index(quarantine, &[]).map(Some),
            // Content as `git add` would store it, and no complaint about the line endings that it finds on the way.
            ReadSource::Worktree => self
                .tree_of_index(
                    quarantine,
                    &["-c", "core.safecrlf=false", "add", "--update"],
                )
                .map(Some),
        }
    }

    /// Returns the tree of a copy of the index, `update` having been done to that first.
    fn tree_of_index(&self, quarantine: &Quarantine, update: &[&str]) -> Result<Id, Diagnostic> {
        let attempt = "make a tree of the index";
        self.need_worktree("the index")?;
        self.refuse_conflicts()?;
        let scratch = self.scratch()?;
        let index = scratch.path().join("index");
        if self.index_path().exists() {
            copy_index(self.index_path(), &index).map_err(failure::system(attempt))?;
        }
        let git = quarantine.program(self).with("GIT_INDEX_FILE", &index);
        if !update.is_empty() {
            git.demand("read the worktree", &[&OWN_INDEX[..], update].concat(), &[])?;
        }
        // A partial clone need not fetch what is only to be named.
        let tree = git.demand(
            attempt,
            &[&OWN_INDEX[..], &["write-tree", "--missing-ok"]].concat(),
            &[],
        )?;
        Ok(Id(String::from_utf8_lossy(&tree).trim().to_owned()))
    }

    fn refuse_conflicts(&self) -> Result<(), Diagnostic> {
        let mut paths: Vec<String> = self.read_index()?.conflicts();
        paths.dedup();
        if paths.is_empty() {
            return Ok(());
        }
        let named = paths
            .iter()
            .take(3)
            .map(|path| shown(path))
            .collect::<Vec<_>>()
            .join(", ");
        let more = if paths.len() > 3 {
            format!(" and {} more", paths.len() - 3)
        } else {
            String::new()
        };
        let message = format!("the index has unresolved conflicts: {named}{more}");
        Err(Diagnostic::new(Code::WorktreeDirty, message)
            .note("resolve them and `git add` them first"))
    }
}

/// What git is told for an index that is not the caller's: no second file beside it, and no hook about it.
pub(super) const OWN_INDEX: [&str; 6] = [
    "-c",
    "core.splitIndex=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.untrackedCache=false",
];

/// Copies an index with its time: from that git knows which files may have changed since without looking changed.
pub(super) fn copy_index(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::copy(from, to)?;
    let modified = fs::metadata(from)?.modified()?;
    fs::File::options()
        .write(true)
        .open(to)?
        .set_modified(modified)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::ObjectKind;
    use crate::git::testing::{Sandbox, change};

    const FILES: [(&str, &str); 3] = [
        ("a.txt", "one\n"),
        ("dir/b.txt", "bee\n"),
        ("dir/deep/c.txt", "sea\n"),
    ];

    #[test]
    fn a_candidate_is_read_here_and_nowhere_else() {
        for format in ["sha1", "sha256"] {
            let sandbox = Sandbox::with(&[&format!("--object-format={format}")], &FILES);
            let repo = sandbox.repo();
            let head = repo.resolve_commit("HEAD").unwrap().1;
            let (tree, objects) = repo
                .tree_with(
                    Some(&head),
                    &[change("dir/b.txt", Some("bee\n"), Some("new\n"))],
                )
                .unwrap();
            let quarantine = repo.quarantine().unwrap();
            quarantine.write(&objects).unwrap();
            let changes = repo.tree_changes(Some(&head), Some(&tree)).unwrap();
            assert_eq!(changes.len(), 1);
            let listed = quarantine
                .program(&repo)
                .run(&["ls-tree", "-r", "--name-only", &tree.0])
                .unwrap();
            assert_eq!(listed.stdout, b"a.txt\ndir/b.txt\ndir/deep/c.txt\n");
            assert!(
                sandbox
                    .repo()
                    .tree_changes(Some(&head), Some(&tree))
                    .is_err(),
                "nobody else reads it"
            );
            assert_eq!(quarantine.trees().unwrap().len(), 2);
            // Two batches of one call: the second stands on the tree of the first.
            let again = repo
                .tree_with(
                    Some(&tree),
                    &[change("dir/b.txt", Some("new\n"), Some("newer\n"))],
                )
                .unwrap();
            assert_ne!(again.0, tree);
            let folder = quarantine.folder();
            drop((quarantine, repo));
            assert!(!folder.exists());
        }
    }

    #[test]
    fn what_is_published_does_not_lean_on_the_quarantine() {
        let sandbox = Sandbox::with(&[], &FILES);
        let repo = sandbox.repo();
        let (tree, objects) = repo
            .tree_with(None, &[change("a.txt", None, Some("new\n"))])
            .unwrap();
        repo.quarantine().unwrap().write(&objects).unwrap();
        assert!(repo.tree_changes(None, Some(&tree)).is_ok());
        repo.write_objects(&objects).unwrap();
        drop(repo);
        assert_eq!(
            sandbox.git(&["ls-tree", "-r", "--name-only", &tree.0]),
            "a.txt"
        );
        for object in &objects {
            let kind = if object.kind == ObjectKind::Tree {
                "tree"
            } else {
                "blob"
            };
            assert_eq!(sandbox.git(&["cat-file", "-t", &object.id.0]), kind);
        }
    }

    #[test]
    fn the_index_and_the_worktree_as_trees() {
        let sandbox = Sandbox::with(&[], &FILES);
        sandbox.write("a.txt", "staged\n");
        sandbox.git(&["add", "a.txt"]);
        sandbox.write("a.txt", "edited\n");
        sandbox.write("untracked.txt", "no\n");
        sandbox.write("announced.txt", "announced\n");
        sandbox.git(&["add", "-N", "announced.txt"]);
        std::fs::remove_file(sandbox.root().join("dir/b.txt")).unwrap();
        sandbox.git(&["update-index", "--skip-worktree", "dir/deep/c.txt"]);
        std::fs::remove_file(sandbox.root().join("dir/deep/c.txt")).unwrap();
        let (before, objects) = (sandbox.digest(), sandbox.git(&["count-objects"]));
        let repo = sandbox.repo();
        let quarantine = repo.quarantine().unwrap();
        let list = |source: &ReadSource| {
            let tree = repo.whole_tree(source, &quarantine).unwrap().unwrap();
            let listed = quarantine
                .program(&repo)
                .run(&["ls-tree", "-r", "--name-only", &tree.0])
                .unwrap()
                .stdout;
            let content = quarantine
                .program(&repo)
                .run(&["cat-file", "blob", &format!("{tree}:a.txt")])
                .unwrap()
                .stdout;
            String::from_utf8([listed, content].concat()).unwrap()
        };
        assert_eq!(
            list(&ReadSource::Index),
            "a.txt\ndir/b.txt\ndir/deep/c.txt\nstaged\n"
        );
        assert_eq!(
            list(&ReadSource::Worktree),
            "a.txt\nannounced.txt\ndir/deep/c.txt\nedited\n"
        );
        let (commit, tree) = repo.resolve_commit("HEAD").unwrap();
        let source = ReadSource::Commit {
            commit,
            tree: tree.clone(),
        };
        assert_eq!(repo.whole_tree(&source, &quarantine).unwrap(), Some(tree));
        assert_eq!(
            repo.whole_tree(&ReadSource::Unborn { tree: None }, &quarantine)
                .unwrap(),
            None
        );
        assert_eq!(
            (sandbox.digest(), sandbox.git(&["count-objects"])),
            (before, objects)
        );
    }

    #[test]
    fn a_change_as_young_as_the_index_is_seen() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "zero\n")]);
        // What else would give it away.
        sandbox.git(&["config", "core.trustctime", "false"]);
        let moment =
            std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
        let date = |path: &str| {
            let file = fs::File::options()
                .write(true)
                .open(sandbox.root().join(path))
                .unwrap();
            file.set_modified(moment).unwrap();
        };
        sandbox.write("a.txt", "once\n");
        date("a.txt");
        sandbox.git(&["add", "a.txt"]);
        date(".git/index");
        sandbox.write("a.txt", "more\n");
        date("a.txt");
        let repo = sandbox.repo();
        let quarantine = repo.quarantine().unwrap();
        let tree = repo
            .whole_tree(&ReadSource::Worktree, &quarantine)
            .unwrap()
            .unwrap();
        let found = quarantine
            .program(&repo)
            .run(&["cat-file", "blob", &format!("{tree}:a.txt")])
            .unwrap();
        assert_eq!(found.stdout, b"more\n");
    }

    #[test]
    fn odd_indexes() {
        let unborn = Sandbox::new(&[]);
        let repo = unborn.repo();
        let quarantine = repo.quarantine().unwrap();
        let empty = repo
            .whole_tree(&ReadSource::Index, &quarantine)
            .unwrap()
            .unwrap();
        assert_eq!(empty.0, "4b825dc642cb6eb9a060e54bf8d69288fbee4904");

        let split = Sandbox::with(&[], &FILES);
        split.git(&["update-index", "--split-index"]);
        split.write("a.txt", "two\n");
        split.git(&["add", "a.txt"]);
        let names = || {
            std::fs::read_dir(split.root().join(".git"))
                .unwrap()
                .count()
        };
        let (before, count) = (split.digest(), names());
        let repo = split.repo();
        let tree = repo
            .whole_tree(&ReadSource::Index, &repo.quarantine().unwrap())
            .unwrap()
            .unwrap();
        assert_eq!(names(), count + 1, "only our own folder is new");
        assert_eq!(split.digest(), before);
        assert_eq!(tree.0, split.git(&["write-tree"]));

        let unmerged = Sandbox::with(&[], &FILES);
        unmerged.git(&["checkout", "-q", "-b", "topic"]);
        unmerged.write("a.txt", "topic\n");
        unmerged.git(&["commit", "-qam", "topic"]);
        unmerged.git(&["checkout", "-q", "main"]);
        unmerged.write("a.txt", "main\n");
        unmerged.git(&["commit", "-qam", "main"]);
        assert!(
            !unmerged
                .command(unmerged.root())
                .args(["merge", "topic"])
                .output()
                .unwrap()
                .status
                .success()
        );
        let repo = unmerged.repo();
        for source in [ReadSource::Index, ReadSource::Worktree] {
            let refusal = repo
                .whole_tree(&source, &repo.quarantine().unwrap())
                .unwrap_err();
            assert_eq!(refusal.code, Code::WorktreeDirty);
            assert!(refusal.message.ends_with("conflicts: a.txt"), "{refusal:?}");
        }

        let bare = Repo::open(&split.bare_clone()).unwrap();
        let refusal = bare
            .whole_tree(&ReadSource::Index, &bare.quarantine().unwrap())
            .unwrap_err();
        assert_eq!(refusal.code, Code::UnsupportedRepository);
    }
}
