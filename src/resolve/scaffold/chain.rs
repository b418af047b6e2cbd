//! The template that a header names, and those that it extends, among the files of the configured folders.

use std::fmt;

use super::header::Header;
use crate::path::RepoPath;
use crate::snapshot::{Blob, Templates};
use crate::syntax::jinja::{self, Parent};

/// One template of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// Where it stands.
    pub path: RepoPath,
    /// Its content.
    pub bytes: Blob,
}

/// Why the chain ends before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The template at this path has to be read first.
    Unread(RepoPath),
    /// There is none, or no telling which.
    Because(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Unread(path) => write!(f, "was not read: {path}"),
            Stop::Because(why) => f.write_str(why),
        }
    }
}

fn because<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Because(why.into()))
}

/// Endings of templates, whatever they render.
const ENDINGS: [&str; 5] = ["jinja2", "jinja", "j2", "tmpl", "tpl"];

/// Most templates that extend each other.
const MOST_TIERS: usize = 32;

/// Returns the template that `header` names for the file at `path` first, then those that it extends.
pub fn chain(templates: &Templates, header: &Header, path: &RepoPath) -> Result<Vec<Tier>, Stop> {
    if templates.folders.is_empty() {
        return because("is not looked for: `.segedit.yaml` names no folders of templates");
    }
    let mut next = Some(named(templates, &header.template, path)?);
    let mut chain: Vec<Tier> = Vec::new();
    while let Some(path) = next.take() {
        if chain.iter().any(|tier| tier.path == path) {
            return because(format!("extends itself: {path}"));
        }
        if chain.len() == MOST_TIERS {
            return because(format!("extends more than {MOST_TIERS} others"));
        }
        let Some(bytes) = templates.files.get(&path) else {
            return Err(Stop::Unread(path));
        };
        next = match jinja::template(bytes).map(|template| template.extends) {
            Ok(Some(Parent::Named(name))) => Some(extended(templates, &name)?),
            Ok(Some(Parent::Unknown)) => {
                return because(format!("extends one that only rendering tells: {path}"));
            }
            Ok(None) | Err(_) => None,
        };
        chain.push(Tier {
            path,
            bytes: bytes.clone(),
        });
    }
    Ok(chain)
}

/// Returns the template called `name` that makes files like the one at `path`: exactly so, with endings, in a folder.
fn named(templates: &Templates, name: &str, path: &RepoPath) -> Result<RepoPath, Stop> {
    let name = templates
        .folders
        .iter()
        .find_map(|folder| name.strip_prefix(folder.as_str()))
        .unwrap_or(name);
    let with_ending = |place: &str| {
        place
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('.') && !rest.contains('/'))
    };
    let in_a_folder = |place: &str| {
        let parts = place.match_indices('/').map(|(at, _)| &place[at + 1..]);
        parts
            .into_iter()
            .any(|part| part == name || with_ending(part))
    };
    let ways: [&dyn Fn(&str) -> bool; 3] = [&|place| place == name, &with_ending, &in_a_folder];
    let found = ways
        .iter()
        .map(|fits| fitting(templates, fits))
        .find(|found| !found.is_empty())
        .unwrap_or_default();
    match narrowed(found, path).as_slice() {
        [] => because("is in none of the template folders"),
        [only] => Ok(only.clone()),
        several => because(format!("may be any of {}", joined(several))),
    }
}

fn joined(paths: &[RepoPath]) -> String {
    paths
        .iter()
        .map(RepoPath::as_str)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Returns the templates whose place in their folder fits; those of the first folder that has any.
fn fitting(templates: &Templates, fits: &dyn Fn(&str) -> bool) -> Vec<RepoPath> {
    let of_folder = |folder: &String| -> Vec<RepoPath> {
        let inside = |path: &&RepoPath| {
            path.as_str()
                .strip_prefix(folder.as_str())
                .is_some_and(fits)
        };
        templates.paths.iter().filter(inside).cloned().collect()
    };
    templates
        .folders
        .iter()
        .map(of_folder)
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

/// Keeps, of several, those that have a template's ending, then those that make files with the ending of `path`.
fn narrowed(found: Vec<RepoPath>, path: &RepoPath) -> Vec<RepoPath> {
    let stem = |place: &RepoPath| {
        let (stem, ending) = place.file_name().rsplit_once('.')?;
        ENDINGS.contains(&ending).then(|| stem.to_owned())
    };
    let ending = path
        .file_name()
        .rsplit_once('.')
        .map(|(_, ending)| format!(".{ending}"));
    let makes_such = |place: &RepoPath| {
        ending
            .as_ref()
            .is_some_and(|ending| stem(place).is_some_and(|stem| stem.ends_with(ending)))
    };
    let ways: [&dyn Fn(&RepoPath) -> bool; 2] = [&|place| stem(place).is_some(), &makes_such];
    ways.iter().fold(found, |found, keeps| {
        let kept: Vec<RepoPath> = found.iter().filter(|place| keeps(place)).cloned().collect();
        if kept.is_empty() { found } else { kept }
    })
}

/// Returns the template that another calls `name`: by its place in a folder, else the only one whose path ends so.
fn extended(templates: &Templates, name: &str) -> Result<RepoPath, Stop> {
    let exact = fitting(templates, &|place| place == name);
    if let [only] = exact.as_slice() {
        return Ok(only.clone());
    }
    let ends_so = |path: &&RepoPath| {
        path.as_str()
            .strip_suffix(name)
            .is_some_and(|folder| folder.ends_with('/'))
    };
    let found: Vec<RepoPath> = templates.paths.iter().filter(ends_so).cloned().collect();
    match found.as_slice() {
        [] => because(format!(
            "extends `{name}`, which is in none of the template folders"
        )),
        [only] => Ok(only.clone()),
        several => because(format!(
            "extends `{name}`, which may be any of {}",
            joined(several)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn templates(folders: &[&str], files: &[(&str, &str)]) -> Templates {
        let files: Vec<(RepoPath, Blob)> = files
            .iter()
            .map(|(path, text)| (RepoPath::parse(path).unwrap(), text.as_bytes().into()))
            .collect();
        Templates {
            folders: folders.iter().map(ToString::to_string).collect(),
            paths: files.iter().map(|(path, _)| path.clone()).collect(),
            files: files.into_iter().collect(),
        }
    }

    fn told(templates: &Templates, name: &str, path: &str) -> String {
        let header = Header {
            template: name.to_owned(),
        };
        match chain(templates, &header, &RepoPath::parse(path).unwrap()) {
            Ok(chain) => chain
                .iter()
                .map(|tier| tier.path.as_str())
                .collect::<Vec<_>>()
                .join(" < "),
            Err(stop) => stop.to_string(),
        }
    }

    #[test]
    fn a_template_is_found_by_its_name() {
        let check = |files: &[&str], name: &str, expected: &str| {
            let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, "x")).collect();
            assert_eq!(
                told(&templates(&["t/", "u/"], &files), name, "src/a.py"),
                expected,
                "{name} {files:?}"
            );
        };
        check(&["t/worker.py.jinja2"], "worker", "t/worker.py.jinja2");
        check(
            &["t/concrete/worker.py.jinja2"],
            "worker",
            "t/concrete/worker.py.jinja2",
        );
        check(&["t/worker.jinja2"], "worker", "t/worker.jinja2");
        check(&["t/worker"], "worker", "t/worker");
        check(&["t/a/b/worker.j2"], "b/worker", "t/a/b/worker.j2");
        check(&["t/worker.py.jinja2"], "worker.py", "t/worker.py.jinja2");
        check(
            &["t/worker.py.jinja2"],
            "t/worker.py.jinja2",
            "t/worker.py.jinja2",
        );
        check(
            &["t/worker.py.jinja2", "t/concrete/worker.py.jinja2"],
            "worker",
            "t/worker.py.jinja2",
        );
        check(
            &["t/worker.py.jinja2", "t/worker.md.jinja2", "t/worker.py"],
            "worker",
            "t/worker.py.jinja2",
        );
        check(
            &["t/a/worker.py.j2", "u/worker.py.j2"],
            "worker",
            "u/worker.py.j2",
        );
        check(
            &["t/worker.py.j2", "u/worker.py.j2"],
            "worker",
            "t/worker.py.j2",
        );
        check(
            &["t/a/worker.j2", "t/b/worker.j2"],
            "worker",
            "may be any of t/a/worker.j2, t/b/worker.j2",
        );
        check(
            &["t/coworker.j2", "t/worker_x.j2", "v/worker.j2"],
            "worker",
            "is in none of the template folders",
        );
    }

    #[test]
    fn the_chain_is_followed_to_its_end() {
        let files = [
            ("t/a.py.j2", "{% extends 'base/b.j2' %}"),
            ("t/base/b.j2", "{% extends \"c.j2\" %}"),
            ("t/deep/c.j2", "c"),
            ("t/lost.j2", "{% extends 'nowhere' %}"),
            ("t/one.j2", "{% extends 'two.j2' %}"),
            ("t/two.j2", "{% extends 'one.j2' %}"),
            ("t/self.j2", "{% extends 'self.j2' %}"),
            ("t/some.j2", "{% extends which %}"),
        ];
        let templates = templates(&["t/"], &files);
        let check =
            |name: &str, expected: &str| assert_eq!(told(&templates, name, "x.py"), expected);
        check("a", "t/a.py.j2 < t/base/b.j2 < t/deep/c.j2");
        check(
            "lost",
            "extends `nowhere`, which is in none of the template folders",
        );
        check("one", "extends itself: t/one.j2");
        check("self", "extends itself: t/self.j2");
        check("some", "extends one that only rendering tells: t/some.j2");
        let unread = Templates {
            files: Default::default(),
            ..templates.clone()
        };
        assert_eq!(told(&unread, "a", "x.py"), "was not read: t/a.py.j2");
        assert_eq!(
            told(&Templates::default(), "a", "x.py"),
            "is not looked for: `.segedit.yaml` names no folders of templates"
        );
    }
}
