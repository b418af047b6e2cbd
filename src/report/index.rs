//! What `index` says: what was done to the index of segments, and what there is of it.

use std::path::Path;

use serde::Serialize;

use super::{ReportStyle, colour, json};
use crate::actions::index::{IndexAnswer, IndexChange};
use crate::diagnostic::shown;
use crate::segment_index::{IndexLook, IndexStatus};

/// Returns what a person reads.
pub(crate) fn text(indexed: &IndexAnswer, style: &ReportStyle) -> Vec<u8> {
    let strong = |text: &str| colour::paint(style.stdout_colour, colour::STRONG, text);
    let place = shown(&indexed.path.to_string_lossy());
    let mut text = match indexed.done {
        IndexChange::Dropped { existed: true } => format!("{}: {place}\n", strong("removed")),
        IndexChange::Dropped { existed: false } | IndexChange::Looked(IndexLook::Nothing) => {
            format!("{}: {place}\n", strong("no index"))
        }
        IndexChange::Looked(IndexLook::Unusable) => {
            let why =
                "damaged, of another version, not to be read, or being written; `find` sees to it";
            format!("{}: {place} ({why})\n", strong("not usable now"))
        }
        IndexChange::Refreshed(refreshed) => {
            let removed = match refreshed.removed {
                0 => String::new(),
                removed => format!(", {removed} that stand nowhere any more removed"),
            };
            let (files, read, added) = (refreshed.files, refreshed.read, refreshed.added);
            format!(
                "{}: {files} files, {read} of them read, {added} new contents{removed}\n",
                strong("up to date")
            )
        }
        IndexChange::Looked(IndexLook::There(IndexStatus {
            files, unread: 0, ..
        })) => {
            format!("{}: {files} files\n", strong("up to date"))
        }
        IndexChange::Looked(IndexLook::There(IndexStatus { files, unread, .. })) => {
            format!(
                "{}: {unread} of {files} files to be read\n",
                strong("out of date")
            )
        }
    };
    if exists(&indexed.done) && indexed.done != IndexChange::Looked(IndexLook::Unusable) {
        let measure = indexed.done.measure();
        let (contents, names, bytes) = (measure.contents, measure.names, measure.bytes);
        text.push_str(&format!(
            "  {contents} contents, {names} names, {bytes} bytes in {place}\n"
        ));
    }
    text.into_bytes()
}

fn exists(done: &IndexChange) -> bool {
    match done {
        IndexChange::Refreshed(_)
        | IndexChange::Looked(IndexLook::There(_) | IndexLook::Unusable) => true,
        IndexChange::Dropped { .. } | IndexChange::Looked(IndexLook::Nothing) => false,
    }
}

/// Returns the same for programs.
pub(crate) fn json(indexed: &IndexAnswer) -> Vec<u8> {
    json::line(&IndexLine::of(indexed))
}

#[derive(Serialize)]
struct IndexLine<'a> {
    version: u8,
    path: std::borrow::Cow<'a, str>,
    done: &'static str,
    exists: bool,
    current: bool,
    contents: usize,
    names: usize,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<usize>,
}

impl<'a> IndexLine<'a> {
    fn of(indexed: &'a IndexAnswer) -> IndexLine<'a> {
        let measure = indexed.done.measure();
        let path: &Path = &indexed.path;
        let entry = IndexLine {
            version: 1,
            path: path.to_string_lossy(),
            done: "looked",
            exists: exists(&indexed.done),
            current: false,
            contents: measure.contents,
            names: measure.names,
            bytes: measure.bytes,
            files: None,
            unread: None,
            read: None,
            added: None,
            removed: None,
        };
        match indexed.done {
            IndexChange::Refreshed(refreshed) => IndexLine {
                done: "refreshed",
                current: true,
                files: Some(refreshed.files),
                read: Some(refreshed.read),
                added: Some(refreshed.added),
                removed: Some(refreshed.removed),
                ..entry
            },
            IndexChange::Dropped { existed } => IndexLine {
                done: if existed { "dropped" } else { "nothing" },
                ..entry
            },
            IndexChange::Looked(IndexLook::Nothing | IndexLook::Unusable) => entry,
            IndexChange::Looked(IndexLook::There(IndexStatus { files, unread, .. })) => IndexLine {
                current: unread == 0,
                files: Some(files),
                unread: Some(unread),
                ..entry
            },
        }
    }
}
