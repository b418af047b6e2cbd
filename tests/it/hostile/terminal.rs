//! Nothing that came from outside drives a terminal: what stands there are letters, spaces, tabs and line ends, and the
//! program's own colours.

use std::process::Command;

use serde_json::json;

use crate::support::hostile::batch;
use crate::support::{Run, Sandbox};

/// Sets the title, clears the line, goes back; a bell; the 8-bit introducer; DEL; what reorders; what is not seen.
const HOSTILE: &str = "\u{1b}]0;pwn\u{7}\u{1b}[2K\rx\u{8}\u{9b}31m\u{7f}\u{85}\u{202e}y\u{2066}\u{200b}\u{61c}\u{ad}\u{e0041}z";

/// Runs a command with both streams on a terminal, and returns what came out of it.
const TERMINAL: &str = "
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    os.write(1, piece)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) % 256)
";

/// Runs the tool on a terminal.
fn on_a_terminal(sandbox: &Sandbox, args: &[&str]) -> Run {
    let tool = sandbox.segedit_command();
    let mut command = Command::new("python3");
    command
        .args(["-c", TERMINAL])
        .arg(tool.get_program())
        .args(args)
        .current_dir(sandbox.repo())
        .env_clear();
    command.envs(
        tool.get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    command.env("TERM", "xterm").env("COLUMNS", "200");
    sandbox.run(&mut command, b"")
}

/// Returns the characters of `shown` that could mislead a reader, colours and line ends aside.
fn misleading(shown: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(shown).replace("\r\n", "\n");
    let mut rest = text.as_str();
    let mut plain = String::new();
    // The program's own: colours.
    while let Some((ahead, behind)) = rest.split_once("\u{1b}[") {
        let end = behind.find(|character: char| !character.is_ascii_digit() && character != ';');
        plain.push_str(ahead);
        rest = match end.map(|end| behind.split_at(end)) {
            Some((_, tail)) if tail.starts_with('m') => &tail[1..],
            _ => {
                plain.push('\u{1b}');
                behind
            }
        };
    }
    plain.push_str(rest);
    let unseen = |character: char| {
        matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    let told = plain.split('\n').filter(|line| {
        line.chars()
            .any(|character| (character.is_control() && character != '\t') || unseen(character))
    });
    told.map(|line| line.escape_debug().to_string()).collect()
}

/// A repository whose names and lines are hostile, and operation files beside it.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with(&[("a.txt", "one\n")]);
    sandbox.write("hostile.txt", format!("one\n{HOSTILE}\nthree\n"));
    sandbox.write(&format!("{HOSTILE}.txt"), "one\n");
    sandbox.write(
        "hostile.py",
        format!("def f():\n    '''{HOSTILE}'''\n\n\ndef g(: # {HOSTILE}\n    pass\n"),
    );
    sandbox.write(
        "hostile.md",
        format!("# Title {HOSTILE}\n\ntext\n\n# Title {HOSTILE}\n"),
    );
    sandbox.write("fine.py", format!("def f():\n    return '{HOSTILE}'\n"));
    sandbox.commit_all("hostile");
    sandbox
}

/// Every way to have hostile words said.
fn commands(sandbox: &Sandbox) -> Vec<Vec<String>> {
    let odd = format!("{HOSTILE}.txt");
    let operations = [
        json!({"op": "replace", "file": "hostile.txt", "lines": 2, "content": format!("{HOSTILE}!"), "id": HOSTILE}),
        json!({"op": "replace", "file": odd, "content": HOSTILE}),
        json!({"op": "replace", "file": format!("{HOSTILE}.tx"), "content": "x"}),
        json!({"op": "delete", "file": odd, "text": HOSTILE}),
        json!({"op": "delete", "file": "hostile.txt", "text": HOSTILE.to_uppercase()}),
        json!({"op": "delete", "file": "hostile.txt", "pattern": format!("({HOSTILE}")}),
        json!({"op": "delete", "file": "hostile.txt", "pattern": HOSTILE.replace('[', "")}),
        json!({"op": "delete", "file": "hostile.md", "section": "Title"}),
        json!({"op": "delete", "file": "hostile.md", "section": HOSTILE}),
        json!({"op": "delete", "file": "hostile.py", "symbol": format!("a.{HOSTILE}")}),
        json!({"op": "replace", "file": "fine.py", "symbol": "f", "content": format!("def f(:  # {HOSTILE}\n")}),
        json!({"op": "replace", "file": "fine.py", "symbol": "f", "content": format!("def h():\n    '{HOSTILE}'\n")}),
        json!({"op": "insert", "file": "hostile.py", "position": "last", "content": format!("def z(: # {HOSTILE}\n")}),
        json!({"op": HOSTILE, "file": "a.txt"}),
        json!({"op": "remove", "file": "a.txt", HOSTILE: HOSTILE}),
        json!({"op": "remove", "file": "a.txt", "expect": HOSTILE}),
        json!({"op": "create", "file": format!("new{HOSTILE}"), "content": "x"}),
    ];
    let mut commands: Vec<Vec<String>> = Vec::new();
    for (at, operation) in operations.iter().enumerate() {
        let name = format!("{at}{}.yaml", if at % 2 == 0 { HOSTILE } else { "" });
        // Not as JSON escapes, where YAML takes them as they are: the snippet of a complaint shows the file's own bytes.
        let text = String::from_utf8(batch(std::slice::from_ref(operation))).expect("JSON is text");
        std::fs::write(sandbox.aside().join(&name), text).expect("an operation file");
        let path = format!("../{name}");
        for format in ["human", "json", "github", "sarif"] {
            commands.push(
                ["check", "--format", format, path.as_str()]
                    .map(str::to_owned)
                    .to_vec(),
            );
        }
    }
    let mut plain =
        |args: &[&str]| commands.push(args.iter().map(|&word| word.to_owned()).collect());
    for format in ["human", "json"] {
        plain(&["outline", "--format", format, "hostile.py", "hostile.md"]);
        plain(&["show", "--format", format, "hostile.py::f"]);
        plain(&["find", "--format", format, "f"]);
        plain(&["find", "--format", format, HOSTILE]);
        plain(&["show", "--format", format, HOSTILE]);
        plain(&["show", "--format", format, &format!("{HOSTILE}::{HOSTILE}")]);
        plain(&["outline", "--format", format, HOSTILE]);
        plain(&["apply", "--format", format, HOSTILE]);
        plain(&["apply", "--format", format, &format!("--{HOSTILE}")]);
        plain(&[
            "apply",
            "--format",
            format,
            "--branch",
            HOSTILE,
            "../1.yaml",
        ]);
        plain(&["apply", "--format", format, "--base", HOSTILE, "../1.yaml"]);
        plain(&[
            "apply",
            "--format",
            format,
            "--author",
            HOSTILE,
            "../1.yaml",
        ]);
        plain(&[
            "apply",
            "--format",
            format,
            "--destination",
            HOSTILE,
            "../1.yaml",
        ]);
        plain(&["--format", format, HOSTILE]);
        plain(&["help", "--format", format, HOSTILE]);
        plain(&["-C", HOSTILE, "--format", format, "find", "x"]);
        plain(&[
            "replace",
            "--format",
            format,
            &format!("a.txt::{HOSTILE}"),
            "--content",
            HOSTILE,
        ]);
        plain(&["validators", "--format", format]);
        plain(&["check", "--format", format, "--staged"]);
    }
    commands
}

#[test]
fn a_terminal_is_shown_nothing_that_drives_it() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3 to open a terminal with");
        return;
    }
    let sandbox = sandbox();
    let mut wrong = Vec::new();
    for args in commands(&sandbox) {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let run = on_a_terminal(&sandbox, &[&args[..], &["--no-progress"]].concat());
        let found = misleading(&run.stdout);
        if !found.is_empty() || run.exit > 5 {
            wrong.push(format!(
                "{:?}: exit {}, {:#?} {}",
                args,
                run.exit,
                found,
                run.err()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn diagnostics_are_escaped_in_a_pipe_too() {
    let sandbox = sandbox();
    let mut wrong = Vec::new();
    for args in commands(&sandbox) {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let run = sandbox.segedit(&args);
        // Standard output has the bytes themselves: of a segment, or of a diff that is to be applied.
        let found = misleading(&run.stderr);
        let json = args.contains(&"json") && !misleading(&run.stdout).is_empty();
        if !found.is_empty() || json {
            wrong.push(format!("{:?}: {:#?}", args, found));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_check_looks_for_is_found() {
    assert!(misleading("plain\ttext\r\n\u{1b}[1;31mred\u{1b}[0m".as_bytes()).is_empty());
    for character in HOSTILE
        .chars()
        .filter(|character| !character.is_ascii_graphic())
    {
        assert_eq!(
            misleading(format!("a{character}[2Kb").as_bytes()).len(),
            1,
            "{character:?}"
        );
    }
}
