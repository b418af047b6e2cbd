//! Which programs may start that a repository's own configuration names.
//!
//! Whoever publishes works as git does, filters and all. Whoever only reads or checks starts nothing that came with the
//! repository, unless it is trusted: an archive may bring a git folder whose `config` names any command. The filters that the
//! caller set for themselves or the system run for everybody.

use git2::{AttrCheckFlags, AttrValue};

use super::Repo;
use super::program::Program;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;

/// Who is asked what may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Starts {
    /// Whatever git would start.
    AsGit,
    /// What the caller set, and what stands in a repository that they trust.
    OnlyOwn,
}

/// The variable that says for one call what is trusted, and the setting that says it for all.
pub const TRUST_VARIABLE: &str = "GIT_SEGEDIT_TRUST";
/// See `TRUST_VARIABLE`.
pub const TRUST_SETTING: &str = "segedit.trust";

/// What a filter driver may say; each setting goes to git by a variable of that name.
const DRIVER: [(&str, &str); 4] = [
    ("clean", "SEGEDIT_FILTER_CLEAN"),
    ("smudge", "SEGEDIT_FILTER_SMUDGE"),
    ("process", "SEGEDIT_FILTER_PROCESS"),
    ("required", "SEGEDIT_FILTER_REQUIRED"),
];

impl Repo {
    /// Returns it for somebody who reads or checks: nothing starts that the repository brings along.
    pub fn starting_only_own(mut self) -> Repo {
        self.opening.starts = Starts::OnlyOwn;
        self
    }

    /// Returns what the caller says of trust, and where: in the environment, or in their own configuration. The repository's
    /// own file may forbid, which harms nobody, and never allow.
    pub fn said_of_trust(&self) -> Option<(&'static str, String)> {
        if let Some(word) = Repo::variable(TRUST_VARIABLE) {
            return Some((TRUST_VARIABLE, word));
        }
        let forbids = self.config.get(TRUST_SETTING).filter(|word| word.eq_ignore_ascii_case("never"));
        let said = forbids.or_else(|| self.config.protected(TRUST_SETTING).map(str::to_owned))?;
        Some((TRUST_SETTING, said))
    }

    /// Says whether what the repository's own configuration names may start.
    pub fn may_start_all(&self) -> bool {
        if self.opening.starts == Starts::AsGit {
            return true;
        }
        match self.said_of_trust() {
            Some((_, word)) if word.eq_ignore_ascii_case("always") => true,
            Some((_, word)) if word.eq_ignore_ascii_case("never") => false,
            Some(_) | None => self.trusts_any(),
        }
    }

    /// Returns the filter of `path` that is not to be started, if it has one.
    pub fn withheld_filter(&self, path: &RepoPath) -> Result<Option<String>, Diagnostic> {
        if self.may_start_all() {
            return Ok(None);
        }
        let Some(name) = self.filter_of(path)? else { return Ok(None) };
        let differs = |key: &str| {
            let full = format!("filter.{name}.{key}");
            self.config.get(&full).as_deref() != self.config.protected(&full)
        };
        Ok(DRIVER.iter().any(|(key, _)| differs(key)).then_some(name))
    }

    /// Refuses in the name of the filter of `path` when that is not to be started, and what it makes decides.
    pub fn demand_filter(&self, path: &RepoPath) -> Result<(), Diagnostic> {
        let Some(name) = self.withheld_filter(path)? else { return Ok(()) };
        let message = format!(
            "what of {} is stored decides the filter `{}`, a command that this repository's own configuration names",
            shown(path.as_str()),
            shown(&name)
        );
        Err(Diagnostic::new(Code::ConfigUntrusted, message)
            .note("it is not started for a check of a repository that is not trusted")
            .note(format!(
                "{TRUST_VARIABLE}=always in the environment says that it may, and so does {TRUST_SETTING} in your own configuration"
            )))
    }

    /// Returns the name of the filter that the attributes of `path` ask for.
    fn filter_of(&self, path: &RepoPath) -> Result<Option<String>, Diagnostic> {
        let found = self.git2.get_attr(std::path::Path::new(path.as_str()), "filter", AttrCheckFlags::FILE_THEN_INDEX);
        let value = match found {
            Ok(value) => match AttrValue::from_string(value) {
                AttrValue::String(name) => Some(name.to_owned()),
                AttrValue::Unspecified | AttrValue::False | AttrValue::True | AttrValue::Bytes(_) => None,
            },
            // libgit2 looks for .gitattributes in the index too, and some indexes it cannot read.
            Err(_) => self.ask_filter(path)?,
        };
        Ok(value)
    }

    fn ask_filter(&self, path: &RepoPath) -> Result<Option<String>, Diagnostic> {
        let attempt = format!("read the attributes of {}", shown(path.as_str()));
        let answer = self.program().demand(&attempt, &["check-attr", "-z", "filter", "--", path.as_str()], &[])?;
        let value = answer.split(|&byte| byte == 0).nth(2).map(|value| String::from_utf8_lossy(value).into_owned());
        Ok(value.filter(|value| !matches!(value.as_str(), "set" | "unset" | "unspecified")))
    }

    /// Returns `git` knowing for the filter of `path` what the caller set, and nothing else, where nothing else may start: what
    /// git finds in the repository's configuration may be more than what is seen here.
    pub(super) fn filtering<'r>(&'r self, git: Program<'r>, path: &RepoPath) -> Result<Program<'r>, Diagnostic> {
        if self.may_start_all() {
            return Ok(git);
        }
        let Some(name) = self.filter_of(path)? else { return Ok(git) };
        let full = |key: &str| format!("filter.{name}.{key}");
        let process = full("process");
        // To git, an empty process is one all the same, and goes before the two commands: it is set only where there is one.
        let has_process = || Ok(self.program().run(&["config", "--get", &process])?.success);
        let own_process = self.config.protected(&process).is_some();
        let foreign_process = !own_process && has_process()?;
        Ok(DRIVER.iter().fold(git, |git, (key, variable)| match (*key, self.config.protected(&full(key))) {
            ("process", None) if !foreign_process => git,
            (key, Some(own)) if !foreign_process => git.setting(&full(key), variable, own),
            ("required", _) => git.setting(&full(key), variable, "false"),
            _ => git.setting(&full(key), variable, ""),
        }))
    }

    /// Says whether git may fetch what a partial clone does not have. Where only what is one's own may start, it may from a remote
    /// that is plainly named, if no other setting of the repository has a say in what that starts.
    pub(super) fn may_fetch(&self) -> bool {
        if self.may_start_all() {
            return true;
        }
        let Ok(answer) = self.program().run(&["config", "-z", "--list", "--show-scope"]) else { return false };
        let words: Vec<&[u8]> = answer.stdout.split(|&byte| byte == 0).collect();
        let of_repository = |scope: &[u8]| !matches!(scope, b"system" | b"global" | b"command");
        let is_harmless = |entry: &[u8]| {
            let entry = String::from_utf8_lossy(entry);
            let (name, value) = entry.split_once('\n').unwrap_or((&entry, ""));
            starts_nothing(name, value)
        };
        answer.success && words.chunks_exact(2).filter(|pair| of_repository(pair[0])).all(|pair| is_harmless(pair[1]))
    }

    /// Says what a fetch that is not begun would have been for.
    pub(super) fn refuse_to_fetch(&self, what: &str) -> Diagnostic {
        let message =
            format!("{what} is not in this partial clone, and its configuration decides what fetching it starts");
        Diagnostic::new(Code::ConfigUntrusted, message).note(format!(
            "`git fetch` it yourself, or say that it may with {TRUST_VARIABLE}=always in the environment"
        ))
    }
}

/// Says whether a setting of the repository's own starts no program when git fetches.
fn starts_nothing(name: &str, value: &str) -> bool {
    const SECTIONS: [&str; 24] = [
        "advice.",
        "am.",
        "apply.",
        "blame.",
        "branch.",
        "color.",
        "column.",
        "commit.",
        "diff.",
        "extensions.",
        "filter.",
        "format.",
        "gc.auto",
        "gui.",
        "index.",
        "init.",
        "lfs.",
        "log.",
        "merge.",
        "pack.",
        "pull.",
        "segedit.",
        "status.",
        "user.",
    ];
    const OF_CORE: [&str; 14] = [
        "abbrev",
        "attributesfile",
        "autocrlf",
        "bare",
        "compression",
        "eol",
        "excludesfile",
        "filemode",
        "fsync",
        "ignorecase",
        "logallrefupdates",
        "precomposeunicode",
        "repositoryformatversion",
        "symlinks",
    ];
    const OF_A_REMOTE: [&str; 7] =
        ["fetch", "partialclonefilter", "promisor", "prune", "skipdefaultupdate", "tagopt", "mirror"];
    if let Some(key) = name.strip_prefix("core.") {
        // The file-system monitor and the hooks are turned off for every call.
        return OF_CORE.contains(&key)
            || matches!(
                key,
                "fsmonitor" | "hookspath" | "sparsecheckout" | "sparsecheckoutcone" | "splitindex" | "worktree"
            );
    }
    if let Some(rest) = name.strip_prefix("remote.") {
        return match rest.rsplit_once('.') {
            Some((_, "url" | "pushurl")) => is_plain_url(value),
            Some((_, key)) => OF_A_REMOTE.contains(&key),
            None => false,
        };
    }
    SECTIONS.iter().any(|section| name.starts_with(section))
}

/// Says whether `url` names a way to a repository that only git's own programs and the caller's `ssh` go.
fn is_plain_url(url: &str) -> bool {
    let schemes = ["https://", "http://", "ssh://", "git+ssh://", "ssh+git://", "file://"];
    // `ext::…` and its like name a program. `host:path` is ssh's; a host that begins with a dash would be an option.
    let is_plain = schemes.iter().any(|scheme| url.starts_with(scheme)) || !url.contains("::") && !url.contains("://");
    is_plain && !url.starts_with('-') && !url.contains("://-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_fetch_may_be_told_starts_nothing() {
        let check = |setting: &str, expected: bool| {
            let (name, value) = setting.split_once('=').unwrap();
            assert_eq!(starts_nothing(name, value), expected, "{setting}");
        };
        check("core.repositoryformatversion=1", true);
        check("core.fsmonitor=touch /tmp/x", true);
        check("core.sshcommand=touch /tmp/x", false);
        check("core.gitproxy=x", false);
        check("core.askpass=x", false);
        check("core.alternaterefscommand=x", false);
        check("credential.helper=!x", false);
        check("credential.https://example.org.helper=!x", false);
        check("url.ext::sh -c x.insteadof=https://", false);
        check("protocol.allow=always", false);
        check("uploadpack.packobjectshook=x", false);
        check("gc.recentobjectshook=x", false);
        check("gc.auto=0", true);
        check("remote.origin.promisor=true", true);
        check("remote.origin.uploadpack=sh -c x", false);
        check("remote.origin.vcs=x", false);
        check("remote.origin.proxy=x", false);
        check("remote.origin.url=https://example.org/a.git", true);
        check("remote.origin.url=git@example.org:a.git", true);
        check("remote.origin.url=../beside", true);
        check("remote.origin.url=file:///x", true);
        check("remote.origin.url=ext::sh -c touch% /tmp/x", false);
        check("remote.origin.url=https::x", false);
        check("remote.origin.url=ssh://-oProxyCommand=x/y", false);
        check("remote.origin.url=-x", false);
        check("remote.origin.url=rsync://x", false);
        check("include.path=x", false);
        check("filter.x.clean=sh", true);
        check("unknown.thing=x", false);
    }
}
