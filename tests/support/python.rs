//! The machine's Python, and scripts of `tests/oracles` that it runs. No test lives here.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rayon::prelude::*;

/// Returns the interpreter's minor version. Older ones than 3.9 have another parser and other ideas of where a node ends.
pub(crate) fn minor() -> Option<u8> {
    let script = "import sys; print(sys.version_info[1])";
    let output = Command::new("python3").args(["-I", "-c", script]).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        println!("skipped: there is no python3 on this machine");
        return None;
    };
    let minor = String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .ok()?;
    if minor < 9 {
        println!("skipped: python3 is 3.{minor}, and 3.9 is the oldest that can judge");
        return None;
    }
    Some(minor)
}

/// Says whether this machine's Python reads TOML.
pub(crate) fn has_tomllib() -> bool {
    let mut command = Command::new("python3");
    command
        .args(["-I", "-c", "import tomllib"])
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a script of `tests/oracles` on `input` and returns what it prints.
pub(crate) fn ask(script: &str, input: Vec<u8>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/oracles")
        .join(script);
    let mut command = Command::new("python3");
    command
        .arg("-EB")
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut oracle = command.spawn().expect("python3 answered before");
    let mut stdin = oracle.stdin.take().expect("it is piped");
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = oracle
        .wait_with_output()
        .expect("the oracle runs to its end");
    writer
        .join()
        .expect("the writer does not panic")
        .expect("the oracle reads all its input");
    assert!(output.status.success(), "the oracle {script} failed");
    String::from_utf8(output.stdout).expect("the oracle prints UTF-8")
}

/// Asks a script that prints lines of JSON about files, several of it beside each other.
pub(crate) fn ask_of_each<T: serde::de::DeserializeOwned>(
    script: &str,
    paths: &[PathBuf],
) -> Vec<T> {
    let listed = |paths: &[PathBuf]| {
        paths
            .iter()
            .map(|path| format!("{}\n", path.display()))
            .collect::<String>()
    };
    let chunks: Vec<String> = paths
        .par_chunks(paths.len().div_ceil(rayon::current_num_threads()).max(1))
        .map(|paths| ask(script, listed(paths).into_bytes()))
        .collect();
    let lines = chunks.iter().flat_map(|chunk| chunk.lines());
    lines
        .map(|line| serde_json::from_str(line).expect("the oracle prints JSON"))
        .collect()
}
