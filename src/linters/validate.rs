//! Validators: which of them a batch concerns, what each is shown, what each finds, and whether the base had it, too.
//!
//! The base is asked only about those that found something, and only when its run is not in the cache: a batch that is
//! clean costs one run of each.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt as _;

use super::config_guard::{base_copy_warnings, shadowing_modules};
use super::configured::validator_concerns;
use super::context::{LintReport, LinterContext, decides_result, program_of};
use super::layered_files::LayeredFiles;
use super::result_cache::ResultCache;
use super::sandbox::Sandbox;
use super::trust::{self, Permission};
use super::validator_run::ValidatorRun;
use super::verdict::{Finding, ToolVerdict, VerdictStatus, refusal_of, skipped_verdict};
use super::{baseline, changed_ranges};
use crate::config::{Gate, Severity, Tool, Validator, ValidatorScope};
use crate::diagnostic::{Code, Diagnostic, DiagnosticMark, Excerpt};
use crate::git::Quarantine;
use crate::path::RepoPath;
use crate::plan::Candidate;
use crate::process::{Job, Runner};
use crate::snapshot::{Change, File, Id};
use crate::text::{Lines, Span};

/// What the validators said of a plan.
#[derive(Debug, Default)]
pub struct Validation {
    report: LintReport,
}

impl Validation {
    /// Returns the one of a plan that no validator is run on.
    pub fn not_run() -> Validation {
        Validation::default()
    }

    /// Returns what they said.
    pub fn into_report(self) -> LintReport {
        self.report
    }
}

/// Runs the validators that the `candidate` concerns on it.
pub fn validate(
    candidate: &Candidate,
    context: &LinterContext<'_>,
    _permission: Permission,
) -> Result<Validation, Diagnostic> {
    let report = run_validators(candidate, context)?;
    Ok(Validation { report })
}

/// Runs the validators on a `candidate` that is not formatted first, unless they may not run, which refuses it.
pub fn validate_as_it_is(
    candidate: &Candidate,
    context: &LinterContext<'_>,
) -> Result<Validation, Diagnostic> {
    let changes = candidate.changes();
    let would_run = context.linters.would_validate(changes);
    let mut errors: Vec<Diagnostic> = trust::permit(context, &would_run)
        .err()
        .into_iter()
        .collect();
    if errors.is_empty() {
        errors = shadowing_modules(changes, context.earlier, context.linters);
    }
    if !errors.is_empty() {
        let report = LintReport {
            errors,
            ..LintReport::default()
        };
        return Ok(Validation { report });
    }
    let mut report = run_validators(candidate, context)?;
    report
        .warnings
        .extend(base_copy_warnings(changes, context.linters));
    Ok(Validation { report })
}

/// Runs the validators that the changes concern; the others are reported as skipped.
fn run_validators(
    candidate: &Candidate,
    context: &LinterContext<'_>,
) -> Result<LintReport, Diagnostic> {
    let validators = &context.linters.configuration.validators;
    let batch = ValidationBatch::open(candidate, context)?;
    let mut tasks: Vec<ValidatorTask<'_>> = Vec::new();
    for validator in validators {
        if validator_concerns(validator, candidate.changes()) {
            tasks.extend(batch.task(validator)?);
        }
    }
    let runs = batch.run_tasks(&tasks)?;

    let mut report = LintReport::default();
    for validator in validators {
        let finished = tasks
            .iter()
            .zip(&runs)
            .find(|(task, _)| std::ptr::eq(task.validator, validator));
        match finished {
            Some((task, run)) => batch.add_verdict(task, run, &mut report),
            None => report.verdicts.push(skipped_verdict(&validator.tool)),
        }
    }
    Ok(report)
}

/// One validator and what it is run on.
struct ValidatorTask<'c> {
    validator: &'c Validator,
    /// Its command, all but the paths filled in.
    command: Vec<String>,
    /// Changed paths of which it is shown the base's copy, because they decide what it finds.
    base_copies: BTreeSet<&'c RepoPath>,
    /// Its files as the candidate has them.
    files: Vec<&'c RepoPath>,
    /// Its files as the base had them.
    old_files: Vec<&'c RepoPath>,
}

/// A task that has to be run: its index, the key of its result, and the folder that it runs in.
struct WaitingTask {
    at: usize,
    key: Id,
    folder: std::path::PathBuf,
}

/// Everything that the tasks of one batch share.
struct ValidationBatch<'c> {
    candidate: &'c Candidate,
    context: &'c LinterContext<'c>,
    touched: BTreeMap<RepoPath, Vec<Span>>,
    base: LayeredFiles<'c>,
    with_candidate: LayeredFiles<'c>,
    quarantine: Quarantine,
    cache: ResultCache,
}

impl<'c> ValidationBatch<'c> {
    fn open(
        candidate: &'c Candidate,
        context: &'c LinterContext<'c>,
    ) -> Result<ValidationBatch<'c>, Diagnostic> {
        let LinterContext {
            repo,
            source,
            earlier,
            ..
        } = *context;
        let both: Vec<Change> = earlier.iter().chain(candidate.changes()).cloned().collect();
        Ok(ValidationBatch {
            candidate,
            context,
            touched: changed_ranges::changed_lines(candidate),
            base: LayeredFiles::of(repo, source, context.linters, earlier)?,
            with_candidate: LayeredFiles::of(repo, source, context.linters, &both)?,
            quarantine: repo.quarantine()?,
            cache: ResultCache::of(repo),
        })
    }

    /// Returns what `validator` is asked about, or `None` when nothing is left for it.
    fn task<'a>(
        &'a self,
        validator: &'a Validator,
    ) -> Result<Option<ValidatorTask<'a>>, Diagnostic> {
        let tool = &validator.tool;
        let watch = self.context.linters.watch(tool);
        let changes = self.context.earlier.iter().chain(self.candidate.changes());
        let base_copies: BTreeSet<&RepoPath> = changes
            .map(|change| &change.path)
            .filter(|path| decides_result((tool, watch), path.as_str()))
            .collect();
        let wanted = |change: &&Change| {
            tool.wants(change.path.as_str()) && !base_copies.contains(&change.path)
        };
        let with = |side: fn(&Change) -> &Option<File>| -> Vec<&RepoPath> {
            let changes = self.candidate.changes().iter().filter(wanted);
            changes
                .filter(move |change| side(change).is_some())
                .map(|change| &change.path)
                .collect()
        };
        let (files, old_files) = (with(|change| &change.after), with(|change| &change.before));
        let asks_for_files = tool.command.iter().any(|word| word == "{files}");
        let something = match validator.scope {
            ValidatorScope::Tree if !asks_for_files && files.is_empty() => {
                // What is deleted may break the rest, if there is one.
                self.candidate
                    .changes()
                    .iter()
                    .any(|change| wanted(&change))
                    && self.with_candidate.has_any(|path| tool.wants(path))?
            }
            ValidatorScope::Tree | ValidatorScope::Files => !files.is_empty(),
        };
        if !something {
            return Ok(None);
        }
        let mut command = Vec::new();
        for word in &tool.command {
            match word.as_str() {
                "{all}" if self.base.names_its_own_files(tool)? => {}
                "{all}" => command.extend(["--".to_owned(), ".".to_owned()]),
                _ => command.push(word.clone()),
            }
        }
        Ok(Some(ValidatorTask {
            validator,
            command,
            base_copies,
            files,
            old_files,
        }))
    }

    /// Runs every task: on the candidate first, then those on the base whose findings are compared with it.
    fn run_tasks(&self, tasks: &[ValidatorTask<'_>]) -> Result<Vec<ValidatorRun>, Diagnostic> {
        let runner = Runner::new(self.context.progress);
        let all: Vec<&ValidatorTask<'_>> = tasks.iter().collect();
        let mut runs = self.run_side(&all, ComparedSide::Candidate, &runner)?;

        let doubtful: Vec<usize> = (0..tasks.len())
            .filter(|&at| needs_base(tasks[at].validator, &runs[at]))
            .collect();
        let compared: Vec<&ValidatorTask<'_>> = doubtful.iter().map(|&at| &tasks[at]).collect();
        let base_runs = self.run_side(&compared, ComparedSide::Base, &runner)?;

        let mut base_runs: BTreeMap<usize, ValidatorRun> =
            doubtful.into_iter().zip(base_runs).collect();
        for (at, run) in runs.iter_mut().enumerate() {
            let base = base_runs.remove(&at);
            let base_findings = base.as_ref().map_or(&[][..], |base| &base.findings);
            self.compare(&mut run.findings, base_findings);
            run.base_trouble = base.and_then(|base| base.trouble).map(|(_, why)| why);
        }
        Ok(runs)
    }

    /// Runs `tasks` on one side; those whose result is known already are not started. One run for each, in their order.
    fn run_side(
        &self,
        tasks: &[&ValidatorTask<'_>],
        side: ComparedSide,
        runner: &Runner<'_>,
    ) -> Result<Vec<ValidatorRun>, Diagnostic> {
        let mut runs: BTreeMap<usize, ValidatorRun> = BTreeMap::new();
        for (at, task) in tasks.iter().enumerate() {
            runs.extend(known_without_run(task, side).map(|run| (at, run)));
        }
        let mut waiting: Vec<WaitingTask> = Vec::new();
        let mut jobs = Vec::new();
        let mut sandboxes = Vec::new();

        // To lay out a sandbox costs more than most runs: tasks that are shown the same share one.
        let mut left: Vec<usize> = (0..tasks.len())
            .filter(|at| !runs.contains_key(at))
            .collect();
        while let Some(&first) = left.first() {
            let (group, others): (Vec<usize>, Vec<usize>) = left
                .iter()
                .partition(|&&at| tasks[at].shares_sandbox_with(tasks[first]));
            left = others;
            let shown: Vec<&Tool> = group.iter().map(|&at| &tasks[at].validator.tool).collect();
            let mut sandbox = self.lay_out(side, tasks[first], &shown)?;
            for at in group {
                let task = tasks[at];
                let key = self.key(task, side, &sandbox);
                if side == ComparedSide::Base
                    && let Some(known) = self.cache.get(&key)
                {
                    runs.insert(at, known);
                    continue;
                }
                // A preset, too, runs plugins that may write.
                sandbox.mark_dirty();
                jobs.push(self.job(task, side, &sandbox)?);
                waiting.push(WaitingTask {
                    at,
                    key,
                    folder: sandbox.folder().to_owned(),
                });
            }
            sandboxes.push(sandbox);
        }

        for (waiting, result) in waiting.into_iter().zip(runner.run_all(&jobs)?) {
            let validator = tasks[waiting.at].validator;
            let run = ValidatorRun::of(validator, &result, &waiting.folder)?;
            self.cache.put(&waiting.key, &run);
            runs.insert(waiting.at, run);
        }
        Ok(runs.into_values().collect())
    }

    fn job(
        &self,
        task: &ValidatorTask<'_>,
        side: ComparedSide,
        sandbox: &Sandbox,
    ) -> Result<Job, Diagnostic> {
        let tool = &task.validator.tool;
        let watched = (tool, self.context.linters.watch(tool));
        sandbox.sandbox_job(
            self.context.repo,
            watched,
            &task.command,
            task.files_on(side),
        )
    }

    /// Lays out what `task` and those that share its sandbox are shown on one side; `tools` are all of theirs.
    fn lay_out(
        &self,
        side: ComparedSide,
        task: &ValidatorTask<'_>,
        tools: &[&Tool],
    ) -> Result<Sandbox, Diagnostic> {
        let LinterContext {
            repo,
            source,
            earlier,
            ..
        } = *self.context;
        let as_made = |change: &&Change| !task.base_copies.contains(&change.path);
        let shown = self.candidate.changes().iter().filter(as_made);
        match task.validator.scope {
            ValidatorScope::Files => {
                let file = |change: &Change| {
                    let file = match side {
                        ComparedSide::Candidate => &change.after,
                        ComparedSide::Base => &change.before,
                    };
                    file.as_ref()
                        .map(|file| (change.path.clone(), file.clone()))
                };
                let files: Vec<(RepoPath, File)> = shown.filter_map(file).collect();
                Sandbox::of_files(repo, &self.base, &self.quarantine, tools, &files)
            }
            ValidatorScope::Tree => {
                let mut changes: Vec<Change> = earlier.iter().filter(as_made).cloned().collect();
                if side == ComparedSide::Candidate {
                    changes.extend(shown.cloned());
                }
                Sandbox::of_changed_tree(repo, source, &self.quarantine, &changes)
            }
        }
    }

    fn key(&self, task: &ValidatorTask<'_>, side: ComparedSide, sandbox: &Sandbox) -> Id {
        let validator = task.validator;
        let program = program_of(self.context.repo, self.context.linters, &validator.tool);
        // Another build of it may find something else.
        let build = program.ok().and_then(|path| {
            let path = path.canonicalize().ok()?;
            let metadata = path.metadata().ok()?;
            // The time of the last change of any kind: packages may date their files as they like.
            Some((
                metadata.ctime(),
                metadata.ctime_nsec(),
                metadata.ino(),
                metadata.len(),
                path,
            ))
        });
        let files = task.files_on(side);
        ResultCache::key(
            self.context.repo,
            &format!(
                "{}\n{build:?}\n{files:?}\n{}",
                validator.cache_key(),
                sandbox.description()
            ),
        )
    }

    fn compare(&self, candidate: &mut [Finding], base: &[Finding]) {
        let before = |path: &str| {
            let moved = RepoPath::parse(path)
                .ok()
                .and_then(|path| self.candidate.moves().get(&path));
            moved.map_or_else(|| path.to_owned(), ToString::to_string)
        };
        let changed = |finding: &Finding| {
            self.place(finding)
                .is_some_and(|(path, span)| self.is_touched(path, span))
        };
        baseline::mark_new(
            candidate,
            &self.with_candidate,
            base,
            &self.base,
            &before,
            &changed,
        );
    }

    fn is_touched(&self, path: &RepoPath, line: Span) -> bool {
        self.touched.get(path).is_some_and(|spans| {
            spans
                .iter()
                .any(|span| span.overlaps(line) || span.contains(line))
        })
    }

    /// Returns the changed path and the bytes of the line that a finding stands on.
    fn place(&self, finding: &Finding) -> Option<(&RepoPath, Span)> {
        let path = finding.path.as_deref()?;
        let change = self
            .candidate
            .changes()
            .iter()
            .find(|change| change.path.as_str() == path)?;
        let file = change.after.as_ref()?;
        let lines = Lines::of(&file.bytes);
        let line = finding
            .line
            .filter(|line| (1..=lines.count()).contains(line))?;
        Some((&change.path, lines.content(&file.bytes, line)))
    }

    /// Returns the operation that most likely brought the finding.
    fn culprit(&self, finding: &Finding) -> Option<usize> {
        let (path, line) = self.place(finding)?;
        let mut edits = self
            .candidate
            .steps()
            .iter()
            .rev()
            .flat_map(|step| &step.files);
        edits
            .find(|edit| edit.path == *path)?
            .operation_at(line.start)
    }

    /// Adds a validator's verdict to the report, with what it refuses and what there is to warn of.
    fn add_verdict(&self, task: &ValidatorTask<'_>, run: &ValidatorRun, report: &mut LintReport) {
        let validator = task.validator;
        let name = &validator.tool.name;
        let verdict = verdict_of(validator, run);
        let refusals = self.refusals(validator, &verdict);
        match validator.severity {
            Severity::Error => report.errors.extend(refusals),
            Severity::Warning | Severity::Note => report.warnings.extend(refusals),
        }
        if let Some(why) = &run.base_trouble {
            let message = format!("{name}: its run on the base {why}; every finding counts as new");
            report
                .warnings
                .push(Diagnostic::new(Code::ValidatorCrashed, message));
        }
        if verdict.status == VerdictStatus::Passed && run.only_exit_code {
            let message =
                format!("{name}: fails on the base in the same way, so it judges nothing");
            let warning = Diagnostic::new(Code::ValidatorFailed, message);
            report.warnings.push(if verdict.findings.is_empty() {
                warning
            } else {
                warning.marked(DiagnosticMark::RepeatsFindings)
            });
        }
        report.verdicts.push(verdict);
    }

    /// Returns what a verdict refuses with: one diagnostic for each operation that brought findings.
    fn refusals(&self, validator: &Validator, verdict: &ToolVerdict) -> Vec<Diagnostic> {
        let name = &validator.tool.name;
        let code = match verdict.status {
            VerdictStatus::Passed | VerdictStatus::Skipped => return Vec::new(),
            VerdictStatus::Failed => return self.findings_refused(validator, verdict),
            VerdictStatus::Missing => Code::ValidatorMissing,
            VerdictStatus::Timeout => Code::ValidatorTimeout,
            VerdictStatus::Crashed => Code::ValidatorCrashed,
        };
        vec![refusal_of(
            code,
            name,
            &verdict.detail,
            validator.scope == ValidatorScope::Files,
        )]
    }

    fn findings_refused(&self, validator: &Validator, verdict: &ToolVerdict) -> Vec<Diagnostic> {
        let mut by_operation: BTreeMap<Option<usize>, Vec<&Finding>> = BTreeMap::new();
        for finding in verdict
            .findings
            .iter()
            .filter(|finding| counts_against_batch(validator, finding))
        {
            by_operation
                .entry(self.culprit(finding))
                .or_default()
                .push(finding);
        }
        by_operation
            .into_iter()
            .map(|(operation, findings)| self.refusal(validator, operation, &findings))
            .collect()
    }

    fn refusal(
        &self,
        validator: &Validator,
        operation: Option<usize>,
        findings: &[&Finding],
    ) -> Diagnostic {
        let name = &validator.tool.name;
        let Some(first) = findings.first() else {
            return Diagnostic::new(Code::ValidatorFailed, name.clone());
        };
        let mut refusal = refusal_of(Code::ValidatorFailed, name, &finding_sentence(first), false)
            .marked(DiagnosticMark::RepeatsFindings);
        if findings.len() > 1 {
            refusal
                .message
                .push_str(&format!(", and {} more", findings.len() - 1));
        }
        refusal.operation = operation;
        if let Some((path, line)) = self.place(first)
            && let Some(file) = self
                .candidate
                .changes()
                .iter()
                .find(|change| change.path == *path)
                .and_then(|c| c.after.as_ref())
        {
            let text = String::from_utf8_lossy(line.of(&file.bytes)).into_owned();
            let (line, column) = (first.line.unwrap_or(1), first.column.unwrap_or(1));
            refusal = refusal.showing(Excerpt {
                path: path.clone(),
                line,
                column,
                text,
            });
        }
        refusal
    }
}

/// Which side of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComparedSide {
    Candidate,
    Base,
}

impl ValidatorTask<'_> {
    /// Says whether `other` is shown the same.
    fn shares_sandbox_with(&self, other: &ValidatorTask<'_>) -> bool {
        self.validator.scope == other.validator.scope && self.base_copies == other.base_copies
    }

    fn files_on(&self, side: ComparedSide) -> &[&RepoPath] {
        match side {
            ComparedSide::Candidate => &self.files,
            ComparedSide::Base => &self.old_files,
        }
    }
}

/// Says whether a run's findings count only where the base did not have them.
fn needs_base(validator: &Validator, run: &ValidatorRun) -> bool {
    validator.gate == Gate::New
        && run
            .findings
            .iter()
            .any(|finding| finding.severity >= validator.counts)
}

/// Returns what is known without a run: a base without any of the validator's files has no findings.
fn known_without_run(task: &ValidatorTask<'_>, side: ComparedSide) -> Option<ValidatorRun> {
    let has_no_files = side == ComparedSide::Base
        && task.validator.scope == ValidatorScope::Files
        && task.old_files.is_empty();
    has_no_files.then(ValidatorRun::clean)
}

/// Says whether a finding counts against the batch.
fn counts_against_batch(validator: &Validator, finding: &Finding) -> bool {
    let weighs = finding.severity >= validator.counts;
    match validator.gate {
        Gate::New => weighs && finding.new,
        Gate::All => weighs,
    }
}

fn verdict_of(validator: &Validator, run: &ValidatorRun) -> ToolVerdict {
    let (status, detail) = match &run.trouble {
        Some((status, detail)) => (*status, detail.clone()),
        None if run
            .findings
            .iter()
            .any(|finding| counts_against_batch(validator, finding)) =>
        {
            (VerdictStatus::Failed, String::new())
        }
        None => (VerdictStatus::Passed, String::new()),
    };
    ToolVerdict {
        name: validator.tool.name.clone(),
        status,
        exit_code: run.exit,
        duration: run.duration,
        findings: run.findings.clone(),
        detail,
    }
}

/// Returns a finding as a person reads it: `src/a.py:3:5: F821 Undefined name`.
fn finding_sentence(finding: &Finding) -> String {
    let mut place = finding.path.clone().unwrap_or_default();
    for number in [finding.line, finding.column].into_iter().flatten() {
        place.push_str(&format!(":{number}"));
    }
    let words = [
        Some(&place)
            .filter(|place| !place.is_empty())
            .map(|place| format!("{place}:")),
        finding.rule.clone(),
        Some(finding.message.clone()),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
