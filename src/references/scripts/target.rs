//! `ScriptTarget`: what a name is of.

use super::files::ScriptFiles;
use super::leads::{Follow, Lead};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::references::facts::FileId;
use crate::syntax::script_names::{ExportedValue, Receiver, ScriptNames, WordRole};
use crate::text::Span;

/// Members that JavaScript asks what iterates, is waited for, or is shown.
pub(super) const ASKED_FOR: [&str; 8] = [
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

impl ScriptTarget {
    /// Returns what a definition is.
    pub(super) fn of(
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
                "{} does not parse, so its names cannot be told apart",
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
                found.bind(files, names, *symbol);
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
                    Some(symbol) => found.bind(files, names, symbol),
                    None => found.lead = Some(files.export(file, &at.name, Follow::SameName)),
                }
            }
            _ => return Err(refuse("is no name that could be another")),
        }
        Ok(found)
    }

    /// Takes in what a scope binds.
    fn bind(&mut self, files: &ScriptFiles<'_>, names: &ScriptNames, symbol: usize) {
        let bound = &names.symbols[symbol];
        self.lead = Some(files.lead(self.file, symbol, Follow::SameName));
        self.is_shared = bound.is_shared || bound.is_root && !names.is_module;
        let namespace = bound.namespace;
        self.namespace = namespace.map(|symbol| files.lead(self.file, symbol, Follow::All));
    }
}
