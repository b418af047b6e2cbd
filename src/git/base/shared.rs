//! `Shared`: what `core.sharedRepository` grants to others of what is made in the git folder.
//!
//! The umask of whoever publishes says nothing of those who share the repository: a folder of objects that only its maker can
//! write is one that `git commit` of everybody else fails at. So whatever is made in the git folder gets the permissions that
//! git would give it there. Files of the worktree do not, as with git.
//!
//! Best effort: what belongs to another user has its permissions from that user.

use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use rustix::fs::{FileType, Mode as Permissions, OFlags, fchmod, fstat, openat};

use super::held_folder::{FOLDER, open_folder};

/// What is granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::git) enum SharedPermissions {
    /// What the umask leaves.
    #[default]
    Umask,
    /// These permissions to read and write, beside what the umask leaves.
    Also(u32),
    /// These permissions to read and write, whatever the umask leaves.
    Exactly(u32),
}

/// Reading and writing, for the owner and the group.
const GROUP: u32 = 0o660;
/// The same, and reading for everybody.
const EVERYBODY: u32 = 0o664;
/// What a new file or folder in a folder belongs to: the folder's group.
const GROUP_OF_FOLDER: u32 = 0o2000;

impl SharedPermissions {
    /// Returns what the setting says, read as git reads it.
    pub(in crate::git) fn of(word: &str) -> SharedPermissions {
        match word {
            "umask" => SharedPermissions::Umask,
            "group" => SharedPermissions::Also(GROUP),
            "all" | "world" | "everybody" => SharedPermissions::Also(EVERYBODY),
            _ => match u32::from_str_radix(word, 8) {
                Ok(0) => SharedPermissions::Umask,
                Ok(1) => SharedPermissions::Also(GROUP),
                Ok(2) => SharedPermissions::Also(EVERYBODY),
                Ok(mode) if mode & 0o600 == 0o600 => SharedPermissions::Exactly(mode & 0o666),
                // git refuses to work there at all.
                Ok(_) => SharedPermissions::Umask,
                Err(_) if git2::Config::parse_bool(word).unwrap_or(false) => {
                    SharedPermissions::Also(GROUP)
                }
                Err(_) => SharedPermissions::Umask,
            },
        }
    }

    /// Returns the permissions of a file that has `found`.
    pub(in crate::git) fn of_file(self, found: u32) -> u32 {
        let granted = |mut granted: u32| {
            if found & 0o200 == 0 {
                granted &= !0o222;
            }
            if found & 0o100 == 0 {
                granted
            } else {
                granted | readers_may_enter(granted)
            }
        };
        match self {
            SharedPermissions::Umask => found,
            SharedPermissions::Also(mode) => found | granted(mode),
            SharedPermissions::Exactly(mode) => found & !0o777 | granted(mode),
        }
    }

    /// Returns the permissions of a folder that has `found`.
    fn of_folder(self, found: u32) -> u32 {
        if self == SharedPermissions::Umask {
            return found;
        }
        let mode = self.of_file(found);
        let mode = mode | readers_may_enter(mode);
        if mode & 0o060 == 0 {
            mode
        } else {
            mode | GROUP_OF_FOLDER
        }
    }

    /// Gives an open file or folder its permissions.
    pub(in crate::git) fn grant(self, to: impl AsFd) {
        if self == SharedPermissions::Umask {
            return;
        }
        let Ok(stat) = fstat(&to) else { return };
        let found = stat.st_mode & 0o7777;
        let wanted = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => self.of_folder(found),
            FileType::RegularFile => self.of_file(found),
            _ => found,
        };
        if wanted != found {
            let _ = fchmod(&to, Permissions::from_raw_mode(wanted));
        }
    }

    /// Gives the file at `path` below the folder `root`, and each folder on the way, their permissions. No link is followed.
    pub(in crate::git) fn grant_below(self, root: &Path, path: &Path) {
        if self == SharedPermissions::Umask {
            return;
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(mut folder) = rustix::fs::open(
            root,
            FOLDER.difference(OFlags::NOFOLLOW),
            Permissions::empty(),
        ) else {
            return;
        };
        let mut components = path.components().peekable();
        while let Some(Component::Normal(name)) = components.next() {
            if components.peek().is_none() {
                if let Ok(file) = openat(&folder, name, flags, Permissions::empty()) {
                    self.grant(&file);
                }
                return;
            }
            let Ok(inner) = open_folder(&folder, name.as_bytes()) else {
                return;
            };
            self.grant(&inner);
            folder = inner;
        }
    }

    /// Gives a folder that was just made its permissions.
    pub(in crate::git) fn grant_folder(self, folder: &Path) {
        if self != SharedPermissions::Umask
            && let Ok(folder) = rustix::fs::open(folder, FOLDER, Permissions::empty())
        {
            self.grant(&folder);
        }
    }
}

/// Returns permission to execute for all who may read.
fn readers_may_enter(mode: u32) -> u32 {
    (mode & 0o444) >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected permissions are those that git 2.47 gave in a repository set so, with a umask of 022.
    #[test]
    fn what_is_set_is_read_as_git_reads_it() {
        let check = |word: &str, file: u32, object: u32, folder: u32| {
            let shared = SharedPermissions::of(word);
            let found = (
                shared.of_file(0o644),
                shared.of_file(0o444),
                shared.of_folder(0o755),
            );
            assert_eq!(found, (file, object, folder), "{word}");
        };
        for word in ["umask", "false", "0", "no", "off", "nonsense", "0060"] {
            check(word, 0o644, 0o444, 0o755);
        }
        for word in ["group", "true", "1", "yes", "on"] {
            check(word, 0o664, 0o444, 0o2775);
        }
        for word in ["all", "world", "everybody", "2"] {
            check(word, 0o664, 0o444, 0o2775);
        }
        check("0640", 0o640, 0o440, 0o2750);
        check("0660", 0o660, 0o440, 0o2770);
        check("0666", 0o666, 0o444, 0o2777);
        check("0600", 0o600, 0o400, 0o700);
    }
}
