//! Commits signed as the caller's git says, by the real `ssh-keygen` and `gpg`.

use std::fs;
use std::process::Command;

use crate::support::{Run, Sandbox};

const EDIT: [&str; 5] = [
    "replace",
    "a.py::f",
    "--content",
    "def f():\n    return 2\n",
    "--no-diff",
];

fn sandbox() -> Sandbox {
    Sandbox::with(&[("a.py", "def f():\n    return 1\n")])
}

/// Says whether the machine has `program`; what is missing is told.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--help").output().is_ok();
    if !found {
        println!("skipped: there is no {program} on this machine");
    }
    found
}

fn run(sandbox: &Sandbox, program: &str, args: &[&str]) -> Run {
    let home = sandbox.aside().join("home");
    let run = sandbox.run(
        Command::new(program)
            .args(args)
            .env("HOME", &home)
            .current_dir(home.join("..")),
        b"",
    );
    assert_eq!(run.exit, 0, "{run}");
    run
}

fn make_ssh_key(sandbox: &Sandbox, name: &str) -> String {
    let key = sandbox.aside().join(name).display().to_string();
    run(
        sandbox,
        "ssh-keygen",
        &[
            "-q",
            "-t",
            "ed25519",
            "-N",
            "",
            "-C",
            "ada@example.org",
            "-f",
            &key,
        ],
    );
    key
}

fn sign_with_ssh(sandbox: &Sandbox) -> String {
    let key = make_ssh_key(sandbox, "key");
    let public = fs::read_to_string(format!("{key}.pub")).unwrap();
    let allowed = sandbox.aside().join("allowed");
    fs::write(&allowed, format!("ada@example.org {public}")).unwrap();
    for (name, value) in [
        ("commit.gpgSign", "true"),
        ("gpg.format", "ssh"),
        ("user.signingKey", key.as_str()),
        ("gpg.ssh.allowedSignersFile", &allowed.display().to_string()),
    ] {
        sandbox.git(&["config", name, value]);
    }
    key
}

#[test]
fn an_ssh_key_signs_what_git_verifies() {
    if !has("ssh-keygen") {
        return;
    }
    let sandbox = sandbox();
    sign_with_ssh(&sandbox);
    assert_eq!(sandbox.segedit(&EDIT).exit, 0);
    let verified = sandbox.try_git(&["verify-commit", "HEAD"]);
    assert_eq!(verified.exit, 0, "{verified}");
    assert!(
        verified
            .err()
            .contains("Good \"git\" signature for ada@example.org"),
        "{verified}"
    );
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    // Another person's key is another signature.
    let other = make_ssh_key(&sandbox, "other");
    sandbox.git(&["config", "user.signingKey", &other]);
    let edit = [
        "replace",
        "a.py::f",
        "--content",
        "def f():\n    return 3\n",
        "--no-diff",
    ];
    assert_eq!(sandbox.segedit(&edit).exit, 0);
    assert_ne!(sandbox.try_git(&["verify-commit", "HEAD"]).exit, 0);
}

#[test]
fn an_openpgp_key_signs_what_git_verifies() {
    if !has("gpg") {
        return;
    }
    let sandbox = sandbox();
    let home = sandbox.aside().join("home/.gnupg");
    fs::create_dir(&home).unwrap();
    fs::set_permissions(&home, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let make = [
        "--batch",
        "--quiet",
        "--passphrase",
        "",
        "--quick-generate-key",
        "Ada Tester <ada@example.org>",
        "ed25519",
        "sign",
    ];
    run(&sandbox, "gpg", &make);
    sandbox.git(&["config", "commit.gpgSign", "true"]);
    sandbox.git(&["config", "user.signingKey", "ada@example.org"]);
    let edited = sandbox.segedit(&EDIT);
    assert_eq!(edited.exit, 0, "{edited}");
    let verified = sandbox.try_git(&["verify-commit", "HEAD"]);
    assert!(
        verified.exit == 0 && verified.err().contains("Good signature"),
        "{verified}"
    );
    let _ = Command::new("gpgconf")
        .args(["--kill", "all"])
        .env("GNUPGHOME", &home)
        .output();
}

#[test]
fn a_key_that_is_gone_publishes_nothing() {
    if !has("ssh-keygen") {
        return;
    }
    let sandbox = sandbox();
    let key = sign_with_ssh(&sandbox);
    fs::remove_file(key).unwrap();
    let before = sandbox.digest();
    let run = sandbox.segedit(&[&EDIT[..], &["--format", "json"]].concat());
    assert_eq!(run.exit, 4, "{run}");
    assert!(
        run.json()["errors"][0]["message"]
            .to_string()
            .contains("could not sign"),
        "{run}"
    );
    assert!(before == sandbox.digest(), "{sandbox}");
}
