//! What there is to doubt of a name, wherever it is written: what asks for it without saying so.

use std::collections::BTreeSet;

use super::leads::{Follow, Lead};
use super::modules::ModuleFile;
use super::survey::ScriptSurvey;
use super::target::{ASKED_FOR, ScriptMember};
use crate::path::RepoPath;
use crate::references::facts::FileId;
use crate::references::reference::{Reference, Verdict};
use crate::syntax::script_names::{ExportedValue, OwnerKind, Receiver, ScriptOwner, WordRole};
use crate::text::Lines;

/// What is called for elements of JSX, as settings say.
const IMPLIED: [&str; 6] = ["Fragment", "React", "createElement", "h", "jsx", "jsxs"];

impl ScriptSurvey<'_> {
    /// Says whether a module that hands the name on is handed to something as a whole, so that any member of the name may be it.
    pub(super) fn is_loose(&self) -> bool {
        let handed_on: BTreeSet<FileId> = self
            .files
            .holding(&[self.target.word.as_str(), "export *", "export*", "require("])
            .into_iter()
            .filter(|file| self.files.is_script(*file) && self.hands_on(*file) != Some(false))
            .collect();
        if handed_on.is_empty() {
            return false;
        }
        // Modules of CommonJS are objects, and go where those go; and what is loaded by what is worked out may be one of these.
        let names = |file: FileId| self.files.names(file);
        let is_object = |file: &FileId| names(*file).is_none_or(|names| names.is_commonjs);
        if handed_on.iter().any(is_object) || self.loads_others() {
            return true;
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
    pub(super) fn hands_on(&self, file: FileId) -> Option<bool> {
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
            ModuleFile::Here(module) => handed_on.contains(&module),
            ModuleFile::Outside => false,
            ModuleFile::Unknown(_) => true,
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
        // Whoever imports it may do with it as they like.
        let mut exports = names.exports.iter();
        if exports.any(|export| export.value == ExportedValue::Symbol(symbol)) {
            return true;
        }
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
        !is_imported && self.hands_on(own) == Some(true) && self.loads_others()
    }

    /// Says whether a file loads modules whose names are worked out.
    fn loads_others(&self) -> bool {
        let mut loading = self.files.holding(&["require", "import("]).into_iter();
        loading.any(|file| {
            let names = self.files.names(file);
            names.is_some_and(|names| names.loads_others)
        })
    }

    /// Returns what there is to doubt of the definition itself.
    pub(super) fn doubts(&self) -> Vec<Reference> {
        let target = &self.target;
        let Some(names) = self.files.names(target.file) else {
            return Vec::new();
        };
        let owner = match target.member {
            Some(ScriptMember::Of(owner, _)) => names.owners.get(owner),
            _ => None,
        };
        let runs_text = |file: FileId| {
            let names = self.files.names(file);
            names.is_some_and(|names| names.runs_text)
        };
        let mut holding = self.places.keys().map(|(file, _)| *file);
        let why = if names.runs_text || holding.any(runs_text) {
            "a file with the word runs text as code, which may name it"
        } else if IMPLIED.contains(&target.word.as_str()) {
            "elements of JSX may ask for it without saying so"
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
