//! The way in: every place that refers to a definition which moves, and what becomes of it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::attributes::{ByModule, by_module};
use super::importers::{Importer, binds_own_word, importers, is_of_module};
use super::order::ImportOrder;
use super::outcome::{MovedDefinition, RelocatedFile, RelocatedImport};
use super::reading::{is_eager, reaches_module};
use super::registered::{is_kept_below, keeps_old, left_out, registrar};
use super::request::{Ends, MoveRequest};
use super::setters::setters;
use super::{definition, exports, needs};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::OnUnsure;
use crate::references::facts::FileId;
use crate::references::moves::{kind_of_text, loads_of, stands_alone};
use crate::references::renaming::not_certain;
use crate::references::{Analysis, Reference, References, RenameRefused, Verdict};
use crate::syntax::python::{
    BindingKind, ExpressionId, ModuleStatement, ModuleStatementKind, NameOccurrence, NameScope,
    OccurrenceKind, ScopeId, UsedText, import_table, is_type_checking,
};
use crate::text::{Lines, Span};

/// Returns what changes with a definition that moves, or why it cannot.
pub(crate) fn relocated(
    analysis: &Analysis,
    request: &MoveRequest<'_>,
) -> Result<MovedDefinition, RenameRefused> {
    let ends = Ends::of(analysis, request)?;
    let target = analysis.renamable(request.path, request.symbol)?;
    definition::check(analysis, request, &target, &ends)?;
    let word = target.word.clone();
    let needs = needs::of(analysis, request, &ends, &word)?;
    let mut walk = RelocationWalk {
        analysis,
        request,
        ends: &ends,
        word: &word,
        files: BTreeMap::new(),
        places: Vec::new(),
        left: Vec::new(),
        until: None,
        ahead: None,
        used_there: Vec::new(),
        is_exported: false,
        stars: Vec::new(),
        lines: None,
        loads: None,
        statements: import_table(analysis.sources.bytes(ends.new)).statements,
    };
    if !ends.is_one_file() {
        walk.check_free()?;
    }
    let places = analysis.places(&target);
    let mut concerned: BTreeSet<FileId> = BTreeSet::new();
    for place in &places {
        concerned.insert(place.file);
        let occurrence = place
            .occurrence
            .and_then(|at| analysis.names(place.file).occurrences.get(at));
        match (place.verdict, occurrence) {
            (Verdict::Certain | Verdict::Unsure, Some(occurrence)) => {
                walk.place(
                    place.file,
                    occurrence,
                    place.verdict,
                    place.reason.as_deref(),
                );
            }
            (Verdict::Unsure, None) if !ends.is_one_file() => {
                let why = place.reason.as_deref();
                walk.note(place.file, place.span, Verdict::Unsure, why);
            }
            _ => {}
        }
    }
    walk.stands_before_callers();
    if !ends.is_one_file() {
        for file in walk.importing(concerned) {
            walk.importers(file);
        }
        walk.check_made_elsewhere()?;
        walk.check_extended()?;
        walk.lists()?;
        walk.stays_or_goes()?;
        walk.mentions();
        walk.set_from_outside(&needs.read_later);
        walk.registered();
    }
    walk.finished(needs, target.address)
}

struct RelocationWalk<'a> {
    analysis: &'a Analysis,
    request: &'a MoveRequest<'a>,
    ends: &'a Ends,
    word: &'a str,
    files: BTreeMap<FileId, RelocatedFile>,
    places: Vec<Reference>,
    /// Places of the old module that use it, outside of it.
    left: Vec<(Span, ScopeId)>,
    /// Where what reads it while its new module is imported begins.
    until: Option<usize>,
    /// Where what might do so begins.
    ahead: Option<usize>,
    /// Places of the new module that use it, each with its scope.
    used_there: Vec<(Span, ScopeId)>,
    /// Whether it is in `__all__` of the old module.
    is_exported: bool,
    /// Files that import all of the old module.
    stars: Vec<(FileId, Span)>,
    /// Of the file that is looked at.
    lines: Option<(FileId, Lines)>,
    /// Where the names of that stand which are read.
    loads: Option<(FileId, HashMap<ExpressionId, usize>)>,
    /// The statements of the new module.
    statements: Vec<ModuleStatement>,
}

impl RelocationWalk<'_> {
    /// Refuses a name that is something else in the new module.
    fn check_free(&self) -> Result<(), Diagnostic> {
        let (to, word) = (self.request.to, self.word);
        let names = self.analysis.names(self.ends.new);
        let clash = |span: Span, what: &str| {
            let lines = Lines::of(self.analysis.sources.bytes(self.ends.new));
            let message = format!("`{word}` is something else in {to} already");
            let line = lines.line(span.start);
            Err(Diagnostic::new(Code::NameClash, message)
                .note(format!("{to}, line {line}: {what}")))
        };
        let leads = self.analysis.leads_of_name((self.ends.new, 0), word);
        let bound = names.scopes[0].names.get(word);
        let first = bound.and_then(|bound| bound.bindings.first());
        if let Some(first) = first {
            let is_it = |it: &crate::references::facts::Entity| {
                it.file == self.ends.old && it.scope == 0 && it.name == word
            };
            let mut entities = leads.entities.iter();
            let is_same = !leads.entities.is_empty() && entities.all(is_it);
            if !is_same || leads.is_other || leads.doubt.is_some() {
                return clash(first.span, "it is bound there");
            }
        } else if !names.stars.is_empty() {
            let starred = self.analysis.leads_of_stars(self.ends.new, word);
            if !starred.is_empty() {
                return clash(Span::at(0), "an `import *` brings it");
            }
        }
        let module = self.analysis.sources.module_of(self.ends.new);
        if let Some(module) = module
            && self.analysis.sources.submodule(&module, word).is_some()
        {
            return clash(Span::at(0), "it is a module of the package");
        }
        if self.analysis.exports(self.ends.new, word) {
            self.check_stars()?;
        }
        let reads = names.occurrences.iter().find(|it| match it.kind {
            OccurrenceKind::Load { expression } if it.name == word => {
                reaches_module(names, it, expression)
            }
            _ => false,
        });
        match reads.filter(|_| first.is_none()) {
            Some(read) => clash(read.span, "there it is what is built in, or nothing"),
            None => Ok(()),
        }
    }

    /// Refuses a name that is something else in a file that gets all names of the new module.
    fn check_stars(&self) -> Result<(), Diagnostic> {
        let is_it = |file: FileId| {
            let leads = self.analysis.leads_of_name((file, 0), self.word);
            let mut entities = leads.entities.iter();
            !leads.entities.is_empty()
                && !leads.is_other
                && entities.all(|it| it.file == self.ends.old && it.scope == 0)
        };
        let new = vec![self.ends.new];
        let taken = self.analysis.taken_by_stars(new, self.word, is_it);
        let Some(first) = taken.first() else {
            return Ok(());
        };
        let path = self.analysis.sources.path(first.file);
        let lines = Lines::of(self.analysis.sources.bytes(first.file));
        let line = lines.line(first.span.start);
        let message = format!(
            "`{}` is something else in {path} already, which has all of {}",
            self.word, self.request.to
        );
        Err(Diagnostic::new(Code::NameClash, message)
            .note(format!("{path}, line {line}: {}", first.what)))
    }

    /// Takes in one place that is the definition, or may be.
    fn place(
        &mut self,
        file: FileId,
        occurrence: &NameOccurrence,
        verdict: Verdict,
        why: Option<&str>,
    ) {
        let span = occurrence.span;
        let is_inside = file == self.ends.old && self.request.span.contains(span);
        match &occurrence.kind {
            OccurrenceKind::Load { .. } => {
                let is_of_new = file == self.ends.new && !is_inside;
                if is_of_new {
                    self.uses(span, occurrence.scope);
                }
                if file == self.ends.old && !is_inside {
                    self.left.push((span, occurrence.scope));
                }
                // Its word says the same afterwards.
                if verdict == Verdict::Certain {
                    self.note(file, span, Verdict::Certain, None);
                }
            }
            OccurrenceKind::Exported => {
                self.is_exported |= file == self.ends.old;
                self.note(file, span, Verdict::Certain, None);
            }
            OccurrenceKind::Attribute { .. } if self.ends.is_one_file() => {}
            OccurrenceKind::Attribute { .. } => {
                self.attribute(file, occurrence, verdict, why);
            }
            OccurrenceKind::Store => {
                self.note(file, span, Verdict::Certain, None);
                if let (true, Some(last)) = (is_inside, self.places.last_mut()) {
                    last.is_changed = true;
                }
            }
            // Statements are looked at one by one.
            OccurrenceKind::Imported { .. }
            | OccurrenceKind::Keyword { .. }
            | OccurrenceKind::KeywordPattern { .. }
            | OccurrenceKind::ModulePart
            | OccurrenceKind::Slot => {}
        }
    }

    /// Notes that a place of the new module uses it, which runs that while it is imported or later.
    fn uses(&mut self, place: Span, scope: ScopeId) {
        self.used_there.push((place, scope));
        if is_eager(self.analysis.names(self.ends.new), scope) {
            self.stands_before(place);
        }
    }

    /// Notes that what calls something which uses it has to come behind the definition.
    fn stands_before_callers(&mut self) {
        let order = ImportOrder::of(self.analysis, self.ends.new);
        let (moved, after) = match self.ends.is_one_file() {
            // What was called before it was there did not use it.
            true => (Some(self.request.span), self.request.span.end),
            false => (None, 0),
        };
        let first = |at_all| order.first_caller(self.word, &self.used_there, moved, after, at_all);
        self.ahead = first(true);
        if let Some(start) = first(false) {
            self.stands_before(Span::at(start));
        }
    }

    /// Notes that the statement around a place of the new module has to come behind the definition.
    fn stands_before(&mut self, place: Span) {
        let after = self
            .statements
            .partition_point(|it| it.span.start <= place.start);
        let around = after.checked_sub(1).and_then(|at| self.statements.get(at));
        let start = around.map_or(place.start, |it| it.span.start);
        self.until = Some(self.until.map_or(start, |until| until.min(start)));
    }

    fn attribute(
        &mut self,
        file: FileId,
        occurrence: &NameOccurrence,
        verdict: Verdict,
        why: Option<&str>,
    ) {
        let span = occurrence.span;
        if verdict == Verdict::Unsure {
            return self.note(file, span, Verdict::Unsure, why);
        }
        if self.request.reexports {
            return self.note(file, span, Verdict::Certain, None);
        }
        let loads = match self.loads.take() {
            Some((known, loads)) if known == file => loads,
            _ => loads_of(self.analysis.names(file)),
        };
        let found = by_module(self.analysis, self.ends, file, occurrence, &loads);
        self.loads = Some((file, loads));
        match found {
            ByModule::Stays => self.note(file, span, Verdict::Certain, None),
            ByModule::Unsure(why) => self.note(file, span, Verdict::Unsure, Some(why)),
            ByModule::Becomes(place, words, import) => {
                if file == self.ends.new {
                    self.uses(place, occurrence.scope);
                }
                let own = self.files.entry(file).or_default();
                own.words.insert(place, words);
                own.imports
                    .extend(import.filter(|import| !own.imports.contains(import)));
                self.note_changed(file, span);
            }
        }
    }

    /// Returns the files that may import the definition, or all that its module has.
    fn importing(&self, mut concerned: BTreeSet<FileId>) -> BTreeSet<FileId> {
        let sources = &self.analysis.sources;
        let starred = sources.holding(&["import *", "import (*)"]);
        concerned.extend(starred);
        concerned.retain(|file| sources.is_python(*file) && self.analysis.names(*file).is_sound);
        concerned
    }

    fn importers(&mut self, file: FileId) {
        for importer in importers(self.analysis, self.ends, file, self.word) {
            match importer {
                Importer::Star(place) => self.stars.push((file, place)),
                Importer::Unsure(place, why) => {
                    self.note(file, place, Verdict::Unsure, Some(why));
                }
                Importer::Moves(moved) => self.importer(file, moved),
            }
        }
    }

    fn importer(&mut self, file: FileId, moved: RelocatedImport) {
        let Some(name) = moved.statement.names.get(moved.at) else {
            return;
        };
        let place = Span::new(name.span.start, name.span.start + name.name.len());
        if file == self.ends.new && !binds_own_word(name) {
            let why = "the module that it goes to has it by another name";
            return self.note(file, place, Verdict::Unsure, Some(why));
        }
        let is_kept = self.request.reexports && file != self.ends.new;
        if is_kept {
            return self.note(file, place, Verdict::Certain, None);
        }
        if file == self.ends.new && !is_of_module(&moved.statement) {
            // What a function imports from its own module is there as well.
            let bytes = self.analysis.sources.bytes(file);
            let around = import_table(bytes).statements.into_iter();
            let mut around = around.filter(|it| it.span.contains(moved.statement.span));
            let is_for_types = around.any(|it| is_type_checking(it.span.of(bytes)));
            if !is_for_types {
                let why = "the module that it goes to imports it inside of something";
                return self.note(file, place, Verdict::Unsure, Some(why));
            }
        }
        self.files.entry(file).or_default().moved.push(moved);
        self.note_changed(file, place);
    }

    /// Refuses a variable that statements of the old module may change while that is imported: who imports the new one alone would find it
    /// as it was before.
    fn check_made_elsewhere(&self) -> Result<(), Diagnostic> {
        let names = self.analysis.names(self.ends.old);
        let bound = names.scopes[0].names.get(self.word);
        let is_variable = bound.is_some_and(|bound| {
            let mut bindings = bound.bindings.iter();
            bindings.any(|it| matches!(it.kind, BindingKind::Assigned { .. }))
        });
        if !is_variable || self.left.is_empty() {
            return Ok(());
        }
        let bytes = self.analysis.sources.bytes(self.ends.old);
        let table = import_table(bytes);
        let mut statements = table.statements.iter();
        let effect = statements.find(|it| {
            it.kind == ModuleStatementKind::Effect
                && !it.is_of_script(bytes)
                && !self.request.span.contains(it.span)
        });
        let Some(effect) = effect else {
            return Ok(());
        };
        let (path, line) = (self.request.path, Lines::of(bytes).line(effect.span.start));
        let message = format!(
            "{path} uses `{}` and does more than define things while it is imported, which may change it",
            self.word
        );
        Err(Diagnostic::new(Code::Unsupported, message)
            .note(format!("{path}, line {line}"))
            .note("move what fills it along, or rename the file"))
    }

    /// Refuses what the old module adds something to while that is imported: an attribute, an implementation, a command.
    fn check_extended(&self) -> Result<(), Diagnostic> {
        if self.request.reexports || self.left.is_empty() {
            return Ok(());
        }
        let names = self.analysis.names(self.ends.old);
        let left: HashSet<usize> = self.left.iter().map(|(place, _)| place.end).collect();
        let decorators = names.scopes.iter().flat_map(NameScope::decorators);
        let decorators: HashSet<ExpressionId> = decorators.copied().collect();
        let bytes = self.analysis.sources.bytes(self.ends.old);
        let table = import_table(bytes);
        let order = ImportOrder::of(self.analysis, self.ends.old);
        let is_effect = |place: Span| {
            table
                .statement_around(place)
                .is_some_and(|it| it.kind == ModuleStatementKind::Effect && !it.is_of_script(bytes))
        };
        let adds = names.occurrences.iter().find(|it| {
            let OccurrenceKind::Attribute {
                expression,
                is_target,
                ..
            } = it.kind
            else {
                return false;
            };
            let behind = it.span.start.checked_sub(1);
            let is_of_word = behind.is_some_and(|end| left.contains(&end));
            let call = names.calls.get(&expression);
            let is_decorator = decorators.contains(call.unwrap_or(&expression));
            is_of_word
                && is_eager(names, it.scope)
                && (is_target || is_decorator || call.is_some() && is_effect(it.span))
        });
        let handed = self.left.iter().find(|(place, scope)| {
            let is_read = is_eager(names, *scope);
            is_read && is_effect(*place) && order.calls_at(place.start)
        });
        // Of a variable or class what calls those who use it may fill it.
        let bound = names.scopes[0].names.get(self.word);
        let is_function = bound.is_some_and(|bound| {
            let mut bindings = bound.bindings.iter();
            bindings.any(|it| matches!(it.kind, BindingKind::Function(_)))
        });
        let fills = (!is_function).then(|| {
            let moved = Some(self.request.span);
            order.first_caller(self.word, &self.left, moved, 0, false)
        });
        let keeps = is_kept_below(self.analysis, self.ends, self.request.span, self.word);
        let adds = adds.map(|adds| adds.span.start).or(keeps);
        let handed = handed.map(|(place, _)| place.start);
        let Some(adds) = adds.or(handed).or(fills.flatten()) else {
            return Ok(());
        };
        if self.all_keep_old() {
            return Ok(());
        }
        let (path, to, word) = (self.request.path, self.request.to, self.word);
        let line = Lines::of(bytes).line(adds);
        let message = format!(
            "{path} adds to `{word}` while it is imported, which who imports {to} alone would lack"
        );
        Err(Diagnostic::new(Code::Unsupported, message)
            .note(format!("{path}, line {line}"))
            .note("`reexport: true` has everybody import it from where it is importable now"))
    }

    /// Says whether whoever imports the definition goes on importing its old module, by another name or another way.
    fn all_keep_old(&self) -> bool {
        let changed = self.files.iter().filter(|(file, changes)| {
            **file != self.ends.old && **file != self.ends.new && !changes.moved.is_empty()
        });
        let mut importing = changed.map(|(file, _)| *file).peekable();
        // Where nobody does so here, somebody elsewhere may.
        importing.peek().is_some()
            && importing.all(|file| keeps_old(self.analysis, self.ends, file, self.word))
    }

    /// The word goes from `__all__` of the old module to that of the new one.
    fn lists(&mut self) -> Result<(), Diagnostic> {
        if !self.is_exported || self.request.reexports {
            return Ok(());
        }
        let exported = |file: FileId| -> Vec<(Span, &str)> {
            let names = self.analysis.names(file);
            let exported = names.occurrences.iter();
            exported
                .filter(|it| matches!(it.kind, OccurrenceKind::Exported))
                .map(|it| (it.span, it.name.as_str()))
                .collect()
        };
        let refuse = |path: &crate::path::RepoPath| {
            let message = format!(
                "`__all__` of {path} is not written as one list, and `{}` is in it",
                self.word
            );
            Diagnostic::new(Code::Unsupported, message)
                .note("`reexport: true` leaves the name where it is importable now")
        };
        let (old, new) = (self.ends.old, self.ends.new);
        let here = exported(old);
        let bytes = self.analysis.sources.bytes(old);
        let mut gone = Vec::new();
        for (place, _) in here.iter().filter(|(_, word)| *word == self.word) {
            let splice = exports::without(bytes, *place, here.len());
            gone.push(splice.ok_or_else(|| refuse(self.request.path))?);
        }
        let there = exported(new);
        let places: Vec<Span> = there.iter().map(|(place, _)| *place).collect();
        let is_listed = there.iter().any(|(_, word)| *word == self.word);
        let wants = self.analysis.names(new).exports.is_some() && !is_listed;
        let come = match wants {
            true => {
                let bytes = self.analysis.sources.bytes(new);
                let splice = exports::with(bytes, &places, self.word);
                Some(splice.ok_or_else(|| refuse(self.request.to))?)
            }
            false => None,
        };
        for (file, splice) in gone
            .into_iter()
            .map(|it| (old, it))
            .chain(come.map(|it| (new, it)))
        {
            let words = String::from_utf8_lossy(&splice.bytes).into_owned();
            let own = self.files.entry(file).or_default();
            own.words.insert(splice.span, words);
        }
        for place in &mut self.places {
            let is_listed = here.iter().any(|(span, _)| *span == place.span);
            place.is_changed |= place.path == *self.request.path && is_listed;
        }
        Ok(())
    }

    /// What uses the name of the old module still gets it from the new one.
    fn stays_or_goes(&mut self) -> Result<(), Diagnostic> {
        let names = self.analysis.names(self.ends.old);
        let has_list = names.exports.is_some();
        let is_public = !self.word.starts_with('_');
        let is_starred = if has_list {
            self.is_exported
        } else {
            is_public
        };
        if is_starred && !self.request.reexports {
            for (file, place) in self.stars.clone() {
                if !self.gets_from_new(file) {
                    let why = "all of the old module is imported, which has it no more then";
                    self.note(file, place, Verdict::Unsure, Some(why));
                }
            }
        }
        if self.left.is_empty() && !self.request.reexports {
            return Ok(());
        }
        let (old, new) = (self.ends.old, self.ends.new);
        let origin = self
            .analysis
            .named_as_others(old, &self.ends.new_module, new);
        let Some(origin) = origin else {
            let message = format!(
                "{} uses `{}` still, and no import leads to {} from there",
                self.request.path, self.word, self.request.to
            );
            return Err(Diagnostic::new(Code::Unsupported, message));
        };
        let word = self.word;
        let name = match self.is_exported || !self.request.reexports {
            true => word.to_owned(),
            false => format!("{word} as {word}"),
        };
        let own = self.files.entry(old).or_default();
        own.imports
            .push(format!("from {} import {name}", origin.words()));
        Ok(())
    }

    /// Says whether a file that imports all of the old module gets the name from the new one in the same way.
    fn gets_from_new(&self, file: FileId) -> bool {
        let names = self.analysis.names(file);
        let is_new = |star: &crate::syntax::python::ImportOrigin| {
            self.analysis.leads_to(file, star, &self.ends.new_module)
        };
        let there = self.analysis.names(self.ends.new);
        let gives = match &there.exports {
            Some(_) => self.is_exported || there.exports.iter().flatten().any(|it| it == self.word),
            None => !self.word.starts_with('_'),
        };
        gives && names.stars.iter().any(is_new)
    }

    /// Texts that have the name behind that of its module.
    fn mentions(&mut self) {
        let sources = &self.analysis.sources;
        let dotted = |module| {
            let (_, parts) = sources.parts_of(module)?;
            Some(parts)
        };
        let (Some(old), Some(new)) = (dotted(&self.ends.old_module), dotted(&self.ends.new_module))
        else {
            return;
        };
        let named = |parts: &[String], sign: char| {
            let module = parts.join(".");
            format!("{module}{sign}{}", self.word)
        };
        // Entry points have a colon.
        let mut wanted: Vec<(String, String)> = ['.', ':']
            .into_iter()
            .map(|sign| (named(&old, sign), named(&new, sign)))
            .collect();
        if let (2.., [.., last]) = (old.len(), old.as_slice()) {
            let new = new.last().cloned().unwrap_or_default();
            wanted.push((
                format!("{last}.{}", self.word),
                format!("{new}.{}", self.word),
            ));
        }
        for file in sources.ids() {
            let bytes = sources.bytes(file);
            if crate::text::is_binary(bytes) {
                continue;
            }
            for (old, new) in &wanted {
                let places = memchr::memmem::find_iter(bytes, old.as_bytes())
                    .map(|start| Span::new(start, start + old.len()));
                for place in places.filter(|place| stands_alone(bytes, *place)) {
                    self.mention(file, place, new);
                }
            }
        }
    }

    fn mention(&mut self, file: FileId, place: Span, new: &str) {
        let is_code = self.analysis.sources.is_python(file);
        let kind = is_code.then(|| kind_of_text(self.analysis.names(file), place));
        let what = match kind {
            None => None,
            Some(Some(UsedText::Comment)) => Some("in a comment"),
            Some(Some(UsedText::String)) => Some("in a string"),
            Some(None) => return,
        };
        self.note(file, place, Verdict::Mention, what);
        let is_inside = file == self.ends.old && self.request.span.contains(place);
        // What replaces it in the old module, for the time of a test, does so for those who use it there.
        let bytes = self.analysis.sources.bytes(file);
        let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\''));
        let before = place.start.checked_sub(1);
        let is_whole =
            is_quote(before.and_then(|at| bytes.get(at))) && is_quote(bytes.get(place.end));
        let is_text = kind == Some(Some(UsedText::String));
        let is_replaced = is_text && is_whole && !self.left.is_empty();
        if self.request.terms.changes_mentions && !is_inside && !is_replaced {
            let own = self.files.entry(file).or_default();
            own.words.insert(place, new.to_owned());
            if let Some(last) = self.places.last_mut() {
                last.is_changed = true;
            }
        }
    }

    /// Notes what sets names of the old module that the definition would no longer read.
    fn set_from_outside(&mut self, names: &BTreeSet<String>) {
        for (file, place, name) in setters(self.analysis, self.ends, names) {
            let (path, word) = (self.request.path, self.word);
            let why = format!("it sets `{name}` of {path}, which `{word}` would read no more");
            self.note(file, place, Verdict::Unsure, Some(&why));
        }
    }

    /// Notes a definition that is registered while its module is imported, where the new one is not.
    fn registered(&mut self) {
        let Some((place, registrar)) = registrar(self.analysis, self.ends, self.word) else {
            return;
        };
        let is_new = |changes: &RelocatedFile| {
            let mut moved = changes.moved.iter();
            !changes.imports.is_empty() || moved.any(|it| is_of_module(&it.statement))
        };
        let importing = self.files.iter().filter(|(_, changes)| is_new(changes));
        let then: BTreeSet<FileId> = importing.map(|(file, _)| *file).collect();
        let Some(file) = left_out(self.analysis, self.ends, &then) else {
            return;
        };
        let (path, to) = (self.analysis.sources.path(file), self.request.to);
        let why = format!("{registrar} may register it, and {path} would not import {to}");
        self.note(self.ends.old, place, Verdict::Unsure, Some(&why));
    }

    fn finished(
        mut self,
        needs: needs::Needs,
        address: String,
    ) -> Result<MovedDefinition, RenameRefused> {
        self.places
            .sort_by(|one, other| (&one.path, one.span).cmp(&(&other.path, other.span)));
        self.places
            .dedup_by(|one, other| one.path == other.path && one.span == other.span);
        let references = References {
            address,
            word: self.word.to_owned(),
            places: self.places,
            doubts: Vec::new(),
        };
        if self.request.terms.unsure == OnUnsure::Refuse && references.unsure().next().is_some() {
            let way_out = "`unsure: keep` leaves them, `reexport: true` leaves the name where it is importable now";
            return Err(RenameRefused {
                diagnostic: Box::new(not_certain(&references, way_out)),
                references: Some(Box::new(references)),
            });
        }
        if !self.ends.is_one_file() {
            let own = self.files.entry(self.ends.new).or_default();
            own.imports.splice(0..0, needs.imports);
            own.imports_for_types.extend(needs.imports_for_types);
        }
        let sources = &self.analysis.sources;
        let files = self
            .files
            .into_iter()
            .map(|(file, changes)| (sources.path(file).clone(), changes));
        Ok(MovedDefinition {
            files: files.collect(),
            inside: needs.inside,
            from: needs.from,
            until: self.until,
            ahead: self.ahead,
            references,
        })
    }

    fn note_changed(&mut self, file: FileId, place: Span) {
        self.note(file, place, Verdict::Certain, None);
        if let Some(last) = self.places.last_mut() {
            last.is_changed = true;
        }
    }

    fn note(&mut self, file: FileId, place: Span, verdict: Verdict, why: Option<&str>) {
        let lines = match self.lines.take() {
            Some((known, lines)) if known == file => lines,
            _ => Lines::of(self.analysis.sources.bytes(file)),
        };
        let why = why.map(str::to_owned);
        let told = self.analysis.reference(file, place, verdict, why, &lines);
        self.lines = Some((file, lines));
        self.places.push(told);
    }
}
