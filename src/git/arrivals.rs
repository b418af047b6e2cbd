//! Arrivals: the commits that a push brings, as git's hooks meet them.
//!
//! Asked inside git's own quarantine as well, where the new objects are seen through the environment alone.

use super::{Repo, failure};
use crate::diagnostic::{Code, Diagnostic};
use crate::snapshot::Id;

/// A commit that is new to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The commit.
    pub commit: Id,
    /// Its first parent; none for a root.
    pub parent: Option<Id>,
    /// The other parents of a merge.
    pub merged: Vec<Id>,
}

/// What counts as known already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownCommits {
    /// All that the remotes are known to have.
    Remotes,
    /// All that a ref of this repository leads to.
    Refs,
}

impl Repo {
    /// Returns the commits behind `tips` that neither `known` nor any of `seen` leads to, parents first: the newest `most`, and
    /// whether there are more. Tips that are no commits lead to none; what is `seen` need not be here.
    pub fn arrivals(
        &self,
        tips: &[Id],
        seen: &[Id],
        known: KnownCommits,
        most: usize,
    ) -> Result<(Vec<Arrival>, bool), Diagnostic> {
        let attempt = "list the new commits";
        let objects = self.git2.odb().map_err(failure::git2(attempt))?;
        let mut asked = String::new();
        for tip in tips {
            asked.push_str(&format!("{tip}\n"));
        }
        for seen in seen {
            if objects.exists(self.oid(seen)?) {
                asked.push_str(&format!("^{seen}\n"));
            }
        }
        let known = match known {
            KnownCommits::Remotes => "--remotes",
            KnownCommits::Refs => "--all",
        };
        let count = format!("--max-count={}", most.saturating_add(1));
        // `--not` behind `--stdin` speaks of what follows only, in every version of git.
        let list = [
            "rev-list",
            "--topo-order",
            "--reverse",
            "--parents",
            &count,
            "--stdin",
            "--not",
            known,
        ];
        let answer = self.program().demand(attempt, &list, asked.as_bytes())?;
        let answer = String::from_utf8(answer).map_err(|_| {
            Diagnostic::new(
                Code::Io,
                format!("could not {attempt}: git's answer is not text"),
            )
        })?;
        let mut arrivals: Vec<Arrival> = answer.lines().filter_map(arrival).collect();
        // The oldest come first, so the one too many is the first.
        let surplus = arrivals.len().saturating_sub(most);
        arrivals.drain(..surplus);
        Ok((arrivals, surplus > 0))
    }
}

/// Reads a line of `rev-list --parents`.
fn arrival(line: &str) -> Option<Arrival> {
    let mut ids = line.split(' ').map(|id| Id(id.to_owned()));
    Some(Arrival {
        commit: ids.next()?,
        parent: ids.next(),
        merged: ids.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;

    fn shown(sandbox: &Sandbox, arrivals: &[Arrival]) -> String {
        let subject = |id: &Id| sandbox.git(&["log", "-1", "--format=%s", &id.0]);
        let one = |arrival: &Arrival| {
            let parent = arrival
                .parent
                .as_ref()
                .map_or_else(|| "-".to_owned(), subject);
            format!("{}<{parent}", subject(&arrival.commit))
        };
        arrivals.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn new_commits_come_parents_first_and_each_once() {
        for format in ["--object-format=sha1", "--object-format=sha256"] {
            let sandbox = Sandbox::with(&[format], &[("a.txt", "one\n")]);
            sandbox.git(&["commit", "-q", "--amend", "-m", "root"]);
            let commit =
                |subject: &str| sandbox.git(&["commit", "-q", "--allow-empty", "-m", subject]);
            let id = |name: &str| Id(sandbox.git(&["rev-parse", name]));
            commit("b");
            sandbox.git(&["checkout", "-q", "-b", "side", "HEAD^"]);
            commit("c");
            sandbox.git(&["checkout", "-q", "main"]);
            sandbox.git(&["merge", "-q", "-m", "m", "side"]);
            sandbox.git(&["tag", "-a", "-m", "t", "v1", "side"]);
            let repo = sandbox.repo();
            let list = |tips: &[&str], seen: &[Id], known, most| {
                let tips: Vec<Id> = tips.iter().map(|tip| id(tip)).collect();
                let (arrivals, more) = repo.arrivals(&tips, seen, known, most).unwrap();
                (shown(&sandbox, &arrivals), more)
            };
            let all = list(&["main", "side", "v1"], &[], KnownCommits::Remotes, 9);
            assert!(
                ["root<- b<root c<root m<b", "root<- c<root b<root m<b"].contains(&all.0.as_str()),
                "{all:?}"
            );
            assert_eq!(
                list(&["main"], &[id("side")], KnownCommits::Remotes, 9),
                ("b<root m<b".to_owned(), false)
            );
            assert_eq!(
                list(&["v1"], &[id("side^")], KnownCommits::Remotes, 9),
                ("c<root".to_owned(), false)
            );
            assert_eq!(
                list(&["main"], &[id("side")], KnownCommits::Remotes, 1),
                ("m<b".to_owned(), true)
            );
            assert_eq!(
                list(&["main"], &[], KnownCommits::Refs, 9),
                (String::new(), false)
            );
            // Whoever is pushed to may have what nobody here has heard of.
            let stranger = Id("1".repeat(id("main").0.len()));
            assert_eq!(
                list(
                    &["main"],
                    &[stranger, id("main^")],
                    KnownCommits::Remotes,
                    9
                )
                .0,
                "c<root m<b"
            );
            // A tag of a tree leads to no commit.
            assert_eq!(list(&["main^{tree}"], &[], KnownCommits::Remotes, 9).0, "");
            sandbox.git(&["update-ref", "refs/remotes/origin/main", "main^"]);
            assert_eq!(
                list(&["main"], &[], KnownCommits::Remotes, 9).0,
                "c<root m<b"
            );
        }
    }
}
