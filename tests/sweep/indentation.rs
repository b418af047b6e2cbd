//! The two laws of indentation, on every function of real files, with CPython as the judge: taken out of its place and put
//! back a function is byte for byte the same; written in another unit and fitted in, it means the same. Skipped, saying so,
//! where there is no `python3`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use rayon::prelude::*;
use segedit::syntax::SegmentKind;
use segedit::syntax::python::PYTHON;
use segedit::text::indent::{self, IndentSyntax, IndentTarget, Problem, Unit};

use crate::support::sources;

/// So many files give their functions.
const SAMPLE: usize = 900;

/// Files with functions that come back otherwise, and why.
const KNOWN: &[(&str, &str)] = &[(
    "sympy/vector/implicitregion.py",
    "bodies two steps deep in which all other bodies are one step deep",
)];

/// A function as the oracle wrote it; `unit` is empty where only the margin is off.
#[derive(Debug, serde::Deserialize)]
struct Content {
    path: String,
    line: usize,
    parent: Option<String>,
    unit: String,
    base: String,
    original: String,
    content: String,
}

/// Runs the oracle and returns the lines that it prints, or `None` if there is no Python to run it.
fn ask(what: &str, input: Vec<u8>) -> Option<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracles/reindent.py");
    let mut command = Command::new("python3");
    command
        .args(["-I", "-X", "utf8"])
        .arg(path)
        .arg(what)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let Ok(mut oracle) = command.spawn() else {
        println!("skipped: there is no python3 on this machine");
        return None;
    };
    let mut stdin = oracle.stdin.take().expect("it is piped");
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = oracle
        .wait_with_output()
        .expect("the oracle runs to its end");
    writer
        .join()
        .expect("the writer does not panic")
        .expect("the oracle reads all its input");
    assert!(output.status.success(), "the oracle failed");
    Some(
        String::from_utf8(output.stdout)
            .expect("the oracle prints UTF-8")
            .lines()
            .map(str::to_owned)
            .collect(),
    )
}

impl Content {
    /// Puts the content back where the function stood.
    fn fitted(&self) -> Result<Vec<u8>, Problem> {
        let parent = match self.parent.as_deref() {
            Some("class") => Some(SegmentKind::Class),
            Some(_) => Some(SegmentKind::Function),
            None => None,
        };
        let grammar = PYTHON.grammar;
        let comments = PYTHON.habits.line_comments;
        let standing = indent::unit_of(
            self.original.as_bytes(),
            &grammar.line_roles(self.original.as_bytes(), parent),
            comments,
        );
        let place = IndentTarget {
            unit: standing.or(Some(Unit::Spaces(4))),
            line_comments: comments,
            ..IndentTarget::at(self.base.as_bytes(), IndentSyntax::Offside)
        };
        indent::fit(
            self.content.as_bytes(),
            &grammar.line_roles(self.content.as_bytes(), parent),
            &place,
        )
    }

    fn result(&self) -> String {
        match self.fitted() {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(Problem::Mixed { line }) => format!("refused for its line {line}"),
        }
    }
}

#[test]
fn every_function_comes_back_the_same_and_means_the_same() {
    let files = sources::sample(sources::files(&[".py"]), SAMPLE);
    let listed: String = files
        .iter()
        .map(|file| format!("{}\n", file.display()))
        .collect();
    let Some(lines) = ask("make", listed.into_bytes()) else {
        return;
    };
    let contents: Vec<Content> = lines
        .par_iter()
        .map(|line| serde_json::from_str(line).expect("the oracle prints JSON"))
        .collect();
    let results: Vec<String> = contents.par_iter().map(Content::result).collect();
    let (taken_off, foreign): (Vec<_>, Vec<_>) = contents
        .iter()
        .zip(&results)
        .partition(|(content, _)| content.unit.is_empty());

    // What is joined to the line above it inside of a docstring keeps its bytes, which the oracle takes off.
    let is_known = |content: &Content| {
        content.original.contains("\\\n")
            || KNOWN.iter().any(|(file, _)| content.path.ends_with(file))
    };
    let changed: Vec<&(&Content, &String)> = taken_off
        .iter()
        .filter(|(content, result)| content.original != **result && !is_known(content))
        .collect();
    for (content, result) in changed.iter().take(5) {
        println!(
            "{}:{}\n{}\n--- came back as\n{result}\n",
            content.path, content.line, content.original
        );
    }

    let question: Vec<String> = foreign
        .iter()
        .map(|(content, result)| {
            let place = format!("{}:{} {:?}", content.path, content.line, content.unit);
            serde_json::json!({"place": place, "original": content.original, "result": result})
                .to_string()
                + "\n"
        })
        .collect();
    let verdict = ask("judge", question.concat().into_bytes()).expect("python3 answered before");
    let (numbers, different) = verdict
        .split_last()
        .expect("the oracle ends with its numbers");
    for answer in different.iter().take(5) {
        let answer: serde_json::Value =
            serde_json::from_str(answer).expect("the oracle prints JSON");
        for key in ["place", "error", "original", "result"] {
            println!("--- {key}\n{}", answer[key].as_str().unwrap_or_default());
        }
    }
    println!(
        "{} functions came back, {} of them changed; other units: {numbers}",
        taken_off.len(),
        changed.len()
    );
    assert!(
        taken_off.len() > 1000 && foreign.len() > 1000,
        "the oracle found too few functions"
    );
    assert!(
        changed.is_empty(),
        "{} functions came back changed",
        changed.len()
    );
    assert!(
        different.is_empty(),
        "{} functions mean something else",
        different.len()
    );
}
