//! Where the store stands and how it begins: the lock beside it, its tables, what tells that it is this program's, its end.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::Trouble;
use super::buckets::put_bucket;
use super::directory::Directory;
use super::trouble::BUCKETS;

/// What the files' heads say: this program's, in this form. The program's version stands in `origin`: another may find other
/// segments in the same bytes.
const APPLICATION: i32 = 0x5345_4745;

const FORM: i32 = 4;

const ORIGIN: &str = env!("CARGO_PKG_VERSION");

/// How long others are waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// How long by those who could as well parse a file.
pub(super) const MOMENT: Duration = Duration::from_millis(30);

const SCHEMA: &str = "
    CREATE TABLE origin (version TEXT NOT NULL);
    CREATE TABLE contents (number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, told BLOB NOT NULL);
    CREATE TABLE buckets (number INTEGER PRIMARY KEY, pairs BLOB NOT NULL);
    CREATE TABLE directory (number INTEGER PRIMARY KEY, list BLOB NOT NULL);
    CREATE TABLE rolls (place TEXT PRIMARY KEY, used INTEGER NOT NULL, files INTEGER NOT NULL, list BLOB NOT NULL);
";

/// Why the file cannot be had, or not be removed.
#[derive(Debug)]
pub(in crate::segment_index) enum Stuck {
    /// Somebody else uses it.
    InUse,
    /// The system says so.
    Failed(std::io::Error),
}

impl From<Stuck> for Trouble {
    fn from(_: Stuck) -> Trouble {
        Trouble::Unusable
    }
}

/// Removes the file in `folder`, once nobody uses it any more; says whether it was there.
pub(in crate::segment_index) fn remove(folder: &Path) -> Result<bool, Stuck> {
    if file(folder).symlink_metadata().is_err() {
        return Ok(false);
    }
    let in_use = lock(folder, PATIENCE)?;
    let began = Instant::now();
    loop {
        match clear(folder, &in_use) {
            Err(Stuck::InUse) if began.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(20))
            }
            cleared => return cleared.map(|()| true),
        }
    }
}

/// Returns where the file in `folder` stands.
pub(in crate::segment_index) fn file(folder: &Path) -> PathBuf {
    folder.join("index.sqlite")
}

fn users(folder: &Path) -> PathBuf {
    folder.join("index.users")
}

/// Says to others that the file is used, unless that takes longer than `patience`.
pub(super) fn lock(folder: &Path, patience: Duration) -> Result<File, Stuck> {
    let path = users(folder);
    // A pipe without a reader would be waited for.
    let unwaiting = (OFlags::NONBLOCK | OFlags::NOFOLLOW).bits().cast_signed();
    let open = |options: &mut OpenOptions| options.read(true).custom_flags(unwaiting).open(&path);
    let opened = open(OpenOptions::new().create(true).truncate(false).write(true));
    // Where nothing may be written, what is there can still be read.
    let in_use = opened
        .or_else(|_| open(&mut OpenOptions::new()))
        .map_err(Stuck::Failed)?;
    if !in_use.metadata().map_err(Stuck::Failed)?.is_file() {
        return Err(Stuck::Failed(std::io::Error::other(format!(
            "{} is no file",
            path.display()
        ))));
    }
    share(&in_use, patience)?;
    Ok(in_use)
}

/// Takes the shared lock, or gives up.
fn share(in_use: &File, patience: Duration) -> Result<(), Stuck> {
    let began = Instant::now();
    loop {
        match flock(in_use, FlockOperation::NonBlockingLockShared) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK) if began.elapsed() < patience => {
                std::thread::sleep(Duration::from_millis(5))
            }
            Err(Errno::WOULDBLOCK) => return Err(Stuck::InUse),
            Err(error) => return Err(Stuck::Failed(error.into())),
        }
    }
}

/// Removes the file and what SQLite left beside it, if nobody else uses it.
pub(super) fn clear(folder: &Path, in_use: &File) -> Result<(), Stuck> {
    match flock(in_use, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Err(Stuck::InUse),
        Err(error) => return Err(Stuck::Failed(error.into())),
    }
    let file = file(folder);
    let mut removed = Ok(());
    // Last the file itself: a journal without its file is nothing, a file without its journal may be half of one.
    for path in beside(&file).iter().chain([&file]) {
        let is_folder = path
            .symlink_metadata()
            .is_ok_and(|metadata| metadata.is_dir());
        let outcome = if is_folder {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
        match outcome {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                removed = Err(Stuck::Failed(error))
            }
            Ok(()) | Err(_) => {}
        }
    }
    share(in_use, PATIENCE)?;
    removed
}

/// Returns where SQLite keeps what belongs to the file.
fn beside(file: &Path) -> [PathBuf; 3] {
    ["-journal", "-wal", "-shm"].map(|end| {
        let mut path = file.as_os_str().to_owned();
        path.push(end);
        PathBuf::from(path)
    })
}

/// Opens the file at `path`, and makes it if `create` says so; a writer is waited for as long as `patience` lasts.
pub(super) fn connect(
    path: &Path,
    create: OpenFlags,
    patience: Duration,
) -> Result<Connection, Trouble> {
    // A link could lead anywhere, a pipe would be waited for.
    let is_other = |path: &Path| {
        path.symlink_metadata()
            .is_ok_and(|metadata| !metadata.is_file())
    };
    if is_other(path) || beside(path).iter().any(|path| is_other(path)) {
        return Err(Trouble::Broken);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | create;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(patience)?;
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
        let mut directory = Directory::empty();
        for number in 0..BUCKETS {
            put_bucket(&transaction, number, &[], &mut directory)?;
        }
        directory.put(&transaction)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", FORM)?;
    }
    transaction.commit()?;
    demand_ours(&connection)?;
    Ok(connection)
}

fn is_new(connection: &Connection) -> Result<bool, Trouble> {
    Ok(
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
            row.get::<_, usize>(0)
        })? == 0,
    )
}

fn demand_ours(connection: &Connection) -> Result<(), Trouble> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    if number("application_id")? != APPLICATION || number("user_version")? != FORM {
        return Err(Trouble::Broken);
    }
    let version: String =
        connection.query_row("SELECT version FROM origin", [], |row| row.get(0))?;
    if version == ORIGIN {
        Ok(())
    } else {
        Err(Trouble::Broken)
    }
}
