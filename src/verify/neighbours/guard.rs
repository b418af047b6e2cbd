//! `Guard`: what comparing the statements beside an edit needs to know of the edit and of the language.

use std::rc::Rc;

use super::touched::{Touched, TouchedSides};
use crate::plan::FileEdit;
use crate::syntax::Language;
use crate::syntax::css::CSS;
use crate::syntax::go::GO;
use crate::syntax::rust::RUST;
use crate::text::Span;
use crate::text::splice::{OffsetShift, Splices};

pub(super) struct Guard {
    pub(super) moves: Rc<OffsetShift>,
    pub(super) sides: TouchedSides,
    pub(super) offside: bool,
    /// Of several labels in a row each stands for what is below the last.
    pub(super) falls_through: bool,
    /// Documentation is an attribute of what comes next.
    pub(super) documents_next: bool,
    /// A statement may end with its line.
    pub(super) ends_lines: bool,
    /// A header may take a statement without braces.
    pub(super) takes_lone: bool,
    /// A header is a list, the first of which may go: the selectors of a rule.
    pub(super) lists_headers: bool,
}

impl Guard {
    /// Returns the guard of an edit of `bytes`, which `splices` change.
    pub(super) fn of(
        edit: &FileEdit,
        splices: &Splices,
        bytes: &[u8],
        language: &Language,
    ) -> Guard {
        Guard {
            moves: Rc::new(splices.moves()),
            sides: TouchedSides::of(edit, splices, bytes),
            offside: language.habits.offside,
            falls_through: language.name != GO.name,
            documents_next: language.name == RUST.name,
            ends_lines: language.grammar.ends_lines_freely(),
            takes_lone: language.habits.body_opener == "{" && language.name != "Bash",
            lists_headers: std::ptr::eq(language, &CSS),
        }
    }

    /// Returns the guard of what the edit does in a stretch: looking at all of it once for each would be quadratic.
    pub(super) fn within(&self, stretch: Span) -> Guard {
        let strokes = &self.sides.old.0;
        let from = strokes.partition_point(|stroke| stroke.span.end < stretch.start);
        let count = strokes[from..]
            .iter()
            .take_while(|stroke| stroke.span.start <= stretch.end)
            .count();
        let part = |side: &Touched| Touched(side.0[from..from + count].to_vec());
        Guard {
            moves: Rc::clone(&self.moves),
            sides: TouchedSides {
                old: part(&self.sides.old),
                new: part(&self.sides.new),
            },
            ..*self
        }
    }
}
