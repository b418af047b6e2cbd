//! `Step`: what the files become at once, each as a `FileEdit`: its bytes before and after, and what of them is whose.

use std::sync::Arc;

use crate::path::RepoPath;
use crate::snapshot::{Change, File};
use crate::syntax::{Language, Outline, language_in, named_language};
use crate::text::Span;
use crate::text::splice::Splices;

/// What one step makes of its files, by path.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// One for each touched path.
    pub files: Vec<FileEdit>,
}

/// What one step makes of one path.
#[derive(Clone, Debug)]
pub struct FileEdit {
    /// The path.
    pub path: RepoPath,
    /// The file before the step.
    pub before: Option<File>,
    /// The file after it.
    pub after: Option<File>,
    /// Where `after` comes from, when the step moved it here; `before` is then `None`.
    pub moved_from: Option<RepoPath>,
    /// How its bytes changed; `None` for a file that came or went.
    pub splices: Option<Splices>,
    /// The old bytes that each operation claims: (range, operation).
    pub claims: Vec<(Span, usize)>,
    /// Those of operations that name a place; sorted. The others name bytes, and mean whatever those are a part of.
    pub named: Vec<Span>,
    /// Names that operations replaced and that must still be defined: (operation, qualified name).
    pub defines: Vec<(usize, String)>,
    /// What operations wrote here.
    pub written: Vec<WrittenContent>,
    /// The segments of `before`, when resolution asked for them.
    pub outline: Option<Arc<Outline>>,
}

impl FileEdit {
    /// Returns the language that the file is in, by its name or by what it says itself, after the step or else before it.
    pub fn language(&self) -> Option<&'static Language> {
        let files = [&self.after, &self.before];
        named_language(&self.path)
            .filter(|language| !language.is_left_out())
            .or_else(|| {
                let mut files = files.into_iter().flatten();
                files.find_map(|file| language_in(&self.path, &file.bytes))
            })
    }

    /// Returns the edit that leaves nothing of `before` but what is in `after`.
    pub fn whole(path: RepoPath, before: Option<File>, after: Option<File>) -> FileEdit {
        FileEdit {
            path,
            before,
            after,
            moved_from: None,
            splices: None,
            claims: Vec::new(),
            named: Vec::new(),
            defines: Vec::new(),
            written: Vec::new(),
            outline: None,
        }
    }

    /// Returns the operation that trouble at `offset` of the new file most likely comes from: the one whose bytes stand
    /// there, else the nearest ahead, because what is left open is missed only later.
    pub fn operation_at(&self, offset: usize) -> Option<usize> {
        let Some(splices) = &self.splices else {
            return self.written.first().map(|written| written.operation);
        };
        let mut spliced = splices.with_new_spans().peekable();
        let first = spliced.peek().map(|(splice, _)| splice.span);
        let last = spliced
            .take_while(|(_, new)| new.start <= offset)
            .last()
            .map(|(splice, _)| splice.span);
        let culprit = last.or(first)?;
        let meets = |claim: Span| claim.start <= culprit.end && culprit.start <= claim.end;
        self.claims
            .iter()
            .find(|(claim, _)| meets(*claim))
            .map(|&(_, operation)| operation)
    }

    /// Returns the operation that a splice over these old bytes comes from.
    pub fn claimant(&self, splice: Span) -> Option<usize> {
        let meets = |claim: Span| claim.start <= splice.end && splice.start <= claim.end;
        let mut claims = self.claims.iter();
        let holding = claims.clone().find(|(claim, _)| claim.overlaps(splice));
        holding
            .or_else(|| claims.find(|(claim, _)| meets(*claim)))
            .map(|&(_, operation)| operation)
    }
}

/// Content that an operation wrote.
#[derive(Clone, Debug)]
pub struct WrittenContent {
    /// Index of the operation.
    pub operation: usize,
    /// As the caller wrote it.
    pub content: String,
    /// The bytes that it took the place of.
    pub replaced: Vec<u8>,
}

impl Step {
    pub(super) fn changes(&self) -> Vec<Change> {
        let change = |edit: &FileEdit| Change {
            path: edit.path.clone(),
            before: edit.before.clone(),
            after: edit.after.clone(),
        };
        self.files.iter().map(change).collect()
    }
}
