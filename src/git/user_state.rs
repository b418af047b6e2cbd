//! What this program keeps for its user about one clone, outside of it: which configurations were trusted, and a key.
//!
//! ```text
//! $XDG_STATE_HOME/git-segedit/clones/<name>/      (~/.local/state, where that is not set)
//!   repository     the git folder, for people
//!   key            64 hexadecimal digits
//!   trusted/<id>   an empty file for each configuration
//!   trusted/filter-<id>   a file for each setting of a filter, with the setting's name
//!   trusted-<name>/<id>   the same for a worktree that is not where the repository has it, named after its path
//! ```
//!
//! `<name>` is made of the git folder's path, inode and time of birth: a folder that was unpacked or cloned to where another one stood has
//! nothing here. A seal is the HMAC-SHA-256 of a record under the key. Whoever made the git folder cannot make one.
//!
//! Invariant: nothing is kept below a folder of somebody else's. Without a home of one's own, nothing is sealed or remembered.

use std::fs::{self, DirBuilder};
use std::io::{ErrorKind, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::{Repo, failure};
use crate::diagnostic::{Code, Diagnostic};
use crate::snapshot::{HashKind, Id};
use crate::text::ascii::{from_hexadecimal, to_hexadecimal};

#[cfg(not(test))]
use super::environment;

/// Whose a record is, by its seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// This program wrote it, for this user and this clone.
    Ours,
    /// It bears none: it was written where no key could be kept, or by a version from before the seal, or by anybody.
    Missing,
    /// It bears one that is not made with our key.
    Foreign,
}

/// A key's length, and a seal's, in hexadecimal digits.
const DIGITS: usize = 64;

const KEY: &str = "key";

const REPOSITORY: &str = "repository";

const TRUSTED: &str = "trusted";
/// What the names begin with that stand for settings of filters.
const FILTER: &str = "filter-";

/// Returns the name that stands for the setting `name` of a filter with the value `value`.
pub(super) fn filter_name(name: &[u8], value: &[u8]) -> String {
    // No name of a setting has a NUL.
    let text = [name, b"\0", value].concat();
    format!("{FILTER}{}", Id::of_blob(HashKind::Sha256, &text).0)
}

impl Repo {
    /// Returns `text`, which is of the sort `what`, with our seal behind it in a line of its own; as it is where there is no key
    /// to be had. `text` has no line break.
    pub fn sealed(&self, what: &str, mut text: Vec<u8>) -> Vec<u8> {
        if let Some(mac) = self.key_or_new().and_then(|key| mac(&key, what, &text)) {
            text.push(b'\n');
            text.extend_from_slice(to_hexadecimal(&mac.finalize().into_bytes()).as_bytes());
            text.push(b'\n');
        }
        text
    }

    /// Refuses where no key can be kept, so that nothing could be known again as written for this user; `attempt` is what wants it.
    pub fn need_key(&self, attempt: &str) -> Result<(), Diagnostic> {
        match self.key_or_new() {
            Some(_) => Ok(()),
            None => Err(no_own_folder(attempt)),
        }
    }

    /// Returns what `sealed` was given, and whose it is.
    pub fn unsealed<'t>(&self, what: &str, bytes: &'t [u8]) -> (&'t [u8], Seal) {
        let Some((text, seal)) = split(bytes) else {
            return (bytes, Seal::Missing);
        };
        // Without a key, as where the home is another than it was, nobody can tell.
        let Some(key) = self.key() else {
            return (text, Seal::Missing);
        };
        let holds = mac(&key, what, text)
            .zip(from_hexadecimal(seal))
            .is_some_and(|(mac, seal)| mac.verify_slice(&seal).is_ok());
        (text, if holds { Seal::Ours } else { Seal::Foreign })
    }

    /// Says whether the configuration called `id` was trusted for this clone.
    pub fn is_trusted(&self, id: &Id) -> bool {
        self.own_folder().is_some_and(|own| {
            own.join(self.trusted())
                .join(&id.0)
                .symlink_metadata()
                .is_ok()
        })
    }

    /// Returns the names under which settings of filters were trusted for this clone, each with the setting's own name; sorted.
    pub(super) fn trusted_filters(&self) -> Vec<(String, Vec<u8>)> {
        let Some(trusted) = self.own_folder().map(|own| own.join(self.trusted())) else {
            return Vec::new();
        };
        let entries = fs::read_dir(&trusted)
            .into_iter()
            .flatten()
            .filter_map(Result::ok);
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut known: Vec<_> = names
            .filter(|name| name.starts_with(FILTER))
            .map(|name| {
                let setting = fs::read(trusted.join(&name)).unwrap_or_default();
                (name, setting)
            })
            .collect();
        known.sort();
        known
    }

    /// Remembers that the setting `name` of a filter was trusted for this clone with the value `value`.
    pub(super) fn trust_filter(&self, name: &[u8], value: &[u8]) -> Result<(), Diagnostic> {
        self.remember(&filter_name(name, value), name)
    }

    /// Forgets every setting of a filter that was trusted for this clone.
    pub(super) fn distrust_filters(&self) -> Result<(), Diagnostic> {
        for (name, _) in self.trusted_filters() {
            self.forget(&name)?;
        }
        Ok(())
    }

    /// Remembers that the configuration called `id` was trusted for this clone.
    pub fn trust(&self, id: &Id) -> Result<(), Diagnostic> {
        self.remember(&id.0, b"")
    }

    fn remember(&self, name: &str, content: &[u8]) -> Result<(), Diagnostic> {
        let attempt = "remember what was trusted";
        let own = self
            .own_folder_or_new()
            .ok_or_else(|| no_own_folder(attempt))?;
        let remember = || {
            let trusted = own.join(self.trusted());
            make(&trusted)?;
            fs::write(trusted.join(name), content)
        };
        remember().map_err(failure::system(attempt))
    }

    /// Forgets that the configuration called `id` was trusted for this clone; says whether it was.
    pub fn distrust(&self, id: &Id) -> Result<bool, Diagnostic> {
        self.forget(&id.0)
    }

    fn forget(&self, name: &str) -> Result<bool, Diagnostic> {
        let Some(own) = self.own_folder() else {
            return Ok(false);
        };
        match fs::remove_file(own.join(self.trusted()).join(name)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(failure::system("forget what was trusted")(error)),
        }
    }

    /// Returns the name of the folder with what was trusted. Programs are taken from a worktree's own folders, so a folder that
    /// somebody made into a worktree of this repository is asked about by itself.
    fn trusted(&self) -> String {
        match self.workdir() {
            Some(root) if !self.is_in_its_place() => {
                let root = root.canonicalize().unwrap_or(root.to_owned());
                format!(
                    "{TRUSTED}-{}",
                    Id::of_blob(HashKind::Sha1, root.as_os_str().as_bytes()).0
                )
            }
            _ => TRUSTED.to_owned(),
        }
    }

    /// Returns the user's folder about this clone, which may not be there yet.
    fn own_folder(&self) -> Option<PathBuf> {
        let common = self.common_dir().canonicalize().ok()?;
        let found = fs::metadata(&common).ok()?;
        // The inode of a folder that went is given to the next; when it was made, an archive cannot set.
        let made = found
            .created()
            .ok()
            .and_then(|made| made.duration_since(UNIX_EPOCH).ok());
        let made = made.map_or(0, |made| made.as_nanos());
        let name = [
            common.as_os_str().as_bytes(),
            format!("\n{} {made}", found.ino()).as_bytes(),
        ]
        .concat();
        Some(
            self.own_folders()?
                .join(Id::of_blob(HashKind::Sha1, &name).0),
        )
    }

    #[cfg(not(test))]
    fn own_folders(&self) -> Option<PathBuf> {
        let absolute = |name: &str| {
            environment::variable(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let home = || {
            absolute("HOME")
                .filter(|home| home.is_dir())
                .map(|home| home.join(".local/state"))
        };
        let clones = absolute("XDG_STATE_HOME")
            .or_else(home)?
            .join("git-segedit")
            .join("clones");
        environment::is_own(&clones).then_some(clones)
    }

    /// Tests keep theirs beside the repository that they make.
    #[cfg(test)]
    fn own_folders(&self) -> Option<PathBuf> {
        super::testing::beside(self.common_dir(), "state")
    }

    fn own_folder_or_new(&self) -> Option<PathBuf> {
        let own = self.own_folder()?;
        if !own.is_dir() {
            if let Some(all) = own.parent() {
                clear(all);
            }
            make(&own).ok()?;
            let common = self.common_dir().canonicalize().ok()?;
            fs::write(own.join(REPOSITORY), common.as_os_str().as_bytes()).ok()?;
        }
        Some(own)
    }

    fn key(&self) -> Option<[u8; DIGITS / 2]> {
        let text = fs::read_to_string(self.own_folder()?.join(KEY)).ok()?;
        from_hexadecimal(text.as_bytes())?.try_into().ok()
    }

    fn key_or_new(&self) -> Option<[u8; DIGITS / 2]> {
        if let Some(key) = self.key() {
            return Some(key);
        }
        let own = self.own_folder_or_new()?;
        let mut key = [0; DIGITS / 2];
        rustix::rand::getrandom(&mut key, rustix::rand::GetRandomFlags::empty()).ok()?;
        let mut file = tempfile::NamedTempFile::new_in(&own).ok()?;
        file.write_all(to_hexadecimal(&key).as_bytes()).ok()?;
        // Before what it seals: a record that outlives its key is nobody's.
        file.as_file().sync_all().ok()?;
        if self.key().is_none() {
            // What a full disk left.
            let _ = fs::remove_file(own.join(KEY));
        }
        // Another process may have been faster: then its key is the one.
        let _ = file.persist_noclobber(own.join(KEY));
        self.key()
    }
}

fn no_own_folder(attempt: &str) -> Diagnostic {
    let message =
        format!("could not {attempt}: there is no home folder of your own that can be written");
    Diagnostic::new(Code::Io, message).note(
        "what is remembered for you alone is kept below `$XDG_STATE_HOME`, or `~/.local/state`",
    )
}

/// Makes `folder` for nobody else's eyes.
fn make(folder: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Removes what was kept for clones that are gone for a month.
fn clear(all: &Path) {
    const LONG: Duration = Duration::from_secs(30 * 24 * 60 * 60);
    for folder in fs::read_dir(all)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| entry.path())
    {
        let Ok(named) = fs::read(folder.join(REPOSITORY)) else {
            continue;
        };
        let gone = !named.is_empty() && !Path::new(std::ffi::OsStr::from_bytes(&named)).exists();
        let age = fs::metadata(&folder)
            .and_then(|metadata| metadata.modified())
            .map(|time| time.elapsed());
        if gone && matches!(age, Ok(Ok(age)) if age > LONG) {
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

/// Begins a seal on `text`, which is of the sort `what`: one of a journal is none of an intent.
fn mac(key: &[u8], what: &str, text: &[u8]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(what.as_bytes());
    mac.update(b"\n");
    mac.update(text);
    Some(mac)
}

/// Takes apart what `sealed` put together; `None` where that is not what it is.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = bytes.strip_suffix(b"\n")?;
    let at = line.len().checked_sub(DIGITS)?;
    let (text, seal) = (line.get(..at)?.strip_suffix(b"\n")?, line.get(at..)?);
    seal.iter()
        .all(u8::is_ascii_hexdigit)
        .then_some((text, seal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;

    #[test]
    fn a_seal_holds_for_one_text_of_one_sort_in_one_clone() {
        let (sandbox, other) = (Sandbox::new(&[]), Sandbox::new(&[]));
        let repo = sandbox.repo();
        let sealed = repo.sealed("journal", b"{}".to_vec());
        assert_eq!(repo.unsealed("journal", &sealed), (&b"{}"[..], Seal::Ours));
        assert_eq!(sandbox.repo().unsealed("journal", &sealed).1, Seal::Ours);
        assert_eq!(repo.unsealed("intent", &sealed).1, Seal::Foreign);
        assert_eq!(
            other.repo().unsealed("journal", &sealed).1,
            Seal::Missing,
            "there is no key to tell by"
        );
        assert_ne!(other.repo().sealed("journal", b"{}".to_vec()), sealed);
        assert_eq!(other.repo().unsealed("journal", &sealed).1, Seal::Foreign);
        assert_eq!(repo.unsealed("journal", b"{}"), (&b"{}"[..], Seal::Missing));
        let forged = [b"{ }", &sealed[2..]].concat();
        assert_eq!(
            repo.unsealed("journal", &forged),
            (&b"{ }"[..], Seal::Foreign)
        );
    }

    #[test]
    fn a_git_folder_that_takes_the_place_of_another_is_another_clone() {
        let sandbox = Sandbox::new(&[]);
        let id = Id("1".repeat(40));
        sandbox.repo().trust(&id).unwrap();
        let sealed = sandbox.repo().sealed("journal", b"{}".to_vec());
        assert!(sandbox.repo().is_trusted(&id));
        let git = sandbox.root().join(".git");
        fs::rename(&git, sandbox.beside("moved")).unwrap();
        let copied = std::process::Command::new("cp")
            .arg("-a")
            .arg(sandbox.beside("moved"))
            .arg(&git)
            .status();
        assert!(copied.unwrap().success());
        assert!(!sandbox.repo().is_trusted(&id));
        assert_eq!(sandbox.repo().unsealed("journal", &sealed).1, Seal::Missing);
    }

    #[test]
    fn a_broken_key_is_made_anew() {
        let sandbox = Sandbox::new(&[]);
        let repo = sandbox.repo();
        repo.sealed("journal", b"{}".to_vec());
        let key = repo.own_folder().unwrap().join(KEY);
        for broken in ["", "xyz", &"0".repeat(62), &"g".repeat(64)] {
            fs::write(&key, broken).unwrap();
            let sealed = repo.sealed("journal", b"{}".to_vec());
            assert_eq!(repo.unsealed("journal", &sealed).1, Seal::Ours, "{broken}");
        }
        assert_eq!(
            fs::metadata(&key).unwrap().mode() & 0o077,
            0,
            "nobody else reads it"
        );
    }
}
