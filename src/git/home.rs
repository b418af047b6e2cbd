//! `Home`: the program's own folder, `segedit` in the git folder that all worktrees share.
//!
//! Whoever made the git folder made what is in it: an archive may bring one, and a repository's files may hold another
//! repository. So nothing here is reached through a link, nothing is read past a size, and nothing that is read is believed.
//! What must be believed stands in the user's own folder (`own`), or bears a seal whose key stands there.

use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode as Permissions, OFlags};
use rustix::io::Errno;

use super::base::below::NameInFolder;
use super::base::held_folder::{self, open_folder};
use super::base::shared::SharedPermissions;
use super::{Repo, failure};
use crate::diagnostic::{Code, Diagnostic};

/// The folder, held open.
#[derive(Debug)]
pub struct Home {
    path: PathBuf,
    folder: OwnedFd,
    /// What others get of what is made in it.
    shared: SharedPermissions,
}

const NAME: &str = "segedit";

impl Repo {
    /// Opens the program's own folder, and makes it if there is none.
    pub fn home(&self) -> Result<Home, Diagnostic> {
        Home::in_folder(
            &open(self.common_dir())?,
            self.common_dir(),
            NAME,
            self.config.shared(),
        )
    }

    /// Opens the program's own folder, or `None` if there is none.
    pub fn home_if_any(&self) -> Result<Option<Home>, Diagnostic> {
        let common = open(self.common_dir())?;
        let path = self.common_dir().join(NAME);
        match open_folder(&common, NAME.as_bytes()) {
            Ok(folder) => Ok(Some(Home {
                path,
                folder,
                shared: self.config.shared(),
            })),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(refuse(&path, error)),
        }
    }
}

impl Home {
    fn in_folder(
        above: &OwnedFd,
        path: &Path,
        name: &str,
        shared: SharedPermissions,
    ) -> Result<Home, Diagnostic> {
        let path = path.join(name);
        let folder = match open_folder(above, name.as_bytes()) {
            Err(Errno::NOENT) => {
                match rustix::fs::mkdirat(above, name, Permissions::from_raw_mode(0o777)) {
                    Ok(()) => {
                        open_folder(above, name.as_bytes()).inspect(|folder| shared.grant(folder))
                    }
                    Err(Errno::EXIST) => open_folder(above, name.as_bytes()),
                    Err(error) => {
                        return Err(failure::system(&format!("make {}", path.display()))(error));
                    }
                }
            }
            opened => opened,
        };
        folder
            .map_err(|error| refuse(&path, error))
            .map(|folder| Home {
                path,
                folder,
                shared,
            })
    }

    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the folder `name` in it, and makes it if there is none.
    pub fn folder(&self, name: &str) -> Result<Home, Diagnostic> {
        Home::in_folder(&self.folder, &self.path, name, self.shared)
    }

    /// Opens the folder `name` in it, or `None` if there is none.
    pub fn folder_if_any(&self, name: &str) -> Option<Home> {
        let folder = open_folder(&self.folder, name.as_bytes()).ok()?;
        Some(Home {
            path: self.path.join(name),
            folder,
            shared: self.shared,
        })
    }

    /// Returns the place `name` in it.
    pub fn place(&self, name: &str) -> Result<NameInFolder, Diagnostic> {
        let attempt = format!("open {}", self.path.join(name).display());
        let place = NameInFolder::in_folder(&self.folder, name, &self.path)
            .map_err(failure::system(&attempt))?;
        Ok(place.shared_as(self.shared))
    }

    /// Returns the names of all that stands in it, sorted, as far as they are text.
    pub fn names(&self) -> Vec<String> {
        let names = held_folder::names(&self.folder).unwrap_or_default();
        let mut names: Vec<String> = names
            .into_iter()
            .filter_map(|name| name.into_string().ok())
            .collect();
        names.sort();
        names
    }

    /// Puts `bytes` in the place of what stands at `name`, whole or not at all.
    pub fn replace(&self, name: &str, bytes: &[u8], flush: bool) -> Result<(), Diagnostic> {
        let (new, file) = (self.place(&format!("{name}.new"))?, self.place(name)?);
        let written = new.write(bytes, flush).and_then(|()| new.rename(&file));
        written.map_err(|error| {
            let _ = new.remove();
            failure::system(&format!("write {}", file.path().display()))(error)
        })
    }
}

fn open(common: &Path) -> Result<OwnedFd, Diagnostic> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let attempt = format!("open {}", common.display());
    rustix::fs::open(common, flags, Permissions::empty()).map_err(failure::system(&attempt))
}

fn refuse(path: &Path, error: Errno) -> Diagnostic {
    // Linux says NOTDIR for a link when a folder is asked for, others say LOOP.
    if !matches!(error, Errno::NOTDIR | Errno::LOOP) {
        return failure::system(&format!("open {}", path.display()))(error);
    }
    Diagnostic::new(
        Code::UnsupportedRepository,
        format!("{} is no folder, or a link to one", path.display()),
    )
    .note("this program keeps its own files there and follows no link to them; move it away")
}
