//! A repository with a rule: no line may say `BAD`. No test lives here.

use super::{Run, Sandbox};

/// Complains about every line with the word BAD in it, as gcc would.
pub(crate) const RULES: &str = r#"import sys
bad = False
for name in sys.argv[1:]:
    for number, line in enumerate(open(name, encoding="utf-8", errors="replace"), 1):
        if "BAD" in line:
            print(f"{name}:{number}:{line.index('BAD') + 1}: error: no BAD here [B001]")
            bad = True
sys.exit(1 if bad else 0)
"#;

pub(crate) const RULED: &str = "version: 1\nvalidators:\n  - name: rules\n    files: [\"*.py\"]\n    \
    command: [python3, tools/rules.py, \"{files}\"]\n    output: gcc\n";

pub(crate) const CODE: &str = "def f():\n    return 1\n\n\ndef old():\n    return \"BAD\"\n";

/// Returns a repository with the rules above and one file that they already complain about.
pub(crate) fn ruled() -> Sandbox {
    with(RULED, &[("a.py", CODE), ("tools/rules.py", RULES)])
}

pub(crate) fn with(configuration: &str, files: &[(&str, &str)]) -> Sandbox {
    Sandbox::with(&[&[(".segedit.yaml", configuration)], files].concat())
}

/// Runs the tool with everything trusted.
pub(crate) fn trusted(sandbox: &Sandbox, args: &[&str]) -> Run {
    sandbox.run(
        sandbox
            .segedit_command()
            .args(args)
            .env("GIT_SEGEDIT_TRUST", "always"),
        b"",
    )
}
