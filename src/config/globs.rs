//! Which paths are a tool's business: globs as in `.gitignore`. Home of the crate `ignore`.
//!
//! `*.py` is looked for at any depth, `/src/*.py` in that folder only, `src/` means all below it, `!` takes back what an
//! earlier glob said; the last glob that matches decides.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Says whether one of `globs`, read in order, means `path`; one that cannot be read means nothing.
pub fn matches(globs: &[String], path: &str) -> bool {
    let compiled = compile(globs);
    compiled
        .matched_path_or_any_parents(path, false)
        .is_ignore()
}

/// Says why `glob` cannot be read.
pub(super) fn check(glob: &str) -> Result<(), String> {
    if glob.trim().is_empty() {
        return Err("is empty".to_owned());
    }
    GitignoreBuilder::new("")
        .add_line(None, glob)
        .map(drop)
        .map_err(|error| format!("is no glob: {error}"))
}

fn compile(globs: &[String]) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    for glob in globs {
        // Read already when the configuration was; what a preset says is this program's own.
        let _ = builder.add_line(None, glob);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_are_those_of_gitignore() {
        let check = |globs: &[&str], path: &str, expected: bool| {
            let globs: Vec<String> = globs.iter().map(ToString::to_string).collect();
            assert_eq!(matches(&globs, path), expected, "{globs:?} {path}");
        };
        check(&["*.py"], "a.py", true);
        check(&["*.py"], "deep/er/a.py", true);
        check(&["*.py"], "a.pyi", false);
        check(&["*_worker.py"], "jobs/mail_worker.py", true);
        check(&["*_worker.py"], "jobs/worker.py", false);
        check(&["/src/*.py"], "src/a.py", true);
        check(&["/src/*.py"], "lib/src/a.py", false);
        check(&["src/"], "src/deep/a.txt", true);
        check(&["*.py", "!gen_*.py"], "gen_a.py", false);
        check(&["*.py", "!gen_*.py", "gen_b.py"], "gen_b.py", true);
        check(&["docs/**/x.md"], "docs/a/b/x.md", true);
        check(&["a b.py"], "a b.py", true);
        check(&["-x.py"], "-x.py", true);
        check(&["[ab].py"], "b.py", true);
        check(&[], "a.py", false);
    }

    #[test]
    fn what_is_no_glob_is_said_to_be_none() {
        assert!(super::check("[z-a]").is_err());
        assert!(super::check(" ").is_err());
        assert_eq!(super::check("*.py"), Ok(()));
    }
}
