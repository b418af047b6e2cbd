//! Lines of Python that hold a word, counted by git: of what a batch is resolved against, and of the worktree with what is not tracked.

use std::collections::BTreeMap;

use super::Repo;
use super::base::read_source::ReadSource;
use crate::diagnostic::{Code, Diagnostic, shown};

impl Repo {
    /// Returns how many lines of which files of the worktree hold `word` that the same files of `source` have not: files that are not
    /// tracked, nor ignored, and files that were changed.
    pub fn lines_beside(
        &self,
        word: &str,
        source: &ReadSource,
    ) -> Result<BTreeMap<String, usize>, Diagnostic> {
        if self.workdir().is_none() {
            return Ok(BTreeMap::new());
        }
        let mut found = self.counted(word, &["--untracked"], None)?;
        if found.is_empty() {
            return Ok(found);
        }
        let known = match source {
            ReadSource::Commit { tree, .. } | ReadSource::Unborn { tree: Some(tree) } => {
                self.counted(word, &[], Some(&tree.0))?
            }
            ReadSource::Unborn { tree: None } => BTreeMap::new(),
            ReadSource::Index => self.counted(word, &["--cached"], None)?,
            ReadSource::Worktree => self.counted(word, &[], None)?,
        };
        found.retain(|path, lines| *lines > known.get(path).copied().unwrap_or(0));
        Ok(found)
    }

    fn counted(
        &self,
        word: &str,
        options: &[&str],
        tree: Option<&str>,
    ) -> Result<BTreeMap<String, usize>, Diagnostic> {
        let mut arguments = vec![
            "grep",
            "-c",
            "-z",
            "-I",
            "-w",
            "-F",
            "--no-color",
            "--full-name",
        ];
        arguments.extend(options);
        arguments.extend(["-e", word]);
        arguments.extend(tree);
        arguments.extend(["--", ":(top)*.py", ":(top)*.pyi"]);
        let answer = self.program().run(&arguments)?;
        if !answer.success && !answer.stderr.is_empty() {
            let why = String::from_utf8_lossy(&answer.stderr);
            let message = format!(
                "could not look for `{}`: {}",
                shown(word),
                shown(why.trim())
            );
            return Err(Diagnostic::new(Code::Io, message));
        }
        let prefix = tree.map(|tree| format!("{tree}:")).unwrap_or_default();
        let text = String::from_utf8_lossy(&answer.stdout);
        let counted = text.lines().filter_map(|line| {
            let (path, count) = line.split_once('\0')?;
            let path = path.strip_prefix(&prefix)?;
            Some((path.to_owned(), count.parse().ok()?))
        });
        Ok(counted.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;

    #[test]
    fn what_was_not_looked_at_is_found_by_its_lines() {
        let files = [
            ("a.py", "load\n"),
            ("b.py", "load\n"),
            ("c.py", "x\n"),
            ("d/e.py", "load\n"),
        ];
        let sandbox = Sandbox::with(&[], &files);
        sandbox.write(".gitignore", "ignored.py\n");
        sandbox.write("new.py", "load(load)\nreload\n");
        sandbox.write("ignored.py", "load\n");
        sandbox.write("notes.md", "load\n");
        sandbox.write("b.py", "load\nload\n");
        sandbox.write("c.py", "load\n");
        sandbox.write("d/e.py", "\n");
        let repo = sandbox.repo();
        let head = repo.resolve_commit("HEAD").unwrap();
        let commit = ReadSource::Commit {
            commit: head.0,
            tree: head.1,
        };
        let check = |source: &ReadSource, expected: &[(&str, usize)]| {
            let found = repo.lines_beside("load", source).unwrap();
            let found: Vec<(&str, usize)> = found
                .iter()
                .map(|(path, lines)| (path.as_str(), *lines))
                .collect();
            assert_eq!(found, expected, "{source:?}");
        };
        check(&commit, &[("b.py", 2), ("c.py", 1), ("new.py", 1)]);
        check(
            &ReadSource::Index,
            &[("b.py", 2), ("c.py", 1), ("new.py", 1)],
        );
        check(&ReadSource::Worktree, &[("new.py", 1)]);
        sandbox.git(&["add", "new.py", "c.py"]);
        check(&ReadSource::Index, &[("b.py", 2)]);
    }
}
