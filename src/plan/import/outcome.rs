//! The way in: an operation and a file → the file then, or why not.

use std::ops::Deref;

use super::groups::IsOwn;
use super::{list, place, remove, uses};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::references::{Analysis, is_python_file};
use crate::syntax::python::{
    ImportOrigin, ImportPlace, ImportStatement, ImportTable, ModuleNames, import_table,
    module_names,
};
use crate::text::splice::{Splice, Splices};
use crate::text::{LineEnding, Lines, Span};

/// A file with what was asked for.
#[derive(Debug)]
pub(in crate::plan) struct ImportedFile {
    /// Its bytes.
    pub(in crate::plan) bytes: Vec<u8>,
    /// How many names came or went.
    pub(in crate::plan) count: usize,
}

/// What an operation wants of the imports of a file.
pub(in crate::plan) enum ImportWish<'a> {
    /// It has the statement.
    Has(&'a ImportStatement),
    /// It has the statement no more.
    Lacks {
        /// The statement.
        statement: &'a ImportStatement,
        /// Whether it may go although it is used.
        allows_use: bool,
    },
}

/// So many places are named in a refusal.
const MOST_NAMED: usize = 20;

/// Returns the file at `path`, which is `bytes`, as `wish` has it.
pub(in crate::plan) fn imported(
    path: &RepoPath,
    bytes: &[u8],
    wish: &ImportWish<'_>,
    analysis: &dyn Deref<Target = Analysis>,
) -> Result<ImportedFile, Diagnostic> {
    if !is_python_file(path, bytes) {
        let message = format!(
            "imports are known of modules of Python alone, and the name of {path} is of none"
        );
        return Err(Diagnostic::new(Code::UnsupportedLanguage, message));
    }
    let mut file = ImportedFile {
        bytes: bytes.to_vec(),
        count: 0,
    };
    let (ImportWish::Has(statement) | ImportWish::Lacks { statement, .. }) = wish;
    for one in statement.one_by_one() {
        let page = ImportPage::of(path, &file.bytes)?;
        let splices = match wish {
            ImportWish::Has(_) => page.with(&one, analysis)?,
            ImportWish::Lacks { allows_use, .. } => page.without(&one, *allows_use, analysis)?,
        };
        if splices.is_empty() {
            continue;
        }
        let splices = Splices::new(splices).map_err(|_| page.in_the_way(&one))?;
        file.bytes = splices.apply(&file.bytes);
        file.count += 1;
    }
    Ok(file)
}

/// A file whose imports are read.
struct ImportPage<'a> {
    path: &'a RepoPath,
    bytes: &'a [u8],
    lines: Lines,
    table: ImportTable,
    names: ModuleNames,
}

impl ImportPage<'_> {
    fn of<'a>(path: &'a RepoPath, bytes: &'a [u8]) -> Result<ImportPage<'a>, Diagnostic> {
        let table = import_table(bytes);
        let names = module_names(bytes);
        if !table.is_sound || !names.is_sound {
            let message = format!("{path} does not parse: what it imports is not known");
            return Err(Diagnostic::new(Code::Unsupported, message)
                .note("`substitute` and `insert` edit it as text"));
        }
        Ok(ImportPage {
            path,
            bytes,
            lines: Lines::of(bytes),
            table,
            names,
        })
    }

    /// Returns what adds `one`, a statement of one name; nothing where it is there.
    fn with(
        &self,
        one: &ImportStatement,
        analysis: &dyn Deref<Target = Analysis>,
    ) -> Result<Vec<Splice>, Diagnostic> {
        let Some(asked) = one.names.first() else {
            return Ok(Vec::new());
        };
        let places = self.places_of(one);
        let limit = self.limit(asked.bound());
        let is_there = |(statement, _): &(&ImportStatement, usize)| match statement.within {
            ImportPlace::Module => true,
            ImportPlace::Branch => statement.span.start < limit,
            ImportPlace::OtherRun | ImportPlace::Definition => false,
        };
        if places.iter().any(is_there) {
            return Ok(Vec::new());
        }
        if !one.is_star() {
            let others = uses::other_bindings(&self.names, one);
            if !others.is_empty() {
                let name = shown(asked.bound());
                let message = format!("`{name}` is something else in {} already", self.path);
                let refusal = Diagnostic::new(Code::NameClash, message);
                return Err(self
                    .listed(refusal, &others)
                    .note("`… as another_name` imports it by another name"));
            }
        }
        let line_break = LineEnding::at(self.bytes, 0).as_bytes();
        let line_break = std::str::from_utf8(line_break).unwrap_or("\n");
        if let Some(statement) = self.list_for(one, limit) {
            let (bytes, lines, table) = (self.bytes, &self.lines, &self.table);
            let splice = list::added(bytes, lines, table, statement, asked, line_break);
            return Ok(vec![splice]);
        }
        let is_own = self.is_own(analysis);
        let is_own: IsOwn<'_> = &is_own;
        let (bytes, lines, table) = (self.bytes, &self.lines, &self.table);
        Ok(vec![place::placed(
            bytes, lines, table, one, limit, is_own, line_break,
        )])
    }

    /// Returns what takes `one`, a statement of one name, away; nothing where it is not there.
    fn without(
        &self,
        one: &ImportStatement,
        allows_use: bool,
        analysis: &dyn Deref<Target = Analysis>,
    ) -> Result<Vec<Splice>, Diagnostic> {
        let places = self.places_of(one);
        let is_own =
            |(statement, _): &&(&ImportStatement, usize)| statement.within == ImportPlace::Module;
        let Some((statement, at)) = places.iter().find(is_own) else {
            return match places.first() {
                None => Ok(Vec::new()),
                Some((statement, _)) => Err(self.inside(one, statement)),
            };
        };
        if !allows_use {
            self.check_uses(one, analysis)?;
        }
        let (bytes, lines, table) = (self.bytes, &self.lines, &self.table);
        remove::removed(bytes, lines, table, statement, *at).ok_or_else(|| self.in_the_way(one))
    }

    /// Returns every statement that has the name of `one`, and which of its names that is.
    fn places_of(&self, one: &ImportStatement) -> Vec<(&ImportStatement, usize)> {
        let same = |it: &crate::syntax::python::ImportedName| {
            one.names
                .first()
                .is_some_and(|asked| asked.name == it.name && asked.alias == it.alias)
        };
        self.table
            .imports
            .iter()
            .filter(|statement| statement.from == one.from)
            .filter_map(|statement| Some((statement, statement.names.iter().position(same)?)))
            .collect()
    }

    /// Returns where the statement begins that reads `name` first, if one does so while the module is imported.
    fn limit(&self, name: &str) -> usize {
        let Some(first) = uses::first_eager_use(&self.names, name) else {
            return usize::MAX;
        };
        let around = |statement: &&crate::syntax::python::ModuleStatement| {
            statement.span.start <= first && first < statement.span.end
        };
        let around = self.table.statements.iter().find(around);
        around.map_or(first, |statement| statement.span.start)
    }

    /// Returns the statement whose list takes in the name of `one`.
    fn list_for(&self, one: &ImportStatement, limit: usize) -> Option<&ImportStatement> {
        one.from.as_ref()?;
        let has_alias = |it: &ImportStatement| it.names.iter().any(|name| name.alias.is_some());
        let own: Vec<&ImportStatement> = self
            .table
            .imports
            .iter()
            .filter(|it| it.within == ImportPlace::Module && it.from.is_some() && !it.is_star())
            .collect();
        let mixes = own.iter().any(|it| has_alias(it) && it.names.len() > 1);
        let is_alone = |pair: &[&ImportStatement]| {
            pair[0].from == pair[1].from
                && pair.iter().all(|it| it.names.len() == 1 && !has_alias(it))
        };
        let is_one_by_one =
            own.iter().all(|it| it.names.len() == 1) && own.windows(2).any(is_alone);
        if is_one_by_one || one.is_star() {
            return None;
        }
        own.into_iter()
            .filter(|it| it.from == one.from && it.span.end <= limit)
            .find(|it| mixes || has_alias(one) == has_alias(it) && !has_alias(one))
    }

    /// Returns what says of a module whether it is the project's own.
    fn is_own<'s>(
        &'s self,
        analysis: &'s dyn Deref<Target = Analysis>,
    ) -> impl Fn(&ImportOrigin) -> bool + 's {
        move |origin: &ImportOrigin| {
            let first = origin.parts.first().map_or("", String::as_str);
            let folders = self.path.as_str().split('/');
            let mut folders = folders.rev().skip(1);
            folders.any(|folder| folder == first) || analysis.is_own_module(self.path, origin)
        }
    }

    fn check_uses(
        &self,
        one: &ImportStatement,
        analysis: &dyn Deref<Target = Analysis>,
    ) -> Result<(), Diagnostic> {
        let Some(asked) = one.names.first() else {
            return Ok(());
        };
        let words = one.words();
        let refuse = |message: String| Diagnostic::new(Code::StillUsed, message);
        let way_out = "`used: allow` takes it away all the same";
        if one.is_star() {
            let message = format!("what `{words}` brings into {} may be used there", self.path);
            return Err(refuse(message).note(way_out));
        }
        let bound = asked.bound();
        let used = self.still_used(one);
        if !used.is_empty() {
            let message = format!("`{}` is still used in {}", shown(bound), self.path);
            return Err(self.listed(refuse(message), &used).note(way_out));
        }
        let is_package = self.path.file_name().starts_with("__init__.py");
        if is_package || asked.alias.as_deref() == Some(&asked.name) {
            let message = format!(
                "`{words}` hands `{}` on to whoever imports {}",
                shown(bound),
                self.path
            );
            return Err(refuse(message).note(way_out));
        }
        let importers = analysis.importers(self.path, bound);
        if importers.is_empty() {
            return Ok(());
        }
        let message = format!(
            "`{}` is imported from {} by other files",
            shown(bound),
            self.path
        );
        let refusal = importers
            .iter()
            .take(MOST_NAMED)
            .fold(refuse(message), |refusal, (path, line)| {
                refusal.note(format!("{path}, line {line}"))
            });
        Err(refusal.note(way_out))
    }

    /// Returns where what `one` binds is used, as far as nothing else binds that.
    fn still_used(&self, one: &ImportStatement) -> Vec<Span> {
        let Some(asked) = one.names.first() else {
            return Vec::new();
        };
        let used = uses::uses(&self.names, asked.bound());
        let is_dotted = one.from.is_none() && asked.alias.is_none();
        let others = self.table.imports.iter().filter(|it| {
            it.from.is_none() && matches!(it.within, ImportPlace::Module | ImportPlace::Branch)
        });
        let mut others = others.flat_map(|it| &it.names);
        let has_other = others.any(|other| {
            other.alias.is_none() && other.name != asked.name && other.bound() == asked.bound()
        });
        if !(is_dotted && has_other) {
            return used;
        }
        // The first word comes from another import as well: what counts is the whole of it, as it is written.
        let name = asked.name.as_bytes();
        let is_whole = |span: &Span| {
            let text = &self.bytes[span.start..];
            let next = text.get(name.len());
            text.starts_with(name)
                && next.is_none_or(|next| !(next.is_ascii_alphanumeric() || *next == b'_'))
        };
        used.into_iter().filter(is_whole).collect()
    }

    fn listed(&self, refusal: Diagnostic, spans: &[Span]) -> Diagnostic {
        let mut lines: Vec<usize> = spans
            .iter()
            .map(|span| self.lines.line(span.start))
            .collect();
        lines.dedup();
        let refusal = lines
            .iter()
            .take(MOST_NAMED)
            .fold(refusal, |refusal, line| {
                let text = self.lines.content(self.bytes, *line).of(self.bytes);
                let text = String::from_utf8_lossy(text);
                refusal.note(format!("line {line}: {}", shown(text.trim())))
            });
        match lines.len().saturating_sub(MOST_NAMED) {
            0 => refusal,
            more => refusal.note(format!("… and {more} more")),
        }
    }

    fn inside(&self, one: &ImportStatement, statement: &ImportStatement) -> Diagnostic {
        let line = self.lines.line(statement.span.start);
        let message = format!(
            "`{}` is at line {line} of {}, inside of something: there it is not taken away",
            one.words(),
            self.path
        );
        Diagnostic::new(Code::Unsupported, message)
            .note("`replace` or `delete` with `text` edits what is around it, too")
    }

    fn in_the_way(&self, one: &ImportStatement) -> Diagnostic {
        let message = format!(
            "comments between the names of `{}` in {} are in the way",
            one.words(),
            self.path
        );
        Diagnostic::new(Code::Unsupported, message)
            .note("`replace` with `text` edits the statement")
    }
}
