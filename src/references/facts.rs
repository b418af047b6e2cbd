//! What is known of names across files: what they lead to, and what expressions are.

use std::collections::BTreeSet;

use crate::syntax::python::ScopeId;

/// A file of the project, by its place in `Sources`.
pub(crate) type FileId = usize;

/// A scope of a file.
pub(crate) type ScopePlace = (FileId, ScopeId);

/// One name in one scope, which is one thing to rename: all its bindings are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Entity {
    /// The file.
    pub(crate) file: FileId,
    /// The scope.
    pub(crate) scope: ScopeId,
    /// The name, as it is looked up.
    pub(crate) name: String,
}

/// What a name leads to.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameLeads {
    /// Names in scopes of the project.
    pub(crate) entities: BTreeSet<Entity>,
    /// Whether it may be something else: of another project, a module, what is built in.
    pub(crate) is_other: bool,
    /// Why it may be anything.
    pub(crate) doubt: Option<String>,
    /// Whether a way there goes by `from module import *`.
    pub(crate) is_starred: bool,
}

impl NameLeads {
    /// Returns those of what is surely something else.
    pub(super) fn elsewhere() -> NameLeads {
        NameLeads {
            is_other: true,
            ..NameLeads::default()
        }
    }

    /// Returns those of one entity.
    pub(super) fn to(entity: Entity) -> NameLeads {
        NameLeads {
            entities: BTreeSet::from([entity]),
            ..NameLeads::default()
        }
    }

    /// Returns those of what may be anything.
    pub(super) fn doubtful(why: impl Into<String>) -> NameLeads {
        NameLeads {
            doubt: Some(why.into()),
            ..NameLeads::default()
        }
    }

    /// Adds others.
    pub(super) fn add(&mut self, other: NameLeads) {
        self.entities.extend(other.entities);
        self.is_other |= other.is_other;
        self.is_starred |= other.is_starred;
        if self.doubt.is_none() {
            self.doubt = other.doubt;
        }
    }

    /// Says whether it leads nowhere.
    pub(super) fn is_empty(&self) -> bool {
        self.entities.is_empty() && !self.is_other && self.doubt.is_none()
    }
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    /// A module.
    Module(PythonModule),
    /// A class.
    Class(ScopePlace),
    /// An instance of a class.
    Instance(ScopePlace),
    /// What is above a class.
    Above(ScopePlace),
    /// A function; of a method the class that it was looked up in.
    Function(ScopePlace, Option<ScopePlace>),
    /// What an `async` function gives before it is awaited.
    Promised(Box<Thing>),
    /// Something of another project, by its dotted name.
    Outside(String),
    /// An instance of a class of another project.
    OutsideInstance(String),
}

/// What an expression may be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Things {
    /// Each of these.
    pub(crate) known: Vec<Thing>,
    /// Or anything.
    pub(crate) is_open: bool,
}

impl Things {
    /// Returns those of what may be anything.
    pub(super) fn anything() -> Things {
        Things {
            known: Vec::new(),
            is_open: true,
        }
    }

    /// Returns those of one thing.
    pub(super) fn one(thing: Thing) -> Things {
        Things {
            known: vec![thing],
            is_open: false,
        }
    }

    /// Adds others.
    pub(super) fn add(&mut self, other: Things) {
        for thing in other.known {
            if !self.known.contains(&thing) {
                self.known.push(thing);
            }
        }
        self.is_open |= other.is_open;
    }

    /// Returns those that `make` makes of each; what it makes nothing of may be anything.
    pub(super) fn map(self, mut make: impl FnMut(Thing) -> Things) -> Things {
        let mut made = Things {
            known: Vec::new(),
            is_open: self.is_open,
        };
        for thing in self.known {
            made.add(make(thing));
        }
        made
    }
}

/// A module of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PythonModule {
    /// Its files: the module, and its stub.
    pub(crate) files: Vec<FileId>,
    /// Of a package: its folder, without a slash.
    pub(crate) folder: Option<String>,
}
