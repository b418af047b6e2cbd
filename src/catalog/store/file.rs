//! Where the store stands and how it begins: the lock beside it, its tables, what tells that it is this program's, its end.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use rustix::fs::{FlockOperation, flock};

use super::{BUCKETS, Trouble, put_bucket};

/// What the files' heads say: this program's, in this form. The program's version stands in `origin`: another may find other
/// segments in the same bytes.
const APPLICATION: i32 = 0x5345_4745;
const FORM: i32 = 1;
const ORIGIN: &str = env!("CARGO_PKG_VERSION");

/// How long others are waited for.
const PATIENCE: Duration = Duration::from_secs(5);
const SCHEMA: &str = "
    CREATE TABLE origin (version TEXT NOT NULL);
    CREATE TABLE contents (number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, told BLOB NOT NULL);
    CREATE TABLE buckets (number INTEGER PRIMARY KEY, pairs BLOB NOT NULL);
    CREATE TABLE rolls (place TEXT PRIMARY KEY, used INTEGER NOT NULL, files INTEGER NOT NULL, list BLOB NOT NULL);
";

/// Removes the file in `folder`, once nobody uses it any more; says whether it was there.
pub(in crate::catalog) fn remove(folder: &Path) -> Result<bool, Trouble> {
    if file(folder).symlink_metadata().is_err() {
        return Ok(false);
    }
    let in_use = lock(folder)?;
    let began = Instant::now();
    while clear(folder, &in_use).is_err() {
        if began.elapsed() > PATIENCE {
            return Err(Trouble::Unusable);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(true)
}

/// Returns where the file in `folder` stands.
pub(in crate::catalog) fn file(folder: &Path) -> PathBuf {
    folder.join("index.sqlite")
}

/// Says to others that the file is used.
pub(super) fn lock(folder: &Path) -> Result<File, Trouble> {
    let path = folder.join("index.users");
    let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    // Where nothing may be written, what is there can still be read.
    let in_use = opened.or_else(|_| File::open(&path)).map_err(|_| Trouble::Unusable)?;
    if !in_use.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err(Trouble::Unusable);
    }
    flock(&in_use, FlockOperation::LockShared).map_err(|_| Trouble::Unusable)?;
    Ok(in_use)
}

/// Removes the file and what SQLite left beside it, if nobody else uses it.
pub(super) fn clear(folder: &Path, in_use: &File) -> Result<(), Trouble> {
    flock(in_use, FlockOperation::NonBlockingLockExclusive).map_err(|_| Trouble::Unusable)?;
    let file = file(folder);
    let beside = ["-journal", "-wal", "-shm"].map(|end| {
        let mut path = file.clone().into_os_string();
        path.push(end);
        PathBuf::from(path)
    });
    let mut removed = Ok(());
    // Last the file itself: a journal without its file is nothing, a file without its journal may be half of one.
    for path in beside.iter().chain([&file]) {
        let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        let outcome = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        if outcome.is_err_and(|error| error.kind() != std::io::ErrorKind::NotFound) {
            removed = Err(Trouble::Unusable);
        }
    }
    flock(in_use, FlockOperation::LockShared).map_err(|_| Trouble::Unusable)?;
    removed
}

pub(super) fn connect(path: &Path, create: OpenFlags) -> Result<Connection, Trouble> {
    match path.symlink_metadata() {
        // A link could lead anywhere.
        Ok(metadata) if !metadata.is_file() => return Err(Trouble::Broken),
        Ok(_) | Err(_) => {}
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | create;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(16);
    if create.is_empty() || !is_new(&connection)? {
        demand_ours(&connection)?;
        return Ok(connection);
    }
    // Only an empty file can still be told how to give room back.
    connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if is_new(&transaction)? {
        transaction.execute_batch(SCHEMA)?;
        transaction.execute("INSERT INTO origin (version) VALUES (?1)", [ORIGIN])?;
        for number in 0..BUCKETS {
            put_bucket(&transaction, number, &[])?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", FORM)?;
    }
    transaction.commit()?;
    demand_ours(&connection)?;
    Ok(connection)
}

fn is_new(connection: &Connection) -> Result<bool, Trouble> {
    Ok(connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, usize>(0))? == 0)
}

fn demand_ours(connection: &Connection) -> Result<(), Trouble> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    if number("application_id")? != APPLICATION || number("user_version")? != FORM {
        return Err(Trouble::Broken);
    }
    let version: String = connection.query_row("SELECT version FROM origin", [], |row| row.get(0))?;
    if version == ORIGIN { Ok(()) } else { Err(Trouble::Broken) }
}
