//! A command of the user's own configuration that says one word, such as a key that a password manager keeps. It is run as git
//! runs a credential helper: by the shell, where the user is, free to ask on the terminal.
//!
//! Callers make sure that the command is the user's own, and not the repository's (`Config::protected`).

use std::process::{Command, Stdio};

use super::failure;
use crate::diagnostic::{Code, Diagnostic};

/// Returns the first line that `command` writes, which `setting` names.
pub fn word_of(command: &str, setting: &str) -> Result<String, Diagnostic> {
    let attempt = format!("run the command of {setting}");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .stdin(Stdio::inherit());
    let output = shell.output().map_err(failure::system(&attempt))?;
    let refuse = |why: String| {
        Err(Diagnostic::new(
            Code::KeyMissing,
            format!("the command of {setting} {why}"),
        ))
    };
    if !output.status.success() {
        return refuse(format!("failed ({})", output.status));
    }
    // What it says is a secret: it is in no message.
    let Ok(said) = String::from_utf8(output.stdout) else {
        return refuse("said something that is no text".to_owned());
    };
    match said
        .lines()
        .next()
        .map(str::trim)
        .filter(|word| !word.is_empty())
    {
        Some(word) => Ok(word.to_owned()),
        None => refuse("said nothing".to_owned()),
    }
}
