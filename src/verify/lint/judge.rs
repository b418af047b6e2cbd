//! The candidate before its validators: which of them it concerns, what each is shown, what each says, and whether the
//! base had it as well.
//!
//! The base is asked only about those that found something, and only when it was not heard before: a batch that is clean
//! costs one run of each.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt as _;

use super::ground::Ground;
use super::heard::{Heard, Memory};
use super::process::Runner;
use super::scene::Scene;
use super::verdict::{Finding, Verdict, VerdictStatus};
use super::{Judges, Opinion, concerns, decides, fit, gate};
use crate::config::{Gate, Scope, Severity, Tool, Validator};
use crate::diagnostic::{Code, Diagnostic, Excerpt, shown};
use crate::git::Quarantine;
use crate::path::RepoPath;
use crate::plan::Plan;
use crate::snapshot::{self, Change, File, Id};
use crate::text::{Lines, Span};

/// Has the validators judge what `plan` makes of the base.
pub fn judge(plan: &Plan, judges: &Judges<'_>) -> Result<Opinion, Diagnostic> {
    let changes = plan.changes();
    let validators = &judges.asked.configuration.validators;
    let concerned: Vec<&Validator> = validators
        .iter()
        .filter(|validator| concerns(validator, &changes))
        .collect();
    let court = Court::open(plan, changes, judges)?;
    let mut cases: Vec<Case<'_>> = Vec::new();
    for validator in concerned {
        cases.extend(court.case(validator)?);
    }
    let heard = court.hear(&cases)?;
    let mut opinion = Opinion::default();
    for validator in validators {
        let found = cases
            .iter()
            .zip(&heard)
            .find(|(case, _)| std::ptr::eq(case.validator, validator));
        let Some((case, heard)) = found else {
            opinion.verdicts.push(skipped(&validator.tool));
            continue;
        };
        let verdict = verdict(case, heard);
        let refusals = court.refusals(validator, &verdict);
        match validator.severity {
            Severity::Error => opinion.errors.extend(refusals),
            Severity::Warning | Severity::Note => opinion.warnings.extend(refusals),
        }
        if let Some(why) = &heard.base_trouble {
            let message = format!(
                "{}: its run on the base {why}; every finding counts as new",
                validator.tool.name
            );
            opinion
                .warnings
                .push(Diagnostic::new(Code::ValidatorCrashed, message));
        }
        if verdict.status == VerdictStatus::Passed && verdict.findings.iter().any(is_bare) {
            let message = format!(
                "{}: fails on the base in the same way, so it judges nothing",
                validator.tool.name
            );
            opinion
                .warnings
                .push(Diagnostic::new(Code::ValidatorFailed, message));
        }
        opinion.verdicts.push(verdict);
    }
    Ok(opinion)
}

/// One validator and what it is asked about.
struct Case<'c> {
    validator: &'c Validator,
    /// Its command, all but the paths filled in.
    command: Vec<String>,
    /// What it is shown as the base has it, because it decides what it says.
    kept: BTreeSet<&'c RepoPath>,
    /// Its files as the candidate has them, and as the base had them.
    files: Vec<&'c RepoPath>,
    old_files: Vec<&'c RepoPath>,
}

/// What one validator said in the end.
struct Answer {
    heard: Heard,
    /// Why the base could not be compared with.
    base_trouble: Option<String>,
}

impl std::ops::Deref for Answer {
    type Target = Heard;

    fn deref(&self) -> &Heard {
        &self.heard
    }
}

/// Everything that the cases of one batch share.
struct Court<'c> {
    plan: &'c Plan,
    judges: &'c Judges<'c>,
    /// The changes that the validators are shown.
    changes: Vec<Change>,
    /// New path → old path.
    moves: BTreeMap<RepoPath, RepoPath>,
    touched: BTreeMap<RepoPath, Vec<Span>>,
    base: Ground<'c>,
    candidate: Ground<'c>,
    quarantine: Quarantine,
    memory: Memory,
}

impl<'c> Court<'c> {
    fn open(
        plan: &'c Plan,
        changes: Vec<Change>,
        judges: &'c Judges<'c>,
    ) -> Result<Court<'c>, Diagnostic> {
        let Judges {
            repo,
            source,
            behind,
            ..
        } = *judges;
        let both: Vec<Change> = behind.iter().chain(&changes).cloned().collect();
        Ok(Court {
            plan,
            judges,
            moves: plan.moves(),
            touched: fit::touched(plan),
            base: Ground::of(repo, source, judges.asked, behind)?,
            candidate: Ground::of(repo, source, judges.asked, &both)?,
            quarantine: repo.quarantine()?,
            memory: Memory::of(repo),
            changes,
        })
    }

    /// Returns what `validator` is asked about, or `None` when nothing is left for it.
    fn case<'a>(&'a self, validator: &'a Validator) -> Result<Option<Case<'a>>, Diagnostic> {
        let tool = &validator.tool;
        let watch = self.judges.asked.watch(tool);
        let changes = self.judges.behind.iter().chain(&self.changes);
        let kept: BTreeSet<&RepoPath> = changes
            .map(|change| &change.path)
            .filter(|path| decides((tool, watch), path.as_str()))
            .collect();
        let wanted =
            |change: &&Change| tool.wants(change.path.as_str()) && !kept.contains(&change.path);
        let with = |side: fn(&Change) -> &Option<File>| -> Vec<&RepoPath> {
            let changes = self.changes.iter().filter(wanted);
            changes
                .filter(move |change| side(change).is_some())
                .map(|change| &change.path)
                .collect()
        };
        let (files, old_files) = (with(|change| &change.after), with(|change| &change.before));
        let asks_for_files = tool.command.iter().any(|word| word == "{files}");
        let something = match validator.scope {
            Scope::Tree if !asks_for_files && files.is_empty() => {
                // What is deleted may break the rest, if there is one.
                self.changes.iter().any(|change| wanted(&change))
                    && self.candidate.has_any(|path| tool.wants(path))?
            }
            Scope::Tree | Scope::Files => !files.is_empty(),
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
        Ok(Some(Case {
            validator,
            command,
            kept,
            files,
            old_files,
        }))
    }

    /// Has every case heard: the candidate first, then the base about those that need it.
    fn hear(&self, cases: &[Case<'_>]) -> Result<Vec<Answer>, Diagnostic> {
        let runner = Runner::new(self.judges.progress);
        let every: Vec<usize> = (0..cases.len()).collect();
        let mut found = self.run(cases, &every, Side::Candidate, &runner)?;
        let doubtful: Vec<usize> = every
            .iter()
            .copied()
            .filter(|&at| needs_base(cases, &found, at))
            .collect();
        let mut base = self.run(cases, &doubtful, Side::Base, &runner)?;
        let answer = |(at, mut heard): (usize, Heard)| {
            let below = doubtful
                .iter()
                .position(|&other| other == at)
                .and_then(|place| base.get_mut(place)?.take());
            let base_trouble = below
                .as_ref()
                .and_then(|below| below.trouble.as_ref())
                .map(|(_, why)| why.clone());
            self.compare(
                &mut heard.findings,
                below.as_ref().map_or(&[], |below| &below.findings),
            );
            Answer {
                heard,
                base_trouble,
            }
        };
        let heard: Vec<(usize, Heard)> = found
            .iter_mut()
            .enumerate()
            .filter_map(|(at, heard)| Some((at, heard.take()?)))
            .collect();
        Ok(heard.into_iter().map(answer).collect())
    }

    /// Runs the cases at `indices` on one side, those heard of before excepted; returns one for each, in their order.
    fn run(
        &self,
        cases: &[Case<'_>],
        indices: &[usize],
        side: Side,
        runner: &Runner<'_>,
    ) -> Result<Vec<Option<Heard>>, Diagnostic> {
        let chosen: Vec<&Case<'_>> = indices.iter().filter_map(|&at| cases.get(at)).collect();
        let mut heard: Vec<Option<Heard>> = chosen
            .iter()
            .map(|case| self.without_running(case, side))
            .collect();
        let mut jobs = Vec::new();
        let mut scenes = Vec::new();
        let mut waiting: Vec<usize> = (0..chosen.len())
            .filter(|&at| heard[at].is_none())
            .collect();
        // Those that are shown the same share a scene.
        while let Some(&first) = waiting.first() {
            let alike = |at: &usize| {
                chosen[*at].validator.scope == chosen[first].validator.scope
                    && chosen[*at].kept == chosen[first].kept
            };
            let (together, others): (Vec<usize>, Vec<usize>) =
                waiting.iter().partition(|at| alike(at));
            waiting = others;
            let cases: Vec<&Case<'_>> = together.iter().map(|&at| chosen[at]).collect();
            let mut scene = self.scene(side, &cases)?;
            for at in together {
                let case = chosen[at];
                let key = self.key(case, side, &scene);
                if side == Side::Base
                    && let Some(known) = self.memory.recall(&key)
                {
                    heard[at] = Some(known);
                    continue;
                }
                // A preset, too, runs plugins that may write.
                scene.soil();
                let tool = &case.validator.tool;
                let watched = (tool, self.judges.asked.watch(tool));
                let job = scene.job(
                    self.judges.repo,
                    watched,
                    &case.command,
                    case.files_on(side),
                )?;
                jobs.push((at, key, scene.folder().to_owned(), job));
            }
            scenes.push(scene);
        }
        let (places, runs): (Vec<_>, Vec<_>) = jobs
            .into_iter()
            .map(|(at, key, folder, job)| ((at, key, folder), job))
            .unzip();
        for ((at, key, folder), ran) in places.into_iter().zip(runner.run_all(&runs)?) {
            let found = Heard::of(chosen[at].validator, &ran, &folder)?;
            self.memory.keep(&key, &found);
            heard[at] = Some(found);
        }
        Ok(heard)
    }

    /// Returns what is known without a run: a base without the validator's files has no findings.
    fn without_running(&self, case: &Case<'_>, side: Side) -> Option<Heard> {
        let empty =
            side == Side::Base && case.validator.scope == Scope::Files && case.old_files.is_empty();
        empty.then(Heard::nothing)
    }

    /// Lays out what `cases`, which are all shown the same, are shown on one side.
    fn scene(&self, side: Side, cases: &[&Case<'_>]) -> Result<Scene, Diagnostic> {
        let Judges {
            repo,
            source,
            behind,
            ..
        } = *self.judges;
        let Some(first) = cases.first() else {
            return Err(Diagnostic::new(Code::Io, "a scene for nobody"));
        };
        let as_made = |change: &&Change| !first.kept.contains(&change.path);
        let shown = self.changes.iter().filter(as_made);
        match first.validator.scope {
            Scope::Files => {
                let file = |change: &Change| {
                    let file = match side {
                        Side::Candidate => &change.after,
                        Side::Base => &change.before,
                    };
                    file.as_ref()
                        .map(|file| (change.path.clone(), file.clone()))
                };
                let files: Vec<(RepoPath, File)> = shown.filter_map(file).collect();
                let tools: Vec<&Tool> = cases.iter().map(|case| &case.validator.tool).collect();
                Scene::of_files(repo, &self.base, &self.quarantine, &tools, &files)
            }
            Scope::Tree => {
                let mut changes: Vec<Change> = behind.iter().filter(as_made).cloned().collect();
                if side == Side::Candidate {
                    changes.extend(shown.cloned());
                }
                let whole = repo.whole_tree(source, &self.quarantine)?;
                let tree = self.grow(whole, &changes)?;
                Scene::of_tree(repo, &self.quarantine, tree.as_ref())
            }
        }
    }

    /// Returns the tree that `changes` make of `tree`, its objects in quarantine.
    fn grow(&self, tree: Option<Id>, changes: &[Change]) -> Result<Option<Id>, Diagnostic> {
        if changes.is_empty() {
            return Ok(tree);
        }
        let merged = snapshot::merged(changes.iter());
        let stale = |failure| match failure {
            crate::git::TreeFailure::Refused(refusal) => refusal,
            crate::git::TreeFailure::Stale { path, .. } => {
                let message = format!(
                    "{} changed while the batch was judged",
                    shown(path.as_str())
                );
                Diagnostic::new(Code::RefMoved, message).note("repeat the request")
            }
        };
        let (grown, objects) = self
            .judges
            .repo
            .tree_with(tree.as_ref(), &merged)
            .map_err(stale)?;
        self.quarantine.write(&objects)?;
        Ok(Some(grown))
    }

    fn key(&self, case: &Case<'_>, side: Side, scene: &Scene) -> Id {
        let program = super::program(self.judges.repo, self.judges.asked, &case.validator.tool);
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
        let files = case.files_on(side);
        Memory::key(
            self.judges.repo,
            &format!(
                "{:?}\n{build:?}\n{files:?}\n{}",
                case.validator,
                scene.description()
            ),
        )
    }

    fn compare(&self, candidate: &mut [Finding], base: &[Finding]) {
        let before = |path: &str| {
            let moved = RepoPath::parse(path)
                .ok()
                .and_then(|path| self.moves.get(&path));
            moved.map_or_else(|| path.to_owned(), ToString::to_string)
        };
        let changed = |finding: &Finding| {
            self.place(finding)
                .is_some_and(|(path, span)| self.is_touched(path, span))
        };
        gate::mark(
            candidate,
            &self.candidate,
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
            .changes
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
        let mut edits = self.plan.steps.iter().rev().flat_map(|step| &step.files);
        edits
            .find(|edit| edit.path == *path)?
            .operation_at(line.start)
    }

    /// Returns what a verdict refuses with: one diagnostic for each operation that brought findings.
    fn refusals(&self, validator: &Validator, verdict: &Verdict) -> Vec<Diagnostic> {
        let name = &validator.tool.name;
        let code = match verdict.status {
            VerdictStatus::Passed | VerdictStatus::Skipped => return Vec::new(),
            VerdictStatus::Failed => return self.findings_refused(validator, verdict),
            VerdictStatus::Missing => Code::ValidatorMissing,
            VerdictStatus::Timeout => Code::ValidatorTimeout,
            VerdictStatus::Crashed => Code::ValidatorCrashed,
        };
        vec![told(
            code,
            name,
            &verdict.detail,
            validator.scope == Scope::Files,
        )]
    }

    fn findings_refused(&self, validator: &Validator, verdict: &Verdict) -> Vec<Diagnostic> {
        let mut by_operation: BTreeMap<Option<usize>, Vec<&Finding>> = BTreeMap::new();
        for finding in verdict
            .findings
            .iter()
            .filter(|finding| counts(validator, finding))
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
        let mut refusal = told(Code::ValidatorFailed, name, &sentence(first), false);
        if findings.len() > 1 {
            refusal
                .message
                .push_str(&format!(", and {} more", findings.len() - 1));
        }
        refusal.operation = operation;
        if let Some((path, line)) = self.place(first)
            && let Some(file) = self
                .changes
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
enum Side {
    Candidate,
    Base,
}

impl Case<'_> {
    fn files_on(&self, side: Side) -> &[&RepoPath] {
        match side {
            Side::Candidate => &self.files,
            Side::Base => &self.old_files,
        }
    }
}

/// Says whether what was found can only be judged beside the base.
fn needs_base(cases: &[Case<'_>], found: &[Option<Heard>], at: usize) -> bool {
    let (Some(case), Some(Some(heard))) = (cases.get(at), found.get(at)) else {
        return false;
    };
    let validator = case.validator;
    validator.gate == Gate::New
        && heard
            .findings
            .iter()
            .any(|finding| finding.severity >= validator.counts)
}

/// Says whether a finding is no more than an exit code.
fn is_bare(finding: &Finding) -> bool {
    finding.path.is_none() && finding.rule.is_none() && finding.message.starts_with("exit code ")
}

/// Says whether a finding counts against the batch.
fn counts(validator: &Validator, finding: &Finding) -> bool {
    let weighs = finding.severity >= validator.counts;
    match validator.gate {
        Gate::New => weighs && finding.new,
        Gate::All => weighs,
    }
}

fn verdict(case: &Case<'_>, heard: &Answer) -> Verdict {
    let (status, detail) = match &heard.trouble {
        Some((status, detail)) => (*status, detail.clone()),
        None if heard
            .findings
            .iter()
            .any(|finding| counts(case.validator, finding)) =>
        {
            (VerdictStatus::Failed, String::new())
        }
        None => (VerdictStatus::Passed, String::new()),
    };
    Verdict {
        name: case.validator.tool.name.clone(),
        status,
        exit_code: heard.exit,
        duration: heard.duration,
        findings: heard.findings.clone(),
        detail,
    }
}

pub(super) fn skipped(tool: &Tool) -> Verdict {
    Verdict {
        name: tool.name.clone(),
        status: VerdictStatus::Skipped,
        exit_code: None,
        duration: std::time::Duration::ZERO,
        findings: Vec::new(),
        detail: String::new(),
    }
}

/// Returns what a tool said as a refusal: its first line as the sentence, the others as notes.
pub(super) fn told(code: Code, name: &str, detail: &str, is_shown_files: bool) -> Diagnostic {
    let mut lines = detail.lines();
    let mut refusal = Diagnostic::new(
        code,
        format!("{name}: {}", lines.next().unwrap_or_default()),
    );
    refusal.notes.extend(lines.map(str::to_owned));
    match code {
        Code::ValidatorMissing => refusal.note(format!("install it, or take {name} out of {}", crate::config::PATH)),
        Code::ValidatorCrashed if is_shown_files => {
            refusal.note(format!("it was shown the batch's files and what configures it; `config:` of {name} in {} names further files, `scope: tree` shows it all", crate::config::PATH))
        }
        Code::ValidatorTimeout => {
            refusal.note(format!("`timeout: <seconds>` of {name} in {} gives it longer", crate::config::PATH))
        }
        _ => refusal,
    }
}

/// Returns a finding as a person reads it: `src/a.py:3:5: F821 Undefined name`.
fn sentence(finding: &Finding) -> String {
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
