//! The imports of a file after an edit: what it lacks comes, what it uses no more goes.
//!
//! A name that the edit newly uses, and that nothing defines, gets an import where all that the project knows of it leads to one
//! definition. An import goes that was used before the edit and is not after it; one that was unused already stays, and so does
//! whatever may be used from elsewhere.

use std::collections::HashSet;
use std::ops::Deref;

use super::outcome::{ImportWish, imported};
use super::uses;
use crate::path::RepoPath;
use crate::references::{Analysis, NameUse, Origins, undefined_names};
use crate::syntax::python::{
    ImportPlace, ImportStatement, ModuleNames, OccurrenceKind, UsedText, import_table, module_names,
};
use crate::text::Lines;

/// Names in a file that runs code in strings, or asks for names by strings: then any may be used.
const READS_ANY: [&str; 3] = ["eval", "locals", "vars"];

/// A file with its imports mended.
#[derive(Debug)]
pub(in crate::plan) struct MendedFile {
    /// Its bytes.
    pub(in crate::plan) bytes: Vec<u8>,
    /// The imports that came.
    pub(in crate::plan) added: Vec<String>,
    /// The imports that went.
    pub(in crate::plan) removed: Vec<String>,
    /// Names that nothing defines still, with the imports that may be meant and what is to be said of them.
    pub(in crate::plan) open: Vec<OpenName>,
}

/// A name that no import was found for, though there are some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenName {
    /// The name.
    pub name: String,
    /// The imports that may be meant.
    pub imports: Vec<String>,
    /// Why none of them was added.
    pub why: &'static str,
}

/// Returns the file at `path`, which was `before` and is `after` now, with its imports mended; `left` are names that the batch itself
/// takes the import of away.
pub(in crate::plan) fn mended(
    path: &RepoPath,
    before: Option<&[u8]>,
    after: &[u8],
    left: &HashSet<&str>,
    analysis: &dyn Deref<Target = Analysis>,
) -> MendedFile {
    let mut file = MendedFile {
        bytes: after.to_vec(),
        added: Vec::new(),
        removed: Vec::new(),
        open: Vec::new(),
    };
    let old = before.map(|bytes| (module_names(bytes), bytes));
    let names = module_names(after);
    // What cannot be told of the file then or now is left alone.
    let Some(missing) = undefined_names(&names, after) else {
        return file;
    };
    let was: HashSet<&str> = match &old {
        None => HashSet::new(),
        Some((names, bytes)) => match undefined_names(names, bytes) {
            Some(was) => was.iter().map(|it| it.name).collect(),
            None => return file,
        },
    };
    for name in missing.iter().map(|it| it.name) {
        if !was.contains(name) && !left.contains(name) {
            file.add(path, name, use_of(&names, name), analysis);
        }
    }
    if let Some((old, bytes)) = &old {
        file.take_unused(path, (old, bytes), analysis);
    }
    file
}

/// Returns the file at `path`, which is `after` and was `before`, without the imports that were used then and are not now, and those.
pub(in crate::plan) fn without_unused(
    path: &RepoPath,
    before: &[u8],
    after: &[u8],
    analysis: &dyn Deref<Target = Analysis>,
) -> (Vec<u8>, Vec<String>) {
    let mut file = MendedFile {
        bytes: after.to_vec(),
        added: Vec::new(),
        removed: Vec::new(),
        open: Vec::new(),
    };
    let old = module_names(before);
    file.take_unused(path, (&old, before), analysis);
    (file.bytes, file.removed)
}

impl MendedFile {
    fn add(
        &mut self,
        path: &RepoPath,
        name: &str,
        how: NameUse,
        analysis: &dyn Deref<Target = Analysis>,
    ) {
        let mut leave = |imports: Vec<String>, why: &'static str| {
            self.open.push(OpenName {
                name: name.to_owned(),
                imports,
                why,
            });
        };
        let words = match analysis.origins(path, name, how) {
            Origins::Nowhere => return,
            Origins::One(words) => words,
            Origins::Several(imports) => {
                return leave(
                    imports,
                    "none was added, since it is not certain which is meant",
                );
            }
            Origins::Circle(words) => {
                return leave(
                    vec![words],
                    "it was not added, since that module imports this file",
                );
            }
        };
        let Ok(statement) = ImportStatement::parse(&words) else {
            return;
        };
        match imported(path, &self.bytes, &ImportWish::Has(&statement), analysis) {
            Ok(file) if file.count > 0 => {
                self.bytes = file.bytes;
                self.added.push(words);
            }
            Ok(_) => {}
            Err(_) => leave(vec![words], "it has no place in this file"),
        }
    }

    /// Takes the imports out whose last use is gone.
    fn take_unused(
        &mut self,
        path: &RepoPath,
        (old, old_bytes): (&ModuleNames, &[u8]),
        analysis: &dyn Deref<Target = Analysis>,
    ) {
        let names = module_names(&self.bytes);
        let file_name = path.file_name();
        let gives_on = file_name.starts_with("__init__.") || file_name == "conftest.py";
        let reads_any = |it: &&crate::syntax::python::NameOccurrence| {
            matches!(it.kind, OccurrenceKind::Load { .. }) && READS_ANY.contains(&it.name.as_str())
        };
        if gives_on || names.occurrences.iter().find(reads_any).is_some() {
            return;
        }
        let now = import_table(&self.bytes);
        let lines = Lines::of(&self.bytes);
        let mut unused: Vec<ImportStatement> = Vec::new();
        for statement in import_table(old_bytes).imports {
            if statement.within != ImportPlace::Module || statement.is_star() {
                continue;
            }
            for one in statement.one_by_one() {
                let Some(asked) = one.names.first() else {
                    continue;
                };
                let bound = asked.bound();
                let is_there = now.imports.iter().find(|it| {
                    let mut names = it.names.iter();
                    it.within == ImportPlace::Module
                        && it.from == one.from
                        && names.any(|it| it.name == asked.name && it.alias == asked.alias)
                });
                let Some(written) = is_there else {
                    continue;
                };
                let was_used = !uses::uses(old, bound).is_empty();
                let is_used = || !uses::uses(&names, bound).is_empty();
                let is_kept = || {
                    let first = lines.line(written.span.start);
                    let last = lines.line(written.span.end.saturating_sub(1));
                    let is_told =
                        |line: usize| says_noqa(lines.content(&self.bytes, line).of(&self.bytes));
                    (first..=last).any(is_told)
                        || is_in_comment_of_types(&names, &self.bytes, bound)
                        || !uses::other_bindings(&names, &one).is_empty()
                        || analysis.is_named_from_elsewhere(path, bound)
                };
                if was_used && !is_used() && !is_kept() {
                    unused.push(one);
                }
            }
        }
        for statement in unused {
            let wish = ImportWish::Lacks {
                statement: &statement,
                allows_use: false,
            };
            if let Ok(file) = imported(path, &self.bytes, &wish, analysis)
                && file.count > 0
            {
                self.bytes = file.bytes;
                self.removed.push(statement.words());
            }
        }
    }
}

/// Returns how a file uses a name.
fn use_of(names: &ModuleNames, name: &str) -> NameUse {
    let receivers: HashSet<usize> = names
        .occurrences
        .iter()
        .filter_map(|it| match it.kind {
            OccurrenceKind::Attribute { receiver, .. } => Some(receiver),
            _ => None,
        })
        .collect();
    let is_receiver = names.occurrences.iter().all(|it| match it.kind {
        OccurrenceKind::Load { expression } if it.name == name => receivers.contains(&expression),
        _ => true,
    });
    if is_receiver {
        NameUse::Receiver
    } else {
        NameUse::Value
    }
}

fn says_noqa(line: &[u8]) -> bool {
    let comment = line.splitn(2, |byte| *byte == b'#').nth(1);
    comment.is_some_and(|comment| {
        let comment = comment.to_ascii_lowercase();
        [&b"noqa"[..], b"pylint:", b"type:", b"pyright:", b"isort:"]
            .iter()
            .any(|word| memchr::memmem::find(&comment, word).is_some())
    })
}

/// Says whether a comment such as `# type: List[int]` has a word.
fn is_in_comment_of_types(names: &ModuleNames, bytes: &[u8], word: &str) -> bool {
    names.texts.iter().any(|(span, kind)| {
        let text = span.of(bytes);
        *kind == UsedText::Comment
            && memchr::memmem::find(text, b"type:").is_some()
            && memchr::memmem::find(text, word.as_bytes()).is_some()
    })
}
