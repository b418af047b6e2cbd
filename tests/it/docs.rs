//! What README.md, docs/, examples/ and the manual show is run here, in the sample repository.
//!
//! A `sh` block is run line by line, in order, one repository for each document; a line that ends in `# exit n` has to
//! end so. A `text` block shows what the block above it said: its lines have to come in that order, `…` stands for
//! anything. A `yaml` block is an operation file that `check` takes, `yaml configuration` a configuration that `validators`
//! takes, and `yaml .segedit.yaml` one that is written into the repository. Blocks with a further word (`sh install`) are
//! about the machine and are held to account by name. What `ask` asks is a server on this machine, which makes one edit.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::ask::{Called, Exchange, Script, Server, has_loopback};
use crate::support::{Sandbox, read_tree};

/// One fenced block.
struct Block {
    /// What stands behind the fence: `sh`, `yaml`, `sh install`.
    language: String,
    text: String,
    /// 1-based line of the opening fence.
    line: usize,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sample() -> Sandbox {
    Sandbox::with_tree(&read_tree(&root().join("examples/sample")))
}

fn blocks(document: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (at, line) in document.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(language) if !open => {
                blocks.push(Block {
                    language: language.to_owned(),
                    text: String::new(),
                    line: at + 1,
                });
                open = true;
            }
            Some(_) => open = false,
            None if open => {
                let block = blocks.last_mut().expect("an open block");
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {}
        }
    }
    blocks
}

/// Says whether the lines of `shown` come in `said`, in order, `…` standing for anything.
fn comes_in(shown: &str, said: &str) -> Result<(), String> {
    let mut lines = said.lines();
    for wanted in shown.lines().filter(|line| line.trim() != "…") {
        let pieces: Vec<&str> = wanted.trim_end().split('…').collect();
        let fits = |line: &str| {
            let mut rest = line.trim_end();
            pieces.iter().all(|piece| match rest.find(piece) {
                Some(at) => {
                    rest = &rest[at + piece.len()..];
                    true
                }
                None => false,
            })
        };
        lines
            .find(|line| fits(line))
            .ok_or_else(|| wanted.to_owned())?;
    }
    Ok(())
}

/// Holds a server that a client would start to an answer.
fn serves<'w>(sandbox: &Sandbox, command: &str, words: impl Iterator<Item = &'w str>, at: &str) {
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
    let run = sandbox.shell(&format!(
        "echo '{hello}' | {command} {}",
        words.collect::<Vec<_>>().join(" ")
    ));
    assert!(
        run.exit == 0 && run.out().contains("\"serverInfo\""),
        "{at}\n{run}\n{sandbox}"
    );
}

/// Puts a server in the place of the model that the sandbox's user asks: it makes one edit, whatever it is asked.
fn model(sandbox: &Sandbox) -> Server {
    let with = serde_json::json!({"path": "src/worker.py", "old": "self.execute(data)", "new": "self.execute(data, retry=True)"});
    let call = Called {
        tool: "segedit_edit".to_owned(),
        with,
        id: None,
    };
    let exchange = vec![Exchange {
        calls: vec![call],
        ..Exchange::default()
    }];
    let (paths, args, setup) = (Vec::new(), Vec::new(), Vec::new());
    let server = Server::start(
        &Script {
            paths,
            args,
            setup,
            openai: false,
            exchange,
            forever: true,
        },
        &sandbox.repo(),
    );
    sandbox.git(&["config", "--global", "segedit.ask.baseUrl", &server.url()]);
    server
}

fn run_document(path: &Path) {
    let document = fs::read_to_string(path).expect("the document");
    let sandbox = sample();
    let asks = blocks(&document)
        .iter()
        .any(|block| block.language == "sh" && block.text.contains("git segedit ask "));
    if asks && !has_loopback() {
        return;
    }
    let _model = asks.then(|| model(&sandbox));
    let mut said = String::new();
    let name = path.strip_prefix(root()).expect("below the root").display();
    for block in blocks(&document) {
        let at = format!("{name}:{}", block.line);
        match block.language.as_str() {
            "sh" => {
                said.clear();
                for line in block.text.lines() {
                    let expected = line
                        .rsplit_once("# exit ")
                        .map_or(0, |(_, code)| code.trim().parse().expect("a number"));
                    let run = sandbox.shell(line);
                    assert_eq!(run.exit, expected, "{at}\n{run}\n{sandbox}");
                    said.push_str(&run.out());
                    said.push_str(&run.err());
                }
            }
            "text" => comes_in(&block.text, &said)
                .unwrap_or_else(|line| panic!("{at}: no line `{line}` in\n{said}")),
            "yaml" => {
                let run = sandbox.segedit_with_input(&["check", "-"], block.text.as_bytes());
                assert_eq!(run.exit, 0, "{at}\n{run}\n{sandbox}");
            }
            "yaml .segedit.yaml" => sandbox.write(".segedit.yaml", &block.text),
            "yaml configuration" => {
                sandbox.write(".segedit.yaml", &block.text);
                let run = sandbox.segedit(&["validators"]);
                assert_eq!(run.exit, 0, "{at}\n{run}\n{sandbox}");
                fs::remove_file(sandbox.repo().join(".segedit.yaml"))
                    .expect("the file just written");
            }
            "json" => {
                let entry: serde_json::Value = serde_json::from_str(&block.text).expect(&at);
                let server = &entry["mcpServers"]["segedit"];
                let words = server["args"]
                    .as_array()
                    .expect(&at)
                    .iter()
                    .map(|word| word.as_str().expect(&at));
                serves(&sandbox, server["command"].as_str().expect(&at), words, &at);
            }
            "toml" => {
                let entry: toml_edit::DocumentMut = block.text.parse().expect(&at);
                let server = &entry["mcp_servers"]["segedit"];
                let words = server["args"]
                    .as_array()
                    .expect(&at)
                    .iter()
                    .map(|word| word.as_str().expect(&at));
                serves(&sandbox, server["command"].as_str().expect(&at), words, &at);
            }
            "rust" | "yaml pre-commit" | "sh tour" | "sh tests" | "sh install" | "sh bench" => {}
            other => panic!("{at}: nobody knows how to run a block of `{other}`"),
        }
    }
}

#[test]
fn the_readme_works() {
    run_document(&root().join("README.md"));
}

#[test]
fn what_agents_are_told_works() {
    for guide in ["agents.md", "skill.md", "operation-files.md"] {
        run_document(&root().join("src/door/guides").join(guide));
    }
}

#[test]
fn the_documents_work() {
    let mut documents: Vec<PathBuf> = fs::read_dir(root().join("docs"))
        .expect("docs")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    documents.sort();
    assert!(!documents.is_empty());
    for document in documents {
        run_document(&document);
    }
}

/// The rows of the table of languages are what `languages` tells.
#[test]
fn the_table_of_languages_is_what_the_program_knows() {
    let known = sample().segedit(&["languages", "--format", "json"]).json();
    let document = fs::read_to_string(root().join("docs/languages.md")).expect("the document");
    let words = |list: &serde_json::Value, around: &str, between: &str| {
        let words = list.as_array().expect("a list").iter();
        let words: Vec<String> = words
            .map(|word| format!("{around}{}{around}", word.as_str().expect("a word")))
            .collect();
        words.join(between)
    };
    let rows: Vec<String> = known
        .as_array()
        .expect("a list")
        .iter()
        .map(|language| {
            let name = language["name"].as_str().expect("a name");
            let files = words(&language["files"], "`", " ");
            let kinds = words(&language["kinds"], "", ", ");
            format!("| {name} | {files} | {kinds} |")
        })
        .collect();
    let told: Vec<&str> = document
        .lines()
        .skip_while(|line| !line.starts_with("| language |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(told, rows);
}

#[test]
fn a_shown_line_has_to_come() {
    assert_eq!(comes_in("a…c\n…\nz\n", "x\na b c\ny\nz\n"), Ok(()));
    assert_eq!(comes_in("z\na\n", "a\nz\n"), Err("a".to_owned()));
}

#[test]
fn every_operation_file_of_the_sample_works_on_its_first_commit() {
    for entry in fs::read_dir(root().join("examples/sample/edits")).expect("the edits") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            let sandbox = sample();
            let run = sandbox.segedit(&["apply", path.to_str().expect("a plain name")]);
            assert_eq!(run.exit, 0, "{run}\n{sandbox}");
            assert!(!run.out().contains("noop"), "{run}");
        }
    }
}

#[test]
fn every_example_of_the_manual_works() {
    let commands = [
        "apply",
        "check",
        "replace",
        "insert",
        "delete",
        "outline",
        "show",
        "find",
        "undo",
        "redo",
        "log",
        "show-batch",
        "history",
        "recover",
        "validators",
        "trust",
        "hooks",
        "tools",
        "call",
        "mcp",
        "agents",
        "ask",
        "languages",
        "schema",
        "help",
    ];
    for command in commands {
        let sandbox = sample();
        sandbox.git(&["branch", "bot/validate"]);
        sandbox.write(
            ".segedit.yaml",
            "version: 1\nvalidators: [{preset: ruff}]\n",
        );
        if command == "ask" && !has_loopback() {
            continue;
        }
        let _model = (command == "ask").then(|| model(&sandbox));
        let page = sandbox.segedit(&["help", command]);
        let examples: Vec<String> = page
            .out()
            .lines()
            .filter_map(|line| line.strip_prefix("   $ ").map(str::to_owned))
            .collect();
        assert!(!examples.is_empty(), "{page}");
        for example in examples {
            let run = sandbox.shell(&example);
            assert_eq!(run.exit, 0, "{run}\n{sandbox}");
        }
    }
}

#[test]
fn the_tour_ends_with_a_commit_and_a_refusal() {
    let folder = Path::new(env!("CARGO_BIN_EXE_git-segedit"))
        .parent()
        .expect("a folder");
    let sandbox = Sandbox::unborn();
    let run = sandbox.shell(&format!(
        "sh '{}/examples/tour.sh' '{}'",
        root().display(),
        folder.display()
    ));
    assert_eq!(run.exit, 0, "{run}");
    assert!(
        run.out().contains("orders: validate before execution"),
        "{run}"
    );
    assert!(
        run.err().contains("did you mean") && run.err().contains("src/worker.py::Worker.process"),
        "{run}"
    );
}

#[test]
fn what_the_readme_says_about_tests_is_what_runs() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the readme");
    let tests = blocks(&readme)
        .into_iter()
        .find(|block| block.language == "sh tests")
        .expect("a block of tests");
    let script = fs::read_to_string(root().join(".ci/run")).expect("the script");
    let step = format!("step fast {}", tests.text.trim_end());
    assert!(script.lines().any(|line| line == step), "{script}");
}

#[test]
fn the_benchmark_knows_the_options_that_the_pages_name() {
    for page in ["README.md", "docs/speed.md"] {
        let page = fs::read_to_string(root().join(page)).expect("the page");
        let shown = blocks(&page)
            .into_iter()
            .find(|block| block.language == "sh bench")
            .expect("a block of the benchmark");
        let mut words = shown.text.split_whitespace();
        let script = root().join(words.next().expect("a program"));
        let help = std::process::Command::new(script)
            .arg("--help")
            .output()
            .expect("a script that runs");
        let help = String::from_utf8_lossy(&help.stdout).into_owned();
        assert!(
            words.all(|word| help.contains(word)),
            "{}: {help}",
            shown.text
        );
    }
}

#[test]
fn every_preset_is_listed() {
    let listed = fs::read_to_string(root().join("docs/validators.md")).expect("the list");
    for preset in segedit::config::VALIDATORS {
        assert!(
            listed.contains(&format!("\n| `{}`", preset.name)),
            "docs/validators.md does not list {}",
            preset.name
        );
    }
    let formatters = listed
        .split("Formatters: ")
        .nth(1)
        .expect("the list of formatters");
    for preset in segedit::config::FORMATTERS {
        assert!(
            formatters.contains(&format!("`{}`", preset.name)),
            "docs/validators.md does not list {}",
            preset.name
        );
    }
}

#[test]
fn every_refusal_is_explained() {
    let catalogue = fs::read_to_string(root().join("src/diagnostic.rs")).expect("the catalogue");
    let explained = fs::read_to_string(root().join("docs/reports.md")).expect("the explanations");
    let codes: Vec<&str> = catalogue
        .lines()
        .filter_map(|line| {
            line.trim()
                .strip_prefix("Code::")?
                .split_once(" => \"")?
                .1
                .strip_suffix("\",")
        })
        .collect();
    assert!(codes.len() > 30, "{codes:?}");
    for code in codes {
        assert!(
            explained.contains(&format!("\n| `{code}` | ")),
            "docs/reports.md says nothing about `{code}`"
        );
    }
}

#[test]
fn the_readme_and_the_help_give_exit_codes_the_same_meaning() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the readme");
    let help = sample().segedit(&["help"]).out();
    for code in 0..=5 {
        let row = readme.lines().find_map(|line| {
            line.strip_prefix(&format!("| {code} | "))?
                .strip_suffix(" |")
        });
        let meaning = row.unwrap_or_else(|| panic!("the readme does not say what {code} means"));
        assert!(
            help.contains(&format!("\n  {code}  {meaning}\n")),
            "{code} is `{meaning}` in the readme, and not in\n{help}"
        );
    }
}
