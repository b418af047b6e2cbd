//! Whether the server finds errors afterwards that were not there before: a value that no longer fits a type, in a file that may not even
//! hold the word. `new Service(console)` is right as long as the member is called as one of `console`.

use std::collections::BTreeSet;

use super::renamed_files::RenamedFiles;
use super::survey::WordSurvey;
use crate::diagnostic::{Code, Diagnostic, escaped, shown};
use crate::path::RepoPath;
use crate::plan::name_service::ServedError;
use crate::references::{RenameRefused, Renaming};
use crate::text::Span;

/// So many errors are shown in a refusal.
const MOST_SHOWN: usize = 20;

impl WordSurvey<'_> {
    /// Refuses a rename after which the server finds something wrong in any of its files that was right before.
    pub(super) fn check_errors(&self, renaming: &Renaming, to: &str) -> Result<(), RenameRefused> {
        let after = RenamedFiles::of(self, &renaming.places);
        let paths = self.service.files_of(self.server)?;
        self.show(&after.changed)?;
        let found = self.service.errors(self.server, &paths);
        // Other renames of the batch are of the same snapshot.
        self.show(&[])?;
        let found = match found? {
            Some(found) if !found.is_empty() => found,
            _ => return Ok(()),
        };

        // What is wrong before is asked only of the files in which something is wrong afterwards.
        let wrong: BTreeSet<RepoPath> = found.iter().map(|error| error.path.clone()).collect();
        let wrong: Vec<RepoPath> = wrong.into_iter().collect();
        let before = self.service.errors(self.server, &wrong)?;
        let before = before.unwrap_or_default();
        let known = before.iter().map(|error| {
            let at = Span::new(error.at, error.at);
            let at = after.shifted(&error.path, at, to).start;
            (&error.path, at, error.code.as_str())
        });
        let known: BTreeSet<(&RepoPath, usize, &str)> = known.collect();
        let is_new =
            |error: &&ServedError| !known.contains(&(&error.path, error.at, error.code.as_str()));
        let new: Vec<&ServedError> = found.iter().filter(is_new).collect();
        if new.is_empty() {
            return Ok(());
        }

        let message = format!(
            "`{}` cannot become `{to}`: `{}` finds errors then that are not there now",
            self.word,
            shown(self.server)
        );
        let mut refusal = Diagnostic::new(Code::NameClash, message);
        for error in new.iter().take(MOST_SHOWN) {
            refusal = refusal.note(format!(
                "{}, line {}: {}",
                error.path,
                error.line,
                escaped(&error.message)
            ));
        }
        if new.len() > MOST_SHOWN {
            refusal = refusal.note(format!("and {} more", new.len() - MOST_SHOWN));
        }
        let refusal = refusal.note("`clash: allow` renames it all the same");
        Err(RenameRefused {
            diagnostic: Box::new(refusal),
            references: Some(Box::new(renaming.references.clone())),
        })
    }
}
