//! JavaScript and TypeScript judged by others: the same verdict as V8's and the TypeScript compiler's on thousands of mutants of
//! real functions. Skipped, saying so, where there is no node.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rayon::prelude::*;
use segedit::path::RepoPath;
use segedit::syntax::{Language, SegmentKind, Symbol, language_of};

use crate::mutants::{Random, mutated};
use crate::support::{sources, tools};

const MUTANTS: usize = 4_000;

const SCRIPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/sweep/javascript/verdict.js"
);

/// Over four seeds (16,000 mutants) it was four.
#[test]
fn mutants_of_real_javascript_are_judged_as_by_v8() {
    if tools::has("node") {
        let disagree = disagreements("a.js", &[".js"], None);
        assert!(
            disagree.share <= 0.1,
            "{:.2} % of the verdicts differ",
            disagree.share
        );
    }
}

/// Over four seeds (16,000 mutants) it was 86, about half of them refused by us alone: a `?`, `!` or `*` ahead of a type, which the
/// compiler reads as JSDoc, `interface` and `declare` for names; by the compiler alone repeated names of quoted or computed
/// members, and what of types it asks more about.
#[test]
fn mutants_of_real_typescript_are_judged_as_by_its_compiler() {
    if tools::has("node") && tools::has("typescript@5.9.3") {
        let compiler = sources::folder().join("typescript-5.9.3/package");
        let disagree = disagreements("a.ts", &[".ts"], Some(compiler));
        assert!(
            disagree.share <= 0.8,
            "{:.2} % of the verdicts differ",
            disagree.share
        );
    }
}

struct Disagreements {
    /// In percent of all mutants.
    share: f64,
}

fn disagreements(name: &str, endings: &[&str], compiler: Option<PathBuf>) -> Disagreements {
    let language = language_of(&RepoPath::parse(name).unwrap()).unwrap();
    let originals = definitions(&sources::files(endings), language);
    let verdict = verdicts(name, compiler.clone(), &originals);
    let originals: Vec<String> = originals
        .into_iter()
        .zip(verdict)
        .filter(|(_, verdict)| verdict == "ok")
        .map(|(text, _)| text)
        .collect();
    let seed = std::env::var("SEGEDIT_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let mut random = Random(seed.unwrap_or(1));
    let mutant = |_| {
        let original = originals[random.below(originals.len())].clone();
        let times = 1 + random.below(2);
        (0..times).fold(original, |source, _| mutated(&source, WORDS, &mut random))
    };
    let mutants: Vec<String> = (0..MUTANTS).map(mutant).collect();
    let verdicts = verdicts(name, compiler, &mutants);
    let ours: Vec<_> = mutants
        .par_iter()
        .map(|mutant| language.grammar.errors(mutant.as_bytes()))
        .collect();
    let judged = mutants.iter().zip(&verdicts).zip(&ours);
    let otherwise: Vec<_> = judged
        .filter(|((_, theirs), ours)| ours.is_empty() != (*theirs == "ok"))
        .collect();
    let refused = verdicts.iter().filter(|verdict| *verdict != "ok").count();
    let (from, count) = (originals.len(), otherwise.len());
    println!(
        "{name}: {MUTANTS} mutants of {from} definitions, {refused} refused, {count} judged otherwise by us"
    );
    for (at, ((mutant, theirs), ours)) in otherwise.iter().enumerate() {
        println!("-- {at} theirs: {theirs}; ours: {:?}", ours.first());
        if let Some(folder) = std::env::var_os("SEGEDIT_MUTANTS") {
            std::fs::write(PathBuf::from(folder).join(format!("{at}-{name}")), mutant)
                .expect("the folder is there");
        }
    }
    Disagreements {
        share: 100.0 * count as f64 / MUTANTS as f64,
    }
}

fn verdicts(name: &str, compiler: Option<PathBuf>, mutants: &[String]) -> Vec<String> {
    let ask = |mutants: &[String]| -> Vec<String> {
        let mut command = Command::new(tools::folder().join("bin/node"));
        command
            .args(["--experimental-vm-modules", "--no-warnings", SCRIPT, name])
            .args(&compiler);
        let mut node = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let question = serde_json::to_vec(mutants).unwrap();
        node.stdin
            .take()
            .unwrap()
            .write_all(&question)
            .expect("node reads");
        let answer = node.wait_with_output().expect("node ends");
        assert!(answer.status.success(), "node ends with {}", answer.status);
        String::from_utf8_lossy(&answer.stdout)
            .lines()
            .map(str::to_owned)
            .collect()
    };
    let chunk = mutants.len().div_ceil(rayon::current_num_threads());
    let verdicts: Vec<String> = mutants.par_chunks(chunk).flat_map(ask).collect();
    assert_eq!(verdicts.len(), mutants.len());
    verdicts
}

/// Returns short definitions as files of their own, those without errors.
fn definitions(paths: &[PathBuf], language: &Language) -> Vec<String> {
    let of_file = |path: &PathBuf| -> Vec<String> {
        let Ok(text) = std::fs::read_to_string(path) else {
            return Vec::new();
        };
        let wanted = |symbol: &&Symbol| {
            matches!(
                symbol.kind,
                SegmentKind::Function
                    | SegmentKind::Class
                    | SegmentKind::Interface
                    | SegmentKind::Enum
            )
        };
        let outline = language.grammar.outline(text.as_bytes());
        let of_symbol =
            |symbol: &Symbol| text[symbol.whole().start..symbol.whole().end].to_owned() + "\n";
        let mut found: Vec<String> = outline
            .symbols
            .iter()
            .filter(wanted)
            .map(of_symbol)
            .collect();
        found.retain(|text| {
            (40..2_000).contains(&text.len()) && language.grammar.errors(text.as_bytes()).is_empty()
        });
        found.truncate(20);
        found
    };
    paths.par_iter().flat_map(of_file).collect()
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ":", ",", ";", "=", "==", "===", "=>", ".", "*", "**", "?.", "??", "+", "-", "!", "~", "...",
    "if (x) ", "else ", "for (const x of y) ", "while (x) ", "do ", "switch (x) {", "case 1: ", "default: ", "break;", "break",
    "continue;", "return ", "return;", "throw ", "try {", "catch (e) {", "finally {", "function ", "function* ", "class ",
    "extends ", "super", "super()", "this", "new ", "new.target", "import.meta", "import ", "export ", "export default ", "from ",
    "await ", "async ", "yield ", "static ", "get ", "set ", "const ", "let ", "var ", "let x = 1;", "const x = 1;", "var x;",
    "typeof ", "delete ", "void ", "in ", "of ", "instanceof ", "null", "true", "enum ", "eval", "arguments", "x", "#x", "0", "0x",
    "010", "1n", "1_", "'", "\"", "`", "${", "/", "/x/g", "/(/", "//", "/*", "*/", "<!--", "\\", "\n", "\t", " ", "    ", "@x ",
    "constructor() {}", "__proto__: 1,", "'use strict';", "label: ", "with (x) ", "debugger;", "as x ", "satisfies x ", "?: ",
    ": string", "<T>", "type X = 1;", "interface X {}", "declare ", "abstract ", "readonly ", "private ", "public ", "namespace X {}",
    "using x = y;", "accessor ", "override ", "x!", "keyof ", "infer ", "unique symbol", "asserts x", "\u{e9}", "\u{201c}",
];
