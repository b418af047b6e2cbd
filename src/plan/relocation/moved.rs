//! `Moving`: one move, as asked for; where what it moves goes in a file that is there.

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{
    Indent, MovePlace, Operation, Part, Position, RenameTerms, Scoped, Selector,
};
use crate::path::RepoPath;
use crate::plan::edit::EditKind;
use crate::plan::{file, insert, whole};
use crate::resolve::{Document, Purpose, Reading, Segment, Target, locate};
use crate::snapshot::Snapshot;

/// One move, as asked for.
pub(super) struct Moving<'m> {
    /// All operations of the batch.
    pub(super) operations: &'m [Operation],
    /// Which of them it is.
    pub(super) index: usize,
    pub(super) operation: &'m Operation,
    /// The file of what moves.
    pub(super) path: &'m RepoPath,
    /// What moves.
    pub(super) selector: &'m Selector,
    /// Where to.
    pub(super) to: &'m MovePlace,
    pub(super) terms: RenameTerms,
    pub(super) reexports: bool,
}

impl Moving<'_> {
    /// Returns the file that it goes to.
    pub(super) fn to_path(&self) -> &RepoPath {
        self.to.file.as_ref().unwrap_or(self.path)
    }

    /// Returns a file of the snapshot, to be read.
    pub(super) fn document(
        &self,
        snapshot: &Snapshot,
        path: &RepoPath,
    ) -> Result<Document, Diagnostic> {
        let file = whole::editable(snapshot, path, self.operation)?;
        Ok(Document::new(
            path.clone(),
            file.bytes.clone(),
            snapshot.hash,
        ))
    }

    /// Returns what moves, with its decorations.
    pub(super) fn found<'r, 'd>(
        &self,
        reading: &'r Reading<'d>,
    ) -> Result<Target<'r, 'd>, Diagnostic> {
        let scoped = Scoped::from(self.selector.clone());
        let (target, _) = locate(reading, &scoped, Some(Part::Whole), Purpose::Remove)?;
        Ok(target)
    }

    /// Returns what moves, as it is told.
    pub(super) fn told(&self, reading: &Reading<'_>) -> Option<Segment> {
        let scoped = Scoped::from(self.selector.clone());
        let found = locate(reading, &scoped, None, Purpose::Remove).ok()?;
        Some(found.0.segment)
    }

    /// Returns what it goes beside or inside of.
    pub(super) fn beside<'r, 'd>(
        &self,
        reading: &'r Reading<'d>,
    ) -> Result<Option<Target<'r, 'd>>, Diagnostic> {
        let Some(beside) = &self.to.beside else {
            return Ok(None);
        };
        let scoped = Scoped::from(beside.clone());
        let found = locate(reading, &scoped, Some(Part::Whole), Purpose::Edit);
        let (target, _) = found.map_err(|missing| missing.at(self.operation.place("to")))?;
        Ok(Some(target))
    }

    /// Returns the edits that put `text` where it goes.
    pub(super) fn put(
        &self,
        reading: &Reading<'_>,
        beside: Option<&Target<'_, '_>>,
        text: &str,
    ) -> Result<Vec<EditKind>, Diagnostic> {
        let position = self.to.position;
        match beside {
            Some(target) => {
                let position = position.unwrap_or(Position::After);
                let verb = &self.operation.verb;
                insert::insert_at_target(reading, target, position, text, Indent::Auto, verb)
                    .map(|made| made.edits)
            }
            None => {
                let text = format!("{text}\n");
                file::insert_into_file(reading, position, &text, Indent::Auto)
            }
        }
        .map_err(|refusal| refusal.at(self.operation.place("to")))
    }

    /// Returns a refusal that points at where it should go.
    pub(super) fn refuse(&self, code: Code, message: String) -> Diagnostic {
        Diagnostic::new(code, message).at(self.operation.place("to"))
    }
}
