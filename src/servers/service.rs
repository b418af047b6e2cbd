//! `Servers`: the language servers of a configuration, each started when it is first asked.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::session::Session;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{ReadSource, Repo};
use crate::linters::{ConfiguredLinters, LinterContext};
use crate::path::RepoPath;
use crate::plan::{DefinedAt, NamePlace, NameService, ServedEdit, ServedErrors};
use crate::snapshot::{Blob, Change};

/// The servers that a base asks for. Those that run are ended when this is dropped.
pub(crate) struct Servers<'r> {
    repo: &'r Repo,
    source: &'r ReadSource,
    earlier: &'r [Change],
    progress: &'r (dyn Fn(&str) + Send + Sync),
    configured: OnceCell<Result<Option<ConfiguredLinters>, Diagnostic>>,
    sessions: RefCell<BTreeMap<String, Session>>,
}

impl<'r> Servers<'r> {
    /// Returns those of `source`, on which `earlier` batches of the call made changes; `progress` is told in a few words what is asked.
    pub(crate) fn of(
        repo: &'r Repo,
        source: &'r ReadSource,
        earlier: &'r [Change],
        progress: &'r (dyn Fn(&str) + Send + Sync),
    ) -> Servers<'r> {
        Servers {
            repo,
            source,
            earlier,
            progress,
            configured: OnceCell::new(),
            sessions: RefCell::default(),
        }
    }

    fn configured(&self) -> Result<Option<&ConfiguredLinters>, Diagnostic> {
        let configured = self.configured.get_or_init(|| {
            let configured = ConfiguredLinters::of(self.repo, self.source);
            configured.map_err(|errors| {
                let first = errors.into_iter().next();
                first.unwrap_or_else(|| {
                    Diagnostic::new(Code::ConfigInvalid, "the configuration cannot be read")
                })
            })
        });
        match configured {
            Ok(configured) => Ok(configured.as_ref()),
            Err(error) => Err(error.clone()),
        }
    }

    /// Asks the server of this name, which is started unless it runs.
    fn ask<T>(
        &self,
        name: &str,
        ask: impl FnOnce(&mut Session) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let mut sessions = self.sessions.borrow_mut();
        if !sessions.contains_key(name) {
            sessions.insert(name.to_owned(), self.begin(name)?);
        }
        match sessions.get_mut(name) {
            Some(session) => ask(session),
            None => Err(no_server(name)),
        }
    }

    fn begin(&self, name: &str) -> Result<Session, Diagnostic> {
        let linters = self.configured()?.ok_or_else(|| no_server(name))?;
        let mut servers = linters.configuration.servers.iter();
        let server = servers.find(|server| server.tool.name == name);
        let context = LinterContext {
            repo: self.repo,
            source: self.source,
            earlier: self.earlier,
            linters,
            progress: self.progress,
        };
        Session::begin(&context, server.ok_or_else(|| no_server(name))?)
    }
}

fn no_server(name: &str) -> Diagnostic {
    let message = format!("no language server is called `{}`", shown(name));
    Diagnostic::new(Code::ConfigInvalid, message)
}

impl NameService for Servers<'_> {
    fn server_of(&self, path: &RepoPath) -> Result<Option<String>, Diagnostic> {
        let Some(linters) = self.configured()? else {
            return Ok(None);
        };
        let mut servers = linters.configuration.servers.iter();
        let server = servers.find(|server| server.tool.wants(path.as_str()));
        Ok(server.map(|server| server.tool.name.clone()))
    }

    fn show(&self, server: &str, files: &[(&RepoPath, Blob)]) -> Result<(), Diagnostic> {
        self.ask(server, |session| {
            session.show(files);
            Ok(())
        })
    }

    fn renamed(
        &self,
        server: &str,
        place: &NamePlace,
        to: &str,
    ) -> Result<Vec<ServedEdit>, Diagnostic> {
        self.ask(server, |session| session.renamed(place, to))
    }

    fn uses(&self, server: &str, place: &NamePlace) -> Result<Vec<DefinedAt>, Diagnostic> {
        self.ask(server, |session| session.uses(place))
    }

    fn definitions(
        &self,
        server: &str,
        places: &[NamePlace],
    ) -> Result<Vec<Vec<DefinedAt>>, Diagnostic> {
        self.ask(server, |session| session.definitions(places))
    }

    fn files_of(&self, server: &str) -> Result<Vec<RepoPath>, Diagnostic> {
        let files = self.repo.all_files(self.source, &[])?;
        let files = files.into_iter().map(|(path, _)| path);
        let mut paths: BTreeSet<RepoPath> = files.collect();
        for change in self.earlier {
            match &change.after {
                Some(_) => paths.insert(change.path.clone()),
                None => paths.remove(&change.path),
            };
        }
        let mut own = Vec::new();
        for path in paths {
            if self.server_of(&path)?.as_deref() == Some(server) {
                own.push(path);
            }
        }
        Ok(own)
    }

    fn errors(&self, server: &str, paths: &[RepoPath]) -> Result<Option<ServedErrors>, Diagnostic> {
        self.ask(server, |session| session.errors(paths))
    }
}
