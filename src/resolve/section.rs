//! Finds a Markdown section by its heading, and gives each section the address that finds it again.
//!
//! A heading is looked for three times, and the first that finds anything decides: its title to the letter, its title
//! loosely (runs of white space alike, a closing `#` overlooked), and, when it ends in `[n]`, the n-th of those that
//! its title without `[n]` finds loosely. A title that really ends in `[2]` is thus always found as it stands.
//!
//! Invariant: an address parses to a selector that finds its section and no other.

use super::heading::words;
use super::lookup::Lookup;
use super::named::Definition;
use crate::diagnostic::nearest;
use crate::manifest::{HeadingSelector, SectionSelector};
use crate::syntax::SegmentKind;

/// Returns the one section that `selector` names among `named`, or what was found instead.
///
/// Of a list, each heading is looked for inside of the sections that the one ahead of it found, at any depth.
pub fn find<'n, 'a>(
    named: &'n [Definition<'a>],
    selector: &SectionSelector,
) -> Lookup<&'n Definition<'a>> {
    let mut pool = sections(named);
    let mut found = Vec::new();
    for heading in &selector.path {
        found = matching(named, &pool, heading);
        if found.is_empty() {
            return Lookup::Missing {
                nearest: near(named, &pool, heading),
            };
        }
        pool = inside(named, &found);
    }
    match found[..] {
        [] => Lookup::Missing {
            nearest: Vec::new(),
        },
        [only] => Lookup::Found(&named[only]),
        _ => Lookup::Ambiguous {
            candidates: found
                .iter()
                .map(|&at| (named[at].address(), &named[at]))
                .collect(),
        },
    }
}

fn sections(named: &[Definition<'_>]) -> Vec<usize> {
    (0..named.len())
        .filter(|&at| named[at].symbol.kind == SegmentKind::Section)
        .collect()
}

/// Returns the sections inside of any of `around`, at any depth. Parents stand ahead of their children.
fn inside(named: &[Definition<'_>], around: &[usize]) -> Vec<usize> {
    let mut marked = vec![false; named.len()];
    let mut found = Vec::new();
    for at in sections(named) {
        let within = named[at].parent.is_some_and(|parent| marked[parent]);
        if within {
            found.push(at);
        }
        marked[at] = within || around.binary_search(&at).is_ok();
    }
    found
}

/// Returns those of `pool` that the heading names, in file order.
fn matching(named: &[Definition<'_>], pool: &[usize], heading: &HeadingSelector) -> Vec<usize> {
    let of_level = |at: &usize| {
        heading
            .level
            .is_none_or(|level| level == named[*at].symbol.level)
    };
    let fitting = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        pool.iter()
            .copied()
            .filter(of_level)
            .filter(|&at| fits(&named[at].symbol.name))
            .collect()
    };
    let literal = fitting(&|name| name == heading.title);
    if !literal.is_empty() {
        return literal;
    }
    let loose = fitting(&|name| words(name).eq(words(&heading.title)));
    if !loose.is_empty() {
        return loose;
    }
    let Some((title, index)) = split_index(heading) else {
        return Vec::new();
    };
    fitting(&|name| words(name).eq(words(title)))
        .get(index - 1)
        .copied()
        .into_iter()
        .collect()
}

/// Returns title and 1-based index of a heading that ends in `[n]`. With markers the title may be empty, as headings may.
fn split_index(heading: &HeadingSelector) -> Option<(&str, usize)> {
    let untitled = || {
        let digits = heading.title.strip_prefix('[')?.strip_suffix(']')?;
        let index = digits.parse().ok().filter(|&index: &usize| index > 0)?;
        heading.level.map(|_| ("", index))
    };
    heading.split_index().or_else(untitled)
}

/// Returns addresses that the caller may have meant: the same title elsewhere or at another level, titles spelled nearly
/// so, titles that hold this one; those of `pool` ahead of the others.
fn near(named: &[Definition<'_>], pool: &[usize], heading: &HeadingSelector) -> Vec<String> {
    const MOST: usize = 5;
    /// Longest title in bytes for which spellings are compared; the comparison takes time for each pair of letters.
    const LONGEST: usize = 256;
    let title = split_index(heading).map_or(heading.title.as_str(), |(title, _)| title);
    let mut near: Vec<usize> = Vec::new();
    for pool in [pool, &sections(named)] {
        let name = |at: &usize| named[*at].symbol.name.as_str();
        near.extend(pool.iter().filter(|at| words(name(at)).eq(words(title))));
        if title.len() <= LONGEST {
            let comparable = pool.iter().map(name).filter(|name| name.len() <= LONGEST);
            let spelled = nearest(title, comparable, MOST);
            near.extend(
                spelled
                    .iter()
                    .flat_map(|word| pool.iter().filter(|at| name(at) == *word)),
            );
        }
        near.extend(pool.iter().filter(|at| holds(name(at), title)));
    }
    let mut addresses: Vec<String> = Vec::new();
    for at in near {
        let address = named[at].address();
        if addresses.len() < MOST && !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

/// Says whether one title holds the words of the other, in a row.
fn holds(name: &str, title: &str) -> bool {
    let fold = |text: &str| {
        format!(
            " {} ",
            words(text).collect::<Vec<_>>().join(" ").to_lowercase()
        )
    };
    let (name, title) = (fold(name), fold(title));
    let (short, long) = if name.len() < title.len() {
        (name, title)
    } else {
        (title, name)
    };
    short.len() > 4 && long.contains(&short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::named::flatten;
    use crate::syntax::markdown::MARKDOWN;
    use crate::text::Lines;

    /// Tells what a selector finds: the line of its heading, candidates, or near addresses.
    fn told(source: &str, selector: &[&str]) -> String {
        let outline = MARKDOWN.grammar.outline(source.as_bytes());
        let named = flatten(&outline);
        let selector = SectionSelector::parse_list(selector.iter().copied()).unwrap();
        match find(&named, &selector) {
            Lookup::Found(found) => {
                format!(
                    "line {}",
                    Lines::of(source.as_bytes()).line(found.symbol.definition.start)
                )
            }
            Lookup::Missing { nearest } => format!("near {}", nearest.join(", ")),
            Lookup::Ambiguous { candidates } => {
                let addresses: Vec<String> =
                    candidates.into_iter().map(|(address, _)| address).collect();
                format!("any of {}", addresses.join(", "))
            }
        }
    }

    fn check(source: &str, selector: &[&str], expected: &str) {
        assert_eq!(
            told(source, selector),
            expected,
            "{selector:?} in {source:?}"
        );
    }

    const GUIDE: &str = "# Guide\n## Install\n### Linux\n## Use\n# Reference\n## Install\n### Linux\n#### Install\n";

    #[test]
    fn markers_give_the_level() {
        check(GUIDE, &["# Guide"], "line 1");
        check(GUIDE, &["Guide"], "line 1");
        check(GUIDE, &["## Use ##"], "line 4");
        check(GUIDE, &["#### Install"], "line 8");
        check(GUIDE, &["## Guide"], "near # Guide");
        check("Guide\n---\n", &["## Guide"], "line 1");
        check(
            GUIDE,
            &["## Install"],
            "any of ## Install[1], ## Install[2]",
        );
        check(
            GUIDE,
            &["Install"],
            "any of ## Install[1], ## Install[2], #### Install",
        );
    }

    #[test]
    fn a_list_walks_down_at_any_depth() {
        check(GUIDE, &["# Guide", "## Install"], "line 2");
        check(GUIDE, &["# Reference", "## Install"], "line 6");
        check(GUIDE, &["# Guide", "Linux"], "line 3");
        check(GUIDE, &["Reference", "Install", "Install"], "line 8");
        check(
            GUIDE,
            &["Reference", "Install"],
            "any of ## Install[2], #### Install",
        );
        // The first heading is ambiguous, but only one of the two holds the second.
        check(GUIDE, &["## Install", "#### Install"], "line 8");
        check(GUIDE, &["# Guide", "# Guide"], "near # Guide");
        check(GUIDE, &["# Reference", "## Use"], "near ## Use");
        check(GUIDE, &["# Nowhere at all", "## Use"], "near ");
    }

    #[test]
    fn a_number_picks_one_of_several() {
        check(GUIDE, &["## Install[1]"], "line 2");
        check(GUIDE, &["## Install[2]"], "line 6");
        check(GUIDE, &["Install[3]"], "line 8");
        check(GUIDE, &["## Install [2] ##"], "line 6");
        check(GUIDE, &["# Guide[1]"], "line 1");
        check(GUIDE, &["## Install[2]", "Linux"], "line 7");
        check(GUIDE, &["# Reference", "## Install[1]"], "line 6");
        check(
            GUIDE,
            &["## Install[3]"],
            "near ## Install[1], ## Install[2], #### Install",
        );
        // A title that really ends in a number comes first.
        check("## a\n## a\n## a[2]\n", &["## a[2]"], "line 3");
        check("## a\n## a\n## a[2]\n", &["a[02]"], "line 2");
    }

    #[test]
    fn titles_match_loosely_when_none_matches_to_the_letter() {
        check("# a\u{a0} b\t c\n", &["# a b c"], "line 1");
        check("# `a` *b*\n", &["`a`  *b*"], "line 1");
        check("# a  b\n# a b\n", &["# a b"], "line 2");
        check(
            "# a  b\n# a   b\n",
            &["# a b"],
            "any of # a  b[1], # a   b[2]",
        );
        check("Foo ##\n===\n", &["# Foo"], "line 1");
        check("# Foo\nFoo ##\n===\n", &["# Foo"], "line 1");
        check("# Foo\n", &["# foo"], "near # Foo");
    }

    #[test]
    fn near_titles_are_addresses_to_paste() {
        check(
            "# A\n## Installation\n## Usage\n",
            &["## Instalation"],
            "near ## Installation",
        );
        check(
            "# A\n## Setup\n### Setup\n",
            &["# Setup"],
            "near ## Setup, ### Setup",
        );
        check(
            "# A\n## 2. Getting started\n",
            &["## Getting started"],
            "near ## 2. Getting started",
        );
        check(
            "# B\n## Usage\n# A\n## Usage\n",
            &["# A", "## Usag"],
            "near ## Usage[2], ## Usage[1]",
        );
        check("", &["# A"], "near ");
    }

    #[test]
    fn every_address_finds_its_section_and_no_other() {
        let titles = [
            "a", "a", "a  b", "a b", "a\u{a0}b", "a[1]", "a[2]", "[1]", "[2]", "", "", "# a",
            "a #", "a \\#", "#", "a\tb",
        ];
        let atx = titles
            .iter()
            .flat_map(|title| [format!("# {title}\n"), format!("## {title} ##\n")]);
        let setext = titles
            .iter()
            .filter(|title| title.starts_with('a'))
            .map(|title| format!("{title} #\n===\n"));
        let source: String = atx.chain(setext).collect();
        let outline = MARKDOWN.grammar.outline(source.as_bytes());
        let named = flatten(&outline);
        assert!(named.len() > 40);
        for wanted in &named {
            let address = wanted.address();
            let selector = SectionSelector::parse_path(&address).unwrap();
            let Lookup::Found(found) = find(&named, &selector) else {
                panic!("{address} finds not just one")
            };
            assert_eq!(found.symbol, wanted.symbol, "{address}");
        }
    }
}
