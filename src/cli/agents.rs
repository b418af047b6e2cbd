//! `git segedit agents`: what tells agents of this program, printed or put into the repository.

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::publishing::PublishingOptions;
use super::{Common, Reply, ReportFormat};
use crate::actions::look::{self, AskedPath, RevPath};
use crate::actions::outcome::Status;
use crate::diagnostic::{Code, Diagnostic};
use crate::door::guides::{self, AgentClient, Guide, GuideFile};
use crate::manifest::fields::{self, FieldNames};
use crate::manifest::{Destination, Overrides, ResolveOrder};
use crate::report::Rendered;
use crate::text::Span;

/// Print or write what tells agents of git segedit
///
/// agents-md is a block for AGENTS.md, skill a folder that many agents read, plugin one for Claude Code, config the entry that makes
/// a client start the server: claude-code, codex, cursor, vscode or zed. With --write they go into the files of the worktree: a
/// block that is there is replaced, an entry that starts the server stays as it is, and so does the rest of a file; `git segedit undo`
/// takes it back.
#[derive(Args)]
#[command(
    override_usage = "git segedit agents [<options>] (agents-md | skill | plugin | config <client>) [--write]",
    after_long_help = "Example:\n   $ git segedit agents agents-md --write --dry-run\n   $ git segedit agents config claude-code"
)]
pub(crate) struct Arguments {
    /// What to print or write: agents-md, skill, plugin or config
    #[arg(value_name = "what", value_enum, hide_possible_values = true)]
    what: AgentsCommand,
    /// Of config, the client: claude-code, codex, cursor, vscode or zed
    #[arg(
        value_name = "client",
        required_if_eq("what", "config"),
        hide_possible_values = true
    )]
    #[arg(value_parser = PossibleValuesParser::new(AgentClient::WORDS.map(|(word, _)| word)))]
    client: Option<String>,
    /// Write it into the worktree
    #[arg(long)]
    write: bool,
    /// Folder to write to, from the root: `.agents/skills` for a skill, `git-segedit-plugin` for a plugin, else the root
    // `-C` has the name of its own.
    #[arg(id = "into", long = "folder", value_name = "DIR", requires = "write")]
    folder: Option<String>,
    /// Only say what --write would do
    #[arg(short = 'n', long, requires = "write")]
    dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AgentsCommand {
    AgentsMd,
    Skill,
    Plugin,
    Config,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let client = self.client.as_deref().and_then(AgentClient::from_word);
        let guide = match (self.what, client) {
            (AgentsCommand::AgentsMd, None) => Guide::Block,
            (AgentsCommand::Skill, None) => Guide::Skill,
            (AgentsCommand::Plugin, None) => Guide::Plugin,
            (AgentsCommand::Config, Some(client)) => Guide::Server(client),
            (AgentsCommand::AgentsMd | AgentsCommand::Skill | AgentsCommand::Plugin, Some(_))
            | (AgentsCommand::Config, None) => {
                let message = "only `config` is for a client, and it wants one: `git segedit agents config claude-code`";
                return common.refuse(vec![Diagnostic::new(Code::Malformed, message)]);
            }
        };
        if self.write {
            self.written(guide, common)
        } else {
            print_guide(guide)
        }
    }

    fn written(&self, guide: Guide, common: &Common) -> Reply {
        let folder = self.folder.as_deref().unwrap_or(guide.folder());
        let mut operations = Vec::new();
        for file in guide.files() {
            match place_guide(&file, folder, common) {
                Ok(found) => operations.extend(found),
                Err(errors) => return common.refuse(errors),
            }
        }
        if operations.is_empty() {
            let stderr = "everything is there already\n".to_owned();
            return Reply::done(Rendered {
                stdout: Vec::new(),
                stderr,
            });
        }
        let overrides = Overrides {
            destination: Some(Destination::Worktree),
            ..self.publishing().overrides()
        };
        match fields::manifest("agents", operations, ResolveOrder::Snapshot, &overrides) {
            Ok(manifest) => {
                let mut reply = common.report(&self.publishing().publish(common, vec![manifest]));
                if let (Guide::Server(client), ReportFormat::Human, Status::Published) =
                    (guide, common.format(), reply.status)
                {
                    reply
                        .rendered
                        .stderr
                        .push_str(&format!("{}\n", client.approval()));
                }
                reply
            }
            Err(errors) => common.refuse(errors),
        }
    }

    fn publishing(&self) -> PublishingOptions {
        if self.dry_run {
            PublishingOptions::dry()
        } else {
            PublishingOptions::default()
        }
    }
}

/// Returns what a guide's files hold, with their paths where there are several.
fn print_guide(guide: Guide) -> Reply {
    let files = guide.files();
    let stdout = match files.as_slice() {
        [only] => only.text.clone(),
        several => several
            .iter()
            .map(|file| format!("== {}\n{}", file.path, file.text))
            .collect::<Vec<_>>()
            .join("\n"),
    };
    let stderr = match guide {
        Guide::Server(client) => {
            let path = files.first().map_or("", |file| file.path.as_str());
            format!("for {path}; {}\n", client.approval())
        }
        Guide::Block | Guide::Skill | Guide::Plugin => String::new(),
    };
    Reply::done(Rendered {
        stdout: stdout.into_bytes(),
        stderr,
    })
}

/// Returns the operations that put `file` below `folder`.
fn place_guide(
    file: &GuideFile,
    folder: &str,
    common: &Common,
) -> Result<Vec<FieldNames>, Vec<Diagnostic>> {
    let path = common
        .standing()
        .and_then(|standing| standing.in_folder(folder, &file.path))
        .map_err(|error| vec![error])?;
    let repo = || common.repo().map_err(|error| vec![error]);
    let there = RevPath {
        rev: None,
        path: path.clone(),
    };
    let old = match look::file(repo()?, &there) {
        Ok((bytes, _)) => Some(bytes),
        Err(errors) if errors.iter().all(|error| error.code == Code::FileNotFound) => None,
        Err(errors) => return Err(errors),
    };
    let outline = match &old {
        Some(bytes) if !bytes.is_empty() => {
            look::outline(repo()?, &[AskedPath::Path(there)])?.files
        }
        Some(_) | None => Vec::new(),
    };
    let own = format!("{path}::");
    let segments: Vec<(String, Span)> = outline
        .iter()
        .flat_map(|(_, segments)| segments)
        .filter_map(|segment| {
            let span = Span::new(segment.start_byte, segment.end_byte);
            Some((segment.address.strip_prefix(&own)?.to_owned(), span))
        })
        .collect();
    Ok(guides::placing_operations(
        file,
        &path,
        old.as_deref(),
        &segments,
    ))
}
