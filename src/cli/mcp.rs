//! `git segedit mcp`: the tools over the Model Context Protocol.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::call::Offer;
use super::{Common, Reply};
use crate::diagnostic::{Code, Diagnostic, DiagnosticMark, shown};
use crate::git::{Repo, points_elsewhere};
use crate::mcp;
use crate::report::Rendered;

/// Serve the tools to a language model, over the Model Context Protocol
///
/// A client starts it and talks to it on standard input and output; it ends with its input. Calls run in processes of their own,
/// two at a time.
#[derive(Args)]
#[command(
    override_usage = "git segedit mcp [--root <dir>]... [<options>]",
    after_long_help = "Example:\n   $ git segedit mcp --root . < /dev/null"
)]
pub(crate) struct Arguments {
    /// Repository to edit, or a folder of one that nothing is reached outside of, instead of CLAUDE_PROJECT_DIR or the one you are in;
    /// several are told apart by an argument `repo`
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    #[command(flatten)]
    offer: Offer,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let refuse = |message: String| common.refuse(vec![Diagnostic::new(Code::Io, message)]);
        let program = match std::env::current_exe() {
            Ok(program) => program,
            Err(error) => return refuse(format!("cannot tell where the program is: {error}")),
        };
        let roots = match self.roots() {
            Ok(roots) => roots,
            Err(message) => return refuse(message),
        };
        if let Some(folder) = roots.iter().find(|root| is_outside(root)) {
            // Served all the same: a client starts it in any folder, and somebody may make the repository later.
            let folder = shown(&folder.to_string_lossy());
            eprintln!("`{folder}` is in no git repository: name one by `--root DIR` (or `-C DIR`)");
        }
        let (rules, options) = (self.offer.rules(), self.offer.words());
        let is_named = !self.root.is_empty();
        let withheld = withheld(is_named);
        let settings = mcp::ServerSettings {
            roots,
            confines: is_named,
            rules,
            options,
            program,
            withheld,
        };
        match mcp::serve(settings) {
            Ok(()) => Reply::done(Rendered::default()),
            Err(message) => refuse(format!("the conversation ended: {message}")),
        }
    }

    /// Returns the folders to serve, as absolute paths.
    fn roots(&self) -> Result<Vec<PathBuf>, String> {
        let named = match self.root.as_slice() {
            [] => vec![
                std::env::var_os("CLAUDE_PROJECT_DIR")
                    .map_or_else(|| PathBuf::from("."), PathBuf::from),
            ],
            roots => roots.to_vec(),
        };
        let absolute = |root: PathBuf| {
            root.canonicalize()
                .map_err(|error| format!("`{}`: {error}", root.display()))
        };
        named.into_iter().map(absolute).collect()
    }
}

/// Says whether a folder is in no repository at all.
fn is_outside(folder: &Path) -> bool {
    let refusal = Repo::glance(folder).err();
    refusal.is_some_and(|why| why.mark == Some(DiagnosticMark::NoRepository))
}

/// Returns the variables that calls do not get to see: those that hold secrets of the client's, which neither linters nor hooks need,
/// and, where the repository `is_named`, those by which git takes another one.
fn withheld(is_named: bool) -> Vec<OsString> {
    const ENDINGS: [&str; 5] = ["_API_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_ACCESS_KEY"];
    let is_secret = |name: &OsString| {
        let name = name.to_string_lossy().to_ascii_uppercase();
        ENDINGS
            .iter()
            .any(|ending| name.ends_with(ending) || name == ending[1..])
    };
    let is_withheld = |name: &OsString| is_secret(name) || is_named && points_elsewhere(name);
    std::env::vars_os()
        .map(|(name, _)| name)
        .filter(is_withheld)
        .collect()
}
