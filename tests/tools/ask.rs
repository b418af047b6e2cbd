//! What `ask` sends, and what the server of its tests answers in the place of a model, held to the types of the providers' own
//! libraries: neither may be anything that the providers do not know.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::support::{ask, tools};

/// The one case whose answer is none that the provider gives; servers that speak its interface may.
const ODD_ANSWER: &str = "arguments-as-text";

#[test]
fn requests_and_answers_are_what_the_providers_libraries_know() {
    if !ask::has_loopback() {
        return;
    }
    let mut lines = String::new();
    let mut count = 0;
    for name in ask::names() {
        let recorded = ask::run_case(&name).unwrap_or_else(|why| panic!("{name}: {why}"));
        for one in recorded {
            let answer = one.answer.filter(|_| name != ODD_ANSWER);
            let line =
                json!({"case": name, "openai": one.openai, "request": one.body, "answer": answer});
            lines.push_str(&format!("{line}\n"));
            count += 1;
        }
    }
    assert!(count > 50, "{count} requests");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conversations.jsonl");
    fs::write(&file, lines).unwrap();
    if !tools::has_all(&["anthropic", "openai"]) {
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tools/ask.py");
    let output = Command::new(tools::python())
        .arg(script)
        .arg(&file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains(&format!("{count} requests")), "{said}");
}
