//! What a model calls, carried out in memory: each edit on what those before it left, confined to the files of the request.
//!
//! All edits of an answer are tried together first, since one may be right only with another; where that fails, one by one, so
//! that each gets a reason of its own.

use std::path::Path;

use serde_json::Value;

use super::exchange::{CallResult, ToolCall};
use super::route::Route;
use crate::actions::basis::Basis;
use crate::actions::look::{FoundNames, Outlines};
use crate::actions::outcome::{Outcome, Status};
use crate::diagnostic::{Code, Diagnostic, nearest, shown};
use crate::door::answer::{self, EditedLines};
use crate::door::call::{Call, CalledBatch};
use crate::door::faces::{self, Face};
use crate::door::table::{TOOLS, ToolDefinition, ToolVerb};
use crate::door::{CallAnswer, CallRules};
use crate::history::{CallRecord, Fate};
use crate::manifest::{AllowRemove, CheckMode, Files, Manifest, Operation, ResolveOrder, Verb};
use crate::path::RepoPath;
use crate::report::segments::depths;
use crate::resolve::Segment;
use crate::snapshot::Change;
use crate::syntax::{Excess, left_out_language};
use crate::text::Lines;

/// Most calls of one answer that are carried out: each may be tried on what those before it left.
const MOST_CALLS: usize = 100;

/// The edits of a conversation that passed, and what they make of the files.
pub(super) struct Edits<'a> {
    basis: &'a Basis,
    /// A batch without operations, which says where all of it goes.
    frame: &'a Manifest,
    route: Route,
    /// The worktree's folder, for paths that are written from the root of the file system.
    root: Option<&'a Path>,
    accepted: Vec<Operation>,
    changes: Vec<Change>,
}

/// What became of a call.
pub(super) struct Handled {
    /// What the model gets to read.
    pub result: CallResult,
    /// What is kept of it.
    pub record: CallRecord,
    /// Why it was refused.
    pub errors: Vec<Diagnostic>,
}

/// Returns the tools that are offered, in the form of `face`: those that look and those that edit. What publishes is not
/// among them, nor is the history.
pub(super) fn tools(face: Face) -> Value {
    let all = faces::tools(face, CallRules::default());
    let offered = |tool: &&Value| {
        let name = tool
            .pointer("/function/name")
            .or_else(|| tool.get("name"))
            .and_then(Value::as_str);
        name.and_then(ToolDefinition::named).is_some_and(is_offered)
    };
    let mut tools: Vec<Value> = all
        .as_array()
        .into_iter()
        .flatten()
        .filter(offered)
        .cloned()
        .collect();
    for tool in &mut tools {
        for schema in [
            "/function/parameters/properties",
            "/parameters/properties",
            "/input_schema/properties",
        ] {
            if let Some(Value::Object(properties)) = tool.pointer_mut(schema) {
                // All edits are one batch already, and there are no files but those of now.
                properties.shift_remove("draft");
                properties.shift_remove("at");
            }
        }
    }
    Value::Array(tools)
}

fn is_offered(tool: &ToolDefinition) -> bool {
    match tool.verb {
        ToolVerb::Outline
        | ToolVerb::Show
        | ToolVerb::Find
        | ToolVerb::Edit
        | ToolVerb::Replace
        | ToolVerb::Insert
        | ToolVerb::Delete => true,
        // A name is used in files that the model was not given.
        ToolVerb::Rename | ToolVerb::Apply | ToolVerb::History => false,
    }
}

/// A call, understood as far as it can be without looking at what the others do.
enum Understood {
    /// It only looks.
    Look(&'static ToolDefinition, Call),
    /// It edits.
    Edit(&'static ToolDefinition, Box<CalledBatch>),
    /// It means nothing.
    Wrong(Option<&'static ToolDefinition>, Vec<Diagnostic>),
}

impl<'a> Edits<'a> {
    /// Begins with none.
    pub(super) fn none(
        basis: &'a Basis,
        frame: &'a Manifest,
        route: Route,
        root: Option<&'a Path>,
    ) -> Edits<'a> {
        Edits {
            basis,
            frame,
            route,
            root,
            accepted: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Says whether nothing was accepted yet.
    pub(super) fn is_empty(&self) -> bool {
        self.accepted.is_empty()
    }

    /// Returns the batch of all that was accepted, each operation naming the bytes that it was decided on: who changes a
    /// segment in the meantime is not written over.
    pub(super) fn manifest(&self) -> Manifest {
        let plain = self.with(&self.accepted);
        let outcome = self.basis.attempt(&plain);
        let pinned: Vec<Operation> = self
            .accepted
            .iter()
            .enumerate()
            .map(|(at, it)| self.pinned(at, it, &outcome))
            .collect();
        let pinned = self.with(&pinned);
        if self.basis.attempt(&pinned).errors.is_empty() {
            pinned
        } else {
            plain
        }
    }

    /// Tries a batch of `operations` alone, as it is decided on without a conversation.
    pub(super) fn try_alone(&mut self, operations: Vec<Operation>) -> Result<(), Vec<Diagnostic>> {
        let outcome = self.basis.attempt(&self.with(&operations));
        if !outcome.errors.is_empty() {
            return Err(outcome.errors);
        }
        self.accept(operations, &outcome);
        Ok(())
    }

    /// Carries out the calls of one answer.
    pub(super) fn carry_out(&mut self, calls: &[ToolCall], round: usize) -> Vec<Handled> {
        let understood = calls
            .iter()
            .enumerate()
            .map(|(at, call)| match at < MOST_CALLS {
                true => self.understand(call),
                false => Understood::Wrong(None, vec![too_many()]),
            });
        let understood: Vec<Understood> = understood.collect();
        let together: Vec<Operation> = understood
            .iter()
            .flat_map(|call| match call {
                Understood::Edit(_, batch) if batch.manifest.mode != CheckMode::VerifyOnly => {
                    batch.manifest.operations.clone()
                }
                Understood::Edit(..) | Understood::Look(..) | Understood::Wrong(..) => Vec::new(),
            })
            .collect();
        let before = self.accepted.clone();
        let all = [&before[..], &together].concat();
        let outcome = self.basis.attempt(&self.with(&all));
        let passes_together = !together.is_empty() && outcome.errors.is_empty();
        if passes_together {
            self.accept(all, &outcome);
        }
        let handle = |(call, understood): (&ToolCall, Understood)| {
            let (answer, fate, errors) = match understood {
                Understood::Wrong(tool, errors) => {
                    (answer::refused(&errors, tool), Fate::Failed, errors)
                }
                Understood::Look(tool, look) => match self.look(look) {
                    Ok(answer) => (answer, Fate::Looked, Vec::new()),
                    Err(errors) => (answer::refused(&errors, Some(tool)), Fate::Failed, errors),
                },
                Understood::Edit(_, batch)
                    if passes_together && batch.manifest.mode != CheckMode::VerifyOnly =>
                {
                    (applied(&batch.notes), Fate::Applied, Vec::new())
                }
                Understood::Edit(tool, batch) => self.edit(tool, *batch),
            };
            let why = errors
                .first()
                .map(|error| format!("{}: {}", error.code.as_str(), error.message));
            Handled {
                result: CallResult {
                    id: call.id.clone(),
                    is_error: fate == Fate::Failed,
                    text: answer.text,
                },
                record: CallRecord {
                    round,
                    tool: shown(&call.name),
                    target: target(call),
                    fate,
                    why,
                },
                errors,
            }
        };
        calls.iter().zip(understood).map(handle).collect()
    }

    /// Tries one edit on what those before it left.
    fn edit(
        &mut self,
        tool: &'static ToolDefinition,
        batch: CalledBatch,
    ) -> (CallAnswer, Fate, Vec<Diagnostic>) {
        let own = batch.manifest.operations;
        let all = [&self.accepted[..], &own].concat();
        let outcome = self.basis.attempt(&self.with(&all));
        let first = self.accepted.len();
        if outcome.errors.is_empty() {
            if batch.manifest.mode == CheckMode::VerifyOnly {
                let alone = only_path(outcome, first);
                return (
                    answer::batch(&alone, tool, &EditedLines::default()),
                    Fate::Looked,
                    Vec::new(),
                );
            }
            self.accept(all, &outcome);
            return (applied(&batch.notes), Fate::Applied, Vec::new());
        }
        let failed = |code| outcome.errors.iter().any(|error| error.code == code);
        let already = batch
            .wanted
            .filter(|_| failed(Code::TextNotFound))
            .and_then(|(path, text)| {
                let bytes = self.basis.bytes(&path, &self.changes)?;
                let at = memchr::memmem::find(&bytes, text.as_bytes())?;
                Some(Lines::of(&bytes).line(at))
            });
        let fresh = batch.target.filter(|_| failed(Code::StaleSegment));
        let fresh = fresh
            .and_then(|(path, segment)| self.basis.segment(&path, &segment, &self.changes).ok());
        let alone = only_path(outcome, first);
        let answer = answer::batch(
            &alone,
            tool,
            &EditedLines {
                fresh,
                already,
                notes: batch.notes,
                draft: None,
            },
        );
        (answer, Fate::Failed, alone.errors)
    }

    fn accept(&mut self, operations: Vec<Operation>, outcome: &Outcome) {
        self.accepted = operations;
        self.changes = outcome
            .files
            .iter()
            .map(|file| file.change.clone())
            .collect();
    }

    /// Returns the batch of `operations`.
    fn with(&self, operations: &[Operation]) -> Manifest {
        let operations = operations.to_vec();
        Manifest {
            order: ResolveOrder::Sequential,
            operations,
            ..self.frame.clone()
        }
    }

    /// Returns the operation at `at` with the hash of what it takes the place of.
    fn pinned(&self, at: usize, operation: &Operation, outcome: &Outcome) -> Operation {
        let segment = outcome
            .operations
            .get(at)
            .and_then(|outcome| outcome.segment.as_ref());
        let hash = match (&operation.verb, &operation.files) {
            (Verb::Remove { .. }, Files::One(file)) => {
                let is_first = !self
                    .accepted
                    .iter()
                    .take(at)
                    .any(|earlier| earlier.files == operation.files);
                self.basis
                    .bytes(file, &[])
                    .filter(|_| is_first)
                    .map(|bytes| self.basis.id(&bytes).0)
            }
            _ => segment.map(|segment| segment.hash.clone()),
        };
        operation.clone().expecting(hash)
    }

    fn understand(&self, call: &ToolCall) -> Understood {
        let tool = match ToolDefinition::named(&call.name) {
            Some(tool) if is_offered(tool) => tool,
            other => return Understood::Wrong(None, vec![unknown_tool(&call.name, other)]),
        };
        let sent = match &call.arguments {
            Ok(sent) => sent.clone(),
            Err(why) => {
                let error = Diagnostic::new(Code::Malformed, shown(why));
                return Understood::Wrong(Some(tool), vec![error]);
            }
        };
        let path_of = |typed: &str| self.editable(typed);
        match Call::read(tool, sent, CallRules::default(), &path_of) {
            Ok(Call::Batch(mut batch)) => {
                if self.route == Route::Rewrite {
                    // All of it shall go: that is what was asked for.
                    let is_whole =
                        |verb: &Verb| matches!(verb, Verb::Replace { selector: None, .. });
                    let whole = batch
                        .manifest
                        .operations
                        .iter_mut()
                        .filter(|operation| is_whole(&operation.verb));
                    whole.for_each(|operation| operation.allow_remove = AllowRemove::Everything);
                }
                Understood::Edit(tool, batch)
            }
            Ok(look) => Understood::Look(tool, look),
            Err(errors) => Understood::Wrong(Some(tool), errors),
        }
    }

    /// Returns the file that `typed` means, if it may be edited.
    fn editable(&self, typed: &str) -> Result<RepoPath, Diagnostic> {
        let path = self.named(typed)?;
        if self.basis.may_write(&path) {
            return Ok(path);
        }
        Err(self.elsewhere(&path, "edited"))
    }

    fn readable(&self, typed: &str) -> Result<RepoPath, Diagnostic> {
        let path = self.named(typed)?;
        if self.basis.may_read(&path) {
            Ok(path)
        } else {
            Err(self.elsewhere(&path, "read"))
        }
    }

    fn elsewhere(&self, path: &RepoPath, done: &str) -> Diagnostic {
        let message = format!(
            "{} is not among the files that can be {done} here",
            shown(path.as_str())
        );
        let listed: Vec<String> = self
            .basis
            .paths()
            .map(|path| shown(path.as_str()))
            .take(20)
            .collect();
        Diagnostic::new(Code::PathRefused, message)
            .note(format!("those are: {}", listed.join(", ")))
    }

    fn named(&self, typed: &str) -> Result<RepoPath, Diagnostic> {
        let below = self
            .root
            .and_then(|root| Path::new(typed).strip_prefix(root).ok())
            .and_then(Path::to_str);
        let inside = below.unwrap_or(typed);
        let inside = inside.strip_prefix("./").unwrap_or(inside);
        let refuse = |why: &str| {
            Diagnostic::new(Code::PathRefused, format!("path `{}` {why}", shown(typed)))
        };
        RepoPath::parse(inside).map_err(|problem| refuse(&problem.0))
    }

    /// Answers a question about the files as the edits so far leave them.
    fn look(&self, call: Call) -> Result<CallAnswer, Vec<Diagnostic>> {
        let refuse = |message: &str| Err(vec![Diagnostic::new(Code::Malformed, message)]);
        match call {
            Call::Outline { paths, depth, kind } => {
                let mut outlines = Outlines::default();
                for path in self.among(&paths)? {
                    if left_out_language(&path).is_some() {
                        outlines.passed_over.push((path, Excess::LeftOut));
                        continue;
                    }
                    let mut segments = self.basis.segments(&path, &self.changes);
                    match &kind {
                        Some(kind) => segments.retain(|segment| segment.kind == *kind),
                        None => {
                            let mut found = depths(&segments).into_iter();
                            segments.retain(|_| found.next().is_some_and(|found| found < depth));
                        }
                    }
                    if !segments.is_empty() {
                        outlines.files.push((path, segments));
                    }
                }
                Ok(answer::outline(&outlines))
            }
            Call::Show { at: Some(_), .. } => {
                refuse("`at` is not known here: only the files as they are now")
            }
            Call::Show {
                segment: Some(_),
                lines: Some(_),
                ..
            } => refuse("`lines` are of a file: leave the segment out of `target`"),
            Call::Show {
                path,
                segment,
                lines,
                at: None,
            } => {
                let path = self.readable(&path).map_err(|error| vec![error])?;
                let parts = self.basis.segments(&path, &self.changes);
                if let Some(segment) = segment {
                    let (found, bytes) = self.basis.segment(&path, &segment, &self.changes)?;
                    return Ok(answer::segment(&found, &bytes, &parts));
                }
                let Some(bytes) = self.basis.bytes(&path, &self.changes) else {
                    let message = format!("{} does not exist", shown(path.as_str()));
                    return Err(vec![Diagnostic::new(Code::FileNotFound, message)]);
                };
                Ok(answer::file(
                    &path,
                    &bytes,
                    &self.basis.id(&bytes).0,
                    lines,
                    &parts,
                ))
            }
            Call::Find { name, paths, kind } => {
                let mut segments: Vec<Segment> = Vec::new();
                for path in self.among(&paths)? {
                    segments.extend(self.basis.segments_called(&path, &name, &self.changes));
                }
                segments.retain(|segment| kind.as_ref().is_none_or(|kind| segment.kind == *kind));
                if segments.is_empty() {
                    let message = format!("no definition of `{}` in the files given", shown(&name));
                    return Err(vec![Diagnostic::new(Code::SegmentNotFound, message)]);
                }
                Ok(answer::hits(&FoundNames {
                    segments,
                    passed_over: Vec::new(),
                }))
            }
            Call::Batch(_)
            | Call::Publish(..)
            | Call::Discard(_)
            | Call::List
            | Call::Undo(_)
            | Call::Redo(_) => refuse("this is not offered here"),
        }
    }

    /// Returns the files that `typed` mean, files or folders; all of them where nothing is said.
    fn among(&self, typed: &[String]) -> Result<Vec<RepoPath>, Vec<Diagnostic>> {
        let is_all = |typed: &String| matches!(typed.trim_end_matches('/'), "" | "." | "*");
        if typed.iter().all(is_all) {
            return Ok(self.basis.paths().cloned().collect());
        }
        let mut found = Vec::new();
        for typed in typed {
            let folder = format!("{}/", typed.trim_start_matches("./").trim_end_matches('/'));
            let below: Vec<RepoPath> = self
                .basis
                .paths()
                .filter(|path| path.as_str().starts_with(&folder))
                .cloned()
                .collect();
            match below.is_empty() {
                true => found.push(self.readable(typed).map_err(|error| vec![error])?),
                false => found.extend(below),
            }
        }
        Ok(found)
    }
}

/// Returns what is kept of a call in the middle of which the answer ended.
pub(super) fn cut_off(call: &ToolCall, round: usize) -> CallRecord {
    CallRecord {
        round,
        tool: shown(&call.name),
        target: target(call),
        fate: Fate::CutOff,
        why: None,
    }
}

/// Returns the answer to an edit that passed.
fn applied(notes: &[String]) -> CallAnswer {
    let mut text = "applied; it is published with the others when all is done".to_owned();
    for note in notes {
        text.push_str(&format!("\nnote: {note}"));
    }
    CallAnswer {
        text,
        status: Some(Status::Verified),
        report: None,
    }
}

/// Returns what an attempt says of its operations from `first` on, as if there were no others.
fn only_path(mut outcome: Outcome, first: usize) -> Outcome {
    outcome
        .operations
        .drain(..first.min(outcome.operations.len()));
    for (index, operation) in outcome.operations.iter_mut().enumerate() {
        operation.index = index;
    }
    for error in outcome.errors.iter_mut().chain(&mut outcome.warnings) {
        error.operation = error.operation.and_then(|at| at.checked_sub(first));
    }
    outcome
}

fn too_many() -> Diagnostic {
    Diagnostic::new(
        Code::TooLarge,
        format!("an answer may have {MOST_CALLS} calls"),
    )
    .note("make the others in the next one")
}

fn unknown_tool(name: &str, known: Option<&ToolDefinition>) -> Diagnostic {
    let offered: Vec<&str> = TOOLS
        .iter()
        .filter(|tool| is_offered(tool))
        .map(|tool| tool.name)
        .collect();
    let tools = format!("the tools: {}", offered.join(", "));
    if known.is_some() {
        return Diagnostic::new(
            Code::Malformed,
            format!("{} is not offered here", shown(name)),
        )
        .note(tools);
    }
    let near: Vec<String> = nearest(name, offered, 1)
        .into_iter()
        .map(str::to_owned)
        .collect();
    Diagnostic::new(
        Code::Malformed,
        format!("there is no tool `{}`", shown(name)),
    )
    .suggest(near)
    .note(tools)
}

/// Returns what a call is about, as far as its arguments say.
fn target(call: &ToolCall) -> String {
    let Ok(arguments) = &call.arguments else {
        return String::new();
    };
    let decoded = match arguments {
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        other => other.clone(),
    };
    let names = [
        "target",
        "path",
        "file_path",
        "name",
        "paths",
        "address",
        "file",
    ];
    let found = names.iter().find_map(|name| decoded.get(name));
    let text = match found {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => return String::new(),
    };
    match decoded.get("within").and_then(Value::as_str) {
        Some(within) if !text.contains("::") => shown(&format!("{text}::{within}")),
        _ => shown(&text),
    }
}
