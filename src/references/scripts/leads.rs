//! What a name leads to, through imports and exports.

use std::collections::BTreeSet;

use super::files::ScriptFiles;
use super::modules::ModuleFile;
use crate::references::facts::FileId;
use crate::syntax::script_names::{DEFAULT, ExportedValue, ScriptImportName, WHOLE};

/// What a name leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lead {
    /// What a scope of a file binds, and no import.
    Symbol(FileId, usize),
    /// What a file hands on by this name alone, and nothing there binds.
    Export(FileId, String),
    /// All that a file hands on.
    Module(FileId),
    /// Something else.
    Elsewhere,
    /// Nobody says, and why.
    Unknown(String),
}

/// How far a name is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follow {
    /// As long as it is called the same.
    SameName,
    /// To the end.
    All,
}

impl ScriptFiles<'_> {
    /// Returns what a name leads to that a scope of a file binds.
    pub(super) fn lead(&self, file: FileId, symbol: usize, follow: Follow) -> Lead {
        self.lead_on(file, symbol, follow, &mut BTreeSet::new())
    }

    /// Returns what a module hands on by a name.
    pub(super) fn export(&self, file: FileId, name: &str, follow: Follow) -> Lead {
        self.export_on(file, name, follow, &mut BTreeSet::new())
    }

    /// Returns what the module hands on by a name that `from` writes as `source`.
    pub(super) fn foreign(&self, from: FileId, source: &str, name: &str, follow: Follow) -> Lead {
        let name = ScriptImportName::One(name.to_owned());
        self.imported(from, source, &name, follow, &mut BTreeSet::new())
    }

    fn lead_on(
        &self,
        file: FileId,
        symbol: usize,
        follow: Follow,
        asked: &mut BTreeSet<(FileId, String)>,
    ) -> Lead {
        let Some(names) = self.names(file) else {
            return Lead::Unknown("the file does not parse".to_owned());
        };
        let Some(import) = names.imports.iter().find(|it| it.symbol == symbol) else {
            return Lead::Symbol(file, symbol);
        };
        let is_other = match &import.name {
            ScriptImportName::One(name) => *name != names.symbols[symbol].name,
            ScriptImportName::All => true,
        };
        if follow == Follow::SameName && is_other {
            return Lead::Symbol(file, symbol);
        }
        self.imported(file, &import.source, &import.name, follow, asked)
    }

    fn imported(
        &self,
        from: FileId,
        source: &str,
        name: &ScriptImportName,
        follow: Follow,
        asked: &mut BTreeSet<(FileId, String)>,
    ) -> Lead {
        let module = match self.module(from, source) {
            ModuleFile::Here(module) => module,
            ModuleFile::Outside => return Lead::Elsewhere,
            ModuleFile::Unknown(why) => return Lead::Unknown(why),
        };
        match name {
            ScriptImportName::One(name) => self.export_on(module, name, follow, asked),
            ScriptImportName::All => Lead::Module(module),
        }
    }

    fn export_on(
        &self,
        file: FileId,
        name: &str,
        follow: Follow,
        asked: &mut BTreeSet<(FileId, String)>,
    ) -> Lead {
        if !asked.insert((file, name.to_owned())) {
            return Lead::Elsewhere;
        }
        let Some(names) = self.names(file) else {
            return Lead::Unknown(format!("{} does not parse", self.path(file)));
        };
        let own: BTreeSet<Lead> = names
            .exports
            .iter()
            .filter(|export| export.name == name)
            .map(|export| match &export.value {
                ExportedValue::Symbol(symbol) if follow == Follow::SameName => {
                    match names.symbols[*symbol].name == name {
                        true => self.lead_on(file, *symbol, follow, asked),
                        false => Lead::Export(file, name.to_owned()),
                    }
                }
                ExportedValue::Symbol(symbol) => self.lead_on(file, *symbol, follow, asked),
                ExportedValue::Foreign(source, taken) => {
                    let is_same = matches!(taken, ScriptImportName::One(taken) if taken == name);
                    match is_same || follow == Follow::All {
                        true => self.imported(file, source, taken, follow, asked),
                        false => Lead::Export(file, name.to_owned()),
                    }
                }
                ExportedValue::Other => Lead::Export(file, name.to_owned()),
            })
            .collect();
        match own.len() {
            0 => {}
            1 => return own.into_iter().next().unwrap_or(Lead::Elsewhere),
            _ => return Lead::Unknown(format!("{} hands it on twice", self.path(file))),
        }
        // What a module of CommonJS hands on as a whole is the default, too, for who imports it as a module.
        if name == DEFAULT && names.exports.iter().any(|export| export.name == WHOLE) {
            return self.export_on(file, WHOLE, follow, asked);
        }
        if name == DEFAULT && !names.exports.iter().any(|export| export.name == DEFAULT) {
            return Lead::Module(file);
        }
        let mut found: BTreeSet<Lead> = BTreeSet::new();
        for source in &names.stars {
            let taken = ScriptImportName::One(name.to_owned());
            found.insert(self.imported(file, source, &taken, follow, asked));
        }
        found.remove(&Lead::Elsewhere);
        match found.len() {
            // An object takes in what it is given.
            0 if names.is_commonjs || names.exports.iter().any(|it| it.name == WHOLE) => {
                Lead::Unknown(format!("{} may hand on more than it says", self.path(file)))
            }
            0 => Lead::Elsewhere,
            1 => found.into_iter().next().unwrap_or(Lead::Elsewhere),
            _ => Lead::Unknown(format!("{} has it from several modules", self.path(file))),
        }
    }
}
