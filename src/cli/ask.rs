//! `git segedit ask`: a model makes the edits that a request asks for.
//!
//! Who is asked, where and with which key comes from the command line, the environment and the user's own git configuration. What
//! the repository says about it is not read: its author must not choose where code and keys go.

use std::io::{self, BufRead, IsTerminal};
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::Value;

use super::progress::ProgressLine;
use super::publishing::PublishingOptions;
use super::{Common, Reply, exit, input, terminal};
use crate::actions::apply::EditOrigin;
use crate::actions::basis::Basis;
use crate::actions::outcome::{Outcome, Status};
use crate::ask::client::{Failure, ModelClient};
use crate::ask::converse::{self, Concluded, Means, Terms, Topic, WholeFile};
use crate::ask::dialect::Dialect;
use crate::ask::route::route;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git;
use crate::history::Conversation;
use crate::manifest::{CheckMode, Manifest, ManifestText, ResolveOrder};
use crate::path::RepoPath;
use crate::report;

/// Have a model make the edits that a request asks for
///
/// The model is shown the files, and may edit those and no others, by the tools that `git segedit tools` lists. Its edits are
/// checked as every edit is, tried again where they fail, and published together as one commit, or not at all. On a
/// terminal you see the diff and are asked first.
///
/// Keys come from ANTHROPIC_API_KEY or OPENAI_API_KEY, or from what the command says that `segedit.ask.keyCommand` names;
/// `segedit.ask.provider`, `.model` and `.baseUrl` say who is asked. All of them are read from your own git configuration, never
/// from the repository's.
#[derive(Args)]
#[command(
    override_usage = "git segedit ask [<options>] <request> -- <path>...",
    after_long_help = "Example:\n   $ git segedit ask 'Retry the execution of an order' --dry-run -- src/worker.py"
)]
pub(crate) struct Arguments {
    /// What to do, in a sentence; `-` reads it from standard input
    #[arg(value_name = "request")]
    request: String,
    /// Files and folders that may be edited; a file that does not exist may be made
    #[arg(value_name = "path", last = true, required = true)]
    paths: Vec<String>,
    /// Files and folders that are shown and not edited
    #[arg(long, value_name = "PATH")]
    also_read: Vec<String>,
    /// Write the file anew, whatever it holds
    #[arg(long)]
    new: bool,
    /// Have the whole file written anew at once, instead of edited
    #[arg(long, conflicts_with = "no_fallback")]
    regenerate: bool,
    /// Never have a whole file written anew, not even when every edit failed
    #[arg(long)]
    no_fallback: bool,
    /// Do not ask before publishing
    #[arg(short, long)]
    yes: bool,
    /// Name the model in a trailer of the commit, `Segedit-Model`
    #[arg(long)]
    trailer_model: bool,
    /// Put the request's first line into a trailer of the commit, `Segedit-Request`
    #[arg(long)]
    trailer_request: bool,
    #[command(flatten)]
    provider: Provider,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    publishing: PublishingOptions,
}

/// Who is asked.
#[derive(Args)]
#[command(next_help_heading = "Model")]
struct Provider {
    /// Interface that the provider speaks: anthropic (Messages) or openai (Chat Completions)
    #[arg(hide_possible_values = true)]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Dialect::WORDS.map(|(word, _)| word)))]
    provider: Option<String>,
    /// Model to ask
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Server to ask, such as http://127.0.0.1:11434 for one of your own
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

/// How much it may cost.
#[derive(Args)]
#[command(next_help_heading = "Limits")]
struct Limits {
    /// Most rounds of calls and corrections
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=10))]
    rounds: u8,
    /// Most tokens of the whole conversation
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    max_tokens_total: u64,
    /// Most seconds of the whole conversation
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    max_seconds: u64,
    /// Most tokens of documents that are given whole
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    context_tokens: usize,
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        match self.answer(common) {
            Ok(outcome) => common.report(&[outcome]),
            Err(errors) => common.refuse(errors),
        }
    }

    fn answer(self, common: &Common) -> Result<Outcome, Vec<Diagnostic>> {
        let one = |error: Diagnostic| vec![error];
        let request = self.request().map_err(one)?;
        let frame = self.frame()?;
        let write = self.places(&self.paths, common)?;
        let read = self.places(&self.also_read, common)?;
        let repo = common.repo().map_err(one)?;
        let setting = |name: &str| repo.config().protected(name).map(str::to_owned);
        let mut terms = self.terms(&setting)?;
        let key = key(terms.dialect, &setting);
        let base = self.base_url(terms.dialect, &setting);
        withhold_keys();
        let root = repo.workdir().map(std::path::Path::to_path_buf);
        let basis = Basis::of(repo, &frame, &write, &read)?;
        let exists = basis.writable().iter().any(|path| basis.exists(path));
        let route = route(&request, exists, self.new).map_err(one)?;
        terms.keeps_part = frame.mode == CheckMode::Interactive;

        let key = match key {
            None if base.is_none() => return Err(vec![no_key(terms.dialect)]),
            None => None,
            Some(key) => Some(key.map_err(one)?),
        };
        let base = base.unwrap_or_else(|| terms.dialect.usual_base().to_owned());
        let client = ModelClient::new(terms.dialect, &base, key, self.limits.max_seconds, pause)
            .map_err(one)?;

        let started = Instant::now();
        let send = |body: &Value| -> Result<Value, Failure> {
            let (_shown_until_done, progress) = ProgressLine::start(common);
            progress(&format!("asking {}", terms.model));
            client.send(body, &*progress)
        };
        let gate = |manifest: Manifest| self.gate(manifest, common);
        let host = client.host();
        let topic = Topic {
            request: &request,
            route,
            basis: &basis,
            frame: &frame,
            root: root.as_deref(),
            terms: &terms,
            host,
        };
        let Concluded {
            mut conversation,
            batch,
            failures,
        } = converse::converse(
            &topic,
            &Means {
                send: &send,
                gate: &gate,
            },
        );
        conversation.seconds = started.elapsed().as_secs();
        let (manifest, gated) = match batch {
            Ok(batch) => batch,
            Err(errors) => return Ok(refused_ask(errors, conversation)),
        };
        let mut outcome = self.publish(manifest, gated, conversation, &request, common);
        outcome.warnings.extend(failures);
        Ok(outcome)
    }

    /// Publishes what passed the gate, once the user agrees.
    fn publish(
        &self,
        manifest: Manifest,
        gated: Outcome,
        conversation: Conversation,
        request: &str,
        common: &Common,
    ) -> Outcome {
        let is_refused = !gated.errors.is_empty() && manifest.mode != CheckMode::Interactive;
        let gated = Outcome {
            conversation: Some(Box::new(conversation.clone())),
            mode: manifest.mode,
            ..gated
        };
        if is_refused || gated.status == Status::Unchanged || manifest.mode == CheckMode::VerifyOnly
        {
            return gated;
        }
        let asks = !self.yes && io::stdin().is_terminal() && io::stderr().is_terminal();
        if asks && !agrees(&gated, common) {
            let mut declined = Outcome {
                files: Vec::new(),
                ..gated
            };
            declined.fail(vec![Diagnostic::new(
                Code::Declined,
                "not published, as you said",
            )]);
            return declined;
        }
        let mut trailers = Vec::new();
        if self.trailer_model {
            trailers.push(("Segedit-Model", conversation.model.clone()));
        }
        if self.trailer_request {
            trailers.push((
                "Segedit-Request",
                shown(request.trim().lines().next().unwrap_or_default()),
            ));
        }
        let origin = EditOrigin {
            conversation: conversation.clone(),
            trailers,
        };
        let outcomes = self
            .publishing
            .publish_from(common, vec![manifest], Some(origin));
        let mut outcome = outcomes.into_iter().next().unwrap_or(gated);
        if asks && !common.is_for_programs() {
            // They have just been read.
            outcome.files.iter_mut().for_each(|file| file.diff.clear());
        }
        Outcome {
            conversation: Some(Box::new(conversation)),
            ..outcome
        }
    }

    /// Says what all checks make of a batch.
    fn gate(&self, manifest: Manifest, common: &Common) -> Outcome {
        let manifest = Manifest {
            mode: CheckMode::VerifyOnly,
            ..manifest
        };
        let begun = Outcome::begun(&manifest);
        self.publishing
            .publish_from(common, vec![manifest], None)
            .into_iter()
            .next()
            .unwrap_or(begun)
    }

    fn request(&self) -> Result<String, Diagnostic> {
        if self.request != "-" {
            return Ok(self.request.clone());
        }
        String::from_utf8(input::read("-")?).map_err(|_| {
            Diagnostic::new(
                Code::Malformed,
                "the request on standard input is not UTF-8",
            )
        })
    }

    /// Returns the batch without its operations.
    fn frame(&self) -> Result<Manifest, Vec<Diagnostic>> {
        let overrides = self.publishing.overrides();
        let complaints = overrides.complaints();
        if !complaints.is_empty() {
            return Err(complaints);
        }
        Ok(Manifest {
            source: ManifestText {
                name: "git segedit ask".to_owned(),
                text: String::new(),
            },
            message: overrides.message.clone(),
            trailers: Vec::new(),
            author: overrides
                .author
                .as_deref()
                .and_then(|text| crate::manifest::Author::parse(text).ok()),
            destination: overrides.destination.unwrap_or_default(),
            branch: overrides.branch.clone(),
            base: overrides.base.clone(),
            mode: overrides.mode.unwrap_or_default(),
            rules: Default::default(),
            order: ResolveOrder::Sequential,
            operations: Vec::new(),
        })
    }

    /// Returns the files and folders that `typed` mean; `None` is the root.
    fn places(
        &self,
        typed: &[String],
        common: &Common,
    ) -> Result<Vec<Option<RepoPath>>, Vec<Diagnostic>> {
        let here = common.standing().map_err(|error| vec![error])?;
        let place = |typed: &String| {
            let trimmed = if typed.len() > 1 {
                typed.trim_end_matches('/')
            } else {
                typed
            };
            match here.is_root(trimmed) {
                true => Ok(None),
                false => here.path(trimmed).map(Some),
            }
        };
        typed
            .iter()
            .map(place)
            .collect::<Result<_, Diagnostic>>()
            .map_err(|error| vec![error])
    }

    fn terms(&self, setting: &dyn Fn(&str) -> Option<String>) -> Result<Terms, Vec<Diagnostic>> {
        let named = self
            .provider
            .provider
            .clone()
            .or_else(|| setting("segedit.ask.provider"));
        let dialect = match &named {
            Some(word) => Dialect::from_word(word).ok_or_else(|| {
                let known = Dialect::WORDS.map(|(word, _)| word).join(", ");
                let message = format!(
                    "segedit.ask.provider is `{}`, which is none of {known}",
                    shown(word)
                );
                vec![Diagnostic::new(Code::Malformed, message)]
            })?,
            // A user with a key for one of them only means that one.
            None if variable(Dialect::Anthropic.key_variable()).is_none()
                && variable(Dialect::OpenAi.key_variable()).is_some() =>
            {
                Dialect::OpenAi
            }
            None => Dialect::Anthropic,
        };
        let model = self
            .provider
            .model
            .clone()
            .or_else(|| setting("segedit.ask.model"));
        let keeps_request = setting("segedit.ask.keeprequest").is_none_or(|word| {
            !matches!(
                word.to_ascii_lowercase().as_str(),
                "false" | "no" | "off" | "0" | ""
            )
        });
        let whole_file = match (self.regenerate, self.no_fallback) {
            (true, _) => WholeFile::AtOnce,
            (false, true) => WholeFile::Never,
            (false, false) => WholeFile::AsLastResort,
        };
        Ok(Terms {
            dialect,
            model: model.unwrap_or_else(|| dialect.usual_model().to_owned()),
            rounds: usize::from(self.limits.rounds),
            tokens: self.limits.max_tokens_total,
            context_tokens: self.limits.context_tokens,
            whole_file,
            keeps_part: false,
            keeps_request,
        })
    }

    /// Returns the server that the user names, if it is not the provider's own.
    fn base_url(
        &self,
        dialect: Dialect,
        setting: &dyn Fn(&str) -> Option<String>,
    ) -> Option<String> {
        let of_environment = match dialect {
            Dialect::Anthropic => variable("ANTHROPIC_BASE_URL"),
            Dialect::OpenAi => variable("OPENAI_BASE_URL"),
        };
        self.provider
            .base_url
            .clone()
            .or_else(|| setting("segedit.ask.baseurl"))
            .or(of_environment)
    }
}

/// Returns the key, if there is one or ought to be.
fn key(
    dialect: Dialect,
    setting: &dyn Fn(&str) -> Option<String>,
) -> Option<Result<String, Diagnostic>> {
    let key = match setting("segedit.ask.keycommand") {
        Some(command) => git::word_of(&command, "segedit.ask.keyCommand"),
        None => Ok(variable(dialect.key_variable())?.trim().to_owned()),
    };
    let is_sendable =
        |key: &String| !key.is_empty() && key.bytes().all(|byte| (b'!'..=b'~').contains(&byte));
    Some(key.and_then(|key| match is_sendable(&key) {
        true => Ok(key),
        false => Err(Diagnostic::new(
            Code::KeyMissing,
            "the key holds what no key can hold: spaces or control characters",
        )),
    }))
}

fn no_key(dialect: Dialect) -> Diagnostic {
    let variable = dialect.key_variable();
    Diagnostic::new(Code::KeyMissing, format!("there is no key to ask {} with", dialect.word()))
        .note(format!("set {variable} in the environment, or have a command say it:"))
        .note("`git config --global segedit.ask.keyCommand '<command>'`; a server of your own is named by --base-url")
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty())
}

/// Takes the providers' keys out of the environment: neither linters nor hooks nor git need them.
fn withhold_keys() {
    for (_, dialect) in Dialect::WORDS {
        #[expect(
            unsafe_code,
            reason = "no other thread runs yet: threads are started for progress and for checks only"
        )]
        // SAFETY: nothing else reads or writes the environment at this time.
        unsafe {
            std::env::remove_var(dialect.key_variable());
        }
    }
}

/// Lets time pass between two attempts. A test lets it pass at once.
fn pause(wait: Duration) {
    fail::fail_point!("ask-pause", |_| ());
    std::thread::sleep(wait);
}

/// Shows what would be published and asks whether it shall be.
fn agrees(gated: &Outcome, common: &Common) -> bool {
    let rendered =
        report::human::render(std::slice::from_ref(gated), &terminal::report_style(common));
    let mut answer = String::new();
    eprint!(
        "{}{}\nPublish this? [y/N] ",
        String::from_utf8_lossy(&rendered.stdout),
        rendered.stderr
    );
    let read = io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

/// Returns the outcome of a conversation that came to no batch.
fn refused_ask(errors: Vec<Diagnostic>, conversation: Conversation) -> Outcome {
    let source = ManifestText {
        name: "git segedit ask".to_owned(),
        text: String::new(),
    };
    Outcome {
        conversation: Some(Box::new(conversation)),
        ..exit::refused_outcome(source, errors)
    }
}
