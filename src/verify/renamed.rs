//! Files that lose what told their language: what was read under the name that a file had is held under one that says none, and what
//! was read by a first line (`#!/bin/sh`) without it, too.
//!
//! Without that a batch could take a file out of its language, take definitions from it, and give its name back. Deliberately not
//! here: a name of another language, by which the file is read from then on.

use std::collections::BTreeMap;

use super::edited_file::before;
use crate::path::RepoPath;
use crate::plan::{FileEdit, Step};
use crate::snapshot::File;
use crate::syntax::{Language, language_in, language_of, says_unknown_language};

/// The languages of files whose names say none, after some steps: those of the names that they had.
#[derive(Default)]
pub(super) struct RenamedLanguages {
    by_path: BTreeMap<RepoPath, &'static Language>,
}

impl RenamedLanguages {
    /// Returns the language that the file is in before and after `edit`, which was `old`, where it is not told from either state: by
    /// its name, or by what it says itself.
    pub(super) fn of(&self, edit: &FileEdit, old: Option<&File>) -> Option<&'static Language> {
        let before = edit.moved_from.as_ref().unwrap_or(&edit.path);
        let told = |path, file: Option<&File>| match file {
            Some(file) => language_in(path, &file.bytes),
            None => language_of(path),
        };
        let (named, renamed) = (told(before, old), told(&edit.path, edit.after.as_ref()));
        let language = named.or_else(|| self.by_path.get(before).copied())?;
        let is_unknown = |after: &File| says_unknown_language(&edit.path, &after.bytes);
        let is_other = renamed.is_some_and(|renamed| renamed.name != language.name)
            || edit.moved_from.is_none() && edit.after.as_ref().is_some_and(is_unknown);
        (!is_other && (named.is_none() || renamed.is_none())).then_some(language)
    }

    /// Takes the renames of a step in.
    pub(super) fn follow(&mut self, step: &Step) {
        let known = |edit: &FileEdit| {
            Some((
                edit.path.clone(),
                self.of(edit, before(step, edit))
                    .filter(|_| edit.after.is_some())?,
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
                let old = step.files[0].before.as_ref();
                found.push(
                    readings
                        .of(&step.files[1], old)
                        .map(|language| language.name),
                );
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

    #[test]
    fn a_script_without_its_first_line_has_the_language_before() {
        let check = |before: &str, after: &str, expected: Option<&str>| {
            let file = |text: &str| {
                Some(File {
                    mode: FileMode::Executable,
                    bytes: text.as_bytes().into(),
                })
            };
            let path = RepoPath::parse("run").unwrap();
            let edit = FileEdit::whole(path, file(before), file(after));
            let found = RenamedLanguages::default().of(&edit, edit.before.as_ref());
            assert_eq!(found.map(|language| language.name), expected);
        };
        check("#!/bin/sh\nx\n", "x\n", Some("Bash"));
        check("#!/bin/sh\nx\n", "#!/bin/sh\ny\n", None);
        check("#!/bin/sh\nx\n", "#!/usr/bin/ruby\nx\n", None);
        check("#!/bin/sh\nx\n", "#!/usr/bin/perl\nx\n", None);
        check("x\n", "#!/bin/sh\nx\n", None);
    }
}
