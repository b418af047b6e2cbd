//! The state of a checkout: what is laid out and since when, in a file beside it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::form::Form;
use crate::diagnostic::Diagnostic;
use crate::git::changes::Trees;
use crate::git::failure;
use crate::snapshot::Id;

/// Raised with every change of what the file means.
const FORMAT: u32 = 1;

/// Seconds and nanoseconds of the file system's own clock.
pub(super) type Moment = (i64, i64);

/// What is laid out.
#[derive(Debug, PartialEq)]
pub(super) struct CheckoutRecord {
    /// The settings that decided about the files' form.
    pub settings: String,
    /// That form.
    pub form: Form,
    /// The tree; `None` for nothing.
    pub tree: Option<Id>,
    /// Every file was laid out before it; whatever was changed since was changed at it or later.
    pub moment: Moment,
    /// The folders and their inodes: one that was exchanged for another one looks as old as it is.
    pub folders: BTreeMap<Vec<u8>, u64>,
    /// The trees that the repository may not have.
    pub trees: Trees,
}

/// The same as it is written.
#[derive(Serialize, Deserialize)]
struct WrittenRecord {
    format: u32,
    settings: String,
    converted: bool,
    tree: Option<String>,
    moment: Moment,
    folders: Vec<(Vec<u8>, u64)>,
    trees: Vec<(String, Vec<u8>)>,
}

impl CheckoutRecord {
    /// Returns the state of an empty checkout.
    pub(super) fn new(settings: String, form: Form) -> CheckoutRecord {
        let (folders, trees) = (BTreeMap::new(), Trees::new());
        CheckoutRecord {
            settings,
            form,
            tree: None,
            moment: (0, 0),
            folders,
            trees,
        }
    }

    /// Reads the state of the checkout in `home`; `None` when there is none that can be trusted.
    pub(super) fn read(home: &Path) -> Option<CheckoutRecord> {
        let written: WrittenRecord =
            serde_json::from_slice(&fs::read(home.join("state")).ok()?).ok()?;
        (written.format == FORMAT).then(|| CheckoutRecord {
            settings: written.settings,
            form: if written.converted {
                Form::Converted
            } else {
                Form::Stored
            },
            tree: written.tree.map(Id),
            moment: written.moment,
            folders: written.folders.into_iter().collect(),
            trees: written
                .trees
                .into_iter()
                .map(|(id, bytes)| (Id(id), bytes))
                .collect(),
        })
    }

    /// Removes the state of the checkout in `home`: it is about to be no longer true.
    pub(super) fn forget(home: &Path) {
        let _ = fs::remove_file(home.join("state"));
    }

    /// Writes it as the state of the checkout in `home`.
    pub(super) fn write(self, home: &Path) -> Result<(), Diagnostic> {
        let written = WrittenRecord {
            format: FORMAT,
            settings: self.settings,
            converted: self.form == Form::Converted,
            tree: self.tree.map(|tree| tree.0),
            moment: self.moment,
            folders: self.folders.into_iter().collect(),
            trees: self
                .trees
                .into_iter()
                .map(|(id, bytes)| (id.0, bytes))
                .collect(),
        };
        let attempt = "write the state of a checkout";
        let bytes = serde_json::to_vec(&written).map_err(failure::system(attempt))?;
        let new = home.join("state.new");
        fs::write(&new, bytes).map_err(failure::system(attempt))?;
        fs::rename(&new, home.join("state")).map_err(failure::system(attempt))
    }
}

/// Returns the time that a file has which is changed now.
pub(super) fn now(home: &Path) -> Result<Moment, Diagnostic> {
    let touch = || {
        let mut file = fs::File::create(home.join("clock"))?;
        file.write_all(b".")?;
        let metadata = file.metadata()?;
        Ok((metadata.ctime(), metadata.ctime_nsec()))
    };
    touch().map_err(failure::system::<std::io::Error>(
        "read the file system's clock",
    ))
}

/// Waits until the clock has moved on, a few milliseconds as a rule, and returns what it says then: no file that was
/// written so far is as young.
pub(super) fn moment(home: &Path) -> Result<Moment, Diagnostic> {
    let start = now(home)?;
    // A file system that keeps whole seconds makes us wait for one; a clock that stands still must not hold us forever.
    for _ in 0..5000 {
        let moment = now(home)?;
        if moment != start {
            return Ok(moment.max(start));
        }
        std::thread::sleep(Duration::from_micros(500));
    }
    Ok(start)
}
