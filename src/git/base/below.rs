//! What is done below an open folder: each call names one component and follows no link.
//!
//! Invariant: a `NameInFolder` is reached from its root one component at a time (`O_NOFOLLOW`), so that what somebody put in the way
//! makes a call fail and never leads outside. A git folder that came in an archive, or inside of another repository's
//! files, may hold any link.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::fs::{AtFlags, FileType, Mode as Permissions, OFlags, Stat};
use rustix::io::Errno;

use super::held_folder::{look, open_folder, remove_entry};
use super::shared::SharedPermissions;

/// A name in a folder that is held open. Whether anything stands there is another question.
#[derive(Debug)]
pub struct NameInFolder {
    folder: OwnedFd,
    name: Vec<u8>,
    /// What messages call it.
    path: PathBuf,
    /// What others get of a file that is made there.
    shared: SharedPermissions,
}

/// What stands at a place.
#[derive(Debug, PartialEq, Eq)]
pub enum HeldFile {
    /// Nothing.
    Nothing,
    /// A regular file of these bytes.
    Bytes(Vec<u8>),
    /// A link, a folder, a pipe, or a file past the size that was asked for.
    Unfit(&'static str),
}

impl NameInFolder {
    /// Returns the place `path` below the folder `root`, whose own path may have links on the way; `None` where a folder
    /// between the two is missing, or is none.
    pub fn below(root: &Path, path: &Path) -> std::io::Result<Option<NameInFolder>> {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            return Ok(None);
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut folder = match rustix::fs::open(root, flags, Permissions::empty()) {
            Ok(folder) => folder,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        for component in above.components() {
            let std::path::Component::Normal(component) = component else {
                return Ok(None);
            };
            folder = match open_folder(&folder, component.as_bytes()) {
                Ok(folder) => folder,
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
        }
        let (name, path) = (name.as_bytes().to_vec(), root.join(path));
        Ok(Some(NameInFolder {
            folder,
            name,
            path,
            shared: SharedPermissions::Umask,
        }))
    }

    /// Returns the place `name` in `folder`, which messages call `path`.
    pub(in crate::git) fn in_folder(
        folder: &OwnedFd,
        name: &str,
        path: &Path,
    ) -> std::io::Result<NameInFolder> {
        let (name, path) = (name.as_bytes().to_vec(), path.join(name));
        Ok(NameInFolder {
            folder: rustix::io::dup(folder)?,
            name,
            path,
            shared: SharedPermissions::Umask,
        })
    }

    /// Returns it with what others get of a file that is made there.
    pub(in crate::git) fn shared_as(self, shared: SharedPermissions) -> NameInFolder {
        NameInFolder { shared, ..self }
    }

    /// Returns what messages call it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the inode of what stands there, a link itself and not what it leads to.
    pub fn inode(&self) -> Option<u64> {
        self.stat().map(|stat| stat.st_ino)
    }

    /// Does that; what cannot be looked at now is not nothing.
    pub fn try_inode(&self) -> std::io::Result<Option<u64>> {
        match look(&self.folder, &self.name) {
            Ok(stat) => Ok(Some(stat.st_ino)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the size of the regular file that stands there, in bytes.
    pub fn file_size(&self) -> Option<u64> {
        let stat = self
            .stat()
            .filter(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile)?;
        u64::try_from(stat.st_size).ok()
    }

    /// Says whether the file there is the same one for a second, and `looks` so all the time: whoever is at work holds a lock no
    /// longer than a write takes.
    pub fn stays(&self, looks: impl Fn(&NameInFolder) -> bool) -> bool {
        let inode = || self.inode().filter(|_| looks(self));
        let Some(first) = inode() else { return false };
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(Duration::from_millis(20));
            if inode() != Some(first) {
                return false;
            }
        }
        true
    }

    /// Returns when the regular file there was last written, to the second.
    pub fn modified(&self) -> Option<SystemTime> {
        let stat = self
            .stat()
            .filter(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile)?;
        let seconds = u64::try_from(stat.st_mtime).unwrap_or_default();
        UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
    }

    /// Returns who owns what stands there.
    pub fn owner(&self) -> Option<u32> {
        self.stat().map(|stat| stat.st_uid)
    }

    fn stat(&self) -> Option<Stat> {
        look(&self.folder, &self.name).ok()
    }

    /// Returns the content of the regular file there, if that is no longer than `most` bytes.
    pub fn read(&self, most: u64) -> std::io::Result<HeldFile> {
        // Without blocking: a pipe that nobody writes to would be waited for.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(&self.folder, &*self.name, flags, Permissions::empty())
        {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Ok(HeldFile::Nothing),
            Err(Errno::LOOP) => return Ok(HeldFile::Unfit("it is a link")),
            Err(Errno::NXIO) => return Ok(HeldFile::Unfit("it is no regular file")),
            Err(error) => return Err(error.into()),
        };
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(HeldFile::Unfit("it is no regular file"));
        }
        if metadata.len() > most {
            return Ok(HeldFile::Unfit(
                "it is larger than any that this program writes",
            ));
        }
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        Ok(HeldFile::Bytes(bytes))
    }

    /// Makes a new file there of `bytes`; a file or a link that stood there makes way. `flush` has it on the disk.
    pub fn write(&self, bytes: &[u8], flush: bool) -> std::io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let make = || {
            rustix::fs::openat(
                &self.folder,
                &*self.name,
                flags,
                Permissions::from_raw_mode(0o666),
            )
        };
        let made = match make() {
            Err(Errno::EXIST) => {
                self.remove()?;
                make()?
            }
            made => made?,
        };
        let mut file = File::from(made);
        self.shared.grant(&file);
        file.write_all(bytes)?;
        if flush { file.sync_all() } else { Ok(()) }
    }

    /// Opens the file there to be locked, and makes it if there is none.
    pub fn open_lock(&self) -> std::io::Result<File> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(
            &self.folder,
            &*self.name,
            flags,
            Permissions::from_raw_mode(0o666),
        )?;
        self.shared.grant(&file);
        Ok(File::from(file))
    }

    /// Removes the file or the link there. A folder stays, and is a failure.
    pub fn remove(&self) -> std::io::Result<()> {
        Ok(rustix::fs::unlinkat(
            &self.folder,
            &*self.name,
            AtFlags::empty(),
        )?)
    }

    /// Gives what stands there the place `to`, in the place of a file that stood there.
    pub fn rename(&self, to: &NameInFolder) -> std::io::Result<()> {
        Ok(rustix::fs::renameat(
            &self.folder,
            &*self.name,
            &to.folder,
            &*to.name,
        )?)
    }

    /// Opens the folder there, or `None` if none stands there: a link is none.
    pub fn open(&self) -> std::io::Result<Option<OwnedFd>> {
        match open_folder(&self.folder, &self.name) {
            Ok(folder) => Ok(Some(folder)),
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes what stands there, a folder with all that is in it.
    pub fn remove_all(&self) -> std::io::Result<()> {
        Ok(remove_entry(&self.folder, &self.name)?)
    }
}
