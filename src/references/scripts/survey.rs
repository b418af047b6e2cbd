//! `ScriptSurvey`: a name of JavaScript or TypeScript, and every place of its word.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::files::ScriptFiles;
use super::leads::Lead;
use super::target::{ASKED_FOR, ScriptDefinition, ScriptMember, ScriptTarget};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::RenameTerms;
use crate::path::RepoPath;
use crate::references::facts::FileId;
use crate::references::reference::{Reference, References, Verdict};
use crate::references::renaming::{RenameRefused, Renaming};
use crate::references::words::places_of;
use crate::snapshot::Project;
use crate::syntax::script_names::WordRole;
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

/// What a module of CommonJS is given.
const OF_A_MODULE: [&str; 5] = ["__dirname", "__filename", "exports", "module", "require"];

/// Members that objects and functions have from the start.
const INHERITED: [&str; 9] = [
    "apply",
    "arguments",
    "bind",
    "call",
    "caller",
    "hasOwnProperty",
    "isPrototypeOf",
    "length",
    "propertyIsEnumerable",
];

/// Members that mean something to JavaScript in whatever has them.
const SPECIAL: [&str; 3] = ["constructor", "prototype", "__proto__"];

/// A name, and every place of its word.
pub(crate) struct ScriptSurvey<'p> {
    pub(super) files: ScriptFiles<'p>,
    pub(super) target: ScriptTarget,
    address: String,
    pub(super) places: BTreeMap<(FileId, Span), JudgedPlace>,
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
        let target = ScriptTarget::of(&files, definition)?;
        let mut survey = ScriptSurvey {
            files,
            target,
            address: definition.address.clone(),
            places: BTreeMap::new(),
        };
        let is_loose = survey.is_loose();
        // A name may be written with escapes.
        for file in survey.files.holding(&[survey.target.word.as_str(), "\\u"]) {
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
        let is_taken = RESERVED.contains(&name) || OF_A_MODULE.contains(&name);
        if !is_name || is_bound && is_taken {
            let message = format!("`{}` is no name", shown(to));
            return Err(Diagnostic::new(Code::NameClash, message));
        }
        let is_member = self.target.member.is_some() && !is_private;
        let was_special = is_member && SPECIAL.contains(&self.target.word.as_str());
        // What is waited for, a module among others, is asked for its `then`.
        let is_handed_on = || self.hands_on(self.target.file) != Some(false);
        let becomes_special = is_member
            && [&SPECIAL[..], &ASKED_FOR, &INHERITED]
                .iter()
                .any(|names| names.contains(&name))
            || matches!(name, "then" | "__proto__") && is_handed_on();
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
                .or_insert_with(|| self.verdict_on_text(file, span, is_loose));
        }
        found
    }
}
