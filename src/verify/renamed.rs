//! Renamed files: what was read under the name that a file had is held under one that says no language, too.
//!
//! Without that a batch could take a file out of its language, take definitions from it, and give its name back. Deliberately not
//! here: a name of another language, by which the file is read from then on.

use std::collections::BTreeMap;

use crate::path::RepoPath;
use crate::plan::{FileEdit, Step};
use crate::syntax::{Language, language_of};

/// The languages of files whose names say none, after some steps: those of the names that they had.
#[derive(Default)]
pub(super) struct RenamedLanguages {
    by_path: BTreeMap<RepoPath, &'static Language>,
}

impl RenamedLanguages {
    /// Returns the language that the file is in before and after `edit`, where either of its names does not say it.
    pub(super) fn of(&self, edit: &FileEdit) -> Option<&'static Language> {
        let before = edit.moved_from.as_ref().unwrap_or(&edit.path);
        let (named, renamed) = (language_of(before), language_of(&edit.path));
        let language = named.or_else(|| self.by_path.get(before).copied())?;
        let is_other = renamed.is_some_and(|renamed| renamed.name != language.name);
        (!is_other && (named.is_none() || renamed.is_none())).then_some(language)
    }

    /// Takes the renames of a step in.
    pub(super) fn follow(&mut self, step: &Step) {
        let known = |edit: &FileEdit| {
            Some((
                edit.path.clone(),
                self.of(edit).filter(|_| edit.after.is_some())?,
            ))
        };
        let known: BTreeMap<RepoPath, &'static Language> =
            step.files.iter().filter_map(known).collect();
        let is_new = |edit: &&FileEdit| edit.before.is_none() && edit.after.is_some();
        for edit in step.files.iter().filter(is_new) {
            self.by_path.remove(&edit.path);
        }
        self.by_path.extend(
            known
                .into_iter()
                .filter(|(path, _)| language_of(path).is_none()),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{File, FileMode};

    fn renamed(from: &str, to: &str) -> Step {
        let file = || {
            Some(File {
                mode: FileMode::Regular,
                bytes: "x".as_bytes().into(),
            })
        };
        let (from, to) = (RepoPath::parse(from).unwrap(), RepoPath::parse(to).unwrap());
        let there = FileEdit {
            moved_from: Some(from.clone()),
            ..FileEdit::whole(to, None, file())
        };
        Step {
            files: vec![FileEdit::whole(from, file(), None), there],
        }
    }

    #[test]
    fn a_name_without_a_language_has_the_one_before() {
        let check = |names: &[&str], expected: &[Option<&str>]| {
            let mut readings = RenamedLanguages::default();
            let mut found = Vec::new();
            for pair in names.windows(2) {
                let step = renamed(pair[0], pair[1]);
                found.push(readings.of(&step.files[1]).map(|language| language.name));
                readings.follow(&step);
            }
            assert_eq!(found, expected, "{names:?}");
        };
        check(&["a.py", "b.py"], &[None]);
        check(
            &["a.py", "a.txt", "a.bak", "a.py"],
            &[Some("Python"), Some("Python"), Some("Python")],
        );
        check(&["a.py", "a.txt", "a.js"], &[Some("Python"), None]);
        check(&["a.txt", "a.py"], &[None]);
    }
}
