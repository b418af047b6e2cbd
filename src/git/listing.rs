//! Listings: the names near one that is not there, the files that pathspecs match, and every file for a search.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;

use super::ground::Ground;
use super::{ReadSource, Repo, failure};
use crate::diagnostic::{Diagnostic, nearest};
use crate::path::{RepoPath, folded};
use crate::snapshot::{Blob, FileMode, SnapshotEntry};

/// How many names are looked through for one that may have been meant, and how many are offered.
const MOST_SEARCHED: usize = 20_000;
const MOST_OFFERED: usize = 3;
const MOST_HELPED: usize = 16;

/// What a ground holds, for the sake of paths that it does not hold. Nothing is listed before it is needed.
pub(super) struct NamesByFolder<'g> {
    ground: &'g dyn Ground,
    /// Every path by file name, up to the limit.
    by_name: OnceCell<BTreeMap<String, Vec<String>>>,
    /// For how many paths more names are looked for: a batch that creates a thousand files wants none of it.
    budget: Cell<usize>,
}

impl<'g> NamesByFolder<'g> {
    pub(super) fn new(ground: &'g dyn Ground) -> NamesByFolder<'g> {
        NamesByFolder {
            ground,
            by_name: OnceCell::new(),
            budget: Cell::new(MOST_HELPED),
        }
    }

    /// Returns the entry of a path where nothing stands.
    pub(super) fn absent(&self, path: &RepoPath) -> Result<SnapshotEntry, Diagnostic> {
        Ok(SnapshotEntry::Absent {
            nearest: self.nearest(path)?,
            twin: self.twin(path)?,
        })
    }

    /// Returns existing paths that are spelled nearly so, nearest first: the same name in another folder, a like name
    /// in the same folder, a like path anywhere.
    fn nearest(&self, path: &RepoPath) -> Result<Vec<RepoPath>, Diagnostic> {
        let Some(left) = self.budget.get().checked_sub(1) else {
            return Ok(Vec::new());
        };
        self.budget.set(left);
        let by_name = self.by_name()?;
        let mut found: Vec<&str> = Vec::new();
        let all = || by_name.values().flatten().map(String::as_str);
        if let Some(same) = by_name.get(path.file_name()) {
            let mut same: Vec<&str> = same.iter().map(String::as_str).collect();
            // The nearest in depth first: of many `__init__.py` those that are about as far down.
            let depth = |path: &str| path.matches('/').count();
            same.sort_by_key(|other| (depth(other).abs_diff(depth(path.as_str())), *other));
            found.extend(same);
        }
        // Names of about the same length only: the distance of two paths costs the product of their lengths.
        let close =
            |other: &&str| other.len().abs_diff(path.as_str().len()) <= path.as_str().len() / 3 + 1;
        found.extend(nearest(path.as_str(), all().filter(close), MOST_OFFERED));
        let names = by_name.keys().map(String::as_str);
        for name in nearest(path.file_name(), names, MOST_OFFERED) {
            found.extend(by_name.get(name).into_iter().flatten().map(String::as_str));
        }
        let mut offered: Vec<RepoPath> = Vec::new();
        for path in found
            .into_iter()
            .filter_map(|path| RepoPath::parse(path).ok())
        {
            if offered.len() < MOST_OFFERED && !offered.contains(&path) {
                offered.push(path);
            }
        }
        Ok(offered)
    }

    /// Returns a path that a file system which folds case, or composes characters, takes for `path`, or for a folder that it is in.
    fn twin(&self, path: &RepoPath) -> Result<Option<RepoPath>, Diagnostic> {
        let mut here = String::new();
        let mut differs = false;
        for name in path.as_str().split('/') {
            let names = self.ground.names(&here)?;
            let same = names.iter().find(|other| *other == name);
            let Some(other) =
                same.or_else(|| names.iter().find(|other| folded(other) == folded(name)))
            else {
                break;
            };
            here = if here.is_empty() {
                other.clone()
            } else {
                format!("{here}/{other}")
            };
            differs |= other != name;
        }
        Ok(RepoPath::parse(&here).ok().filter(|_| differs))
    }

    fn by_name(&self) -> Result<&BTreeMap<String, Vec<String>>, Diagnostic> {
        if let Some(known) = self.by_name.get() {
            return Ok(known);
        }
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut count = 0;
        self.ground.files(&mut |path, _| {
            let name = path.rsplit('/').next().unwrap_or(path);
            by_name
                .entry(name.to_owned())
                .or_default()
                .push(path.to_owned());
            count += 1;
            count < MOST_SEARCHED
        })?;
        Ok(self.by_name.get_or_init(|| by_name))
    }
}

impl Repo {
    /// Returns the tracked regular files of `ground` that `pathspecs` match, sorted.
    pub(super) fn matching(
        &self,
        ground: &dyn Ground,
        pathspecs: &[String],
    ) -> Result<Vec<RepoPath>, Diagnostic> {
        let filter = Filter::new(self, ground, pathspecs)?;
        let mut matched = Vec::new();
        ground.files(&mut |path, _| {
            if filter.takes(path) {
                matched.extend(RepoPath::parse(path).ok());
            }
            true
        })?;
        matched.sort();
        Ok(matched)
    }

    /// Returns the tracked regular files of `source` that `pathspecs` match (none: all of them), sorted, each with its
    /// mode.
    pub fn all_files(
        &self,
        source: &ReadSource,
        pathspecs: &[String],
    ) -> Result<Vec<(RepoPath, FileMode)>, Diagnostic> {
        let ground = self.ground(source)?;
        let filter = Filter::new(self, ground.as_ref(), pathspecs)?;
        let mut files = Vec::new();
        ground.files(&mut |path, mode| {
            if filter.takes(path) {
                files.extend(RepoPath::parse(path).ok().map(|path| (path, mode)));
            }
            true
        })?;
        files.sort_by(|left, right| left.0.cmp(&right.0));
        Ok(files)
    }

    /// Says whether git would not take the file at `path` up by itself, as one that is ignored here. In a bare repository none is.
    pub fn ignores(&self, path: &RepoPath) -> bool {
        !self.is_bare() && self.git2.is_path_ignored(path.as_str()).unwrap_or(false)
    }

    /// Says of each of `paths` whether `pathspecs` match it (none: all of them).
    pub fn sift(&self, paths: &[String], pathspecs: &[String]) -> Result<Vec<bool>, Diagnostic> {
        let all = |visit: &mut dyn FnMut(&str)| {
            paths.iter().for_each(|path| visit(path));
            Ok(())
        };
        let filter = Filter::of(self, &all, pathspecs)?;
        Ok(paths.iter().map(|path| filter.takes(path)).collect())
    }

    /// Calls `visit` with the content of every tracked regular file of `source` that `pathspecs` match (none: all of
    /// them), from several threads and in no order.
    pub fn each_file(
        &self,
        source: &ReadSource,
        pathspecs: &[String],
        visit: impl Fn(&RepoPath, &[u8]) + Sync,
    ) -> Result<(), Diagnostic> {
        let files = self.all_files(source, pathspecs)?;
        if self.is_partial() {
            self.fetch_ahead(
                self.ground(source)?.as_ref(),
                files.iter().map(|(path, _)| path),
            )?;
        }
        // Few chunks, as each opens the repository for itself: libgit2's handles are not shared between threads.
        let share = files.len().div_ceil(crate::parallel::width()).max(64);
        let from = self.opening();
        files.par_chunks(share).try_for_each(|share| {
            let repo = from.open()?;
            let ground = repo.ground(source)?;
            let each = || {
                share.iter().try_for_each(|(path, _)| {
                    visit(path, &ground.bytes(path)?);
                    Ok(())
                })
            };
            repo.foreseeing(source, share.iter().map(|(path, _)| path), each)
        })
    }
}

/// Which paths a list of pathspecs takes.
enum Filter {
    All,
    Plain(git2::Pathspec),
    /// What git itself picked.
    Picked(BTreeSet<String>),
    /// Files and folders that are named to the letter, though they could be patterns (`src/[id]`), and what the other pathspecs
    /// take.
    Named(BTreeSet<String>, Option<Box<Filter>>),
}

/// Calls a function with every path that there is.
type All<'a> = &'a dyn Fn(&mut dyn FnMut(&str)) -> Result<(), Diagnostic>;

impl Filter {
    fn new(repo: &Repo, ground: &dyn Ground, pathspecs: &[String]) -> Result<Filter, Diagnostic> {
        let all = |visit: &mut dyn FnMut(&str)| {
            ground.files(&mut |path, _| {
                visit(path);
                true
            })
        };
        Filter::of(repo, &all, pathspecs)
    }

    /// Returns the filter of paths, `all` of which git may have to be told.
    fn of(repo: &Repo, all: All<'_>, pathspecs: &[String]) -> Result<Filter, Diagnostic> {
        if pathspecs.is_empty() {
            return Ok(Filter::All);
        }
        let mut patterns: Vec<PathspecPattern<'_>> = pathspecs
            .iter()
            .filter_map(|spec| PathspecPattern::read(spec))
            .collect();
        if !patterns.is_empty() {
            all(&mut |path| {
                for pattern in &mut patterns {
                    pattern.meet(path);
                }
            })?;
            let is_literal = |spec: &&String| {
                let pattern = patterns.iter().find(|pattern| pattern.spec == **spec);
                pattern.is_some_and(|pattern| pattern.literal > 0)
            };
            if pathspecs.iter().any(|spec| is_literal(&spec)) {
                return Filter::of_literal(repo, all, pathspecs, &patterns);
            }
        }
        let pathspecs = &pathspecs
            .iter()
            .flat_map(|spec| as_glob(spec))
            .collect::<Vec<_>>()[..];
        // libgit2 knows neither git's magic nor that a `!` or a backslash is only a character, and it takes years with many stars.
        let is_gits = |spec: &String| {
            spec.starts_with([':', '!'])
                || spec.contains('\\')
                || spec.ends_with('/')
                || spec
                    .split('*')
                    .filter(|between| !between.is_empty())
                    .count()
                    > 3
        };
        if pathspecs.iter().any(is_gits) {
            return pick(repo, all, pathspecs);
        }
        let specs = git2::Pathspec::new(pathspecs).map_err(failure::git2("read the pathspecs"))?;
        Ok(Filter::Plain(specs))
    }

    /// Returns the filter where some of the pathspecs exist to the letter, in whole or in their first folders.
    fn of_literal(
        repo: &Repo,
        all: All<'_>,
        pathspecs: &[String],
        patterns: &[PathspecPattern<'_>],
    ) -> Result<Filter, Diagnostic> {
        // What git's magic excludes is to be taken from the others.
        let has_magic = pathspecs.iter().any(|spec| spec.starts_with(':'));
        let mut named = BTreeSet::new();
        let mut others = Vec::new();
        for spec in pathspecs {
            match patterns.iter().find(|pattern| pattern.spec == *spec) {
                Some(pattern) if pattern.is_named() && has_magic => {
                    others.push(format!(":(literal){}", pattern.path()));
                }
                Some(pattern) if pattern.is_named() => {
                    named.insert(pattern.path().to_owned());
                }
                Some(pattern) => others.push(pattern.escaped()),
                None => others.push(spec.clone()),
            }
        }
        let rest = match others.as_slice() {
            [] => None,
            others => Some(Box::new(Filter::of(repo, all, others)?)),
        };
        Ok(Filter::Named(named, rest))
    }

    fn takes(&self, path: &str) -> bool {
        match self {
            Filter::All => true,
            Filter::Plain(specs) => {
                specs.matches_path(Path::new(path), git2::PathspecFlags::DEFAULT)
            }
            Filter::Picked(paths) => paths.contains(path),
            Filter::Named(named, rest) => {
                let is_named = |path: &str| named.contains(path);
                is_named(path)
                    || path
                        .match_indices('/')
                        .any(|(end, _)| is_named(&path[..end]))
                    || rest.as_ref().is_some_and(|rest| rest.takes(path))
            }
        }
    }
}

/// Returns a pathspec with `**/` in it as the one that git reads as everybody does: without `glob` it leaves out the files that are in no
/// folder there. One that excludes stays beside it: what either leaves out is meant to be left out.
fn as_glob(spec: &str) -> Vec<String> {
    let unchanged = || vec![spec.to_owned()];
    let Some((mut words, pattern)) = magic(spec).filter(|(_, rest)| rest.contains("**/")) else {
        return unchanged();
    };
    if words.iter().any(|word| matches!(*word, "glob" | "literal")) {
        return unchanged();
    }
    let excludes = words.contains(&"exclude");
    words.push("glob");
    let glob = format!(":({}){pattern}", words.join(","));
    if excludes {
        vec![spec.to_owned(), glob]
    } else {
        vec![glob]
    }
}

/// Returns the words of a pathspec's magic, in its long form or its short one, and the pattern. Source: git's `glossary`, "pathspec".
fn magic(spec: &str) -> Option<(Vec<&str>, &str)> {
    let Some(rest) = spec.strip_prefix(':') else {
        return Some((Vec::new(), spec));
    };
    if let Some(long) = rest.strip_prefix('(') {
        let (words, pattern) = long.split_once(')')?;
        let words = words.split(',').map(str::trim);
        return Some((words.filter(|word| !word.is_empty()).collect(), pattern));
    }
    let pattern = rest.trim_start_matches(['/', '!', '^']);
    let signs = &rest[..rest.len() - pattern.len()];
    let mut words = Vec::new();
    if signs.contains('/') {
        words.push("top");
    }
    if signs.contains(['!', '^']) {
        words.push("exclude");
    }
    // A colon may end the signs.
    Some((words, pattern.strip_prefix(':').unwrap_or(pattern)))
}

/// A pathspec with characters that stand for others, of which some may be names to the letter.
struct PathspecPattern<'a> {
    spec: &'a str,
    /// How many of its first bytes are a path to the letter, at the end of a name; 0 while that has nothing of a pattern.
    literal: usize,
}

impl<'a> PathspecPattern<'a> {
    const SPECIAL: [char; 3] = ['*', '?', '['];

    /// Returns the pattern that `spec` is, unless it has git's magic.
    fn read(spec: &'a str) -> Option<PathspecPattern<'a>> {
        (spec.contains(PathspecPattern::SPECIAL) && !spec.starts_with(':'))
            .then_some(PathspecPattern { spec, literal: 0 })
    }

    /// Returns it as a path: a folder may end in `/`.
    fn path(&self) -> &'a str {
        self.spec.strip_suffix('/').unwrap_or(self.spec)
    }

    /// Takes note of a path that exists.
    fn meet(&mut self, path: &str) {
        let mut shared = 0;
        let mut names = path.split('/');
        for name in self.path().split('/') {
            if names.next() != Some(name) {
                break;
            }
            shared += name.len() + usize::from(shared > 0);
        }
        let has_special = self
            .spec
            .get(..shared)
            .is_some_and(|start| start.contains(PathspecPattern::SPECIAL));
        if has_special && shared > self.literal {
            self.literal = shared;
        }
    }

    /// Says whether all of it is the path of a file or a folder.
    fn is_named(&self) -> bool {
        self.literal == self.path().len()
    }

    /// Returns it with its first names to the letter, as git has them be written.
    fn escaped(&self) -> String {
        let (literal, rest) = self.spec.split_at(self.literal);
        let mut escaped = String::new();
        for character in literal.chars() {
            if PathspecPattern::SPECIAL.contains(&character) || character == '\\' {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        escaped + rest
    }
}

/// Has git match the pathspecs, against an index of its own that holds nothing but the names.
fn pick(repo: &Repo, all: All<'_>, pathspecs: &[String]) -> Result<Filter, Diagnostic> {
    let attempt = "match the pathspecs";
    let blob = repo.blob(Blob::default()).id;
    let mut lines = Vec::new();
    all(&mut |path| lines.extend(format!("100644 {blob}\t{path}\0").bytes()))?;
    let scratch = repo.scratch()?;
    let git = repo
        .program()
        .with("GIT_INDEX_FILE", scratch.path().join("index"));
    git.demand(
        attempt,
        &[
            "-c",
            "core.splitIndex=false",
            "update-index",
            "-z",
            "--index-info",
        ],
        &lines,
    )?;
    // `ls-files` takes what the pathspecs begin with alike off those that exclude, too: `src/a :!*.py` would list nothing.
    let none = repo.empty_tree();
    let listing = [
        "diff-index",
        "--cached",
        "--no-renames",
        "--name-only",
        "-z",
    ];
    let arguments = listing
        .into_iter()
        .chain([none.0.as_str(), "--"])
        .chain(pathspecs.iter().map(String::as_str));
    let answer = git.demand(attempt, &arguments.collect::<Vec<_>>(), &[])?;
    let paths = answer
        .split(|&byte| byte == 0)
        .filter(|path| !path.is_empty());
    Ok(Filter::Picked(
        paths
            .map(|path| String::from_utf8_lossy(path).into_owned())
            .collect(),
    ))
}
