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
