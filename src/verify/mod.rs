//! Proving a plan: `check` looks at it with this program's own eyes, `judge` has others look at it. What passes both is
//! `Verified`.
//!
//! `check`, in order: drift (nothing but the splices changed), syntax (no new error, and no tag of a template without its
//! counterpart), structure (no closing tag of a page lost), inventory (no segment lost or renamed beside the edits) with
//! removals (none inside of them that no operation asks for), repeats (no line twice that was there once), joins (no two lines or words
//! become one), twice (definitions that take the place of others), labels (those of links in Markdown), neighbours (no other statement
//! beside them), operands (an expression in the place of one is one, else a warning), placeholders (no comment that stands for code left out). Inventory, removals, twice and neighbours hold the scripts of
//! a page, too (`embedded`).
//! `judge`: the repository's formatters, whose result is checked in turn, and its validators. Drift is fatal in every mode;
//! the others become warnings in interactive mode.

mod apart;
mod branches;
mod child;
pub mod drift;
mod embedded;
pub mod inventory;
mod joins;
mod labels;
pub mod neighbours;
mod operands;
pub mod parse;
pub mod placeholder;
pub mod removals;
mod renamed;
pub mod repeats;
mod rewritten;
pub mod structure;
pub mod template;
pub mod twice;

use std::collections::BTreeMap;

use crate::config;
use crate::diagnostic::{Code, Diagnostic};
use crate::linters::{Formatting, LintReport, Permission, Validation, Verdict};
use crate::manifest::{Mode, Operation};
use crate::parallel;
use crate::path::RepoPath;
use crate::plan::{FileEdit, Plan, Removed, Step};
use crate::resolve::Document;
use crate::snapshot::{Change, File, HashKind};
use crate::syntax::markdown::is_markdown;
use crate::syntax::{Language, css};
use joins::Join;
use removals::{Losses, Weighed};
use renamed::Readings;
use repeats::Repeat;

/// A plan that this program has nothing against. Invariant: only `check` makes one.
#[derive(Clone, Debug)]
pub struct Checked {
    plan: Plan,
}

impl Checked {
    /// Returns the plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// A batch that passed every check. Invariant: only `conclude` makes one.
#[derive(Clone, Debug)]
pub struct Verified {
    changes: Vec<Change>,
    moves: BTreeMap<RepoPath, RepoPath>,
}

impl Verified {
    /// Returns what becomes of each path, sorted by path; never two changes of one path.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns, for each path that was given another's file, the path that it had.
    pub fn moves(&self) -> &BTreeMap<RepoPath, RepoPath> {
        &self.moves
    }

    fn of(plan: &Plan) -> Verified {
        Verified {
            changes: plan.changes(),
            moves: plan.moves(),
        }
    }

    /// Makes one out of nothing, for the tests of the floors above.
    #[cfg(test)]
    pub fn for_tests(changes: Vec<Change>) -> Verified {
        Verified {
            changes,
            moves: BTreeMap::new(),
        }
    }
}

/// What came of judging a checked plan.
#[derive(Debug)]
pub struct Judged {
    /// The plan as the formatters left it.
    pub plan: Plan,
    /// What each formatter came to.
    pub formatters: Vec<Verdict>,
    /// What each validator said.
    pub validators: Vec<Verdict>,
    /// Worth knowing.
    pub warnings: Vec<Diagnostic>,
    /// The batch, or everything that refuses it.
    pub outcome: Result<Verified, Vec<Diagnostic>>,
}

/// A plan that this program has something against.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The plan.
    pub plan: Plan,
    /// Everything that refuses it.
    pub errors: Vec<Diagnostic>,
}

/// What `check` came to.
#[derive(Clone, Debug)]
pub struct Look {
    /// The plan, or every failure.
    pub outcome: Result<Checked, Rejected>,
    /// Worth knowing; in interactive mode the failures, too.
    pub warnings: Vec<Diagnostic>,
    /// The segments that the batch removes, with the index of the operation that does.
    pub removed: Vec<(usize, Removed)>,
}

/// Checks `plan`, which was made of `operations`. Returns what `meanwhile` makes of it, too.
pub fn check<T: Send>(
    plan: Plan,
    operations: &[Operation],
    mode: Mode,
    meanwhile: impl FnOnce(&Plan) -> T + Send,
) -> (Look, T) {
    let steps = rewritten::joined(&plan.steps);
    let files = steps.iter().flat_map(|step| &step.files);
    let bytes = files
        .filter_map(|edit| Some(edit.after.as_ref()?.bytes.len()))
        .sum();
    let (mut found, made) = parallel::both(bytes, || Found::of(&steps), || meanwhile(&plan));
    // Who refuses for the other failures says nothing of removals, which may well come of them.
    if mode == Mode::Interactive {
        found.losses.append(&mut found.losses_beside_failures);
    }
    let Weighed {
        removed,
        refusals,
        warnings,
    } = removals::weigh(&found.losses, operations, || created(&steps));
    found.failures.extend(refusals);
    let repeats: Vec<Diagnostic> = found
        .repeats
        .iter()
        .filter_map(|repeat| repeat.refusal(operations))
        .collect();
    found.failures.extend(repeats);
    for join in std::mem::take(&mut found.joins) {
        let list = if join.refuses() {
            &mut found.failures
        } else {
            &mut found.notices
        };
        list.extend(join.complaint(operations));
    }
    found.notices.extend(warnings);
    drop(steps);
    let (errors, warnings) = found.weighed(mode);
    let outcome = if errors.is_empty() {
        Ok(Checked { plan })
    } else {
        Err(Rejected { plan, errors })
    };
    (
        Look {
            outcome,
            warnings,
            removed,
        },
        made,
    )
}

/// Returns the files that the steps create and leave, each with the step that does.
fn created(steps: &[Step]) -> Vec<(usize, Document)> {
    let numbered = || {
        steps
            .iter()
            .enumerate()
            .flat_map(|(at, step)| step.files.iter().map(move |edit| (at, step, edit)))
    };
    let removed: BTreeMap<&RepoPath, usize> = numbered()
        .filter(|(_, step, edit)| rewritten::removal(step, edit).is_some())
        .map(|(at, _, edit)| (&edit.path, at))
        .collect();
    let is_new = |edit: &FileEdit| edit.before.is_none() && edit.moved_from.is_none();
    let is_left =
        |at: usize, edit: &FileEdit| removed.get(&edit.path).is_none_or(|gone| *gone < at);
    let document = |(at, _, edit): (usize, &Step, &FileEdit)| {
        let after = edit
            .after
            .as_ref()
            .filter(|_| is_new(edit) && is_left(at, edit))?;
        Some((
            at,
            Document::new(edit.path.clone(), after.bytes.clone(), HashKind::Sha1),
        ))
    };
    let mut created: Vec<(usize, Document)> = numbered().filter_map(document).collect();
    let scripts = created.iter().flat_map(|(at, page)| {
        embedded::scripts(page)
            .into_iter()
            .map(|script| (*at, script))
    });
    let scripts: Vec<_> = scripts.collect();
    created.extend(scripts);
    created
}

/// A checked plan as the formatters left it, checked again.
#[derive(Debug)]
pub struct Formatted {
    plan: Plan,
    formatters: Vec<Verdict>,
    found: Found,
    permission: Option<Permission>,
}

impl Formatted {
    /// Returns the plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the permission to run validators on it; `None` where they may not run, or nothing is left to validate.
    pub fn to_validate(&self, mode: Mode) -> Option<Permission> {
        let is_refused = !self.found.weighed(mode).0.is_empty();
        self.permission
            .filter(|_| !is_refused && !self.plan.changes().is_empty())
    }
}

/// Adds what the formatters made of a checked plan to it, and checks that as well.
pub fn with_formatting(checked: Checked, formatting: Formatting) -> Formatted {
    let mut plan = checked.plan;
    let mut found = Found::of(&formatting.steps);
    let LintReport {
        verdicts,
        errors,
        warnings,
    } = formatting.report;
    found.fatal.extend(formatting.fatal);
    found.failures.extend(errors);
    found.notices.extend(warnings);
    plan.steps.extend(formatting.steps);
    Formatted {
        plan,
        formatters: verdicts,
        found,
        permission: formatting.permission,
    }
}

/// Weighs all that was found in a formatted plan and by its validators.
pub fn conclude(formatted: Formatted, validation: Validation, mode: Mode) -> Judged {
    let Formatted {
        plan,
        formatters,
        mut found,
        ..
    } = formatted;
    let LintReport {
        verdicts: validators,
        errors,
        warnings,
    } = validation.into_report();
    found.failures.extend(errors);
    found.notices.extend(warnings);
    let (errors, warnings) = found.weighed(mode);
    let outcome = if errors.is_empty() {
        Ok(Verified::of(&plan))
    } else {
        Err(errors)
    };
    Judged {
        plan,
        formatters,
        validators,
        warnings,
        outcome,
    }
}

/// Says whether `changes` give the repository a configuration that can be read: then the one it has need not be.
pub fn mends(changes: &[Change]) -> bool {
    let new = changes
        .iter()
        .find(|change| change.path.as_str() == config::PATH);
    new.is_some_and(|change| {
        change
            .after
            .as_ref()
            .is_none_or(|file| config::read(&file.bytes).is_ok())
    })
}

/// Returns what is wrong with the syntax of a plan that nobody planned, and what could not be looked at.
pub fn syntax(plan: &Plan) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for step in &plan.steps {
        for edit in &step.files {
            let Some(after) = &edit.after else { continue };
            let new = document(&edit.path, after);
            parse::check(edit, before(step, edit), &new, &mut errors, &mut warnings);
            if edit.path.as_str() == config::PATH {
                errors.extend(config::read(&after.bytes).err().unwrap_or_default());
            }
        }
    }
    (errors, warnings)
}

/// What is wrong with some steps, by what becomes of it.
#[derive(Clone, Debug, Default)]
struct Found {
    /// Refuses in every mode.
    fatal: Vec<Diagnostic>,
    /// Refuses in all modes but the interactive one.
    failures: Vec<Diagnostic>,
    /// Never refuses.
    notices: Vec<Diagnostic>,
    /// What each file loses inside of the edits, to be weighed for the whole batch.
    losses: Vec<Losses>,
    /// The same of files that have failures, which matters where those do not refuse.
    losses_beside_failures: Vec<Losses>,
    /// Lines that repeat the one beside them, to be weighed likewise.
    repeats: Vec<Repeat>,
    /// What would be one with what is beside it, to be weighed likewise.
    joins: Vec<Join>,
}

impl Found {
    fn of(steps: &[Step]) -> Found {
        let mut found = Found::default();
        let mut readings = Readings::default();
        for (at, step) in steps.iter().enumerate() {
            for Found {
                fatal,
                failures,
                notices,
                losses,
                losses_beside_failures,
                repeats,
                joins,
            } in parallel::map(step.files.iter().collect(), |edit| {
                Found::in_file(at, step, edit, readings.of(edit))
            }) {
                found.fatal.extend(fatal);
                found.failures.extend(failures);
                found.notices.extend(notices);
                found.losses.extend(losses);
                found.losses_beside_failures.extend(losses_beside_failures);
                found.repeats.extend(repeats);
                found.joins.extend(joins);
            }
            readings.follow(step);
        }
        found
    }

    /// Looks at what one step, the one at `at`, makes of one file, which was read as `language` where one of its names does not say that.
    fn in_file(
        at: usize,
        step: &Step,
        edit: &FileEdit,
        language: Option<&'static Language>,
    ) -> Found {
        let mut found = Found::default();
        let Some(after) = &edit.after else {
            return found;
        };
        let before = before(step, edit);
        found.fatal.extend(drift::check(edit, before, after));
        let new = document(&edit.path, after);
        parse::check(edit, before, &new, &mut found.failures, &mut found.notices);
        found.failures.extend(structure::check(edit, before, &new));
        // Its outline, if it is known, is that of a file that is not read.
        let read_anew = |before: &File| {
            document(edit.moved_from.as_ref().unwrap_or(&edit.path), before).in_language(language)
        };
        match before {
            Some(before) if language.is_some() && new.language.is_none() => {
                let new = document(&edit.path, after).in_language(language);
                found.compare_renamed(at, edit, &read_anew(before), &new);
            }
            Some(before) if language.is_some() => {
                found.compare_segments(at, edit, &read_anew(before), &new)
            }
            Some(before) => found.compare_segments(at, edit, &old_document(edit, before), &new),
            None => {}
        }
        let in_template = template::check(edit, before, after);
        found
            .failures
            .extend(in_template.or_else(|| template::check_actions(edit, before, after)));
        found
            .failures
            .extend(template::check_regions(edit, before, after));
        found.failures.extend(placeholder::check(edit));
        if let Some(before) = before.filter(|_| found.fatal.is_empty() && found.failures.is_empty())
        {
            found
                .failures
                .extend(refused_apart(edit, before).unwrap_or_default());
        }
        if edit.path.as_str() == config::PATH
            && before.is_none_or(|before| before.bytes != after.bytes)
        {
            let complaints = config::read(&after.bytes).err().unwrap_or_default();
            found.failures.extend(
                complaints
                    .into_iter()
                    .map(|complaint| about(edit, complaint)),
            );
        }
        found
    }

    /// Looks for segments that `old` has and `new` has not, inside of the edits and beside them.
    fn compare_segments(&mut self, at: usize, edit: &FileEdit, old: &Document, new: &Document) {
        let mut inventory = inventory::check(edit, old, new);
        let embedded = embedded::changed(edit, old, new);
        embedded
            .iter()
            .for_each(|script| inventory.add(script.inventory()));
        let losses = Losses::of(at, edit, inventory.went, old, new);
        let is_guess = |failure: &Diagnostic| failure.code == Code::SyntaxError;
        // What is defined in a file that does not parse is anybody's guess.
        if self
            .failures
            .iter()
            .chain(&inventory.problems)
            .any(is_guess)
        {
            self.losses_beside_failures.push(losses.by_header(old, new));
        } else if self.failures.is_empty() && inventory.problems.is_empty() {
            self.losses.push(losses);
        } else {
            self.losses_beside_failures.push(losses);
        }
        if !self.failures.is_empty() {
            return;
        }

        self.repeats.extend(repeats::repeats(edit, old, new));
        self.joins.extend(joins::joins(edit, old, new));
        self.failures.extend(inventory.problems);
        self.notices.extend(inventory.twice);
        let labels = labels::check(edit, old, new);
        self.failures.extend(labels.refusals);
        self.notices.extend(labels.warnings);
        if self.failures.is_empty() {
            let compared = neighbours::compare(edit, old, new);
            self.failures.extend(compared.refused);
            self.notices.extend(compared.unread);
            self.notices.extend(operands::check(edit, old, new));
            self.failures
                .extend(embedded.iter().flat_map(|script| script.neighbours()));
        }
    }

    /// Looks for segments that `new` has not, whose name does not say any more what it is read as.
    ///
    /// So it may be something else now, and nothing but what goes is held against it: where it does not parse, by its headers.
    fn compare_renamed(&mut self, at: usize, edit: &FileEdit, old: &Document, new: &Document) {
        let inventory = inventory::check(edit, old, new);
        let losses = Losses::of(at, edit, inventory.went, old, new);
        let is_read = new
            .language
            .is_some_and(|language| language.grammar.parses(&new.bytes));
        let losses = if is_read {
            losses
        } else {
            losses.by_header(old, new)
        };
        let list = if self.failures.is_empty() {
            &mut self.losses
        } else {
            &mut self.losses_beside_failures
        };
        list.push(losses);
    }

    /// Returns what refuses in `mode`, and what is only worth knowing.
    fn weighed(&self, mode: Mode) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let (mut errors, mut warnings) = (self.fatal.clone(), self.notices.clone());
        match mode {
            Mode::Interactive => warnings.extend_from_slice(&self.failures),
            Mode::Strict | Mode::VerifyOnly => errors.extend_from_slice(&self.failures),
        }
        (errors, warnings)
    }
}

/// Returns what refuses that which is inserted near edits of other operations, judged without those; nothing of what does not parse by
/// itself.
fn refused_apart(edit: &FileEdit, before: &File) -> Option<Vec<Diagnostic>> {
    let part = apart::insertions(edit, before)?;
    let after = part.after.as_ref()?;
    let new = Document::new(part.path.clone(), after.bytes.clone(), HashKind::Sha1);
    let (mut unsound, mut warnings) = (structure::check(&part, Some(before), &new), Vec::new());
    parse::check(&part, Some(before), &new, &mut unsound, &mut warnings);
    let actions = || template::check_actions(&part, Some(before), after);
    if !unsound.is_empty()
        || template::check(&part, Some(before), after)
            .or_else(actions)
            .is_some()
    {
        return None;
    }
    let old = old_document(&part, before);
    let problems = inventory::check(&part, &old, &new).problems;
    if !problems.is_empty() {
        // Who gives all headings of a page another level does it heading by heading.
        let is_page = old.language.is_some_and(is_markdown);
        return Some(problems).filter(|_| !is_page);
    }
    let mut refused = neighbours::check_code(&part, &old, &new);
    refused.extend(
        embedded::changed(&part, &old, &new)
            .iter()
            .flat_map(|script| script.neighbours()),
    );
    Some(refused)
}

/// Returns `complaint` about what an edit makes of the configuration, as the failure of the operation that did it.
fn about(edit: &FileEdit, complaint: Diagnostic) -> Diagnostic {
    let operation = edit
        .operation_at(0)
        .or_else(|| edit.claims.first().map(|&(_, operation)| operation));
    Diagnostic {
        operation,
        ..complaint
    }
}

/// Returns a file as a document. One of CSS is read here, and here alone: it has no names, and still has rules beside an edit.
fn document(path: &RepoPath, file: &File) -> Document {
    let document = Document::new(path.clone(), file.bytes.clone(), HashKind::Sha1);
    if css::is_css(path) {
        document.in_language(Some(&css::CSS))
    } else {
        document
    }
}

/// Returns the file that an edit began with as a document, whose segments may be known.
fn old_document(edit: &FileEdit, before: &File) -> Document {
    document(edit.moved_from.as_ref().unwrap_or(&edit.path), before).outlined(edit.outline.clone())
}

/// Returns the file that an edit began with: of a moved file, the one at its old path.
pub(crate) fn before<'a>(step: &'a Step, edit: &'a FileEdit) -> Option<&'a File> {
    let old = edit
        .moved_from
        .as_ref()
        .and_then(|old| step.files.iter().find(|other| other.path == *old));
    old.unwrap_or(edit).before.as_ref()
}
