//! Whether the server finds errors afterwards that were not there before: a value that no longer fits a type, in a file that may not even
//! hold the word. `new Service(console)` is right as long as the member is called as one of `console`. Where the member may be missing,
//! nothing is wrong: that is found by a probe.

use std::collections::BTreeSet;

use super::renamed_files::RenamedFiles;
use super::survey::WordSurvey;
use crate::diagnostic::{Code, Diagnostic, escaped, shown};
use crate::path::RepoPath;
use crate::plan::name_service::{ServedError, ServedErrors};
use crate::references::{RenameRefused, Renaming};
use crate::snapshot::Blob;
use crate::text::Span;

/// So many errors are shown in a refusal.
const MOST_SHOWN: usize = 20;

/// So many words of each are.
const MOST_WORDS: usize = 60;

/// A word that no message of a server has by itself.
const MARK: &str = "git-segedit";

/// How messages of TypeScript begin to write a type that may have members of any name.
const ANY_NAME: [&str; 7] = [
    "{ [",
    "Dict<",
    "NodeJS.Dict<",
    "ParsedUrlQuery",
    "Partial<Record<",
    "ProcessEnv",
    "Record<",
];

impl WordSurvey<'_> {
    /// Refuses a rename after which the server finds something wrong in any of its files that was right before, or by which a value loses
    /// what somebody may ask it for.
    pub(super) fn check_errors(&self, renaming: &Renaming, to: &str) -> Result<(), RenameRefused> {
        let after = RenamedFiles::of(self, &renaming.places);
        let paths = self.service.files_of(self.server)?;
        let Some(found) = self.errors_with(&after.changed, &paths)? else {
            return Ok(());
        };
        let new = self.new_errors(found, &after, to)?;
        if !new.is_empty() {
            let why = "finds errors then that are not there now";
            return Err(self.refused(renaming, to, why, &new));
        }
        let flows = self.flows(&after, &paths)?;
        match flows.is_empty() {
            true => Ok(()),
            false => {
                let why = format!(
                    "says that its values go to or come from where `{}` is asked for",
                    self.word
                );
                Err(self.refused(renaming, to, &why, &flows))
            }
        }
    }

    /// Returns what the server finds wrong in the files at `paths`, some of which are as `changed`.
    fn errors_with(
        &self,
        changed: &[(&RepoPath, Blob)],
        paths: &[RepoPath],
    ) -> Result<Option<ServedErrors>, Diagnostic> {
        self.show(changed)?;
        let found = self.service.errors(self.server, paths);
        // Other renames of the batch are of the same snapshot.
        self.show(&[])?;
        found
    }

    /// Returns those of the errors that are not there before the rename. What is wrong before is asked only of the files in which something
    /// is wrong afterwards, or of which nothing is said then.
    fn new_errors(
        &self,
        found: ServedErrors,
        after: &RenamedFiles<'_>,
        to: &str,
    ) -> Result<Vec<ServedError>, Diagnostic> {
        let wrong = found.errors.iter().map(|error| &error.path);
        let asked: BTreeSet<&RepoPath> = wrong.chain(&found.unknown).collect();
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let asked: Vec<RepoPath> = asked.into_iter().cloned().collect();
        let before = self
            .service
            .errors(self.server, &asked)?
            .unwrap_or_default();
        let forgotten = found
            .unknown
            .iter()
            .find(|path| !before.unknown.contains(path));
        if let Some(path) = forgotten {
            let message = format!(
                "the language server `{}` does not say what would be wrong in {path}",
                shown(self.server)
            );
            return Err(Diagnostic::new(Code::ValidatorCrashed, message));
        }
        let known = before.errors.iter().map(|error| {
            let at = Span::new(error.at, error.at);
            let at = after.shifted(&error.path, at, to).start;
            (&error.path, at, error.code.as_str())
        });
        let known: BTreeSet<(&RepoPath, usize, &str)> = known.collect();
        let is_new =
            |error: &ServedError| !known.contains(&(&error.path, error.at, error.code.as_str()));
        Ok(found.errors.into_iter().filter(is_new).collect())
    }

    /// Returns where a value with the member goes to, or comes from, what may have one of its old name, which no error tells: `method` of
    /// options that are handed to `fetch`.
    ///
    /// The type has the old name beside the new one for that, as something that nothing fits. What has members of any name fits a type all
    /// the same where the member may be missing; so in another probe the type has one that may not.
    fn flows(
        &self,
        after: &RenamedFiles<'_>,
        paths: &[RepoPath],
    ) -> Result<Vec<ServedError>, Diagnostic> {
        let Some(member) = self.member_start else {
            return Ok(Vec::new());
        };
        let old_name = format!("{}?: {{ \"{MARK}\": 1 }}; ", self.word);
        let mut flows = self.probed(after, paths, (member, &old_name))?;
        if flows.is_empty() && self.may_be_missing() {
            let required = format!("\"{MARK}\": 1; ");
            flows = self.probed(after, paths, (member, &required))?;
            flows.retain(|error| {
                let mut starts = ANY_NAME
                    .iter()
                    .map(|start| format!("missing in type '{start}"));
                starts.any(|start| error.message.contains(&start))
            });
        }
        Ok(flows)
    }

    /// Says whether a value of the type need not have the member.
    fn may_be_missing(&self) -> bool {
        let rest = self.bytes(&self.place.path).get(self.place.span.end..);
        rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"?"))
    }

    /// Returns the errors about a member that is put at a place of the file of the definition for that.
    fn probed(
        &self,
        after: &RenamedFiles<'_>,
        paths: &[RepoPath],
        (member, probe): (usize, &str),
    ) -> Result<Vec<ServedError>, Diagnostic> {
        let path = &self.place.path;
        let mut changed = after.changed.clone();
        let Some((_, bytes)) = changed.iter_mut().find(|(changed, _)| *changed == path) else {
            return Ok(Vec::new());
        };
        let at = after.shifted(path, Span::new(member, member), "").start;
        let mut probed = bytes.to_vec();
        probed.splice(at..at, probe.bytes());
        *bytes = probed.into();
        let mut found = self
            .errors_with(&changed, paths)?
            .unwrap_or_default()
            .errors;
        let own = at..at + probe.len();
        found.retain(|error| {
            error.message.contains(MARK) && !(error.path == *path && own.contains(&error.at))
        });
        Ok(found)
    }

    fn refused(
        &self,
        renaming: &Renaming,
        to: &str,
        why: &str,
        errors: &[ServedError],
    ) -> RenameRefused {
        let message = format!(
            "`{}` cannot become `{to}`: `{}` {why}",
            self.word,
            shown(self.server)
        );
        let mut refusal = Diagnostic::new(Code::NameClash, message);
        for error in errors.iter().take(MOST_SHOWN) {
            let words: Vec<&str> = error.message.split(' ').take(MOST_WORDS).collect();
            let probe = format!("{{ \"{MARK}\": 1; }}");
            let words = words.join(" ").replace(&probe, "…");
            let words = words.replace(&format!("\"{MARK}\""), &self.word);
            refusal = refusal.note(format!(
                "{}, line {}: {}",
                error.path,
                error.line,
                escaped(&words)
            ));
        }
        if errors.len() > MOST_SHOWN {
            refusal = refusal.note(format!("and {} more", errors.len() - MOST_SHOWN));
        }
        let refusal = refusal.note("`clash: allow` renames it all the same");
        RenameRefused {
            diagnostic: Box::new(refusal),
            references: Some(Box::new(renaming.references.clone())),
        }
    }
}
