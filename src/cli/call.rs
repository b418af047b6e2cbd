//! `git segedit call`: one call of a tool, as a model makes it.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::Value;

use super::progress::ProgressLine;
use super::{Common, Reply, ReportFormat, history::now, input};
use crate::actions::apply::{self, Options};
use crate::actions::drafts::{self, DraftEdit};
use crate::actions::history::{self, StepMode};
use crate::actions::look::{self, RevPath};
use crate::actions::outcome::{Outcome, Status};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::door::answer::{self, CallAnswer, EditedLines, OfDraft};
use crate::door::call::{self, Call, CalledBatch, MOST_LISTED};
use crate::door::{CallRules, ToolDefinition, json};
use crate::git::{Durability, ReadSource, Repo};
use crate::manifest::words::FixedWord;
use crate::manifest::yaml::MAX_BYTES;
use crate::manifest::{Destination, LineRange};
use crate::path::{Reach, RepoPath};
use crate::report::{self, Rendered};
use crate::resolve::Segment;
use crate::text::Lines;

/// Carry out one call of a tool
///
/// The arguments are a JSON object on standard input, as the model sent them; the answer is text for the model. With
/// `--format json` it is the result of the Model Context Protocol.
#[derive(Args)]
#[command(
    override_usage = "git segedit call [<options>] <tool> < <arguments>",
    after_long_help = "Example:\n   $ echo '{\"name\": \"*process*\"}' | git segedit call segedit_find"
)]
pub(crate) struct Arguments {
    /// The tool, as `git segedit tools` lists it; with `-`, standard input says it too: {"name": …, "arguments": …}
    #[arg(value_name = "tool")]
    tool: String,
    /// Reach nothing outside of this folder of the repository
    #[arg(long, value_name = "DIR")]
    within: Option<PathBuf>,
    #[command(flatten)]
    offer: Offer,
}

/// What the tools may do.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Tools")]
pub(crate) struct Offer {
    /// Where edits go: worktree (the default), index (and worktree), cached (index only), commit or stash
    #[arg(hide_possible_values = true)]
    #[arg(long, value_name = "WHERE", value_parser = PossibleValuesParser::new(Destination::words()))]
    destination: Option<String>,
    /// Only look; nothing can be changed
    #[arg(long)]
    read_only: bool,
    /// Replace and delete only what the call names the hash of
    #[arg(long)]
    require_expect: bool,
    /// Collect edits in drafts; only `segedit_apply` publishes them
    #[arg(long)]
    review: bool,
    /// Add the JSON report of a batch to its result, for programs
    #[arg(long)]
    structured: bool,
}

impl Offer {
    pub(super) fn rules(&self) -> CallRules {
        let destination = self.destination.as_deref().and_then(Destination::from_word);
        CallRules {
            is_read_only: self.read_only,
            destination: destination.unwrap_or(Destination::Worktree),
            requires_expect: self.require_expect,
            reviews: self.review,
            is_structured: self.structured,
        }
    }

    /// Returns the words that say the same on a command line.
    pub(super) fn words(&self) -> Vec<String> {
        let flags = [
            (self.read_only, "--read-only"),
            (self.require_expect, "--require-expect"),
            (self.review, "--review"),
            (self.structured, "--structured"),
        ];
        let mut words: Vec<String> = flags
            .into_iter()
            .filter(|&(set, _)| set)
            .map(|(_, word)| word.to_owned())
            .collect();
        words.extend(
            self.destination
                .iter()
                .flat_map(|place| ["--destination".to_owned(), place.clone()]),
        );
        words
    }
}

impl Arguments {
    pub(super) fn run(self, common: &Common) -> Reply {
        let mut answer = answer_call(
            &self.tool,
            self.offer.rules(),
            self.within.as_deref(),
            common,
        );
        answer.report = answer.report.filter(|_| self.offer.structured);
        let stdout = match common.format() {
            ReportFormat::Json => format!("{}\n", answer.as_result()),
            ReportFormat::Human | ReportFormat::Sarif | ReportFormat::Github
                if answer.text.ends_with('\n') =>
            {
                answer.text
            }
            ReportFormat::Human | ReportFormat::Sarif | ReportFormat::Github => answer.text + "\n",
        };
        let rendered = Rendered {
            stdout: stdout.into_bytes(),
            stderr: String::new(),
        };
        Reply {
            rendered,
            status: answer.status.unwrap_or(Status::Verified),
            is_report: false,
        }
    }
}

/// Answers one call, whose arguments are on standard input; of the tool `-` its name as well.
fn answer_call(name: &str, rules: CallRules, within: Option<&Path>, common: &Common) -> CallAnswer {
    let (tool, sent) = if name == "-" {
        let said = read_arguments("the call").and_then(|said| named_repository(said, rules));
        match said {
            Ok((tool, arguments)) => (tool, Ok(arguments)),
            Err(errors) => return answer::refused(&errors, None),
        }
    } else {
        match call::tool(name, rules) {
            Ok(tool) => (tool, read_arguments("the arguments")),
            Err(errors) => return answer::refused(&errors, None),
        }
    };
    // Only now: a process that waits for its call would have a repository as it was when it began to.
    if let Some(folder) = within {
        common.confine(folder);
        // Where it cannot be said what is in reach, nothing is.
        if let Err(error) = common.standing() {
            return answer::refused(&[error], Some(tool));
        }
    }
    let asked = sent.and_then(|sent| {
        let path_of = |typed: &str| common.standing()?.path_of_model(typed);
        Call::read(tool, sent, rules, &path_of)
    });
    match asked {
        Ok(call) => carry_out(call, tool, common)
            .unwrap_or_else(|errors| answer::refused(&errors, Some(tool))),
        Err(errors) => answer::refused(&errors, Some(tool)),
    }
}

/// Returns the tool and the arguments of a call, as the Model Context Protocol has them.
fn named_repository(
    said: Value,
    rules: CallRules,
) -> Result<(&'static ToolDefinition, Value), Vec<Diagnostic>> {
    let Value::Object(mut said) = said else {
        let message = "the call is no object with `name` and `arguments`";
        return Err(vec![Diagnostic::new(Code::Malformed, message)]);
    };
    let arguments = said.remove("arguments").unwrap_or_default();
    let name = said.get("name").and_then(Value::as_str).unwrap_or_default();
    Ok((call::tool(name, rules)?, arguments))
}

/// Reads what standard input says. Nothing at all stands for no arguments.
fn read_arguments(what: &str) -> Result<Value, Vec<Diagnostic>> {
    let bytes = input::read_stdin(MAX_BYTES as u64 + 1).map_err(|error| vec![error])?;
    let refuse = |code, message: String| Err(vec![Diagnostic::new(code, message)]);
    if bytes.len() > MAX_BYTES {
        return refuse(
            Code::TooLarge,
            format!("{what} takes more than {MAX_BYTES} bytes"),
        );
    }
    if bytes.trim_ascii().is_empty() {
        return Ok(Value::Null);
    }
    json::read(&bytes).or_else(|why| refuse(Code::Malformed, why.of(what)))
}

fn carry_out(
    call: Call,
    tool: &ToolDefinition,
    common: &Common,
) -> Result<CallAnswer, Vec<Diagnostic>> {
    let repo = || common.repo().map_err(|error| vec![error]);
    match call {
        Call::Outline { paths, depth, kind } => {
            let here = common.standing().map_err(|error| vec![error])?;
            let asked: Result<Vec<look::AskedPath>, Diagnostic> =
                paths.iter().map(|path| here.asked_of_model(path)).collect();
            let asked = asked.map_err(|error| vec![error])?;
            asked
                .iter()
                .try_for_each(|asked| check_revision(asked.rev(), common))
                .map_err(|error| vec![error])?;
            let mut outlines = look::outline(repo()?, &asked)?;
            for (_, segments) in &mut outlines.files {
                choose_draft(segments, depth, kind.as_deref());
            }
            outlines.files.retain(|(_, segments)| !segments.is_empty());
            Ok(answer::outline(&outlines))
        }
        Call::Show {
            path,
            segment,
            lines,
            at,
        } => {
            let path = common
                .standing()
                .and_then(|here| here.path_of_model(&path))
                .map_err(|error| vec![error])?;
            let file = RevPath {
                rev: revision(at, &path, common)?,
                path,
            };
            match segment {
                Some(segment) if lines.is_none() => show_segment(&file, &segment, common),
                Some(_) => {
                    let message = "`lines` are of a file: leave the segment out of `target`";
                    Err(vec![Diagnostic::new(Code::Malformed, message)])
                }
                None => show_file(&file, lines, common),
            }
        }
        Call::Find { name, paths, kind } => {
            let here = common.standing().map_err(|error| vec![error])?;
            let pathspecs = here
                .pathspecs_of_model(&paths)
                .map_err(|error| vec![error])?;
            find_names(repo()?, &name, &pathspecs, kind.as_deref(), common)
        }
        Call::Batch(batch) => Ok(publish_calls(*batch, tool, common)),
        Call::Publish(name, publication) => {
            let repo = common
                .repo()
                .and_then(|repo| repo.for_writing(Durability::Configured));
            let drafted = {
                let (_shown_until_done, progress) = ProgressLine::start(common);
                drafts::publish(
                    repo,
                    &name,
                    &publication,
                    &options(progress, common),
                    SystemTime::now(),
                )?
            };
            let draft = drafted.draft.map(OfDraft::Whole);
            Ok(answer::batch(
                &drafted.outcome,
                tool,
                &EditedLines {
                    draft,
                    ..EditedLines::default()
                },
            ))
        }
        Call::Discard(name) => {
            let repo = common
                .repo()
                .and_then(|repo| repo.for_writing(Durability::Configured));
            let was = drafts::discard(repo, &name, &call_reach(common), SystemTime::now())?;
            Ok(answer::discarded(&name, was.as_ref()))
        }
        Call::List => {
            let log =
                history::log(Path::new("."), Some(MOST_LISTED)).map_err(|error| vec![error])?;
            Ok(answer::log(&log, now()))
        }
        Call::Undo(id) => Ok(step_history(history::undo, id.as_deref(), tool, common)),
        Call::Redo(id) => Ok(step_history(history::redo, id.as_deref(), tool, common)),
    }
}

/// Leaves the segments of an outline that are asked for.
fn choose_draft(segments: &mut Vec<Segment>, depth: usize, kind: Option<&str>) {
    match kind {
        Some(kind) => segments.retain(|segment| segment.kind == kind),
        None => {
            let mut depths = report::segments::depths(segments).into_iter();
            segments.retain(|_| depths.next().is_some_and(|found| found < depth));
        }
    }
}

fn show_segment(
    file: &RevPath,
    segment: &str,
    common: &Common,
) -> Result<CallAnswer, Vec<Diagnostic>> {
    let (found, bytes) = look::show(
        common.repo().map_err(|error| vec![error])?,
        file,
        segment,
        None,
    )?;
    let parts = if bytes.len() > answer::MOST_BYTES {
        parts(file, common)
    } else {
        Vec::new()
    };
    Ok(answer::segment(&found, &bytes, &parts))
}

fn show_file(
    file: &RevPath,
    lines: Option<LineRange>,
    common: &Common,
) -> Result<CallAnswer, Vec<Diagnostic>> {
    let (bytes, id) = look::file(common.repo().map_err(|error| vec![error])?, file)?;
    let is_long = bytes.len() > answer::MOST_BYTES && lines.is_none();
    let parts = if is_long {
        parts(file, common)
    } else {
        Vec::new()
    };
    Ok(answer::file(&file.path, &bytes, &id.0, lines, &parts))
}

/// Returns the segments of a file that is too long to be shown, none where they cannot be told.
fn parts(file: &RevPath, common: &Common) -> Vec<Segment> {
    let asked = look::AskedPath::Path(file.clone());
    let outlined = common
        .repo()
        .map_err(|error| vec![error])
        .and_then(|repo| look::outline(repo, &[asked]));
    outlined
        .into_iter()
        .flat_map(|outlines| outlines.files)
        .flat_map(|(_, segments)| segments)
        .collect()
}

fn find_names(
    repo: Repo,
    name: &str,
    pathspecs: &[String],
    kind: Option<&str>,
    common: &Common,
) -> Result<CallAnswer, Vec<Diagnostic>> {
    let (_shown_until_done, progress) = ProgressLine::counting(common, "files read for the index");
    let mut found = look::find(repo, name, pathspecs, &*progress)?;
    let reach = common.standing().map_err(|error| vec![error])?.reach();
    found.segments.retain(|segment| {
        kind.is_none_or(|kind| segment.kind == kind) && reach.holds(segment.path())
    });
    found
        .passed_over
        .retain(|(path, _)| reach.holds(path.as_str()));
    if !found.segments.is_empty() {
        return Ok(answer::hits(&found));
    }
    // What is offered is no more than a help: without it the answer is the same.
    let alike = common
        .repo()
        .and_then(|repo| look::names_like(&repo, name, pathspecs, &*progress));
    let missing = Diagnostic::new(Code::SegmentNotFound, format!("no definition of `{name}`"))
        .suggest(alike.unwrap_or_default());
    let noted = report::segments::passed_over(&found.passed_over);
    Err(vec![noted.fold(missing, Diagnostic::note)])
}

fn publish_calls(batch: CalledBatch, tool: &ToolDefinition, common: &Common) -> CallAnswer {
    let CalledBatch {
        manifest,
        draft,
        target,
        wanted,
        notes,
    } = batch;
    let repo = common
        .repo()
        .and_then(|repo| repo.for_writing(Durability::Configured));
    let at = draft.as_ref().map(|(name, _)| name.reference());
    let (outcome, draft) = {
        let (_shown_until_done, progress) = ProgressLine::start(common);
        let options = options(progress, common);
        match draft {
            None => (apply::run_in(repo, &[manifest], &options).pop(), None),
            Some((name, call)) => {
                let edit = DraftEdit {
                    name,
                    manifest,
                    call,
                };
                let drafted = drafts::add_edit(repo, &edit, &options, SystemTime::now());
                (
                    Some(drafted.outcome),
                    Some(OfDraft::Edit(edit.name, drafted.draft)),
                )
            }
        }
    };
    let Some(outcome) = &outcome else {
        return CallAnswer::default();
    };
    let failed = |code| outcome.errors.iter().any(|error| error.code == code);
    let fresh = match target {
        Some((path, segment)) if outcome.errors.is_empty() => {
            look::file_after(outcome, &path, &segment)
        }
        Some((path, segment)) if failed(Code::StaleSegment) => {
            now_at(path, &segment, at.clone(), common)
        }
        Some(_) | None => None,
    };
    let already = wanted
        .filter(|_| failed(Code::TextNotFound))
        .and_then(|(path, text)| line_of(path, &text, at, common));
    answer::batch(
        outcome,
        tool,
        &EditedLines {
            draft,
            fresh,
            already,
            notes,
        },
    )
}

/// Returns the revision that `at` names, which may be a draft, for a reader of `path`.
fn revision(
    at: Option<String>,
    path: &RepoPath,
    common: &Common,
) -> Result<Option<String>, Vec<Diagnostic>> {
    let Some(at) = at else { return Ok(None) };
    let found = common
        .repo()
        .and_then(|repo| drafts::revision(&repo, &at, path, SystemTime::now()));
    match found.map_err(|error| vec![error])? {
        Some(of_draft) => Ok(of_draft),
        None => check_revision(Some(&at), common)
            .map(|()| Some(at))
            .map_err(|error| vec![error]),
    }
}

/// Refuses a revision that is no commit to a caller with a reach: the paths of another tree may count from anywhere.
fn check_revision(revision: Option<&str>, common: &Common) -> Result<(), Diagnostic> {
    let revision = revision.filter(|revision| !revision.is_empty());
    let (Some(revision), Some(_)) = (revision, common.standing()?.reach().folder()) else {
        return Ok(());
    };
    match common.repo()?.source_at(revision)? {
        ReadSource::Commit { .. } => Ok(()),
        ReadSource::Unborn { .. } | ReadSource::Index | ReadSource::Worktree => {
            let message = format!(
                "`{}` is no commit, and its paths may count from anywhere",
                shown(revision)
            );
            Err(Diagnostic::new(Code::PathRefused, message))
        }
    }
}

/// Returns the revision at which an edit of the draft `at` reads `path`; what no draft has is read in the worktree.
fn revision_of_draft(
    at: Option<String>,
    path: &RepoPath,
    common: &Common,
) -> Option<Option<String>> {
    let Some(at) = at else { return Some(None) };
    let found = drafts::revision(&common.repo().ok()?, &at, path, SystemTime::now());
    Some(found.ok()?.flatten())
}

/// Returns a segment as it is in the worktree, or at the draft `at`.
fn now_at(
    path: RepoPath,
    segment: &str,
    at: Option<String>,
    common: &Common,
) -> Option<(Segment, Vec<u8>)> {
    let rev = revision_of_draft(at, &path, common)?;
    look::show(common.repo().ok()?, &RevPath { rev, path }, segment, None).ok()
}

/// Returns the line of a file that `text` begins at, in the worktree or at the draft `at`, unless it may stand there by chance.
fn line_of(path: RepoPath, text: &str, at: Option<String>, common: &Common) -> Option<usize> {
    /// Bytes of a text that is no chance, if it stands in the file once.
    const TELLING: usize = 20;
    let rev = revision_of_draft(at, &path, common)?;
    let (bytes, _) = look::file(common.repo().ok()?, &RevPath { rev, path }).ok()?;
    let places: Vec<usize> = memchr::memmem::find_iter(&bytes, text.as_bytes())
        .take(MOST_PLACES)
        .collect();
    let lines = Lines::of(&bytes);
    let fills_lines = |&&at: &&usize| {
        let (first, last) = (
            lines.line(at),
            lines.line(at + text.len().saturating_sub(1)),
        );
        let whole = lines
            .content(&bytes, first)
            .cover(lines.content(&bytes, last));
        whole.of(&bytes).trim_ascii() == text.trim().as_bytes()
    };
    let only = places
        .first()
        .filter(|_| places.len() == 1 && text.trim().len() >= TELLING);
    let at = places.iter().find(fills_lines).or(only)?;
    Some(lines.line(*at))
}

/// So many places of a text are looked at.
const MOST_PLACES: usize = 1000;

type StepFunction = fn(&Path, Option<&str>, StepMode, &Options) -> Outcome;

fn step_history(
    ability: StepFunction,
    id: Option<&str>,
    tool: &ToolDefinition,
    common: &Common,
) -> CallAnswer {
    let (_shown_until_done, progress) = ProgressLine::start(common);
    let outcome = ability(Path::new("."), id, StepMode::Do, &options(progress, common));
    answer::batch(&outcome, tool, &EditedLines::default())
}

fn options(progress: Box<dyn Fn(&str) + Send + Sync>, common: &Common) -> Options {
    let (durability, report) = (Durability::Configured, report::json::render);
    Options {
        no_verify: false,
        durability,
        diff: true,
        report,
        progress,
        origin: None,
        reach: call_reach(common),
    }
}

/// Returns what of the repository the call may reach. Where it is in none, nothing is reached.
fn call_reach(common: &Common) -> Reach {
    common
        .standing()
        .map(|here| here.reach().clone())
        .unwrap_or_default()
}
