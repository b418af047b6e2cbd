//! Decorators of which it is known what they leave of a function.

/// Those that leave what a call of it gives.
pub(super) const TRANSPARENT: [&str; 11] = [
    "staticmethod",
    "classmethod",
    "abstractmethod",
    "override",
    "final",
    "overload",
    "lru_cache",
    "cache",
    "wraps",
    "deprecated",
    "no_type_check",
];

/// Those that make an attribute of a method.
pub(super) const PROPERTIES: [&str; 5] = [
    "property",
    "cached_property",
    "setter",
    "getter",
    "abstractproperty",
];

/// Those under which it goes on being called by the names of its parameters.
pub(super) const FAITHFUL: [&str; 21] = [
    "staticmethod",
    "classmethod",
    "property",
    "setter",
    "getter",
    "deleter",
    "overload",
    "override",
    "abstractmethod",
    "abstractproperty",
    "final",
    "lru_cache",
    "cache",
    "cached_property",
    "contextmanager",
    "asynccontextmanager",
    "wraps",
    "singledispatch",
    "singledispatchmethod",
    "no_type_check",
    "deprecated",
];

/// More of those that neither call what they decorate nor keep it for others.
const QUIET: [&str; 11] = [
    "dataclass",
    "dataclass_transform",
    "define",
    "attrs",
    "total_ordering",
    "runtime_checkable",
    "unique",
    "singledispatch",
    "fixture",
    "skip",
    "patch",
];

/// Says whether a decorator, by its last word, neither calls what it decorates nor keeps it for others.
pub(super) fn is_harmless(word: &str) -> bool {
    let mut known = TRANSPARENT.iter().chain(&PROPERTIES).chain(&FAITHFUL);
    known.any(|it| *it == word) || QUIET.contains(&word)
}
