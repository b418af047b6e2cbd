//! Rewrites: a file that one step removes and a later one creates again is one whose content is replaced, whatever it is called.
//!
//! Whoever removes a file asks for that; but who makes it anew in the same batch means to have it, and all that was in it is held
//! as if `replace` had written it. Deliberately not here: a file that another one takes the place of by `rename_file`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::path::RepoPath;
use crate::plan::{FileEdit, Step, WrittenContent};
use crate::snapshot::File;
use crate::text::Span;
use crate::text::splice::{Splice, Splices};

/// Returns the steps, with each file that is created where an earlier one was removed as an edit of that.
pub(super) fn joined(steps: &[Step]) -> Cow<'_, [Step]> {
    let mut removed: BTreeMap<&RepoPath, &File> = BTreeMap::new();
    let mut rewritten: Vec<(usize, FileEdit)> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        for edit in &step.files {
            if let Some(before) = removal(step, edit) {
                removed.insert(&edit.path, before);
            } else if let Some(before) = removed.remove(&edit.path) {
                rewritten.extend(replacement(edit, before).map(|edit| (at, edit)));
            }
        }
    }
    if rewritten.is_empty() {
        return Cow::Borrowed(steps);
    }

    let mut steps = steps.to_vec();
    for (at, replacement) in rewritten {
        let files = steps
            .get_mut(at)
            .into_iter()
            .flat_map(|step| &mut step.files);
        files
            .filter(|edit| edit.path == replacement.path)
            .for_each(|edit| edit.clone_from(&replacement));
    }
    Cow::Owned(steps)
}

/// Returns the file that an edit takes away for good: one that `rename_file` moves is still there.
pub(super) fn removal<'s>(step: &Step, edit: &'s FileEdit) -> Option<&'s File> {
    let is_moved = || {
        step.files
            .iter()
            .any(|other| other.moved_from.as_ref() == Some(&edit.path))
    };
    edit.before
        .as_ref()
        .filter(|_| edit.after.is_none() && !is_moved())
}

/// Returns what creates a file as what replaces all of `before`.
fn replacement(created: &FileEdit, before: &File) -> Option<FileEdit> {
    let after = created
        .after
        .as_ref()
        .filter(|_| created.moved_from.is_none())?;
    let operation = created.operation_at(0)?;
    let all = Span::new(0, before.bytes.len());
    let splice = Splice::new(all, after.bytes.to_vec());
    let replaced = |written: &WrittenContent| WrittenContent {
        replaced: before.bytes.to_vec(),
        ..written.clone()
    };
    Some(FileEdit {
        // Who may execute it is for `create` to say.
        before: Some(File {
            mode: after.mode,
            bytes: before.bytes.clone(),
        }),
        splices: Some(Splices::new(vec![splice]).ok()?),
        claims: vec![(all, operation)],
        named: vec![all],
        written: created.written.iter().map(replaced).collect(),
        ..created.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::FileMode;

    fn file(text: &str) -> File {
        File {
            mode: FileMode::Regular,
            bytes: text.as_bytes().into(),
        }
    }

    fn step(edits: &[(&str, Option<&str>, Option<&str>)]) -> Step {
        let edit = |(path, before, after): &(&str, Option<&str>, Option<&str>)| FileEdit {
            written: after.map(written).into_iter().collect(),
            ..FileEdit::whole(
                RepoPath::parse(path).unwrap(),
                before.map(file),
                after.map(file),
            )
        };
        Step {
            files: edits.iter().map(edit).collect(),
        }
    }

    fn written(text: &str) -> WrittenContent {
        WrittenContent {
            operation: 7,
            content: text.to_owned(),
            replaced: Vec::new(),
        }
    }

    #[test]
    fn what_is_made_where_something_was_removed_replaces_it() {
        let steps = [
            step(&[("a", Some("old"), None)]),
            step(&[("b", None, Some("x"))]),
            step(&[("a", None, Some("new"))]),
        ];
        let joined = joined(&steps);
        let edit = &joined[2].files[0];
        assert_eq!(edit.before, Some(file("old")));
        assert_eq!(edit.claims, [(Span::new(0, 3), 7)]);
        assert_eq!(edit.splices.as_ref().unwrap().apply(b"old"), b"new");
        assert_eq!(edit.written[0].replaced, b"old");
        assert!(joined[1].files[0].splices.is_none());
    }

    #[test]
    fn what_moved_away_or_was_never_there_is_not_replaced() {
        let mut moved = step(&[("a", Some("old"), None), ("c", None, Some("old"))]);
        moved.files[1].moved_from = Some(RepoPath::parse("a").unwrap());
        assert!(matches!(
            joined(&[moved, step(&[("a", None, Some("new"))])]),
            Cow::Borrowed(_)
        ));
        assert!(matches!(
            joined(&[step(&[("a", Some("old"), None)])]),
            Cow::Borrowed(_)
        ));
        assert!(matches!(
            joined(&[step(&[("a", None, Some("new"))])]),
            Cow::Borrowed(_)
        ));
    }
}
