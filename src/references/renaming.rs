//! `Renaming`: what a name is changed to, and every place that changes with it, or why not.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::analysis::Analysis;
use super::clashes::{is_special, unfit};
use super::reference::{References, Verdict};
use super::sources::is_python;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{OnUnsure, RenameTerms, SymbolSelector};
use crate::path::RepoPath;
use crate::text::Span;

/// A place that changes, and what is written there then.
#[derive(Clone, Debug)]
pub struct RenamedPlace {
    /// Where it is.
    pub span: Span,
    /// The new word.
    pub to: Rc<str>,
}

/// Every place that changes.
#[derive(Clone, Debug)]
pub struct Renaming {
    /// By file, in order.
    pub places: BTreeMap<RepoPath, Vec<RenamedPlace>>,
    /// All places, each with its verdict.
    pub references: References,
}

/// Why there is none, and what was found.
#[derive(Clone, Debug)]
pub struct RenameRefused {
    /// The refusal.
    pub diagnostic: Box<Diagnostic>,
    /// Every place, where they were looked for.
    pub references: Option<Box<References>>,
}

impl From<Diagnostic> for RenameRefused {
    fn from(diagnostic: Diagnostic) -> RenameRefused {
        RenameRefused {
            diagnostic: Box::new(diagnostic),
            references: None,
        }
    }
}

/// So many places are named in a refusal; all of them are in the report.
const MOST_NAMED: usize = 20;

/// Returns every place where the word of `symbol` is written that is defined in the file at `path`.
pub(crate) fn references(
    analysis: &Analysis,
    path: &RepoPath,
    symbol: &SymbolSelector,
) -> Result<References, Diagnostic> {
    check_language(analysis, path)?;
    let target = analysis.renamable(path, symbol)?;
    let places = analysis.places(&target);
    Ok(analysis.told(&target, &places))
}

/// Returns what changes when `symbol`, defined in the file at `path`, gets the name `new`. Places that are not certain, and would
/// refuse it, are given to `settle`, which may know more of them, or says what would.
pub(crate) fn rename(
    analysis: &Analysis,
    path: &RepoPath,
    symbol: &SymbolSelector,
    (new, terms): (&str, RenameTerms),
    settle: impl FnOnce(&mut References) -> Result<Option<String>, Diagnostic>,
) -> Result<Renaming, RenameRefused> {
    check_language(analysis, path)?;
    if let Some(why) = unfit(new) {
        let message = format!("`{}` {why}", shown(new));
        return Err(Diagnostic::new(Code::NameClash, message).into());
    }
    let target = analysis.renamable(path, symbol)?;
    if is_special(&target.word) || is_special(new) && !terms.allows_clash {
        let special = if is_special(new) { new } else { &target.word };
        let message = format!("`{special}` is a name that Python itself looks for");
        return Err(Diagnostic::new(Code::NameClash, message).into());
    }
    let places = analysis.places(&target);
    let references = analysis.told(&target, &places);
    let refuse = |references: &References, diagnostic: Diagnostic| RenameRefused {
        diagnostic: Box::new(diagnostic),
        references: Some(Box::new(references.clone())),
    };
    if !terms.allows_clash && new != target.word {
        let clashes = analysis.clashes(&target, &places, new);
        if !clashes.is_empty() {
            let count = clashes.len();
            let message = match count {
                1 => format!("`{}` cannot become `{new}`: that is taken", target.word),
                _ => format!(
                    "`{}` cannot become `{new}`: that is taken in {count} places",
                    target.word
                ),
            };
            let mut refusal = Diagnostic::new(Code::NameClash, message);
            for clash in clashes.iter().take(MOST_NAMED) {
                let bytes = analysis.sources.bytes(clash.file);
                let lines = crate::text::Lines::of(bytes);
                let told = analysis.reference(clash.file, clash.span, Verdict::Other, None, &lines);
                refusal = refusal.note(format!(
                    "{}, line {}: {}",
                    told.address, told.line, clash.what
                ));
            }
            let refusal = refusal.note("`clash: allow` renames it all the same");
            return Err(refuse(&references, refusal));
        }
    }
    let mut references = references;
    let is_doubtful = references.with(Verdict::Unsure).next().is_some();
    let unasked = match is_doubtful && matches!(terms.unsure, OnUnsure::Refuse | OnUnsure::Ask) {
        true => settle(&mut references)?,
        false => None,
    };
    let to: Rc<str> = Rc::from(new);
    let renamed = renamed(references, path, terms, |_, _| Some(Rc::clone(&to)));
    renamed.map_err(|mut refused| {
        if let Some(why) = unasked {
            *refused.diagnostic = refused.diagnostic.note(why);
        }
        refused
    })
}

/// Returns the places among `references` that `terms` have changed, each with its new word; `path` is that of what gets a name. Refused are
/// those that are not certain, unless `terms` say what is to become of them.
pub(crate) fn renamed(
    mut references: References,
    path: &RepoPath,
    terms: RenameTerms,
    word: impl Fn(&RepoPath, Span) -> Option<Rc<str>>,
) -> Result<Renaming, RenameRefused> {
    let refused = |diagnostic: Diagnostic, references: References| RenameRefused {
        diagnostic: Box::new(diagnostic),
        references: Some(Box::new(references)),
    };
    if matches!(terms.unsure, OnUnsure::Refuse | OnUnsure::Ask)
        && references.unsure().next().is_some()
    {
        let way_out = "`unsure: keep` leaves them, `unsure: change` changes them too";
        return Err(refused(not_certain(&references, way_out), references));
    }
    let changed = match changed_places(&mut references, path, terms) {
        Ok(changed) => changed,
        Err(diagnostic) => return Err(refused(diagnostic, references)),
    };
    let places = changed.into_iter().map(|(path, spans)| {
        let renamed = spans.into_iter().filter_map(|span| {
            let to = word(&path, span)?;
            Some(RenamedPlace { span, to })
        });
        let renamed = renamed.collect();
        (path, renamed)
    });
    Ok(Renaming {
        places: places.collect(),
        references,
    })
}

/// Marks the places that `terms` have changed, and returns them by file; `path` is that of what gets a name.
fn changed_places(
    references: &mut References,
    path: &RepoPath,
    terms: RenameTerms,
) -> Result<BTreeMap<RepoPath, Vec<Span>>, Diagnostic> {
    let is_changed = |verdict: Verdict| match verdict {
        Verdict::Certain => true,
        Verdict::Unsure => terms.unsure == OnUnsure::Change,
        Verdict::Mention => terms.changes_mentions,
        Verdict::Other => false,
    };
    let mut by_path: BTreeMap<RepoPath, Vec<Span>> = BTreeMap::new();
    let mut beyond = Vec::new();
    let places = references.places.iter_mut();
    for place in places.filter(|place| is_changed(place.verdict)) {
        if terms.is_for_one_file && place.path != *path {
            if place.verdict == Verdict::Certain {
                beyond.push(place.clone());
            }
            continue;
        }
        place.is_changed = true;
        by_path
            .entry(place.path.clone())
            .or_default()
            .push(place.span);
    }
    if !beyond.is_empty() {
        let message = format!(
            "`{}` is used outside of {path}, which `scope: file` would leave as it is",
            references.word
        );
        let refusal = beyond.iter().take(MOST_NAMED).fold(
            Diagnostic::new(Code::NotCertain, message),
            |refusal, place| refusal.note(format!("{}, line {}", place.address, place.line)),
        );
        let refusal = refusal.note("`scope: project` changes them, too");
        return Err(refusal);
    }
    Ok(by_path)
}

/// Refuses for the places that are not certain, with what to do about them.
pub(crate) fn not_certain(references: &References, way_out: &str) -> Diagnostic {
    let unsure: Vec<_> = references.unsure().collect();
    let message = match unsure.len() {
        1 => format!("1 place of `{}` is not certain", references.word),
        count => format!("{count} places of `{}` are not certain", references.word),
    };
    let mut refusal = Diagnostic::new(Code::NotCertain, message);
    for place in unsure.iter().take(MOST_NAMED) {
        let reason = place.reason.as_deref().unwrap_or("it may be another");
        refusal = refusal.note(format!("{}, line {}: {reason}", place.address, place.line));
    }
    if unsure.len() > MOST_NAMED {
        refusal = refusal.note(format!("… and {} more", unsure.len() - MOST_NAMED));
    }
    refusal.note(way_out)
}

/// Says whether names of a file are Python's; a file that is not there is missed by who looks for it.
pub(super) fn has_python(analysis: &Analysis, path: &RepoPath) -> bool {
    let file = analysis.sources.at(path.as_str());
    is_python(path) || file.is_some_and(|file| analysis.sources.is_python(file))
}

/// Refuses what is in no file of a language that is known here: those of JavaScript are looked at elsewhere.
fn check_language(analysis: &Analysis, path: &RepoPath) -> Result<(), Diagnostic> {
    if has_python(analysis, path) {
        return Ok(());
    }
    let message = format!(
        "names are followed in Python, JavaScript and TypeScript, and {path} is none of them"
    );
    Err(Diagnostic::new(Code::UnsupportedLanguage, message)
        .note("a language server that `.segedit.yaml` names is asked about other languages: `servers: [{preset: typescript}]`")
        .note("`substitute` replaces a text or a pattern in many files"))
}
