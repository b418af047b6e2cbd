//! Which names a module reads that nothing in it defines, and that Python does not bring along either.
//!
//! In: a module's bytes and names; out: places. Where anything may define a name (`from x import *`, `exec`, `globals()`, a name of a
//! module set from outside), nothing is said: an alarm that is false costs more than one that is missing. So a name counts as defined that
//! is bound anywhere in a scope that it can be seen from, whatever runs first, and also where `del` takes it away.
//!
//! Known limits: what is in a string is not looked at, a type in quotes included, nor is `__all__`; names with two underscores on both sides
//! are always taken for Python's own.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use memchr::memmem;

use super::lookup::visible;
use crate::syntax::python::{
    ModuleNames, NameOccurrence, NameScopeKind, OccurrenceKind, ScopeId, UsedExpression, UsedText,
};
use crate::text::Span;

static BUILT_IN: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    include_str!("outside/builtins.txt")
        .split_whitespace()
        .collect()
});

/// What Python 2 had as well.
static OF_PYTHON_2: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    include_str!("outside/builtins_2.txt")
        .split_whitespace()
        .collect()
});

/// A file that has one of these runs in Python 2, too, or did.
const SIGNS_OF_PYTHON_2: [&[u8]; 8] = [
    b"PY2",
    b"PY3",
    b"version_info",
    b"import six",
    b"from six",
    b"print_function",
    b"unicode_literals",
    b"absolute_import",
];

/// Who reads one of these may define any name.
const DEFINING: [&str; 6] = [
    "exec",
    "execfile",
    "globals",
    "builtins",
    "__builtin__",
    "__builtins__",
];

/// A name that nothing defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UndefinedName<'n> {
    /// The name.
    pub(crate) name: &'n str,
    /// Where it is read, in the order of the file; at least one.
    pub(crate) places: Vec<Span>,
    /// The scope that it is read from first.
    pub(crate) scope: ScopeId,
}

/// Returns the names that the module `bytes` reads and that nothing defines, in the order of the file; `None` where that cannot be told.
pub(crate) fn undefined_names<'n>(
    names: &'n ModuleNames,
    bytes: &[u8],
) -> Option<Vec<UndefinedName<'n>>> {
    if may_define_anything(names, bytes) {
        return None;
    }
    let module = names.scopes.first()?;
    let mut runs_in_python_2 = None;
    let mut seen_from: HashMap<ScopeId, Vec<ScopeId>> = HashMap::new();
    let mut found: Vec<UndefinedName<'n>> = Vec::new();
    let mut at: HashMap<&str, usize> = HashMap::new();
    for occurrence in names.occurrences.iter().filter(|it| is_read(it)) {
        let name = occurrence.name.as_str();
        if module.names.contains_key(name) || is_built_in(name) {
            continue;
        }
        let scopes = seen_from
            .entry(occurrence.scope)
            .or_insert_with(|| visible(names, occurrence.scope));
        let is_bound = scopes
            .iter()
            .any(|scope| names.scopes[*scope].names.contains_key(name));
        // A name that a class makes private, or that is written in other letters, is not what is looked up.
        let is_as_written = occurrence.span.of(bytes) == name.as_bytes();
        if is_bound || !is_as_written || is_in_text(names, occurrence.span) {
            continue;
        }
        if OF_PYTHON_2.contains(name)
            && *runs_in_python_2.get_or_insert_with(|| has_signs_of_python_2(bytes))
        {
            continue;
        }
        match at.get(name) {
            Some(known) => found[*known].places.push(occurrence.span),
            None => {
                at.insert(name, found.len());
                found.push(UndefinedName {
                    name,
                    places: vec![occurrence.span],
                    scope: occurrence.scope,
                });
            }
        }
    }
    Some(found)
}

/// Returns the names that Python brings along.
pub(crate) fn built_in_names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().copied()
}

/// Returns every name of the module that can be read in `scope`.
pub(crate) fn names_in_reach(names: &ModuleNames, scope: ScopeId) -> BTreeSet<&str> {
    let scopes = visible(names, scope);
    let bound = scopes
        .iter()
        .flat_map(|scope| names.scopes[*scope].names.keys());
    bound.map(String::as_str).collect()
}

/// Says whether Python has a name whatever a module defines.
pub(crate) fn is_built_in(name: &str) -> bool {
    let is_special = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    is_special || name == "_" || BUILT_IN.contains(name)
}

fn is_read(occurrence: &NameOccurrence) -> bool {
    matches!(occurrence.kind, OccurrenceKind::Load { .. })
}

/// Says whether names may be defined in a module in ways that cannot be read in it.
pub(super) fn may_define_anything(names: &ModuleNames, bytes: &[u8]) -> bool {
    if !names.is_sound || !names.stars.is_empty() {
        return true;
    }
    let is_open = names
        .scopes
        .first()
        .is_none_or(|module| module.names.contains_key("__getattr__"));
    let defines = |occurrence: &NameOccurrence| {
        let name = occurrence.name.as_str();
        match name {
            // Whoever minds `NameError` asks whether a name is there.
            "NameError" => true,
            "locals" => !is_in_function(names, occurrence.scope),
            "vars" => !is_called_with_something(names, occurrence),
            _ => DEFINING.contains(&name),
        }
    };
    is_open
        || names
            .occurrences
            .iter()
            .any(|it| is_read(it) && defines(it))
        || memmem::find(bytes, b"modules[__name__]").is_some()
}

/// Says whether what is read is called with an argument: `vars(options)` defines nothing.
fn is_called_with_something(names: &ModuleNames, occurrence: &NameOccurrence) -> bool {
    let OccurrenceKind::Load { expression } = occurrence.kind else {
        return false;
    };
    let call = names.calls.get(&expression);
    call.is_some_and(|call| match names.expression(*call) {
        UsedExpression::Call { arguments, .. } => !arguments.is_empty(),
        _ => false,
    })
}

fn is_in_function(names: &ModuleNames, scope: ScopeId) -> bool {
    names.outward(scope).any(|around| {
        matches!(
            names.scopes[around].kind,
            NameScopeKind::Function | NameScopeKind::Lambda
        )
    })
}

fn has_signs_of_python_2(bytes: &[u8]) -> bool {
    SIGNS_OF_PYTHON_2
        .iter()
        .any(|sign| memmem::find(bytes, sign).is_some())
}

/// Says whether a place is in a string.
fn is_in_text(names: &ModuleNames, place: Span) -> bool {
    let after = names
        .texts
        .partition_point(|(text, _)| text.start <= place.start);
    let before = after.checked_sub(1).and_then(|at| names.texts.get(at));
    before.is_some_and(|(text, kind)| *kind == UsedText::String && text.contains(place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::python::module_names;

    fn undefined(text: &str) -> Option<Vec<String>> {
        let names = module_names(text.as_bytes());
        let found = undefined_names(&names, text.as_bytes())?;
        Some(found.iter().map(|it| it.name.to_owned()).collect())
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = undefined(text).expect("it can be told");
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_name_is_looked_for_where_python_would() {
        check("print(a)\n", &["a"]);
        check(
            "def f(x, *y, z=d, **k):\n    return x, y, z, k, w\n",
            &["d", "w"],
        );
        check(
            "class A:\n    n = 1\n    m = n\n    def f(self):\n        return n\n",
            &["n"],
        );
        check(
            "class A:\n    n = [1]\n    m = [i for i in n]\n    o = [n for i in n]\n",
            &["n"],
        );
        check(
            "def f():\n    def g():\n        return x\n    x = 1\n    return g\n",
            &[],
        );
        check(
            "def f():\n    return [a for b in c for a in b if a]\n",
            &["c"],
        );
        check("if (n := g()) > 1:\n    print(n)\n", &["g"]);
        check("[y := 1 for _ in range(3)]\nprint(y, z)\n", &["z"]);
        check(
            "match q:\n    case {'a': b, **c}:\n        print(b, c)\n    case D(e=f):\n        print(f)\n",
            &["q", "D"],
        );
        check("try:\n    pass\nexcept E as e:\n    print(e)\n", &["E"]);
        check(
            "def f[T](x: T) -> T:\n    return U\ntype P[K] = dict[K, V]\n",
            &["U", "V"],
        );
        check("f'{a:{b}} {{c}}' + t'{d}'\n", &["a", "b", "d"]);
        check(
            "@deco\ndef f(a: A = B) -> C: ...\n",
            &["deco", "A", "B", "C"],
        );
        check("lambda a, b=c: (a, b, d)\n", &["c", "d"]);
        check(
            "import a.b, c as d\nfrom e import f as g\nprint(a, b, c, d, e, f, g)\n",
            &["b", "c", "e", "f"],
        );
    }

    #[test]
    fn what_may_be_defined_is() {
        check("for i in range(3):\n    pass\nprint(i)\n", &[]);
        check(
            "if x():\n    a = 1\nelse:\n    del b\nprint(a, b)\ndef x(): ...\n",
            &[],
        );
        check("def f():\n    print(late)\nlate = 1\n", &[]);
        check(
            "def f():\n    global made\n    made = 1\ndef g():\n    return made\n",
            &[],
        );
        check(
            "def f():\n    global set_elsewhere\n    return set_elsewhere\n",
            &[],
        );
        check(
            "class A:\n    def f(self):\n        return __class__, super(), __name__, __file__\n",
            &[],
        );
        check(
            "class A:\n    x = __module__, __qualname__\n    def __f(self): ...\n    g = __f\n",
            &[],
        );
        check("class A:\n    def f(self):\n        return __g()\n", &[]);
        check(
            "print(_('text'), ExceptionGroup, anext, WindowsError, reveal_type, exit)\n",
            &[],
        );
        // A type in quotes, a name in a comment, and what only looks like a type.
        check(
            "def f(x: 'Later', y: list['A']) -> 'B': ...\nx = []  # type: list[C]\n",
            &[],
        );
        check(
            "from typing import NamedTuple\nd = {}\nd['key']\ndict['key']\n",
            &[],
        );
        check("import six\nprint(unicode, xrange)\n", &[]);
        check("print(unicode)\n", &["unicode"]);
    }

    #[test]
    fn where_anything_may_be_defined_nothing_is_said() {
        for text in [
            "from x import *\nprint(a)\n",
            "exec('a = 1')\nprint(a)\n",
            "globals().update(x=1)\nprint(x)\n",
            "vars()['x'] = 1\nprint(x)\n",
            "locals()['x'] = 1\nprint(x)\n",
            "import sys\nsetattr(sys.modules[__name__], 'x', 1)\nprint(x)\n",
            "def __getattr__(name): ...\nprint(a)\n",
            "try:\n    unicode\nexcept NameError:\n    unicode = str\nprint(a)\n",
            "import builtins\nbuiltins.a = 1\nprint(a)\n",
            "print(a\n",
        ] {
            assert_eq!(undefined(text), None, "{text}");
        }
        check("def f():\n    return '%(x)s' % locals(), a\n", &["a"]);
        check("def f(b):\n    return vars(b), a\n", &["a"]);
    }
}
