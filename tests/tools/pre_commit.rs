//! The hooks that the project ships, run by the pre-commit framework.

use std::fs;
use std::path::Path;

use crate::support::shell::{does, refuses};
use crate::support::{Sandbox, tools};

const GOOD: &str = "def f():\n    return 1\n";
const BAD: &str = "x =\n";

#[test]
fn the_pre_commit_framework_runs_the_hooks() {
    if !tools::has("pre-commit") {
        return;
    }
    let program = tools::folder().join("bin/pre-commit");
    let sandbox = Sandbox::with(&[("a.py", GOOD), ("b.py", GOOD), ("notes.txt", "x\n")]);
    let shipped = sandbox.aside().join("shipped");
    fs::create_dir(&shipped).unwrap();
    let hooks = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    fs::copy(hooks, shipped.join(".pre-commit-hooks.yaml")).unwrap();
    does(
        &sandbox,
        "cd ../shipped && git init -q --template= && git add . && git commit -q -m hooks && git tag v1",
    );
    sandbox.write(
        ".pre-commit-config.yaml",
        "repos:\n- repo: ../shipped\n  rev: v1\n  hooks:\n  - id: segedit-staged\n  - id: segedit-operations\n",
    );
    let program = program.display();
    does(
        &sandbox,
        &format!("git add . && '{program}' validate-manifest ../shipped/.pre-commit-hooks.yaml"),
    );
    does(
        &sandbox,
        &format!("'{program}' install && git commit -m configured"),
    );
    // The program shows what a hook says where it refuses.
    sandbox.write("a.py", BAD);
    let head = sandbox.git(&["rev-parse", "HEAD"]);
    let refused = sandbox.shell("git commit -a -m bad");
    assert!(
        refused.exit == 1 && refused.err().contains("error[syntax-error]: a.py:1:"),
        "{refused}"
    );
    assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), head);
    sandbox.git(&["checkout", "--quiet", "HEAD", "a.py"]);
    // `.segedit.yaml` is no operation file, in whatever folder.
    let operations = |symbol: &str| {
        format!("version: 1\noperations:\n- {{op: delete, file: a.py, symbol: {symbol}}}\n")
    };
    sandbox.write(".segedit.yaml", "version: 1\n");
    sandbox.write("sub/.segedit.yaml", "version: 1\n");
    sandbox.write("edits/good.segedit.yaml", operations("f"));
    does(&sandbox, "git add . && git commit -m operations");
    sandbox.write("edits/bad.segedit.yml", operations("g"));
    let refused = sandbox.shell("git add . && git commit -m operations");
    assert!(
        refused.exit == 1 && refused.err().contains("error[segment-not-found]"),
        "{refused}"
    );
    // Beside the framework's own hook ours is one more: theirs is moved aside and runs first.
    sandbox.git(&["reset", "--quiet", "--hard"]);
    does(&sandbox, "git segedit hooks install");
    sandbox.write("a.py", BAD);
    refuses(&sandbox, "git commit -a -m bad", &["segedit-staged"]);
    does(&sandbox, "git segedit hooks uninstall");
    assert!(
        fs::read_to_string(sandbox.git_folder().join("hooks/pre-commit"))
            .unwrap()
            .contains("pre-commit.com")
    );
}
