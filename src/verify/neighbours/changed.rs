//! `Changed`: what would become of a neighbour, and where it is.

use crate::text::Span;

/// A statement beside the edits that is on one side only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChangedStatement {
    /// It is not what it was; with its place in the new file.
    Lost(Span, usize),
    /// It is what it was, with decorators that were another's, or without its own; with its place in the new file.
    Redecorated(Span, usize),
    /// It is what it was, without the words or decorators before it, which something else has now; with its place in the new file.
    Parted(Span, usize),
    /// It was there, or is still, below a comment that is for it, which something else has now; with the place of that in the new
    /// file.
    HandedOn(Span, usize),
    /// Its first line is quoted, and what remains of it something else of the content has now; with the place of that in the new
    /// file.
    PassedOn(Span, usize),
    /// It is what it was, in a block above it that was quoted and is given back without its end; with its place in the new file.
    Enclosed(Span, usize),
    /// It is what it was, and stands first in its block, or no longer does, which says what it means; with its place in the
    /// new file.
    Displaced(Span, usize),
    /// It was none before.
    Appeared(Span),
    /// It came with the content, and stands outside of the block or header that the rest of it stands in.
    Strayed(Span),
    /// It is a key, and would be one of another document; with its place in the new file.
    Reassigned(Span, usize),
    /// It is in a key that would be of another one; with its place in the new file.
    Moved(Span, usize),
    /// It is quoted, and would be outside of the definition that it was in; with its place in the new file.
    Outdented(Span, usize),
    /// It is an alias, and would stand for the value of another anchor; with the place of that in the new file.
    Rebound(Span, usize),
    /// It is an element of a list, or an argument, and would be one with what is put beside it; with its place in the new file.
    Joined(Span, usize),
    /// It is an element of a list, or an argument, and would be one of another list; with its place in the new file.
    Regrouped(Span, usize),
    /// It is a part of a text, and would be an element of its own; with its place in the new file.
    Divided(Span, usize),
    /// It is code, or text that is shown, and would be a part of a comment; with its place in the new file.
    Commented(Span, usize),
    /// It looks like an item, and would be a part of the scalar above it.
    Continued(Span),
    /// It is what it was, and stands for something else; with its place in the new file.
    Revalued(Span, usize),
    /// It is a case that falls through to the next, and would fall through to another; with its place in the new file.
    Rerouted(Span, usize),
    /// It is a word that ends with its line, without the value that the line below has.
    Valueless(Span),
    /// It is an import that has a comment read, which is not right above it any more; with its place in the new file.
    Unread(Span, usize),
    /// It is a table, and its rows would be text; with its place in the new file.
    Untabled(Span, usize),
}

impl ChangedStatement {
    /// Returns where it stands in the new file.
    pub(super) fn place(&self) -> usize {
        match self {
            ChangedStatement::Lost(_, now)
            | ChangedStatement::Redecorated(_, now)
            | ChangedStatement::Parted(_, now)
            | ChangedStatement::HandedOn(_, now)
            | ChangedStatement::PassedOn(_, now)
            | ChangedStatement::Enclosed(_, now)
            | ChangedStatement::Displaced(_, now)
            | ChangedStatement::Commented(_, now)
            | ChangedStatement::Joined(_, now)
            | ChangedStatement::Regrouped(_, now)
            | ChangedStatement::Divided(_, now)
            | ChangedStatement::Reassigned(_, now)
            | ChangedStatement::Moved(_, now)
            | ChangedStatement::Outdented(_, now)
            | ChangedStatement::Rebound(_, now)
            | ChangedStatement::Revalued(_, now)
            | ChangedStatement::Rerouted(_, now)
            | ChangedStatement::Unread(_, now)
            | ChangedStatement::Untabled(_, now) => *now,
            ChangedStatement::Appeared(span)
            | ChangedStatement::Strayed(span)
            | ChangedStatement::Continued(span)
            | ChangedStatement::Valueless(span) => span.start,
        }
    }
}

/// So many neighbours of one file are named.
pub(super) const MOST_NAMED: usize = 3;
