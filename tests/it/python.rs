//! Python read by us and by CPython: the same segments in the machine's whole standard library, the same verdict on
//! thousands of mutants of it. Skipped, saying so, where there is no `python3`.
//!
//! `SEGEDIT_SWEEP=all` takes what is installed beside the standard library too.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rayon::prelude::*;
use segedit::syntax::python::{errors_of, parsed_outline, recovered_outline};
use segedit::syntax::{Kind, Symbol};
use segedit::text::Span;

/// Returns the standard library's folder and the interpreter's minor version.
fn library() -> Option<(PathBuf, u8)> {
    let script = "import sysconfig, sys; print(sysconfig.get_paths()['stdlib'], sys.version_info[1], sep='\\n')";
    let output =
        Command::new("python3").args(["-I", "-c", script]).output().ok().filter(|output| output.status.success());
    let Some(output) = output else {
        println!("skipped: there is no python3 on this machine");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines();
    Some((PathBuf::from(lines.next()?), lines.next()?.parse().ok()?))
}

/// Returns every Python file of the standard library, sorted.
fn files(library: &Path) -> Vec<PathBuf> {
    let everything = std::env::var_os("SEGEDIT_SWEEP").is_some_and(|value| value == "all");
    let mut found = Vec::new();
    let mut folders = vec![library.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && (everything || entry.file_name() != "site-packages") => folders.push(path),
                Ok(kind) if kind.is_file() && path.extension().is_some_and(|ending| ending == "py") => found.push(path),
                _ => {}
            }
        }
    }
    found.retain(|path| path.to_str().is_some_and(|path| !path.contains('\n')));
    found.sort();
    found
}

/// Runs a script of `tests/oracles` on `input` and returns what it prints.
fn ask(script: &str, input: Vec<u8>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracles").join(script);
    let mut command = Command::new("python3");
    command.arg("-I").arg(path).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut oracle = command.spawn().expect("python3 answered before");
    let mut stdin = oracle.stdin.take().expect("it is piped");
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = oracle.wait_with_output().expect("the oracle runs to its end");
    writer.join().expect("the writer does not panic").expect("the oracle reads all its input");
    assert!(output.status.success(), "the oracle {script} failed");
    String::from_utf8(output.stdout).expect("the oracle prints UTF-8")
}

/// A symbol as the oracle prints it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
struct Row(String, String, usize, usize, Option<usize>, Option<usize>);

#[derive(serde::Deserialize)]
struct Answer {
    path: PathBuf,
    #[serde(default)]
    symbols: Vec<Row>,
    error: Option<String>,
}

fn rows(symbols: &[Symbol], prefix: &str, rows_so_far: &mut Vec<Row>) {
    for symbol in symbols {
        let name = format!("{prefix}{}", symbol.name);
        let docstring = symbol.docstring;
        let definition = symbol.definition;
        let kind = symbol.kind.to_string();
        let (from, to) = (docstring.map(|span| span.start), docstring.map(|span| span.end));
        rows_so_far.push(Row(name.clone(), kind, definition.start, definition.end, from, to));
        rows(&symbol.children, &format!("{name}."), rows_so_far);
    }
}

#[test]
fn the_outline_of_the_standard_library_is_what_cpython_reads() {
    let Some((library, _)) = library() else { return };
    let paths = files(&library);
    let listed = |paths: &[PathBuf]| paths.iter().map(|path| format!("{}\n", path.display())).collect::<String>();
    // A few oracles beside each other; a remainder of files makes one more.
    let chunks: Vec<String> = paths
        .par_chunks(paths.len().div_ceil(rayon::current_num_threads()).max(1))
        .map(|paths| ask("outline.py", listed(paths).into_bytes()))
        .collect();
    let answers: Vec<Answer> = chunks
        .iter()
        .flat_map(|chunk| chunk.lines())
        .map(|line| serde_json::from_str(line).expect("the oracle prints JSON"))
        .collect();
    assert_eq!(answers.len(), paths.len());
    let differences: Vec<String> =
        answers.par_iter().filter(|answer| answer.error.is_none()).flat_map(compare).collect();
    let refused = answers.iter().filter(|answer| answer.error.is_some()).count();
    let symbols: usize = answers.iter().map(|answer| answer.symbols.len()).sum();
    println!(
        "outline: {} files, {refused} that CPython refuses, {symbols} symbols, {} differences",
        paths.len(),
        differences.len()
    );
    let shown = &differences[..differences.len().min(20)];
    assert!(differences.is_empty(), "{}", shown.join("\n"));
}

fn compare(answer: &Answer) -> Vec<String> {
    let source = std::fs::read(&answer.path).expect("the oracle read it");
    let Some(outline) = parsed_outline(&source) else {
        return vec![format!("{}: does not parse: {:?}", answer.path.display(), errors_of(&source, 15).first())];
    };
    let mut ours = Vec::new();
    rows(&outline.symbols, "", &mut ours);
    differences(&answer.path, &ours, &answer.symbols)
}

fn differences(path: &Path, ours: &[Row], theirs: &[Row]) -> Vec<String> {
    let length = ours.len().max(theirs.len());
    let pairs = (0..length).map(|at| (ours.get(at), theirs.get(at)));
    let differing = pairs.filter(|(ours, theirs)| ours != theirs);
    differing.take(1).map(|(ours, theirs)| format!("{}: ours {ours:?}, theirs {theirs:?}", path.display())).collect()
}

/// What both readers of ours are to agree on.
#[derive(Debug, PartialEq, Eq)]
struct Reading {
    name: String,
    kind: Kind,
    definition: Span,
    decorations: Vec<segedit::syntax::Decoration>,
    trailing: Option<Span>,
    signature: Span,
    body: Option<Span>,
    docstring: Option<Span>,
}

fn readings(symbols: Vec<Symbol>, prefix: &str, found: &mut Vec<Reading>) {
    for symbol in symbols {
        let name = format!("{prefix}{}", symbol.name);
        let Symbol { kind, definition, decorations, trailing, signature, body, docstring, children, .. } = symbol;
        found.push(Reading { name: name.clone(), kind, definition, decorations, trailing, signature, body, docstring });
        readings(children, &format!("{name}."), found);
    }
}

#[test]
fn both_of_our_readers_agree_on_the_standard_library() {
    let Some((library, _)) = library() else { return };
    let paths = files(&library);
    let compared: Vec<(usize, Vec<String>)> = paths.par_iter().filter_map(|path| agree(path)).collect();
    let symbols: usize = compared.iter().map(|(symbols, _)| symbols).sum();
    let differences: Vec<&String> = compared.iter().flat_map(|(_, differences)| differences).collect();
    println!("readers: {} files, {symbols} symbols, {} differing files", compared.len(), differences.len());
    for difference in &differences {
        println!("{difference}");
    }
    assert!(differences.is_empty());
}

fn agree(path: &Path) -> Option<(usize, Vec<String>)> {
    let source = std::fs::read(path).ok()?;
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    readings(parsed_outline(&source)?.symbols, "", &mut ours);
    readings(recovered_outline(&source).symbols, "", &mut others);
    let length = ours.len().max(others.len());
    let differing = (0..length).map(|at| (ours.get(at), others.get(at))).find(|(ours, others)| ours != others);
    let told = differing.map(|(ours, others)| format!("{}:\n  {ours:?}\n  {others:?}", path.display()));
    Some((ours.len(), told.into_iter().collect()))
}
