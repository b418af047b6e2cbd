//! `ServerFolder`: the folder that a language server runs in.

use std::path::Path;

use super::context::LinterContext;
use super::sandbox::Sandbox;
use super::trust;
use crate::config::LanguageServer;
use crate::diagnostic::Diagnostic;
use crate::git::Quarantine;
use crate::process::Job;

/// A checkout of what a batch is resolved against, for as long as a server runs in it.
pub struct ServerFolder {
    sandbox: Sandbox,
    _quarantine: Quarantine,
}

impl ServerFolder {
    /// Lays out the whole of what `context` is about, if the caller trusts the configuration that names `server`.
    pub fn of(
        context: &LinterContext<'_>,
        server: &LanguageServer,
    ) -> Result<ServerFolder, Diagnostic> {
        trust::permit(context, &[&server.tool.name])?;
        let quarantine = context.repo.quarantine()?;
        let mut sandbox =
            Sandbox::of_changed_tree(context.repo, context.source, &quarantine, context.earlier)?;
        // It may keep what it finds out beside the files.
        sandbox.mark_dirty();
        Ok(ServerFolder {
            sandbox,
            _quarantine: quarantine,
        })
    }

    /// Returns where the files stand.
    pub fn path(&self) -> &Path {
        self.sandbox.folder()
    }

    /// Returns the run of `server` here.
    pub(crate) fn job(
        &self,
        context: &LinterContext<'_>,
        server: &LanguageServer,
    ) -> Result<Job, Diagnostic> {
        let watched = (&server.tool, context.linters.watch(&server.tool));
        let command = &server.tool.command;
        self.sandbox
            .sandbox_job(context.repo, watched, command, &[])
    }
}
