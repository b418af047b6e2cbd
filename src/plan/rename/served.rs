//! A definition gets another name in a language whose scopes this program does not know: a language server is asked, and what it says
//! is not taken for all there is.
//!
//! Every occurrence of the word in the snapshot is looked at. What the server names is certain; of each other one in code it is asked where
//! that is defined: elsewhere, then it is another; nowhere, or at one of the places that it did not leave out, then it is not
//! certain. What it would write is held to the word: nothing else may change. Last it is shown the files as they would be,
//! and each place has to mean what it meant before.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Operation, RenameTerms, Scoped, Selector, SymbolSelector};
use crate::path::RepoPath;
use crate::plan::name_service::{DefinedAt, NamePlace, NameService, ServedEdit};
use crate::plan::whole;
use crate::references::{
    Reference, References, RenameRefused, RenamedPlace, Renaming, Verdict, places_of, renamed,
};
use crate::resolve::{Document, Found, Purpose, Reading, locate};
use crate::snapshot::{Blob, HashKind, Project, Snapshot};
use crate::syntax::Wording;
use crate::text::{Lines, Span, is_binary};

/// Why a word in a text is no name.
const IN_TEXT: &str = "in a string";

/// So many places are named in a refusal.
const MOST_NAMED: usize = 20;

/// Returns every place that changes when `symbol`, in the file at `path`, is called `to`, as `server` and the snapshot have it.
pub(super) fn renaming(
    operation: &Operation,
    snapshot: &Snapshot,
    path: &RepoPath,
    (symbol, to, terms): (&SymbolSelector, &str, RenameTerms),
    (service, server): (&dyn NameService, &str),
) -> Result<Renaming, RenameRefused> {
    let file = whole::editable(snapshot, path, operation)?;
    let document = Document::new(path.clone(), file.bytes.clone(), snapshot.hash);
    let survey = WordSurvey::of(&document, &snapshot.project, symbol, (service, server))?;
    survey.check_new(to, terms)?;
    let written = survey.written_everywhere(to)?;
    let named = written.keys().cloned().collect();
    let mut references = survey.references(named)?;
    survey.doubt_short_forms(&written, &mut references);
    let renaming = renamed(references, path, terms, |path, span| {
        let place = NamePlace {
            path: path.clone(),
            span,
        };
        Some(Rc::from(written.get(&place).map_or(to, String::as_str)))
    })?;
    if !terms.allows_clash && to != survey.word {
        survey.check_meanings(&renaming, to)?;
    }
    Ok(renaming)
}

/// Returns every place where the name of `symbol` is written, which is defined in `document`, as `server` and the project have it.
pub(crate) fn references(
    document: &Document,
    project: &Project,
    symbol: &SymbolSelector,
    (service, server): (&dyn NameService, &str),
) -> Result<References, Diagnostic> {
    let survey = WordSurvey::of(document, project, symbol, (service, server))?;
    let uses = service.uses(server, &survey.place)?;
    survey.references(uses)
}

/// Asks a server about the places among `references` that are not certain, and gives those a verdict of which it knows where they are
/// defined. Returns a sentence on why nobody was asked, where that is so.
pub(super) fn settle(
    references: &mut References,
    project: &Project,
    service: &dyn NameService,
) -> Result<Option<String>, Diagnostic> {
    let mut by_server: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, place) in references.places.iter().enumerate() {
        if place.verdict == Verdict::Unsure
            && let Some(server) = service.server_of(&place.path)?
        {
            by_server.entry(server).or_default().push(at);
        }
    }
    for (server, unsure) in by_server {
        if let Err(error) = settle_with(references, project, &unsure, (service, &server)) {
            // The rename can do without it.
            if matches!(
                error.code,
                Code::ConfigUntrusted | Code::ValidatorMissing | Code::ValidatorTimeout
            ) {
                return Ok(Some(error.message));
            }
            return Err(error);
        }
    }
    Ok(None)
}

fn settle_with(
    references: &mut References,
    project: &Project,
    unsure: &[usize],
    (service, server): (&dyn NameService, &str),
) -> Result<(), Diagnostic> {
    let certain: Vec<NamePlace> = references
        .with(Verdict::Certain)
        .map(NamePlace::of)
        .collect();
    let asked: Vec<NamePlace> = unsure
        .iter()
        .map(|at| NamePlace::of(&references.places[*at]))
        .collect();
    let mut files: BTreeMap<&RepoPath, Blob> = BTreeMap::new();
    for place in asked.iter().chain(&certain) {
        if let Some(bytes) = project.files.get(&place.path)
            && service.server_of(&place.path)?.as_deref() == Some(server)
        {
            files.insert(&place.path, bytes.clone());
        }
    }
    let files: Vec<(&RepoPath, Blob)> = files.into_iter().collect();
    service.show(server, &files)?;
    let definitions = service.definitions(server, &asked)?;
    for (at, defined) in unsure.iter().zip(definitions) {
        let is_ours =
            |place: &DefinedAt| matches!(place, DefinedAt::Shown(place) if certain.contains(place));
        let ours = defined.iter().filter(|place| is_ours(place)).count();
        let place = &mut references.places[*at];
        if ours == 0 && !defined.is_empty() {
            place.verdict = Verdict::Other;
        } else if ours > 0 && ours == defined.len() {
            place.verdict = Verdict::Certain;
        } else {
            continue;
        }
        place.reason = Some(format!("says `{server}`"));
    }
    Ok(())
}

impl NamePlace {
    fn of(reference: &Reference) -> NamePlace {
        NamePlace {
            path: reference.path.clone(),
            span: reference.span,
        }
    }
}

/// Every occurrence of the word of a definition, and whom to ask about them.
struct WordSurvey<'s> {
    service: &'s dyn NameService,
    server: &'s str,
    /// The definition, as an address.
    address: String,
    word: String,
    /// Where the definition says its name.
    place: NamePlace,
    /// Names beside it in the same scope.
    beside: Vec<String>,
    /// The files that the server answers for and that hold the word in their code.
    files: BTreeMap<RepoPath, ServedFile>,
    /// Occurrences that are no code, and why.
    mentions: Vec<(NamePlace, Option<&'static str>)>,
    project: &'s Project,
    hash: HashKind,
}

/// A file that the server answers for.
struct ServedFile {
    bytes: Blob,
    /// Where the word stands in its code.
    occurrences: Vec<Span>,
    /// Those of them that are a key and its value in one word.
    short_forms: Vec<Span>,
}

/// In what form a place says a new name.
enum NameForm {
    /// The name.
    Plain,
    /// A short form written out: `{name}` → `{name: new}`.
    Short,
    /// A name that is known by another here: `new as name`.
    Alias,
}

impl<'s> WordSurvey<'s> {
    /// Looks for every occurrence of the word of `symbol`, and shows the server the files that have one.
    fn of(
        document: &Document,
        project: &'s Project,
        symbol: &SymbolSelector,
        (service, server): (&'s dyn NameService, &'s str),
    ) -> Result<WordSurvey<'s>, Diagnostic> {
        let reading = Reading::of(document);
        let selector = Scoped::from(Selector::Symbol(symbol.clone()));
        let (target, _) = locate(&reading, &selector, None, Purpose::Edit)?;
        let named = match target.found {
            Found::Definition(named) => Some(named),
            _ => None,
        };
        let span = named.and_then(|named| {
            let language = document.language?;
            language.grammar.name_place(&document.bytes, named.symbol)
        });
        let (Some(named), Some(span)) = (named, span) else {
            let message = format!(
                "the name of `{}` stands in no place of its own",
                shown(&target.segment.address)
            );
            return Err(Diagnostic::new(Code::Unsupported, message));
        };
        let word = String::from_utf8_lossy(span.of(&document.bytes)).into_owned();
        let siblings = reading.register().all().iter();
        let beside = siblings.filter(|other| other.parent == named.parent);
        let beside = beside.map(|other| other.symbol.name.clone()).collect();
        let mut survey = WordSurvey {
            service,
            server,
            address: target.segment.address.clone(),
            word,
            place: NamePlace {
                path: document.path.clone(),
                span,
            },
            beside,
            files: BTreeMap::new(),
            mentions: Vec::new(),
            project,
            hash: document.hash,
        };
        for (path, bytes) in &project.files {
            survey.add(path, bytes)?;
        }
        survey.show(&[])?;
        Ok(survey)
    }

    /// Looks for the word in a file.
    fn add(&mut self, path: &RepoPath, bytes: &Blob) -> Result<(), Diagnostic> {
        let places = places_of(&self.word, bytes);
        if places.is_empty() || is_binary(bytes) {
            return Ok(());
        }
        let place = |span| NamePlace {
            path: path.clone(),
            span,
        };
        if self.service.server_of(path)?.as_deref() != Some(self.server) {
            let mentions = places.into_iter().map(|span| (place(span), None));
            self.mentions.extend(mentions);
            return Ok(());
        }
        let file = self.file(path, bytes, places);
        if !file.occurrences.is_empty() {
            self.files.insert(path.clone(), file);
        }
        Ok(())
    }

    /// Returns a file with those of `places` that are code, and keeps the others as mentions.
    fn file(&mut self, path: &RepoPath, bytes: &Blob, places: Vec<Span>) -> ServedFile {
        let mut file = ServedFile {
            bytes: bytes.clone(),
            occurrences: Vec::new(),
            short_forms: Vec::new(),
        };
        let document = Document::new(path.clone(), bytes.clone(), self.hash);
        let wordings = document
            .language
            .filter(|_| !document.too_large())
            .and_then(|language| language.grammar.wordings(bytes, &places));
        let wordings = wordings.unwrap_or_else(|| vec![Wording::Code; places.len()]);
        for (span, wording) in places.into_iter().zip(wordings) {
            let why = match wording {
                Wording::Code | Wording::ShortForm => {
                    file.occurrences.push(span);
                    if wording == Wording::ShortForm {
                        file.short_forms.push(span);
                    }
                    continue;
                }
                Wording::Comment => "in a comment",
                Wording::Text => IN_TEXT,
            };
            let place = NamePlace {
                path: path.clone(),
                span,
            };
            self.mentions.push((place, Some(why)));
        }
        file
    }

    /// Shows the server the files, some of them as `changed`.
    fn show(&self, changed: &[(&RepoPath, Blob)]) -> Result<(), Diagnostic> {
        let mut files: BTreeMap<&RepoPath, Blob> = BTreeMap::new();
        for (path, file) in &self.files {
            files.insert(path, file.bytes.clone());
        }
        files.extend(changed.iter().cloned());
        let files: Vec<(&RepoPath, Blob)> = files.into_iter().collect();
        self.service.show(self.server, &files)
    }

    /// Refuses a new name that is none, or that something beside has.
    fn check_new(&self, to: &str, terms: RenameTerms) -> Result<(), Diagnostic> {
        let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '?' | '!');
        if to.is_empty()
            || !to.chars().all(is_letter)
            || to.starts_with(|c: char| c.is_ascii_digit())
        {
            let message = format!("`{}` is no name", shown(to));
            return Err(Diagnostic::new(Code::NameClash, message));
        }
        if !terms.allows_clash && to != self.word && self.beside.iter().any(|name| name == to) {
            let message = format!(
                "`{}` cannot become `{to}`: something beside it is called so",
                self.word
            );
            let clash = Diagnostic::new(Code::NameClash, message);
            return Err(clash.note("`clash: allow` renames it all the same"));
        }
        Ok(())
    }

    /// Returns what each place would say, those included that a file knows by the same name only because it imports or hands on the
    /// name: `{new as old}` there would leave the rest of it as it is.
    fn written_everywhere(&self, to: &str) -> Result<BTreeMap<NamePlace, String>, Diagnostic> {
        let mut written: BTreeMap<NamePlace, String> = BTreeMap::new();
        let mut asked: BTreeSet<NamePlace> = BTreeSet::from([self.place.clone()]);
        let mut waiting = vec![self.place.clone()];
        while let Some(place) = waiting.pop() {
            let edits = self.service.renamed(self.server, &place, to)?;
            for (place, text) in self.written(edits)? {
                let form = self.form(&text, to).ok_or_else(|| {
                    let edit = ServedEdit {
                        place: place.clone(),
                        text: text.clone(),
                    };
                    self.drift(&edit, "writes more than the new name")
                })?;
                match form {
                    NameForm::Short => drop(written.entry(place).or_insert(text)),
                    NameForm::Plain => drop(written.insert(place, text)),
                    NameForm::Alias => {
                        written.insert(place.clone(), to.to_owned());
                        if asked.insert(place.clone()) {
                            waiting.push(place);
                        }
                    }
                }
            }
        }
        Ok(written)
    }

    /// Returns what each place would say after the server's edits, which may touch nothing else.
    fn written(&self, mut edits: Vec<ServedEdit>) -> Result<Vec<(NamePlace, String)>, Diagnostic> {
        edits.retain(|edit| !(edit.place.span.is_empty() && edit.text.is_empty()));
        let mut written = Vec::new();
        let mut taken = vec![false; edits.len()];
        for place in self.all_places() {
            let touches = |edit: &ServedEdit| {
                let span = edit.place.span;
                edit.place.path == place.path
                    && place.span.start <= span.start
                    && span.end <= place.span.end
            };
            let mut own: Vec<usize> = (0..edits.len()).filter(|at| touches(&edits[*at])).collect();
            if own.is_empty() {
                continue;
            }
            own.sort_by_key(|at| edits[*at].place.span);
            let bytes = self.bytes(&place.path);
            let kept =
                |from, to| String::from_utf8_lossy(Span::new(from, to).of(bytes)).into_owned();
            let mut text = String::new();
            let mut from = place.span.start;
            for at in own {
                let edit = &edits[at];
                if edit.place.span.start < from {
                    return Err(self.drift(edit, "changes a place twice"));
                }
                text.push_str(&kept(from, edit.place.span.start));
                text.push_str(&edit.text);
                from = edit.place.span.end;
                taken[at] = true;
            }
            text.push_str(&kept(from, place.span.end));
            written.push((place, text));
        }
        match taken.iter().position(|taken| !taken) {
            Some(at) => Err(self.drift(&edits[at], "changes what is not the name")),
            None => Ok(written),
        }
    }

    /// Returns in what form a text says the new name, if it says nothing else.
    fn form(&self, text: &str, to: &str) -> Option<NameForm> {
        let old = self.word.as_str();
        let is_pair = |pair: Option<(&str, &str)>| {
            pair.is_some_and(|(one, other)| {
                let pair = (one.trim(), other.trim());
                pair == (old, to) || pair == (to, old)
            })
        };
        if text == to {
            Some(NameForm::Plain)
        } else if is_pair(text.split_once(':')) {
            Some(NameForm::Short)
        } else if is_pair(text.split_once(" as ")) {
            Some(NameForm::Alias)
        } else {
            None
        }
    }

    /// Doubts places in which one word is two names, of which one is renamed: `{name}` of JavaScript.
    fn doubt_short_forms(&self, written: &BTreeMap<NamePlace, String>, found: &mut References) {
        for place in found.places.iter_mut() {
            let own = NamePlace::of(place);
            let is_plain = written.get(&own).is_some_and(|text| !text.contains(':'));
            let is_short = self.files.get(&place.path);
            let is_short = is_short.is_some_and(|file| file.short_forms.contains(&place.span));
            if is_plain && is_short && place.verdict == Verdict::Certain {
                place.verdict = Verdict::Unsure;
                let why = "one word for a key and its value, and only one of them is renamed";
                place.reason = Some(why.to_owned());
            }
        }
    }

    fn drift(&self, edit: &ServedEdit, what: &str) -> Diagnostic {
        let bytes = self.bytes(&edit.place.path);
        let line = Lines::of(bytes).line(edit.place.span.start.min(bytes.len()));
        let old = String::from_utf8_lossy(edit.place.span.of(bytes));
        let message = format!(
            "the language server `{}` {what}: in {}, line {line}, `{}` would become `{}`",
            shown(self.server),
            edit.place.path,
            shown(&old),
            shown(&edit.text)
        );
        Diagnostic::new(Code::Drift, message)
    }

    fn bytes(&self, path: &RepoPath) -> &[u8] {
        self.project.files.get(path).map_or(&[], |bytes| bytes)
    }

    /// Returns every place of the word.
    fn all_places(&self) -> Vec<NamePlace> {
        let code = self.code_places();
        let mentions = self.mentions.iter().map(|(place, _)| place.clone());
        code.into_iter().chain(mentions).collect()
    }

    fn code_places(&self) -> Vec<NamePlace> {
        let places = self.files.iter().flat_map(|(path, file)| {
            let spans = file.occurrences.iter();
            spans.map(|span| NamePlace {
                path: path.clone(),
                span: *span,
            })
        });
        places.collect()
    }

    /// Returns every place with its verdict, of which the server has `named` some.
    fn references(&self, mut named: Vec<NamePlace>) -> Result<References, Diagnostic> {
        named.sort();
        let is_named = |place: &NamePlace| named.binary_search(place).is_ok();
        // A string may hold code: `"$name"`.
        let texts = self
            .mentions
            .iter()
            .filter(|(_, why)| *why == Some(IN_TEXT));
        let texts = texts.map(|(place, _)| place.clone());
        let mut asked = self.code_places();
        let of_code = asked.len();
        asked.extend(texts);
        let found = self.service.definitions(self.server, &asked)?;
        let definitions: BTreeMap<&NamePlace, &Vec<DefinedAt>> = asked.iter().zip(&found).collect();
        let ours = self.led_to(&definitions, &is_named);
        let mut told: BTreeMap<NamePlace, (Verdict, Option<String>)> = BTreeMap::new();
        for (place, defined) in asked[..of_code].iter().zip(&found) {
            let verdict = match is_named(place) {
                true => (Verdict::Certain, None),
                false => self.verdict(place, defined, &ours),
            };
            told.insert(place.clone(), verdict);
        }
        for (place, why) in &self.mentions {
            let defined = definitions.get(place).map_or(&[][..], |defined| defined);
            let verdict = match (is_named(place), self.verdict(place, defined, &ours)) {
                (true, _) => (Verdict::Certain, None),
                (false, doubt @ (Verdict::Unsure, _)) if !defined.is_empty() => doubt,
                (false, _) => (Verdict::Mention, why.map(str::to_owned)),
            };
            told.insert(place.clone(), verdict);
        }
        if !told
            .get(&self.place)
            .is_some_and(|it| it.0 == Verdict::Certain)
        {
            let message = format!(
                "the language server `{}` does not know `{}`",
                shown(self.server),
                shown(&self.address)
            );
            return Err(Diagnostic::new(Code::NotCertain, message));
        }
        Ok(References {
            address: self.address.clone(),
            word: self.word.clone(),
            places: self.described(told),
            doubts: Vec::new(),
        })
    }

    /// Returns the places that the server named and those where they are defined: of C, where a header announces what is defined elsewhere.
    fn led_to(
        &self,
        definitions: &BTreeMap<&NamePlace, &Vec<DefinedAt>>,
        is_named: &impl Fn(&NamePlace) -> bool,
    ) -> BTreeSet<NamePlace> {
        let named = definitions.iter().filter(|(place, _)| is_named(place));
        let mut ours = BTreeSet::new();
        for (place, defined) in named {
            ours.insert((*place).clone());
            let shown = defined.iter().filter_map(|place| match place {
                DefinedAt::Shown(place) => Some(place.clone()),
                DefinedAt::Elsewhere(_) => None,
            });
            ours.extend(shown);
        }
        ours
    }

    /// Returns the verdict on a word that the server left out, by where it says that it is defined.
    fn verdict(
        &self,
        place: &NamePlace,
        defined: &[DefinedAt],
        ours: &BTreeSet<NamePlace>,
    ) -> (Verdict, Option<String>) {
        let is_ours =
            |place: &DefinedAt| matches!(place, DefinedAt::Shown(place) if ours.contains(place));
        let why = if ours.contains(place) {
            "says that others lead here, and leaves it out"
        } else if defined.is_empty() {
            "does not say what it is"
        } else if defined.iter().any(is_ours) {
            "says that it leads to them, and leaves it out"
        } else {
            return (Verdict::Other, None);
        };
        (Verdict::Unsure, Some(format!("`{}` {why}", self.server)))
    }

    /// Returns the places as they are told.
    fn described(&self, told: BTreeMap<NamePlace, (Verdict, Option<String>)>) -> Vec<Reference> {
        let mut by_path: BTreeMap<RepoPath, Vec<(Span, Verdict, Option<String>)>> = BTreeMap::new();
        for (place, (verdict, reason)) in told {
            let places = by_path.entry(place.path).or_default();
            places.push((place.span, verdict, reason));
        }
        let mut described = Vec::new();
        for (path, places) in by_path {
            let bytes = self.project.files.get(&path).cloned().unwrap_or_default();
            let document = Document::new(path.clone(), bytes, self.hash);
            let is_read = self.files.contains_key(&path) && !document.too_large();
            let reading = Reading::of(&document);
            let around = |span: Span| {
                let all = reading.register().all().iter();
                let around = all.filter(|named| named.symbol.definition.contains(span));
                let innermost = around.min_by_key(|named| named.symbol.definition.len());
                innermost.map(|named| format!("{path}::{}", named.address()))
            };
            for (span, verdict, reason) in places {
                let place = Reference::at(&path, &document.bytes, document.lines(), span, Ok(()));
                described.push(Reference {
                    address: is_read
                        .then(|| around(span))
                        .flatten()
                        .unwrap_or_else(|| path.to_string()),
                    verdict,
                    reason,
                    is_changed: false,
                    ..place
                });
            }
        }
        described
    }

    /// Refuses a rename after which a place means something else: one of the old name, or one of the new name that was there before.
    fn check_meanings(&self, renaming: &Renaming, to: &str) -> Result<(), RenameRefused> {
        let mut asked: Vec<NamePlace> = Vec::new();
        let mut shifts: BTreeMap<&RepoPath, Vec<&RenamedPlace>> = BTreeMap::new();
        let mut changed: Vec<(&RepoPath, Blob)> = Vec::new();
        for (path, places) in &renaming.places {
            let mut places: Vec<&RenamedPlace> = places.iter().collect();
            places.sort_by_key(|place| place.span);
            if self.files.contains_key(path) {
                let of_code = places.iter().filter(|place| *place.to == *to);
                asked.extend(of_code.map(|place| NamePlace {
                    path: path.clone(),
                    span: place.span,
                }));
                changed.push((path, self.rewritten(path, &places)));
            }
            shifts.insert(path, places);
        }
        let own = asked.len();
        for (path, file) in &self.files {
            let there = places_of(to, &file.bytes);
            asked.extend(there.into_iter().map(|span| NamePlace {
                path: path.clone(),
                span,
            }));
        }
        let after = |place: &NamePlace| NamePlace {
            path: place.path.clone(),
            span: shifted(place.span, shifts.get(&place.path).map_or(&[], |it| it)),
        };
        let before = self.service.definitions(self.server, &asked)?;
        self.show(&changed)?;
        let moved: Vec<NamePlace> = asked.iter().map(&after).collect();
        let found = self.service.definitions(self.server, &moved);
        // Other renames of the batch are of the same snapshot.
        self.show(&[])?;
        let found = found?;
        let mut clashes: Vec<&NamePlace> = Vec::new();
        for (at, place) in asked.iter().enumerate() {
            let expected = before[at].iter().map(|defined| match defined {
                DefinedAt::Shown(place) => DefinedAt::Shown(after(place)),
                DefinedAt::Elsewhere(place) => DefinedAt::Elsewhere(place.clone()),
            });
            let mut expected: Vec<DefinedAt> = expected.collect();
            let mut found = found[at].clone();
            expected.sort();
            found.sort();
            if expected != found {
                clashes.push(place);
            }
        }
        let Some(_) = clashes.first() else {
            return Ok(());
        };
        let message = format!("`{}` cannot become `{to}`: that is taken", self.word);
        let mut refusal = Diagnostic::new(Code::NameClash, message);
        for place in clashes.iter().take(MOST_NAMED) {
            let line = Lines::of(self.bytes(&place.path)).line(place.span.start);
            let is_own = asked[..own].contains(place);
            let word = if is_own { &self.word } else { to };
            refusal = refusal.note(format!(
                "{}, line {line}: `{word}` would mean something else, says `{}`",
                place.path, self.server
            ));
        }
        let refusal = refusal.note("`clash: allow` renames it all the same");
        Err(RenameRefused {
            diagnostic: Box::new(refusal),
            references: Some(Box::new(renaming.references.clone())),
        })
    }

    /// Returns a file as it would be.
    fn rewritten(&self, path: &RepoPath, places: &[&RenamedPlace]) -> Blob {
        let bytes = self.bytes(path);
        let mut new = Vec::with_capacity(bytes.len());
        let mut from = 0;
        for place in places {
            new.extend_from_slice(Span::new(from, place.span.start).of(bytes));
            new.extend_from_slice(place.to.as_bytes());
            from = place.span.end;
        }
        new.extend_from_slice(Span::new(from, bytes.len()).of(bytes));
        new.into()
    }
}

/// Returns where a word is once `places`, in file order, are renamed.
fn shifted(span: Span, places: &[&RenamedPlace]) -> Span {
    let mut start = span.start;
    let mut len = span.len();
    for place in places {
        if place.span == span {
            len = place.to.len();
        } else if place.span.end <= span.start {
            start = start + place.to.len() - place.span.len();
        }
    }
    Span::new(start, start + len)
}
