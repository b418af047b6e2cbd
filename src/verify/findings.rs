//! `Findings`: what the checks have against the steps of a plan, by what becomes of it. Which checks there are, and in which order, is here.

use super::edited_file::{about, before, document, old_document};
use super::joins::{self, Join};
use super::removals::Losses;
use super::renamed::RenamedLanguages;
use super::repeats::{self, Repeat};
use super::{
    access, apart, attributes, conditions, continued, drift, embedded, folded, inventory, labels,
    neighbours, operands, parse, placeholder, quotes, structure, template, tuples,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::CheckMode;
use crate::plan::{FileEdit, Step};
use crate::resolve::Document;
use crate::snapshot::{File, HashKind};
use crate::syntax::markdown::is_markdown;
use crate::syntax::{Language, language_in};
use crate::{config, parallel};

/// What is wrong with some steps, by what becomes of it.
#[derive(Clone, Debug, Default)]
pub(super) struct CheckFindings {
    /// Refuses in every mode.
    pub(super) fatal: Vec<Diagnostic>,
    /// Refuses in all modes but the interactive one.
    pub(super) failures: Vec<Diagnostic>,
    /// Never refuses.
    pub(super) notices: Vec<Diagnostic>,
    /// What each file loses inside of the edits, to be weighed for the whole batch.
    pub(super) losses: Vec<Losses>,
    /// The same of files that have failures, which matters where those do not refuse.
    pub(super) losses_beside_failures: Vec<Losses>,
    /// Lines that repeat the one beside them, to be weighed likewise.
    pub(super) repeats: Vec<Repeat>,
    /// What would be one with what is beside it, to be weighed likewise.
    pub(super) joins: Vec<Join>,
}

impl CheckFindings {
    pub(super) fn of(steps: &[Step]) -> CheckFindings {
        let mut found = CheckFindings::default();
        let mut readings = RenamedLanguages::default();
        for (at, step) in steps.iter().enumerate() {
            for CheckFindings {
                fatal,
                failures,
                notices,
                losses,
                losses_beside_failures,
                repeats,
                joins,
            } in parallel::map(step.files.iter().collect(), |edit| {
                CheckFindings::in_file(at, step, edit, readings.of(edit, before(step, edit)))
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
    ) -> CheckFindings {
        let mut found = CheckFindings::default();
        let Some(after) = &edit.after else {
            return found;
        };
        let before = before(step, edit);
        found.fatal.extend(drift::check(edit, before, after));
        let new = document(&edit.path, after);
        // What told the language, and is in the file itself, went with the edit: what is left is held to it.
        let is_untold = new.language.is_none()
            && before.is_some_and(|before| language_in(&edit.path, &before.bytes).is_some());
        let new = match language {
            Some(_) if is_untold => new.in_language(language),
            Some(_) | None => new,
        };
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
        found
            .failures
            .extend(conditions::check(edit, before, after));
        found.failures.extend(placeholder::check(edit));
        if let Some(before) = before.filter(|_| found.fatal.is_empty() && found.failures.is_empty())
        {
            let inserted = apart::insertions(edit, before);
            let mut refused: Vec<Diagnostic> = inserted
                .and_then(|part| refused_apart(&part, before))
                .unwrap_or_default();
            if refused.is_empty() {
                let parts = apart::without_exchanged(edit, before);
                let first = parts.iter().find_map(|part| {
                    refused_apart(part, before).filter(|refused| !refused.is_empty())
                });
                refused = first.unwrap_or_default();
            }
            found.failures.extend(refused);
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
        self.failures.extend(continued::check(edit, old, new));
        self.failures.extend(folded::check(edit, old, new));
        self.failures.extend(quotes::unquoted_tag(edit, old, new));
        self.notices.extend(inventory.twice);
        let labels = labels::check(edit, old, new);
        self.failures.extend(labels.refusals);
        self.notices.extend(labels.warnings);
        if self.failures.is_empty() {
            self.failures.extend(access::check(edit, old, new));
            self.failures.extend(attributes::check(edit, old, new));
        }
        if self.failures.is_empty() {
            let compared = neighbours::compare(edit, old, new);
            self.failures.extend(compared.refused);
            self.notices.extend(compared.unread);
            self.notices
                .extend(attributes::of_parameters(edit, old, new));
            self.notices.extend(operands::check(edit, old, new));
            self.notices.extend(tuples::check(edit, old, new));
            self.notices.extend(quotes::check(edit, old, new));
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
    pub(super) fn weighed(&self, mode: CheckMode) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let (mut errors, mut warnings) = (self.fatal.clone(), self.notices.clone());
        match mode {
            CheckMode::Interactive => warnings.extend_from_slice(&self.failures),
            CheckMode::Strict | CheckMode::VerifyOnly => errors.extend_from_slice(&self.failures),
        }
        (errors, warnings)
    }
}

/// Returns what refuses a part of an edit, judged without the rest; nothing of what does not parse by itself.
fn refused_apart(part: &FileEdit, before: &File) -> Option<Vec<Diagnostic>> {
    let after = part.after.as_ref()?;
    let new = Document::new(part.path.clone(), after.bytes.clone(), HashKind::Sha1);
    let (mut unsound, mut warnings) = (structure::check(part, Some(before), &new), Vec::new());
    parse::check(part, Some(before), &new, &mut unsound, &mut warnings);
    let actions = || template::check_actions(part, Some(before), after);
    if !unsound.is_empty()
        || template::check(part, Some(before), after)
            .or_else(actions)
            .is_some()
    {
        return None;
    }
    let old = old_document(part, before);
    let problems = inventory::check(part, &old, &new).problems;
    if !problems.is_empty() {
        // Who gives all headings of a page another level does it heading by heading.
        let is_page = old.language.is_some_and(is_markdown);
        return Some(problems).filter(|_| !is_page);
    }
    let mut refused: Vec<Diagnostic> = continued::check(part, &old, &new).into_iter().collect();
    // Of a language that is read by a guess or by lines both look at the same lines.
    if refused.is_empty() || !old.language.is_some_and(continued::is_by_lines) {
        refused.extend(neighbours::check_code(part, &old, &new));
    }
    refused.extend(
        embedded::changed(part, &old, &new)
            .iter()
            .flat_map(|script| script.neighbours()),
    );
    Some(refused)
}
