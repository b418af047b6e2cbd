//! Laws of the source itself, each with a test that shows it can fail. A complaint names file and line.
//!
//! Floors: a room imports only rooms that stand above it in the table of `src/lib.rs`. Homes: an outside crate is
//! named in one room. Talk: printing and the environment belong to the front doors. Panics: none outside tests.
//! Openings: every file begins with a sentence. The reading of these is by line and word, not by syntax: good enough for
//! code that `cargo fmt` laid out, and it cannot be fooled by accident. Circles and names of types are read by `syn`. Test modules stand last in their
//! file or in one of their own.

mod circles;
mod names;

use std::fmt;
use std::path::Path;

use crate::support::walk;

/// One file of the project, as text.
struct Source {
    path: String,
    text: String,
    /// The whole file is a test module that another file declares.
    all_tests: bool,
}

/// A broken law, at its place.
#[derive(Debug, PartialEq, Eq)]
struct Complaint {
    path: String,
    line: usize,
    what: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// Which paths may name an outside crate: the path itself, or what begins with it.
const HOMES: &[(&str, &[&str])] = &[
    ("git2", &["src/git"]),
    ("faster_hex", &["src/text"]),
    ("base64", &["src/text"]),
    ("percent_encoding", &["src/text"]),
    ("gix_diff", &["src/diff", "src/git"]),
    ("gix_validate", &["src/path.rs"]),
    ("gix_hash", &["src/snapshot", "src/git/changes"]),
    ("tree_sitter", &["src/syntax"]),
    ("tree_sitter_python", &["src/syntax"]),
    ("tree_sitter_md", &["src/syntax"]),
    ("tree_sitter_javascript", &["src/syntax"]),
    ("tree_sitter_typescript", &["src/syntax"]),
    ("tree_sitter_rust", &["src/syntax"]),
    ("tree_sitter_go", &["src/syntax"]),
    ("tree_sitter_java", &["src/syntax"]),
    ("tree_sitter_css", &["src/syntax"]),
    ("tree_sitter_bash", &["src/syntax/bash"]),
    ("tree_sitter_c", &["src/syntax/c"]),
    ("tree_sitter_c_sharp", &["src/syntax/csharp"]),
    ("tree_sitter_cpp", &["src/syntax/cpp"]),
    ("tree_sitter_dart", &["src/syntax/dart"]),
    ("tree_sitter_graphql", &["src/syntax/graphql"]),
    ("tree_sitter_hcl", &["src/syntax/hcl"]),
    ("tree_sitter_kotlin_ng", &["src/syntax/kotlin"]),
    ("tree_sitter_lua", &["src/syntax/lua"]),
    ("tree_sitter_php", &["src/syntax/php"]),
    ("tree_sitter_proto", &["src/syntax/proto"]),
    ("tree_sitter_ruby", &["src/syntax/ruby"]),
    ("tree_sitter_scala", &["src/syntax/scala"]),
    ("tree_sitter_solidity", &["src/syntax/solidity"]),
    ("tree_sitter_swift", &["src/syntax/swift"]),
    ("tree_sitter_zig", &["src/syntax/zig"]),
    ("oxc_allocator", &["src/syntax/javascript"]),
    ("oxc_diagnostics", &["src/syntax/javascript"]),
    ("oxc_parser", &["src/syntax/javascript"]),
    ("oxc_semantic", &["src/syntax/javascript"]),
    ("oxc_span", &["src/syntax/javascript"]),
    ("selectors", &["src/syntax/html"]),
    ("cssparser", &["src/syntax/html"]),
    ("precomputed_hash", &["src/syntax/html"]),
    ("html5ever", &["src/syntax/html"]),
    ("ruff_python_parser", &["src/syntax"]),
    ("ruff_python_ast", &["src/syntax"]),
    ("ruff_text_size", &["src/syntax"]),
    ("pulldown_cmark", &["src/syntax"]),
    ("serde_saphyr", &["src/manifest/yaml", "src/syntax/yaml"]),
    ("toml_edit", &["src/syntax/toml"]),
    ("jsonc_parser", &["src/syntax/json"]),
    ("serde_yaml", &["src/manifest/yaml"]),
    ("schemars", &["src/manifest"]),
    ("clap", &["src/cli", "src/main.rs"]),
    ("similar", &["src/text/diff"]),
    ("annotate_snippets", &["src/report"]),
    ("strsim", &["src/diagnostic.rs"]),
    ("indicatif", &["src/cli"]),
    ("ignore", &["src/config"]),
    ("gix_object", &["src/git"]),
    ("fail", &["src/publish", "src/git", "src/cli"]),
    ("signal_hook", &["src/process"]),
    ("rusqlite", &["src/segment_index"]),
    ("rmcp", &["src/mcp"]),
    ("tokio", &["src/mcp"]),
    ("tokio_util", &["src/mcp"]),
    ("ureq", &["src/ask"]),
];

/// Words of the machine and who may say them.
const TALK: &[(&str, &[&str])] = &[
    ("println!", &["src/cli", "src/main.rs"]),
    ("eprintln!", &["src/cli", "src/main.rs"]),
    ("print!", &["src/cli", "src/main.rs"]),
    ("eprint!", &["src/cli", "src/main.rs"]),
    (
        "std::env",
        &[
            "src/cli",
            "src/main.rs",
            "src/git/base/environment",
            "src/process/environment",
        ],
    ),
    (
        "process::Command",
        &[
            "src/git/program",
            "src/git/helper",
            "src/process",
            "src/mcp",
        ],
    ),
    ("process::exit", &["src/main.rs"]),
];

/// What ends the program instead of refusing.
const PANICS: [&str; 6] = [
    ".unwrap()",
    ".unwrap_err()",
    "panic!",
    "todo!",
    "unimplemented!",
    "dbg!",
];

impl Source {
    /// Returns the lines of code with their 1-based numbers: comments left out, test modules left out.
    fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines: Vec<&str> = self.text.lines().collect();
        let end = if self.all_tests {
            0
        } else {
            first_test_module(&lines).unwrap_or(lines.len())
        };
        let numbered = lines
            .into_iter()
            .take(end)
            .enumerate()
            .map(|(at, line)| (at + 1, line));
        numbered.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// Returns the room that the file belongs to; `lib.rs` and `main.rs` belong to none.
    fn room(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("src/")?;
        let room = inside.split('/').next()?;
        let room = room.strip_suffix(".rs").unwrap_or(room);
        (!matches!(room, "lib" | "main")).then_some(room)
    }

    fn complaint(&self, line: usize, what: impl Into<String>) -> Complaint {
        Complaint {
            path: self.path.clone(),
            line,
            what: what.into(),
        }
    }
}

/// Returns the index of the line that opens the test module; one declared for another file ends nothing here.
fn first_test_module(lines: &[&str]) -> Option<usize> {
    let opens = |line: &&str| module(line).is_some_and(|rest| rest.ends_with('{'));
    (0..lines.len()).find(|&at| lines[at] == "#[cfg(test)]" && lines.get(at + 1).is_some_and(opens))
}

/// Returns what follows the `mod` of a module's line.
fn module(line: &str) -> Option<&str> {
    let seen = line
        .strip_prefix("pub(crate) ")
        .or(line.strip_prefix("pub(super) "))
        .or(line.strip_prefix("pub "))
        .unwrap_or(line);
    seen.strip_prefix("mod ")
}

/// Returns the paths of the files that `source` declares as test modules of its own.
fn declared_tests(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.text.lines().collect();
    let folder = match source
        .path
        .strip_suffix("/mod.rs")
        .or(source.path.strip_suffix("/lib.rs"))
    {
        Some(folder) => folder.to_owned(),
        None => source.path.trim_end_matches(".rs").to_owned(),
    };
    let pairs = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]");
    let names = pairs.filter_map(|pair| module(pair[1])?.strip_suffix(';'));
    names
        .flat_map(|name| {
            [
                format!("{folder}/{name}.rs"),
                format!("{folder}/{name}/mod.rs"),
            ]
        })
        .collect()
}

/// Says whether `line` holds `word` with nothing before it that would make it part of a longer word.
fn says(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
    })
}

fn names_crate(line: &str, name: &str) -> bool {
    says(line, &format!("{name}::"))
        || says(line, &format!("use {name};"))
        || says(line, &format!("use {name} as"))
}

fn lives_in(path: &str, homes: &[&str]) -> bool {
    homes.iter().any(|home| {
        path.strip_prefix(home)
            .is_some_and(|rest| rest.is_empty() || rest == ".rs" || rest.starts_with('/'))
    })
}

fn openings(source: &Source) -> Vec<Complaint> {
    if source.text.starts_with("//! ") {
        Vec::new()
    } else {
        vec![source.complaint(1, "opens without a `//!` sentence")]
    }
}

fn homes(source: &Source) -> Vec<Complaint> {
    let strangers = |(line, code): (usize, &str)| {
        let named = HOMES
            .iter()
            .filter(move |(name, homes)| names_crate(code, name) && !lives_in(&source.path, homes));
        named
            .map(move |(name, homes)| {
                source.complaint(line, format!("`{name}` lives in {}", homes.join(", ")))
            })
            .collect::<Vec<_>>()
    };
    source.code_lines().flat_map(strangers).collect()
}

fn talk(source: &Source) -> Vec<Complaint> {
    let heard = |(line, code): (usize, &str)| {
        let said = TALK
            .iter()
            .filter(move |(word, homes)| says(code, word) && !lives_in(&source.path, homes));
        said.map(move |(word, homes)| {
            source.complaint(line, format!("`{word}` belongs to {}", homes.join(", ")))
        })
        .collect::<Vec<_>>()
    };
    source.code_lines().flat_map(heard).collect()
}

fn panics(source: &Source) -> Vec<Complaint> {
    let ends = |(line, code): (usize, &str)| {
        let found = PANICS.iter().find(|word| {
            if word.starts_with('.') {
                code.contains(*word)
            } else {
                says(code, word)
            }
        });
        found.map(|word| source.complaint(line, format!("`{word}` outside tests")))
    };
    source.code_lines().filter_map(ends).collect()
}

/// Returns the rooms of the table in `src/lib.rs`, top row first; a row's rooms from left to right.
fn floors(lib: &str) -> Vec<String> {
    let rows = lib.lines().filter_map(|line| {
        line.strip_prefix("//! | ")?
            .strip_suffix(" |")?
            .rsplit_once(" | ")
    });
    let rooms = rows.flat_map(|(_, rooms)| rooms.split(", "));
    rooms
        .filter_map(|room| Some(room.strip_prefix('`')?.strip_suffix('`')?.to_owned()))
        .collect()
}

/// Every module of `src/lib.rs` stands in the table, and the other way round.
fn table_is_whole(lib: &Source) -> Vec<Complaint> {
    let table = floors(&lib.text);
    let modules: Vec<(usize, &str)> = lib
        .code_lines()
        .filter_map(|(line, code)| {
            Some((
                line,
                code.strip_prefix("pub ")
                    .unwrap_or(code)
                    .strip_prefix("mod ")?
                    .strip_suffix(';')?,
            ))
        })
        .collect();
    let mut complaints: Vec<Complaint> = modules
        .iter()
        .filter(|(_, module)| !table.iter().any(|room| room == module))
        .map(|(line, module)| lib.complaint(*line, format!("`{module}` stands on no floor")))
        .collect();
    let missing = table
        .iter()
        .filter(|room| !modules.iter().any(|(_, module)| module == room));
    complaints.extend(
        missing
            .map(|room| lib.complaint(1, format!("the table names `{room}`, which is no module"))),
    );
    complaints
}

/// A room imports only rooms that stand before it in the table.
fn imports(source: &Source, table: &[String]) -> Vec<Complaint> {
    let Some(own) = source.room() else {
        return Vec::new();
    };
    let Some(floor) = table.iter().position(|room| room == own) else {
        return vec![source.complaint(1, format!("`{own}` stands on no floor"))];
    };
    let climbs = |(line, code): (usize, &str)| {
        let upper = table[floor + 1..].iter().filter(move |room| {
            ["crate", "segedit"]
                .iter()
                .any(|root| names_room(code, root, room))
        });
        upper
            .map(move |room| {
                source.complaint(
                    line,
                    format!("`{own}` imports `{room}` from a higher floor"),
                )
            })
            .collect::<Vec<_>>()
    };
    source.code_lines().flat_map(climbs).collect()
}

/// Says whether the line reaches `room` through `root`, alone or in braces.
fn names_room(code: &str, root: &str, room: &str) -> bool {
    let whole = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    let direct = format!("{root}::{room}");
    let alone = code
        .match_indices(&direct)
        .any(|(at, _)| says(&code[at..], &direct) && whole(&code[at + direct.len()..]));
    let group = code
        .split_once(&format!("{root}::{{"))
        .is_some_and(|(_, group)| {
            group
                .split([',', '{', '}', ' '])
                .any(|word| word == room || word.starts_with(&format!("{room}::")))
        });
    alone || group
}

fn read_sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for folder in [
        "src",
        "tests/it",
        "tests/support",
        "tests/sweep",
        "tests/tools",
        "benches",
    ]
    .map(|folder| root.join(folder))
    .into_iter()
    .filter(|path| path.exists())
    {
        walk(root, &folder, &mut |name, path| {
            if name.ends_with(".rs") {
                let text = std::fs::read_to_string(path)
                    .unwrap_or_else(|error| panic!("reading {name}: {error}"));
                sources.push(Source {
                    path: name.to_owned(),
                    text,
                    all_tests: false,
                });
            }
        });
    }
    let tests: Vec<String> = sources.iter().flat_map(declared_tests).collect();
    for source in &mut sources {
        source.all_tests = tests.contains(&source.path);
    }
    sources
}

/// Applies a law to every file below `folder` and fails with all complaints at once.
#[track_caller]
fn hold(folder: &str, law: impl Fn(&Source) -> Vec<Complaint>) {
    let sources = read_sources();
    let bound: Vec<&Source> = sources
        .iter()
        .filter(|source| source.path.starts_with(folder))
        .collect();
    assert!(!bound.is_empty(), "no files below {folder:?}");
    let complaints: Vec<String> = bound
        .into_iter()
        .flat_map(law)
        .map(|complaint| complaint.to_string())
        .collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn every_file_opens_with_a_sentence() {
    hold("", openings);
}

#[test]
fn outside_crates_stay_at_home() {
    hold("src/", homes);
}

#[test]
fn only_the_front_doors_talk_and_start_programs() {
    hold("src/", talk);
}

#[test]
fn nothing_panics_outside_tests() {
    hold("src/", panics);
}

#[test]
fn floors_go_one_way() {
    let sources = read_sources();
    let lib = sources
        .iter()
        .find(|source| source.path == "src/lib.rs")
        .expect("the project has a src/lib.rs");
    let table = floors(&lib.text);
    assert!(
        table.len() > 5,
        "the table of floors was not read: {table:?}"
    );
    hold("src/lib.rs", table_is_whole);
    hold("src/", |source| imports(source, &table));
}

/// How many groups of files still need each other; the number only falls.
const CIRCLES_LEFT: usize = 0;

#[test]
fn no_files_of_a_room_need_each_other() {
    let sources = read_sources();
    let code = sources
        .iter()
        .filter(|source| source.path.starts_with("src/") && !source.all_tests)
        .map(|source| (source.path.as_str(), source.text.as_str()));
    let circles = circles::Modules::read(code).circles();
    let lines: Vec<String> = circles.iter().map(|files| files.join(" ")).collect();
    assert_eq!(circles.len(), CIRCLES_LEFT, "\n{}\n", lines.join("\n"));
}

#[test]
fn no_two_types_share_a_name() {
    let sources = read_sources();
    let code = sources
        .iter()
        .filter(|source| source.path.starts_with("src/") && !source.all_tests)
        .map(|source| (source.path.as_str(), source.text.as_str()));
    let shared = names::shared_names(code);
    assert!(shared.is_empty(), "\n{}\n", shared.join("\n"));
}

mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
            all_tests: false,
        }
    }

    /// Checks that `law` complains about exactly these lines.
    #[track_caller]
    fn check(law: impl Fn(&Source) -> Vec<Complaint>, path: &str, text: &str, lines: &[usize]) {
        let complaints = law(&source(path, text));
        assert_eq!(
            complaints
                .iter()
                .map(|complaint| complaint.line)
                .collect::<Vec<_>>(),
            lines,
            "{complaints:?}"
        );
    }

    #[test]
    fn a_file_without_an_opening_is_told() {
        check(openings, "src/a.rs", "//! A sentence.\n", &[]);
        check(openings, "src/a.rs", "use x;\n//! Late.\n", &[1]);
        check(openings, "src/a.rs", "", &[1]);
    }

    #[test]
    fn a_crate_away_from_home_is_told() {
        check(homes, "src/git/read.rs", "use git2::Repository;\n", &[]);
        check(homes, "src/plan/mod.rs", "\nuse git2::Repository;\n", &[2]);
        check(
            homes,
            "src/plan/mod.rs",
            "fn f(r: &git2::Repository) {}\n",
            &[1],
        );
        check(
            homes,
            "src/plan/mod.rs",
            "// git2::Repository is not ours\nuse my_git2::x;\n",
            &[],
        );
        check(
            homes,
            "src/text/differ.rs",
            "use similar::TextDiff;\n",
            &[1],
        );
        check(
            homes,
            "src/text/diff.rs",
            "use similar::TextDiff;\nlet similar = 1;\n",
            &[],
        );
        check(
            homes,
            "src/text/mod.rs",
            "MatchLevel::similar; let similar = 1;\n",
            &[],
        );
        check(
            homes,
            "src/plan/mod.rs",
            "fn f() {}\n#[cfg(test)]\nmod tests {\n    use git2::Oid;\n}\n",
            &[],
        );
    }

    #[test]
    fn talk_in_a_lower_room_is_told() {
        check(talk, "src/cli/mod.rs", "println!();\n", &[]);
        check(talk, "src/plan/mod.rs", "println!();\n", &[1]);
        check(
            talk,
            "src/plan/mod.rs",
            "fn f() {\n    std::env::var(\"X\");\n}\n",
            &[2],
        );
        check(
            talk,
            "src/git/read.rs",
            "std::process::Command::new(\"git\");\n",
            &[1],
        );
        check(
            talk,
            "src/git/program.rs",
            "std::process::Command::new(\"git\");\n",
            &[],
        );
        check(talk, "src/plan/mod.rs", "let x = env!(\"CARGO\");\n", &[]);
    }

    #[test]
    fn a_panic_outside_tests_is_told() {
        check(
            panics,
            "src/a.rs",
            "let x = y.unwrap();\nlet z = y.unwrap_or(1);\n",
            &[1],
        );
        check(
            panics,
            "src/a.rs",
            "/// y.unwrap()\nlet x = y.expect(\"why\");\n",
            &[],
        );
        check(
            panics,
            "src/a.rs",
            "todo!()\npanic!(\"no\")\nmy_panic!()\n",
            &[1, 2],
        );
        check(
            panics,
            "src/a.rs",
            "#[cfg(test)]\nmod tests {\n  x.unwrap();\n}\n",
            &[],
        );
        check(
            panics,
            "src/a.rs",
            "#[cfg(test)]\nmod samples;\nfn f() {\n  x.unwrap();\n}\n",
            &[4],
        );
        check(
            panics,
            "src/a.rs",
            "#[cfg(test)]\npub fn f() {\n  x.unwrap();\n}\n",
            &[3],
        );
    }

    #[test]
    fn a_test_module_in_a_file_of_its_own_is_known() {
        let declared =
            |path: &str| declared_tests(&source(path, "#[cfg(test)]\nmod samples;\nmod real;\n"));
        assert_eq!(
            declared("src/a/mod.rs"),
            ["src/a/samples.rs", "src/a/samples/mod.rs"]
        );
        assert_eq!(
            declared("src/a.rs"),
            ["src/a/samples.rs", "src/a/samples/mod.rs"]
        );
        assert_eq!(
            declared("src/lib.rs"),
            ["src/samples.rs", "src/samples/mod.rs"]
        );
        let seen = source("src/a.rs", "#[cfg(test)]\npub(crate) mod tests;\n");
        assert_eq!(declared_tests(&seen)[0], "src/a/tests.rs");
        let hidden = Source {
            all_tests: true,
            ..source("src/a/samples.rs", "x.unwrap();\n")
        };
        assert!(panics(&hidden).is_empty());
    }

    #[test]
    fn an_upward_import_is_told() {
        let table: Vec<String> = ["path", "text", "plan", "cli"].map(str::to_owned).to_vec();
        let law = |source: &Source| imports(source, &table);
        check(
            law,
            "src/plan/mod.rs",
            "use crate::text::Span;\nuse crate::plan::x;\n",
            &[],
        );
        check(
            law,
            "src/plan/mod.rs",
            "use crate::text;\nuse crate::cli::exit;\n",
            &[2],
        );
        check(law, "src/path.rs", "use crate::text;\n", &[1]);
        check(law, "src/path.rs", "use crate::{text::Span, path};\n", &[1]);
        check(
            law,
            "src/text/mod.rs",
            "fn f() -> crate::plan::Plan {}\n",
            &[1],
        );
        check(
            law,
            "src/text/mod.rs",
            "fn f() -> crate::planning {}\n",
            &[],
        );
        check(law, "src/attic.rs", "", &[1]);
        check(law, "src/main.rs", "use segedit::cli;\n", &[]);
    }

    #[test]
    fn a_gap_in_the_table_is_told() {
        let lib = "//! | floor | rooms |\n//! |---|---|\n//! | 0 words | `path`, `text` |\n";
        assert_eq!(floors(lib), ["path", "text"]);
        check(
            table_is_whole,
            "src/lib.rs",
            &format!("{lib}pub mod path;\nmod text;\n"),
            &[],
        );
        check(
            table_is_whole,
            "src/lib.rs",
            &format!("{lib}pub mod path;\npub mod text;\npub mod attic;\n"),
            &[6],
        );
        check(
            table_is_whole,
            "src/lib.rs",
            &format!("{lib}pub mod path;\n"),
            &[1],
        );
    }
}
