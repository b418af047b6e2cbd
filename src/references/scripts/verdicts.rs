//! The verdict on a place of the word.

use super::leads::{Follow, Lead};
use super::survey::{JudgedPlace, ScriptSurvey};
use super::target::ScriptMember;
use crate::references::facts::FileId;
use crate::references::reference::Verdict;
use crate::syntax::script_names::{OwnerKind, Receiver, ScriptWord, WHOLE, WordRole};
use crate::text::Span;

/// What no scope binds and has all that files share.
const SHARED: [&str; 7] = [
    "window",
    "globalThis",
    "self",
    "global",
    "top",
    "parent",
    "frames",
];

/// What comes with the language or its surroundings, and has its own members alone.
const KNOWN: [&str; 20] = [
    "Array", "Atomics", "BigInt", "Boolean", "Buffer", "Date", "Function", "Intl", "JSON", "Math",
    "Number", "Object", "Promise", "Proxy", "Reflect", "RegExp", "String", "Symbol", "console",
    "process",
];

/// Pages, and what pages are made from: a script that is no module is for them.
const PAGES: [&str; 14] = [
    ".html", ".htm", ".xhtml", ".php", ".erb", ".ejs", ".jsp", ".hbs", ".pug", ".twig", ".cshtml",
    ".jinja", ".j2", ".liquid",
];

/// Files whose scripts are not read.
const COMPONENTS: [&str; 4] = [".vue", ".svelte", ".astro", ".mdx"];

/// Words of the language that can be names as well.
const WORDS: [&str; 34] = [
    "abstract",
    "accessor",
    "any",
    "as",
    "asserts",
    "async",
    "bigint",
    "boolean",
    "constructor",
    "declare",
    "defer",
    "from",
    "get",
    "global",
    "infer",
    "intrinsic",
    "is",
    "keyof",
    "module",
    "namespace",
    "never",
    "number",
    "object",
    "of",
    "out",
    "override",
    "readonly",
    "require",
    "satisfies",
    "set",
    "string",
    "symbol",
    "type",
    "unknown",
];

/// Of what a place may be.
enum PlaceDoubt {
    Certain,
    Other,
    Unsure(String),
}

impl JudgedPlace {
    pub(super) fn unsure(why: impl Into<String>) -> JudgedPlace {
        JudgedPlace {
            verdict: Verdict::Unsure,
            reason: Some(why.into()),
            short: None,
        }
    }
}

impl From<PlaceDoubt> for JudgedPlace {
    fn from(doubt: PlaceDoubt) -> JudgedPlace {
        let (verdict, reason) = match doubt {
            PlaceDoubt::Certain => (Verdict::Certain, None),
            PlaceDoubt::Other => (Verdict::Other, None),
            PlaceDoubt::Unsure(why) => (Verdict::Unsure, Some(why)),
        };
        JudgedPlace {
            verdict,
            reason,
            short: None,
        }
    }
}

impl ScriptSurvey<'_> {
    /// Returns the verdict on a name in a script; `is_loose` says that any member of the name may be it.
    pub(super) fn verdict(&self, file: FileId, word: &ScriptWord, is_loose: bool) -> JudgedPlace {
        match &word.role {
            WordRole::Bound { symbol, .. } => self.of_symbol(file, *symbol).into(),
            WordRole::Global => self.of_global(file, is_loose).into(),
            WordRole::Member(of) => self.of_member(file, word.span, of, is_loose).into(),
            WordRole::Short(of, symbol) => {
                let key = self.of_member(file, word.span, of, is_loose);
                let value = match symbol {
                    Some(symbol) => self.of_symbol(file, *symbol),
                    None => self.of_global(file, is_loose),
                };
                of_short(key, value)
            }
            WordRole::Both(symbol, class) => self.of_both(file, *symbol, *class).into(),
            WordRole::Private(class) => match (self.target.member, class) {
                (Some(ScriptMember::Private(own)), Some(class))
                    if own == *class && file == self.target.file =>
                {
                    PlaceDoubt::Certain.into()
                }
                _ => PlaceDoubt::Other.into(),
            },
            WordRole::Foreign(source) => {
                let lead = self
                    .files
                    .foreign(file, source, &self.target.word, Follow::SameName);
                self.of_lead(lead).into()
            }
            WordRole::Exported => {
                let lead = self.files.export(file, &self.target.word, Follow::SameName);
                self.of_lead(lead).into()
            }
            WordRole::Else => PlaceDoubt::Other.into(),
            WordRole::Unknown => JudgedPlace::unsure("it is not understood"),
        }
    }

    /// Returns the verdict on a word that is no name of a script.
    pub(super) fn verdict_on_text(&self, file: FileId, span: Span, is_loose: bool) -> JudgedPlace {
        let mention = |reason: Option<&str>| JudgedPlace {
            verdict: Verdict::Mention,
            reason: reason.map(str::to_owned),
            short: None,
        };
        let path = self.files.path(file).as_str();
        if !self.files.is_script(file) {
            let is_page = PAGES.iter().any(|ending| path.ends_with(ending));
            let has_modules = || memchr::memmem::find(self.files.bytes(file), b"module").is_some();
            if is_page && (self.target.is_shared || has_modules()) {
                return JudgedPlace::unsure("a page may use what its scripts define");
            }
            return match COMPONENTS.iter().any(|ending| path.ends_with(ending)) {
                true => JudgedPlace::unsure("the scripts of such a file are not read"),
                false => mention(None),
            };
        }
        let Some(names) = self.files.names(file) else {
            return JudgedPlace::unsure("the file does not parse");
        };
        if names.specifiers.iter().any(|path| path.contains(span)) {
            return PlaceDoubt::Other.into();
        }
        let after = names
            .texts
            .partition_point(|(text, _)| text.start <= span.start);
        let around = after.checked_sub(1).and_then(|at| names.texts.get(at));
        match around.filter(|(text, _)| text.contains(span)) {
            Some((_, true)) => mention(Some("in a comment")),
            // `pick(box, "load")`: between its quotes and nothing else.
            Some((text, false))
                if (text.start + 1, text.end) == (span.start, span.end + 1)
                    && (is_loose || self.is_member_by_name()) =>
            {
                JudgedPlace::unsure("a text that may be the name of a member")
            }
            Some((_, false)) => mention(Some("in a string")),
            None if WORDS.contains(&self.target.word.as_str()) => PlaceDoubt::Other.into(),
            // A part of a longer name: `$load`.
            None if names.words.iter().any(|word| word.span.contains(span)) => {
                PlaceDoubt::Other.into()
            }
            None => JudgedPlace::unsure("it is not understood"),
        }
    }

    fn of_lead(&self, lead: Lead) -> PlaceDoubt {
        if self.target.member.is_some() {
            return PlaceDoubt::Other;
        }
        match lead {
            Lead::Unknown(why) => PlaceDoubt::Unsure(why),
            lead if self.target.lead.as_ref() == Some(&lead) => PlaceDoubt::Certain,
            _ => PlaceDoubt::Other,
        }
    }

    fn of_symbol(&self, file: FileId, symbol: usize) -> PlaceDoubt {
        let lead = self.files.lead(file, symbol, Follow::SameName);
        if self.target.member.is_some() {
            // The parameter that makes the member, or a value of an enumeration among others.
            return match self.target.lead.as_ref() == Some(&lead) {
                true => PlaceDoubt::Certain,
                false => PlaceDoubt::Other,
            };
        }
        let names = self.files.names(file);
        let is_shared = names.is_some_and(|names| {
            let bound = &names.symbols[symbol];
            bound.is_shared || bound.is_root && !names.is_module
        });
        match self.of_lead(lead) {
            PlaceDoubt::Other
                if is_shared && (self.target.is_shared || file == self.target.file) =>
            {
                PlaceDoubt::Unsure("files that are no modules share what they define".to_owned())
            }
            PlaceDoubt::Other if is_shared && self.declares_module(file) => {
                PlaceDoubt::Unsure("it says what is in a module".to_owned())
            }
            doubt => doubt,
        }
    }

    /// Says whether a file has `declare module "…"`, which adds to what a module has.
    fn declares_module(&self, file: FileId) -> bool {
        let names = self.files.names(file);
        names.is_some_and(|names| names.augments)
    }

    fn of_global(&self, file: FileId, is_loose: bool) -> PlaceDoubt {
        let is_member = self.target.member.is_some();
        if !is_member && is_loose {
            return PlaceDoubt::Unsure("nothing in the file says what it is".to_owned());
        }
        if self.target.is_shared && !is_member {
            PlaceDoubt::Unsure("files that are no modules share what they define".to_owned())
        } else if !is_member && self.declares_module(file) {
            PlaceDoubt::Unsure("it says what is in a module".to_owned())
        } else if self.target.namespace.is_some() || self.is_of_enum() {
            PlaceDoubt::Unsure("what it is in may be written in several parts".to_owned())
        } else {
            PlaceDoubt::Other
        }
    }

    /// Says whether the name is a member that a text may ask for.
    fn is_member_by_name(&self) -> bool {
        let member = self.target.member;
        member.is_some_and(|member| !matches!(member, ScriptMember::Private(_)))
    }

    /// Says whether the name is a value of an enumeration.
    fn is_of_enum(&self) -> bool {
        let Some(ScriptMember::Of(owner, _)) = self.target.member else {
            return false;
        };
        let names = self.files.names(self.target.file);
        let owner = names.and_then(|names| names.owners.get(owner));
        owner.is_some_and(|owner| owner.kind == OwnerKind::Enum)
    }

    fn of_both(&self, file: FileId, symbol: usize, class: usize) -> PlaceDoubt {
        match self.target.member {
            Some(ScriptMember::Of(owner, false)) if owner == class && file == self.target.file => {
                PlaceDoubt::Certain
            }
            Some(ScriptMember::Of(..)) => PlaceDoubt::Unsure(another_member()),
            _ => match self.of_symbol(file, symbol) {
                PlaceDoubt::Certain => {
                    PlaceDoubt::Unsure("a parameter that makes a member".to_owned())
                }
                doubt => doubt,
            },
        }
    }

    fn of_member(&self, file: FileId, span: Span, of: &Receiver, is_loose: bool) -> PlaceDoubt {
        match self.target.member {
            None => self.of_part(file, of, is_loose),
            Some(ScriptMember::Private(_)) => PlaceDoubt::Other,
            Some(_) if file == self.target.file && span == self.target.span => PlaceDoubt::Certain,
            Some(ScriptMember::Of(owner, is_static)) => {
                self.of_same_member(file, of, (owner, is_static))
            }
            Some(ScriptMember::Given(symbol)) => {
                let own = self.files.lead(self.target.file, symbol, Follow::All);
                self.of_given_member(file, of, Some(&own))
            }
            Some(ScriptMember::Unknown) => self.of_given_member(file, of, None),
        }
    }

    /// Returns whether a member is the name that is bound or handed on: of a module, of a namespace.
    fn of_part(&self, file: FileId, of: &Receiver, is_loose: bool) -> PlaceDoubt {
        let word = &self.target.word;
        let of_module = |module: FileId| self.files.export(module, word, Follow::SameName);
        let loose = || match is_loose {
            true => PlaceDoubt::Unsure(
                "a module that has it is handed on as a whole, and this may be a member of it"
                    .to_owned(),
            ),
            false if self.target.namespace.is_some() => {
                PlaceDoubt::Unsure("it may be a member of the namespace".to_owned())
            }
            false => PlaceDoubt::Other,
        };
        match of {
            Receiver::Symbol(symbol) => match self.files.lead(file, *symbol, Follow::All) {
                Lead::Module(module) => self.of_lead(of_module(module)),
                Lead::Unknown(why) if self.is_whole(file, *symbol) => PlaceDoubt::Unsure(why),
                Lead::Elsewhere if self.is_whole(file, *symbol) => PlaceDoubt::Other,
                lead if self.target.namespace.as_ref() == Some(&lead) => PlaceDoubt::Certain,
                Lead::Symbol(file, symbol)
                    if self.target.namespace.is_none() && !self.may_be_module(file, symbol) =>
                {
                    PlaceDoubt::Other
                }
                _ => loose(),
            },
            Receiver::Module(source) => {
                self.of_lead(self.files.foreign(file, source, word, Follow::SameName))
            }
            Receiver::Exports => self.of_lead(of_module(file)),
            Receiver::Global(name) if SHARED.contains(&name.as_str()) && self.target.is_shared => {
                PlaceDoubt::Unsure("files that are no modules share what they define".to_owned())
            }
            Receiver::Global(name) if KNOWN.contains(&name.as_str()) => PlaceDoubt::Other,
            Receiver::Own(..) if !self.stands_in(file) => PlaceDoubt::Other,
            _ => loose(),
        }
    }

    /// Says whether the value of what a scope binds may be a module.
    fn may_be_module(&self, file: FileId, symbol: usize) -> bool {
        let names = self.files.names(file);
        names.is_none_or(|names| names.symbols[symbol].may_be_module)
    }

    /// Says whether a name of a file is all of a module.
    fn is_whole(&self, file: FileId, symbol: usize) -> bool {
        use crate::syntax::script_names::ScriptImportName::All;
        let names = self.files.names(file);
        names.is_some_and(|names| {
            let mut imports = names.imports.iter();
            imports.any(|import| import.symbol == symbol && import.name == All)
        })
    }

    /// Says whether a file hands modules to something as a whole, so that an object may stand for one.
    fn stands_in(&self, file: FileId) -> bool {
        let names = self.files.names(file);
        names.is_some_and(|names| !names.loose.is_empty())
    }

    /// Returns whether a member of a module may be one of what that hands on as a whole.
    fn of_module(&self, module: FileId) -> PlaceDoubt {
        let names = self.files.names(module);
        let is_whole = names.is_none_or(|names| {
            names.is_commonjs || names.exports.iter().any(|export| export.name == WHOLE)
        });
        match is_whole {
            true => PlaceDoubt::Unsure(unknown_receiver()),
            false => PlaceDoubt::Other,
        }
    }

    /// Returns whether a member is the one that was given to what `own` leads to, or to something that is not known.
    fn of_given_member(&self, file: FileId, of: &Receiver, own: Option<&Lead>) -> PlaceDoubt {
        match of {
            Receiver::Symbol(symbol) => match self.files.lead(file, *symbol, Follow::All) {
                lead if own == Some(&lead) => PlaceDoubt::Certain,
                Lead::Module(module) => self.of_module(module),
                Lead::Elsewhere if self.is_whole(file, *symbol) => PlaceDoubt::Other,
                _ => PlaceDoubt::Unsure(unknown_receiver()),
            },
            Receiver::Module(_) => PlaceDoubt::Unsure(unknown_receiver()),
            Receiver::Global(name) if KNOWN.contains(&name.as_str()) => PlaceDoubt::Other,
            Receiver::Own(..) => PlaceDoubt::Unsure(another_member()),
            _ => PlaceDoubt::Unsure(unknown_receiver()),
        }
    }

    /// Returns whether a member is the one that is asked for.
    fn of_same_member(&self, file: FileId, of: &Receiver, own: (usize, bool)) -> PlaceDoubt {
        let is_here = file == self.target.file;
        let names = self.files.names(self.target.file);
        let owner = names.and_then(|names| names.owners.get(own.0));
        let is_enum = owner.is_some_and(|owner| owner.kind == OwnerKind::Enum);
        match of {
            Receiver::Own(owner, is_static) if is_here && (*owner, *is_static) == own => {
                PlaceDoubt::Certain
            }
            Receiver::This(owner, is_static) if is_here && (*owner, *is_static) == own => {
                PlaceDoubt::Certain
            }
            Receiver::Own(..) if is_enum => PlaceDoubt::Other,
            Receiver::Own(..) => PlaceDoubt::Unsure(another_member()),
            Receiver::Symbol(symbol) => {
                let called = owner.and_then(|owner| owner.symbol);
                let called = called.map(|symbol| Lead::Symbol(self.target.file, symbol));
                match self.files.lead(file, *symbol, Follow::All) {
                    Lead::Module(module) => self.of_module(module),
                    Lead::Elsewhere if self.is_whole(file, *symbol) => PlaceDoubt::Other,
                    lead if called.as_ref() == Some(&lead) => match own.1 {
                        true => PlaceDoubt::Certain,
                        false => PlaceDoubt::Other,
                    },
                    _ => PlaceDoubt::Unsure(unknown_receiver()),
                }
            }
            Receiver::Module(_) | Receiver::Exports => PlaceDoubt::Unsure(unknown_receiver()),
            Receiver::Global(name) if KNOWN.contains(&name.as_str()) => PlaceDoubt::Other,
            Receiver::Global(_) | Receiver::This(..) | Receiver::Other => {
                PlaceDoubt::Unsure(unknown_receiver())
            }
        }
    }
}

/// Returns what a key and its value in one word are.
fn of_short(key: PlaceDoubt, value: PlaceDoubt) -> JudgedPlace {
    let is_ours = |doubt: &PlaceDoubt| !matches!(doubt, PlaceDoubt::Other);
    let short = Some((is_ours(&key), is_ours(&value)));
    let place: JudgedPlace = match (key, value) {
        (PlaceDoubt::Unsure(why), _) | (_, PlaceDoubt::Unsure(why)) => {
            PlaceDoubt::Unsure(why).into()
        }
        (PlaceDoubt::Certain, _) | (_, PlaceDoubt::Certain) => PlaceDoubt::Certain.into(),
        (PlaceDoubt::Other, PlaceDoubt::Other) => PlaceDoubt::Other.into(),
    };
    JudgedPlace { short, ..place }
}

fn another_member() -> String {
    "it is a member of something else, which may be taken for the same by what it has".to_owned()
}

fn unknown_receiver() -> String {
    "what it is a member of is not known".to_owned()
}
