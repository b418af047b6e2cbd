//! Which group an import is of.

use crate::references::is_standard;
use crate::syntax::python::{ImportOrigin, ImportStatement};

/// A group of imports, in the order in which a file has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ImportGroup {
    /// `from __future__ import …`
    Future,
    /// Python's own library.
    Standard,
    /// Other packages.
    Other,
    /// The project's own.
    Own,
    /// `from . import …`
    Relative,
}

/// Says of a module whether it is the project's own.
pub(super) type IsOwn<'a> = &'a dyn Fn(&ImportOrigin) -> bool;

/// Returns the group of a statement.
pub(super) fn group_of(statement: &ImportStatement, is_own: IsOwn<'_>) -> ImportGroup {
    let origin = statement.origin();
    let first = origin.parts.first().map_or("", String::as_str);
    match () {
        () if origin.dots > 0 => ImportGroup::Relative,
        () if first == "__future__" => ImportGroup::Future,
        () if is_standard(first) => ImportGroup::Standard,
        () if is_own(&origin) => ImportGroup::Own,
        () => ImportGroup::Other,
    }
}

/// Returns what of a statement has to be looked for in the project, to be told from what is not its own.
pub(in crate::plan) fn looked_up(statement: &ImportStatement) -> Vec<String> {
    let alone = statement.one_by_one();
    let origins = alone
        .map(|one| one.origin())
        .filter(|origin| origin.dots == 0);
    let firsts = origins.filter_map(|origin| origin.parts.first().cloned());
    firsts.filter(|first| !is_standard(first)).collect()
}
