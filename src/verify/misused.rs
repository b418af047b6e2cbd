//! What is said of something that an edit of Python uses as it cannot be used.

use crate::diagnostic::{Code, Diagnostic, Excerpt, nearest, shown};
use crate::path::RepoPath;
use crate::references::{Misuse, MisuseFault};
use crate::syntax::python::{ModuleNames, NameScopeKind};
use crate::text::{Lines, Span};

/// So many names that are like one are listed.
const MOST_LIKE_IT: usize = 3;

/// Shorter words are like many others.
const SHORTEST: usize = 4;

/// Says whether a misuse is more than a guess: what is asked of `self` may be of a class below, in another file, unless it was of a
/// class here before (`was_there`), or is called much like what there is.
pub(super) fn is_worth_telling(misuse: &Misuse, was_there: bool) -> bool {
    match &misuse.fault {
        MisuseFault::Attribute { of_self: true, .. } => {
            let is_long = misuse.word.chars().count() >= SHORTEST;
            was_there || is_long && !like_it(misuse).is_empty()
        }
        MisuseFault::Attribute { .. } | MisuseFault::Import { .. } | MisuseFault::Call { .. } => {
            true
        }
    }
}

/// Says whether a class of a module has an attribute called so.
pub(super) fn had_attribute(names: &ModuleNames, word: &str) -> bool {
    let mut classes = names
        .scopes
        .iter()
        .filter(|scope| scope.kind == NameScopeKind::Class);
    classes.any(|class| class.names.contains_key(word) || class.members.contains_key(word))
}

/// Says what is wrong, and where.
pub(super) fn complaint(
    misuse: &Misuse,
    path: &RepoPath,
    (bytes, lines): (&[u8], &Lines),
) -> Diagnostic {
    let word = shown(&misuse.word);
    let line = lines.line(misuse.place.start);
    let (code, message) = match &misuse.fault {
        MisuseFault::Attribute { owner, .. } => (
            Code::UnknownAttribute,
            format!(
                "`{word}`, at line {line} of {path}, is no attribute of `{}`",
                shown(owner)
            ),
        ),
        MisuseFault::Import { module, .. } => (
            Code::UnknownImport,
            format!("`{word}`, imported at line {line} of {path}, is not in {module}"),
        ),
        MisuseFault::Call { signature, fault } => (
            Code::UnfitCall,
            format!(
                "the call at line {line} of {path} does not fit `{}`: {}",
                shown(signature),
                shown(&fault.to_string())
            ),
        ),
    };
    Diagnostic::new(code, message)
        .suggest(like_it(misuse).into_iter().map(str::to_owned))
        .showing(excerpt(path, misuse.place, (bytes, lines)))
}

/// Returns the line that a place is in.
pub(super) fn excerpt(path: &RepoPath, place: Span, (bytes, lines): (&[u8], &Lines)) -> Excerpt {
    let line = lines.line(place.start);
    Excerpt {
        path: path.clone(),
        line,
        column: lines.column(place.start),
        text: String::from_utf8_lossy(lines.content(bytes, line).of(bytes)).into_owned(),
    }
}

fn like_it(misuse: &Misuse) -> Vec<&str> {
    match &misuse.fault {
        MisuseFault::Attribute { others, .. } | MisuseFault::Import { others, .. } => {
            let others = others.iter().map(String::as_str);
            nearest(&misuse.word, others, MOST_LIKE_IT)
        }
        MisuseFault::Call { .. } => Vec::new(),
    }
}
