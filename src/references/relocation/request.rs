//! `MoveRequest`: what moves and where to; `Ends`: the two modules, found.

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{RenameTerms, SymbolSelector};
use crate::path::RepoPath;
use crate::references::Analysis;
use crate::references::facts::{FileId, PythonModule};
use crate::text::Span;

/// What moves, and where to.
pub(crate) struct MoveRequest<'a> {
    /// The file of the definition.
    pub(crate) path: &'a RepoPath,
    /// The definition.
    pub(crate) symbol: &'a SymbolSelector,
    /// Its bytes, decorations included.
    pub(crate) span: Span,
    /// The file that it goes to, which may be its own.
    pub(crate) to: &'a RepoPath,
    /// What becomes of places that are not certain, and of mentions.
    pub(crate) terms: RenameTerms,
    /// Whether the old module goes on giving the name.
    pub(crate) reexports: bool,
}

/// The modules that a definition leaves and goes to.
#[derive(Debug)]
pub(super) struct Ends {
    /// The file that it leaves.
    pub(super) old: FileId,
    /// Its module.
    pub(super) old_module: PythonModule,
    /// The file that it goes to.
    pub(super) new: FileId,
    /// Its module.
    pub(super) new_module: PythonModule,
}

impl Ends {
    /// Returns those of a request.
    pub(super) fn of(analysis: &Analysis, request: &MoveRequest<'_>) -> Result<Ends, Diagnostic> {
        let find = |path: &RepoPath| {
            let sources = &analysis.sources;
            let file = sources.at(path.as_str());
            let file = file.filter(|file| sources.is_python(*file));
            let module = file.and_then(|file| sources.module_of(file));
            file.zip(module).ok_or_else(|| {
                let message =
                    format!("definitions of Python are moved, and {path} is no file of Python");
                Diagnostic::new(Code::UnsupportedLanguage, message).note(
                    "`insert` there and `delete` here in one batch moves any text; nothing follows it",
                )
            })
        };
        let (old, old_module) = find(request.path)?;
        let (new, new_module) = find(request.to)?;
        for (file, module) in [(old, &old_module), (new, &new_module)] {
            let path = analysis.sources.path(file);
            if module.files.len() > 1 {
                let message = format!("{path} has a stub beside it, which would say otherwise");
                return Err(Diagnostic::new(Code::Unsupported, message));
            }
            if !analysis.names(file).is_sound {
                let message = format!("{path} does not parse: what its names mean is not known");
                return Err(Diagnostic::new(Code::Unsupported, message));
            }
        }
        Ok(Ends {
            old,
            old_module,
            new,
            new_module,
        })
    }

    /// Says whether it stays in its file.
    pub(super) fn is_one_file(&self) -> bool {
        self.old == self.new
    }
}
