//! What a module uses as it cannot be used: an attribute that its receiver lacks, a name that a module lacks, a call that does not fit
//! what it calls.
//!
//! In: an analysis, and one of its files; out: places. Only what is known whole is judged: a class with a base that is not there, a decorator
//! that may make anything of it, or `__getattr__`, has whatever it is asked for. The files may be a part of the project: those that are not there
//! are never known.
//!
//! Known limits: what a test of errors does wrong on purpose is passed over by the words around it (`raises(`); an attribute that is named in
//! a string anywhere in the file is taken for one that is set by `setattr`.

use std::collections::{BTreeSet, HashSet};

use memchr::memmem;

use super::analysis::Analysis;
use super::ancestry::AncestryStep;
use super::calls::CallFault;
use super::facts::{FileId, PythonModule, ScopePlace, Thing};
use super::outside;
use super::undefined::may_define_anything;
use crate::path::RepoPath;
use crate::syntax::python::{
    ExpressionId, ImportOrigin, ModuleNames, NameOccurrence, NameScopeKind, OccurrenceKind,
    UsedExpression,
};
use crate::text::{Lines, Span};

/// Decorators that leave the attributes of a class what they are.
const HARMLESS: [&str; 11] = [
    "dataclass",
    "final",
    "total_ordering",
    "runtime_checkable",
    "unique",
    "define",
    "frozen",
    "mutable",
    "attrs",
    "s",
    "deprecated",
];

/// Says whether a decorator of this name leaves the attributes of a class what they are.
pub(super) fn is_harmless_of_classes(word: &str) -> bool {
    HARMLESS.contains(&word)
}

/// A module in which one of these is written may give its classes any attribute.
const SETTING: [&[u8]; 4] = [b"setattr(", b"__dict__", b"vars(", b"__slots__ ="];

/// So many uses that cannot be are looked at more closely in one file.
const MOST_JUDGED: usize = 500;

/// So many lines above a use are looked at for words that say that it is wrong on purpose.
const LINES_ABOVE: usize = 3;

/// Something that is used as it cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misuse {
    /// The word that says so.
    pub(crate) place: Span,
    /// It.
    pub(crate) word: String,
    /// What is wrong with it.
    pub(crate) fault: MisuseFault,
}

/// What is wrong with a use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MisuseFault {
    /// What it is an attribute of has none that is called so.
    Attribute {
        /// What that is: a class, a module.
        owner: String,
        /// Whether it is asked of the object whose method the place is in: a class below may have it.
        of_self: bool,
        /// The attributes that there are.
        others: BTreeSet<String>,
    },
    /// The module that it is imported from has none that is called so.
    Import {
        /// The module's file.
        module: RepoPath,
        /// The names that there are.
        others: BTreeSet<String>,
    },
    /// The call does not fit.
    Call {
        /// What is called, with its parameters.
        signature: String,
        /// How it does not fit.
        fault: CallFault,
    },
}

impl Misuse {
    /// Says whether two are the same mistake, wherever they are.
    pub(crate) fn is_like(&self, other: &Misuse) -> bool {
        let of = |misuse: &Misuse| match &misuse.fault {
            MisuseFault::Attribute { owner, .. } => (0, owner.clone(), String::new()),
            MisuseFault::Import { module, .. } => (1, module.to_string(), String::new()),
            MisuseFault::Call { fault, .. } => (2, String::new(), fault.to_string()),
        };
        self.word == other.word && of(self) == of(other)
    }
}

impl Analysis {
    /// Returns what the file at `path` misuses, in the order of the file.
    pub(crate) fn misuses(&self, path: &RepoPath) -> Vec<Misuse> {
        let Some(file) = self.sources.at(path.as_str()) else {
            return Vec::new();
        };
        let names = self.names(file);
        if !names.is_sound {
            return Vec::new();
        }
        let bytes = self.sources.bytes(file);
        let lines = Lines::of(bytes);
        let set = attributes_set(names);
        let used = names.occurrences.iter();
        let found = used.filter_map(|occurrence| {
            // In a type in quotes, or made private.
            let is_as_written = occurrence.span.of(bytes) == occurrence.name.as_bytes();
            let misuse = is_as_written.then(|| self.misuse(file, occurrence))??;
            Some((occurrence, misuse))
        });
        found
            .take(MOST_JUDGED)
            .filter(|(occurrence, misuse)| {
                // What a file sets of whatever may be set of this, too.
                let is_set = matches!(misuse.fault, MisuseFault::Attribute { .. })
                    && set.contains(misuse.word.as_str());
                !is_set && !is_meant(bytes, &lines, misuse) && !is_guarded(bytes, names, occurrence)
            })
            .map(|(_, misuse)| misuse)
            .collect()
    }

    fn misuse(&self, file: FileId, occurrence: &NameOccurrence) -> Option<Misuse> {
        let faults = match &occurrence.kind {
            OccurrenceKind::Imported { from, .. } => self.import_fault(file, from, occurrence),
            OccurrenceKind::Attribute {
                is_target: false,
                receiver,
                expression,
            } => self
                .attribute_fault(file, *receiver, occurrence)
                .or_else(|| self.call_fault_of(file, *expression)),
            OccurrenceKind::Load { expression } => self.call_fault_of(file, *expression),
            OccurrenceKind::Attribute { .. }
            | OccurrenceKind::Store
            | OccurrenceKind::Keyword { .. }
            | OccurrenceKind::KeywordPattern { .. }
            | OccurrenceKind::ModulePart
            | OccurrenceKind::Exported
            | OccurrenceKind::Slot => None,
        };
        Some(Misuse {
            place: occurrence.span,
            word: occurrence.name.clone(),
            fault: faults?,
        })
    }

    fn call_fault_of(&self, file: FileId, callee: ExpressionId) -> Option<MisuseFault> {
        let call = *self.names(file).calls.get(&callee)?;
        let (signature, fault) = self.call_fault(file, call)?;
        Some(MisuseFault::Call { signature, fault })
    }

    fn import_fault(
        &self,
        file: FileId,
        from: &ImportOrigin,
        occurrence: &NameOccurrence,
    ) -> Option<MisuseFault> {
        let name = &occurrence.name;
        let mut others = BTreeSet::new();
        let modules = self.sources.modules(file, from);
        for module in &modules {
            // A package imports its own modules so before it has them as names.
            if module.files.contains(&file) || self.sources.submodule(module, name).is_some() {
                return None;
            }
            others.append(&mut self.lacked_by_module(module, name)?);
        }
        let first = modules.first()?.files.first()?;
        Some(MisuseFault::Import {
            module: self.sources.path(*first).clone(),
            others,
        })
    }

    fn attribute_fault(
        &self,
        file: FileId,
        receiver: ExpressionId,
        occurrence: &NameOccurrence,
    ) -> Option<MisuseFault> {
        let name = &occurrence.name;
        let things = self.things_of(file, receiver);
        if things.is_open || is_special(name) {
            return None;
        }
        let mut others = BTreeSet::new();
        for thing in &things.known {
            others.append(&mut self.lacked_by(thing, name)?);
        }
        let owner = match things.known.first()? {
            Thing::Module(module) => self.sources.path(*module.files.first()?).to_string(),
            Thing::Class(class) | Thing::Instance(class) => self.scope(*class).name.clone()?,
            Thing::OutsideInstance(class) => class.trim_start_matches("builtins.").to_owned(),
            Thing::Above(_) | Thing::Function(..) | Thing::Promised(_) | Thing::Outside(_) => {
                return None;
            }
        };
        Some(MisuseFault::Attribute {
            owner,
            of_self: self.is_self(file, receiver),
            others,
        })
    }

    /// Returns the attributes that something has instead of `name`; `None` where it has it, or may have it.
    fn lacked_by(&self, thing: &Thing, name: &str) -> Option<BTreeSet<String>> {
        match thing {
            // A package has the modules in it, and which those are is not asked here.
            Thing::Module(module) if module.folder.is_none() => self.lacked_by_module(module, name),
            Thing::Class(_) if !outside::lacks("type", name) => None,
            Thing::Class(class) | Thing::Instance(class) => self.lacked_by_class(*class, name),
            // What is declared to be any object is told apart where it is used.
            Thing::OutsideInstance(class) if class.ends_with("object") => None,
            Thing::OutsideInstance(class) if outside::lacks(class, name) => {
                let others = outside::attributes(class).map(str::to_owned);
                Some(others.collect())
            }
            Thing::OutsideInstance(_)
            | Thing::Module(_)
            | Thing::Above(_)
            | Thing::Function(..)
            | Thing::Promised(_)
            | Thing::Outside(_) => None,
        }
    }

    fn lacked_by_module(&self, module: &PythonModule, name: &str) -> Option<BTreeSet<String>> {
        let mut others = BTreeSet::new();
        if module.files.is_empty() || is_special(name) {
            return None;
        }
        for file in &module.files {
            let module = self.names(*file).scopes.first()?;
            if module.names.contains_key(name) || !self.names(*file).is_sound {
                return None;
            }
            others.extend(module.names.keys().cloned());
        }
        let may_have_any = module.files.iter().any(|file| {
            let bytes = self.sources.bytes(*file);
            may_define_anything(self.names(*file), bytes)
                || memmem::find(bytes, b"setattr(").is_some()
                || memmem::find(bytes, b"sys.modules").is_some()
        });
        (!may_have_any).then_some(others)
    }

    fn lacked_by_class(&self, class: ScopePlace, name: &str) -> Option<BTreeSet<String>> {
        let mut others = BTreeSet::new();
        if !outside::lacks("object", name) {
            return None;
        }
        let ancestry = self.ancestry(class);
        if ancestry.own().any(|place| self.has_own(place, name)) {
            return None;
        }
        // A member has the attributes of its value as well.
        if self.is_enumeration(class) {
            return None;
        }
        for step in ancestry.steps {
            match step {
                AncestryStep::Own(place) => {
                    if self.may_have_any(place) {
                        return None;
                    }
                    let scope = self.scope(place);
                    others.extend(scope.names.keys().chain(scope.members.keys()).cloned());
                }
                AncestryStep::Outside(base) => {
                    if !outside::lacks(&base, name) {
                        return None;
                    }
                    others.extend(outside::attributes(&base).map(str::to_owned));
                }
                AncestryStep::Unknown(_) => return None,
            }
        }
        let below = self.descendants(class);
        let is_of_others = below.into_iter().any(|below| {
            let around = self.ancestry(below);
            around.own().any(|place| self.has_own(place, name))
        });
        (!is_of_others).then_some(others)
    }

    /// Says whether a class itself may have any attribute.
    fn may_have_any(&self, class: ScopePlace) -> bool {
        if let Some(known) = self.open_classes.borrow().get(&class) {
            return *known;
        }
        let found = self.find_whether_open(class);
        self.open_classes.borrow_mut().insert(class, found);
        found
    }

    fn find_whether_open(&self, class: ScopePlace) -> bool {
        let scope = self.scope(class);
        let names = self.names(class.0);
        let Some(header) = &scope.class else {
            return true;
        };
        let is_decorated = header.decorators.iter().any(|decorator| {
            !names
                .last_word(*decorator)
                .is_some_and(|word| HARMLESS.contains(&word))
        });
        let looks_up = ["__getattr__", "__getattribute__", "__init_subclass__"];
        is_decorated
            || header.has_metaclass
            || header.has_unknown_bases
            || !names.is_sound
            || looks_up.iter().any(|name| scope.names.contains_key(*name))
            || self.may_set_any(class.0)
    }

    /// Says whether a module may give its classes any attribute.
    fn may_set_any(&self, file: FileId) -> bool {
        let find = || {
            let bytes = self.sources.bytes(file);
            let is_written = |word: &&[u8]| memmem::find(bytes, word).is_some();
            SETTING.iter().any(is_written)
        };
        let mut known = self.setting_files.borrow_mut();
        *known.entry(file).or_insert_with(find)
    }

    /// Says whether an expression is the first parameter of the method that it is in.
    pub(super) fn is_self(&self, file: FileId, expression: ExpressionId) -> bool {
        let names = self.names(file);
        let UsedExpression::Name { name, scope, .. } = names.expression(expression) else {
            return false;
        };
        names.outward(*scope).any(|around| {
            let header = names.scopes[around].function.as_ref();
            header.is_some_and(|header| header.first.as_deref() == Some(name))
                && names.class_of_method(around).is_some()
        })
    }
}

/// Returns the attributes that a module sets or takes away, of whatever.
fn attributes_set(names: &ModuleNames) -> HashSet<&str> {
    let set = names.occurrences.iter().filter(|it| {
        matches!(
            it.kind,
            OccurrenceKind::Attribute {
                is_target: true,
                ..
            }
        )
    });
    set.map(|it| it.name.as_str()).collect()
}

fn is_special(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}

/// Says whether the words around a use say that it is wrong on purpose, or that it is known.
fn is_meant(bytes: &[u8], lines: &Lines, misuse: &Misuse) -> bool {
    let line = lines.line(misuse.place.start);
    let first = line.saturating_sub(LINES_ABOVE).max(1);
    let around = Span::new(
        lines.content(bytes, first).start,
        lines.content(bytes, line).end,
    );
    let of_errors: [&[u8]; 4] = [b"raises(", b"assertRaises", b"suppress(", b"# type: ignore"];
    if of_errors
        .iter()
        .any(|word| memmem::find(around.of(bytes), word).is_some())
    {
        return true;
    }
    // Who names it in a string asks for it, or sets it.
    let is_quoted = |quote: char| {
        let quoted = format!("{quote}{}{quote}", misuse.word);
        memmem::find(bytes, quoted.as_bytes()).is_some()
    };
    !matches!(misuse.fault, MisuseFault::Call { .. }) && (is_quoted('"') || is_quoted('\''))
}

/// Says whether what is around a use minds that it fails, or asks what the receiver is in a way that is not followed.
fn is_guarded(bytes: &[u8], names: &ModuleNames, occurrence: &NameOccurrence) -> bool {
    let has = |around: Span, words: &[&[u8]]| {
        words
            .iter()
            .any(|word| memmem::find(around.of(bytes), word).is_some())
    };
    if matches!(occurrence.kind, OccurrenceKind::Imported { .. }) {
        let whole = Span::new(0, bytes.len());
        return has(whole, &[b"ImportError", b"ModuleNotFoundError", b"except:"]);
    }
    let mut around = names.outward(occurrence.scope);
    let function = around.find(|scope| names.scopes[*scope].kind == NameScopeKind::Function);
    let around = names.scopes[function.unwrap_or(0)].span;
    let is_of_attribute = match occurrence.kind {
        OccurrenceKind::Attribute { receiver, .. } => {
            matches!(names.expression(receiver), UsedExpression::Attribute { .. })
        }
        _ => false,
    };
    has(around, &[b"AttributeError", b"TypeError", b"hasattr("])
        || is_of_attribute && has(around, &[b"isinstance(", b"issubclass(", b"match "])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::sources::Sources;
    use super::*;

    /// Returns a line for each misuse of the first file.
    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let path = |path: &str| RepoPath::parse(path).expect("a test names a good path");
        let mut sources = Sources::default();
        for (file, text) in files {
            sources.add(path(file), text.as_bytes().to_vec().into());
        }
        let found = Analysis::over(Arc::new(sources)).misuses(&path(files[0].0));
        let told = found.iter().map(|misuse| match &misuse.fault {
            MisuseFault::Attribute { owner, .. } => format!("{owner} has no {}", misuse.word),
            MisuseFault::Import { module, .. } => format!("{module} has no {}", misuse.word),
            MisuseFault::Call { signature, fault } => format!("{signature}: {fault}"),
        });
        told.collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(told(&[("a.py", text)]), expected, "{text}");
    }

    #[test]
    fn a_call_is_held_to_the_signature() {
        let defined = "def f(a, b=1, *, c=2): ...\n";
        for (call, expected) in [
            ("f(1)", None),
            ("f(1, 2, c=3)", None),
            ("f(b=1, a=2)", None),
            ("f(*x)", None),
            ("f(**x)", None),
            ("f(1, *x)", None),
            (
                "f(1, 2, 3)",
                Some("it takes 2 arguments by position, and 3 are given"),
            ),
            ("f()", Some("nothing is given for `a`")),
            ("f(c=1)", Some("nothing is given for `a`")),
            ("f(1, d=1)", Some("it takes no argument that is called `d`")),
            ("f(1, a=1)", Some("`a` is given twice")),
            ("f(1, 2, 3, *x)", None),
        ] {
            let text = format!("{defined}{call}\n");
            let expected: Vec<String> = expected
                .map(|fault| format!("f(a, b=…, *, c=…): {fault}"))
                .into_iter()
                .collect();
            assert_eq!(told(&[("a.py", &text)]), expected, "{call}");
        }
        check(
            "def f(a, /, *, b): ...\nf(a=1, b=2)\nf(1)\n",
            &[
                "f(a, /, *, b): it takes no argument that is called `a`",
                "f(a, /, *, b): nothing is given for `b`",
            ],
        );
        check("def f(*a, **k): ...\nf(1, 2, x=3)\n", &[]);
        check(
            "def f(a, *b, c): ...\nf(1, 2, 3)\n",
            &["f(a, *b, c): nothing is given for `c`"],
        );
    }

    #[test]
    fn of_a_method_the_receiver_counts_as_given() {
        let class = "class A:\n    def __init__(self, x): ...\n    def m(self, y): ...\n    @staticmethod\n    def s(y): ...\n    @classmethod\n    def c(cls, y): ...\n";
        for (call, expected) in [
            ("A(1).m(2)", ""),
            ("A(1).m()", "m(y): nothing is given for `y`"),
            ("A()", "A(x): nothing is given for `x`"),
            ("A(1).s()", "s(y): nothing is given for `y`"),
            ("A.s(1)", ""),
            ("A.c(1)", ""),
            (
                "A.c(1, 2)",
                "c(y): it takes 1 argument by position, and 2 are given",
            ),
            ("A.m(A(1), 2)", ""),
            ("A.m(2)", "m(self, y): nothing is given for `y`"),
        ] {
            let text = format!("{class}{call}\n");
            let expected: Vec<&str> = (!expected.is_empty())
                .then_some(expected)
                .into_iter()
                .collect();
            assert_eq!(told(&[("a.py", &text)]), expected, "{call}");
        }
    }

    #[test]
    fn what_may_take_anything_is_not_judged() {
        for text in [
            // A decorator that is not known.
            "@wrapped\ndef f(a): ...\nf()\n",
            "from x import f\nf()\n",
            "if y:\n    def f(a): ...\nelse:\n    def f(): ...\nf()\n",
            "class A:\n    def __new__(cls, *a): ...\n    def __init__(self, b): ...\nA()\n",
            "class A(B):\n    def __init__(self, b): ...\nA()\n",
            "class A(metaclass=M):\n    def __init__(self, b): ...\nA()\n",
            "class A(Exception):\n    pass\nA(1, 2, 3)\n",
            "class A:\n    def m(self, a): ...\n    def n(self): self.m()\nclass B(A):\n    def m(self): ...\n",
            "class A:\n    def m(self, a): ...\n    m(1)\n",
            "class A:\n    def __init__(self, a): ...\n    @classmethod\n    def make(cls): return cls()\n",
            "def f(a): ...\nwith pytest.raises(TypeError):\n    f()\n",
            "def f(a): ...\ntry:\n    f()\nexcept TypeError:\n    pass\n",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn an_attribute_is_one_of_its_class() {
        let class = "class A:\n    x = 1\n    def __init__(self):\n        self.y = 2\n    def m(self): ...\n";
        for (used, expected) in [
            ("A().x, A().y, A().m, A.x, A.__name__, A().__class__", ""),
            ("A().mm()", "A has no mm"),
            ("A.mm", "A has no mm"),
            ("A.mro()", ""),
            ("A().z = 1\nA().z", ""),
            ("hasattr(A(), 'z')\nA().z", ""),
            ("try:\n    A().z\nexcept AttributeError:\n    pass", ""),
            ("class B(A): ...\nB().w", "B has no w"),
            ("class B(A): ...\nB().x", ""),
            // A class below has it: what is given may be one.
            ("class B(A):\n    w = 1\ndef f(a: A): a.w", ""),
            ("class B(C): ...\nB().w", ""),
            ("def f(a: A): a.w", "A has no w"),
            ("'text'.formt()", "str has no formt"),
            ("def f(a: object): a.w", ""),
            ("import types\ndef f(a: types.ModuleType): a.w", ""),
            (
                "class B:\n    z: str\ndef f(b: B):\n    if isinstance(b.z, bytes):\n        b.z.decode()",
                "",
            ),
        ] {
            let text = format!("{class}{used}\n");
            let expected: Vec<&str> = (!expected.is_empty())
                .then_some(expected)
                .into_iter()
                .collect();
            assert_eq!(told(&[("a.py", &text)]), expected, "{used}");
        }
        for open in [
            "class A:\n    def __getattr__(self, name): ...\nA().z\n",
            "@register\nclass A: ...\nA().z\n",
            "class A:\n    def set(self, name): setattr(self, name, 1)\nA().z\n",
            "class A(metaclass=M): ...\nA().z\n",
        ] {
            check(open, &[]);
        }
    }

    #[test]
    fn a_module_has_what_it_binds() {
        let module = ("util.py", "import os\nVALUE = 1\ndef f(a): ...\n");
        let of = |text| told(&[("a.py", text), module]);
        assert_eq!(of("import util\nutil.f(1)\nutil.VALUE\nutil.os\n"), [""; 0]);
        assert_eq!(of("import util\nutil.g(1)\n"), ["util.py has no g"]);
        assert_eq!(of("from util import f, g\n"), ["util.py has no g"]);
        assert_eq!(
            of("import util\nutil.f()\n"),
            ["f(a): nothing is given for `a`"]
        );
        assert_eq!(
            of("try:\n    from util import g\nexcept ImportError:\n    g = None\n"),
            [""; 0]
        );
        for open in [
            "from other import *\n",
            "def __getattr__(name): ...\n",
            "globals()['g'] = 1\n",
            "def f(:\n",
        ] {
            let files = [("a.py", "from util import g\n"), ("util.py", open)];
            assert_eq!(told(&files), [""; 0], "{open}");
        }
        // A package has the modules in it, of which not all are there.
        let files = [("a.py", "import p\np.q\n"), ("p/__init__.py", "x = 1\n")];
        assert_eq!(told(&files), [""; 0]);
        let files = [("a.py", "from p import y\n"), ("p/__init__.py", "x = 1\n")];
        assert_eq!(told(&files), ["p/__init__.py has no y"]);
        let files = [
            ("a.py", "from p import y\n"),
            ("p/__init__.py", ""),
            ("p/y.py", ""),
        ];
        assert_eq!(told(&files), [""; 0]);
    }
}
