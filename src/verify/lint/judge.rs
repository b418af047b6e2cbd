//! The candidate before its validators: which of them it concerns, what each is shown, what each says, and whether the
//! base had it as well.
//!
//! The base is asked only about those that found something, and only when it was not heard before: a batch that is clean
//! costs one run of each.

use std::collections::BTreeMap;

use super::ground::Ground;
use super::heard::{Heard, Memory};
use super::process::Runner;
use super::scene::Scene;
use super::verdict::{Finding, Verdict, VerdictStatus};
use super::{Judges, Opinion, concerns, fit, gate, protect};
use crate::config::{Gate, Origin, Scope, Severity, Tool, Validator};
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
    let concerned: Vec<&Validator> = validators.iter().filter(|validator| concerns(validator, &changes)).collect();
    let tools: Vec<&Tool> = concerned.iter().map(|validator| &validator.tool).collect();
    let (kept, warnings) = protect(&changes, &tools);
    let court = Court::open(plan, kept, judges)?;
    let cases: Vec<Case<'_>> = concerned.iter().filter_map(|validator| court.case(validator)).collect();
    let heard = court.hear(&cases)?;
    let mut opinion = Opinion { verdicts: Vec::new(), errors: Vec::new(), warnings };
    for validator in validators {
        let found = cases.iter().zip(&heard).find(|(case, _)| std::ptr::eq(case.validator, validator));
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
            let message = format!("{}: its run on the base {why}; every finding counts as new", validator.tool.name);
            opinion.warnings.push(Diagnostic::new(Code::ValidatorCrashed, message));
        }
        opinion.verdicts.push(verdict);
    }
    Ok(opinion)
}

/// One validator and what it is asked about.
struct Case<'c> {
    validator: &'c Validator,
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
    fn open(plan: &'c Plan, changes: Vec<Change>, judges: &'c Judges<'c>) -> Result<Court<'c>, Diagnostic> {
        let Judges { repo, source, behind, .. } = *judges;
        let both: Vec<Change> = behind.iter().chain(&changes).cloned().collect();
        Ok(Court {
            plan,
            judges,
            moves: plan.moves(),
            touched: fit::touched(plan),
            base: Ground::of(repo, source, behind)?,
            candidate: Ground::of(repo, source, &both)?,
            quarantine: repo.quarantine()?,
            memory: Memory::of(repo)?,
            changes,
        })
    }

    /// Returns what `validator` is asked about, or `None` when nothing is left for it.
    fn case<'a>(&'a self, validator: &'a Validator) -> Option<Case<'a>> {
        let wanted = |change: &&Change| validator.tool.wants(change.path.as_str());
        let with = |side: fn(&Change) -> &Option<File>| {
            self.changes.iter().filter(wanted).filter(move |change| side(change).is_some()).map(|change| &change.path)
        };
        let files: Vec<&RepoPath> = with(|change| &change.after).collect();
        let asks_for_files = validator.tool.command.iter().any(|word| word == "{files}");
        let something = match validator.scope {
            Scope::Tree if !asks_for_files => self.changes.iter().any(|change| wanted(&change)),
            Scope::Tree | Scope::Files => !files.is_empty(),
        };
        something.then(|| Case { validator, files, old_files: with(|change| &change.before).collect() })
    }

    /// Has every case heard: the candidate first, then the base about those that need it.
    fn hear(&self, cases: &[Case<'_>]) -> Result<Vec<Answer>, Diagnostic> {
        let runner = Runner::new(self.judges.progress);
        let every: Vec<usize> = (0..cases.len()).collect();
        let mut found = self.run(cases, &every, Side::Candidate, &runner)?;
        let doubtful: Vec<usize> = every.iter().copied().filter(|&at| needs_base(cases, &found, at)).collect();
        let mut base = self.run(cases, &doubtful, Side::Base, &runner)?;
        let answer = |(at, mut heard): (usize, Heard)| {
            let below = doubtful.iter().position(|&other| other == at).and_then(|place| base.get_mut(place)?.take());
            let base_trouble = below.as_ref().and_then(|below| below.trouble.as_ref()).map(|(_, why)| why.clone());
            self.compare(&mut heard.findings, below.as_ref().map_or(&[], |below| &below.findings));
            Answer { heard, base_trouble }
        };
        let heard: Vec<(usize, Heard)> =
            found.iter_mut().enumerate().filter_map(|(at, heard)| Some((at, heard.take()?))).collect();
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
        let mut heard: Vec<Option<Heard>> = chosen.iter().map(|case| self.without_running(case, side)).collect();
        let mut jobs = Vec::new();
        let mut scenes = Vec::new();
        for scope in [Scope::Files, Scope::Tree] {
            let here = |at: &usize| heard.get(*at).is_some_and(Option::is_none) && chosen[*at].validator.scope == scope;
            let waiting: Vec<usize> = (0..chosen.len()).filter(here).collect();
            if waiting.is_empty() {
                continue;
            }
            let tools: Vec<&Tool> = waiting.iter().map(|&at| &chosen[at].validator.tool).collect();
            let mut scene = self.scene(scope, side, &tools)?;
            for at in waiting {
                let case = chosen[at];
                let key = self.key(case, side, &scene);
                if side == Side::Base
                    && let Some(known) = self.memory.recall(&key)
                {
                    heard[at] = Some(known);
                    continue;
                }
                let tool = &case.validator.tool;
                if tool.origin == Origin::Repository {
                    scene.soil();
                }
                jobs.push((
                    at,
                    key,
                    scene.folder().to_owned(),
                    scene.job(self.judges.repo, tool, &tool.command, case.files_on(side))?,
                ));
            }
            scenes.push(scene);
        }
        let (places, runs): (Vec<_>, Vec<_>) =
            jobs.into_iter().map(|(at, key, folder, job)| ((at, key, folder), job)).unzip();
        for ((at, key, folder), ran) in places.into_iter().zip(runner.run_all(&runs)?) {
            let found = Heard::of(chosen[at].validator, &ran, &folder)?;
            self.memory.keep(&key, &found);
            heard[at] = Some(found);
        }
        Ok(heard)
    }

    /// Returns what is known without a run: a base without the validator's files has no findings.
    fn without_running(&self, case: &Case<'_>, side: Side) -> Option<Heard> {
        let empty = side == Side::Base && case.validator.scope == Scope::Files && case.old_files.is_empty();
        empty.then(Heard::nothing)
    }

    fn scene(&self, scope: Scope, side: Side, tools: &[&Tool]) -> Result<Scene, Diagnostic> {
        let Judges { repo, source, behind, .. } = *self.judges;
        match scope {
            Scope::Files => {
                let file = |change: &Change| {
                    let file = match side {
                        Side::Candidate => &change.after,
                        Side::Base => &change.before,
                    };
                    file.as_ref().map(|file| (change.path.clone(), file.clone()))
                };
                let files: Vec<(RepoPath, File)> = self.changes.iter().filter_map(file).collect();
                Scene::of_files(repo, &self.base, &self.quarantine, tools, &files)
            }
            Scope::Tree => {
                let mut changes = behind.to_vec();
                if side == Side::Candidate {
                    changes.extend_from_slice(&self.changes);
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
                let message = format!("{} changed while the batch was judged", shown(path.as_str()));
                Diagnostic::new(Code::RefMoved, message).note("repeat the request")
            }
        };
        let (grown, objects) = self.judges.repo.tree_with(tree.as_ref(), &merged).map_err(stale)?;
        self.quarantine.write(&objects)?;
        Ok(Some(grown))
    }

    fn key(&self, case: &Case<'_>, side: Side, scene: &Scene) -> Id {
        let program = super::program(self.judges.repo, &case.validator.tool);
        // Another build of it may find something else.
        let build = program.ok().and_then(|path| Some((path.metadata().ok()?.modified().ok()?, path)));
        let files = case.files_on(side);
        Memory::key(self.judges.repo, &format!("{:?}\n{build:?}\n{files:?}\n{}", case.validator, scene.description()))
    }

    fn compare(&self, candidate: &mut [Finding], base: &[Finding]) {
        let before = |path: &str| {
            let moved = RepoPath::parse(path).ok().and_then(|path| self.moves.get(&path));
            moved.map_or_else(|| path.to_owned(), ToString::to_string)
        };
        let changed = |finding: &Finding| self.place(finding).is_some_and(|(path, span)| self.is_touched(path, span));
        gate::mark(candidate, &self.candidate, base, &self.base, &before, &changed);
    }

    fn is_touched(&self, path: &RepoPath, line: Span) -> bool {
        self.touched.get(path).is_some_and(|spans| spans.iter().any(|span| span.overlaps(line) || span.contains(line)))
    }

    /// Returns the changed path and the bytes of the line that a finding stands on.
    fn place(&self, finding: &Finding) -> Option<(&RepoPath, Span)> {
        let path = finding.path.as_deref()?;
        let change = self.changes.iter().find(|change| change.path.as_str() == path)?;
        let file = change.after.as_ref()?;
        let lines = Lines::of(&file.bytes);
        let line = finding.line.filter(|line| (1..=lines.count()).contains(line))?;
        Some((&change.path, lines.content(&file.bytes, line)))
    }

    /// Returns the operation that most likely brought the finding.
    fn culprit(&self, finding: &Finding) -> Option<usize> {
        let (path, line) = self.place(finding)?;
        let mut edits = self.plan.steps.iter().rev().flat_map(|step| &step.files);
        edits.find(|edit| edit.path == *path)?.operation_at(line.start)
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
        vec![told(code, name, &verdict.detail)]
    }

    fn findings_refused(&self, validator: &Validator, verdict: &Verdict) -> Vec<Diagnostic> {
        let mut by_operation: BTreeMap<Option<usize>, Vec<&Finding>> = BTreeMap::new();
        for finding in verdict.findings.iter().filter(|finding| counts(validator, finding)) {
            by_operation.entry(self.culprit(finding)).or_default().push(finding);
        }
        by_operation.into_iter().map(|(operation, findings)| self.refusal(validator, operation, &findings)).collect()
    }

    fn refusal(&self, validator: &Validator, operation: Option<usize>, findings: &[&Finding]) -> Diagnostic {
        let name = &validator.tool.name;
        let Some(first) = findings.first() else { return Diagnostic::new(Code::ValidatorFailed, name.clone()) };
        let mut refusal = told(Code::ValidatorFailed, name, &sentence(first));
        if findings.len() > 1 {
            refusal.message.push_str(&format!(", and {} more", findings.len() - 1));
        }
        refusal.operation = operation;
        if let Some((path, line)) = self.place(first)
            && let Some(file) = self.changes.iter().find(|change| change.path == *path).and_then(|c| c.after.as_ref())
        {
            let text = String::from_utf8_lossy(line.of(&file.bytes)).into_owned();
            let (line, column) = (first.line.unwrap_or(1), first.column.unwrap_or(1));
            refusal = refusal.showing(Excerpt { path: path.clone(), line, column, text });
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
    let (Some(case), Some(Some(heard))) = (cases.get(at), found.get(at)) else { return false };
    let validator = case.validator;
    validator.gate == Gate::New && heard.findings.iter().any(|finding| finding.severity >= validator.counts)
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
        None if heard.findings.iter().any(|finding| counts(case.validator, finding)) => {
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
pub(super) fn told(code: Code, name: &str, detail: &str) -> Diagnostic {
    let mut lines = detail.lines();
    let mut refusal = Diagnostic::new(code, format!("{name}: {}", lines.next().unwrap_or_default()));
    refusal.notes.extend(lines.map(str::to_owned));
    match code {
        Code::ValidatorMissing => refusal.note(format!("install it, or take {name} out of {}", crate::config::PATH)),
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
        Some(&place).filter(|place| !place.is_empty()).map(|place| format!("{place}:")),
        finding.rule.clone(),
        Some(finding.message.clone()),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
