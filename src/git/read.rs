//! A commit, the index or the worktree → `Snapshot`: an entry for exactly the paths that are asked for.
//!
//! The way down to a path is decided here, once for all three grounds: what is no folder cannot be passed through.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ground::{Ground, PathKind};
use super::head::id;
use super::listing::NamesByFolder;
use super::{ReadSource, Repo};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::parallel;
use crate::path::RepoPath;
use crate::snapshot::{Base, File, HashKind, Id, Obstacle, Snapshot, SnapshotEntry};

/// So many files are read on all processors: to open the repository again takes as long as some hundred of them.
const MANY: usize = 512;

impl Repo {
    /// Reads what stands at `paths`, and at the files that each list of `pathspecs` matches.
    pub fn snapshot(
        &self,
        source: &ReadSource,
        paths: &[RepoPath],
        pathspecs: &[Vec<String>],
    ) -> Result<Snapshot, Diagnostic> {
        let ground = self.ground(source)?;
        let names = NamesByFolder::new(ground.as_ref());
        let mut entries = BTreeMap::new();
        let mut matches = BTreeMap::new();
        for specs in pathspecs {
            matches.insert(specs.clone(), self.matching(ground.as_ref(), specs)?);
        }
        let wanted = || matches.values().flatten().chain(paths);
        self.fetch_ahead(ground.as_ref(), wanted())?;
        let all: Vec<&RepoPath> = wanted().collect();
        // What waits in quarantine is for this handle alone.
        if all.len() >= MANY && self.quarantined.get().is_none() {
            entries = self.files_at(source, &all)?;
        }
        for path in wanted() {
            read_into(&mut entries, ground.as_ref(), &names, path)?;
        }
        Ok(Snapshot {
            base: self.base_of(source)?,
            hash: self.hash_kind(),
            entries,
            matches,
            templates: Arc::default(),
            project: Arc::default(),
        })
    }

    /// Returns the regular files among `paths`, read on all processors.
    fn files_at(
        &self,
        source: &ReadSource,
        paths: &[&RepoPath],
    ) -> Result<BTreeMap<RepoPath, SnapshotEntry>, Diagnostic> {
        let from = self.opening();
        let read = |share: &[&RepoPath]| {
            // libgit2's handles are not shared between threads.
            let repo = from.open()?;
            let holding = repo.holding(source)?;
            let file = |path: &&RepoPath| {
                let file = holding.file(path)?;
                Ok(file.map(|file| ((*path).clone(), SnapshotEntry::File(file))))
            };
            let read = || {
                share
                    .iter()
                    .map(file)
                    .collect::<Result<Vec<_>, Diagnostic>>()
            };
            repo.foreseeing(source, share.iter().copied(), read)
        };
        let shares = paths
            .chunks(paths.len().div_ceil(parallel::width()).max(1))
            .collect();
        let files: Result<Vec<_>, Diagnostic> = parallel::each(shares, read).into_iter().collect();
        Ok(files?.into_iter().flatten().flatten().collect())
    }

    /// Returns what `[<revision>:]<path>` reads: a commit's tree, the index when the revision is empty, and without one the
    /// worktree, or HEAD where there is none.
    pub fn source_of(&self, revision: Option<&str>) -> Result<ReadSource, Diagnostic> {
        let revision = match revision {
            None if self.is_bare() => "HEAD",
            None => return Ok(ReadSource::Worktree),
            Some("") => return Ok(ReadSource::Index),
            Some(revision) => revision,
        };
        let (commit, tree) = self.resolve_commit(revision)?;
        Ok(ReadSource::Commit { commit, tree })
    }

    /// Returns what `revision` names: a commit, or a tree that no commit has to be of.
    pub fn source_at(&self, revision: &str) -> Result<ReadSource, Diagnostic> {
        let object = self.resolve(revision)?;
        if object.kind() == Some(git2::ObjectType::Tree) {
            return Ok(ReadSource::Unborn {
                tree: Some(id(object.id())),
            });
        }
        let (commit, tree) = self.resolve_commit(revision)?;
        Ok(ReadSource::Commit { commit, tree })
    }

    /// Says whether `revision` names anything.
    pub fn is_revision(&self, revision: &str) -> bool {
        self.resolve(revision).is_ok()
    }

    /// Returns the regular file at `path`, or says what stands there instead.
    pub fn show(&self, source: &ReadSource, path: &RepoPath) -> Result<File, Diagnostic> {
        let snapshot = self.snapshot(source, std::slice::from_ref(path), &[])?;
        let named = shown(path.as_str());
        let refuse = |code, what: String| Err(Diagnostic::new(code, what));
        match snapshot.entry(path) {
            SnapshotEntry::File(file) => Ok(file.clone()),
            SnapshotEntry::Absent { nearest, .. } => Err(Diagnostic::new(
                Code::FileNotFound,
                format!("there is no {named}"),
            )
            .suggest(nearest.iter().map(ToString::to_string))),
            SnapshotEntry::Folder => refuse(Code::FileNotFound, format!("{named} is a folder")),
            SnapshotEntry::Symlink => {
                refuse(Code::PathRefused, format!("{named} is a symbolic link"))
            }
            SnapshotEntry::Submodule => {
                refuse(Code::PathRefused, format!("{named} is a submodule"))
            }
            SnapshotEntry::Behind { at, .. } => refuse(
                Code::PathRefused,
                format!(
                    "{named} passes through {}, which is not a folder",
                    shown(at.as_str())
                ),
            ),
        }
    }

    /// Says whether a regular file stands at `path`. Cheaper than a snapshot where nothing does, because nobody wants to
    /// know what else may have been meant.
    pub fn has_file(&self, source: &ReadSource, path: &RepoPath) -> Result<bool, Diagnostic> {
        Ok(matches!(
            self.ground(source)?.kind(path.as_str())?,
            Some(PathKind::File(_))
        ))
    }

    /// Returns what `source` holds, to be asked one path at a time.
    pub fn holding(&self, source: &ReadSource) -> Result<Holding<'_>, Diagnostic> {
        Ok(Holding {
            ground: self.ground(source)?,
        })
    }

    /// Returns what a snapshot of `source` stands on.
    pub fn base_of(&self, source: &ReadSource) -> Result<Base, Diagnostic> {
        let head = || Ok(self.head()?.commit().cloned());
        Ok(match source {
            ReadSource::Commit { commit, tree } => Base::Commit {
                commit: commit.clone(),
                tree: tree.clone(),
            },
            ReadSource::Unborn { .. } => Base::Unborn,
            ReadSource::Index => Base::Index { head: head()? },
            ReadSource::Worktree => Base::Worktree { head: head()? },
        })
    }
}

/// What a source holds, for those who do not know beforehand which paths they will ask for.
pub struct Holding<'r> {
    ground: Box<dyn Ground + 'r>,
}

impl Holding<'_> {
    /// Returns the regular file at `path`; `None` where something else stands, or nothing.
    pub fn file(&self, path: &RepoPath) -> Result<Option<File>, Diagnostic> {
        let Some(PathKind::File(mode)) = self.kind(path)? else {
            return Ok(None);
        };
        Ok(Some(File {
            mode,
            bytes: self.ground.bytes(path)?,
        }))
    }

    /// Returns the blob that the regular file at `path` is stored as; `None` where something else stands, or nothing.
    pub fn file_id(&self, path: &RepoPath, hash: HashKind) -> Result<Option<Id>, Diagnostic> {
        if !self.is_file(path)? {
            return Ok(None);
        }
        match self.ground.blob(path.as_str())? {
            Some(id) => Ok(Some(id)),
            None => Ok(Some(self.ground.bytes(path)?.id(hash))),
        }
    }

    /// Says whether a regular file stands at `path`.
    pub fn is_file(&self, path: &RepoPath) -> Result<bool, Diagnostic> {
        Ok(matches!(self.kind(path)?, Some(PathKind::File(_))))
    }

    /// Returns where the symbolic link at `path` leads, if one stands there.
    pub fn link(&self, path: &RepoPath) -> Result<Option<Vec<u8>>, Diagnostic> {
        (self.kind(path)? == Some(PathKind::Symlink))
            .then(|| self.ground.target(path))
            .transpose()
    }

    /// Returns what stands at `path`: nothing where something on the way is no folder.
    fn kind(&self, path: &RepoPath) -> Result<Option<PathKind>, Diagnostic> {
        for folder in path.ancestors() {
            if self.ground.kind(folder.as_str())? != Some(PathKind::Folder) {
                return Ok(None);
            }
        }
        self.ground.kind(path.as_str())
    }

    /// Says whether something is tracked at `path` or below it, or a link or a file on the way to it.
    pub fn tracks(&self, path: &RepoPath) -> Result<bool, Diagnostic> {
        for folder in path.ancestors() {
            if self.ground.is_tracked(folder.as_str())?
                && self.ground.kind(folder.as_str())? != Some(PathKind::Folder)
            {
                return Ok(true);
            }
        }
        self.ground.is_tracked(path.as_str())
    }

    /// Returns the names in `folder` (`""` is the root) behind which something is tracked, sorted; none when it is no folder.
    pub fn tracked_names(&self, folder: &str) -> Result<Vec<String>, Diagnostic> {
        let mut tracked = Vec::new();
        for name in self.names(folder)? {
            let is_tracked = match folder {
                "" => self.ground.is_tracked(&name)?,
                folder => self.ground.is_tracked(&format!("{folder}/{name}"))?,
            };
            tracked.extend(is_tracked.then_some(name));
        }
        Ok(tracked)
    }

    /// Says whether a folder stands at `path`.
    pub fn is_folder(&self, path: &RepoPath) -> Result<bool, Diagnostic> {
        Ok(self.kind(path)? == Some(PathKind::Folder))
    }

    /// Says whether a symbolic link stands at `path`.
    pub fn is_link(&self, path: &RepoPath) -> Result<bool, Diagnostic> {
        Ok(self.ground.kind(path.as_str())? == Some(PathKind::Symlink))
    }

    /// Returns the regular file that `path` leads to, links that stay inside followed.
    pub fn file_behind(&self, path: &RepoPath) -> Result<Option<File>, Diagnostic> {
        const MOST: usize = 8;
        let mut here = path.clone();
        for _ in 0..MOST {
            if !self.is_link(&here)? {
                return self.file(&here);
            }
            let target = String::from_utf8_lossy(&self.ground.target(&here)?).into_owned();
            let Some(next) = beside(&here, &target) else {
                return Ok(None);
            };
            here = next;
        }
        Ok(None)
    }

    /// Returns the names in `folder` (`""` is the root), sorted; none when it is no folder.
    pub fn names(&self, folder: &str) -> Result<Vec<String>, Diagnostic> {
        if !folder.is_empty() && self.ground.kind(folder)? != Some(PathKind::Folder) {
            return Ok(Vec::new());
        }
        let mut names = self.ground.names(folder)?;
        names.sort();
        Ok(names)
    }

    /// Returns the tracked regular files below the root that `takes` says yes to, sorted.
    pub fn files(&self, takes: impl Fn(&str) -> bool) -> Result<Vec<RepoPath>, Diagnostic> {
        let mut files = Vec::new();
        self.ground.files(&mut |path, _| {
            if takes(path) {
                files.extend(RepoPath::parse(path).ok());
            }
            true
        })?;
        files.sort();
        Ok(files)
    }
}

/// Returns the path that a link at `link` to `target` leads to, unless that leaves the repository.
fn beside(link: &RepoPath, target: &str) -> Option<RepoPath> {
    let mut parts: Vec<&str> = link.as_str().split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" if target.starts_with('/') => return None,
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    RepoPath::parse(&parts.join("/")).ok()
}

fn read_into(
    entries: &mut BTreeMap<RepoPath, SnapshotEntry>,
    ground: &dyn Ground,
    names: &NamesByFolder<'_>,
    path: &RepoPath,
) -> Result<(), Diagnostic> {
    if !entries.contains_key(path) {
        entries.insert(path.clone(), look(ground, names, path)?);
    }
    Ok(())
}

/// Returns what stands at `path`.
fn look(
    ground: &dyn Ground,
    names: &NamesByFolder<'_>,
    path: &RepoPath,
) -> Result<SnapshotEntry, Diagnostic> {
    for folder in path.ancestors() {
        let what = match ground.kind(folder.as_str())? {
            Some(PathKind::Folder) => continue,
            None => return names.absent(path),
            Some(PathKind::Symlink) => Obstacle::Symlink,
            Some(PathKind::Submodule) => Obstacle::Submodule,
            Some(PathKind::File(_)) => Obstacle::File,
        };
        return Ok(SnapshotEntry::Behind { what, at: folder });
    }
    Ok(match ground.kind(path.as_str())? {
        Some(PathKind::File(mode)) => SnapshotEntry::File(File {
            mode,
            bytes: ground.bytes(path)?,
        }),
        Some(PathKind::Folder) => SnapshotEntry::Folder,
        Some(PathKind::Symlink) => SnapshotEntry::Symlink,
        Some(PathKind::Submodule) => SnapshotEntry::Submodule,
        None => return names.absent(path),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::{Sandbox, path};

    fn say(entry: &SnapshotEntry) -> String {
        match entry {
            SnapshotEntry::File(file) => format!(
                "{:?} {}",
                file.mode,
                String::from_utf8_lossy(&file.bytes).trim()
            ),
            SnapshotEntry::Behind { what, at } => format!("behind {what:?} {at}"),
            SnapshotEntry::Absent { nearest, twin } => {
                let nearest: Vec<&str> = nearest.iter().map(RepoPath::as_str).collect();
                format!(
                    "absent {} {}",
                    nearest.join(" "),
                    twin.as_ref().map_or("-", RepoPath::as_str)
                )
            }
            other => format!("{other:?}"),
        }
    }

    fn mixed(format: &str) -> Sandbox {
        let sandbox = Sandbox::with(
            &[format],
            &[
                ("src/worker.py", "work\n"),
                ("src/deep/a/b.txt", "b\n"),
                ("tool", "run\n"),
            ],
        );
        sandbox.git(&["update-index", "--chmod=+x", "tool"]);
        sandbox.git(&["commit", "-qm", "mode"]);
        sandbox.git(&["checkout", "-q", "tool"]);
        sandbox.git(&[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "add",
            "-q",
            "./.",
            "mod",
        ]);
        std::os::unix::fs::symlink("src", sandbox.root().join("link")).unwrap();
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "-qm", "mixed"]);
        sandbox
    }

    #[test]
    fn every_kind_of_entry_on_every_ground() {
        let expected = [
            ("src/worker.py", "Regular work"),
            ("tool", "Executable run"),
            ("src", "Folder"),
            ("src/deep/a", "Folder"),
            ("src/deep/a/b.txt", "Regular b"),
            ("link", "Symlink"),
            ("mod", "Submodule"),
            ("link/worker.py", "behind Symlink link"),
            ("mod/src/worker.py", "behind Submodule mod"),
            ("tool/x/y", "behind File tool"),
            ("worker.py", "absent src/worker.py -"),
            ("src/wroker.py", "absent src/worker.py -"),
            ("SRC/Worker.py", "absent src/worker.py src/worker.py"),
            ("SRC/other", "absent  src"),
            ("zzzzzzzz", "absent  -"),
        ];
        for format in ["--object-format=sha1", "--object-format=sha256"] {
            let sandbox = mixed(format);
            let repo = sandbox.repo();
            let paths: Vec<RepoPath> = expected.iter().map(|(name, _)| path(name)).collect();
            for source in [
                repo.source_of(Some("HEAD")).unwrap(),
                ReadSource::Index,
                ReadSource::Worktree,
            ] {
                let snapshot = repo.snapshot(&source, &paths, &[]).unwrap();
                for (name, entry) in expected {
                    assert_eq!(
                        say(snapshot.entry(&path(name))),
                        entry,
                        "{name} in {source:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn pathspecs_match_tracked_files_as_in_git() {
        let sandbox = mixed("--object-format=sha1");
        sandbox.write("src/untracked.py", "no\n");
        let repo = sandbox.repo();
        let lists: [&[&str]; 9] = [
            &["*.py"],
            &["src"],
            &["src/"],
            &["src/deep", "tool"],
            &["*"],
            &["nothing"],
            &[":(glob)*.py"],
            &["src", ":!*.py"],
            &[":(icase)SRC/*.PY"],
        ];
        for source in [
            repo.source_of(Some("HEAD")).unwrap(),
            ReadSource::Index,
            ReadSource::Worktree,
        ] {
            for list in lists {
                let specs: Vec<String> = list.iter().map(ToString::to_string).collect();
                let snapshot = repo
                    .snapshot(&source, &[], std::slice::from_ref(&specs))
                    .unwrap();
                let found: Vec<&str> = snapshot.matches[&specs]
                    .iter()
                    .map(RepoPath::as_str)
                    .collect();
                let listed = sandbox.git(&[&["ls-files", "-s", "--"], list].concat());
                // Regular files only: neither links nor submodules have lines to edit.
                let regular = listed.lines().filter(|line| line.starts_with("100"));
                let expected: Vec<&str> =
                    regular.filter_map(|line| line.split('\t').nth(1)).collect();
                assert_eq!(found, expected, "{list:?} in {source:?}");
                assert!(
                    found
                        .iter()
                        .all(|name| snapshot.file(&path(name)).is_some())
                );
            }
        }
    }

    #[test]
    fn two_stars_and_a_slash_are_any_folders_or_none() {
        let names = [
            "a.py",
            "src/b.py",
            "src/deep/c.py",
            "[id]/d/e.py",
            "[id]/f.py",
        ];
        let sandbox = Sandbox::with(&[], &names.map(|name| (name, "x = 1\n")));
        let repo = sandbox.repo();
        let check = |list: &[&str], expected: &[&str]| {
            let specs: Vec<String> = list.iter().map(ToString::to_string).collect();
            let files = repo.all_files(&ReadSource::Index, &specs).unwrap();
            let found: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
            assert_eq!(found, expected, "{list:?}");
        };
        check(
            &["**/*.py"],
            &[
                "[id]/d/e.py",
                "[id]/f.py",
                "a.py",
                "src/b.py",
                "src/deep/c.py",
            ],
        );
        check(&["src/**/*.py"], &["src/b.py", "src/deep/c.py"]);
        check(&["[id]/**/*.py"], &["[id]/d/e.py", "[id]/f.py"]);
        check(&["**/deep/*"], &["src/deep/c.py"]);
        check(&["*.py", ":!**/*.py"], &[]);
        check(&["src", ":!src/**/c.py"], &["src/b.py"]);
        check(&["src/**"], &["src/b.py", "src/deep/c.py"]);
        // However it is written that they are left out.
        for exclude in [
            ":(exclude)**/*.py",
            ":(top,exclude)**/*.py",
            ":(exclude,icase)**/*.PY",
            ":/!**/*.py",
            ":^:**/*.py",
        ] {
            check(&["*.py", exclude], &[]);
        }
        // What git leaves out, which reads a star over folders, is left out, too.
        check(
            &["**/*.py", ":!src/**/*", ":!**/d/*"],
            &["[id]/f.py", "a.py"],
        );
        check(
            &["**/*.py", ":!*/src/*"],
            &[
                "[id]/d/e.py",
                "[id]/f.py",
                "a.py",
                "src/b.py",
                "src/deep/c.py",
            ],
        );
        check(&[":(icase)**/B.py"], &["src/b.py"]);
        check(&[":/**/a.py"], &["a.py"]);
    }

    #[test]
    fn pathspecs_to_the_letter_are_no_patterns() {
        let names = [
            "app/[id]/page.py",
            "app/[id]/edit.tsx",
            "app/i/page.py",
            "app/d/edit.tsx",
            "[a].py",
            "a.py",
        ];
        let sandbox = Sandbox::with(&[], &names.map(|name| (name, "x = 1\n")));
        let repo = sandbox.repo();
        let check = |list: &[&str], expected: &[&str]| {
            let specs: Vec<String> = list.iter().map(ToString::to_string).collect();
            for source in [
                repo.source_of(Some("HEAD")).unwrap(),
                ReadSource::Index,
                ReadSource::Worktree,
            ] {
                let files = repo.all_files(&source, &specs).unwrap();
                let found: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
                assert_eq!(found, expected, "{list:?} in {source:?}");
            }
        };
        check(&["app/[id]"], &["app/[id]/edit.tsx", "app/[id]/page.py"]);
        check(&["app/[id]/"], &["app/[id]/edit.tsx", "app/[id]/page.py"]);
        check(&["app/[id]/*.py"], &["app/[id]/page.py"]);
        check(&["app/[id]/*.py", "a.py"], &["a.py", "app/[id]/page.py"]);
        check(&["app/[id]", ":!*.py"], &["app/[id]/edit.tsx"]);
        check(&["app/i", "app/[id]", ":!*.py"], &["app/[id]/edit.tsx"]);
        check(&["[a].py"], &["[a].py"]);
        check(&["[a].py", "app/i"], &["[a].py", "app/i/page.py"]);
        // What nothing is called is a pattern.
        check(&["app/[di]"], &[]);
        check(&["app/[di]/*.py"], &["app/i/page.py"]);
        check(&["[ab].py"], &["a.py"]);
        check(
            &["app/*"],
            &[
                "app/[id]/edit.tsx",
                "app/[id]/page.py",
                "app/d/edit.tsx",
                "app/i/page.py",
            ],
        );
    }

    #[test]
    fn every_file_is_visited_once_from_several_threads() {
        let files: Vec<(String, String)> = (0..300)
            .map(|n| (format!("d{}/f{n}.txt", n % 7), format!("{n}\n")))
            .collect();
        let borrowed: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        let sandbox = Sandbox::with(&[], &borrowed);
        let repo = sandbox.repo();
        for source in [
            repo.source_of(Some("HEAD")).unwrap(),
            ReadSource::Index,
            ReadSource::Worktree,
        ] {
            let seen = std::sync::Mutex::new(Vec::new());
            repo.each_file(
                &source,
                &["d1".to_owned(), "d2".to_owned()],
                |path, bytes| {
                    seen.lock().unwrap().push((
                        path.as_str().to_owned(),
                        String::from_utf8_lossy(bytes).into_owned(),
                    ));
                },
            )
            .unwrap();
            let mut seen = seen.into_inner().unwrap();
            seen.sort();
            let mut expected: Vec<_> = files
                .iter()
                .filter(|(path, _)| path.starts_with("d1/") || path.starts_with("d2/"))
                .cloned()
                .collect();
            expected.sort();
            assert_eq!(seen, expected);
        }
    }

    #[test]
    fn a_missing_blob_is_not_an_absent_file() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let blob = sandbox.git(&["rev-parse", "HEAD:a.txt"]);
        let (folder, rest) = blob.split_at(2);
        std::fs::remove_file(sandbox.root().join(".git/objects").join(folder).join(rest)).unwrap();
        let repo = sandbox.repo();
        let refusal = repo
            .show(&repo.source_of(Some("HEAD")).unwrap(), &path("a.txt"))
            .unwrap_err();
        assert_eq!(refusal.code, Code::Io);
        assert!(refusal.message.contains(&blob), "{refusal:?}");
    }

    #[test]
    fn a_blob_that_is_not_what_its_name_says_is_refused() {
        for format in ["--object-format=sha1", "--object-format=sha256"] {
            let sandbox = Sandbox::with(&[format], &[("a.txt", "one\n"), ("b.txt", "two\n")]);
            let object = |path: &str| {
                let blob = sandbox.git(&["rev-parse", &format!("HEAD:{path}")]);
                let (folder, rest) = blob.split_at(2);
                (
                    sandbox.root().join(".git/objects").join(folder).join(rest),
                    blob,
                )
            };
            let ((one, blob), (two, _)) = (object("a.txt"), object("b.txt"));
            std::fs::remove_file(&one).unwrap();
            std::fs::copy(two, one).unwrap();
            let repo = sandbox.repo();
            let refusal = repo
                .show(&repo.source_of(Some("HEAD")).unwrap(), &path("a.txt"))
                .unwrap_err();
            assert_eq!(refusal.code, Code::Io);
            let expected =
                format!("the content of a.txt is damaged: it is not that of blob {blob}");
            assert_eq!(refusal.message, expected);
        }
    }

    #[test]
    fn a_partial_clone_fetches_what_is_read() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        sandbox.git(&["config", "uploadpack.allowFilter", "true"]);
        let clone = sandbox.beside("clone");
        let url = format!("file://{}", sandbox.root().display());
        sandbox.git(&[
            "clone",
            "-q",
            "--filter=blob:none",
            "--no-checkout",
            &url,
            clone.to_str().unwrap(),
        ]);
        let repo = Repo::open(&clone).unwrap();
        let file = repo
            .show(&repo.source_of(Some("HEAD")).unwrap(), &path("a.txt"))
            .unwrap();
        assert_eq!(&file.bytes[..], b"one\n");
    }
}
