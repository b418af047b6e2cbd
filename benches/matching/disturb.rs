//! The ways in which callers disturb what they quote, and the decoys.
//!
//! A block is 1 to 40 lines that begin and end with a line that is not blank, and stand once in their file, white space
//! aside. A kind that needs something the block has not (a comment, a quotation mark) takes another block.

use std::collections::BTreeSet;

use super::Case;
use super::corpus::{Chance, Source};

/// A kind of disturbance.
pub struct Kind {
    pub name: &'static str,
    /// The right answer is to refuse.
    pub decoy: bool,
    /// Least and most lines of a block.
    lines: (usize, usize),
    make: fn(&Source, Block, &mut Chance) -> Option<Made>,
}

/// Lines of a file, from 0, the last one excluded.
#[derive(Clone, Copy)]
struct Block {
    from: usize,
    to: usize,
}

/// The file and the text, and the block's lines in that file.
struct Made {
    file: Vec<String>,
    text: Vec<String>,
    expected: Option<(usize, usize)>,
    crlf: (bool, bool),
}

pub const KINDS: &[Kind] = &[
    Kind {
        name: "trailing blanks",
        decoy: false,
        lines: (1, 40),
        make: trailing,
    },
    Kind {
        name: "CRLF in the text",
        decoy: false,
        lines: (2, 40),
        make: crlf_text,
    },
    Kind {
        name: "CRLF in the file",
        decoy: false,
        lines: (2, 40),
        make: crlf_file,
    },
    Kind {
        name: "tabs for spaces",
        decoy: false,
        lines: (2, 40),
        make: tabs,
    },
    Kind {
        name: "one unit deeper",
        decoy: false,
        lines: (1, 40),
        make: |s, b, c| deeper(s, b, c, 1),
    },
    Kind {
        name: "two units deeper",
        decoy: false,
        lines: (1, 40),
        make: |s, b, c| deeper(s, b, c, 2),
    },
    Kind {
        name: "indentation taken off",
        decoy: false,
        lines: (1, 40),
        make: outdented,
    },
    Kind {
        name: "blank line dropped",
        decoy: false,
        lines: (3, 40),
        make: blank_dropped,
    },
    Kind {
        name: "blank line added",
        decoy: false,
        lines: (2, 40),
        make: blank_added,
    },
    Kind {
        name: "comment changed",
        decoy: false,
        lines: (3, 40),
        make: comment,
    },
    Kind {
        name: "1-3 identifiers",
        decoy: false,
        lines: (1, 40),
        make: identifiers,
    },
    Kind {
        name: "5-20 % of lines changed",
        decoy: false,
        lines: (5, 40),
        make: lines_changed,
    },
    Kind {
        name: "typographic quotes, dashes",
        decoy: false,
        lines: (1, 40),
        make: typographic,
    },
    Kind {
        name: "NFD",
        decoy: false,
        lines: (1, 40),
        make: decomposed,
    },
    Kind {
        name: "last line missing",
        decoy: false,
        lines: (2, 40),
        make: last_missing,
    },
    Kind {
        name: "identifiers, indentation off",
        decoy: false,
        lines: (3, 40),
        make: identifiers_outdented,
    },
    Kind {
        name: "near twin beside it",
        decoy: false,
        lines: (3, 40),
        make: twin_beside,
    },
    Kind {
        name: "OPEN another name of the file",
        decoy: false,
        lines: (3, 40),
        make: another_name,
    },
    Kind {
        name: "OPEN such names on 10 % of lines",
        decoy: false,
        lines: (10, 20),
        make: other_names,
    },
    Kind {
        name: "DECOY gone",
        decoy: true,
        lines: (1, 40),
        make: gone,
    },
    Kind {
        name: "DECOY gone, disturbed",
        decoy: true,
        lines: (1, 40),
        make: gone_disturbed,
    },
    Kind {
        name: "DECOY definition gone",
        decoy: true,
        lines: (2, 40),
        make: definition_gone,
    },
    Kind {
        name: "DECOY stands twice",
        decoy: true,
        lines: (1, 40),
        make: twice,
    },
    Kind {
        name: "DECOY twice, disturbed",
        decoy: true,
        lines: (1, 40),
        make: twice_disturbed,
    },
    Kind {
        name: "DECOY two equal twins",
        decoy: true,
        lines: (3, 40),
        make: equal_twins,
    },
];

/// Returns so many cases of each kind.
pub fn cases(files: &[Source], each: usize, seed: u64) -> Vec<Case> {
    let mut cases = Vec::new();
    for (row, kind) in KINDS.iter().enumerate() {
        let mut chance = Chance::new(seed.wrapping_add(1000 * row as u64 + 7));
        let (mut made, mut tried) = (0, 0);
        while made < each && tried < each * 200 {
            tried += 1;
            let source = chance.pick(files);
            let Some(block) = block(source, kind, &mut chance) else {
                continue;
            };
            if let Some(result) = (kind.make)(source, block, &mut chance) {
                cases.push(case(kind, source, block, result));
                made += 1;
            }
        }
    }
    cases
}

fn case(kind: &Kind, source: &Source, block: Block, made: Made) -> Case {
    let joined = |lines: &[String], crlf: bool| {
        let ending = if crlf { "\r\n" } else { "\n" };
        lines
            .iter()
            .map(|line| format!("{line}{ending}"))
            .collect::<String>()
    };
    Case {
        kind: kind.name,
        file: joined(&made.file, made.crlf.0),
        text: joined(&made.text, made.crlf.1),
        expected: made.expected,
        language: source.language,
        lines: block.to - block.from,
        path: source.path.clone(),
    }
}

/// Takes a block that stands once.
fn block(source: &Source, kind: &Kind, chance: &mut Chance) -> Option<Block> {
    let lines = &source.lines;
    let length = chance.between(kind.lines.0, kind.lines.1);
    if length >= lines.len() {
        return None;
    }
    let mut from = chance.below(lines.len() - length);
    if kind.name == "DECOY definition gone" {
        let headers: Vec<usize> = (0..lines.len()).filter(|&at| header(&lines[at])).collect();
        from = *headers.get(chance.below(headers.len().max(1)))?;
    }
    let mut to = from + length;
    if kind.name == "DECOY definition gone" {
        let depth = indent(&lines[from]).len();
        let inner = |line: &String| line.trim().is_empty() || indent(line).len() > depth;
        to = from
            + 1
            + lines[from + 1..]
                .iter()
                .take_while(|line| inner(line))
                .count();
        to = to.min(lines.len());
        if lines
            .get(to)
            .is_some_and(|line| line.trim_start().starts_with('}'))
        {
            to += 1;
        }
        while to > from && lines[to - 1].trim().is_empty() {
            to -= 1;
        }
        if !(3..=40).contains(&(to - from)) {
            return None;
        }
    }
    let substance = |line: &String| {
        line.chars()
            .filter(|letter| letter.is_alphanumeric())
            .count()
            >= 3
    };
    let ends = !lines[from].trim().is_empty() && !lines[to - 1].trim().is_empty();
    (ends && lines[from..to].iter().any(substance) && stands_once(lines, &lines[from..to]))
        .then_some(Block { from, to })
}

fn header(line: &str) -> bool {
    let line = line.trim_start();
    [
        "def ",
        "async def ",
        "class ",
        "function ",
        "fn ",
        "pub fn ",
        "export function ",
    ]
    .iter()
    .any(|start| line.starts_with(start))
}

/// Says whether a line may open a definition: its name is remembered, else it is the name of another one.
fn opens(line: &str) -> bool {
    const WORDS: [&str; 16] = [
        "def",
        "class",
        "function",
        "fn",
        "struct",
        "enum",
        "trait",
        "impl",
        "interface",
        "type",
        "mod",
        "macro_rules!",
        "namespace",
        "module",
        "const",
        "package",
    ];
    let apart = |letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '!';
    let first: Vec<&str> = line
        .split(apart)
        .filter(|word| !word.is_empty())
        .take(4)
        .collect();
    first.iter().any(|word| WORDS.contains(word))
        || line.trim_end().ends_with('{') && line.contains('(')
        || line.contains("=>")
}

/// Says whether no other place has the same words in the same order.
fn stands_once(lines: &[String], block: &[String]) -> bool {
    let words = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted: Vec<String> = block
        .iter()
        .map(words)
        .filter(|line| !line.is_empty())
        .collect();
    let all: Vec<String> = lines
        .iter()
        .map(words)
        .filter(|line| !line.is_empty())
        .collect();
    let text = wanted.join("\n");
    // A line that is part of another is no answer of its own, either.
    all.windows(wanted.len())
        .filter(|window| *window == wanted.as_slice())
        .count()
        == 1
        && all.join("\n").matches(text.as_str()).count() == 1
}

fn plain(source: &Source, block: Block, text: Vec<String>) -> Made {
    Made {
        file: source.lines.clone(),
        text,
        expected: Some((block.from, block.to - 1)),
        crlf: (false, false),
    }
}

fn of(source: &Source, block: Block) -> Vec<String> {
    source.lines[block.from..block.to].to_vec()
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn trailing(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let mut text = of(source, block);
    let at = chance.below(text.len());
    for (number, line) in text.iter_mut().enumerate() {
        if number == at || chance.below(3) == 0 {
            line.push_str(&" ".repeat(chance.between(1, 4)));
        }
    }
    Some(plain(source, block, text))
}

fn crlf_text(source: &Source, block: Block, _: &mut Chance) -> Option<Made> {
    Some(Made {
        crlf: (false, true),
        ..plain(source, block, of(source, block))
    })
}

fn crlf_file(source: &Source, block: Block, _: &mut Chance) -> Option<Made> {
    Some(Made {
        crlf: (true, false),
        ..plain(source, block, of(source, block))
    })
}

fn unit(source: &Source) -> usize {
    let widths = source
        .lines
        .iter()
        .map(|line| indent(line).len())
        .filter(|&width| (2..=4).contains(&width));
    widths.min().unwrap_or(4)
}

fn tabs(source: &Source, block: Block, _: &mut Chance) -> Option<Made> {
    let unit = " ".repeat(unit(source));
    let tabbed = |line: String| {
        let blanks = indent(&line).len();
        let count = if indent(&line).contains('\t') {
            0
        } else {
            blanks / unit.len()
        };
        format!("{}{}", "\t".repeat(count), &line[count * unit.len()..])
    };
    let before = of(source, block);
    let text: Vec<String> = before.iter().cloned().map(tabbed).collect();
    (text != before).then(|| plain(source, block, text))
}

fn deeper(source: &Source, block: Block, _: &mut Chance, units: usize) -> Option<Made> {
    // Where indentation is syntax, two units too deep is another place; the contract refuses that.
    if units > 1 && source.extension == "py" {
        return None;
    }
    let more = " ".repeat(unit(source) * units);
    let text = of(source, block).into_iter().map(|line| {
        if line.is_empty() {
            line
        } else {
            format!("{more}{line}")
        }
    });
    Some(plain(source, block, text.collect()))
}

fn margin_off(lines: Vec<String>) -> Vec<String> {
    let written = || lines.iter().filter(|line| !line.trim().is_empty());
    let first = written().next().map_or("", |line| indent(line)).to_owned();
    let common = written().fold(first.len(), |common, line| {
        first[..common]
            .bytes()
            .zip(line.bytes())
            .take_while(|(one, other)| one == other)
            .count()
    });
    lines
        .iter()
        .map(|line| line.get(common..).unwrap_or_default().to_owned())
        .collect()
}

fn outdented(source: &Source, block: Block, _: &mut Chance) -> Option<Made> {
    let before = of(source, block);
    let text = margin_off(before.clone());
    (text != before).then(|| plain(source, block, text))
}

fn blank_dropped(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let mut text = of(source, block);
    let blanks: Vec<usize> = (0..text.len())
        .filter(|&at| text[at].trim().is_empty())
        .collect();
    text.remove(*blanks.get(chance.below(blanks.len().max(1)))?);
    Some(plain(source, block, text))
}

fn blank_added(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let mut text = of(source, block);
    let at = chance.between(1, text.len() - 1);
    text.insert(at, String::new());
    Some(plain(source, block, text))
}

fn comment(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let mark = match source.extension.as_str() {
        "py" => "# ",
        "js" | "rs" | "ts" => "// ",
        _ => return None,
    };
    let mut text = of(source, block);
    let lines: Vec<usize> = (0..text.len())
        .filter(|&at| text[at].contains(mark))
        .collect();
    let at = *lines.get(chance.below(lines.len().max(1)))?;
    let (code, words) = text[at].split_once(mark)?;
    let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    for _ in 0..chance.between(1, 3) {
        let at = chance.below(words.len());
        words[at] =
            (*chance.pick(&["the", "really", "all", "its", "given", "when", "value"])).to_owned();
    }
    text[at] = format!("{code}{mark}{}", words.join(" "));
    changed(source, block, text)
}

/// Words with the line and the bytes where they stand.
fn words(lines: &[String]) -> Vec<(usize, usize, usize)> {
    let mut words = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let mut start = None;
        for (at, letter) in line.char_indices().chain([(line.len(), ' ')]) {
            let inside = letter.is_ascii_alphanumeric() || letter == '_';
            match (start, inside) {
                (None, true) => start = Some(at),
                (Some(from), false) => {
                    words.push((number, from, at));
                    start = None;
                }
                _ => {}
            }
        }
    }
    words
}

const KEYWORDS: &[&str] = &[
    "def",
    "class",
    "return",
    "import",
    "from",
    "self",
    "this",
    "function",
    "const",
    "let",
    "var",
    "else",
    "elif",
    "for",
    "while",
    "try",
    "except",
    "raise",
    "None",
    "True",
    "False",
    "true",
    "false",
    "null",
    "not",
    "and",
    "pass",
    "with",
    "the",
    "fn",
    "pub",
    "use",
    "mod",
    "impl",
    "struct",
    "enum",
    "match",
    "mut",
    "where",
    "async",
    "await",
    "yield",
    "lambda",
    "new",
    "throw",
    "catch",
    "typeof",
    "undefined",
    "export",
    "default",
    "if",
    "in",
    "is",
    "or",
    "as",
    "switch",
    "case",
    "break",
    "continue",
    "static",
    "type",
    "dyn",
    "unsafe",
    "loop",
    "crate",
    "super",
    "extends",
    "instanceof",
    "finally",
    "delete",
    "void",
    "interface",
    "readonly",
    "assert",
    "del",
    "global",
    "extern",
    "macro_rules",
    "declare",
    "namespace",
    "module",
    "require",
    "then",
    "print",
    "bool",
    "usize",
    "str",
    "int",
];

/// Misremembers a word: a letter off, another ending, another way to put words together, a word more.
fn misremembered(word: &str, _: &Source, chance: &mut Chance) -> String {
    let letters: Vec<char> = word.chars().collect();
    let at = chance.below(letters.len());
    match chance.below(6) {
        0 => letters
            .iter()
            .enumerate()
            .filter(|(number, _)| *number != at)
            .map(|(_, letter)| *letter)
            .collect(),
        1 => {
            let mut letters = letters;
            letters.insert(at, letters[at]);
            letters.iter().collect()
        }
        2 => word
            .strip_suffix('s')
            .map_or_else(|| format!("{word}s"), str::to_owned),
        3 if word.contains('_') => word.replacen('_', "", 1),
        3 => format!("{word}_"),
        4 => {
            let mut letters = letters;
            let other = (at + 1) % letters.len();
            letters.swap(at, other);
            letters.iter().collect()
        }
        _ => format!("{}{word}", chance.pick(&["get_", "my", "new_", "x", "the"])),
    }
}

/// Another name of the same file.
fn another(word: &str, source: &Source, chance: &mut Chance) -> String {
    let line = chance.pick(&source.lines);
    let found = words(std::slice::from_ref(line));
    let names: Vec<&str> = found
        .iter()
        .map(|&(_, from, to)| &line[from..to])
        .filter(|name| is_identifier(name))
        .collect();
    if names.is_empty() {
        format!("{word}2")
    } else {
        (*chance.pick(&names)).to_owned()
    }
}

fn is_identifier(word: &str) -> bool {
    word.len() >= 3
        && !KEYWORDS.contains(&word)
        && !word.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Misremembers `count` identifiers, each where it stands once. Names of definitions are remembered: another one is
/// another definition.
fn misremember(
    text: Vec<String>,
    source: &Source,
    count: usize,
    chance: &mut Chance,
) -> Vec<String> {
    exchanged(text, source, count, chance, misremembered)
}

fn exchanged(
    mut text: Vec<String>,
    source: &Source,
    count: usize,
    chance: &mut Chance,
    by: fn(&str, &Source, &mut Chance) -> String,
) -> Vec<String> {
    for _ in 0..count {
        let all = words(&text);
        let names: Vec<&(usize, usize, usize)> = all
            .iter()
            .filter(|&&(line, from, to)| {
                let ahead = text[line][..from].trim_end();
                let defines = [
                    "def", "class", "fn", "function", "struct", "enum", "trait", "mod", "impl",
                    "type", "#",
                ]
                .iter()
                .any(|word| ahead.ends_with(word));
                let heading = source.extension == "md" && text[line].starts_with('#');
                is_identifier(&text[line][from..to]) && !defines && !heading && !opens(&text[line])
            })
            .collect();
        if names.is_empty() {
            break;
        }
        let &&(line, from, to) = chance.pick(&names);
        let new = by(&text[line][from..to], source, chance);
        text[line].replace_range(from..to, &new);
    }
    text
}

fn changed(source: &Source, block: Block, text: Vec<String>) -> Option<Made> {
    (text != of(source, block)).then(|| plain(source, block, text))
}

fn identifiers(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    // One for a line or two: three of them in one line are another line.
    let count = chance
        .between(1, 3)
        .min((block.to - block.from).div_ceil(2));
    changed(
        source,
        block,
        misremember(of(source, block), source, count, chance),
    )
}

fn another_name(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    changed(
        source,
        block,
        exchanged(of(source, block), source, 1, chance, another),
    )
}

/// Another name of the file on one line in ten.
fn other_names(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let before = of(source, block);
    let mut text = before.clone();
    let count = (text.len() + 5) / 10;
    for _ in 0..count * 20 {
        let differing = text
            .iter()
            .zip(&before)
            .filter(|(now, was)| now != was)
            .count();
        if differing == count {
            return changed(source, block, text);
        }
        let at = chance.below(text.len());
        if text[at] == before[at] {
            text[at] = exchanged(vec![text[at].clone()], source, 1, chance, another).remove(0);
        }
    }
    None
}

fn lines_changed(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let mut text = of(source, block);
    let written: Vec<usize> = (0..text.len())
        .filter(|&at| text[at].trim().len() > 8 && !opens(&text[at]) && !text[at].starts_with('#'))
        .collect();
    let percent = chance.between(5, 20);
    let count = (text.len() * percent / 100).max(1);
    let mut chosen = BTreeSet::new();
    for _ in 0..count {
        chosen.insert(*written.get(chance.below(written.len().max(1)))?);
    }
    for at in chosen {
        let line = std::slice::from_ref(&text[at]).to_vec();
        let edits = chance.between(1, 2);
        let line = misremember(line, source, edits, chance).remove(0);
        text[at] = match chance.below(3) {
            0 => format!(
                "{line} {}",
                chance.pick(&["+ 1", "or None", "extra", "# noted", ", more"])
            ),
            1 => match line.trim_end().rsplit_once(' ') {
                Some((head, _)) if head.trim().len() > 6 => head.to_owned(),
                _ => line,
            },
            _ => line,
        };
    }
    changed(source, block, text)
}

fn typographic(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let mut open = false;
    let mut set = |letter: char| match letter {
        '"' => {
            open = !open;
            if open { '\u{201c}' } else { '\u{201d}' }
        }
        '\'' => '\u{2019}',
        '-' => '\u{2013}',
        other => other,
    };
    let text: Vec<String> = of(source, block)
        .iter()
        .map(|line| line.chars().map(&mut set).collect())
        .collect();
    let mut made = changed(source, block, text)?;
    // As often the file has them and the text has not.
    if chance.below(2) == 0 {
        let quoted = of(source, block);
        made.file.splice(block.from..block.to, made.text.drain(..));
        made.text = quoted;
    }
    Some(made)
}

fn decomposed(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let before = of(source, block);
    let spelt = |accented: [&str; 2]| -> Vec<String> {
        before
            .iter()
            .map(|line| line.replace('e', accented[0]).replace('u', accented[1]))
            .collect()
    };
    let (composed, apart) = (spelt(["\u{e9}", "\u{fc}"]), spelt(["e\u{301}", "u\u{308}"]));
    if composed == apart {
        return None;
    }
    let (stands, text) = if chance.below(2) == 0 {
        (composed, apart)
    } else {
        (apart, composed)
    };
    let mut made = plain(source, block, text);
    made.file.splice(block.from..block.to, stands);
    Some(made)
}

fn last_missing(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let shorter = Block {
        from: block.from,
        to: block.to - 1,
    };
    let last = &source.lines[shorter.to - 1];
    if last.trim().is_empty() || !stands_once(&source.lines, &of(source, shorter)) {
        return None;
    }
    let mut made = identifiers(source, shorter, chance)?;
    made.expected = Some((shorter.from, shorter.to - 1));
    Some(made)
}

fn identifiers_outdented(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let made = identifiers(source, block, chance)?;
    Some(Made {
        text: margin_off(made.text.clone()),
        ..made
    })
}

/// The file gets a copy of the block with two to four other identifiers; the text has one wrong.
fn twin_beside(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let count = chance.between(3, 5);
    let twin = misremember(of(source, block), source, count, chance);
    let made = changed(
        source,
        block,
        misremember(of(source, block), source, 1, chance),
    )?;
    if twin == of(source, block) || twin == made.text {
        return None;
    }
    // The text must be nearer to the block than to its twin, else there is no right answer.
    let differing = |other: &[String]| {
        made.text
            .iter()
            .zip(other)
            .filter(|(one, other)| one != other)
            .count()
    };
    if differing(&of(source, block)) * 2 >= differing(&twin) {
        return None;
    }
    let mut file = made.file.clone();
    file.push(String::new());
    file.extend(twin);
    Some(Made { file, ..made })
}

fn without(source: &Source, block: Block) -> Vec<String> {
    [&source.lines[..block.from], &source.lines[block.to..]].concat()
}

fn gone(source: &Source, block: Block, _: &mut Chance) -> Option<Made> {
    Some(Made {
        file: without(source, block),
        expected: None,
        ..plain(source, block, of(source, block))
    })
}

fn gone_disturbed(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let made = disturbed(source, block, chance)?;
    let file = without(source, block);
    // What was disturbed into something that stands there is not gone.
    let joined = |lines: &[String]| {
        lines
            .iter()
            .map(|line| line.trim())
            .collect::<Vec<_>>()
            .join("\n")
    };
    (!joined(&file).contains(&joined(&made.text))).then_some(Made {
        file,
        expected: None,
        ..made
    })
}

fn definition_gone(source: &Source, block: Block, _: &mut Chance) -> Option<Made> {
    gone(source, block, &mut Chance::new(0))
}

fn disturbed(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    match chance.below(5) {
        0 => trailing(source, block, chance),
        1 => identifiers(source, block, chance),
        2 => outdented(source, block, chance),
        3 => tabs(source, block, chance),
        _ if block.to - block.from >= 5 => lines_changed(source, block, chance),
        _ => None,
    }
}

fn doubled(source: &Source, block: Block) -> Vec<String> {
    let mut file = source.lines.clone();
    file.push(String::new());
    file.extend(of(source, block));
    file
}

fn twice(source: &Source, block: Block, _: &mut Chance) -> Option<Made> {
    Some(Made {
        file: doubled(source, block),
        expected: None,
        ..plain(source, block, of(source, block))
    })
}

fn twice_disturbed(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    Some(Made {
        file: doubled(source, block),
        expected: None,
        ..disturbed(source, block, chance)?
    })
}

/// The block and its twin each differ from the text in one name, and nothing tells which was meant.
fn equal_twins(source: &Source, block: Block, chance: &mut Chance) -> Option<Made> {
    let text = of(source, block);
    let all = words(&text);
    let names: Vec<&(usize, usize, usize)> = all
        .iter()
        .filter(|&&(line, from, to)| is_identifier(&text[line][from..to]) && !header(&text[line]))
        .collect();
    if names.is_empty() {
        return None;
    }
    let &&(line, _, to) = chance.pick(&names);
    let named = |suffix: &str| {
        let mut twin = text.clone();
        twin[line].insert_str(to, suffix);
        twin
    };
    let mut file = source.lines.clone();
    file.splice(block.from..block.to, named("_a"));
    file.push(String::new());
    file.extend(named("_b"));
    Some(Made {
        file,
        expected: None,
        ..plain(source, block, text)
    })
}
