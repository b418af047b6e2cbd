//! Finding and opening a repository as git would, or saying which kind it is that cannot be handled.

use std::path::{Path, PathBuf};
use std::sync::Once;

use super::{Config, Repo};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::snapshot::HashKind;

/// How a repository is found; unlike `Repo`, this can be handed to another thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    folder: PathBuf,
    /// Whether git's environment variables have a say, as they do for the repository that the caller is in.
    environment: Environment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Environment {
    Honoured,
    Ignored,
}

impl Opening {
    /// Opens the repository.
    pub fn open(&self) -> Result<Repo, Diagnostic> {
        prepare();
        let dir = &self.folder;
        let git2 = match self.environment {
            Environment::Honoured => find(dir),
            Environment::Ignored => git2::Repository::open(dir),
        };
        let git2 = git2.map_err(|error| explain(dir, &error))?;
        // A namespace is for what is served to others; git's own local commands do not look at it.
        let _ = git2.remove_namespace();
        refuse_half_known(&git2)?;
        let config = Config::of(&git2)?;
        let index_file = self.index_file(&git2);
        Ok(Repo { git2, config, opening: self.clone(), index_file })
    }

    fn index_file(&self, git2: &git2::Repository) -> PathBuf {
        let given = match self.environment {
            Environment::Honoured => std::env::var_os("GIT_INDEX_FILE").filter(|file| !file.is_empty()),
            Environment::Ignored => None,
        };
        let Some(given) = given.map(PathBuf::from) else { return git2.path().join("index") };
        // As git reads it: a relative one counts from the top of the worktree, where git's commands run.
        let top = git2.workdir().unwrap_or(git2.path());
        if given.is_absolute() { given } else { top.join(given) }
    }
}

impl Repo {
    /// Opens the repository that git would use in `dir`, its environment variables honoured.
    pub fn open(dir: &Path) -> Result<Repo, Diagnostic> {
        Opening { folder: dir.to_owned(), environment: Environment::Honoured }.open()
    }

    /// Opens the worktree at `dir`, whatever git's environment variables say about the one that the caller is in.
    pub fn open_worktree(dir: &Path) -> Result<Repo, Diagnostic> {
        Opening { folder: dir.to_owned(), environment: Environment::Ignored }.open()
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
        if let Some(prefix) = std::env::var("GIT_PREFIX").ok().filter(|prefix| !prefix.is_empty()) {
            return prefix.trim_end_matches('/').to_owned();
        }
        let Some(root) = self.git2.workdir().and_then(|root| root.canonicalize().ok()) else { return String::new() };
        let Ok(here) = self.opening.folder.canonicalize() else { return String::new() };
        here.strip_prefix(&root).ok().and_then(Path::to_str).unwrap_or_default().to_owned()
    }
}

/// Tells libgit2, once, which formats that it does not know change nothing for us.
fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Safety: libgit2 keeps the list in a static variable; `Once` makes this the only write, ahead of any read
        // of ours. What the names mean: partialclone (objects may have to be fetched: the reader does), noop-v1
        // (nothing), refstorage (`find` lets only `files` pass).
        #[expect(unsafe_code, reason = "libgit2 offers no other way to say so")]
        let _ = unsafe { git2::opts::set_extensions(&["partialclone", "noop-v1", "refstorage"]) };
    });
}

/// Opens what `GIT_DIR` names, or else searches upwards from `dir`.
fn find(dir: &Path) -> Result<git2::Repository, git2::Error> {
    if std::env::var_os("GIT_DIR").is_some() {
        return git2::Repository::open_from_env();
    }
    let flags = git2::RepositoryOpenFlags::FROM_ENV;
    let ceilings: Vec<PathBuf> = std::env::var_os("GIT_CEILING_DIRECTORIES")
        .map(|list| std::env::split_paths(&list).filter(|folder| folder.is_absolute()).collect())
        .unwrap_or_default();
    git2::Repository::open_ext(dir, flags, ceilings)
}

/// Says in git's own words, where it has any, why `dir` holds no repository that can be used.
fn explain(dir: &Path, error: &git2::Error) -> Diagnostic {
    let refuse = |message: String| Diagnostic::new(Code::UnsupportedRepository, message);
    let folder = shown(&dir.to_string_lossy());
    let words = error.message();
    if error.code() == git2::ErrorCode::NotFound {
        return refuse(format!("not a git repository (or any of the parent directories): {folder}"))
            .note("run inside a repository, or name one with -C <dir>");
    }
    if error.code() == git2::ErrorCode::Owner {
        let owned = words.split('\'').nth(1).map_or(folder, shown);
        return refuse(format!("detected dubious ownership in repository at '{owned}'")).note(format!(
            "to add an exception for this directory, call: git config --global --add safe.directory {owned}"
        ));
    }
    refuse(format!("cannot open the repository at {folder}: {}", shown(words)))
}

/// Refuses what libgit2 would open and then misread.
fn refuse_half_known(git2: &git2::Repository) -> Result<(), Diagnostic> {
    let Ok(config) = git2.config().and_then(|mut config| config.snapshot()) else { return Ok(()) };
    match config.get_str("extensions.refstorage") {
        Err(_) | Ok("files") => Ok(()),
        Ok(storage) => Err(Diagnostic::new(
            Code::UnsupportedRepository,
            format!("the repository keeps its refs in the format `{}`, which is not supported", shown(storage)),
        )
        .note("`git refs migrate --ref-format=files` converts it")),
    }
}
