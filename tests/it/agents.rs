//! `git segedit agents`: a block, a skill, a plugin and the entries of clients, printed and put into what is there. The rest of a
//! file stays, a second time changes nothing, and all of it can be undone.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Run, Sandbox, read_tree, shown_tree};

fn agents(sandbox: &Sandbox, words: &[&str]) -> Run {
    let run = sandbox.segedit(&[&["agents"], words].concat());
    assert_eq!(run.exit, 0, "{run}");
    run
}

fn text(sandbox: &Sandbox, path: &str) -> String {
    std::fs::read_to_string(sandbox.repo().join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}\n{sandbox}"))
}

/// Writes a guide into a repository where `path` holds `before`, holds the file to `after`, and everything else to what the command
/// says of itself.
#[track_caller]
fn writes(words: &[&str], path: &str, before: Option<&str>, after: &str) {
    let sandbox = match before {
        Some(before) => Sandbox::with(&[(path, before), ("other.txt", "x\n")]),
        None => Sandbox::with(&[("other.txt", "x\n")]),
    };
    let untouched = sandbox.worktree_tree();
    let words = [words, &["--write"]].concat();
    agents(&sandbox, &[words.as_slice(), &["--dry-run"]].concat());
    assert_eq!(
        shown_tree(&sandbox.worktree_tree()),
        shown_tree(&untouched),
        "a dry run changes nothing"
    );

    agents(&sandbox, &words);
    assert_eq!(text(&sandbox, path), after);
    let written = sandbox.worktree_tree();
    agents(&sandbox, &words);
    assert_eq!(
        shown_tree(&sandbox.worktree_tree()),
        shown_tree(&written),
        "once is enough"
    );

    assert_eq!(sandbox.segedit(&["undo"]).exit, 0);
    assert_eq!(shown_tree(&sandbox.worktree_tree()), shown_tree(&untouched));
}

#[test]
fn the_block_of_agents_md_is_written_once_and_replaced_in_place() {
    let block = agents(&Sandbox::with(&[]), &["agents-md"]).out();
    assert!(
        block.starts_with("<!-- region git-segedit -->\n")
            && block.ends_with("<!-- endregion -->\n"),
        "{block}"
    );
    let words = ["agents-md"];
    writes(&words, "AGENTS.md", None, &block);
    writes(
        &words,
        "AGENTS.md",
        Some("# Rules\n\nBe kind.\n"),
        &format!("# Rules\n\nBe kind.\n\n{block}"),
    );
    let old = "<!-- region git-segedit -->\n## Old\n\n- words\n<!-- endregion -->\n";
    writes(
        &words,
        "AGENTS.md",
        Some(&format!("# Rules\n\n{old}\n## More  \n\n* x\n")),
        &format!("# Rules\n\n{block}\n## More  \n\n* x\n"),
    );
}

/// Returns the entry that `client` gets, as JSON.
fn server(client: &str) -> Value {
    let mut server = json!({ "command": "git", "args": ["segedit", "mcp"] });
    match client {
        "claude-code" => server["alwaysLoad"] = json!(true),
        "vscode" => server["type"] = json!("stdio"),
        _ => {}
    }
    server
}

#[test]
fn each_client_with_json_is_told_of_the_server_beside_what_it_has() {
    let clients = [
        ("claude-code", ".mcp.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", ".vscode/mcp.json", "servers"),
        ("zed", ".zed/settings.json", "context_servers"),
    ];
    for (client, path, around) in clients {
        let own = json!({ "segedit": server(client) });
        let beside = json!({ "other": { "command": "x" }, "segedit": server(client) });
        let outdated = format!(
            "{{\"{around}\": {{\"segedit\": {{\"command\": \"old\", \"env\": {{}}}}}}, \"a\": 1}}\n"
        );
        let cases = [
            (None, json!({ around: own })),
            (Some("{}\n".to_owned()), json!({ around: own })),
            (
                Some("{\n\t\"a\": {\"b\": 1},\n\t\"c\": []\n}\n".to_owned()),
                json!({ "a": {"b": 1}, "c": [], around: own }),
            ),
            (
                Some(format!(
                    "{{\"{around}\": {{\"other\": {{\"command\": \"x\"}}}}}}\n"
                )),
                json!({ around: beside }),
            ),
            (Some(outdated), json!({ around: own, "a": 1 })),
        ];
        for (before, expected) in cases {
            let sandbox = Sandbox::with(&[("other.txt", "x\n")]);
            if let Some(before) = &before {
                sandbox.write(path, before);
            }
            let untouched = sandbox.worktree_tree();
            agents(&sandbox, &["config", client, "--write"]);
            let found: Value = serde_json::from_str(&text(&sandbox, path)).unwrap();
            assert_eq!(found, expected, "{client}, from {before:?}");
            let written = sandbox.worktree_tree();
            agents(&sandbox, &["config", client, "--write"]);
            assert_eq!(shown_tree(&sandbox.worktree_tree()), shown_tree(&written));
            assert_eq!(sandbox.segedit(&["undo"]).exit, 0);
            assert_eq!(shown_tree(&sandbox.worktree_tree()), shown_tree(&untouched));
        }
        // Options that its user gave it stay.
        let optioned =
            json!({ "command": "git", "args": ["segedit", "mcp", "--review"], "env": {"A": "b"} });
        let before = json!({ around: { "segedit": optioned } }).to_string();
        let sandbox = Sandbox::with(&[(path, &before)]);
        agents(&sandbox, &["config", client, "--write"]);
        assert_eq!(text(&sandbox, path), before);
        let printed: Value =
            serde_json::from_str(&agents(&Sandbox::with(&[]), &["config", client]).out()).unwrap();
        assert_eq!(printed, json!({ around: own }));
    }
}

#[test]
fn settings_in_which_no_key_can_be_read_are_left_alone() {
    let open = "{\"theme\": \"a\", \"context_servers\": {\"b\": {\"command\": \"x\"}}\n";
    for before in [
        open,
        "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n",
        "[1]\n",
        "\"text\"\n",
        "// keep me\n",
    ] {
        let sandbox = Sandbox::with(&[(".zed/settings.json", before)]);
        let run = sandbox.segedit(&["agents", "config", "zed", "--write"]);
        assert!(matches!(run.exit, 1 | 3), "{before}\n{run}");
        assert_eq!(text(&sandbox, ".zed/settings.json"), before, "{run}");
    }
    for before in ["", "\n", "{\n  // mine\n}\n"] {
        let sandbox = Sandbox::with(&[(".zed/settings.json", before)]);
        agents(&sandbox, &["config", "zed", "--write"]);
        let after = text(&sandbox, ".zed/settings.json");
        assert!(
            after.contains("\"segedit\"")
                && after.contains("// mine") == before.contains("// mine"),
            "{after}"
        );
    }
}

#[test]
fn comments_of_settings_stay() {
    writes(
        &["config", "zed"],
        ".zed/settings.json",
        Some("{\n  // mine\n  \"theme\": \"dark\", // at night\n}\n"),
        "{\n  // mine\n  \"theme\": \"dark\", // at night\n  \"context_servers\": {\n    \"segedit\": {\n      \
         \"command\": \"git\",\n      \"args\": [\"segedit\", \"mcp\"]\n    }\n  },\n}\n",
    );
}

#[test]
fn codex_gets_a_table() {
    let table = "[mcp_servers.segedit]\ncommand = \"git\"\nargs = [\"segedit\", \"mcp\"]\n";
    let (words, path) = (["config", "codex"], ".codex/config.toml");
    writes(&words, path, None, table);
    writes(
        &words,
        path,
        Some("model = \"x\"\n"),
        &format!("model = \"x\"\n\n{table}"),
    );
    let other = "[mcp_servers.other]\ncommand = \"y\"\n";
    writes(
        &words,
        path,
        Some(&format!("{other}\n[tui]\na = 1\n")),
        &format!("{other}\n{table}\n[tui]\na = 1\n"),
    );
    writes(
        &words,
        path,
        Some("[mcp_servers.segedit]\ncommand = \"old\"\n\n[tui]\na = 1\n"),
        &format!("{table}\n[tui]\na = 1\n"),
    );
    // Options that its user gave it stay.
    let optioned =
        "[mcp_servers.segedit]\ncommand = \"git\"\nargs = [\"segedit\", \"mcp\", \"--review\"]\n";
    let sandbox = Sandbox::with(&[(path, optioned)]);
    agents(&sandbox, &["config", "codex", "--write"]);
    assert_eq!(text(&sandbox, path), optioned);
}

#[test]
fn a_skill_and_a_plugin_are_folders() {
    let sandbox = Sandbox::with(&[("a.py", "x = 1\n")]);
    agents(&sandbox, &["skill", "--write"]);
    agents(
        &sandbox,
        &["skill", "--write", "--folder", ".claude/skills"],
    );
    agents(
        &sandbox,
        &["plugin", "--write", "--folder", "examples/plugin"],
    );
    let tree = sandbox.worktree_tree();
    let below = |folder: &str| -> String {
        let inside = tree
            .iter()
            .filter_map(|(path, file)| Some((path.strip_prefix(folder)?.to_owned(), file.clone())));
        shown_tree(&inside.collect())
    };
    let skill = below(".agents/skills/");
    assert!(skill.contains("git-segedit/SKILL.md"), "{skill}");
    assert_eq!(skill, below(".claude/skills/"));
    assert_eq!(skill, below("examples/plugin/skills/"));

    // The plugin that comes with the project is the one that is written.
    let committed = read_tree(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/plugin"));
    assert_eq!(
        shown_tree(&committed),
        below("examples/plugin/"),
        "`git segedit agents plugin --write --folder examples/plugin`"
    );
    let plugin: Value = serde_json::from_str(&text(
        &sandbox,
        "examples/plugin/.claude-plugin/plugin.json",
    ))
    .unwrap();
    assert_eq!(plugin["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn wrong_words_are_refused() {
    let sandbox = Sandbox::with(&[("a.py", "x = 1\n")]);
    for words in [
        &["config"][..],
        &["config", "emacs"],
        &["skill", "zed"],
        &["skill", "--folder", "x"],
    ] {
        let run = sandbox.segedit(&[&["agents"], words].concat());
        assert_eq!(run.exit, 2, "{run}");
    }
    for folder in ["../x", "/x", "/"] {
        let run = sandbox.segedit(&["agents", "skill", "--write", "--folder", folder]);
        assert_eq!(run.exit, 3, "{run}");
    }
}

#[test]
fn an_absolute_folder_is_one_of_the_repository() {
    let sandbox = Sandbox::with(&[("a.py", "x = 1\n")]);
    let folder = sandbox.repo().join("docs");
    agents(
        &sandbox,
        &[
            "agents-md",
            "--write",
            "--folder",
            &folder.to_string_lossy(),
        ],
    );
    assert!(text(&sandbox, "docs/AGENTS.md").contains("git-segedit"));
}
