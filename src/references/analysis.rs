//! `Analysis`: the project, and what was found out of it so far.
//!
//! What it can be asked is in the files that add to it, each for one sort of question; they need each other's answers, and none of
//! them the others' types.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use super::bases::BaseWords;
use super::facts::{Entity, FileId, NameLeads, ScopePlace, Things};
use super::set_outside::SetOutside;
use super::sources::Sources;
use crate::snapshot::Project;
use crate::syntax::python::{ExpressionId, ModuleNames, NameScope};

/// So many questions may lead from one to the next; what is further away may be anything.
pub(super) const DEEPEST: usize = 120;

/// Answers that were found, by what was asked; nothing yet where the answer is being looked for.
pub(super) type Answers<Q, A> = RefCell<HashMap<Q, Option<A>>>;

/// The project, and what was found out of it so far.
pub(crate) struct Analysis {
    /// Its files.
    pub(super) sources: Arc<Sources>,
    /// What names are, by their scopes.
    pub(super) things: Answers<Entity, Things>,
    /// What expressions are.
    pub(super) expressions: Answers<(FileId, ExpressionId), Things>,
    /// What is of the types that expressions write.
    pub(super) instances: Answers<(FileId, ExpressionId), Things>,
    /// What names lead to, by their scopes, and those that files get by `*`.
    pub(super) leads: Answers<Entity, NameLeads>,
    pub(super) starred: Answers<(FileId, String), NameLeads>,
    /// The classes right below a class.
    pub(super) subclasses: RefCell<HashMap<ScopePlace, Vec<ScopePlace>>>,
    /// The classes of a class and above it, in the order of lookup.
    pub(super) ancestries: RefCell<HashMap<ScopePlace, super::ancestry::Ancestry>>,
    /// Classes that may have any attribute, or not.
    pub(super) open_classes: RefCell<HashMap<ScopePlace, bool>>,
    /// Files that may give their classes any attribute, or not.
    pub(super) setting_files: RefCell<HashMap<FileId, bool>>,
    /// The files that a file imports while it is imported itself.
    pub(super) imported: RefCell<HashMap<FileId, Vec<FileId>>>,
    /// Whether a file imports something by the dotted name of folders, and whether the files of a folder name each other by dots.
    pub(super) named_by_folders: RefCell<HashMap<String, bool>>,
    pub(super) named_by_dots: RefCell<HashMap<String, bool>>,
    /// How many words of classes were looked for, and, once they are many, what all files say of them.
    pub(super) words_asked: Cell<usize>,
    pub(super) base_words: OnceCell<BaseWords>,
    /// Which attributes are set from outside of their classes, and where.
    pub(super) set_outside: OnceCell<SetOutside>,
    /// How many questions are open.
    pub(super) depth: RefCell<usize>,
}

impl Analysis {
    /// Begins with nothing found out.
    pub(crate) fn of(project: &Project) -> Analysis {
        Analysis::over(Arc::new(Sources::of(project)))
    }

    /// Begins with nothing found out of files that others look at, too.
    pub(crate) fn over(sources: Arc<Sources>) -> Analysis {
        Analysis {
            sources,
            things: RefCell::default(),
            expressions: RefCell::default(),
            instances: RefCell::default(),
            leads: RefCell::default(),
            starred: RefCell::default(),
            subclasses: RefCell::default(),
            ancestries: RefCell::default(),
            open_classes: RefCell::default(),
            setting_files: RefCell::default(),
            imported: RefCell::default(),
            named_by_folders: RefCell::default(),
            named_by_dots: RefCell::default(),
            words_asked: Cell::default(),
            base_words: OnceCell::new(),
            set_outside: OnceCell::new(),
            depth: RefCell::new(0),
        }
    }

    /// Returns the names of a file.
    pub(super) fn names(&self, file: FileId) -> &ModuleNames {
        self.sources.names(file)
    }

    /// Returns a scope.
    pub(super) fn scope(&self, (file, scope): ScopePlace) -> &NameScope {
        &self.names(file).scopes[scope]
    }

    /// Answers a question that may lead to others; with `otherwise` where it led too far.
    pub(super) fn ask<T>(&self, otherwise: impl FnOnce() -> T, answer: impl FnOnce() -> T) -> T {
        if *self.depth.borrow() >= DEEPEST {
            return otherwise();
        }
        *self.depth.borrow_mut() += 1;
        let answered = answer();
        *self.depth.borrow_mut() -= 1;
        answered
    }

    /// Does the same once for each question; with `otherwise` also where it is asked again on the way to its answer. Without this a chain of
    /// calls would be looked at twice for each of them.
    pub(super) fn once<Q: Clone + Eq + Hash, A: Clone>(
        &self,
        answers: &Answers<Q, A>,
        question: Q,
        otherwise: impl Fn() -> A,
        answer: impl FnOnce() -> A,
    ) -> A {
        if let Some(known) = answers.borrow().get(&question) {
            return known.clone().unwrap_or_else(otherwise);
        }
        answers.borrow_mut().insert(question.clone(), None);
        let answered = self.ask(otherwise, answer);
        answers
            .borrow_mut()
            .insert(question, Some(answered.clone()));
        answered
    }

    /// Returns the names of the functions and classes around a scope, itself last.
    pub(super) fn qualified(&self, (file, scope): ScopePlace) -> Vec<String> {
        let names = self.names(file);
        let around = names.outward(scope);
        let mut words: Vec<String> = around
            .filter_map(|around| names.scopes[around].name.clone())
            .collect();
        words.reverse();
        words
    }

    /// Returns the scope of the module that stands for this one: a stub's is that of what it is the stub of.
    pub(super) fn canonical(&self, place: ScopePlace) -> ScopePlace {
        let (file, scope) = place;
        if !self.sources.path(file).as_str().ends_with(".pyi") {
            return place;
        }
        let Some(twin) = self.sources.twin(file) else {
            return place;
        };
        self.counterpart(place, twin).unwrap_or((file, scope))
    }

    /// Returns the scope of the same name in `file`.
    pub(super) fn counterpart(&self, place: ScopePlace, file: FileId) -> Option<ScopePlace> {
        let wanted = self.qualified(place);
        let kind = self.scope(place).kind;
        let names = self.names(file);
        let is_it = |scope: usize| {
            names.scopes[scope].kind == kind && self.qualified((file, scope)) == wanted
        };
        let found = (0..names.scopes.len()).find(|scope| is_it(*scope))?;
        Some((file, found))
    }

    /// Returns the entity of a name in a scope.
    pub(super) fn entity(&self, place: ScopePlace, name: &str) -> Entity {
        let (file, scope) = self.canonical(place);
        Entity {
            file,
            scope,
            name: name.to_owned(),
        }
    }
}
