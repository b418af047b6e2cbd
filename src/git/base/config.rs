//! `Config`: the caller's git configuration, `git -c` and `GIT_CONFIG_COUNT` included.
//!
//! libgit2 reads files only, so what the environment sets is laid over them as one more level, for our own
//! look-ups and for what libgit2 decides by itself (`core.autocrlf`, `core.fileMode`, …).

use std::collections::BTreeMap;
use std::io::Write;

use tempfile::NamedTempFile;

use super::failure;
use super::flush::Flush;
use super::opening::{Durability, FlushedWrites};
use super::shared::SharedPermissions;
use crate::diagnostic::Diagnostic;

/// The configuration that holds for one repository, as it was when that was opened.
pub struct Config {
    /// By name: section and key in lower case, the subsection as written.
    values: BTreeMap<String, ConfigValue>,
    flush: Flush,
    /// The level laid over the files; libgit2 reads it again whenever it likes, so it lives as long as we do.
    _overlay: Option<NamedTempFile>,
}

/// What makes libgit2 flush the refs that it writes.
const FLUSHES: &str = "core.fsyncobjectfiles";

/// A value and how near it was set.
struct ConfigValue {
    nearness: i32,
    text: String,
    /// The nearest of those that are set outside of the repository.
    protected: Option<(i32, Box<str>)>,
}

impl ConfigValue {
    /// Takes one more value of the same name.
    fn take(&mut self, nearness: i32, text: String, protected: Option<(i32, Box<str>)>) {
        if protected.as_ref().is_some_and(|(level, _)| {
            self.protected
                .as_ref()
                .is_none_or(|known| known.0 <= *level)
        }) {
            self.protected = protected;
        }
        if self.nearness <= nearness {
            (self.nearness, self.text) = (nearness, text);
        }
    }
}

/// The furthest level that the repository itself brings along: its own file, which an archive may hold.
const LOCAL: i32 = git2::ConfigLevel::Local as i32;

impl Config {
    /// Reads the configuration of `git2` and lays what the environment sets over it.
    ///
    /// `asked` is how durable the caller wants to have what is written, `what` the sort of it that goes through `git2`.
    pub(in crate::git) fn of(
        git2: &git2::Repository,
        asked: Durability,
        what: FlushedWrites,
    ) -> Result<Config, Diagnostic> {
        let attempt = "read git's configuration";
        let mut files = git2.config().map_err(failure::git2(attempt))?;
        let mut values = read(&mut files).map_err(failure::git2(attempt))?;
        for (name, text) in environment() {
            let protected = Some((i32::MAX, text.as_str().into()));
            values.insert(
                lower(&name),
                ConfigValue {
                    nearness: i32::MAX,
                    text,
                    protected,
                },
            );
        }
        Config {
            values,
            flush: Flush::ALL,
            _overlay: None,
        }
        .laid_over(git2, asked, what)
    }

    /// Returns it as it holds for a handle through which `what` is written.
    pub(in crate::git) fn laid_over(
        self,
        git2: &git2::Repository,
        asked: Durability,
        what: FlushedWrites,
    ) -> Result<Config, Diagnostic> {
        let mut config = Config {
            flush: Flush::ALL,
            ..self
        };
        let mut overrides = environment();
        if asked == Durability::Configured && config.get_bool("segedit.durable") != Some(true) {
            let object_files = config.get_bool(FLUSHES) == Some(true);
            config.flush = Flush::configured(config.get("core.fsync").as_deref(), object_files);
        }
        let flushed = match what {
            FlushedWrites::Refs => Some(config.flush.refs),
            FlushedWrites::Nothing => None,
        };
        // libgit2's switch for both; without it nothing is flushed.
        if let Some(flushed) =
            flushed.filter(|flushed| config.get_bool(FLUSHES).unwrap_or(false) != *flushed)
        {
            overrides.push((FLUSHES.to_owned(), flushed.to_string()));
        }
        if overrides.is_empty() {
            return Ok(config);
        }
        let overlay = overlay(&overrides)?;
        let mut files = git2
            .config()
            .map_err(failure::git2("read git's configuration"))?;
        files
            .add_file(overlay.path(), git2::ConfigLevel::App, true)
            .map_err(failure::git2("read the configuration given with `git -c`"))?;
        Ok(Config {
            _overlay: Some(overlay),
            ..config
        })
    }

    /// Returns what is flushed.
    pub(in crate::git) fn flush(&self) -> Flush {
        self.flush
    }

    /// Returns the value of `name`, written in lower case: `user.name`.
    pub fn get(&self, name: &str) -> Option<String> {
        self.values.get(name).map(|value| value.text.clone())
    }

    /// Returns the value of `name` that the caller set: for the system, for themselves, on the command line. What the
    /// repository's own file says has no say, as in git for what decides whether that is believed.
    pub fn protected(&self, name: &str) -> Option<&str> {
        self.values
            .get(name)?
            .protected
            .as_ref()
            .map(|(_, text)| &**text)
    }

    /// Returns the value of `name` as git reads a boolean, or `None` when it is not set or not one.
    pub fn get_bool(&self, name: &str) -> Option<bool> {
        git2::Config::parse_bool(self.get(name)?.as_str()).ok()
    }

    /// Returns what the repository's own file grants to others, which is the only one that git asks for that.
    pub(in crate::git) fn shared(&self) -> SharedPermissions {
        let own = LOCAL..=git2::ConfigLevel::Worktree as i32;
        let value = self
            .values
            .get("core.sharedrepository")
            .filter(|value| own.contains(&value.nearness));
        value.map_or(SharedPermissions::Umask, |value| {
            SharedPermissions::of(&value.text)
        })
    }

    /// Returns the names that are set.
    pub(in crate::git) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}

/// Reads every value; of several, the one that is set nearest wins, and of several in one file the last.
fn read(files: &mut git2::Config) -> Result<BTreeMap<String, ConfigValue>, git2::Error> {
    let mut values: BTreeMap<String, ConfigValue> = BTreeMap::new();
    files.snapshot()?.entries(None)?.for_each(|entry| {
        let Ok(name) = entry.name() else { return };
        let nearness = entry.level() as i32;
        // A name without a value (`[core] bare`) means true.
        let text = if entry.has_value() {
            String::from_utf8_lossy(entry.value_bytes()).into_owned()
        } else {
            "true".to_owned()
        };
        let protected = (nearness < LOCAL).then(|| (nearness, text.as_str().into()));
        match values.get_mut(name) {
            None => drop(values.insert(
                name.to_owned(),
                ConfigValue {
                    nearness,
                    text,
                    protected,
                },
            )),
            Some(known) => known.take(nearness, text, protected),
        }
    })?;
    Ok(values)
}

/// Returns `name` as git compares it: all but the subsection in lower case.
fn lower(name: &str) -> String {
    match (name.split_once('.'), name.rsplit_once('.')) {
        (Some((section, _)), Some((rest, key))) if rest.len() > section.len() => {
            let subsection = rest.get(section.len()..).unwrap_or_default();
            format!(
                "{}{subsection}.{}",
                section.to_lowercase(),
                key.to_lowercase()
            )
        }
        _ => name.to_lowercase(),
    }
}

/// Returns what `GIT_CONFIG_COUNT` and `git -c` set, weakest first.
fn environment() -> Vec<(String, String)> {
    let counted = git_config_env::ConfigEnv::new();
    let given = git_config_env::ConfigParameters::new();
    let mut overrides: Vec<(String, String)> = counted
        .iter()
        .map(|(key, value)| (key.into_owned(), value.into_owned()))
        .collect();
    for (key, value) in &given {
        // `git -c core.bare` without a value means true.
        overrides.push((
            key.into_owned(),
            value.map_or_else(|| "true".to_owned(), |value| value.into_owned()),
        ));
    }
    overrides
}

/// Writes what libgit2 may need to a file of its own; what may hold a password stays in memory.
fn overlay(overrides: &[(String, String)]) -> Result<NamedTempFile, Diagnostic> {
    let secret = |key: &str| {
        ["http.", "credential.", "url.", "remote."]
            .iter()
            .any(|section| key.to_ascii_lowercase().starts_with(section))
    };
    let plain = overrides.iter().filter(|(key, _)| !secret(key));
    let mut file = NamedTempFile::new().map_err(failure::system("make a temporary file"))?;
    // What nearly every process needs goes without libgit2's way to write it: lock, rename, and read again.
    if let [(key, value)] = overrides
        && key == FLUSHES
    {
        let text = format!("[core]\n\tfsyncObjectFiles = {value}\n");
        file.write_all(text.as_bytes())
            .map_err(failure::system("write a temporary file"))?;
        return Ok(file);
    }
    let mut config =
        git2::Config::open(file.path()).map_err(failure::git2("open a temporary configuration"))?;
    for (key, value) in plain {
        // A key that libgit2 cannot write is one that it would not ask for either.
        let _ = config.set_str(key, value);
    }
    Ok(file)
}
