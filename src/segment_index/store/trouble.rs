//! `Trouble`: why the file cannot be used, and the buckets of words that it is made of.

use rusqlite::ErrorCode;

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
