//! `Rules`: what is known of where attributes come from, and what it may cost to match their patterns.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Attributes that change a file's words.
pub(in crate::git) const FILTERS: [&str; 3] = ["filter", "working-tree-encoding", "ident"];
/// Attributes that change its line endings.
pub(in crate::git) const LINE_ENDINGS: [&str; 3] = ["text", "eol", "crlf"];

/// Most bytes of a file of attributes that is weighed.
const MOST_BYTES: u64 = 1 << 20;
/// Stars that are too many, whatever they stand in.
const MANY_STARS: u64 = 12;

/// Where attributes can come from, looked up once a folder: libgit2 looks at every file on the way for every attribute of
/// every path, which for a search through twenty thousand files is most of the time that it takes.
#[derive(Default)]
pub(in crate::git) struct Rules {
    pub(in crate::git) everywhere: OnceCell<Everywhere>,
    /// What the worktree's file of each folder weighs, where there is one.
    pub(in crate::git) folders: RefCell<HashMap<String, Option<PatternWeight>>>,
    /// What that of the index weighs, where libgit2 looks as well; `None` where that cannot be told.
    pub(in crate::git) indexed: RefCell<HashMap<String, Option<PatternWeight>>>,
    /// Whether libgit2 was given an index with the files of attributes alone.
    pub(in crate::git) has_index: Cell<bool>,
    /// What git said of paths before anybody asked.
    pub(in crate::git) foreseen: RefCell<HashMap<String, Vec<&'static str>>>,
}

/// Attributes that do not come from a file of the worktree.
pub(in crate::git) struct Everywhere {
    pub(in crate::git) exist: bool,
    /// What they mention.
    pub(in crate::git) mentions: Mentions,
    /// `None` where that cannot be told.
    pub(in crate::git) weight: Option<PatternWeight>,
}

/// Which attributes that matter a text mentions, in whatever way: cheaper than to match its patterns, and most mention none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::git) struct Mentions {
    /// Those that change a file's words.
    pub filters: bool,
    /// Those that change its line endings.
    pub line_endings: bool,
}

impl Mentions {
    /// Anything may be mentioned.
    pub(in crate::git) const ALL: Mentions = Mentions {
        filters: true,
        line_endings: true,
    };

    /// Returns what `text` mentions.
    pub(in crate::git) fn of(text: &[u8]) -> Mentions {
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
    pub(in crate::git) fn and(self, other: Mentions) -> Mentions {
        Mentions {
            filters: self.filters || other.filters,
            line_endings: self.line_endings || other.line_endings,
        }
    }

    pub(in crate::git) fn of_file(file: &Path) -> Mentions {
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
pub(in crate::git) struct PatternWeight(BTreeMap<u64, u64>);

impl PatternWeight {
    pub(in crate::git) fn of_file(file: &Path) -> PatternWeight {
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

    pub(in crate::git) fn of(text: &[u8]) -> PatternWeight {
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

    pub(in crate::git) fn add(&mut self, other: &PatternWeight) {
        for (stars, lines) in &other.0 {
            *self.0.entry(*stars).or_default() += lines;
        }
    }

    /// Returns at most how many steps it takes to match a path of this length: the ways in which stars share out bytes.
    pub(in crate::git) fn steps(&self, length: u64) -> u64 {
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
