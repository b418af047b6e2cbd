//! What is done with each name of one scope, and which `global` and `nonlocal` statements that forbids, by the rules of
//! CPython's symbol table.

use std::collections::BTreeMap;

use ruff_text_size::TextRange;

/// What is done with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is read.
    Loaded,
    /// It is given a value, deleted, imported, captured, defined.
    Bound,
    /// It is a parameter.
    Parameter,
}

#[derive(Clone, Copy, Debug, Default)]
struct NameFlags {
    loaded: bool,
    bound: bool,
    parameter: bool,
    annotated: bool,
    global: bool,
    nonlocal: bool,
}

/// The names of one scope, as far as it has been read.
#[derive(Debug, Default)]
pub(super) struct ScopeNames {
    flags: BTreeMap<String, NameFlags>,
    /// Names that `nonlocal` statements of inner scopes want from this one or one further out.
    wanted: Vec<(String, TextRange)>,
    /// Names that this scope's own `nonlocal` statements want from one further out.
    nonlocals: Vec<(String, TextRange)>,
}

impl ScopeNames {
    /// Notes what is done with `name`.
    pub(super) fn note(&mut self, name: &str, role: Use) {
        let flags = self.of(name);
        match role {
            Use::Loaded => flags.loaded = true,
            Use::Bound => flags.bound = true,
            Use::Parameter => flags.parameter = true,
        }
    }

    fn of(&mut self, name: &str) -> &mut NameFlags {
        // Most names occur often: look before a key is made.
        if !self.flags.contains_key(name) {
            self.flags.insert(name.to_owned(), NameFlags::default());
        }
        self.flags.get_mut(name).expect("it was just put there")
    }

    /// Notes `global name`, or says why it cannot be here.
    pub(super) fn declare_global(&mut self, name: &str) -> Option<String> {
        let flags = self.of(name);
        let refused = refusal(name, *flags, "global");
        let both = flags
            .nonlocal
            .then(|| format!("name `{name}` is nonlocal and global"));
        flags.global = true;
        refused.or(both)
    }

    /// Notes `nonlocal name`, or says why it cannot be here.
    pub(super) fn declare_nonlocal(&mut self, name: &str, range: TextRange) -> Option<String> {
        let flags = self.of(name);
        let refused = refusal(name, *flags, "nonlocal");
        let both = flags
            .global
            .then(|| format!("name `{name}` is nonlocal and global"));
        flags.nonlocal = true;
        self.nonlocals.push((name.to_owned(), range));
        refused.or(both)
    }

    /// Notes `name: annotation`, or says why it cannot be here. In a module, and in parentheses, a global name may
    /// be annotated.
    pub(super) fn annotate(&mut self, name: &str, global_too: bool) -> Option<String> {
        let flags = self.of(name);
        let declared = if flags.global { "global" } else { "nonlocal" };
        let refused = (flags.global || flags.nonlocal) && !global_too;
        flags.annotated = true;
        refused.then(|| format!("annotated name `{name}` can't be {declared}"))
    }

    /// Takes over what inner scopes want.
    pub(super) fn want(&mut self, names: Vec<(String, TextRange)>) {
        self.wanted.extend(names);
    }

    /// Returns what must be looked for further out. A function gives the names that are its own; a class gives nothing
    /// but `__class__`.
    pub(super) fn still_wanted(
        self,
        is_function: bool,
        is_class: bool,
    ) -> Vec<(String, TextRange)> {
        let ScopeNames {
            flags,
            wanted,
            nonlocals,
        } = self;
        let given = |name: &str| {
            let flags = flags.get(name).copied().unwrap_or_default();
            let own = (flags.bound || flags.parameter || flags.annotated) && !flags.global;
            is_function && (own || flags.nonlocal) || is_class && name == "__class__"
        };
        let mut still: Vec<_> = wanted
            .into_iter()
            .filter(|(name, _)| !given(name))
            .collect();
        still.extend(nonlocals);
        still
    }
}

/// Says what went before a declaration that must come first.
fn refusal(name: &str, flags: NameFlags, declared: &str) -> Option<String> {
    let before = match flags {
        NameFlags {
            parameter: true, ..
        } => return Some(format!("name `{name}` is parameter and {declared}")),
        NameFlags {
            annotated: true, ..
        } => return Some(format!("annotated name `{name}` can't be {declared}")),
        NameFlags { bound: true, .. } => "assigned to",
        NameFlags { loaded: true, .. } => "used",
        _ => return None,
    };
    Some(format!(
        "name `{name}` is {before} before {declared} declaration"
    ))
}
