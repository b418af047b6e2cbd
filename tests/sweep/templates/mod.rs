//! Templates beside Jinja itself: its lexer on the templates of packages, and where the blocks of scaffolded files are, which
//! Jinja tells by the calls that render them.

mod accounts;

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;

use segedit::path::RepoPath;
use segedit::resolve::block::BlockKind;
use segedit::resolve::{Document, Reading};
use segedit::snapshot::{Blob, HashKind, Templates};
use segedit::syntax::jinja;
use serde_json::Value;

use crate::support::tools;
use accounts::{Token, Told};

/// Runs a script of `tests/oracles` by the Python that has Jinja and returns its lines; `None` where there is none.
fn ask(script: &str, arguments: &[&str]) -> Option<Vec<Value>> {
    if !tools::has("jinja2") {
        return None;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracles/");
    let run = Command::new(tools::folder().join("venv/bin/python"))
        .arg(format!("{path}{script}"))
        .args(arguments)
        .output();
    let run = run.expect("the Python of the tools starts");
    assert!(
        run.status.success(),
        "{script}: {}",
        String::from_utf8_lossy(&run.stderr)
    );
    let lines = String::from_utf8(run.stdout).expect("JSON is UTF-8");
    Some(
        lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect(),
    )
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

/// Returns what the program finds: for each block, the first of its lines that are not blank, and the one behind it.
fn found(case: &Value) -> BTreeMap<String, (usize, usize)> {
    let templates = case["templates"].as_object().expect("templates by name");
    let files: BTreeMap<RepoPath, Blob> = templates
        .iter()
        .map(|(name, source)| {
            (
                RepoPath::parse(&format!("t/{name}")).unwrap(),
                text(source).as_bytes().into(),
            )
        })
        .collect();
    let templates = Templates {
        folders: vec!["t/".to_owned()],
        paths: files.keys().cloned().collect(),
        files,
    };
    let source = text(&case["file"]);
    let document = Document::new(
        RepoPath::parse("a.txt").unwrap(),
        source.as_bytes().into(),
        HashKind::Sha1,
    );
    let document = document.among(&Arc::new(templates));
    let reading = Reading::of(&document);
    let lines = |end: usize| {
        source[..end]
            .lines()
            .filter(|line| !line.trim().is_empty())
            .count()
    };
    let blocks = reading
        .blocks()
        .list
        .iter()
        .filter(|block| block.sort == BlockKind::Scaffold);
    blocks
        .map(|block| {
            (
                block.name.clone(),
                (lines(block.open.start), lines(block.close.end)),
            )
        })
        .collect()
}

/// What was found of some blocks.
#[derive(Default)]
struct Count {
    there: usize,
    offered: usize,
    /// Those that can be told at all.
    decidable: usize,
    /// Those of them that were offered.
    told: usize,
    /// Those that somebody moved so that no reader could tell.
    beyond: usize,
    wrong: usize,
}

/// Precision has to be 1: a block whose extent is not certain is not offered. Recall is told, of all blocks and of those of which
/// anybody could tell where they are, and may not fall far below what it was when this was written. `SEGEDIT_SEED` makes other
/// templates. Beyond telling is what a hand made by chance look more like the template than it is: it filled one block with a line
/// of another, and emptied that.
#[test]
fn blocks_of_scaffolded_files_are_where_jinja_put_them() {
    let seed = std::env::var("SEGEDIT_SEED").unwrap_or_else(|_| "1".to_owned());
    let Some(cases) = ask("scaffolds.py", &[&seed, "400"]) else {
        return;
    };
    let mut counts: BTreeMap<(bool, u64), Count> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut renderings = Vec::new();
    for case in &cases {
        let found = found(case);
        let others = case["others"].as_array().expect("renderings");
        if !others.is_empty() {
            let tokens = |words: &Value| {
                words
                    .as_array()
                    .expect("words")
                    .iter()
                    .map(|word| Token::of(text(word)))
                    .collect()
            };
            renderings = others.iter().map(tokens).collect::<Vec<Vec<Token>>>();
        }
        let kind = (
            case["alike"] == true,
            case["edits"].as_u64().expect("a number"),
        );
        let count = counts.entry(kind).or_default();
        let truth = case["blocks"].as_object().expect("blocks by name");
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        let lines: Vec<&str> = text(&case["file"])
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let told = Told::of(&renderings, &lines);
        for (name, extent) in truth {
            count.there += 1;
            let is = (number(&extent[0]), number(&extent[1]));
            let is_decidable = told.is_decidable(name, is);
            count.decidable += usize::from(is_decidable);
            count.told += usize::from(is_decidable && found.contains_key(name));
            let Some(&(first, behind)) = found.get(name) else {
                continue;
            };
            count.offered += 1;
            if told.is_beyond(name, (first, behind), is) && is != (first, behind) {
                count.beyond += 1;
            } else if is != (first, behind) {
                count.wrong += 1;
                wrong.push(format!(
                    "{name}: found {first}..{behind}, is {extent} in\n{case:#}"
                ));
            }
        }
        let unknown: Vec<&String> = found
            .keys()
            .filter(|name| !truth.contains_key(*name))
            .collect();
        wrong.extend(
            unknown
                .iter()
                .map(|name| format!("{name}: is no block, or one within a line, of\n{case:#}")),
        );
    }
    for ((alike, edits), count) in &counts {
        let Count {
            there,
            offered,
            decidable,
            told,
            beyond,
            wrong,
        } = count;
        let recall = *offered as f64 / *there as f64;
        let recall_of_decidable = *told as f64 / *decidable as f64;
        let lines = if *alike {
            "many lines alike"
        } else {
            "few lines alike"
        };
        println!(
            "{lines}, {edits} edits: {there} blocks, {offered} offered (recall {recall:.3}), {wrong} wrong, {beyond} beyond telling; {decidable} decidable (recall {recall_of_decidable:.3})"
        );
    }
    let sum = |of: fn(&Count) -> usize| counts.values().map(of).sum::<usize>();
    println!(
        "{} files, {} blocks, {} offered, {} wrong",
        cases.len(),
        sum(|c| c.there),
        sum(|c| c.offered),
        sum(|c| c.wrong)
    );
    assert!(
        wrong.is_empty(),
        "{} wrong, the first: {}",
        wrong.len(),
        wrong[0]
    );
    assert!(
        sum(|count| count.there) > 3000,
        "too few blocks to say anything"
    );
    assert!(
        sum(|count| count.beyond) * 500 < sum(|count| count.offered),
        "much that no reader could tell is offered"
    );
    for (kind, least) in [
        ((false, 0), 0.7),
        ((true, 0), 0.57),
        ((false, 8), 0.27),
        ((true, 8), 0.18),
    ] {
        let recall = counts[&kind].offered as f64 / counts[&kind].there as f64;
        assert!(
            recall > least,
            "{kind:?}: {recall:.3} of all blocks are offered"
        );
    }
}

/// Returns the pieces of a template as the oracle writes them.
fn pieces(source: &str) -> Option<Vec<Value>> {
    let found = jinja::pieces(source.as_bytes()).ok()?;
    let told = found.iter().enumerate().map(|(at, piece)| {
        let mut text = &source[piece.inner.start..piece.inner.end];
        let sort = match piece.sort {
            jinja::TemplatePieceKind::Data => {
                let trimmed = |at: Option<usize>| at.and_then(|at| found.get(at));
                if trimmed(at.checked_sub(1)).is_some_and(|ahead| ahead.trims_after) {
                    text = text.trim_start();
                }
                if trimmed(Some(at + 1)).is_some_and(|behind| behind.trims_before) {
                    text = text.trim_end();
                }
                "text"
            }
            jinja::TemplatePieceKind::Comment => "note",
            jinja::TemplatePieceKind::Expression => "value",
            jinja::TemplatePieceKind::Statement => "tag",
            jinja::TemplatePieceKind::Raw => "raw",
        };
        let compact = matches!(sort, "value" | "tag");
        let text = if compact {
            text.split_whitespace().collect()
        } else {
            text.to_owned()
        };
        (sort, text)
    });
    Some(
        told.filter(|(_, text)| !text.is_empty())
            .map(|(sort, text)| serde_json::json!([sort, text]))
            .collect(),
    )
}

#[test]
fn real_templates_are_read_as_jinja_reads_them() {
    let folder = tools::folder().join("templates");
    let Some(cases) = ask(
        "templates.py",
        &[folder.to_str().expect("the folder has a plain name")],
    ) else {
        return;
    };
    let (mut count, mut blocks, mut refused) = (0, 0, 0);
    for case in &cases {
        let (path, source) = (text(&case["path"]), text(&case["source"]));
        let Some(expected) = case["pieces"].as_array() else {
            refused += 1;
            continue;
        };
        let found = pieces(source).unwrap_or_else(|| panic!("{path} cannot be read"));
        for (ours, theirs) in found.iter().zip(expected) {
            assert_eq!(ours, theirs, "{path}");
        }
        assert_eq!(found.len(), expected.len(), "{path}");
        count += found.len();
        if let Some(expected) = case["blocks"].as_array() {
            let found = jinja::blocks(source.as_bytes())
                .unwrap_or_else(|broken| panic!("{path}: {broken:?}"));
            let line = |at: usize| 1 + source[..at].matches('\n').count();
            let found: Vec<Value> = found
                .iter()
                .map(|block| serde_json::json!([block.name, line(block.open.start)]))
                .collect();
            assert_eq!(&found, expected, "{path}");
            blocks += found.len();
        }
    }
    println!(
        "{} templates, {count} pieces, {blocks} blocks; Jinja refuses {refused}",
        cases.len()
    );
    assert!(
        cases.len() > 200 && count > 5000,
        "too few templates to say anything"
    );
}
