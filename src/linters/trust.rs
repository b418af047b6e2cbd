//! Trust: whether the commands of a repository's configuration may run for this caller.
//!
//! They are other people's code. What allows them, nearest first: `GIT_SEGEDIT_TRUST` in the environment, `segedit.trust`
//! in the caller's own git configuration (each `always`, `never` or `ask`), and for `ask`, which is the default, the hash of the
//! very file and of what its commands run of the repository, remembered for this clone in the user's own folder. Any change of
//! one of them has another hash and asks anew.
//!
//! Where the commands run nothing of the repository, the hash is the blob id that git gives the file, so that a person can compare
//! it with `git rev-parse HEAD:.segedit.yaml`. Nothing that stands in the git folder has a say: an archive may bring one, its `config` and all.

use super::configured::ConfiguredLinters;
use super::context::LinterContext;
use crate::config;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{ReadSource, Repo, TRUST_SETTING as KEY, TRUST_VARIABLE as VARIABLE};
use crate::snapshot::Id;

/// What the caller says about every configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustSetting {
    /// All may run.
    Always,
    /// None may run, not even one that was trusted.
    Never,
    /// Those may run that were trusted.
    Ask,
}

/// Returns what the caller says, or a refusal of a word that says nothing.
pub fn setting(repo: &Repo) -> Result<TrustSetting, Diagnostic> {
    let Some((place, word)) = repo.said_of_trust() else {
        return Ok(TrustSetting::Ask);
    };
    match word.to_ascii_lowercase().as_str() {
        "always" => Ok(TrustSetting::Always),
        "never" => Ok(TrustSetting::Never),
        "ask" => Ok(TrustSetting::Ask),
        _ => Err(Diagnostic::new(
            Code::ConfigUntrusted,
            format!("{place} is `{}`, which says nothing", shown(&word)),
        )
        .note("it is one of: always, never, ask")),
    }
}

/// Says whether this clone remembers the configuration called `hash` as trusted.
pub fn is_remembered(repo: &Repo, hash: &Id) -> bool {
    repo.is_trusted(hash)
}

/// Remembers the configuration called `hash` as trusted.
pub fn remember(repo: &Repo, hash: &Id) -> Result<(), Diagnostic> {
    repo.trust(hash)
}

/// Forgets that the configuration called `hash` was trusted; says whether it was.
pub fn forget(repo: &Repo, hash: &Id) -> Result<bool, Diagnostic> {
    repo.distrust(hash)
}

/// The caller's permission to run the tools of a configuration. Invariant: only `permit` makes one.
#[derive(Clone, Copy, Debug)]
pub struct Permission(());

/// Permits to run the tools named `would_run`, or refuses what the caller did not trust; nothing needs no trust.
pub fn permit(context: &LinterContext<'_>, would_run: &[&str]) -> Result<Permission, Diagnostic> {
    if !would_run.is_empty() {
        let hash = &context.linters.hash;
        check(context.repo, context.source, hash, &would_run.join(", "))?;
    }
    Ok(Permission(()))
}

/// Refuses when the configuration called `hash`, which stands in `source`, may not run; `would` says what it would run.
pub fn check(repo: &Repo, source: &ReadSource, hash: &Id, would: &str) -> Result<(), Diagnostic> {
    let refuse = |why: &str| {
        Diagnostic::new(
            Code::ConfigUntrusted,
            format!("{} would run {would}{why}", config::PATH),
        )
    };
    match setting(repo)? {
        TrustSetting::Always => Ok(()),
        TrustSetting::Never => Err(refuse(&format!(", and {VARIABLE} or {KEY} says `never`"))),
        TrustSetting::Ask if is_remembered(repo, hash) => Ok(()),
        TrustSetting::Ask => Err(refuse(
            ", which is other people's code and not trusted in this clone",
        )
        .note(trust_advice(repo, source, hash))
        .note(format!(
            "where nobody can answer: {VARIABLE}=always, or `git config --global {KEY} always`"
        ))),
    }
}

/// Says what would have the configuration trusted: without a revision where it is the one that a person finds first.
fn trust_advice(repo: &Repo, source: &ReadSource, hash: &Id) -> String {
    if Repo::variable("GIT_QUARANTINE_PATH").is_some() {
        return "this is the server's own trust: push the commit that changes the configuration by itself, and have \
            `git segedit trust <branch>` run there"
            .to_owned();
    }
    let here = || {
        ConfiguredLinters::of(repo, &repo.source_of(None).ok()?)
            .ok()
            .flatten()
    };
    let revision = match source {
        ReadSource::Commit { .. } | ReadSource::Index
            if here().is_some_and(|here| here.hash == *hash) =>
        {
            String::new()
        }
        ReadSource::Commit { commit, .. } => {
            format!(" {}", commit.0.get(..12).unwrap_or(&commit.0))
        }
        ReadSource::Index => " :".to_owned(),
        ReadSource::Unborn { .. } | ReadSource::Worktree => String::new(),
    };
    format!(
        "`git segedit trust{revision}` shows what may run then, and remembers it for this clone"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;

    #[test]
    fn a_clone_trusts_what_it_remembers_and_nothing_else() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let (this, other) = (Id("1".repeat(40)), Id("2".repeat(40)));
        let check = |hash: &Id| {
            check(&sandbox.repo(), &ReadSource::Worktree, hash, "ruff")
                .map_err(|refusal| refusal.code)
        };
        assert_eq!(check(&this), Err(Code::ConfigUntrusted));
        remember(&sandbox.repo(), &this).unwrap();
        assert_eq!(
            (check(&this), check(&other)),
            (Ok(()), Err(Code::ConfigUntrusted))
        );
        sandbox.git(&["config", KEY, "never"]);
        assert_eq!(check(&this), Err(Code::ConfigUntrusted));
        for word in ["always", "perhaps", "ask"] {
            sandbox.git(&["config", KEY, word]);
            assert_eq!(
                (check(&this), check(&other)),
                (Ok(()), Err(Code::ConfigUntrusted)),
                "{word}"
            );
        }
        // Where an earlier version kept it, and an archive may bring it.
        sandbox.git(&["config", &format!("segedit.{other}.trusted"), "true"]);
        assert_eq!(check(&other), Err(Code::ConfigUntrusted));
        assert!(forget(&sandbox.repo(), &this).unwrap());
        assert!(!forget(&sandbox.repo(), &this).unwrap());
        assert_eq!(check(&this), Err(Code::ConfigUntrusted));
    }
}
