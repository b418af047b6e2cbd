//! A commit that cannot be signed, where the caller's git says that it has to be, is not made.

use std::fs;

use crate::support::Sandbox;

const EDIT: [&str; 5] = [
    "replace",
    "a.py::f",
    "--content",
    "def f():\n    return 2\n",
    "--no-diff",
];

#[test]
fn a_signer_that_fails_publishes_nothing() {
    let check = |sandbox: &Sandbox, why: &str| {
        let before = sandbox.digest();
        for destination in [&[][..], &["--branch", "new"]] {
            let run = sandbox.segedit(&[&EDIT[..], &["--format", "json"], destination].concat());
            assert_eq!(run.exit, 4, "{why}\n{run}");
            let message = run.json()["errors"][0]["message"].to_string();
            assert!(message.contains("could not sign"), "{why}\n{run}");
            assert!(before == sandbox.digest(), "{why}\n{sandbox}");
        }
    };
    let sandbox = Sandbox::with(&[("a.py", "def f():\n    return 1\n")]);
    sandbox.git(&["config", "commit.gpgSign", "true"]);
    sandbox.git(&["config", "gpg.program", "/nonexistent/gpg"]);
    check(&sandbox, "no program");
    let failing = sandbox.aside().join("gpg");
    fs::write(&failing, "#!/bin/sh\necho out of ink >&2\nexit 2\n").unwrap();
    fs::set_permissions(
        &failing,
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    sandbox.git(&["config", "gpg.program", &failing.display().to_string()]);
    check(&sandbox, "a program that fails");
}
