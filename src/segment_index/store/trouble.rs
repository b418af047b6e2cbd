//! `Trouble`: why the file cannot be used, and the buckets of words that it is made of.

use rusqlite::{Connection, ErrorCode, params};

use super::directory::Directory;
use crate::segment_index::bytes::sealed;

pub(super) const BUCKETS: u32 = 1 << 12;

/// Why the file is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It is damaged, or somebody else's.
    Broken,
    /// Something is in the way that is not the file's fault.
    Unusable,
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Trouble {
        match error.sqlite_error_code() {
            Some(
                ErrorCode::ReadOnly
                | ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::PermissionDenied
                | ErrorCode::CannotOpen
                | ErrorCode::OutOfMemory
                | ErrorCode::NoLargeFileSupport
                | ErrorCode::FileLockingProtocolFailed
                | ErrorCode::OperationInterrupted,
            ) => Trouble::Unusable,
            // Damage, a table that is not there, a value of another type: not what this program wrote.
            Some(_) | None => Trouble::Broken,
        }
    }
}

pub(super) fn put_bucket(
    connection: &Connection,
    number: u32,
    pairs: &[u8],
    directory: &mut Directory,
) -> Result<(), Trouble> {
    let put = "INSERT OR REPLACE INTO buckets (number, pairs) VALUES (?1, ?2)";
    let row = sealed(u64::from(number), pairs);
    directory.fill(number, &row);
    connection
        .prepare_cached(put)?
        .execute(params![number, row])?;
    Ok(())
}
