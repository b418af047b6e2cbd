//! Files that get other paths: every import of them, and every place that uses what such an import binds, with what it becomes.
//!
//! The project is read twice, as it is and with the new paths. An import that led to a file then has to lead to that file now; where it does
//! not as it is written, it is written anew, in the form that it has: by dots, or by all packages.
//!
//! Known limits: a module of which a call gets the name as a string (`import_module`) is a mention; a script that is run by its path is too.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::analysis::Analysis;
use super::facts::{FileId, PythonModule, Thing};
use super::modules::{CUSTOMARY, folder_of};
use super::reference::{Reference, References, Verdict};
use super::renaming::{RenameRefused, not_certain};
use super::sources::Sources;
use super::target::READS_NAMES;
use super::undefined::is_built_in;
use super::words::may_have_star;
use crate::manifest::{OnUnsure, RenameTerms};
use crate::path::RepoPath;
use crate::snapshot::Project;
use crate::syntax::python::{
    ExpressionId, ImportOrigin, ImportPlace, ImportStatement, ImportedName, ModuleNames,
    NameOccurrence, OccurrenceKind, UsedExpression, UsedText, import_table,
};
use crate::text::{Lines, Span};

/// Files and their new paths.
pub(crate) type FileMoves = BTreeMap<RepoPath, RepoPath>;

/// What changes with files that get other paths.
#[derive(Clone, Debug)]
pub(crate) struct Repointing {
    /// By file, as its path is now.
    pub(crate) files: BTreeMap<RepoPath, RepointedFile>,
    /// Every place, each with its verdict.
    pub(crate) references: References,
}

/// What changes in one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepointedFile {
    /// Places, and what is written there.
    pub(crate) words: BTreeMap<Span, String>,
    /// Names that one import has no more and another one gets, both as statements of one name.
    pub(crate) exchanged: Vec<(String, String)>,
}

/// Returns what changes when files of `project` get the paths that `moves` say; `first` is the one that is told of.
pub(crate) fn repointed(
    analysis: &Analysis,
    project: &Project,
    moves: &FileMoves,
    first: &RepoPath,
    terms: RenameTerms,
) -> Result<Repointing, RenameRefused> {
    let mut moved = Project::default();
    for (path, bytes) in &project.files {
        let path = moves.get(path).unwrap_or(path);
        moved.files.insert(path.clone(), bytes.clone());
    }
    // What was a package goes on being one for what stays in it.
    let mut sources_then = Sources::of(&moved);
    sources_then.once_packages = analysis.sources.packages();
    sources_then.moved = moves.values().map(RepoPath::to_string).collect();
    // What was in a package is in one wherever it goes. A folder that nobody uses as a root is none for being called `lib`, unless
    // packages go below it as they are.
    let roots = analysis.sources.roots_in_use();
    for (from, to) in moves {
        let was_in_one = analysis.sources.is_in_package(folder_of(from.as_str()));
        if !was_in_one && !comes_into_package(&analysis.sources, moves, to) {
            continue;
        }
        let below = |root: &str| to.as_str().strip_prefix(root)?.strip_prefix('/');
        let is_root = |folder: &str| {
            folder.is_empty()
                || roots.contains(&folder)
                || CUSTOMARY.contains(&folder) && below(folder) == Some(from.as_str())
        };
        let mut folder = folder_of(to.as_str());
        while !is_root(folder) {
            sources_then.once_packages.insert(folder.to_owned());
            folder = folder_of(folder);
        }
    }
    let then = Analysis::over(Arc::new(sources_then));
    let mut walk = MoveWalk {
        now: analysis,
        then: &then,
        moves,
        files: BTreeMap::new(),
        places: Vec::new(),
        lines: None,
    };
    for file in walk.concerned() {
        walk.file(file);
    }
    walk.mentions(terms.changes_mentions);
    let doubts = walk.doubts();
    let MoveWalk {
        mut files,
        mut places,
        ..
    } = walk;
    places.sort_by(|one, other| (&one.path, one.span).cmp(&(&other.path, other.span)));
    places.dedup_by(|one, other| one.path == other.path && one.span == other.span);
    files.retain(|_, file| !file.words.is_empty() || !file.exchanged.is_empty());
    let word = analysis
        .sources
        .at(first.as_str())
        .map_or(String::new(), |file| {
            analysis.sources.module_word(file).to_owned()
        });
    let references = References {
        address: first.to_string(),
        word,
        places,
        doubts,
    };
    if terms.unsure == OnUnsure::Refuse && references.unsure().next().is_some() {
        return Err(RenameRefused {
            diagnostic: Box::new(not_certain(&references, "`unsure: keep` leaves them")),
            references: Some(Box::new(references)),
        });
    }
    Ok(Repointing { files, references })
}

/// Says whether what goes to the folder of `to` comes into a package: the folder is in one, or has no module yet, and all that goes there
/// is imported by others, no script of its own.
fn comes_into_package(sources: &Sources, moves: &FileMoves, to: &RepoPath) -> bool {
    let folder = folder_of(to.as_str());
    let is_imported = |from: &RepoPath| {
        let module = sources
            .at(from.as_str())
            .map(|file| sources.module_word(file));
        module.is_some_and(|module| {
            let mut imported = sources.dotted_imports().into_iter();
            imported.any(|dotted| dotted.rsplit('.').next() == Some(module))
        })
    };
    let mut beside = moves
        .iter()
        .filter(|(_, to)| folder_of(to.as_str()) == folder);
    let mut there = sources
        .paths()
        .filter(|(path, _)| folder_of(path) == folder);
    let mut is_new = || !there.any(|(_, file)| sources.is_python(file));
    (sources.is_in_package(folder) || is_new()) && beside.all(|(from, _)| is_imported(from))
}

/// What an import has to say afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NewName {
    /// The module; `None` where a plain `import` brings it.
    from: Option<ImportOrigin>,
    /// The name there.
    name: String,
}

struct MoveWalk<'a> {
    now: &'a Analysis,
    then: &'a Analysis,
    moves: &'a FileMoves,
    files: BTreeMap<RepoPath, RepointedFile>,
    places: Vec<Reference>,
    /// Of the file that is looked at.
    lines: Option<(FileId, Lines)>,
}

impl MoveWalk<'_> {
    /// Returns the files that may name one that moves, and those that move.
    fn concerned(&self) -> BTreeSet<FileId> {
        let sources = &self.now.sources;
        let moved: Vec<FileId> = self
            .moves
            .keys()
            .filter_map(|path| sources.at(path.as_str()))
            .collect();
        let words: Vec<&str> = moved
            .iter()
            .map(|file| sources.module_word(*file))
            .collect();
        let mut found: BTreeSet<FileId> = sources.holding(&words).into_iter().collect();
        // What is in a package names it by dots alone.
        for path in self.moves.keys() {
            let Some(folder) = path.as_str().strip_suffix("__init__.py") else {
                continue;
            };
            let inside = sources.paths().filter(|(path, _)| path.starts_with(folder));
            found.extend(inside.map(|(_, file)| file));
        }
        found.extend(moved);
        found.retain(|file| sources.is_python(*file));
        found
    }

    /// Returns the file as it is called then.
    fn moved(&self, file: FileId) -> Option<FileId> {
        let path = self.now.sources.path(file);
        let path = self.moves.get(path).unwrap_or(path);
        self.then.sources.at(path.as_str())
    }

    /// Returns the module that a module is then; `None` of a folder without files of its own.
    fn module_then(&self, module: &PythonModule) -> Option<PythonModule> {
        let first = self.moved(*module.files.first()?)?;
        self.then.sources.module_of(first)
    }

    /// Says whether a file goes to another folder, from which dots lead elsewhere.
    fn changes_folder(&self, file: FileId) -> bool {
        let path = self.now.sources.path(file);
        let to = self.moves.get(path);
        to.is_some_and(|to| folder_of(to.as_str()) != folder_of(path.as_str()))
    }

    fn is_moved(&self, module: &PythonModule) -> bool {
        let sources = &self.now.sources;
        let mut files = module.files.iter();
        files.any(|file| self.moves.contains_key(sources.path(*file)))
    }

    /// Returns what there is to doubt of the new paths themselves.
    fn doubts(&self) -> Vec<Reference> {
        let mut found = Vec::new();
        for from in self.moves.keys() {
            let Some(file) = self.now.sources.at(from.as_str()) else {
                continue;
            };
            let mut doubt = |of: FileId, why: String| {
                let lines = Lines::of(self.now.sources.bytes(of));
                let verdict = Verdict::Unsure;
                found.push(
                    self.now
                        .reference(of, Span::at(0), verdict, Some(why), &lines),
                );
            };
            if let Some(twin) = self.now.sources.twin(file)
                && !self.moves.contains_key(self.now.sources.path(twin))
            {
                let why = format!("it is one module with {from}, and would stay where it is");
                doubt(twin, why);
            }
            let then = self.moved(file).map(|then| self.then.sources.path(then));
            let is_new = then.is_some_and(|then| self.now.sources.at(then.as_str()).is_none());
            let why = then.filter(|_| is_new);
            if let Some(why) = why.and_then(|then| self.then.why_not_at(then)) {
                doubt(file, why);
            }
        }
        found
    }

    fn file(&mut self, file: FileId) {
        let bytes = self.now.sources.bytes(file);
        if !self.now.names(file).is_sound {
            let moved = self.moves.keys();
            let ids: Vec<FileId> = moved
                .filter_map(|path| self.now.sources.at(path.as_str()))
                .collect();
            for other in ids {
                let word = self.now.sources.module_word(other);
                for span in super::words::places_of(word, bytes) {
                    self.note(file, span, Verdict::Unsure, Some("the file does not parse"));
                }
            }
            return;
        }
        let mut rewritten: HashMap<String, String> = HashMap::new();
        for statement in import_table(bytes).imports {
            match &statement.from {
                Some(from) => self.import_of_names(file, &statement, from),
                None => {
                    for name in &statement.names {
                        self.plain_import(file, &statement, name, &mut rewritten);
                    }
                }
            }
        }
        self.attributes(file, &rewritten);
        self.exports(file);
    }

    /// Words of `__all__` of a package that nothing but its modules bind: all of them are imported by `*`.
    fn exports(&mut self, file: FileId) {
        let Some(package) = self.now.sources.module_of(file) else {
            return;
        };
        let names = self.now.names(file);
        let exported = names.occurrences.iter().filter(|it| {
            matches!(it.kind, OccurrenceKind::Exported)
                && !names.scopes[0].names.contains_key(&it.name)
        });
        for word in exported {
            let inner = self.now.sources.submodule(&package, &word.name);
            let Some(inner) = inner.filter(|inner| self.is_moved(inner)) else {
                continue;
            };
            let then = self.module_then(&inner);
            let then_in = self
                .moved(file)
                .and_then(|file| self.then.sources.module_of(file));
            let new = then.as_ref().and_then(|then| {
                let name = self
                    .then
                    .sources
                    .module_word(*then.files.first()?)
                    .to_owned();
                let there = self.then.sources.submodule(&then_in?, &name)?;
                (there == *then).then_some(name)
            });
            match new {
                Some(new) if new == word.name => {}
                Some(new) => {
                    self.write(file, word.span, new);
                    self.stars_of(&package);
                }
                None => {
                    let why = "its package has it no more then";
                    self.note(file, word.span, Verdict::Unsure, Some(why));
                }
            }
        }
    }

    /// Notes who imports all of a package, and gets a module of it by its old name.
    fn stars_of(&mut self, package: &PythonModule) {
        let sources = &self.now.sources;
        for file in sources.ids() {
            if !sources.is_python(file) || !may_have_star(sources.bytes(file)) {
                continue;
            }
            for statement in import_table(sources.bytes(file)).imports {
                let from = statement.from.as_ref().filter(|_| statement.is_star());
                if from.is_some_and(|from| sources.modules(file, from).contains(package)) {
                    let why =
                        "all of the package is imported, which calls the module otherwise then";
                    self.note(file, statement.span, Verdict::Unsure, Some(why));
                }
            }
        }
    }

    /// `from x import a, b as c`
    fn import_of_names(&mut self, file: FileId, statement: &ImportStatement, from: &ImportOrigin) {
        let modules = self.now.sources.modules(file, from);
        let [module] = modules.as_slice() else {
            if modules.iter().any(|module| self.is_moved(module)) {
                let why = "several modules of the project may be meant";
                self.note(file, statement.span, Verdict::Unsure, Some(why));
            } else if from.dots > 0 && modules.is_empty() && self.changes_folder(file) {
                let why = "no file of the project is what it means";
                self.note(file, statement.span, Verdict::Unsure, Some(why));
            }
            return;
        };
        let Some(file_then) = self.moved(file) else {
            return;
        };
        // In the package itself it is the module until the other is bound.
        for name in statement
            .names
            .iter()
            .filter(|_| module.files.contains(&file))
        {
            let inner = self.now.sources.submodule(module, &name.name);
            let is_moved = inner.is_some_and(|inner| self.is_moved(&inner));
            if is_moved && self.now.names_otherwise(file, module, &name.name) {
                let why = "the package calls something else so, too";
                return self.note(file, name.span, Verdict::Unsure, Some(why));
            }
        }
        let wanted: Vec<Option<NewName>> = statement
            .names
            .iter()
            .map(|name| self.wanted((file, file_then), from, module, &name.name))
            .collect();
        let as_it_is = |name: &ImportedName| NewName {
            from: Some(from.clone()),
            name: name.name.clone(),
        };
        let is_same = |(name, wanted): (&ImportedName, &Option<NewName>)| {
            wanted.as_ref() == Some(&as_it_is(name))
        };
        if statement.names.iter().zip(&wanted).all(is_same) {
            return;
        }
        let Some(wanted) = wanted.into_iter().collect::<Option<Vec<NewName>>>() else {
            let why = "no import leads to the new path from here";
            return self.note(file, statement.span, Verdict::Unsure, Some(why));
        };
        let first = wanted[0].from.clone();
        let together = first.is_some() && wanted.iter().all(|it| it.from == first);
        let place = statement.place_of_origin(self.now.sources.bytes(file));
        if let (true, Some(origin), Some(place)) = (together, first, place) {
            if origin != *from {
                self.write(file, place, origin.words());
            }
            for (name, new) in statement.names.iter().zip(&wanted) {
                if name.name != new.name {
                    self.rename_in_list(file, name, &new.name);
                }
            }
            return;
        }
        if statement.within != ImportPlace::Module || statement.is_star() {
            let why = "its names come from several modules then";
            return self.note(file, statement.span, Verdict::Unsure, Some(why));
        }
        for (name, new) in statement.names.iter().zip(&wanted) {
            if *new == as_it_is(name) {
                continue;
            }
            let bound = name.alias.as_ref().unwrap_or(&name.name);
            let words = match (*bound == new.name, &new.from) {
                (true, Some(from)) => format!("from {} import {bound}", from.words()),
                (false, Some(from)) => {
                    format!("from {} import {} as {bound}", from.words(), new.name)
                }
                (true, None) => format!("import {bound}"),
                (false, None) => format!("import {} as {bound}", new.name),
            };
            let old = format!("from {} import {}", from.words(), name.words());
            self.note(file, name.span, Verdict::Certain, None);
            self.changed(file).exchanged.push((old, words));
        }
    }

    /// Returns what the import of `name` from `module` says then.
    fn wanted(
        &self,
        (file, file_then): (FileId, FileId),
        from: &ImportOrigin,
        module: &PythonModule,
        name: &str,
    ) -> Option<NewName> {
        let as_it_is = NewName {
            from: Some(from.clone()),
            name: name.to_owned(),
        };
        let is_name = module
            .files
            .iter()
            .any(|file| self.now.names_otherwise(*file, module, name));
        let inner = self.now.sources.submodule(module, name);
        let inner = inner.filter(|inner| !is_name && !inner.files.is_empty());
        let modules_then = self.then.sources.modules(file_then, from);
        let Some(inner) = inner else {
            let Some(module_then) = self.module_then(module) else {
                return Some(as_it_is);
            };
            if self.leads_there((file, file_then), from, (module, &module_then)) {
                return Some(as_it_is);
            }
            let origin = self.spelled(file_then, from, module, &module_then)?;
            return Some(NewName {
                from: Some(origin),
                ..as_it_is
            });
        };
        let inner_then = self.module_then(&inner)?;
        let leads_there = modules_then
            .first()
            .and_then(|module| self.then.sources.submodule(module, name))
            .is_some_and(|found| found == inner_then)
            && !self.loses_its_dots((file, file_then), from);
        if leads_there {
            return Some(as_it_is);
        }
        let mut written = from.clone();
        written.parts.push(name.to_owned());
        let mut origin = self.spelled(file_then, &written, &inner, &inner_then)?;
        let last = origin.parts.pop()?;
        let is_plain = origin.dots == 0 && origin.parts.is_empty();
        Some(NewName {
            from: (!is_plain).then_some(origin),
            name: last,
        })
    }

    /// Returns how a file writes then what it writes as `written` now.
    fn spelled(
        &self,
        file_then: FileId,
        written: &ImportOrigin,
        module: &PythonModule,
        module_then: &PythonModule,
    ) -> Option<ImportOrigin> {
        if written.dots > 0
            && let Some(origin) = self.then.spelled_relatively(file_then, module_then)
        {
            return Some(origin);
        }
        if written.dots > 0 {
            return self.by_folders(file_then, written, module_then);
        }
        let leads_there = |origin: &ImportOrigin| {
            self.then.sources.modules(file_then, origin).first() == Some(module_then)
        };
        let stem = |sources: &super::sources::Sources, module: &PythonModule| match &module.folder {
            Some(folder) => Some(folder.clone()),
            None => {
                let path = sources.path(*module.files.first()?).as_str();
                Some(path.rsplit_once('.')?.0.to_owned())
            }
        };
        let old = stem(&self.now.sources, module)?;
        let new = stem(&self.then.sources, module_then)?;
        // Below the same folder as it was written from.
        let root = old.strip_suffix(&written.parts.join("/"));
        let below = root
            .filter(|root| root.is_empty() || root.ends_with('/'))
            .and_then(|root| new.strip_prefix(root))
            .map(|below| ImportOrigin {
                dots: 0,
                parts: below.split('/').map(str::to_owned).collect(),
            });
        let by_packages = || {
            let (_, parts) = self.then.sources.parts_of(module_then)?;
            Some(ImportOrigin { dots: 0, parts })
        };
        let is_name = |origin: &ImportOrigin| {
            let mut parts = origin.parts.iter();
            parts.all(|part| super::clashes::unfit(part).is_none())
        };
        below
            .filter(|origin| is_name(origin) && leads_there(origin))
            .or_else(|| by_packages().filter(|origin| is_name(origin) && leads_there(origin)))
    }

    /// Says whether an import leads to a module then as it is written, and just as surely.
    fn leads_there(
        &self,
        (file, file_then): (FileId, FileId),
        written: &ImportOrigin,
        (module, module_then): (&PythonModule, &PythonModule),
    ) -> bool {
        if self.loses_its_dots((file, file_then), written) {
            return false;
        }
        let (now, then) = (&self.now.sources, &self.then.sources);
        let was_near = written.dots == 0 && now.module_near(file, written).as_ref() == Some(module);
        match was_near {
            true => then.module_near(file_then, written).as_ref() == Some(module_then),
            false => then.modules(file_then, written).first() == Some(module_then),
        }
    }

    /// Says whether a file goes to where its dots lead to a root, in which there is nothing that they could be relative to.
    fn loses_its_dots(&self, (file, file_then): (FileId, FileId), written: &ImportOrigin) -> bool {
        let sources = &self.then.sources;
        let mut folder = folder_of(sources.path(file_then).as_str());
        for _ in 1..written.dots {
            folder = folder_of(folder);
        }
        written.dots > 0
            && self.changes_folder(file)
            && sources.is_root(folder)
            && !sources.is_package(folder)
    }

    /// Returns how a file that names a module by dots does so by its folders, which need not say that they are packages; no further up than it
    /// did. Where that is not enough, by all packages.
    fn by_folders(
        &self,
        file_then: FileId,
        written: &ImportOrigin,
        module_then: &PythonModule,
    ) -> Option<ImportOrigin> {
        let sources = &self.then.sources;
        let path = sources.path(file_then).as_str();
        let folder: Vec<&str> = path.split('/').collect();
        let folder = &folder[..folder.len() - 1];
        let stem = match &module_then.folder {
            Some(folder) => folder.clone(),
            None => {
                let path = sources.path(*module_then.files.first()?).as_str();
                path.rsplit_once('.')?.0.to_owned()
            }
        };
        let stem: Vec<&str> = stem.split('/').collect();
        let shared = folder
            .iter()
            .zip(&stem)
            .take_while(|(one, other)| one == other)
            .count();
        let relative = ImportOrigin {
            dots: folder.len() - shared + 1,
            parts: stem[shared..].iter().map(|it| (*it).to_owned()).collect(),
        };
        let leads_there = |origin: &ImportOrigin| {
            self.then.sources.modules(file_then, origin).first() == Some(module_then)
        };
        let (root, parts) = sources.parts_of(module_then)?;
        // Beside its packages a file is in none, and dots lead nowhere; nor do more dots than there are folders.
        let top = CUSTOMARY.iter().rev().find(|top| match **top {
            "" => true,
            top => path
                .strip_prefix(top)
                .is_some_and(|rest| sources.is_root(top) && rest.starts_with('/')),
        });
        let above = top.map_or(0, |top| top.split('/').filter(|it| !it.is_empty()).count());
        let is_in_none = folder.join("/") == root || folder.len() - above < relative.dots;
        if !is_in_none && relative.dots <= written.dots && leads_there(&relative) {
            return Some(relative);
        }
        let is_long = parts.len() > 1 || is_in_none;
        Some(ImportOrigin { dots: 0, parts }).filter(|it| is_long && leads_there(it))
    }

    /// A module of a list gets another name: what it is called here follows, where nothing is in the way.
    fn rename_in_list(&mut self, file: FileId, name: &ImportedName, new: &str) {
        let own = Span::new(name.span.start, name.span.start + name.name.len());
        if name.alias.is_some() {
            return self.write(file, own, new.to_owned());
        }
        match self.uses_to_rename(file, &name.name, new) {
            Some(uses) => {
                self.write(file, own, new.to_owned());
                for place in uses {
                    self.write(file, place, new.to_owned());
                }
            }
            None => self.write(file, own, format!("{new} as {}", name.name)),
        }
    }

    /// Returns every place that reads `name`, which one import alone binds, where all of them can be called `new`.
    fn uses_to_rename(&self, file: FileId, name: &str, new: &str) -> Option<Vec<Span>> {
        let names = self.now.names(file);
        let bytes = self.now.sources.bytes(file);
        let path = self.now.sources.path(file);
        let bindings: usize = names
            .scopes
            .iter()
            .filter_map(|scope| scope.names.get(name))
            .map(|bound| bound.bindings.len() + usize::from(bound.outward.is_some()))
            .sum();
        let is_taken = names.occurrences.iter().any(|it| {
            let is_plain = matches!(
                it.kind,
                OccurrenceKind::Load { .. } | OccurrenceKind::Store | OccurrenceKind::Exported
            );
            it.name == new && is_plain
        });
        let is_exported = names
            .occurrences
            .iter()
            .any(|it| it.name == name && matches!(it.kind, OccurrenceKind::Exported));
        let gives_on = path.file_name().starts_with("__init__.")
            || !self.now.importers(path, name).is_empty()
            || self.now.is_named_from_elsewhere(path, name);
        let binds_new = names.scopes.iter().any(|it| it.names.contains_key(new));
        let is_shown = names.occurrences.iter().any(|it| {
            matches!(it.kind, OccurrenceKind::Load { .. })
                && (READS_NAMES.contains(&it.name.as_str())
                    || it.name == name && is_shown_with_its_name(bytes, it.span.end))
        });
        if bindings != 1
            || is_taken
            || binds_new
            || is_exported
            || gives_on
            || is_shown
            || is_built_in(new)
        {
            return None;
        }
        let reads = names
            .occurrences
            .iter()
            .filter(|it| it.name == name && matches!(it.kind, OccurrenceKind::Load { .. }));
        Some(reads.map(|it| it.span).collect())
    }

    /// `import a.b`, `import a.b as c`
    fn plain_import(
        &mut self,
        file: FileId,
        statement: &ImportStatement,
        name: &ImportedName,
        rewritten: &mut HashMap<String, String>,
    ) {
        let written = ImportOrigin {
            dots: 0,
            parts: name.name.split('.').map(str::to_owned).collect(),
        };
        let modules = self.now.sources.modules(file, &written);
        let [module] = modules.as_slice() else {
            if modules.iter().any(|module| self.is_moved(module)) {
                let why = "several modules of the project may be meant";
                self.note(file, statement.span, Verdict::Unsure, Some(why));
            }
            return;
        };
        let (Some(file_then), Some(module_then)) = (self.moved(file), self.module_then(module))
        else {
            return;
        };
        if self.leads_there((file, file_then), &written, (module, &module_then)) {
            return;
        }
        let own = Span::new(name.span.start, name.span.start + name.name.len());
        let is_plain = own.of(self.now.sources.bytes(file)) == name.name.as_bytes();
        let origin = self.spelled(file_then, &written, module, &module_then);
        let Some(origin) = origin.filter(|_| is_plain) else {
            let why = "no import leads to the new path from here";
            return self.note(file, statement.span, Verdict::Unsure, Some(why));
        };
        let new = origin.words();
        if name.alias.is_some() {
            return self.write(file, own, new);
        }
        let first_of = |dotted: &str| dotted.split('.').next().unwrap_or(dotted).to_owned();
        let (old_first, new_first) = (first_of(&name.name), first_of(&new));
        if !name.name.contains('.') {
            let uses = self.uses_to_rename(file, &name.name, &new_first);
            match uses {
                Some(uses) => {
                    self.write(file, own, new.clone());
                    for place in uses {
                        self.write(file, place, new.clone());
                    }
                }
                None => self.write(file, own, format!("{new} as {}", name.name)),
            }
            return;
        }
        if old_first != new_first && self.needs_first(file, &name.name, &old_first) {
            let why = "what it brings beside the module is used, too";
            return self.note(file, statement.span, Verdict::Unsure, Some(why));
        }
        if self.needs_package(file, &name.name, &new) {
            let why = "what it brings beside the module is used, too";
            return self.note(file, statement.span, Verdict::Unsure, Some(why));
        }
        if old_first != new_first && self.uses_first(file, &new_first) {
            let why = "the first word of the new name is something else here";
            return self.note(file, statement.span, Verdict::Unsure, Some(why));
        }
        self.write(file, own, new.clone());
        rewritten.insert(name.name.clone(), new);
    }

    /// Says whether a file uses the first word of `dotted` in another way than as a part of that.
    fn needs_first(&self, file: FileId, dotted: &str, first: &str) -> bool {
        let names = self.now.names(file);
        let bytes = self.now.sources.bytes(file);
        names.occurrences.iter().any(|it| {
            it.name == first
                && matches!(it.kind, OccurrenceKind::Load { .. })
                && !is_whole(bytes, it.span.start, dotted)
        })
    }

    /// Says whether a file uses a package around the module `old` in another way than as a part of that, which one around `new` is not.
    fn needs_package(&self, file: FileId, old: &str, new: &str) -> bool {
        let dots = memchr::memchr_iter(b'.', old.as_bytes()).skip(1);
        let around = dots.map(|dot| &old[..dot]);
        let is_lost = |package: &&str| {
            !new.strip_prefix(package)
                .is_some_and(|rest| rest.starts_with('.'))
        };
        let lost: Vec<&str> = around.filter(is_lost).collect();
        let first = old.split('.').next().unwrap_or(old);
        let bytes = self.now.sources.bytes(file);
        let mut loads = self.now.names(file).occurrences.iter();
        !lost.is_empty()
            && loads.any(|it| {
                let start = it.span.start;
                it.name == first
                    && matches!(it.kind, OccurrenceKind::Load { .. })
                    && lost.iter().any(|package| is_whole(bytes, start, package))
                    && !is_whole(bytes, start, old)
            })
    }

    fn uses_first(&self, file: FileId, first: &str) -> bool {
        let names = self.now.names(file);
        names
            .scopes
            .iter()
            .any(|scope| scope.names.contains_key(first))
    }

    /// Places that name a module as an attribute of its package.
    fn attributes(&mut self, file: FileId, rewritten: &HashMap<String, String>) {
        let names = self.now.names(file);
        let moved: Vec<(String, PythonModule)> = self
            .moves
            .keys()
            .filter_map(|path| self.now.sources.at(path.as_str()))
            .filter_map(|id| {
                let module = self.now.sources.module_of(id)?;
                Some((self.now.sources.module_word(id).to_owned(), module))
            })
            .collect();
        let mut found: Vec<(Span, Result<String, &'static str>)> = Vec::new();
        let loads = LazyCell::new(|| loads_of(names));
        for occurrence in &names.occurrences {
            let OccurrenceKind::Attribute { receiver, .. } = occurrence.kind else {
                continue;
            };
            for (_, module) in moved.iter().filter(|(word, _)| *word == occurrence.name) {
                let things = self.now.things_of(file, receiver);
                let leads = |thing: &Thing| match thing {
                    Thing::Module(package) => {
                        let inner = self.now.sources.submodule(package, &occurrence.name);
                        // What the package itself calls so is no module.
                        let mut files = package.files.iter();
                        inner.as_ref() == Some(module)
                            && !files
                                .any(|it| self.now.names_otherwise(*it, package, &occurrence.name))
                    }
                    _ => false,
                };
                if !things.known.iter().any(leads) {
                    continue;
                }
                let Some(module_then) = self.module_then(module) else {
                    continue;
                };
                // Its folder stays, and what is named of it is in that.
                if self.names_what_stays(file, module, occurrence) {
                    continue;
                }
                let chain = chain_of(names, &loads, receiver).map(|(start, words)| {
                    let whole = Span::new(start, occurrence.span.end);
                    (whole, format!("{words}.{}", occurrence.name))
                });
                let by_import = chain
                    .as_ref()
                    .and_then(|(whole, dotted)| Some((*whole, rewritten.get(dotted)?.clone())));
                let parts =
                    |analysis: &Analysis, module: &PythonModule| analysis.sources.parts_of(module);
                let (old, new) = (parts(self.now, module), parts(self.then, &module_then));
                let stays = match (&old, &new) {
                    (Some((root, old)), Some((new_root, new))) => {
                        root == new_root
                            && old.split_last().map(|it| it.1) == new.split_last().map(|it| it.1)
                    }
                    _ => false,
                };
                let last = new.as_ref().and_then(|(_, parts)| parts.last().cloned());
                match (by_import, stays, last) {
                    (Some((whole, new)), _, _) => found.push((whole, Ok(new))),
                    (None, true, Some(last)) => found.push((occurrence.span, Ok(last))),
                    (None, _, _) => {
                        found.push((occurrence.span, Err("its package has it no more then")));
                    }
                }
            }
        }
        for (span, new) in found {
            match new {
                Ok(new) => self.write(file, span, new),
                Err(why) => self.note(file, span, Verdict::Unsure, Some(why)),
            }
        }
    }

    /// Says whether `occurrence`, which leads to the package `module` that loses its file, goes on to a module that is in its folder then, too.
    fn names_what_stays(
        &self,
        file: FileId,
        module: &PythonModule,
        occurrence: &NameOccurrence,
    ) -> bool {
        let OccurrenceKind::Attribute { expression, .. } = occurrence.kind else {
            return false;
        };
        let is_next = |it: &&NameOccurrence| match it.kind {
            OccurrenceKind::Attribute { receiver, .. } => receiver == expression,
            _ => false,
        };
        let mut next = self.now.names(file).occurrences.iter().filter(is_next);
        next.any(|next| {
            let inner = self.now.sources.submodule(module, &next.name);
            inner.is_some_and(|inner| {
                let stays = !inner.files.is_empty() && !self.is_moved(&inner);
                stays
                    && !module
                        .files
                        .iter()
                        .any(|it| self.now.names_otherwise(*it, module, &next.name))
            })
        })
    }

    /// Texts that have a module's name with its packages, or the path of its file.
    fn mentions(&mut self, changes: bool) {
        let mut wanted: Vec<(String, String)> = Vec::new();
        for (from, to) in self.moves {
            wanted.push((from.to_string(), to.to_string()));
            let dotted = |analysis: &Analysis, path: &RepoPath| {
                let file = analysis.sources.at(path.as_str())?;
                let module = analysis.sources.module_of(file)?;
                let (_, parts) = analysis.sources.parts_of(&module)?;
                (parts.len() > 1).then(|| parts.join("."))
            };
            if let (Some(old), Some(new)) = (dotted(self.now, from), dotted(self.then, to)) {
                wanted.push((old, new));
            }
        }
        for file in self.now.sources.ids() {
            let bytes = self.now.sources.bytes(file);
            if crate::text::is_binary(bytes) {
                continue;
            }
            let mut found: Vec<(Span, &str)> = Vec::new();
            for (old, new) in &wanted {
                let places = memchr::memmem::find_iter(bytes, old.as_bytes())
                    .map(|start| Span::new(start, start + old.len()));
                let whole = places.filter(|place| stands_alone(bytes, *place));
                found.extend(whole.map(|place| (place, new.as_str())));
            }
            if found.is_empty() {
                continue;
            }
            let is_code = self.now.sources.is_python(file);
            for (place, new) in found {
                let what = match is_code {
                    false => None,
                    true => match kind_of_text(self.now.names(file), place) {
                        Some(UsedText::Comment) => Some("in a comment"),
                        Some(UsedText::String) => Some("in a string"),
                        None => continue,
                    },
                };
                self.note(file, place, Verdict::Mention, what);
                if changes {
                    self.changed(file).words.insert(place, new.to_owned());
                    if let Some(last) = self.places.last_mut() {
                        last.is_changed = true;
                    }
                }
            }
        }
    }

    fn changed(&mut self, file: FileId) -> &mut RepointedFile {
        let path = self.now.sources.path(file).clone();
        self.files.entry(path).or_default()
    }

    fn write(&mut self, file: FileId, place: Span, new: String) {
        if place.of(self.now.sources.bytes(file)) == new.as_bytes() {
            return;
        }
        if self.changed(file).words.insert(place, new).is_none() {
            self.note(file, place, Verdict::Certain, None);
        }
    }

    fn note(&mut self, file: FileId, place: Span, verdict: Verdict, why: Option<&str>) {
        let lines = match self.lines.take() {
            Some((known, lines)) if known == file => lines,
            _ => Lines::of(self.now.sources.bytes(file)),
        };
        let reason = why.map(str::to_owned);
        let mut told = self.now.reference(file, place, verdict, reason, &lines);
        self.lines = Some((file, lines));
        told.is_changed = verdict == Verdict::Certain;
        self.places.push(told);
    }
}

/// Says whether a name that is read, and ends at `end`, is followed by the `=` that has it shown, too: `f"{name=}"`.
fn is_shown_with_its_name(bytes: &[u8], end: usize) -> bool {
    let rest = bytes.get(end..).unwrap_or_default().trim_ascii_start();
    let after = rest.strip_prefix(b"=").map(<[u8]>::trim_ascii_start);
    after.is_some_and(|after| matches!(after.first(), Some(b'}' | b'!' | b':')))
}

/// Returns where each plain name that is read stands, by its expression.
pub(super) fn loads_of(names: &ModuleNames) -> HashMap<ExpressionId, usize> {
    let load = |it: &NameOccurrence| match it.kind {
        OccurrenceKind::Load { expression } => Some((expression, it.span.start)),
        _ => None,
    };
    names.occurrences.iter().filter_map(load).collect()
}

/// Returns where a chain of names begins, `a.b`, and its words.
pub(super) fn chain_of(
    names: &ModuleNames,
    loads: &HashMap<ExpressionId, usize>,
    expression: ExpressionId,
) -> Option<(usize, String)> {
    let mut words: Vec<&str> = Vec::new();
    let mut expression = expression;
    // Nobody has packages so deep.
    while words.len() < 64 {
        match names.expression(expression) {
            UsedExpression::Name { name, .. } => {
                words.push(name);
                words.reverse();
                return Some((*loads.get(&expression)?, words.join(".")));
            }
            UsedExpression::Attribute { receiver, name } => {
                words.push(name);
                expression = *receiver;
            }
            _ => return None,
        }
    }
    None
}

/// Says whether `dotted` stands at `start`, and no longer word.
pub(super) fn is_whole(bytes: &[u8], start: usize, dotted: &str) -> bool {
    let end = start + dotted.len();
    bytes.get(start..end) == Some(dotted.as_bytes()) && !bytes.get(end).is_some_and(is_letter)
}

/// Says whether what is at a place is no part of a longer name or path.
pub(super) fn stands_alone(bytes: &[u8], place: Span) -> bool {
    let before = place.start.checked_sub(1).and_then(|at| bytes.get(at));
    let is_joined = |byte: &u8| is_letter(byte) || matches!(byte, b'.' | b'/' | b'-');
    !before.is_some_and(is_joined) && !bytes.get(place.end).is_some_and(is_letter)
}

fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80
}

pub(super) fn kind_of_text(names: &ModuleNames, place: Span) -> Option<UsedText> {
    let after = names
        .texts
        .partition_point(|(text, _)| text.start <= place.start);
    let (text, kind) = names.texts.get(after.checked_sub(1)?)?;
    text.contains(place).then_some(*kind)
}
