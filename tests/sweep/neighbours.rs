//! What stands beside an edit is what stood there, to readers that are not ours: random edits by name of files that leave
//! semicolons out or put several statements on a line, judged by node's own parser, CPython and `syn`.
//!
//! Every edit that passes is judged, and so is every one that was refused for a neighbour's sake: there the judge must
//! find fault, too. `SEGEDIT_EDITS=<count>` makes so many edits in each language. TypeScript is judged by its compiler.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proc_macro2::Span;
use segedit::diagnostic::{Code, Diagnostic};
use segedit::manifest::{
    AllowRemove, CheckMode, Destination, Manifest, ManifestText, Operation, Position, ResolveOrder,
    Scoped, Selector, SymbolSelector, Verb,
};
use segedit::path::RepoPath;
use segedit::resolve::{Document, Reading};
use segedit::snapshot::{Base, File, FileMode, HashKind, Snapshot, SnapshotEntry};
use segedit::syntax::SegmentKind;
use segedit::text::splice::Splices;
use segedit::{plan, verify};
use serde_json::{Value, json};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::support::{sources, tools};

/// So many edits of a language are made when not told otherwise.
const EDITS: usize = 400;

/// What judges say of a result that they cannot read.
const UNPARSED: &str = "the result does not parse";

/// A definition may become any of these; `N` is its name.
const SCRIPT: [&str; 19] = [
    "const N = list",
    "const N = list;",
    "const N = list // note",
    "const N = {\n  a: 1\n}",
    "let N",
    "function N () {\n  return 1\n}",
    "function N () {}; list",
    "class N {}",
    "const N = () => list",
    "const N = () => { list }",
    "const N = a++",
    "const N = 1; if (list)",
    "const N = 1; while (list)",
    "const N = 1; other:",
    "const N = 1; list = list +",
    "var N\nlist++",
    "export const N = list",
    "const N = `\n`",
    "const N = 1 /*\n*/",
];
const SCRIPT_MEMBER: [&str; 9] = [
    "N = list",
    "N = list;",
    "N = list // note",
    "N () {}",
    "static N = list",
    "N",
    "N = 1; static",
    "N = 1; get",
    "N = {\n  a: 1\n}",
];
const PYTHON: [&str; 9] = [
    "N = 1",
    "N = 1  # note",
    "N = [\n    1,\n]",
    "N = 1\nother = 2",
    "if debug: N = 1",
    "N = 1;",
    "def N(): pass",
    "def N():\n    return 1",
    "class N:\n    one = 1",
];
const RUST: [&str; 9] = [
    "const N: u8 = 1;",
    "const N: u8 = 1; // note",
    "fn N() {}",
    "fn N() {} // note",
    "fn N() {\n    one();\n}",
    "struct N;",
    "fn N() {} /* note */",
    "fn N() {} #[inline]",
    "const N: u8 = {\n    1\n};",
];

/// What may come beside one.
const SCRIPT_FRESH: [&str; 15] = [
    "const fresh = list",
    "[1].map(list)",
    "(function () {})()",
    "function fresh () {}",
    "fresh:",
    "if (list)",
    "`x`",
    "fresh // note",
    "/x/.test(list)",
    "+list",
    "async",
    ";[1].map(list)",
    "export",
    "export default",
    "@list",
];
const SCRIPT_MEMBER_FRESH: [&str; 6] = [
    "fresh = list",
    "[\"k\"] = 1",
    "*fresh () {}",
    "static",
    "get",
    "fresh () {}",
];
const PYTHON_FRESH: [&str; 4] = [
    "fresh = 1",
    "if debug: fresh = 1",
    "def fresh(): pass",
    "fresh = 1; other = 2",
];
const RUST_FRESH: [&str; 4] = [
    "fn fresh() {}",
    "const FRESH: u8 = 1; // note",
    "struct Fresh;",
    "mod fresh {}",
];

#[test]
fn javascript_without_semicolons_keeps_its_neighbours() {
    if let Some(judge) = Node::found(None) {
        sweep(
            "JavaScript",
            &[".js", ".mjs", ".cjs"],
            "sample.js",
            &|files| judge.judge(files),
        );
    }
}

#[test]
fn typescript_without_semicolons_keeps_its_neighbours() {
    let compiler =
        tools::has("typescript@5.9.3").then(|| sources::folder().join("typescript-5.9.3/package"));
    if let Some(judge) = compiler.and_then(|compiler| Node::found(Some(compiler))) {
        sweep(
            "TypeScript",
            &[".ts", ".mts", ".cts"],
            "sample.ts",
            &|files| judge.judge(files),
        );
    }
}

#[test]
fn python_on_one_line_keeps_its_neighbours() {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/sweep/neighbours/judge.py"
    );
    sweep("Python", &[".py"], "sample.py", &|files| {
        asked(Command::new("python3").arg(script), files)
    });
}

#[test]
fn rust_on_one_line_keeps_its_neighbours() {
    sweep("Rust", &[".rs"], "sample.rs", &|files| {
        files.iter().map(judged_by_syn).collect()
    });
}

#[test]
fn node_runs_what_comes_of_an_edit() {
    if !tools::has("node") {
        return;
    }
    let below =
        "const list = [7]\nconst go = (x) => console.log(x)\nconst b = 2\n\n;[1, 2].forEach(go)\n";
    let ahead = "const b = 2;\n(function () { console.log('ran') })();\n";
    let class = "const y = 1\nclass A {\n  x = y;\n  [\"k\"] = 2;\n}\nconsole.log(new A().k)\n";
    let between = "let a = 1\nfunction f () {}\n[1].map(console.log)\n";
    let shared = "const b = 2; console.log('ran')\n";
    let bare = "const load = console.log\nvar state\n[1, 2].forEach((it) => console.log(it))\n";
    let label = "label: function f () {}\nfor (;;) { console.log('ran'); break }\n";
    let name = |text: &str| {
        Some(Scoped::from(Selector::Symbol(
            SymbolSelector::parse(text).unwrap(),
        )))
    };
    let replaced = |at: &str, content: &str| Verb::Replace {
        selector: name(at),
        part: None,
        content: content.to_owned(),
        indent: None,
        expect: None,
    };
    let inserted = |at: &str, content: &str| Verb::Insert {
        selector: name(at),
        part: None,
        position: Some(Position::After),
        content: content.to_owned(),
        indent: None,
    };
    let deleted = |at: &str| Verb::Delete {
        selector: name(at).unwrap(),
        part: None,
        expect: None,
    };
    let runs = |before: &str, verb: Verb, expected: Option<&str>| {
        let what = format!("{verb:?} in {before}");
        let path = RepoPath::parse("m.js").unwrap();
        let Judged { splices, refused } =
            edit(&path, before, verb).expect("nothing else refuses it");
        assert_eq!(refused.is_some(), expected.is_none(), "{what}: {refused:?}");
        let Some(expected) = expected else { return };
        let after = String::from_utf8(splices.apply(before.as_bytes())).unwrap();
        let run = Command::new(tools::folder().join("bin/node"))
            .args(["-e", &after])
            .output()
            .expect("node starts");
        assert_eq!(
            String::from_utf8_lossy(&run.stdout),
            expected,
            "{what}:\n{after}\n{run:?}"
        );
    };
    runs(below, replaced("b", "const b = list"), Some("1\n2\n"));
    runs(below, inserted("b", "const c = 3"), Some("1\n2\n"));
    runs(below, deleted("b"), Some("1\n2\n"));
    runs(ahead, replaced("b", "const b = Math.max"), Some("ran\n"));
    runs(ahead, inserted("b", "const c = Math.max"), None);
    runs(ahead, inserted("b", "const c = Math.max;"), Some("ran\n"));
    runs(class, replaced("A.x", "x = [y]"), Some("2\n"));
    runs(between, deleted("f"), None);
    runs(shared, replaced("b", "const b = 2 // two"), None);
    runs(shared, replaced("b", "const b = 3"), Some("ran\n"));
    runs(label, deleted("f"), None);
    runs(bare, replaced("state", "var state = load"), None);
    runs(bare, inserted("state", "var next = load"), None);
    runs(bare, replaced("state", "var state = load;"), Some("1\n2\n"));
    runs(bare, inserted("state", "var next"), Some("1\n2\n"));
    runs(bare, deleted("state"), None);
    let arrow = "const f = () => {\n  return 1\n}\n\n(() => console.log('ran'))()\n";
    runs(
        arrow,
        replaced("f", "const f = () => {\n  return 2\n}"),
        Some("ran\n"),
    );
    runs(arrow, replaced("f", "const f = Math.max"), None);
    runs(arrow, replaced("f", "const f = Math.max;"), Some("ran\n"));
    runs(arrow, deleted("f"), Some("ran\n"));
    let strict =
        "function f () {\n  'use strict'\n  return this\n}\nvar b = 1\nconsole.log(typeof f())\n";
    let first = |at: &str, content: &str| Verb::Insert {
        selector: name(at),
        part: None,
        position: Some(Position::First),
        content: content.to_owned(),
        indent: None,
    };
    runs(strict, first("f", "var z = 0"), Some("undefined\n"));
    runs(strict, deleted("b"), Some("undefined\n"));
    let sloppy = "function f () {\n  function g () {}\n  'use strict'\n  return this\n}\nconsole.log(typeof f())\n";
    runs(sloppy, deleted("f.g"), None);
    runs(sloppy, inserted("f.g", "var z = 0"), Some("object\n"));
    for ends in ["/* x\n*/", " // x\u{2028}", " // x\u{2029}", "\u{2028}"] {
        let ended =
            format!("const a = 1{ends}console.log('ran')\nconst b = 2{ends}for (;;) {{ break }}\n");
        runs(&ended, replaced("a", "const a = 2"), Some("ran\n"));
        runs(&ended, inserted("a", "const c = 2"), Some("ran\n"));
        runs(&ended, deleted("a"), Some("ran\n"));
        runs(&ended, replaced("b", "const b = 3"), Some("ran\n"));
        runs(&ended, deleted("b"), Some("ran\n"));
    }
}

/// A file and what was made of it.
struct Edited {
    name: String,
    before: String,
    edits: Vec<Edit>,
}

/// One edit, in words, with what it makes of the file, and whether it was refused for a neighbour's sake.
struct Edit {
    what: String,
    splices: Splices,
    refused: Option<String>,
}

/// Of a file that the judge can read: for each edit nothing, or what is wrong with it.
type Verdicts = Option<Vec<Option<String>>>;

/// Makes edits in a small file that has every trap, and in real ones.
fn sweep(
    language: &str,
    endings: &[&str],
    sample: &str,
    judge: &dyn Fn(&[Edited]) -> Vec<Verdicts>,
) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sweep/neighbours");
    let wanted = std::env::var("SEGEDIT_EDITS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(EDITS);
    sweep_files(
        language,
        vec![Path::new(folder).join(sample)],
        wanted,
        judge,
    );
    sweep_files(
        language,
        sources::sample(sources::files(endings), wanted),
        wanted,
        judge,
    );
}

fn sweep_files(
    language: &str,
    files: Vec<PathBuf>,
    wanted: usize,
    judge: &dyn Fn(&[Edited]) -> Vec<Verdicts>,
) {
    let is_sample = files.len() == 1;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let share = wanted.div_ceil(files.len().max(1));
    let mut edited = Vec::new();
    let (mut made, mut unresolved) = (0, 0);
    for path in &files {
        let Ok(before) = std::fs::read_to_string(path) else {
            continue;
        };
        // The judges count characters.
        if !before.is_ascii() || before.contains('\r') || made >= wanted {
            continue;
        }
        let name = format!(
            "m.{}",
            path.extension()
                .and_then(|it| it.to_str())
                .unwrap_or_default()
        );
        let (edits, not_done) = edits(&name, &before, share.min(wanted - made), &mut random);
        made += edits.len();
        unresolved += not_done;
        edited.push(Edited {
            name: path.display().to_string(),
            before,
            edits,
        });
    }
    let verdicts = judge(&edited);
    let (mut passed, mut refused, mut unread, mut lax) = (0, 0, 0, 0);
    let (mut wrong, mut needless) = (Vec::new(), Vec::new());
    for (file, verdicts) in edited.iter().zip(verdicts) {
        let Some(verdicts) = verdicts else {
            unread += 1;
            continue;
        };
        for (edit, verdict) in file.edits.iter().zip(verdicts) {
            let told = |why: &str| format!("{}: {}: {why}", file.name, edit.what);
            match (&edit.refused, verdict) {
                (None, None) => passed += 1,
                // `struct` in a trait, `static` as a name: what our parser lets through is not this test's business.
                (None, Some(why)) if why == UNPARSED => lax += 1,
                (None, Some(why)) => wrong.push(told(&why)),
                (Some(_), Some(_)) => refused += 1,
                (Some(why), None) => needless.push(told(why)),
            }
        }
    }
    println!(
        "{language}: {} files ({unread} unread), {made} edits judged: {passed} passed ({lax} more without parsing for the judge), \
         {refused} refused for a neighbour, \
         {} refused without need, {} wrong; {unresolved} more refused for something else",
        edited.len(),
        needless.len(),
        wrong.len()
    );
    let shown = |list: &[String]| list[..list.len().min(20)].join("\n");
    assert!(
        wrong.is_empty(),
        "{} neighbours touched:\n{}",
        wrong.len(),
        shown(&wrong)
    );
    // Our parser may see a call where there can be none (`return x => {}` above a template), and when in doubt refuses.
    let borne = if is_sample { 0 } else { made / 500 };
    assert!(
        needless.len() <= borne,
        "{} refused without need:\n{}",
        needless.len(),
        shown(&needless)
    );
    assert!(
        passed > 0 && (refused > 0 || !is_sample),
        "{passed} passed, {refused} refused"
    );
}

/// Returns `count` random edits of a file that pass or are refused for a neighbour, and how many others were refused.
fn edits(name: &str, before: &str, count: usize, random: &mut Random) -> (Vec<Edit>, usize) {
    let path = RepoPath::parse(name).unwrap();
    let document = Document::new(path.clone(), before.as_bytes().into(), HashKind::Sha1);
    let reading = Reading::of(&document);
    let (mut made, mut refused) = (Vec::new(), 0);
    if reading.named().is_empty() || !document.errors().is_empty() {
        return (made, refused);
    }
    for _ in 0..count * 20 {
        if made.len() == count {
            break;
        }
        let named = &reading.named()[random.below(reading.named().len())];
        let is_member = reading.parent(named).is_some_and(|it| {
            matches!(it.symbol.kind, SegmentKind::Class | SegmentKind::Interface)
        });
        let (contents, fresh): (&[&str], &[&str]) = match document.language.unwrap().name {
            "Python" => (&PYTHON, &PYTHON_FRESH),
            "Rust" => (&RUST, &RUST_FRESH),
            _ if is_member => (&SCRIPT_MEMBER, &SCRIPT_MEMBER_FRESH),
            _ => (&SCRIPT, &SCRIPT_FRESH),
        };
        let Ok(selector) = SymbolSelector::parse(&named.address()) else {
            continue;
        };
        let selector = Scoped::from(Selector::Symbol(selector));
        let verb = match random.below(5) {
            0 => Verb::Delete {
                selector,
                part: None,
                expect: None,
            },
            1 => {
                let content = fresh[random.below(fresh.len())].to_owned();
                let position = [
                    Position::Before,
                    Position::After,
                    Position::First,
                    Position::Last,
                ][random.below(4)];
                let position = Some(position);
                Verb::Insert {
                    selector: Some(selector),
                    part: None,
                    position,
                    content,
                    indent: None,
                }
            }
            _ => {
                let content =
                    contents[random.below(contents.len())].replace('N', &named.symbol.name);
                Verb::Replace {
                    selector: Some(selector),
                    part: None,
                    content,
                    indent: None,
                    expect: None,
                }
            }
        };
        let what = format!("{verb:?}");
        match edit(&path, before, verb) {
            Some(Judged { splices, refused }) => made.push(Edit {
                what,
                splices,
                refused,
            }),
            None => refused += 1,
        }
    }
    (made, refused)
}

struct Judged {
    splices: Splices,
    refused: Option<String>,
}

/// Makes one edit; nothing when it is refused for another reason than a neighbour.
fn edit(path: &RepoPath, before: &str, verb: Verb) -> Option<Judged> {
    let (splices, errors) = made(path, before, verb)?;
    let neighbour =
        |code, message: &str| code == Code::InventoryChanged && message.contains("neighbour");
    let of_neighbour = errors
        .iter()
        .all(|error| neighbour(error.code, &error.message));
    let refused = errors.first().map(|error| error.message.clone());
    of_neighbour.then_some(Judged { splices, refused })
}

/// Makes one edit of a file with the text `before`, and returns it with what the checks find; nothing when it cannot be made.
pub(crate) fn made(
    path: &RepoPath,
    before: &str,
    verb: Verb,
) -> Option<(Splices, Vec<Diagnostic>)> {
    attempted(path, before, verb).ok()?
}

/// Does the same; says why where it cannot be made. Nothing is returned of one that changes nothing.
pub(crate) fn attempted(
    path: &RepoPath,
    before: &str,
    verb: Verb,
) -> Result<Option<(Splices, Vec<Diagnostic>)>, Vec<Diagnostic>> {
    let file = File {
        mode: FileMode::Regular,
        bytes: before.as_bytes().into(),
    };
    let snapshot = Snapshot {
        base: Base::Unborn,
        hash: HashKind::Sha1,
        entries: [(path.clone(), SnapshotEntry::File(file))].into(),
        matches: Default::default(),
        templates: Default::default(),
        project: Default::default(),
    };
    // What goes is what random edits take; here it is about what is beside.
    let operation = Operation {
        allow_remove: AllowRemove::Everything,
        ..Operation::on(path.clone(), verb)
    };
    let manifest = Manifest {
        source: ManifestText::default(),
        message: None,
        trailers: Default::default(),
        author: None,
        destination: Destination::Commit,
        branch: None,
        base: None,
        mode: CheckMode::Strict,
        order: ResolveOrder::Snapshot,
        rules: Default::default(),
        operations: vec![operation],
    };
    let plan =
        plan::build(&manifest, &snapshot, &plan::NoServers).map_err(|refused| refused.errors)?;
    let edit = plan
        .candidate
        .steps()
        .first()
        .and_then(|step| step.files.first());
    let Some(splices) = edit.and_then(|edit| edit.splices.clone()) else {
        return Ok(None);
    };
    let look = verify::check(plan, &manifest.operations, CheckMode::Strict, |_| ()).0;
    let errors = look.outcome.err().map(|rejected| rejected.errors);
    Ok(Some((splices, errors.unwrap_or_default())))
}

/// A random number, the same in every run.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Node, with a parser that it can read.
struct Node {
    typescript: Option<PathBuf>,
}

impl Node {
    const SCRIPT: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/sweep/neighbours/judge.js"
    );

    fn found(typescript: Option<PathBuf>) -> Option<Node> {
        if !tools::has("node") {
            return None;
        }
        let node = Node { typescript };
        let status = node
            .command("check")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("node starts");
        assert!(
            status.success(),
            "this node keeps no parser of its own that could judge"
        );
        Some(node)
    }

    fn command(&self, what: &str) -> Command {
        let mut command = Command::new(tools::folder().join("bin/node"));
        command
            .args(["--expose-internals", Node::SCRIPT, what])
            .args(&self.typescript);
        command
    }

    fn judge(&self, files: &[Edited]) -> Vec<Verdicts> {
        asked(&mut self.command("judge"), files)
    }
}

/// Has a program judge files.
fn asked(program: &mut Command, files: &[Edited]) -> Vec<Verdicts> {
    let question: Vec<Value> = files
        .iter()
        .map(|file| {
            let edit = |edit: &Edit| -> Value {
                let pieces = edit.splices.iter();
                pieces
                    .map(|it| json!([it.span.start, it.span.end, String::from_utf8_lossy(&it.bytes)]))
                    .collect::<Vec<_>>()
                    .into()
            };
            json!({"name": file.name, "before": file.before, "edits": file.edits.iter().map(edit).collect::<Vec<_>>()})
        })
        .collect();
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the judge starts");
    let mut input = child.stdin.take().expect("it has a standard input");
    let question = Value::from(question).to_string();
    let asking = std::thread::spawn(move || input.write_all(question.as_bytes()));
    let output = child.wait_with_output().expect("the judge ends");
    asking.join().unwrap().expect("the judge hears all");
    assert!(output.status.success(), "the judge: {}", output.status);
    serde_json::from_slice(&output.stdout).expect("the judge answers")
}

fn judged_by_syn(file: &Edited) -> Verdicts {
    let before = Items::of(&file.before)?;
    Some(
        file.edits
            .iter()
            .map(|edit| before.complaint(&file.before, &edit.splices))
            .collect(),
    )
}

/// Items, members and statements as `syn` reads them: what each is, where it stands, and in what.
#[derive(Default)]
struct Items {
    found: Vec<(&'static str, std::ops::Range<usize>, Vec<usize>)>,
    around: Vec<usize>,
}

impl Items {
    fn of(text: &str) -> Option<Items> {
        let file = syn::parse_file(text).ok()?;
        let mut items = Items::default();
        items.visit_file(&file);
        Some(items)
    }

    fn add(&mut self, what: &'static str, span: Span, inside: impl FnOnce(&mut Items)) {
        let range = span.byte_range();
        self.found.push((what, range.clone(), self.around.clone()));
        self.around.push(range.start);
        inside(self);
        self.around.pop();
    }

    fn complaint(&self, text: &str, splices: &Splices) -> Option<String> {
        let after = String::from_utf8(splices.apply(text.as_bytes())).ok()?;
        let Some(after) = Items::of(&after) else {
            return Some(UNPARSED.to_owned());
        };
        let moves = splices.moves();
        let was: Vec<_> = splices
            .iter()
            .map(|splice| splice.span.start..splice.span.end)
            .collect();
        let now: Vec<_> = splices
            .with_new_spans()
            .map(|(_, new)| new.start..new.end)
            .collect();
        let old = self.beside(&was, |at, begins| {
            if begins {
                moves.after(at)
            } else {
                moves.before(at)
            }
        });
        let new = after.beside(&now, |at, _| at);
        let missing = old
            .iter()
            .find(|it| !new.contains(it))
            .map(|it| format!("lost {it}"));
        missing.or_else(|| {
            new.iter()
                .find(|it| !old.contains(it))
                .map(|it| format!("came {it}"))
        })
    }

    fn beside(
        &self,
        edits: &[std::ops::Range<usize>],
        moved: impl Fn(usize, bool) -> usize,
    ) -> Vec<String> {
        let outside = |range: &std::ops::Range<usize>| {
            edits
                .iter()
                .all(|it| range.end <= it.start || it.end <= range.start)
        };
        let found = self.found.iter().filter(|(_, range, _)| outside(range));
        found
            .map(|(what, range, around)| {
                let around: Vec<usize> = around.iter().map(|&at| moved(at, true)).collect();
                format!(
                    "{what} {}-{} in {around:?}",
                    moved(range.start, true),
                    moved(range.end, false)
                )
            })
            .collect()
    }
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.add("item", item.span(), |items| visit::visit_item(items, item));
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        self.add("impl item", item.span(), |items| {
            visit::visit_impl_item(items, item)
        });
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        self.add("trait item", item.span(), |items| {
            visit::visit_trait_item(items, item)
        });
    }

    fn visit_foreign_item(&mut self, item: &'ast syn::ForeignItem) {
        self.add("foreign item", item.span(), |items| {
            visit::visit_foreign_item(items, item)
        });
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.add("field", field.span(), |items| {
            visit::visit_field(items, field)
        });
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.add("variant", variant.span(), |items| {
            visit::visit_variant(items, variant)
        });
    }

    fn visit_stmt(&mut self, statement: &'ast syn::Stmt) {
        self.add("statement", statement.span(), |items| {
            visit::visit_stmt(items, statement)
        });
    }
}
