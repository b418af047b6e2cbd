//! Real code with one small thing wrong. No test lives here.

/// Numbers that look random and are the same in every run (SplitMix64).
pub(crate) struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Returns `source` with one small thing wrong, or not wrong after all: `words` are what may come in.
pub(crate) fn mutated(source: &str, words: &[&'static str], random: &mut Random) -> String {
    let mut tokens = tokens(source);
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let at = random.below(tokens.len());
    let other = random.below(tokens.len());
    let line = random.below(lines.len());
    let unindented = |line: &str| {
        line.strip_prefix("    ")
            .unwrap_or(line.trim_start_matches(' '))
            .to_owned()
    };
    let indented = |line: &str| format!("{}{line}", [" ", "    ", "\t"][line.len() % 3]);
    match random.below(14) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[at]),
        2 => tokens.insert(at, random.pick(words)),
        3 => tokens[at] = random.pick(words),
        4 => tokens.swap(at, other),
        5 => tokens.insert(at, tokens[other]),
        6 => return drop_character(source, random),
        7 => return insert_character(source, random),
        8 => return with_line(&lines, line, unindented),
        9 => return with_line(&lines, line, indented),
        10 => return with_line(&lines, line, |_| String::new()),
        11 => return with_line(&lines, line, |line| line.repeat(2)),
        12 => return source[..source.floor_char_boundary(random.below(source.len()))].to_owned(),
        _ => return drop_delimiter(source, random),
    }
    tokens.concat()
}

/// Splits into words, runs of spaces and single other characters.
fn tokens(source: &str) -> Vec<&str> {
    let class = |character: char| match character {
        _ if character.is_alphanumeric() || character == '_' => 0,
        ' ' => 1,
        _ => 2,
    };
    let mut found = Vec::new();
    let mut from = 0;
    let mut before = None;
    for (at, character) in source.char_indices() {
        let now = class(character);
        if at > 0 && (now == 2 || before != Some(now)) {
            found.push(&source[from..at]);
            from = at;
        }
        before = Some(now);
    }
    found.push(&source[from..]);
    found
}

fn drop_character(source: &str, random: &mut Random) -> String {
    let at = source.floor_char_boundary(random.below(source.len()));
    let length = source[at..].chars().next().map_or(0, char::len_utf8);
    format!("{}{}", &source[..at], &source[at + length..])
}

fn insert_character(source: &str, random: &mut Random) -> String {
    let at = source.floor_char_boundary(random.below(source.len()));
    let character =
        char::from(random.pick(b" \t\n()[]{}:;,.=+-*/%&|^~<>!@#$?`'\"\\_abefjlnorux0123"));
    format!("{}{character}{}", &source[..at], &source[at..])
}

fn with_line(lines: &[&str], at: usize, change: impl Fn(&str) -> String) -> String {
    let changed = |(number, line): (usize, &&str)| {
        if number == at {
            change(line)
        } else {
            (*line).to_owned()
        }
    };
    lines.iter().enumerate().map(changed).collect()
}

fn drop_delimiter(source: &str, random: &mut Random) -> String {
    let delimiter = |character: char| "()[]{}'\":".contains(character);
    let delimiters: Vec<usize> = source.match_indices(delimiter).map(|(at, _)| at).collect();
    let Some(&at) = delimiters.get(random.below(delimiters.len())) else {
        return source.to_owned();
    };
    format!("{}{}", &source[..at], &source[at + 1..])
}
