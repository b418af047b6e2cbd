//! `Rules`: where attributes can come from, and what it may cost to match their patterns.
//!
//! libgit2 tries every way in which the stars of a pattern can share out a path: one line of many stars in a file that any
//! clone brings along would keep it busy for years. git's own matcher gives up in time. So the patterns are weighed before
//! libgit2 sees them, and where they weigh too much, git is asked; so it is where one stands in quotes, which libgit2 does not know.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::Repo;
use super::content::{FILTERS, LINE_ENDINGS};
use super::environment::variable;
use crate::path::RepoPath;

/// Most steps that libgit2 may take with the patterns that could speak of a path.
const MOST_STEPS: u64 = 250_000;
/// Most bytes of a file of attributes that is weighed.
const MOST_BYTES: u64 = 1 << 20;
/// Stars that are too many, whatever they stand in.
const MANY_STARS: u64 = 12;

/// Where attributes can come from, looked up once a folder: libgit2 looks at every file on the way for every attribute of
/// every path, which for a search through twenty thousand files is most of the time that it takes.
#[derive(Default)]
pub(super) struct Rules {
    everywhere: OnceCell<Everywhere>,
    /// What the worktree's file of each folder weighs, where there is one.
    folders: RefCell<HashMap<String, Option<PatternWeight>>>,
    /// What that of the index weighs, where libgit2 looks as well; `None` where that cannot be told.
    indexed: RefCell<HashMap<String, Option<PatternWeight>>>,
    /// What git said of paths before anybody asked.
    foreseen: RefCell<HashMap<String, Vec<&'static str>>>,
}

/// Attributes that do not come from a file of the worktree.
struct Everywhere {
    exist: bool,
    /// What they mention.
    mentions: Mentions,
    /// `None` where that cannot be told.
    weight: Option<PatternWeight>,
}

impl Rules {
    /// Returns whether any file of attributes could speak of `path`.
    pub(super) fn may_say_something(&self, repo: &Repo, path: &RepoPath) -> bool {
        self.everywhere(repo).exist
            || self.in_folder(repo, "", |weight| weight.is_some())
            || path
                .ancestors()
                .any(|folder| self.in_folder(repo, folder.as_str(), |weight| weight.is_some()))
    }

    /// Says whether libgit2 may take too long to match `path` with the patterns that could speak of it.
    pub(super) fn are_dear(&self, repo: &Repo, path: &RepoPath) -> bool {
        let length = path.as_str().len() as u64;
        let Some(everywhere) = &self.everywhere(repo).weight else {
            return true;
        };
        let mut steps = everywhere.steps(length);
        let ancestors: Vec<RepoPath> = path.ancestors().collect();
        for folder in std::iter::once("").chain(ancestors.iter().map(RepoPath::as_str)) {
            steps = steps.saturating_add(self.in_folder(repo, folder, |weight| {
                weight.map_or(0, |it| it.steps(length))
            }));
            steps = steps.saturating_add(self.in_index(repo, folder, |weight| {
                weight.map_or(u64::MAX, |it| it.steps(length))
            }));
        }
        steps > MOST_STEPS
    }

    /// Returns what attributes mention that do not come from a file of the worktree.
    pub(super) fn mentioned_everywhere(&self, repo: &Repo) -> Mentions {
        self.everywhere(repo).mentions
    }

    /// Takes what git said of some paths, in place of what it said before.
    pub(super) fn foresee(&self, answers: HashMap<String, Vec<&'static str>>) {
        *self.foreseen.borrow_mut() = answers;
    }

    /// Returns what git said of `path`, if it did.
    pub(super) fn foreseen(&self, path: &RepoPath) -> Option<Vec<&'static str>> {
        self.foreseen.borrow().get(path.as_str()).cloned()
    }

    fn everywhere(&self, repo: &Repo) -> &Everywhere {
        self.everywhere.get_or_init(|| everywhere(repo))
    }

    fn in_folder<T>(
        &self,
        repo: &Repo,
        folder: &str,
        told: impl FnOnce(Option<&PatternWeight>) -> T,
    ) -> T {
        if let Some(known) = self.folders.borrow().get(folder) {
            return told(known.as_ref());
        }
        let root = repo.workdir().unwrap_or(repo.git_dir());
        let file = root.join(folder).join(".gitattributes");
        let found = file
            .symlink_metadata()
            .is_ok()
            .then(|| PatternWeight::of_file(&file));
        let said = told(found.as_ref());
        self.folders.borrow_mut().insert(folder.to_owned(), found);
        said
    }

    fn in_index<T>(
        &self,
        repo: &Repo,
        folder: &str,
        told: impl FnOnce(Option<&PatternWeight>) -> T,
    ) -> T {
        if let Some(known) = self.indexed.borrow().get(folder) {
            return told(known.as_ref());
        }
        let found = indexed(repo, folder);
        let said = told(found.as_ref());
        self.indexed.borrow_mut().insert(folder.to_owned(), found);
        said
    }
}

/// Returns what the file of attributes weighs that libgit2's own copy of the index has in `folder`.
fn indexed(repo: &Repo, folder: &str) -> Option<PatternWeight> {
    let index = repo.git2.index().ok()?;
    match index.get_path(&Path::new(folder).join(".gitattributes"), 0) {
        // Whether it can be read is libgit2's to find out.
        Some(entry) => Some(
            repo.git2
                .find_blob(entry.id)
                .map(|blob| PatternWeight::of(blob.content()))
                .unwrap_or_default(),
        ),
        None => Some(PatternWeight::default()),
    }
}

/// Looks for attributes that do not come from a file of the worktree.
fn everywhere(repo: &Repo) -> Everywhere {
    let home = variable("HOME").map(PathBuf::from);
    let configured = variable("XDG_CONFIG_HOME").map(PathBuf::from);
    let global = configured.or_else(|| home.as_ref().map(|home| home.join(".config")));
    let chosen = repo
        .config
        .get("core.attributesfile")
        .map(|path| match path.strip_prefix("~/") {
            Some(below) => home.map(|home| home.join(below)),
            // From where a relative one counts, and what other forms mean, git and libgit2 do not agree about.
            None => Some(PathBuf::from(path)).filter(|path| path.is_absolute()),
        });
    let places = [
        global.map(|folder| folder.join("git/attributes")),
        Some(PathBuf::from("/etc/gitattributes")),
        Some(repo.common_dir().join("info/attributes")),
        // libgit2 looks there, in a linked worktree.
        Some(repo.git_dir().join("info/attributes")),
    ];
    let there: Vec<PathBuf> = places
        .into_iter()
        .flatten()
        .filter(|place| place.exists())
        .collect();
    // In a sparse checkout the index may hold files of attributes that the worktree does not.
    let sparse = repo.config.get_bool("core.sparsecheckout") == Some(true);
    let exist = sparse || chosen.is_some() || !there.is_empty();
    let is_known = chosen.as_ref().is_none_or(Option::is_some);
    let files = || there.iter().chain(chosen.iter().flatten());
    let weight = is_known.then(|| {
        let mut weight = PatternWeight::default();
        files().for_each(|place| weight.add(&PatternWeight::of_file(place)));
        weight
    });
    let mentions = match is_known && !sparse {
        true => files().fold(Mentions::default(), |all, place| {
            all.and(Mentions::of_file(place))
        }),
        false => Mentions::ALL,
    };
    Everywhere {
        exist,
        mentions,
        weight,
    }
}

/// Which attributes that matter a text mentions, in whatever way: cheaper than to match its patterns, and most mention none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mentions {
    /// Those that change a file's words.
    pub filters: bool,
    /// Those that change its line endings.
    pub line_endings: bool,
}

impl Mentions {
    /// Anything may be mentioned.
    pub(super) const ALL: Mentions = Mentions {
        filters: true,
        line_endings: true,
    };

    /// Returns what `text` mentions.
    pub(super) fn of(text: &[u8]) -> Mentions {
        if text.len() as u64 > MOST_BYTES {
            return Mentions::ALL;
        }
        let mentions = |names: &[&str]| {
            names.iter().any(|name| {
                text.windows(name.len())
                    .any(|window| window == name.as_bytes())
            })
        };
        Mentions {
            filters: mentions(&FILTERS),
            line_endings: mentions(&LINE_ENDINGS),
        }
    }

    /// Returns what either mentions.
    pub(super) fn and(self, other: Mentions) -> Mentions {
        Mentions {
            filters: self.filters || other.filters,
            line_endings: self.line_endings || other.line_endings,
        }
    }

    fn of_file(file: &Path) -> Mentions {
        match file.metadata() {
            Ok(found) if found.is_file() && found.len() <= MOST_BYTES => {
                std::fs::read(file).map_or(Mentions::ALL, |text| Mentions::of(&text))
            }
            Ok(found) if found.is_file() => Mentions::ALL,
            Ok(_) | Err(_) => Mentions::default(),
        }
    }
}

/// How many lines there are with so many stars, a long line counting for more than one.
#[derive(Debug, Default, PartialEq, Eq)]
struct PatternWeight(BTreeMap<u64, u64>);

impl PatternWeight {
    fn of_file(file: &Path) -> PatternWeight {
        match file.metadata() {
            Ok(found) if found.is_file() && found.len() > MOST_BYTES => {
                PatternWeight([(MANY_STARS, 1)].into())
            }
            Ok(found) if found.is_file() => std::fs::read(file)
                .map(|text| PatternWeight::of(&text))
                .unwrap_or_default(),
            Ok(_) | Err(_) => PatternWeight::default(),
        }
    }

    fn of(text: &[u8]) -> PatternWeight {
        let mut weight = PatternWeight::default();
        for line in text
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::trim_ascii)
            .filter(|line| !line.starts_with(b"#"))
        {
            if line.starts_with(b"\"") {
                // A pattern in quotes, which libgit2 takes for another one: git is asked.
                weight.0.insert(MANY_STARS, 1);
                continue;
            }
            // Neighbours are one; all of the line is looked at, so that nobody has to agree about where its pattern ends.
            let runs = line
                .chunk_by(|one, next| (*one == b'*') == (*next == b'*'))
                .filter(|run| run.starts_with(b"*"));
            let stars = runs.count() as u64;
            if stars > 0 {
                *weight.0.entry(stars.min(MANY_STARS)).or_default() += 1 + line.len() as u64 / 32;
            }
        }
        weight
    }

    fn add(&mut self, other: &PatternWeight) {
        for (stars, lines) in &other.0 {
            *self.0.entry(*stars).or_default() += lines;
        }
    }

    /// Returns at most how many steps it takes to match a path of this length: the ways in which stars share out bytes.
    fn steps(&self, length: u64) -> u64 {
        let ways = |stars: u64| match stars {
            MANY_STARS => u64::MAX,
            // Each quotient is whole: a binomial coefficient.
            _ => (1..=stars).fold(1_u64, |ways, star| {
                ways.saturating_mul(length + star) / star
            }),
        };
        self.0.iter().fold(0, |sum: u64, (stars, lines)| {
            sum.saturating_add(ways(*stars).saturating_mul(*lines))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_mentions() {
        let check = |text: &str, filters: bool, line_endings: bool| {
            assert_eq!(
                Mentions::of(text.as_bytes()),
                Mentions {
                    filters,
                    line_endings
                },
                "{text:?}"
            );
        };
        check("", false, false);
        check("*.py diff=python\n*.png binary\n", false, false);
        check("* text=auto\n", false, true);
        check("*.sh eol=lf\n", false, true);
        check("[attr]secret filter=crypt\n", true, false);
        check(
            "*.c ident\n*.txt working-tree-encoding=UTF-16 text\n",
            true,
            true,
        );
    }

    #[test]
    fn patterns_weigh_what_their_stars_cost() {
        let check = |text: &str, length: u64, expected: u64| {
            assert_eq!(
                PatternWeight::of(text.as_bytes()).steps(length),
                expected,
                "{text:?}"
            );
        };
        check("", 60, 0);
        check("# * and * and *\n\t# * *\nREADME text\n", 60, 0);
        check("*.rs diff=rust\n", 60, 61);
        check("*.a\r\n*.b\n", 60, 122);
        check("docs/**/*.md text\n", 10, 66);
        check("****a\n", 10, 11);
        check("a*b*c*d\n", 3, 20);
        check(&format!("*{} text\n", "a".repeat(30)), 60, 122);
        check(&"*a".repeat(25), 5, u64::MAX);
        check("\"two words/*\" filter=crypt\n", 5, u64::MAX);
    }
}
