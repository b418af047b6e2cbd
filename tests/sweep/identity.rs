//! The law of identity on real files: a segment replaced by itself, its indentation taken off, leaves the file as it was.
//!
//! Every function, method and class of Python files that others wrote, one at a time. Indentation is taken
//! off as `textwrap.dedent` would, but for lines inside of strings that are no docstrings, which keep their bytes.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use segedit::manifest::{Operation, Scoped, Selector, SymbolSelector, Verb};
use segedit::path::RepoPath;
use segedit::plan::action::{edits_of, plan_operation};
use segedit::plan::edit::Edit;
use segedit::plan::overlap::compose;
use segedit::resolve::{Document, Reading};
use segedit::snapshot::HashKind;
use segedit::syntax::SegmentKind;
use segedit::text::indent::LineRole;

use crate::support::sources;

#[test]
fn every_function_of_a_real_file_replaced_by_itself_leaves_the_file_as_it_was() {
    let files = sources::sample(sources::files(&[".py"]), 1_700);
    let (segments, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let differing: Vec<String> = files
        .par_iter()
        .flat_map(|file| differing(file, &segments, &refused))
        .collect();
    println!(
        "identity: {} files, {} segments, {} refused, {} differ",
        files.len(),
        segments.load(Ordering::Relaxed),
        refused.load(Ordering::Relaxed),
        differing.len()
    );
    assert!(
        differing.is_empty(),
        "{} differ:\n{}",
        differing.len(),
        differing[..differing.len().min(40)].join("\n")
    );
    assert!(
        segments.load(Ordering::Relaxed) > 1_000,
        "real files have more functions than that"
    );
}

/// Returns the segments of one file that do not come back as they were.
fn differing(file: &PathBuf, segments: &AtomicUsize, refused: &AtomicUsize) -> Vec<String> {
    let Ok(bytes) = std::fs::read(file) else {
        return Vec::new();
    };
    let path = RepoPath::parse("module.py").unwrap();
    let document = Document::new(path.clone(), bytes.into(), HashKind::Sha1);
    let Some(language) = document
        .language
        .filter(|language| language.grammar.errors(&document.bytes).is_empty())
    else {
        return Vec::new();
    };
    let reading = Reading::of(&document);
    let mut differing = Vec::new();
    for named in reading.named() {
        if !matches!(
            named.symbol.kind,
            SegmentKind::Function
                | SegmentKind::Method
                | SegmentKind::Class
                | SegmentKind::Variable
        ) {
            continue;
        }
        let span = document.widened(named.symbol.definition);
        let parent = reading.parent(named).map(|parent| parent.symbol.kind);
        let segment = span.of(&document.bytes);
        let Ok(text) = std::str::from_utf8(segment) else {
            continue;
        };
        let content = dedented(text, &language.grammar.line_roles(segment, parent));
        let verb = Verb::Replace {
            selector: Some(Scoped::from(Selector::Symbol(
                SymbolSelector::parse(&named.address()).unwrap(),
            ))),
            part: None,
            content,
            indent: None,
            expect: None,
        };
        let operation = Operation::on(path.clone(), verb);
        segments.fetch_add(1, Ordering::Relaxed);
        let what = match plan_operation(&reading, &operation) {
            Ok(act) => {
                let edits: Vec<Edit> = edits_of(&act, 0).collect();
                let splices = compose(&document, &edits, std::slice::from_ref(&operation)).unwrap();
                if splices.apply(&document.bytes) == *document.bytes {
                    continue;
                } else {
                    "differs".to_owned()
                }
            }
            Err(error) => {
                refused.fetch_add(1, Ordering::Relaxed);
                error.message
            }
        };
        let line = document.lines().line(span.start);
        differing.push(format!(
            "{}:{line} {}: {what}",
            file.display(),
            named.address()
        ));
    }
    differing
}

/// Returns `text` without the margin that its lines share; lines inside of strings keep their bytes.
pub(crate) fn dedented(text: &str, roles: &[LineRole]) -> String {
    let moves = |at: usize| !matches!(roles.get(at), Some(LineRole::Frozen));
    let lines: Vec<&str> = text.split('\n').collect();
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let mut margin: Option<&str> = None;
    for (at, line) in lines.iter().enumerate() {
        if !moves(at) || line.trim().is_empty() {
            continue;
        }
        let own = &line[..blanks(line)];
        margin = Some(match margin {
            None => own,
            Some(margin) => {
                let shared = margin
                    .bytes()
                    .zip(own.bytes())
                    .take_while(|(left, right)| left == right)
                    .count();
                &margin[..shared]
            }
        });
    }
    let margin = margin.unwrap_or_default();
    let take_off = |(at, line): (usize, &&str)| match line.strip_prefix(margin) {
        Some(rest) if moves(at) => rest.to_owned(),
        _ if moves(at) && line.trim().is_empty() => String::new(),
        _ => (*line).to_owned(),
    };
    lines
        .iter()
        .enumerate()
        .map(take_off)
        .collect::<Vec<_>>()
        .join("\n")
}
