//! `WordSurvey`: every occurrence of the word of a definition, and whom to ask about them.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{RenameTerms, SymbolSelector};
use crate::path::RepoPath;
use crate::plan::name_service::{NamePlace, NameService};
use crate::plan::rename::named::NamedDefinition;
use crate::references::places_of;
use crate::resolve::{Document, Reading};
use crate::snapshot::{Blob, HashKind, Project};
use crate::syntax::{SegmentKind, Wording};
use crate::text::{Span, is_binary};

/// Words that may stand ahead of the name of a member.
const MODIFIERS: [&str; 12] = [
    "abstract",
    "accessor",
    "async",
    "declare",
    "get",
    "override",
    "private",
    "protected",
    "public",
    "readonly",
    "set",
    "static",
];

/// So many bytes ahead of a name such words are looked for.
const MOST_AHEAD: usize = 200;

/// Why a word in a text is no name.
pub(super) const IN_TEXT: &str = "in a string";

/// Every occurrence of the word of a definition, and whom to ask about them.
pub(super) struct WordSurvey<'s> {
    pub(super) service: &'s dyn NameService,
    pub(super) server: &'s str,
    /// The definition, as an address.
    pub(super) address: String,
    pub(super) word: String,
    /// Where the definition says its name.
    pub(super) place: NamePlace,
    /// Whether only its own class may have it, whatever has the same shape. What is `protected` may be overridden below, and a class may be
    /// handed to who asks for what is `static` in it.
    pub(super) is_of_its_class: bool,
    /// Where the definition begins, if it is a member of a type of TypeScript that others may fit by what it has.
    pub(super) member_start: Option<usize>,
    /// Names beside it in the same scope.
    beside: Vec<String>,
    /// The files that the server answers for and that hold the word in their code.
    pub(super) files: BTreeMap<RepoPath, ServedFile>,
    /// Occurrences that are no code, and why.
    pub(super) mentions: Vec<(NamePlace, Option<&'static str>)>,
    pub(super) project: &'s Project,
    pub(super) hash: HashKind,
}

/// A file that the server answers for.
pub(super) struct ServedFile {
    pub(super) bytes: Blob,
    /// Where the word stands in its code.
    pub(super) occurrences: Vec<Span>,
    /// Those of them that are a key and its value in one word.
    pub(super) short_forms: Vec<Span>,
    /// Those that are members, in a language that compares values by what they have.
    pub(super) properties: Vec<Span>,
}

impl<'s> WordSurvey<'s> {
    /// Looks for every occurrence of the word of `symbol`, and shows the server the files that have one.
    pub(super) fn of(
        document: &Document,
        project: &'s Project,
        symbol: &SymbolSelector,
        (service, server): (&'s dyn NameService, &'s str),
    ) -> Result<WordSurvey<'s>, Diagnostic> {
        let reading = Reading::of(document);
        let named = NamedDefinition::of(&reading, symbol)?;
        let NamedDefinition {
            definition: named,
            span,
            address,
        } = named;
        let word = String::from_utf8_lossy(span.of(&document.bytes)).into_owned();
        let siblings = reading.register().all().iter();
        let beside = siblings.filter(|other| other.parent == named.parent);
        let beside = beside.map(|other| other.symbol.name.clone()).collect();
        let is_of_its_class = has_ahead(&document.bytes, span, "private");
        let around = named.parent.and_then(|at| reading.register().all().get(at));
        let is_of_type = around.is_some_and(|around| {
            use SegmentKind::{Class, Interface, Type};
            matches!(around.symbol.kind, Class | Interface | Type)
        });
        let is_probed = is_of_type && !is_of_its_class && is_typescript(&document.path);
        let mut survey = WordSurvey {
            service,
            server,
            address,
            word,
            place: NamePlace {
                path: document.path.clone(),
                span,
            },
            is_of_its_class,
            member_start: is_probed.then_some(named.symbol.definition.start),
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
            properties: Vec::new(),
        };
        let document = Document::new(path.clone(), bytes.clone(), self.hash);
        let wordings = document
            .language
            .filter(|_| !document.too_large())
            .and_then(|language| language.grammar.wordings(bytes, &places));
        let wordings = wordings.unwrap_or_else(|| vec![Wording::Code; places.len()]);
        for (span, wording) in places.into_iter().zip(wordings) {
            let why = match wording {
                Wording::Code | Wording::ShortForm | Wording::Property => {
                    file.occurrences.push(span);
                    match wording {
                        Wording::ShortForm => file.short_forms.push(span),
                        Wording::Property => file.properties.push(span),
                        _ => {}
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
    pub(super) fn show(&self, changed: &[(&RepoPath, Blob)]) -> Result<(), Diagnostic> {
        let mut files: BTreeMap<&RepoPath, Blob> = BTreeMap::new();
        for (path, file) in &self.files {
            files.insert(path, file.bytes.clone());
        }
        files.extend(changed.iter().cloned());
        let files: Vec<(&RepoPath, Blob)> = files.into_iter().collect();
        self.service.show(self.server, &files)
    }

    /// Refuses a new name that is none, or that something beside has.
    pub(super) fn check_new(&self, to: &str, terms: RenameTerms) -> Result<(), Diagnostic> {
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

    /// Says whether only its own class may have what is defined at `place`.
    pub(super) fn is_of_its_class_at(&self, place: &NamePlace) -> bool {
        has_ahead(self.bytes(&place.path), place.span, "private")
    }

    /// Says whether a static member stands at `place` of a class that may be above or below that of the definition, which is static, too.
    pub(super) fn may_override(&self, place: &NamePlace) -> bool {
        let is_static =
            |place: &NamePlace| has_ahead(self.bytes(&place.path), place.span, "static");
        let has_base = |place: &NamePlace| {
            let header = self.class_header(place);
            header.is_some_and(|header| header.split_ascii_whitespace().any(|it| it == "extends"))
        };
        is_static(&self.place) && is_static(place) && (has_base(&self.place) || has_base(place))
    }

    /// Returns the header of the class around `place`.
    fn class_header(&self, place: &NamePlace) -> Option<String> {
        let bytes = self.project.files.get(&place.path)?.clone();
        let document = Document::new(place.path.clone(), bytes, self.hash);
        let reading = Reading::of(&document);
        let around = reading.register().all().iter().filter(|named| {
            named.symbol.kind == SegmentKind::Class && named.symbol.definition.contains(place.span)
        });
        let class = around.min_by_key(|named| named.symbol.definition.len())?;
        let header = class.symbol.signature.of(&document.bytes);
        Some(String::from_utf8_lossy(header).into_owned())
    }

    pub(super) fn bytes(&self, path: &RepoPath) -> &[u8] {
        self.project.files.get(path).map_or(&[], |bytes| bytes)
    }

    /// Returns every place of the word.
    pub(super) fn all_places(&self) -> Vec<NamePlace> {
        let code = self.code_places();
        let mentions = self.mentions.iter().map(|(place, _)| place.clone());
        code.into_iter().chain(mentions).collect()
    }

    pub(super) fn code_places(&self) -> Vec<NamePlace> {
        let places = self.files.iter().flat_map(|(path, file)| {
            let spans = file.occurrences.iter();
            spans.map(|span| NamePlace {
                path: path.clone(),
                span: *span,
            })
        });
        places.collect()
    }
}

/// Says whether one of the words directly ahead of a name is `word`.
fn has_ahead(bytes: &[u8], name: Span, word: &str) -> bool {
    let ahead = Span::new(name.start.saturating_sub(MOST_AHEAD), name.start);
    let ahead = String::from_utf8_lossy(ahead.of(bytes));
    // `constructor(private name`.
    let is_end = |c: char| c.is_ascii_whitespace() || matches!(c, '(' | ',' | '{' | ';' | '}');
    let words = ahead.trim_ascii_end().trim_end_matches('*').rsplit(is_end);
    let mut ahead = words.take_while(|word| word.is_empty() || MODIFIERS.contains(word));
    ahead.any(|ahead| ahead == word)
}

fn is_typescript(path: &RepoPath) -> bool {
    let mut endings = [".ts", ".tsx", ".mts", ".cts"].iter();
    endings.any(|ending| path.as_str().ends_with(ending))
}
