//! `ScriptSurvey`: a name of JavaScript or TypeScript, and every place of its word.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::files::ScriptFiles;
use super::leads::{Follow, Lead};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::RenameTerms;
use crate::path::RepoPath;
use crate::references::facts::FileId;
use crate::references::reference::{Reference, References, Verdict};
use crate::references::renaming::{RenameRefused, Renaming};
use crate::references::words::places_of;
use crate::snapshot::Project;
use crate::syntax::script_names::{
    ExportedValue, OwnerKind, Receiver, ScriptNames, ScriptOwner, WordRole,
};
use crate::text::{Lines, Span, is_binary};

/// Words that can be no name of what a scope binds.
const RESERVED: [&str; 50] = [
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
    "NaN",
];

/// Members that mean something to JavaScript in whatever has them.
const SPECIAL: [&str; 3] = ["constructor", "prototype", "__proto__"];

/// Members that JavaScript asks what iterates, is waited for, or is shown.
const ASKED_FOR: [&str; 8] = [
    "next",
    "return",
    "then",
    "throw",
    "toJSON",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// A definition, as whoever found it knows it.
pub(crate) struct ScriptDefinition<'d> {
    /// The file.
    pub(crate) path: &'d RepoPath,
    /// Where it says its name.
    pub(crate) span: Span,
    /// Its address.
    pub(crate) address: String,
}

/// A name, and every place of its word.
pub(crate) struct ScriptSurvey<'p> {
    pub(super) files: ScriptFiles<'p>,
    pub(super) target: ScriptTarget,
    address: String,
    places: BTreeMap<(FileId, Span), JudgedPlace>,
}

/// What a name is of.
pub(super) struct ScriptTarget {
    pub(super) word: String,
    pub(super) file: FileId,
    pub(super) span: Span,
    /// What is bound or handed on, if it is no member.
    pub(super) lead: Option<Lead>,
    /// Whether other files may see it without an import.
    pub(super) is_shared: bool,
    /// The namespace that it is in.
    pub(super) namespace: Option<Lead>,
    pub(super) member: Option<ScriptMember>,
}

/// A member.
#[derive(Clone, Copy)]
pub(super) enum ScriptMember {
    /// Of something with members: which of them in its file, and whether it is of the class itself.
    Of(usize, bool),
    /// Of a class, called `#name`.
    Private(usize),
    /// Of what a scope of its file binds, to which it is given: `res.send = …`.
    Given(usize),
    /// Of something that is not known.
    Unknown,
}

/// What is found out of a place.
#[derive(Clone, Debug)]
pub(super) struct JudgedPlace {
    pub(super) verdict: Verdict,
    pub(super) reason: Option<String>,
    /// Of a key and its value in one word, which of them are the name: the key, the value.
    pub(super) short: Option<(bool, bool)>,
}

impl<'p> ScriptSurvey<'p> {
    /// Looks at every place of the word of a definition.
    pub(crate) fn of(
        project: &'p Project,
        definition: &ScriptDefinition<'_>,
    ) -> Result<ScriptSurvey<'p>, Diagnostic> {
        let files = ScriptFiles::of(project);
        let target = target(&files, definition)?;
        let mut survey = ScriptSurvey {
            files,
            target,
            address: definition.address.clone(),
            places: BTreeMap::new(),
        };
        let is_loose = survey.is_loose();
        for file in survey.files.holding(&[survey.target.word.as_str()]) {
            let places = survey.places_in(file, is_loose);
            let places = places.into_iter().map(|(span, it)| ((file, span), it));
            survey.places.extend(places);
        }
        Ok(survey)
    }

    /// Returns every place with its verdict, each at the path of its file.
    pub(crate) fn references(&self) -> References {
        let mut lines: Option<(FileId, Lines)> = None;
        let mut places = Vec::new();
        for ((file, span), place) in &self.places {
            let bytes = self.files.bytes(*file);
            if lines.as_ref().is_none_or(|(known, _)| known != file) {
                lines = Some((*file, Lines::of(bytes)));
            }
            if let Some((_, lines)) = &lines {
                let at = Reference::at(self.files.path(*file), bytes, lines, *span, Ok(()));
                places.push(Reference {
                    verdict: place.verdict,
                    reason: place.reason.clone(),
                    is_changed: false,
                    ..at
                });
            }
        }
        References {
            address: self.address.clone(),
            word: self.target.word.clone(),
            places,
            doubts: self.doubts(),
        }
    }

    /// Returns what is written in a place for the new name.
    pub(crate) fn written(&self, path: &RepoPath, span: Span, to: &str) -> Option<Rc<str>> {
        let file = self.files.at(path.as_str());
        let place = file.and_then(|file| self.places.get(&(file, span)));
        let word = &self.target.word;
        Some(match place.and_then(|place| place.short) {
            Some((false, true)) => Rc::from(format!("{word}: {to}")),
            Some((true, false)) => Rc::from(format!("{to}: {word}")),
            _ => Rc::from(to),
        })
    }

    /// Refuses a new name that can be none.
    pub(crate) fn check_new(&self, to: &str) -> Result<(), Diagnostic> {
        let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let is_private = matches!(self.target.member, Some(ScriptMember::Private(_)));
        let name = match is_private {
            true => to.strip_prefix('#').unwrap_or_default(),
            false => to,
        };
        let is_name = !name.is_empty()
            && name.chars().all(is_letter)
            && !name.starts_with(|c: char| c.is_ascii_digit());
        let is_bound = matches!(self.target.lead, Some(Lead::Symbol(..)));
        if !is_name || is_bound && RESERVED.contains(&name) {
            let message = format!("`{}` is no name", shown(to));
            return Err(Diagnostic::new(Code::NameClash, message));
        }
        let is_member = self.target.member.is_some() && !is_private;
        let was_special = is_member && SPECIAL.contains(&self.target.word.as_str());
        // What is waited for, a module among others, is asked for its `then`.
        let becomes_special = is_member && (SPECIAL.contains(&name) || ASKED_FOR.contains(&name))
            || name == "then" && self.hands_on(self.target.file) == Some(true);
        if (was_special || becomes_special) && name != self.target.word {
            let special = if becomes_special {
                name
            } else {
                &self.target.word
            };
            let message = format!("`{special}` is a member that JavaScript itself looks for");
            return Err(Diagnostic::new(Code::NameClash, message));
        }
        Ok(())
    }

    /// Refuses a renaming after which anything would mean something else than before.
    pub(crate) fn check(
        &self,
        renaming: &Renaming,
        to: &str,
        terms: RenameTerms,
    ) -> Result<(), RenameRefused> {
        if terms.allows_clash || to == self.target.word {
            return Ok(());
        }
        let clashes = self.clashes(renaming, to);
        if clashes.is_empty() {
            return Ok(());
        }
        let message = match clashes.len() {
            1 => format!("`{}` cannot become `{to}`: that is taken", self.target.word),
            count => format!(
                "`{}` cannot become `{to}`: that is taken in {count} places",
                self.target.word
            ),
        };
        let mut refusal = Diagnostic::new(Code::NameClash, message);
        for clash in clashes.iter().take(super::MOST_NAMED) {
            refusal = refusal.note(clash);
        }
        let refusal = refusal.note("`clash: allow` renames it all the same");
        Err(RenameRefused {
            diagnostic: Box::new(refusal),
            references: Some(Box::new(renaming.references.clone())),
        })
    }

    /// Returns the verdicts on the places of the word in a file.
    fn places_in(&self, file: FileId, is_loose: bool) -> BTreeMap<Span, JudgedPlace> {
        let bytes = self.files.bytes(file);
        if is_binary(bytes) {
            return BTreeMap::new();
        }
        let mut found = BTreeMap::new();
        let word = self.target.word.as_str();
        let names = self.files.names(file);
        for at in names.iter().flat_map(|names| &names.words) {
            let is_private = matches!(at.role, WordRole::Private(_));
            let is_ours = match word.strip_prefix('#') {
                Some(word) => is_private && at.name == word,
                None => !is_private && at.name == word,
            };
            if !is_ours {
                continue;
            }
            let mut place = self.verdict(file, at, is_loose);
            if place.verdict == Verdict::Certain && at.span.of(bytes) != word.as_bytes() {
                place = JudgedPlace::unsure("it is written with an escape");
            }
            found.insert(at.span, place);
        }
        for span in places_of(word, bytes) {
            found
                .entry(span)
                .or_insert_with(|| self.verdict_on_text(file, span));
        }
        found
    }

    /// Says whether a module that hands the name on is handed to something as a whole, so that any member of the name may be it.
    fn is_loose(&self) -> bool {
        let handed_on: BTreeSet<FileId> = self
            .files
            .holding(&[self.target.word.as_str(), "export *", "export*", "require("])
            .into_iter()
            .filter(|file| self.hands_on(*file) != Some(false))
            .collect();
        if handed_on.is_empty() {
            return false;
        }
        let stems: Vec<&str> = handed_on
            .iter()
            .flat_map(|file| stems(self.files.path(*file)))
            .collect();
        let naming = self.files.holding(&stems);
        naming
            .into_iter()
            .any(|file| self.is_loose_in(file, &handed_on))
    }

    /// Says whether a module hands the name on; `None` where nobody says.
    fn hands_on(&self, file: FileId) -> Option<bool> {
        if self.target.member.is_some() {
            return Some(false);
        }
        let names = self.files.names(file)?;
        if names.exports.is_empty() && names.stars.is_empty() {
            return Some(false);
        }
        match self.files.export(file, &self.target.word, Follow::SameName) {
            Lead::Unknown(_) => None,
            lead => Some(Some(&lead) == self.target.lead.as_ref()),
        }
    }

    fn is_loose_in(&self, file: FileId, handed_on: &BTreeSet<FileId>) -> bool {
        let Some(names) = self.files.names(file) else {
            return false;
        };
        let is_one = |source: &str| match self.files.module(file, source) {
            super::modules::ModuleFile::Here(module) => handed_on.contains(&module),
            super::modules::ModuleFile::Outside => false,
            super::modules::ModuleFile::Unknown(_) => true,
        };
        if names.loose.iter().any(|source| is_one(source)) {
            return true;
        }
        let is_module = |symbol: usize| matches!(self.files.lead(file, symbol, Follow::All), Lead::Module(module) if handed_on.contains(&module));
        names.words.iter().any(|word| match &word.role {
            WordRole::Bound {
                symbol,
                is_receiver: false,
            }
            | WordRole::Short(Receiver::Own(..) | Receiver::Exports, Some(symbol)) => {
                is_module(*symbol)
            }
            _ => false,
        })
    }

    /// Says whether an object is no constant, or something else than its members is asked for.
    fn is_handed_on(&self, owner: &ScriptOwner) -> bool {
        if owner.kind != OwnerKind::Object {
            return false;
        }
        let own = self.files.names(self.target.file);
        let (Some(names), Some(symbol)) = (own, owner.symbol) else {
            return true;
        };
        let lead = Lead::Symbol(self.target.file, symbol);
        let called = names.symbols[symbol].name.as_str();
        let hands_on = |file: FileId| {
            let names = self.files.names(file);
            let mut words = names.iter().flat_map(|names| &names.words);
            words.any(|word| match &word.role {
                WordRole::Bound {
                    symbol,
                    is_receiver: false,
                }
                | WordRole::Short(_, Some(symbol)) => {
                    self.files.lead(file, *symbol, Follow::All) == lead
                }
                _ => false,
            })
        };
        let mut holding = self.files.holding(&[called]).into_iter();
        holding.any(hands_on)
    }

    /// Says whether the name is handed on, no other file imports it, and some load modules by what is worked out.
    fn may_be_loaded(&self) -> bool {
        let own = self.target.file;
        let mut places = self.places.iter();
        let is_imported =
            places.any(|((file, _), place)| *file != own && place.verdict == Verdict::Certain);
        let loads = |file: FileId| {
            let names = self.files.names(file);
            names.is_some_and(|names| names.loads_others)
        };
        !is_imported
            && self.hands_on(own) == Some(true)
            && self
                .files
                .holding(&["require(", "import("])
                .into_iter()
                .any(loads)
    }

    /// Returns what there is to doubt of the definition itself.
    fn doubts(&self) -> Vec<Reference> {
        let target = &self.target;
        let Some(names) = self.files.names(target.file) else {
            return Vec::new();
        };
        let owner = match target.member {
            Some(ScriptMember::Of(owner, _)) => names.owners.get(owner),
            _ => None,
        };
        let why = if names.runs_text {
            "the file runs text as code, which may name it"
        } else if owner.is_some_and(|owner| owner.has_base) {
            "what it extends, implements or is decorated with may ask for it"
        } else if owner.is_some() && ASKED_FOR.contains(&target.word.as_str()) {
            "JavaScript itself may ask for it"
        } else if owner.is_some_and(|owner| owner.kind == OwnerKind::Type) {
            "what has the members of its type may come from elsewhere"
        } else if owner.is_some_and(|owner| self.is_handed_on(owner)) {
            "who gets what it is a member of may ask for it"
        } else if self.may_be_loaded() {
            "nothing imports it by its name, and modules are loaded whose names are worked out"
        } else {
            return Vec::new();
        };
        let bytes = self.files.bytes(target.file);
        let path = self.files.path(target.file);
        let lines = Lines::of(bytes);
        let place = Reference::at(path, bytes, &lines, target.span, Ok(()));
        vec![Reference {
            verdict: Verdict::Unsure,
            reason: Some(why.to_owned()),
            is_changed: false,
            ..place
        }]
    }
}

/// Returns words of which one is in each import of a file.
fn stems(path: &RepoPath) -> Vec<&str> {
    let path = path.as_str();
    let mut words = path.rsplit('/');
    let name = words.next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    match stem {
        // `from "."`, `from "../"`, `from "./folder"`
        "index" => [Some("index"), words.next(), Some("'."), Some("\".")]
            .into_iter()
            .flatten()
            .collect(),
        stem => vec![stem],
    }
}

/// Returns what a definition is.
fn target(
    files: &ScriptFiles<'_>,
    definition: &ScriptDefinition<'_>,
) -> Result<ScriptTarget, Diagnostic> {
    let refuse = |what: &str| {
        let message = format!("`{}` {what}", shown(&definition.address));
        Diagnostic::new(Code::Unsupported, message)
    };
    let file = files.at(definition.path.as_str());
    let file = file.ok_or_else(|| refuse("is in no file that git tracks"))?;
    let names = files.names(file).ok_or_else(|| {
        let message = format!(
            "{} does not parse, so that nobody knows what its names are",
            definition.path
        );
        Diagnostic::new(Code::NotCertain, message)
    })?;
    let at = names.words.iter().find(|word| {
        let span = word.span;
        span == definition.span
            || matches!(word.role, WordRole::Private(_)) && span.end == definition.span.end
    });
    let at = at.ok_or_else(|| refuse("stands in no place of its own"))?;
    let word = match at.role {
        WordRole::Private(_) => format!("#{}", at.name),
        _ => at.name.clone(),
    };
    let mut found = ScriptTarget {
        word,
        file,
        span: at.span,
        lead: None,
        is_shared: false,
        namespace: None,
        member: None,
    };
    match &at.role {
        WordRole::Bound { symbol, .. } | WordRole::Short(_, Some(symbol)) => {
            bound(&mut found, files, names, *symbol);
        }
        WordRole::Member(Receiver::Own(owner, is_static)) => {
            found.member = Some(ScriptMember::Of(*owner, *is_static));
            // The values of an enumeration call each other by their names alone.
            let mut symbols = names.symbols.iter();
            let symbol = symbols.position(|symbol| symbol.span == at.span);
            found.lead = symbol.map(|symbol| Lead::Symbol(file, symbol));
        }
        WordRole::Member(Receiver::Symbol(symbol)) => {
            found.member = Some(ScriptMember::Given(*symbol));
        }
        WordRole::Member(_) => found.member = Some(ScriptMember::Unknown),
        WordRole::Both(symbol, class) => {
            found.member = Some(ScriptMember::Of(*class, false));
            found.lead = Some(Lead::Symbol(file, *symbol));
        }
        WordRole::Private(Some(class)) => found.member = Some(ScriptMember::Private(*class)),
        WordRole::Exported => {
            let is_it = |value: &ExportedValue| matches!(value, ExportedValue::Symbol(symbol) if names.symbols[*symbol].name == at.name);
            let own = names.exports.iter().filter(|export| export.name == at.name);
            let symbol = own.clone().find_map(|export| match &export.value {
                value @ ExportedValue::Symbol(symbol) if is_it(value) => Some(*symbol),
                _ => None,
            });
            match symbol {
                Some(symbol) => bound(&mut found, files, names, symbol),
                None => found.lead = Some(files.export(file, &at.name, Follow::SameName)),
            }
        }
        _ => return Err(refuse("is no name that could be another")),
    }
    Ok(found)
}

fn bound(found: &mut ScriptTarget, files: &ScriptFiles<'_>, names: &ScriptNames, symbol: usize) {
    let bound = &names.symbols[symbol];
    found.lead = Some(files.lead(found.file, symbol, Follow::SameName));
    found.is_shared = bound.is_shared || bound.is_root && !names.is_module;
    let namespace = bound.namespace;
    found.namespace = namespace.map(|symbol| files.lead(found.file, symbol, Follow::All));
}
