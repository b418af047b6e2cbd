//! The words that the classes of a project name their bases by, and by which other words modules call the same.

use std::collections::HashMap;

use super::facts::{FileId, ScopePlace};
use super::sources::Sources;
use crate::parallel;
use crate::syntax::python::{
    BindingKind, ExpressionId, ModuleNames, NameScopeKind, ScopeId, UsedExpression,
};

/// What files say of words.
#[derive(Default)]
pub(super) struct BaseWords {
    /// The classes that name a base by a word.
    classes: HashMap<String, Vec<ScopePlace>>,
    /// The other words by which a module calls what a word names: `import … as`, `other = word`.
    others: HashMap<String, Vec<String>>,
}

impl BaseWords {
    /// Returns what those of `files` say that are Python.
    pub(super) fn of(sources: &Sources, files: impl IntoIterator<Item = FileId>) -> BaseWords {
        let files = files.into_iter().filter(|file| sources.is_python(*file));
        let said = parallel::map(files.collect(), |file| {
            (file, FileWords::of(sources.names(file)))
        });
        let mut words = BaseWords::default();
        for (file, said) in said {
            words.add(file, said);
        }
        words
    }

    fn add(&mut self, file: FileId, said: FileWords) {
        for (word, scope) in said.classes {
            self.classes.entry(word).or_default().push((file, scope));
        }
        for (word, other) in said.others {
            let others = self.others.entry(word).or_default();
            if !others.contains(&other) {
                others.push(other);
            }
        }
    }

    /// Returns the classes that name a base by `word`.
    pub(super) fn classes(&self, word: &str) -> &[ScopePlace] {
        self.classes.get(word).map_or(&[], |classes| classes)
    }

    /// Returns the other words for what `word` names.
    pub(super) fn others(&self, word: &str) -> &[String] {
        self.others.get(word).map_or(&[], |others| others)
    }
}

/// What one file says of words.
struct FileWords {
    classes: Vec<(String, ScopeId)>,
    others: Vec<(String, String)>,
}

impl FileWords {
    fn of(names: &ModuleNames) -> FileWords {
        let mut said = FileWords {
            classes: Vec::new(),
            others: Vec::new(),
        };
        for (scope, it) in names.scopes.iter().enumerate() {
            let is_class = it.kind == NameScopeKind::Class;
            let header = it.class.as_ref().filter(|_| is_class);
            for base in header.iter().flat_map(|header| &header.bases) {
                let (base, handed) = written_bases(names, *base);
                let words = handed.iter().chain([&base]);
                said.classes.extend(
                    words
                        .filter_map(|base| names.last_word(*base))
                        .map(|word| (word.to_owned(), scope)),
                );
            }
            for (name, bound) in &it.names {
                let words = bound
                    .bindings
                    .iter()
                    .filter_map(|binding| match &binding.kind {
                        BindingKind::Imported { name: there, .. } => Some(there),
                        BindingKind::Assigned {
                            value: Some(value), ..
                        } => match names.expression(*value) {
                            UsedExpression::Name { name, .. }
                            | UsedExpression::Attribute { name, .. } => Some(name),
                            _ => None,
                        },
                        _ => None,
                    });
                let words = words.filter(|word| *word != name);
                said.others
                    .extend(words.map(|word| (word.clone(), name.clone())));
            }
        }
        said
    }
}

/// Returns a base without what is in its brackets, and what is handed to a call that makes it.
pub(super) fn written_bases(
    names: &ModuleNames,
    base: ExpressionId,
) -> (ExpressionId, &[ExpressionId]) {
    match names.expression(base) {
        UsedExpression::Subscript { value, .. } => (*value, &[]),
        UsedExpression::Call { arguments, .. } => (base, arguments),
        _ => (base, &[]),
    }
}
