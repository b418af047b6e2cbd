//! Objects as files of their own, each deflated behind its header.

use std::fs::{self, File, Permissions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::NamedTempFile;

use super::deflate::deflated_apart;
use super::folder::{ObjectStore, failed, split};
use crate::diagnostic::Diagnostic;
use crate::git::base::object::Object;
use crate::git::base::shared::SharedPermissions;
use crate::parallel;

/// How git calls an object that is being written; `git gc` removes old ones.
const PREFIX: &str = "tmp_obj_";

/// An object of so many bytes takes longer to deflate than a thread to begin.
const LARGE: usize = 64 << 10;

/// Writes each object into a file.
pub(super) fn write(store: &ObjectStore, objects: &[&Object]) -> Result<(), Diagnostic> {
    let (large, small): (Vec<_>, Vec<_>) = objects
        .iter()
        .partition(|object| object.bytes.len() >= LARGE);
    let level = store.deflater.borrow().level;
    let ready = parallel::each(large, |object| {
        (
            object,
            deflated_apart(level, &header(object), &object.bytes),
        )
    });
    let mut deflater = store.deflater.borrow_mut();
    let small = small.into_iter().map(|object| {
        (
            object,
            deflater.deflated(&[header(object).as_slice(), &object.bytes]),
        )
    });
    for (object, deflated) in ready.into_iter().chain(small) {
        crate::git::step("object")?;
        let deflated = deflated.map_err(failed("deflate an object for", &store.folder))?;
        let (folder, name) = split(&object.id.0);
        let folder = store.folder.join(folder);
        place(store, &folder, name, &deflated)?;
    }
    Ok(())
}

/// Returns what stands ahead of an object's bytes: its kind and how many they are.
fn header(object: &Object) -> Vec<u8> {
    format!("{} {}\0", object.kind.word(), object.bytes.len()).into_bytes()
}

/// Puts `bytes` at `name` in `folder`, unless it is there already.
fn place(store: &ObjectStore, folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Diagnostic> {
    let mut file = begun(folder, store.shared)?;
    file.write_all(bytes)
        .map_err(failed("write an object into", folder))?;
    if store.flush.objects {
        file.as_file()
            .sync_all()
            .map_err(failed("flush an object in", folder))?;
    }
    match file.persist_noclobber(folder.join(name)) {
        Ok(_) => {}
        // Somebody was quicker: one name, one content.
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(failed("place an object in", folder)(error.error)),
    }
    if store.flush.objects {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(failed("flush", folder))?;
    }
    Ok(())
}

/// Returns a new file in `folder`, which is made if need be, and again where it vanishes: `git gc` removes those that it
/// emptied, in between the making of one and the writing into it. git itself tries again as well.
fn begun(folder: &Path, shared: SharedPermissions) -> Result<NamedTempFile, Diagnostic> {
    const MOST_ATTEMPTS: usize = 4;
    let mut attempt = 1;
    loop {
        match tempfile::Builder::new()
            .prefix(PREFIX)
            .permissions(Permissions::from_mode(0o444))
            .tempfile_in(folder)
        {
            Ok(file) => {
                shared.grant(file.as_file());
                return Ok(file);
            }
            Err(error) if error.kind() == ErrorKind::NotFound && attempt < MOST_ATTEMPTS => {
                attempt += 1
            }
            Err(error) => return Err(failed("begin an object in", folder)(error)),
        }
        match fs::create_dir(folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(failed("make", folder)(error));
            }
            Ok(()) => shared.grant_folder(folder),
            Err(_) => {}
        }
    }
}
