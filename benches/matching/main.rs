//! How often a quoted text is found where it stands, elsewhere, or not at all: takes blocks from real files, disturbs them,
//! asks three chains, prints a table.
//!
//! `cargo run --release --package segedit-benches --bin matching -- <cases a kind> <seed> <folder>...`

mod baselines;
mod corpus;
mod disturb;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use segedit::manifest::MatchLevel;
use segedit::resolve::Budget;
use segedit::resolve::matching::{FoldedFile, Question, Words, find};
use segedit::syntax::Language;
use segedit::text::Span;
use segedit::text::indent::unit_of_file;

/// What is asked: a text, in a file, and the lines where it stands, from 0, both included; `None` for a decoy.
pub struct Case {
    pub kind: &'static str,
    pub file: String,
    pub text: String,
    pub expected: Option<(usize, usize)>,
    pub language: Option<&'static Language>,
    /// How many lines the block had before it was disturbed.
    pub lines: usize,
    pub path: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Right,
    Wrong,
    Refused,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    right: usize,
    wrong: usize,
    refused: usize,
}

impl Tally {
    fn add(&mut self, answer: Answer) {
        match answer {
            Answer::Right => self.right += 1,
            Answer::Wrong => self.wrong += 1,
            Answer::Refused => self.refused += 1,
        }
    }
}

/// A chain: the lines where it says that the text stands.
type Chain = fn(&Case) -> Option<(usize, usize)>;

const CHAINS: [(&str, Chain); 3] = [
    ("segedit", segedit),
    ("first hit", baselines::first_hit),
    ("best window", baselines::best_window),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let cases: usize = arguments
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(100);
    let seed: u64 = arguments
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(1);
    let folders: Vec<String> = arguments.collect();
    if folders.is_empty() {
        println!("usage: matching <cases a kind> <seed> <folder>...");
        return;
    }
    let files = corpus::files(&folders, seed);
    println!("{} files: {}", files.len(), corpus::summary(&files));
    let cases = disturb::cases(&files, cases, seed);
    let mut tallies: BTreeMap<(usize, &str), [Tally; CHAINS.len()]> = BTreeMap::new();
    let mut lengths: BTreeMap<usize, Tally> = BTreeMap::new();
    let mut time = [Duration::ZERO; CHAINS.len()];
    let shown = std::env::var("SHOW").unwrap_or_default();
    for case in &cases {
        let row = disturb::KINDS
            .iter()
            .position(|kind| kind.name == case.kind)
            .expect("a kind of the table");
        for (at, (_, chain)) in CHAINS.iter().enumerate() {
            if shown == "only" && at > 0 {
                continue;
            }
            let start = Instant::now();
            let answer = judged(case, chain(case));
            time[at] += start.elapsed();
            tallies.entry((row, case.kind)).or_default()[at].add(answer);
            if at == 0 && case.expected.is_some() {
                lengths
                    .entry(length_class(case.lines))
                    .or_default()
                    .add(answer);
            }
            if at == 0 && !shown.is_empty() {
                show(case, answer, chain(case));
            }
        }
    }
    report(&tallies, &lengths, &time, cases.len());
    speed(&files, &cases);
}

/// How long the search for what is similar takes in a file of 100,000 lines: all levels, the file being new to each.
fn speed(files: &[corpus::Source], cases: &[Case]) {
    const LINES: usize = 100_000;
    const ASKED: usize = 60;
    let lines = files.iter().flat_map(|file| file.lines.iter()).take(LINES);
    let large: String = lines.flat_map(|line| [line.as_str(), "\n"]).collect();
    let disturbed = cases
        .iter()
        .filter(|case| case.kind == "1-3 identifiers" && case.text.lines().count() > 1);
    let mut times: Vec<Duration> = Vec::new();
    for case in disturbed.take(ASKED) {
        let asked = Case {
            file: large.clone(),
            text: case.text.clone(),
            expected: None,
            path: String::new(),
            ..*case
        };
        let start = Instant::now();
        std::hint::black_box(segedit(&asked));
        times.push(start.elapsed());
    }
    times.sort();
    let milliseconds = |at: usize| {
        times
            .get(at)
            .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    let (median, most) = (
        milliseconds(times.len() / 2),
        milliseconds(times.len().saturating_sub(1)),
    );
    let (count, size) = (large.lines().count(), large.len());
    println!(
        "{count} lines, {size} bytes: {median:.1} ms a search (the median of {}; the longest {most:.1})",
        times.len()
    );
}

fn length_class(lines: usize) -> usize {
    [40, 20, 10, 5, 3, 2, 1]
        .into_iter()
        .filter(|&class| lines <= class)
        .min()
        .unwrap_or(40)
}

fn judged(case: &Case, found: Option<(usize, usize)>) -> Answer {
    match found {
        None => Answer::Refused,
        Some(place) if Some(place) == case.expected => Answer::Right,
        Some(_) => Answer::Wrong,
    }
}

fn segedit(case: &Case) -> Option<(usize, usize)> {
    let bytes = case.file.as_bytes();
    let page = FoldedFile::of(bytes);
    let question = Question {
        text: case.text.as_bytes(),
        range: Span::new(0, bytes.len()),
        narrowed: false,
        inside_words: false,
        words: Words::of(case.language),
        removes: false,
        loosest: MatchLevel::Similar,
        language: case.language,
        unit: unit_of_file(bytes),
    };
    let found = find(&page, &question, &Budget::default()).ok()??;
    let &[place] = found.places.as_slice() else {
        return None;
    };
    let line = |offset: usize| {
        bytes[..offset]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
    };
    Some((
        line(place.start),
        line(place.end.saturating_sub(1).max(place.start)),
    ))
}

fn show(case: &Case, answer: Answer, found: Option<(usize, usize)>) {
    let decoy = case.expected.is_none();
    let bad = answer == Answer::Wrong
        || answer == Answer::Refused && !decoy && std::env::var("REFUSED").is_ok();
    if bad {
        let lines: Vec<&str> = case.file.lines().collect();
        let of = |place: Option<(usize, usize)>| {
            place.map_or(String::new(), |(from, to)| {
                lines[from..=to.min(lines.len() - 1)].join("\n")
            })
        };
        let word = if answer == Answer::Wrong {
            "WRONG"
        } else {
            "REFUSED"
        };
        println!(
            "=== {word} {} {} expected {:?} found {found:?}",
            case.kind, case.path, case.expected
        );
        println!(
            "--- text\n{}\n--- expected\n{}\n--- found\n{}",
            case.text,
            of(case.expected),
            of(found)
        );
    }
}

fn report(
    tallies: &BTreeMap<(usize, &str), [Tally; CHAINS.len()]>,
    lengths: &BTreeMap<usize, Tally>,
    time: &[Duration; CHAINS.len()],
    cases: usize,
) {
    print!("{:<28}{:>6}", "kind", "cases");
    for (name, _) in CHAINS {
        print!("  | {name:>11}: right wrong refused");
    }
    println!();
    let mut sums = [[Tally::default(); CHAINS.len()]; 3];
    for ((row, kind), chains) in tallies {
        let sort = match disturb::KINDS[*row] {
            _ if kind.starts_with("OPEN") => 2,
            disturb::Kind { decoy, .. } => usize::from(decoy),
        };
        line(kind, chains);
        for (at, tally) in chains.iter().enumerate() {
            let sum = &mut sums[sort][at];
            sum.right += tally.right;
            sum.wrong += tally.wrong;
            sum.refused += tally.refused;
        }
    }
    line("ALL WITH ONE ANSWER", &sums[0]);
    line("ALL DECOYS", &sums[1]);
    let [one, decoys, open] = sums;
    for (at, (name, _)) in CHAINS.iter().enumerate() {
        let total = one[at].right + one[at].wrong + one[at].refused;
        let found = 100.0 * one[at].right as f64 / total.max(1) as f64;
        let wrong = one[at].wrong + decoys[at].wrong + open[at].wrong;
        let each = time[at].as_secs_f64() * 1000.0 / cases.max(1) as f64;
        println!(
            "{name}: {found:.2} % found, {wrong} wrong places in {cases} cases, {each:.2} ms a case"
        );
    }
    print!("found by lines of the block:");
    for (class, tally) in lengths {
        let total = tally.right + tally.wrong + tally.refused;
        print!(
            "  ≤{class}: {:.1} % of {total}",
            100.0 * tally.right as f64 / total.max(1) as f64
        );
    }
    println!();
}

fn line(name: &str, chains: &[Tally; CHAINS.len()]) {
    let total = chains[0].right + chains[0].wrong + chains[0].refused;
    print!("{name:<28}{total:>6}");
    for tally in chains {
        print!(
            "  | {:>18} {:>5} {:>7}",
            tally.right, tally.wrong, tally.refused
        );
    }
    println!();
}
