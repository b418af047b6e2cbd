//! Real files, chosen at random but the same for the same seed; and the randomness.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use segedit::path::RepoPath;
use segedit::syntax::{Language, language_of};

/// A file to take blocks from.
pub struct Source {
    pub path: String,
    pub lines: Vec<String>,
    pub language: Option<&'static Language>,
    pub extension: String,
}

/// A small generator of numbers, so that the same seed gives the same cases everywhere.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x51ed_270b)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Returns a number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }
}

const EXTENSIONS: [&str; 5] = ["py", "js", "md", "rs", "ts"];
const MOST_OF_A_SORT: usize = 400;

/// Returns files of 40 to 3,000 lines from the folders, at most so many of each sort.
pub fn files(folders: &[String], seed: u64) -> Vec<Source> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in folders {
        walk(Path::new(folder), &mut paths);
    }
    paths.sort();
    let mut chance = Chance::new(seed);
    for at in (1..paths.len()).rev() {
        paths.swap(at, chance.below(at + 1));
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut files = Vec::new();
    for path in paths {
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if counts
            .get(&extension)
            .is_some_and(|&count| count >= MOST_OF_A_SORT)
        {
            continue;
        }
        let Some(source) = std::fs::read_to_string(&path)
            .ok()
            .and_then(|text| source(&path, &extension, text))
        else {
            continue;
        };
        *counts.entry(extension).or_default() += 1;
        files.push(source);
    }
    files
}

fn source(path: &Path, extension: &str, text: String) -> Option<Source> {
    const LONGEST_LINE: usize = 300;
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let plain = !text.contains('\r') && !text.contains('\0') && text.ends_with('\n');
    let sized =
        (40..=3000).contains(&lines.len()) && lines.iter().all(|line| line.len() <= LONGEST_LINE);
    let language = language_of(&RepoPath::parse(&format!("file.{extension}")).ok()?);
    (plain && sized).then(|| Source {
        path: path.display().to_string(),
        lines,
        language,
        extension: extension.to_owned(),
    })
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&path, paths);
        } else if path
            .extension()
            .is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known))
        {
            paths.push(path);
        }
    }
}

pub fn summary(files: &[Source]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        *counts.entry(&file.extension).or_default() += 1;
    }
    counts
        .iter()
        .map(|(sort, count)| format!("{count} {sort}"))
        .collect::<Vec<_>>()
        .join(", ")
}
