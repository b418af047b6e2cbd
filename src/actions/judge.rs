//! Judges what git already holds: what is staged, and the commits of a push. Nobody's operations, so nothing to resolve
//! or to publish; the same checks.
//!
//! Each commit is judged against its first parent: it answers for what it changed, not for what it found. By syntax and by
//! the validators that the parent asks for; there are no edits that drift or inventory could hold it to, and nothing is
//! formatted, because nothing is published.

use std::path::Path;

use super::describe;
use super::outcome::{Ledger, Outcome, Status, Subject};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Arrival, ChangedFiles, KnownCommits, ReadSource, Repo};
use crate::linters::{self, ConfiguredLinters, LinterContext};
use crate::manifest::{self, CheckMode, Destination};
use crate::plan::Candidate;
use crate::resolve::document::MAX_PARSED_BYTES;
use crate::snapshot::Id;
use crate::syntax::{language_of, left_out_language};
use crate::verify;

/// Most commits of one push that are judged.
const MOST_COMMITS: usize = 1000;

/// What is told in a few words what is going on.
type JudgeProgress = dyn Fn(&str) + Send + Sync;

/// The refs that a push moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Push {
    /// What they shall name.
    tips: Vec<Id>,
    /// What they name now, as far as anybody said.
    seen: Vec<Id>,
}

impl Push {
    /// Reads what git tells a pre-push hook, a line for each ref:
    /// `<local ref> <local object> <remote ref> <remote object>`.
    pub fn to_remote(lines: &str) -> Result<Push, Diagnostic> {
        // From the right, because the local ref comes as it was typed, and `HEAD^{/two words}` has a space.
        Push::read(lines, |line| {
            let mut words = line.rsplitn(4, ' ');
            let (seen, _remote, tip) = (words.next()?, words.next()?, words.next()?);
            words.next().map(|_local| (tip, seen))
        })
        .map_err(|error| {
            error.note("a line is `<local ref> <local object> <remote ref> <remote object>`")
        })
    }

    /// Reads what git tells a pre-receive hook, a line for each ref: `<old object> <new object> <ref>`.
    pub fn received(lines: &str) -> Result<Push, Diagnostic> {
        Push::read(lines, |line| {
            let mut words = line.splitn(3, ' ');
            let (seen, tip) = (words.next()?, words.next()?);
            words.next().map(|_ref| (tip, seen))
        })
        .map_err(|error| error.note("a line is `<old object> <new object> <ref>`"))
    }

    fn read(lines: &str, words: impl Fn(&str) -> Option<(&str, &str)>) -> Result<Push, Diagnostic> {
        let mut push = Push::default();
        for line in lines.lines() {
            let ids =
                words(line).and_then(|(tip, seen)| Some((parse_object(tip)?, parse_object(seen)?)));
            let Some((tip, seen)) = ids else {
                let message = format!("`{}` is not a line that git gives to a hook", shown(line));
                return Err(Diagnostic::new(Code::Malformed, message));
            };
            push.tips.extend(tip);
            push.seen.extend(seen);
        }
        Ok(push)
    }
}

/// Reads an object's name: `Some(None)` is git's zeros, which stand for no object, as when a branch is deleted.
fn parse_object(word: &str) -> Option<Option<Id>> {
    let is_name =
        matches!(word.len(), 40 | 64) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_name.then(|| {
        word.bytes()
            .any(|byte| byte != b'0')
            .then(|| Id(word.to_ascii_lowercase()))
    })
}

/// Judges what is staged. The files of the worktree have no say.
pub fn check_staged(repo_dir: &Path, progress: &JudgeProgress) -> Outcome {
    let blank = blank_outcome(
        Subject::Staged,
        Destination::Cached,
        "what is staged".to_owned(),
    );
    let judged = || {
        let repo = Repo::open(repo_dir)?.starting_only_the_callers();
        let changed = repo.staged_changes(MAX_PARSED_BYTES as u64)?;
        let base = repo.head()?.commit().cloned();
        check_changes(
            &repo,
            changed,
            progress,
            Outcome {
                base,
                ..blank.clone()
            },
        )
    };
    judged().unwrap_or_else(|error: Diagnostic| {
        let errors = vec![error];
        Outcome {
            status: Status::of(&errors),
            errors,
            ..blank.clone()
        }
    })
}

/// Judges each commit that a push brings to where only `known` is known, parents first. `progress` is told which.
pub fn check_push(
    repo_dir: &Path,
    push: &Push,
    known: KnownCommits,
    progress: &JudgeProgress,
) -> Result<Vec<Outcome>, Vec<Diagnostic>> {
    let judged = || {
        let repo = Repo::open(repo_dir)?.starting_only_the_callers();
        let (arrivals, more) = repo.arrivals(&push.tips, &push.seen, known, MOST_COMMITS)?;
        let mut outcomes = Vec::new();
        for (at, arrival) in arrivals.iter().enumerate() {
            progress(&format!("judging commit {} of {}", at + 1, arrivals.len()));
            outcomes.push(check_commit(&repo, arrival, progress)?);
        }
        if more && let Some(first) = outcomes.first_mut() {
            let message = format!("only the newest {MOST_COMMITS} of the new commits were judged");
            first
                .warnings
                .push(Diagnostic::new(Code::TooLarge, message));
        }
        Ok(outcomes)
    };
    judged().map_err(|error| vec![error])
}

fn check_commit(
    repo: &Repo,
    arrival: &Arrival,
    progress: &JudgeProgress,
) -> Result<Outcome, Diagnostic> {
    let id = &arrival.commit;
    let name = format!(
        "commit {} {}",
        id.0.get(..8).unwrap_or(&id.0),
        shown(&repo.subject_of(id)?)
    );
    let parent = arrival
        .parent
        .as_ref()
        .map(|parent| repo.tree_of(parent))
        .transpose()?;
    let merged: Result<Vec<Id>, Diagnostic> = arrival
        .merged
        .iter()
        .map(|parent| repo.tree_of(parent))
        .collect();
    let changed = repo
        .changes_between(
            parent.as_ref(),
            &merged?,
            &repo.tree_of(id)?,
            MAX_PARSED_BYTES as u64,
        )
        .map_err(|error| error.note(format!("while judging {}", name.trim_end())))?;
    let blank = blank_outcome(
        Subject::Commit,
        Destination::Commit,
        name.trim_end().to_owned(),
    );
    check_changes(
        repo,
        changed,
        progress,
        Outcome {
            base: arrival.parent.clone(),
            commit: Some(id.clone()),
            ..blank
        },
    )
}

/// Says in `outcome` what the checks make of `changed`. What a merge took over as it is was there before: no more than its base.
fn check_changes(
    repo: &Repo,
    changed: ChangedFiles,
    progress: &JudgeProgress,
    mut outcome: Outcome,
) -> Result<Outcome, Diagnostic> {
    outcome.warnings = not_read(&changed);
    let taken_over = changed.taken_over;
    let candidate = Candidate::of_changes(changed.changes);
    outcome.files = describe::describe_files(&candidate, repo.hash_kind(), false);
    let (mut errors, warnings) = verify::syntax(&candidate);
    outcome.warnings.extend(warnings);
    if errors.is_empty() {
        let source = match &outcome.base {
            Some(commit) => ReadSource::Commit {
                commit: commit.clone(),
                tree: repo.tree_of(commit)?,
            },
            None => ReadSource::Unborn { tree: None },
        };
        match ConfiguredLinters::of(repo, &source) {
            Ok(None) => {}
            Ok(Some(linters)) => {
                let context = LinterContext {
                    repo,
                    source: &source,
                    earlier: &taken_over,
                    linters: &linters,
                    progress,
                };
                let report = linters::validate_as_it_is(&candidate, &context)?.into_report();
                outcome.validators = report.verdicts;
                outcome.warnings.extend(report.warnings);
                errors = report.errors;
            }
            Err(complaints) if linters::fixes_config(candidate.changes()) => {
                outcome.warnings.extend(complaints)
            }
            Err(complaints) => errors = complaints,
        }
    }
    outcome.status = match (errors.is_empty(), outcome.files.is_empty()) {
        (false, _) => Status::of(&errors),
        (true, true) => Status::Unchanged,
        (true, false) => Status::Verified,
    };
    outcome.errors = errors;
    Ok(outcome)
}

/// Returns what to say of files that nobody looked into, though somebody could have.
fn not_read(changed: &ChangedFiles) -> Vec<Diagnostic> {
    let read_by_name = changed
        .oversized
        .iter()
        .filter(|path| language_of(path).is_some());
    let too_large = read_by_name.map(|path| {
        let message = format!(
            "the syntax of {path} was not checked: files up to {MAX_PARSED_BYTES} bytes are parsed"
        );
        Diagnostic::new(Code::TooLarge, message)
    });
    let unnamed = changed.unnamed.iter().map(|name| {
        Diagnostic::new(
            Code::PathRefused,
            format!("{} was not checked: paths are UTF-8", shown(name)),
        )
    });
    let left_out = changed.changes.iter().filter_map(|change| {
        let language = change
            .after
            .as_ref()
            .and_then(|_| left_out_language(&change.path))?;
        let (path, name) = (&change.path, language.name);
        let message = format!("the syntax of {path} was not checked: this build leaves out {name}");
        Some(Diagnostic::new(Code::UnsupportedLanguage, message))
    });
    too_large.chain(unnamed).chain(left_out).collect()
}

fn blank_outcome(subject: Subject, destination: Destination, name: String) -> Outcome {
    Outcome {
        status: Status::Unchanged,
        subject,
        batch: None,
        destination,
        mode: CheckMode::VerifyOnly,
        base: None,
        reference: None,
        commit: None,
        operations: Vec::new(),
        files: Vec::new(),
        formatters: Vec::new(),
        validators: Vec::new(),
        ledger: Ledger::default(),
        warnings: Vec::new(),
        errors: Vec::new(),
        source: manifest::ManifestText {
            name,
            text: String::new(),
        },
        conversation: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gits_lines_are_read_and_others_refused() {
        let (one, two, none) = ("1".repeat(40), "2".repeat(64), "0".repeat(40));
        let ids = |ids: &[&str]| ids.iter().map(|&id| Id(id.to_owned())).collect::<Vec<_>>();
        let pushed = |lines: &str, tips: &[&str], seen: &[&str]| {
            assert_eq!(
                Push::to_remote(lines),
                Ok(Push {
                    tips: ids(tips),
                    seen: ids(seen)
                }),
                "{lines}"
            );
        };
        pushed("", &[], &[]);
        pushed(
            &format!("refs/heads/a {one} refs/heads/b {two}\n"),
            &[&one],
            &[&two],
        );
        pushed(
            &format!("HEAD^{{/two words}} {one} refs/heads/b {none}\n"),
            &[&one],
            &[],
        );
        pushed(
            &format!("(delete) {none} refs/heads/b {two}\nx {one} y {none}"),
            &[&one],
            &[&two],
        );
        let received = Push::received(&format!(
            "{none} {two} refs/heads/x\n{one} {none} refs/tags/y\n"
        ));
        assert_eq!(
            received,
            Ok(Push {
                tips: ids(&[&two]),
                seen: ids(&[&one])
            })
        );
        for line in [
            "\n",
            "refs/heads/a 1 refs/heads/b 2\n",
            &format!("{one} {two}\n"),
            &format!("a {one} b --all\n"),
        ] {
            assert_eq!(
                Push::to_remote(line).map_err(|error| error.code),
                Err(Code::Malformed),
                "{line}"
            );
            assert_eq!(
                Push::received(line).map_err(|error| error.code),
                Err(Code::Malformed),
                "{line}"
            );
        }
    }
}
