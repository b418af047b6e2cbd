//! Which programs may start that a repository's own configuration names.
//!
//! Whoever publishes works as git does, filters and all. Whoever only reads or checks starts nothing that came with the
//! repository: an archive may bring a git folder whose `config` names any command. `always` allows all of it; `git segedit trust`
//! allows the filters that it shows, each as long as no setting of it is new or changed. The filters that the caller set for
//! themselves or the system run for everybody.

use std::collections::BTreeMap;

use super::Repo;
use super::base::opening::Starts;
use super::base::repository_filter::{FilterTrust, NamedValue, RepositoryFilter};
use super::program::Program;
use super::user_state::filter_name;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;

/// The variable that says for one call what is trusted, and the setting that says it for all.
pub const TRUST_VARIABLE: &str = "GIT_SEGEDIT_TRUST";
/// See `TRUST_VARIABLE`.
pub const TRUST_SETTING: &str = "segedit.trust";

/// Most filters of a repository's own that are told to git one by one that they are none.
const MOST_DRIVERS: usize = 64;

/// A setting as git finds it: its scope, its name, its value.
type Setting = (Vec<u8>, Vec<u8>, Vec<u8>);

/// Returns the driver that the setting `name` is of, if it is of one.
fn driver_of(name: &[u8]) -> Option<&[u8]> {
    let name = name.strip_prefix(b"filter.")?;
    let end = name.iter().rposition(|&byte| byte == b'.')?;
    name.get(..end)
}

/// Says whether what is set in `scope` is the caller's or the system's, and not the repository's.
fn is_protected(scope: &[u8]) -> bool {
    matches!(scope, b"system" | b"global" | b"command")
}

impl Repo {
    /// Returns it for somebody who reads or checks: nothing starts that the repository brings along.
    pub fn starting_only_the_callers(mut self) -> Repo {
        self.opening.starts = Starts::OnlyTheCallers;
        self
    }

    /// Returns what the caller says of trust, and where: in the environment, or in their own configuration. The repository's
    /// own file may forbid, which harms nobody, and never allow.
    pub fn said_of_trust(&self) -> Option<(&'static str, String)> {
        if let Some(word) = Repo::variable(TRUST_VARIABLE) {
            return Some((TRUST_VARIABLE, word));
        }
        let forbids = self
            .config
            .get(TRUST_SETTING)
            .filter(|word| word.eq_ignore_ascii_case("never"));
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
            Some(_) | None => false,
        }
    }

    /// Returns the filter of `path` that is not to be started, if it has one.
    pub fn withheld_filter(&self, path: &RepoPath) -> Result<Option<String>, Diagnostic> {
        let withheld = self.withheld_filters()?;
        if withheld.is_empty() || !self.is_filtered(path)? {
            return Ok(None);
        }
        // git and libgit2 do not read every line of attributes alike: which one it is, is for the message only.
        let named = self
            .filter_of(path)?
            .filter(|name| withheld.iter().any(|filter| filter.name == name.as_bytes()));
        let any = || {
            withheld
                .first()
                .map(|filter| String::from_utf8_lossy(&filter.name).into_owned())
        };
        Ok(named.or_else(any))
    }

    /// Returns the filters of the repository's own configuration that are not to be started.
    fn withheld_filters(&self) -> Result<Vec<&RepositoryFilter>, Diagnostic> {
        if self.may_start_all() {
            return Ok(Vec::new());
        }
        let forbidden = self
            .said_of_trust()
            .is_some_and(|(_, word)| word.eq_ignore_ascii_case("never"));
        let filters = self.repository_filters()?.iter();
        Ok(filters
            .filter(|filter| forbidden || filter.trust != FilterTrust::Trusted)
            .collect())
    }

    /// Returns the filter drivers of which anything is set in the repository's own configuration, as git reads it: with what it
    /// includes, and with the worktree's own. Sorted.
    pub fn repository_filters(&self) -> Result<&[RepositoryFilter], Diagnostic> {
        if let Some(known) = self.repository_filters.get() {
            return Ok(known);
        }
        let mut filters: BTreeMap<Vec<u8>, Vec<NamedValue>> = BTreeMap::new();
        for (scope, name, value) in self.settings()? {
            if let Some(driver) = driver_of(&name).filter(|_| !is_protected(&scope)) {
                let driver = driver.to_vec();
                filters.entry(driver).or_default().push((name, value));
            }
        }
        let trusted = self.trusted_filters();
        let with_trust = |(name, settings): (Vec<u8>, Vec<NamedValue>)| {
            let is_trusted = |(name, value): &NamedValue| {
                let id = filter_name(name, value);
                trusted.iter().any(|(known, _)| *known == id)
            };
            let is_known = trusted
                .iter()
                .any(|(_, setting)| driver_of(setting) == Some(&name));
            let trust = match (settings.iter().all(is_trusted), is_known) {
                (true, _) => FilterTrust::Trusted,
                (false, true) => FilterTrust::Changed,
                (false, false) => FilterTrust::New,
            };
            RepositoryFilter {
                name,
                settings,
                trust,
            }
        };
        let filters = filters.into_iter().map(with_trust).collect();
        Ok(self.repository_filters.get_or_init(|| filters))
    }

    /// Remembers that every filter of the repository's own configuration was trusted, as it is set now.
    pub fn trust_own_filters(&self) -> Result<(), Diagnostic> {
        for filter in self.repository_filters()? {
            for (name, value) in &filter.settings {
                self.trust_filter(name, value)?;
            }
        }
        Ok(())
    }

    /// Forgets that any filter of the repository's own configuration was trusted.
    pub fn distrust_own_filters(&self) -> Result<(), Diagnostic> {
        self.distrust_filters()
    }

    /// Returns every setting that git finds, with its scope and its value.
    fn settings(&self) -> Result<Vec<Setting>, Diagnostic> {
        let attempt = "read git's configuration";
        let answer =
            self.program()
                .demand(attempt, &["config", "-z", "--list", "--show-scope"], &[])?;
        let words: Vec<&[u8]> = answer.split(|&byte| byte == 0).collect();
        let setting = |pair: &[&[u8]]| {
            let entry = pair[1];
            let end = entry
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(entry.len());
            (
                pair[0].to_vec(),
                entry[..end].to_vec(),
                entry.get(end + 1..).unwrap_or_default().to_vec(),
            )
        };
        Ok(words.chunks_exact(2).map(setting).collect())
    }

    /// Refuses in the name of the filter of `path` when that is not to be started, and what it makes decides.
    pub fn demand_filter(&self, path: &RepoPath) -> Result<(), Diagnostic> {
        self.withheld_filter(path)?
            .map_or(Ok(()), |name| Err(self.refuse_filter(path, &name)))
    }

    /// Does the same where the attributes that count ask for the filter `name`.
    pub(super) fn demand_filter_named(
        &self,
        path: &RepoPath,
        name: &str,
    ) -> Result<(), Diagnostic> {
        let withheld = self.withheld_filters()?;
        let is_withheld = withheld.iter().any(|filter| filter.name == name.as_bytes());
        if is_withheld {
            Err(self.refuse_filter(path, name))
        } else {
            Ok(())
        }
    }

    /// Refuses in the name of the filter `name` of `path`, which is not to be started.
    fn refuse_filter(&self, path: &RepoPath, name: &str) -> Diagnostic {
        let trust = self.repository_filters().ok().and_then(|filters| {
            let own = filters.iter().find(|filter| filter.name == name.as_bytes());
            own.map(|filter| filter.trust)
        });
        let message = format!(
            "what of {} is stored decides the filter `{}`, a command that this repository's own configuration names",
            shown(path.as_str()),
            shown(name)
        );
        let why = match trust {
            Some(FilterTrust::Changed) => {
                "it has changed since it was trusted in this clone, and is not started for a check until it is trusted anew"
            }
            Some(FilterTrust::New) if !self.trusted_filters().is_empty() => {
                "it is new since `git segedit trust` was run in this clone, and is not started for a check until it is trusted"
            }
            Some(FilterTrust::New) | None => {
                "it is not started for a check until it is trusted in this clone"
            }
            Some(FilterTrust::Trusted) => {
                "it is not started for a check, because nothing is trusted here (`never`)"
            }
        };
        Diagnostic::new(Code::ConfigUntrusted, message)
            .note(why)
            .note("`git segedit trust` shows it with what it would run, and remembers it for this clone")
            .note(format!(
                "where nobody can answer: {TRUST_VARIABLE}=always, or `git config --global {TRUST_SETTING} always`"
            ))
    }

    /// Returns the name of the filter that the attributes of `path` ask for, as git reads them.
    pub(super) fn filter_of(&self, path: &RepoPath) -> Result<Option<String>, Diagnostic> {
        let attempt = format!("read the attributes of {}", shown(path.as_str()));
        let answer = self.program().demand(
            &attempt,
            &["check-attr", "-z", "filter", "--", path.as_str()],
            &[],
        )?;
        let value = answer
            .split(|&byte| byte == 0)
            .nth(2)
            .map(|value| String::from_utf8_lossy(value).into_owned());
        Ok(value.filter(|value| !matches!(value.as_str(), "set" | "unset" | "unspecified")))
    }

    /// Returns `git` without the filters that the repository's own configuration names, where they may not start. Whatever its
    /// attributes say: git and libgit2 do not read every line of them alike. A driver of which the caller set a part is theirs
    /// as far as that goes.
    pub(super) fn filtering<'r>(&'r self, mut git: Program<'r>) -> Result<Program<'r>, Diagnostic> {
        let drivers = self.withheld_filters()?;
        if drivers.len() > MOST_DRIVERS {
            let message = format!(
                "the repository's own configuration names {} filters",
                drivers.len()
            );
            return Err(
                Diagnostic::new(Code::ConfigUntrusted, message).note(format!(
                    "{TRUST_VARIABLE}=always in the environment lets them start"
                )),
            );
        }
        let settings = if drivers.is_empty() {
            Vec::new()
        } else {
            self.settings()?
        };
        for driver in drivers {
            let full = |key: &str| [b"filter.", &driver.name[..], b".", key.as_bytes()].concat();
            let of = |key: &str, protected: bool| {
                let full = full(key);
                let found = settings
                    .iter()
                    .rev()
                    .find(|(scope, name, _)| *name == full && is_protected(scope) == protected);
                found.map(|(_, _, value)| value.as_slice())
            };
            // To git, an empty process is one all the same, and goes before the two commands: it is set only where there is one.
            let foreign_process = of("process", false).is_some() && of("process", true).is_none();
            for (key, none) in [
                ("clean", ""),
                ("smudge", ""),
                ("process", ""),
                ("required", "false"),
            ] {
                let own = of(key, true).filter(|_| !foreign_process);
                if key == "process" && own.is_none() && !foreign_process {
                    continue;
                }
                git = git.setting(&full(key), own.unwrap_or(none.as_bytes()));
            }
        }
        Ok(git)
    }

    /// Says whether git may fetch what a partial clone does not have. Where only what is one's own may start, it may from a remote
    /// that is plainly named, if no other setting of the repository has a say in what that starts.
    pub(super) fn may_fetch(&self) -> bool {
        if self.may_start_all() {
            return true;
        }
        let Ok(settings) = self.settings() else {
            return false;
        };
        let own = settings.iter().filter(|(scope, ..)| !is_protected(scope));
        own.into_iter().all(|(_, name, value)| {
            starts_nothing(
                &String::from_utf8_lossy(name),
                &String::from_utf8_lossy(value),
            )
        })
    }

    /// Says what a fetch that is not begun would have been for.
    pub(super) fn refuse_to_fetch(&self, what: &str) -> Diagnostic {
        let message = format!(
            "{what} is not in this partial clone, and its configuration decides what fetching it starts"
        );
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
    const OF_A_REMOTE: [&str; 7] = [
        "fetch",
        "partialclonefilter",
        "promisor",
        "prune",
        "skipdefaultupdate",
        "tagopt",
        "mirror",
    ];
    if let Some(key) = name.strip_prefix("core.") {
        // The file-system monitor and the hooks are turned off for every call.
        return OF_CORE.contains(&key)
            || matches!(
                key,
                "fsmonitor"
                    | "hookspath"
                    | "sparsecheckout"
                    | "sparsecheckoutcone"
                    | "splitindex"
                    | "worktree"
            );
    }
    if name == "extensions.partialclone" {
        return is_plain_remote(value);
    }
    if let Some(rest) = name.strip_prefix("remote.") {
        return match rest.rsplit_once('.') {
            Some((remote, _)) if !is_plain_remote(remote) => false,
            Some((_, "url" | "pushurl")) => is_plain_url(value),
            Some((_, key)) => OF_A_REMOTE.contains(&key),
            None => false,
        };
    }
    SECTIONS.iter().any(|section| name.starts_with(section))
}

/// Says whether `name` is a remote's and nothing that a command line could take for an option or a path.
pub(super) fn is_plain_remote(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    name.bytes().all(is_plain)
        && name
            .bytes()
            .next()
            .is_some_and(|first| first.is_ascii_alphanumeric())
}

/// Says whether `url` names a way to a repository that only git's own programs and the caller's `ssh` go.
fn is_plain_url(url: &str) -> bool {
    let schemes = [
        "https://",
        "http://",
        "ssh://",
        "git+ssh://",
        "ssh+git://",
        "file://",
    ];
    // `ext::…` and its like name a program. `host:path` is ssh's; a host that begins with a dash would be an option.
    let is_plain = schemes.iter().any(|scheme| url.starts_with(scheme))
        || !url.contains("::") && !url.contains("://");
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
        check("remote.--upload-pack=x.promisor=true", false);
        check("remote.-x.promisor=true", false);
        check("extensions.partialclone=--upload-pack=touch x", false);
        check("extensions.partialclone=origin", true);
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
