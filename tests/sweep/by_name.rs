//! Definitions of real files in the languages that only tree-sitter reads here: each replaced by itself leaves its file as it was; deleted, or
//! copied under another name beside itself, it leaves a file that the grammar finds no new error in, and nothing refuses that.
//!
//! `SEGEDIT_DEFINITIONS=<count>` takes so many definitions of each language.

use std::path::PathBuf;
use std::sync::Mutex;

use rayon::prelude::*;
use segedit::manifest::{Operation, Position, Scoped, Selector, SymbolSelector, Verb};
use segedit::path::RepoPath;
use segedit::plan::action::{edits_of, plan_operation};
use segedit::plan::edit::Edit;
use segedit::plan::overlap::compose;
use segedit::resolve::{Definition, Document, Reading};
use segedit::snapshot::HashKind;
use segedit::syntax::{SegmentKind, language_of};
use segedit::text::Span;

use crate::identity::dedented;
use crate::neighbours::attempted;
use crate::support::sources;

/// Endings of the files of each language.
const LANGUAGES: [(&str, &[&str]); 30] = [
    ("C", &[".c"]),
    ("C++", &[".cpp", ".cc", ".h", ".hpp"]),
    ("C#", &[".cs"]),
    ("Kotlin", &[".kt", ".kts"]),
    ("Swift", &[".swift"]),
    ("Scala", &[".scala"]),
    ("Dart", &[".dart"]),
    ("Ruby", &[".rb"]),
    ("PHP", &[".php"]),
    ("Lua", &[".lua"]),
    ("Bash", &[".sh", ".bash"]),
    ("Zig", &[".zig"]),
    ("Solidity", &[".sol"]),
    ("Protocol Buffers", &[".proto"]),
    ("GraphQL", &[".graphql"]),
    ("HCL", &[".tf"]),
    ("Prisma", &[".prisma"]),
    ("INI", &[".ini", "setup.cfg", ".editorconfig"]),
    ("Git configuration", &[".gitmodules", ".gitconfig"]),
    ("systemd units", &[".service", ".socket", ".timer"]),
    ("dotenv", &[".env", ".env.example"]),
    ("Java properties", &[".properties"]),
    ("Dockerfile", &["Dockerfile", ".dockerfile"]),
    ("Starlark", &["BUILD", ".bzl", ".bazel", ".star"]),
    ("CMake", &[".cmake", "CMakeLists.txt"]),
    ("Nix", &[".nix"]),
    ("R", &[".R", ".r"]),
    ("CSS", &[".css"]),
    ("SCSS", &[".scss"]),
    ("Less", &[".less"]),
];

/// So many definitions of a language are edited when not told otherwise, of so many files.
const DEFINITIONS: usize = 150;
const FILES: usize = 50;

#[derive(Default)]
struct Tally {
    files: usize,
    definitions: usize,
    /// Of files that do not parse: where they begin and end is a guess, and the edit is refused for that.
    uncertain: usize,
    differing: Vec<String>,
    broken: Vec<String>,
    refused: Vec<String>,
}

#[test]
fn definitions_of_real_files_are_replaced_deleted_and_copied() {
    let wanted = std::env::var("SEGEDIT_DEFINITIONS").ok();
    let wanted = wanted
        .and_then(|count| count.parse().ok())
        .unwrap_or(DEFINITIONS);
    let only = std::env::var("SEGEDIT_LANGUAGE").ok();
    let mut wrong = Vec::new();
    for (name, endings) in LANGUAGES {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let files = sources::sample(sources::files(endings), FILES);
        if files.is_empty() {
            continue;
        }
        let share = wanted.div_ceil(files.len());
        let tally = Mutex::new(Tally::default());
        files
            .par_iter()
            .for_each(|file| edit_some(file, share, &tally));
        let tally = tally.into_inner().unwrap();
        println!(
            "{name}: {} files, {} definitions, {} uncertain, {} differ, {} break, {} refused",
            tally.files,
            tally.definitions,
            tally.uncertain,
            tally.differing.len(),
            tally.broken.len(),
            tally.refused.len()
        );
        let shown = |list: &[String]| list[..list.len().min(12)].join("\n");
        for (what, list) in [
            ("differ", &tally.differing),
            ("break", &tally.broken),
            ("refused", &tally.refused),
        ] {
            if !list.is_empty() {
                println!("{what}:\n{}", shown(list));
            }
        }
        // A refusal may be right: an empty struct of Solidity is an error. What a grammar misreads it may misread otherwise below a copy.
        let is_approximate = language_of(&RepoPath::parse(&format!("a{}", endings[0])).unwrap())
            .is_some_and(|language| language.grammar.is_approximate());
        let borne = if is_approximate { 3 } else { 1 };
        let is_broken = !tally.broken.is_empty() && !is_approximate;
        if !tally.differing.is_empty()
            || is_broken
            || (tally.refused.len() + tally.broken.len()) * 100 > tally.definitions * borne
        {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "see above: {wrong:?}");
}

/// Edits some definitions of one file.
fn edit_some(file: &PathBuf, count: usize, tally: &Mutex<Tally>) {
    let Ok(bytes) = std::fs::read(file) else {
        return;
    };
    let Ok(before) = String::from_utf8(bytes) else {
        return;
    };
    let name = file.file_name().unwrap().to_string_lossy();
    let Ok(path) = RepoPath::parse(&name) else {
        return;
    };
    let document = Document::new(path.clone(), before.as_bytes().into(), HashKind::Sha1);
    let reading = Reading::of(&document);
    tally.lock().unwrap().files += 1;
    let all = reading.named();
    let step = all.len().div_ceil(count).max(1);
    for named in all.iter().step_by(step) {
        tally.lock().unwrap().definitions += 1;
        let line = document.lines().line(named.symbol.definition.start);
        let place = format!("{}:{line} {}", file.display(), named.address());
        let told = |what: String| format!("{place}: {what}");
        let what = replaced_by_itself(&reading, named);
        if what.as_ref().is_some_and(|what| is_uncertain(what)) && !document.errors().is_empty() {
            tally.lock().unwrap().uncertain += 1;
            continue;
        }
        if let Some(what) = what {
            tally.lock().unwrap().differing.push(told(what));
        }
        for (what, verb) in [
            ("deleted", deletion(named)),
            ("copied", copy(&reading, named)),
        ] {
            let Some(verb) = verb else { continue };
            // What has an error has it twice then.
            let span = named.symbol.whole();
            let own = document.errors().iter().map(|error| error.offset);
            let own = own.filter(|at| what == "copied" && span.start <= *at && *at <= span.end);
            match judged(&document, &path, &before, verb, own.count()) {
                Ok(None) => {}
                Ok(Some(error)) => {
                    let mut tally = tally.lock().unwrap();
                    tally.broken.push(told(format!("{what}: {error}")));
                }
                Err(why) => {
                    let mut tally = tally.lock().unwrap();
                    tally.refused.push(told(format!("{what}: {why}")));
                }
            }
        }
    }
}

/// Says whether a refusal says that it is not known which bytes are meant.
fn is_uncertain(refusal: &str) -> bool {
    refusal.ends_with("where it begins and ends is not certain")
}

fn selector(named: &Definition<'_>) -> Scoped {
    let selector = SymbolSelector::parse(&named.address()).expect("an address can be read");
    Scoped::from(Selector::Symbol(selector))
}

/// Returns what comes of replacing a definition by itself, unless the file is as it was.
fn replaced_by_itself(reading: &Reading<'_>, named: &Definition<'_>) -> Option<String> {
    let document = reading.document;
    let verb = Verb::Replace {
        selector: Some(selector(named)),
        part: None,
        content: content(reading, named)?,
        indent: None,
        expect: None,
    };
    let operation = Operation::on(document.path.clone(), verb);
    let act = match plan_operation(reading, &operation) {
        Ok(act) => act,
        Err(error) => return Some(error.message),
    };
    let edits: Vec<Edit> = edits_of(&act, 0).collect();
    let splices = match compose(document, &edits, std::slice::from_ref(&operation)) {
        Ok(splices) => splices,
        Err(errors) => return Some(format!("{errors:?}")),
    };
    let after = splices.apply(&document.bytes);
    (after != *document.bytes).then(|| {
        let at = after
            .iter()
            .zip(document.bytes.iter())
            .position(|(new, old)| new != old);
        let at = at.unwrap_or(0);
        let line = document.lines().line(at);
        let end = after.len().min(at + 60);
        format!(
            "differs in line {line}: {:?}",
            String::from_utf8_lossy(&after[at..end])
        )
    })
}

/// Returns a definition as somebody would write it anew, without the margin that its lines share.
fn content(reading: &Reading<'_>, named: &Definition<'_>) -> Option<String> {
    let document = reading.document;
    let span = document.widened(named.symbol.definition);
    let segment = span.of(&document.bytes);
    let parent = reading.parent(named).map(|parent| parent.symbol.kind);
    let roles = document.language?.grammar.line_roles(segment, parent);
    Some(dedented(std::str::from_utf8(segment).ok()?, &roles))
}

fn deletion(named: &Definition<'_>) -> Option<Verb> {
    Some(Verb::Delete {
        selector: selector(named),
        part: None,
        expect: None,
    })
}

/// Returns what puts a copy of a function or a type, under another name, below it; nothing of one that shares its lines.
fn copy(reading: &Reading<'_>, named: &Definition<'_>) -> Option<Verb> {
    let symbol = named.symbol;
    let is_meant = matches!(
        symbol.kind,
        SegmentKind::Function | SegmentKind::Method | SegmentKind::Class | SegmentKind::Struct
    );
    let document = reading.document;
    if !is_meant || !document.has_lines_to_itself(symbol.definition) {
        return None;
    }
    let text = content(reading, named)?;
    let own = symbol.signature.of(&document.bytes);
    let is_word = symbol
        .name
        .chars()
        .all(|letter| letter.is_alphanumeric() || letter == '_');
    let is_special =
        ["init", "deinit", "subscript", "constructor", "operator"].contains(&&*symbol.name);
    // A constructor is called as its class is.
    let parent = reading.parent(named).map(|parent| &parent.symbol.name);
    if !is_word || is_special || parent == Some(&symbol.name) || own.is_empty() {
        return None;
    }
    let at = text.find(&symbol.name)?;
    let end = at + symbol.name.len();
    Some(Verb::Insert {
        selector: Some(selector(named)),
        part: None,
        position: Some(Position::After),
        content: format!("{}Zq{}", &text[..end], &text[end..]),
        indent: None,
    })
}

/// Makes an edit; returns what the grammar has against the result and had not before, or why the edit was refused.
fn judged(
    document: &Document,
    path: &RepoPath,
    before: &str,
    verb: Verb,
    more: usize,
) -> Result<Option<String>, String> {
    let made = attempted(path, before, verb).map_err(|errors| {
        let first = errors.first();
        first.map_or_else(String::new, |error| error.message.clone())
    })?;
    let Some((splices, refusals)) = made else {
        return Err("nothing would change".to_owned());
    };
    if let Some(refusal) = refusals.first() {
        return Err(refusal.message.clone());
    }
    let after = splices.apply(before.as_bytes());
    let language = document.language.expect("it has an ending of one");
    let errors = language.grammar.errors(&after);
    let lines = segedit::text::Lines::of(&after);
    let told = |offset: usize| {
        let line = lines.line(offset.min(after.len()));
        let span: Span = lines.content(&after, line);
        format!(
            "line {line}: {:?}",
            String::from_utf8_lossy(span.of(&after))
        )
    };
    Ok((errors.len() > document.errors().len() + more)
        .then(|| {
            errors
                .first()
                .map(|error| format!("{}, {}", error.message, told(error.offset)))
        })
        .flatten())
}
