//! The buckets of words: a row each, listed in the directory.

use rusqlite::{Connection, params};

use super::directory::Directory;
use super::trouble::Trouble;
use crate::segment_index::bytes::sealed;

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
