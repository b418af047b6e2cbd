//! Formatters: each is given the changed ranges and nothing else, and held to them. What it changes outside is refused.
//!
//! What a formatter makes of a file is one more step of the plan, so that the formatted bytes are checked like any edit:
//! drift, syntax, inventory, and then the validators.

use std::collections::BTreeMap;
use std::time::Duration;

use super::changed_ranges;
use super::config_guard::{base_copy_warnings, shadowing_modules, writes_into_tool_folders};
use super::context::{LintReport, LinterContext};
use super::layered_files::LayeredFiles;
use super::sandbox::Sandbox;
use super::trust::{self, Permission};
use super::verdict::{ToolVerdict, VerdictStatus, refusal_of, skipped_verdict};
use crate::config::{Formatter, Ranges, Tool};
use crate::diagnostic::{Code, Diagnostic, Excerpt};
use crate::diff;
use crate::path::RepoPath;
use crate::plan::{Candidate, FileEdit, Step};
use crate::process::{Job, RunEnd, RunResult, Runner};
use crate::snapshot::{Change, File};
use crate::text::splice::Splices;
use crate::text::{BOM, LineEnding, Lines, Span, is_binary, trim_ending};

/// What the formatters made of a plan.
#[derive(Debug, Default)]
pub struct Formatting {
    /// The steps that they add to the plan.
    pub steps: Vec<Step>,
    /// What each came to.
    pub report: LintReport,
    /// What refuses the batch in every mode.
    pub fatal: Vec<Diagnostic>,
    /// Whether validators may be run on the result.
    pub permission: Option<Permission>,
}

impl Formatting {
    /// Returns the one of a batch whose base configures no linter.
    pub fn none_configured() -> Formatting {
        Formatting::default()
    }
}

/// Has the configured formatters format what the `candidate` changes, unless they may not run or it would change what they do.
pub fn format(
    candidate: &Candidate,
    context: &LinterContext<'_>,
) -> Result<Formatting, Diagnostic> {
    let changes = candidate.changes();
    let mut formatting = Formatting::default();
    let permission = match trust::permit(context, &context.linters.would_run(changes)) {
        Ok(permission) => permission,
        Err(refusal) => {
            formatting.report.errors.push(refusal);
            return Ok(formatting);
        }
    };
    formatting.fatal = writes_into_tool_folders(context.repo, changes, context.linters)?;
    formatting
        .fatal
        .extend(shadowing_modules(changes, context.earlier, context.linters));
    if !formatting.fatal.is_empty() {
        return Ok(formatting);
    }

    (formatting.steps, formatting.report) = run_formatters(candidate, context)?;
    let warnings = base_copy_warnings(changes, context.linters);
    formatting.report.warnings.splice(0..0, warnings);
    formatting.permission = Some(permission);
    Ok(formatting)
}

/// Runs the formatters; returns the steps that come of it, and what each came to.
fn run_formatters(
    candidate: &Candidate,
    context: &LinterContext<'_>,
) -> Result<(Vec<Step>, LintReport), Diagnostic> {
    let formatters = &context.linters.configuration.formatters;
    let mut work = FormatterWork::of(candidate);
    let mut report = LintReport::default();
    let wanted = |tool: &Tool| {
        candidate
            .changes()
            .iter()
            .any(|change| change.after.is_some() && tool.wants(change.path.as_str()))
    };
    let tools: Vec<&Tool> = formatters
        .iter()
        .map(|formatter| &formatter.tool)
        .filter(|tool| wanted(tool))
        .collect();
    if tools.is_empty() {
        report.verdicts = formatters
            .iter()
            .map(|formatter| skipped_verdict(&formatter.tool))
            .collect();
        return Ok((Vec::new(), report));
    }
    let quarantine = context.repo.quarantine()?;
    let base = LayeredFiles::of(
        context.repo,
        context.source,
        context.linters,
        context.earlier,
    )?;
    let runner = Runner::new(context.progress);
    for formatter in formatters {
        if !wanted(&formatter.tool) {
            report.verdicts.push(skipped_verdict(&formatter.tool));
            continue;
        }
        let paths: Vec<RepoPath> = work
            .files
            .keys()
            .filter(|path| formatter.tool.wants(path.as_str()))
            .cloned()
            .collect();
        let sandbox =
            Sandbox::of_settings(context.repo, &base, &quarantine, &[&formatter.tool], &paths)?;
        let verdict = work.have_formatted(
            formatter,
            &paths,
            &sandbox,
            context,
            &runner,
            &mut report.errors,
        )?;
        report.verdicts.push(verdict);
    }
    Ok((work.steps, report))
}

/// The candidate while it is being formatted.
struct FormatterWork<'p> {
    candidate: &'p Candidate,
    /// Each changed file as it stands, and the ranges of it that may change.
    files: BTreeMap<RepoPath, (File, Vec<Span>)>,
    steps: Vec<Step>,
}

impl<'p> FormatterWork<'p> {
    fn of(candidate: &'p Candidate) -> FormatterWork<'p> {
        let mut touched = changed_ranges::changed_lines(candidate);
        let file = |change: &Change| {
            let file = change
                .after
                .clone()
                .filter(|file| !is_binary(&file.bytes))?;
            Some((change.path.clone(), (file, touched.remove(&change.path)?)))
        };
        FormatterWork {
            candidate,
            files: candidate.changes().iter().filter_map(file).collect(),
            steps: Vec::new(),
        }
    }

    /// Runs one formatter over all of `paths`, and takes over what it may change.
    fn have_formatted(
        &mut self,
        formatter: &Formatter,
        paths: &[RepoPath],
        sandbox: &Sandbox,
        context: &LinterContext<'_>,
        runner: &Runner<'_>,
        errors: &mut Vec<Diagnostic>,
    ) -> Result<ToolVerdict, Diagnostic> {
        let mut verdict = ToolVerdict {
            status: VerdictStatus::Passed,
            exit_code: Some(0),
            ..skipped_verdict(&formatter.tool)
        };
        let rounds = match formatter.ranges {
            Ranges::Many => 1,
            Ranges::One => paths
                .iter()
                .filter_map(|path| Some(self.files.get(path)?.1.len()))
                .max()
                .unwrap_or(0),
        };
        for round in 0..rounds {
            let shares: Vec<(&RepoPath, Vec<usize>)> = paths
                .iter()
                .filter_map(|path| Some((path, self.share(formatter, path, round)?)))
                .collect();
            let jobs = shares
                .iter()
                .map(|(path, share)| self.job(formatter, path, share, sandbox, context));
            let jobs = jobs.collect::<Result<Vec<Job>, Diagnostic>>()?;
            let mut step = Step::default();
            for ((path, share), ran) in shares.into_iter().zip(runner.run_all(&jobs)?) {
                verdict.duration = verdict.duration.max(Duration::ZERO) + ran.duration;
                match self.taken_over(formatter, path, &share, &ran)? {
                    Ok(edit) => step.files.extend(edit),
                    Err((status, refusal)) => {
                        (verdict.status, verdict.exit_code) = (status, exit_code(&ran));
                        verdict.detail.clone_from(&refusal.message);
                        errors.push(refusal);
                    }
                }
            }
            if !step.files.is_empty() {
                self.steps.push(step);
            }
        }
        Ok(verdict)
    }

    /// Returns which of a file's ranges are given in this round: all of them, or the last that was not given yet, so that
    /// those ahead of it stay where they are.
    fn share(&self, formatter: &Formatter, path: &RepoPath, round: usize) -> Option<Vec<usize>> {
        let (_, ranges) = self.files.get(path)?;
        match formatter.ranges {
            Ranges::Many => Some((0..ranges.len()).collect()),
            Ranges::One => Some(vec![ranges.len().checked_sub(round + 1)?]),
        }
    }

    fn job(
        &self,
        formatter: &Formatter,
        path: &RepoPath,
        share: &[usize],
        sandbox: &Sandbox,
        context: &LinterContext<'_>,
    ) -> Result<Job, Diagnostic> {
        let (file, ranges) = &self.files[path];
        let given = share.iter().filter_map(|&at| ranges.get(at));
        let words: Vec<String> = given
            .flat_map(|&span| range_words(formatter, &file.bytes, span))
            .collect();
        let command = formatter
            .tool
            .command
            .iter()
            .flat_map(|word| match word.as_str() {
                "{range}" => words.clone(),
                _ => vec![word.replace("{file}", path.as_str())],
            });
        let command: Vec<String> = command.collect();
        let mut job = sandbox.sandbox_job(
            context.repo,
            (&formatter.tool, context.linters.watch(&formatter.tool)),
            &command,
            &[],
        )?;
        job.input = file.bytes.strip_prefix(BOM).unwrap_or(&file.bytes).to_vec();
        Ok(job)
    }

    /// Takes over what a run wrote, or says why not; `None` when it changed nothing.
    fn taken_over(
        &mut self,
        formatter: &Formatter,
        path: &RepoPath,
        share: &[usize],
        ran: &RunResult,
    ) -> Result<Result<Option<FileEdit>, (VerdictStatus, Diagnostic)>, Diagnostic> {
        let name = &formatter.tool.name;
        let (file, ranges) = self.files[path].clone();
        if let Some((status, why)) = run_trouble(formatter, ran, !file.bytes.is_empty())? {
            let code = match status {
                VerdictStatus::Missing => Code::ValidatorMissing,
                VerdictStatus::Timeout => Code::ValidatorTimeout,
                _ => Code::ValidatorCrashed,
            };
            return Ok(Err((
                status,
                refusal_of(code, name, &format!("{path}: {why}"), false),
            )));
        }
        let is_whole = ranges.first() == Some(&Span::new(0, file.bytes.len()));
        let formatted = &if is_whole {
            ran.stdout.bytes.clone()
        } else {
            as_it_was(&file.bytes, &ran.stdout.bytes)
        };
        if is_binary(formatted) {
            let refusal = refusal_of(
                Code::ValidatorCrashed,
                name,
                &format!("{path}: wrote a NUL byte"),
                false,
            );
            return Ok(Err((VerdictStatus::Crashed, refusal)));
        }
        if *formatted == *file.bytes {
            return Ok(Ok(None));
        }
        let given: Vec<Span> = share
            .iter()
            .filter_map(|&at| ranges.get(at).copied())
            .collect();
        let Some(splices) = changed_ranges::fit_to_ranges(&file.bytes, &given, formatted) else {
            let refusal = refuse_outside_changes(name, path, &file.bytes, &given, formatted);
            return Ok(Err((VerdictStatus::Failed, refusal)));
        };
        let claims = given
            .iter()
            .filter_map(|&span| Some((span, self.operation_at(path, span)?)))
            .collect();
        let after = File {
            mode: file.mode,
            bytes: formatted.clone().into(),
        };
        let new_ranges = shift_ranges(&ranges, &splices);
        self.files.insert(path.clone(), (after.clone(), new_ranges));
        Ok(Ok(Some(FileEdit {
            path: path.clone(),
            before: Some(file),
            after: Some(after),
            moved_from: None,
            splices: Some(splices),
            claims,
            named: Vec::new(),
            defines: Vec::new(),
            written: Vec::new(),
            outline: None,
        })))
    }

    fn operation_at(&self, path: &RepoPath, span: Span) -> Option<usize> {
        let steps = self.candidate.steps().iter().chain(&self.steps).rev();
        steps
            .flat_map(|step| &step.files)
            .find(|edit| edit.path == *path)?
            .operation_at(span.start)
    }
}

/// Returns what came between a formatter and its result, and why.
fn run_trouble(
    formatter: &Formatter,
    ran: &RunResult,
    had_input: bool,
) -> Result<Option<(VerdictStatus, String)>, Diagnostic> {
    let said = || {
        let text = String::from_utf8_lossy(&ran.stderr.bytes).trim().to_owned();
        if text.is_empty() {
            text
        } else {
            format!(": {text}")
        }
    };
    Ok(Some(match &ran.end {
        RunEnd::Exited(0) if ran.stdout.cut => (
            VerdictStatus::Crashed,
            "wrote more than can be read".to_owned(),
        ),
        RunEnd::Exited(0) if had_input && ran.stdout.bytes.is_empty() => {
            (VerdictStatus::Crashed, format!("wrote nothing{}", said()))
        }
        RunEnd::Exited(0) => return Ok(None),
        RunEnd::Exited(exit @ (126 | 127)) => (
            VerdictStatus::Missing,
            format!("a program that it needs is missing (exit {exit}){}", said()),
        ),
        RunEnd::Exited(exit) => (
            VerdictStatus::Crashed,
            format!("failed with exit code {exit}{}", said()),
        ),
        RunEnd::Signalled(signal) => (
            VerdictStatus::Crashed,
            format!("was ended by signal {signal}{}", said()),
        ),
        RunEnd::TimedOut => (
            VerdictStatus::Timeout,
            format!("did not end within {} s", formatter.tool.timeout.as_secs()),
        ),
        RunEnd::Missing(why) => (VerdictStatus::Missing, why.clone()),
        RunEnd::Interrupted => {
            return Err(Diagnostic::new(
                Code::Io,
                "interrupted; nothing was published",
            ));
        }
    }))
}

fn exit_code(ran: &RunResult) -> Option<i32> {
    match ran.end {
        RunEnd::Exited(exit) => Some(exit),
        RunEnd::Signalled(_) | RunEnd::TimedOut | RunEnd::Missing(_) | RunEnd::Interrupted => None,
    }
}

/// Returns what a formatter wrote with the byte-order mark, the line endings and the end of the file that were there: how a
/// file is stored is not its business.
fn as_it_was(file: &[u8], formatted: &[u8]) -> Vec<u8> {
    let mut bytes = formatted.strip_prefix(BOM).unwrap_or(formatted).to_vec();
    let all_crlf = |bytes: &[u8]| {
        bytes
            .split(|&b| b == b'\n')
            .rev()
            .skip(1)
            .all(|line| line.ends_with(b"\r"))
    };
    if file.contains(&b'\n') && all_crlf(file) && !bytes.contains(&b'\r') {
        bytes = LineEnding::CrLf.write(&bytes).into_owned();
    }
    if !file.ends_with(b"\n") {
        bytes.truncate(trim_ending(&bytes).len());
    }
    if file.starts_with(BOM) {
        [BOM, &bytes].concat()
    } else {
        bytes
    }
}

/// Returns the words by which `formatter` is told of one range.
fn range_words(formatter: &Formatter, bytes: &[u8], span: Span) -> Vec<String> {
    let lines = Lines::of(bytes);
    let begin = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let units = |end: usize| {
        let ahead = bytes.get(begin..end.min(bytes.len())).unwrap_or_default();
        String::from_utf8_lossy(ahead).encode_utf16().count()
    };
    let values = [
        ("{first}", lines.line(span.start)),
        (
            "{last}",
            lines.line(span.end.saturating_sub(1).max(span.start)),
        ),
        ("{start}", units(span.start)),
        ("{end}", units(span.end)),
    ];
    let fill = |word: &String| {
        values.iter().fold(word.clone(), |word, (name, value)| {
            word.replace(name, &value.to_string())
        })
    };
    formatter.range.iter().map(fill).collect()
}

/// Returns where `ranges` stand once `splices`, which replace some of them whole, are made.
fn shift_ranges(ranges: &[Span], splices: &Splices) -> Vec<Span> {
    let replaced: Vec<(Span, Span)> = splices
        .with_new_spans()
        .map(|(splice, new)| (splice.span, new))
        .collect();
    let place = |range: &Span| {
        let mut shift = 0isize;
        for (old, new) in &replaced {
            if old == range {
                return *new;
            }
            if old.end <= range.start {
                shift = new.end as isize - old.end as isize;
            }
        }
        Span::new(
            (range.start as isize + shift) as usize,
            (range.end as isize + shift) as usize,
        )
    };
    ranges.iter().map(place).collect()
}

/// Says what a formatter changed that it was not asked to.
fn refuse_outside_changes(
    name: &str,
    path: &RepoPath,
    old: &[u8],
    ranges: &[Span],
    formatted: &[u8],
) -> Diagnostic {
    let meets = |span: Span| {
        ranges
            .iter()
            .any(|range| span.start <= range.end && range.start <= span.end)
    };
    let hunks = diff::hunks(old, formatted);
    let hunk = hunks.iter().find(|hunk| !meets(hunk.old)).or(hunks.first());
    let line = hunk.map_or(1, |hunk| hunk.old_lines.start + 1);
    let refusal =
        Diagnostic::new(Code::Drift, format!("{name} changes {path} outside the edited lines, at line {line}")).note(
            format!("format {path} in a batch of its own first, or edit the whole statement that the line belongs to"),
        );
    let lines = Lines::of(old);
    if line > lines.count() {
        return refusal;
    }
    let text = String::from_utf8_lossy(lines.content(old, line).of(old)).into_owned();
    refusal.showing(Excerpt {
        path: path.clone(),
        line,
        column: 1,
        text,
    })
}
