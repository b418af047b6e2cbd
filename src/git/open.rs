//! Finding and opening a repository as git would, or saying which kind it is that cannot be handled.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, Once, PoisonError};

use super::base::environment::{folders, variable};
use super::base::index_file::ReadIndex;
use super::base::opening::{Durability, Environment, FlushedWrites, Opening, Starts};
use super::base::rules::Rules;
use super::checkouts::leads_to;
use super::program::LOCAL;
use super::{Config, Repo, failure};
use crate::diagnostic::{Code, Diagnostic, DiagnosticMark, shown};
use crate::snapshot::HashKind;

impl Opening {
    fn at(dir: &Path, environment: Environment) -> Opening {
        let (durability, written, starts) =
            (Durability::Configured, FlushedWrites::Refs, Starts::AsGit);
        Opening {
            folder: dir.to_owned(),
            environment,
            durability,
            written,
            starts,
        }
    }

    /// Says whether git's environment variables have a say.
    pub(super) fn heeds_environment(&self) -> bool {
        self.environment == Environment::Honoured
    }

    /// Opens the repository.
    pub fn open(&self) -> Result<Repo, Diagnostic> {
        prepare();
        let dir = &self.folder;
        let git2 = match self.environment {
            Environment::Honoured => find(dir),
            Environment::Ignored => git2::Repository::open(dir),
        };
        let git2 = match git2 {
            Err(error) if error.code() == git2::ErrorCode::Owner => {
                self.open_as_git_allows(&error)?
            }
            git2 => git2.map_err(|error| explain(dir, &error))?,
        };
        let git2 = self
            .without_foreign_worktree(git2)
            .map_err(|error| explain(dir, &error))?;
        if self.environment == Environment::Honoured {
            place_worktree(&git2).map_err(|error| explain(dir, &error))?;
        }
        // A namespace is for what is served to others; git's own local commands do not look at it.
        let _ = git2.remove_namespace();
        refuse_half_known(&git2)?;
        let config = Config::of(&git2, self.durability, self.written)?;
        if self.environment == Environment::Honoured && variable("GIT_DIR").is_none() {
            refuse_bare(&git2, dir, &config)?;
        }
        let index_file = self.index_file(&git2);
        let (opening, rules) = (self.clone(), Rules::default());
        let (store, quarantined, repository_filters) =
            (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Ok(Repo {
            git2,
            config,
            opening,
            index_file,
            index_as_read: ReadIndex::default(),
            rules,
            store,
            quarantined,
            repository_filters,
        })
    }

    /// Opens a repository that libgit2 takes for somebody else's, if git does not: it knows more ways to allow one, on the command
    /// line among them, and asks nothing where `GIT_DIR` names it.
    fn open_as_git_allows(&self, error: &git2::Error) -> Result<git2::Repository, Diagnostic> {
        let mut git = Command::new("git");
        git.args(["rev-parse", "--absolute-git-dir"])
            .current_dir(&self.folder)
            .env("LC_ALL", "C");
        if self.environment == Environment::Ignored {
            for variable in LOCAL {
                git.env_remove(variable);
            }
        }
        let answer = git
            .stdin(Stdio::null())
            .output()
            .map_err(failure::system("run the git program"))?;
        if !answer.status.success() {
            return Err(explain(&self.folder, error));
        }
        // Asked and answered for this very folder: that libgit2 asks once more is put off for just this opening.
        let found = unowned(|| match self.environment {
            Environment::Honoured => find(&self.folder),
            Environment::Ignored => git2::Repository::open(&self.folder),
        })
        .map_err(|error| explain(&self.folder, &error))?;
        let meant = PathBuf::from(OsStr::from_bytes(answer.stdout.trim_ascii_end())).canonicalize();
        // Where git found another one, it said nothing of this.
        let is_meant = meant.is_ok_and(|meant| {
            found
                .path()
                .canonicalize()
                .is_ok_and(|found| found == meant)
        });
        if is_meant {
            Ok(found)
        } else {
            Err(explain(&self.folder, error))
        }
    }

    /// Returns `git2` with the worktree that git gives it, or with none, if it has one by its own word alone.
    ///
    /// To git a worktree is the folder whose `.git` leads to the git folder, or what the caller or `core.worktree` names; where the
    /// search comes to the git folder itself, as in one among a clone's files, there is none. libgit2 takes the folder that the
    /// file `gitdir` names, or the one above, whosever it is.
    fn without_foreign_worktree(
        &self,
        git2: git2::Repository,
    ) -> Result<git2::Repository, git2::Error> {
        let is_set = |name: &str| self.heeds_environment() && variable(name).is_some();
        let Some(worktree) = git2.workdir() else {
            return Ok(git2);
        };
        let is_named = is_set("GIT_DIR") || is_set("GIT_WORK_TREE");
        let is_configured = !git2.is_worktree() && has_configured_worktree(&git2);
        if is_named || is_configured || leads_to(worktree, git2.path()) {
            return Ok(git2);
        }
        let here = self.folder.canonicalize().unwrap_or(self.folder.clone());
        if let Some(around) = here
            .ancestors()
            .find(|folder| leads_to(folder, git2.path()))
        {
            git2.set_workdir(around, false)?;
            return Ok(git2);
        }
        let flags = git2::RepositoryOpenFlags::BARE | git2::RepositoryOpenFlags::NO_SEARCH;
        let open = || git2::Repository::open_ext(git2.path(), flags, &[] as &[&OsStr]);
        match open() {
            // Whose it is was asked, and answered, when it was opened before.
            Err(error) if error.code() == git2::ErrorCode::Owner => unowned(open),
            opened => opened,
        }
    }

    fn index_file(&self, git2: &git2::Repository) -> PathBuf {
        let given = match self.environment {
            Environment::Honoured => variable("GIT_INDEX_FILE"),
            Environment::Ignored => None,
        };
        let Some(given) = given.map(PathBuf::from) else {
            return git2.path().join("index");
        };
        // As git reads it: a relative one counts from the top of the worktree, where git's commands run.
        let top = git2.workdir().unwrap_or(git2.path());
        if given.is_absolute() {
            given
        } else {
            top.join(given)
        }
    }
}

impl Repo {
    /// Opens the repository that git would use in `dir`, its environment variables honoured.
    pub fn open(dir: &Path) -> Result<Repo, Diagnostic> {
        Opening::at(dir, Environment::Honoured).open()
    }

    /// Does the same, with what is written as durable as `durability` says.
    pub fn open_as(dir: &Path, durability: Durability) -> Result<Repo, Diagnostic> {
        Opening {
            durability,
            ..Opening::at(dir, Environment::Honoured)
        }
        .open()
    }

    /// Does the same for whoever reads, or asks what is configured and where the caller stands. Nothing may be written through
    /// it, and nothing starts that the repository brings along.
    pub fn glance(dir: &Path) -> Result<Repo, Diagnostic> {
        let starts = Starts::OnlyTheCallers;
        Opening {
            written: FlushedWrites::Nothing,
            starts,
            ..Opening::at(dir, Environment::Honoured)
        }
        .open()
    }

    /// Returns it for whoever writes as well, with what is written as durable as `durability` says.
    pub fn for_writing(self, durability: Durability) -> Result<Repo, Diagnostic> {
        let opening = Opening {
            durability,
            written: FlushedWrites::Refs,
            starts: Starts::AsGit,
            ..self.opening
        };
        let config = self
            .config
            .laid_over(&self.git2, opening.durability, opening.written)?;
        Ok(Repo {
            config,
            opening,
            store: OnceCell::new(),
            ..self
        })
    }

    /// Opens the worktree at `dir`, whatever git's environment variables say about the one that the caller is in.
    pub fn open_worktree(dir: &Path) -> Result<Repo, Diagnostic> {
        Opening::at(dir, Environment::Ignored).open()
    }

    /// Returns how this repository was found, to open it again in another thread.
    pub fn opening(&self) -> Opening {
        self.opening.clone()
    }

    /// Returns which hash names the objects.
    pub fn hash_kind(&self) -> HashKind {
        match self.git2.object_format() {
            git2::ObjectFormat::Sha1 => HashKind::Sha1,
            git2::ObjectFormat::Sha256 => HashKind::Sha256,
        }
    }

    /// Returns whether there is no worktree to speak of.
    pub fn is_bare(&self) -> bool {
        self.git2.is_bare() || self.git2.workdir().is_none()
    }

    /// Returns the worktree's folder.
    pub fn workdir(&self) -> Option<&Path> {
        self.git2.workdir()
    }

    /// Returns this worktree's own git folder.
    pub fn git_dir(&self) -> &Path {
        self.git2.path()
    }

    /// Returns the git folder that all worktrees share.
    pub fn common_dir(&self) -> &Path {
        self.git2.commondir()
    }

    /// Returns where the caller stands below the repository's root, `/`-separated and without a slash at the end;
    /// empty at the root, in a bare repository, and outside the worktree.
    pub fn prefix(&self) -> String {
        // A shell alias of git's runs at the root and says in GIT_PREFIX where it was called.
        if let Some(prefix) = variable("GIT_PREFIX").and_then(|prefix| prefix.into_string().ok()) {
            return prefix.trim_end_matches('/').to_owned();
        }
        let Some(root) = self
            .git2
            .workdir()
            .and_then(|root| root.canonicalize().ok())
        else {
            return String::new();
        };
        let Ok(here) = self.opening.folder.canonicalize() else {
            return String::new();
        };
        here.strip_prefix(&root)
            .ok()
            .and_then(Path::to_str)
            .unwrap_or_default()
            .to_owned()
    }
}

/// Tells libgit2, once, which formats that it does not know change nothing for us, and not to hash what it reads: it takes
/// several times as long for that as `ground::check_intact`, and git itself leaves trees and commits to `git fsck`.
fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        git2::opts::strict_hash_verification(false);
        // Safety: libgit2 keeps the list in a static variable; `Once` makes this the only write, ahead of any read
        // of ours. What the names mean: partialclone (objects may have to be fetched: the reader does), noop-v1
        // (nothing), refstorage (`find` lets only `files` pass).
        #[expect(unsafe_code, reason = "libgit2 offers no other way to say so")]
        let _ = unsafe { git2::opts::set_extensions(&["partialclone", "noop-v1", "refstorage"]) };
    });
}

/// Does `open` without libgit2's question whose the repository is.
fn unowned<T>(open: impl FnOnce() -> Result<T, git2::Error>) -> Result<T, git2::Error> {
    static ONE: Mutex<()> = Mutex::new(());
    let _alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Safety: libgit2 keeps the switch in a static variable that it reads when it opens a repository.
    let ask = |whether: bool| {
        #[expect(unsafe_code, reason = "libgit2 offers no other way to say so")]
        unsafe {
            git2::opts::set_verify_owner_validation(whether)
        }
    };
    ask(false)?;
    let opened = open();
    ask(true)?;
    opened
}

/// Refuses a bare repository that was found by searching from `dir`, where the caller wants only those that are named: it may be
/// content of another one, and its configuration anybody's.
fn refuse_bare(git2: &git2::Repository, dir: &Path, config: &Config) -> Result<(), Diagnostic> {
    const KEY: &str = "safe.barerepository";
    if config.protected(KEY) != Some("explicit") || !is_found_by_itself(git2.path(), dir) {
        return Ok(());
    }
    let folder = git2.path().to_string_lossy();
    let folder = folder.strip_suffix('/').unwrap_or(&folder);
    let message = format!(
        "cannot use bare repository '{}' (safe.bareRepository is 'explicit')",
        shown(folder)
    );
    Err(Diagnostic::new(Code::UnsupportedRepository, message)
        .note("if you know it, name it: GIT_DIR=<folder> git segedit …, or `git --git-dir=<folder> segedit …`"))
}

/// Says whether the search from `dir` upwards came to the git folder `found` itself, and not to a `.git` that leads there; what
/// stands where git keeps its own is as good as that. This is git's `is_implicit_bare_repo` and its surroundings in `setup.c`.
fn is_found_by_itself(found: &Path, dir: &Path) -> bool {
    let (Ok(found), Ok(dir)) = (found.canonicalize(), dir.canonicalize()) else {
        return true;
    };
    let is_inside = |inner: &str| found.to_string_lossy().contains(inner);
    if found.ends_with(".git") || is_inside("/.git/worktrees/") || is_inside("/.git/modules/") {
        return false;
    }
    let leads_there = |folder: &Path| {
        let pointer = folder.join(".git");
        pointer.is_file() || pointer.canonicalize().is_ok_and(|pointer| pointer == found)
    };
    // A file that leads nowhere would have ended the search.
    !dir.ancestors()
        .take_while(|folder| **folder != *found)
        .any(leads_there)
        && !leads_there(&found)
}

/// Opens what `GIT_DIR` names, or else searches upwards from `dir`.
fn find(dir: &Path) -> Result<git2::Repository, git2::Error> {
    if variable("GIT_DIR").is_some() {
        return git2::Repository::open_from_env();
    }
    let flags = git2::RepositoryOpenFlags::FROM_ENV;
    git2::Repository::open_ext(dir, flags, folders("GIT_CEILING_DIRECTORIES"))
}

/// Puts the worktree where git has it: at `GIT_WORK_TREE`, which counts from the process's folder, or, with `GIT_DIR` and
/// nothing that says otherwise, in that folder itself. libgit2 has ideas of its own about both.
fn place_worktree(git2: &git2::Repository) -> Result<(), git2::Error> {
    let set = |name: &str| variable(name).map(PathBuf::from);
    let place = match (set("GIT_WORK_TREE"), set("GIT_DIR")) {
        (Some(worktree), _) => worktree,
        (None, Some(_)) if !git2.is_bare() && !has_configured_worktree(git2) => PathBuf::from("."),
        (None, _) => return Ok(()),
    };
    git2.set_workdir(&place.canonicalize().unwrap_or(place), false)
}

fn has_configured_worktree(git2: &git2::Repository) -> bool {
    git2.config()
        .and_then(|config| config.get_path("core.worktree"))
        .is_ok()
}

/// Says in git's own words, where it has any, why `dir` holds no repository that can be used.
fn explain(dir: &Path, error: &git2::Error) -> Diagnostic {
    let refuse = |message: String| Diagnostic::new(Code::UnsupportedRepository, message);
    let folder = shown(&dir.to_string_lossy());
    let words = error.message();
    if error.code() == git2::ErrorCode::NotFound {
        return refuse(format!(
            "not a git repository (or any of the parent directories): {folder}"
        ))
        .note("run inside a repository, or name one with -C <dir>")
        .marked(DiagnosticMark::NoRepository);
    }
    if error.code() == git2::ErrorCode::Owner {
        let owned = words.split('\'').nth(1).map_or(folder, shown);
        return refuse(format!("detected dubious ownership in repository at '{owned}'")).note(format!(
            "to add an exception for this directory, call: git config --global --add safe.directory {owned}"
        ));
    }
    refuse(format!(
        "cannot open the repository at {folder}: {}",
        shown(words)
    ))
}

/// Refuses what libgit2 would open and then misread.
fn refuse_half_known(git2: &git2::Repository) -> Result<(), Diagnostic> {
    let Ok(config) = git2.config().and_then(|mut config| config.snapshot()) else {
        return Ok(());
    };
    match config.get_str("extensions.refstorage") {
        Err(_) | Ok("files") => Ok(()),
        Ok(storage) => Err(Diagnostic::new(
            Code::UnsupportedRepository,
            format!(
                "the repository keeps its refs in the format `{}`, which is not supported",
                shown(storage)
            ),
        )
        .note("`git refs migrate --ref-format=files` converts it")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::{Sandbox, child, child_folder, path, run};
    use crate::git::{Head, ReadSource};

    /// What a child finds in its environment, each case by its name.
    fn in_child(case: &str, folder: &Path) {
        let repo =
            Repo::open(Path::new(".")).unwrap_or_else(|refusal| panic!("{case}: {refusal:?}"));
        match case {
            "git-dir" => {
                assert!(
                    repo.git_dir().starts_with(
                        folder
                            .parent()
                            .unwrap()
                            .join("repo/.git")
                            .canonicalize()
                            .unwrap()
                    )
                );
                assert_eq!(
                    &repo
                        .show(&ReadSource::Worktree, &path("w.txt"))
                        .unwrap()
                        .bytes[..],
                    b"elsewhere\n"
                );
            }
            "index" => {
                assert!(repo.show(&ReadSource::Index, &path("a.txt")).is_err());
                assert!(repo.index_path().ends_with("other-index"));
            }
            "config" => {
                assert_eq!(repo.config().get("user.name").as_deref(), Some("Given"));
                assert_eq!(
                    repo.config().get("segedit.trust").as_deref(),
                    Some("always")
                );
                assert_eq!(repo.config().get_bool("core.filemode"), Some(false));
                assert!(!repo.worktree().unwrap().trusts_mode());
                assert_eq!(repo.committer().unwrap().name, "Given");
            }
            "identity" => {
                assert_eq!(
                    repo.author().unwrap().line(),
                    "An Author <a@x> 1700000000 +0130"
                );
                assert_eq!(
                    repo.committer().unwrap().line(),
                    "C O Mitter <c@x> 1234567890 -0800"
                );
            }
            "nobody" => {
                let refusal = repo.committer().unwrap_err();
                let text = format!("{} {}", refusal.message, refusal.notes.join(" "));
                assert!(text.contains("Committer identity unknown"), "{text}");
                assert!(text.contains("git config --global user.email"), "{text}");
            }
            "prefix" => assert_eq!(repo.prefix(), "sub/deeper"),
            "here" => assert_eq!(repo.prefix(), "sub"),
            other => panic!("{other}?"),
        }
    }

    #[test]
    fn the_environment_is_honoured_as_by_git() {
        if let Some(folder) = child_folder() {
            return in_child(&std::env::var("SEGEDIT_TEST_CASE").unwrap(), &folder);
        }
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n"), ("sub/b.txt", "bee\n")]);
        let elsewhere = sandbox.beside("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        std::fs::write(elsewhere.join("w.txt"), "elsewhere\n").unwrap();
        let check = |case: &str, folder: &Path, variables: &[(&str, &str)]| {
            let mut command = child(
                "git::open::tests::the_environment_is_honoured_as_by_git",
                folder,
            );
            run(command
                .env("SEGEDIT_TEST_CASE", case)
                .envs(variables.iter().copied()));
        };
        check(
            "git-dir",
            &elsewhere,
            &[("GIT_DIR", "../repo/.git"), ("GIT_WORK_TREE", ".")],
        );
        check(
            "index",
            sandbox.root(),
            &[("GIT_INDEX_FILE", ".git/other-index")],
        );
        let counted = [
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "core.fileMode"),
            ("GIT_CONFIG_VALUE_0", "false"),
        ];
        let given = (
            "GIT_CONFIG_PARAMETERS",
            "'user.name'='Given' 'segedit.trust'='always'",
        );
        check("config", sandbox.root(), &[&counted[..], &[given]].concat());
        check("prefix", sandbox.root(), &[("GIT_PREFIX", "sub/deeper/")]);
        check("here", &sandbox.root().join("sub"), &[]);
        check(
            "identity",
            sandbox.root(),
            &[
                ("GIT_AUTHOR_NAME", "An Author"),
                ("GIT_AUTHOR_EMAIL", "a@x"),
                ("GIT_AUTHOR_DATE", "1700000000 +0130"),
                ("GIT_COMMITTER_NAME", "C O Mitter"),
                ("GIT_COMMITTER_EMAIL", "c@x"),
                ("GIT_COMMITTER_DATE", "@1234567890 -0800"),
            ],
        );
        sandbox.git(&["config", "--unset", "user.name"]);
        sandbox.git(&["config", "--unset", "user.email"]);
        sandbox.git(&["config", "user.useConfigOnly", "true"]);
        check("nobody", sandbox.root(), &[]);
    }

    #[test]
    fn what_cannot_be_handled_is_named() {
        let check = |dir: &Path, words: &str| {
            let refusal = Repo::open(dir).map(|_| ()).unwrap_err();
            assert_eq!(refusal.code, Code::UnsupportedRepository, "{refusal:?}");
            let text = format!("{} {}", refusal.message, refusal.notes.join(" "));
            assert!(text.contains(words), "{text}");
        };
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        check(sandbox.beside("").as_path(), "not a git repository");
        sandbox.git(&["config", "core.repositoryFormatVersion", "1"]);
        sandbox.git(&["config", "extensions.partialClone", "origin"]);
        sandbox.git(&["config", "extensions.worktreeConfig", "true"]);
        sandbox.repo();
        std::fs::write(
            sandbox.root().join(".git/config"),
            "[core]\nrepositoryformatversion = 1\n[extensions]\nfuture = 1\n",
        )
        .unwrap();
        check(sandbox.root(), "future");
        std::fs::write(
            sandbox.root().join(".git/config"),
            "[core]\nrepositoryformatversion = 2\n",
        )
        .unwrap();
        check(sandbox.root(), "version");
        let reftable = Sandbox::new(&["--ref-format=reftable"]);
        check(reftable.root(), "git refs migrate");
        let files = Sandbox::new(&["--ref-format=files"]);
        files.git(&["config", "core.repositoryFormatVersion", "1"]);
        files.git(&["config", "extensions.refStorage", "files"]);
        files.repo();
    }

    #[test]
    fn somebody_elses_repository_is_refused_with_gits_advice() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let chown = std::process::Command::new("chown")
            .args(["-R", "12345:12345"])
            .arg(sandbox.root())
            .status();
        if !chown.is_ok_and(|status| status.success()) {
            return eprintln!("not root: nobody else's repository to be had");
        }
        let refusal = Repo::open(sandbox.root()).map(|_| ()).unwrap_err();
        assert!(refusal.message.contains("dubious ownership"), "{refusal:?}");
        assert!(refusal.notes[0].contains("safe.directory"), "{refusal:?}");
    }

    #[test]
    fn linked_worktrees_and_subfolders_lead_to_the_repository() {
        let sandbox = Sandbox::with(&[], &[("sub/b.txt", "bee\n")]);
        assert_eq!(
            Repo::open(&sandbox.root().join("sub")).unwrap().prefix(),
            "sub"
        );
        let linked = sandbox.beside("linked");
        sandbox.git(&[
            "worktree",
            "add",
            "-q",
            "-b",
            "side",
            linked.to_str().unwrap(),
        ]);
        let repo = Repo::open(&linked.join("sub")).unwrap();
        assert!(
            matches!(repo.head().unwrap(), Head::Branch { name, .. } if name == "refs/heads/side")
        );
        assert_eq!(
            &repo
                .show(&ReadSource::Worktree, &path("sub/b.txt"))
                .unwrap()
                .bytes[..],
            b"bee\n"
        );
    }
}
