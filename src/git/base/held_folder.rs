//! What is in a folder that is held open: each call names one component and follows no link.

use std::ffi::CString;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, FileType, Mode as Permissions, OFlags, Stat};
use rustix::io::Errno;

/// What the owner of a folder needs to change what is in it.
pub(in crate::git) const OWNER: u32 = 0o700;

pub(in crate::git) const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Opens the folder `name` in `folder`.
pub(in crate::git) fn open_folder(folder: &OwnedFd, name: &[u8]) -> rustix::io::Result<OwnedFd> {
    rustix::fs::openat(folder, name, FOLDER, Permissions::empty())
}

/// Returns what stands at `name` in `folder`, a link itself and not what it leads to.
pub(in crate::git) fn look(folder: &OwnedFd, name: &[u8]) -> rustix::io::Result<Stat> {
    rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
}

/// Returns the names in `folder`.
pub(in crate::git) fn names(folder: &OwnedFd) -> rustix::io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in rustix::fs::Dir::read_from(folder)? {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push(entry.file_name().to_owned());
        }
    }
    Ok(names)
}

/// Opens the folder `name` in `folder` and sees to it that its owner, which we are, can do with it what they want.
pub(in crate::git) fn unlocked(
    folder: &OwnedFd,
    name: &[u8],
    found: &Stat,
) -> rustix::io::Result<OwnedFd> {
    if found.st_mode & OWNER != OWNER {
        let permissions = Permissions::from_raw_mode(found.st_mode & 0o7777 | OWNER);
        rustix::fs::chmodat(folder, name, permissions, AtFlags::empty())?;
    }
    open_folder(folder, name)
}

/// Removes `name` from `folder`, with all that is in it.
pub(in crate::git) fn remove_entry(folder: &OwnedFd, name: &[u8]) -> rustix::io::Result<()> {
    let found = match look(folder, name) {
        Ok(found) => found,
        Err(Errno::NOENT) => return Ok(()),
        Err(error) => return Err(error),
    };
    if FileType::from_raw_mode(found.st_mode) != FileType::Directory {
        return rustix::fs::unlinkat(folder, name, AtFlags::empty());
    }
    let inner = unlocked(folder, name, &found)?;
    for name in names(&inner)? {
        remove_entry(&inner, name.to_bytes())?;
    }
    rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)
}
