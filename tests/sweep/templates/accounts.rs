//! What can be told at all of where the blocks of an edited file are, by whoever knows all that its templates render.
//!
//! An account takes one of the renderings and says which of its lines stand in the file, which are gone, and between which
//! the other lines of the file were typed. It is the cheaper the fewer lines are gone or typed. A block can be told when every
//! account that puts it elsewhere, or leaves it out, has two more such lines than the true one: a single line is as easily
//! typed as rendered on a condition. What a value of several lines comes to, nobody knows who has only the template.

use std::collections::BTreeMap;

/// A part of what templates render.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Line(String),
    /// A value of any number of lines.
    Any,
    Open(String),
    Close(String),
}

impl Token {
    /// Reads a word of the oracle.
    pub(super) fn of(word: &str) -> Token {
        let rest = word[1..].to_owned();
        match word.as_bytes()[0] {
            b'<' => Token::Open(rest),
            b'>' => Token::Close(rest),
            b'?' => Token::Any,
            _ => Token::Line(rest),
        }
    }
}

type Costs = Vec<u32>;

/// No account.
const NEVER: u32 = u32::MAX / 4;

/// What the accounts of a file say of its blocks.
pub(super) struct Told {
    ends: Vec<BTreeMap<(String, bool), Costs>>,
    cheapest: Vec<u32>,
}

impl Told {
    pub(super) fn of(renderings: &[Vec<Token>], file: &[&str]) -> Told {
        Told {
            ends: renderings
                .iter()
                .map(|rendering| ends(rendering, file))
                .collect(),
            cheapest: renderings
                .iter()
                .map(|rendering| cheapest(rendering, file))
                .collect(),
        }
    }

    /// Says whether it can be told that a block is there.
    pub(super) fn is_decidable(&self, name: &str, (start, end): (usize, usize)) -> bool {
        let is_told = |is_open: bool, at: usize| {
            let key = (name.to_owned(), is_open);
            let own = self.cost(name, is_open, at);
            self.ends
                .iter()
                .zip(&self.cheapest)
                .all(|(ends, cheapest)| match ends.get(&key) {
                    Some(costs) => costs
                        .iter()
                        .enumerate()
                        .all(|(line, cost)| line == at || *cost > own + 1),
                    None => *cheapest > own + 1,
                })
        };
        is_told(true, start) && is_told(false, end)
    }

    /// Says whether a block is more cheaply explained at one place than at the other, where it is: then somebody typed what
    /// the template says, and took away what it said, and no reader could tell.
    pub(super) fn is_beyond(
        &self,
        name: &str,
        offered: (usize, usize),
        truth: (usize, usize),
    ) -> bool {
        let cost = |is_open: bool, at: usize| self.cost(name, is_open, at);
        let one_end = |is_open: bool, offered: usize, truth: usize| {
            offered == truth || cost(is_open, offered) < cost(is_open, truth)
        };
        one_end(true, offered.0, truth.0) && one_end(false, offered.1, truth.1)
    }

    fn cost(&self, name: &str, is_open: bool, at: usize) -> u32 {
        let key = (name.to_owned(), is_open);
        self.ends
            .iter()
            .filter_map(|ends| ends.get(&key)?.get(at).copied())
            .min()
            .unwrap_or(NEVER)
    }
}

/// Returns what the cheapest account of `rendering` costs.
fn cheapest(rendering: &[Token], file: &[&str]) -> u32 {
    sweep(rendering, file)
        .last()
        .and_then(|row| row.last().copied())
        .unwrap_or(NEVER)
}

/// Returns for each end of a block and each line of the file what the cheapest account costs that has the end ahead of the line.
fn ends(rendering: &[Token], file: &[&str]) -> BTreeMap<(String, bool), Costs> {
    let turned: Vec<Token> = rendering.iter().rev().cloned().map(turned).collect();
    let upside_down: Vec<&str> = file.iter().rev().copied().collect();
    let (forth, back) = (sweep(rendering, file), sweep(&turned, &upside_down));
    let ends = rendering.iter().enumerate().filter_map(|(at, token)| {
        let key = match token {
            Token::Open(name) => (name.clone(), true),
            Token::Close(name) => (name.clone(), false),
            Token::Line(_) | Token::Any => return None,
        };
        let back = back[rendering.len() - 1 - at].iter().rev();
        Some((
            key,
            forth[at]
                .iter()
                .zip(back)
                .map(|(forth, back)| forth + back)
                .collect(),
        ))
    });
    ends.collect()
}

fn turned(token: Token) -> Token {
    match token {
        Token::Line(_) | Token::Any => token,
        Token::Open(name) => Token::Close(name),
        Token::Close(name) => Token::Open(name),
    }
}

/// Returns for each token what the cheapest way to it costs, ahead of each line of the file; at the end for the end.
fn sweep(rendering: &[Token], file: &[&str]) -> Vec<Costs> {
    let mut row = vec![NEVER; file.len() + 1];
    row[0] = 0;
    let mut rows = Vec::new();
    for (at, token) in rendering.iter().enumerate() {
        // Ahead of the token.
        let ahead = at.checked_sub(1).map(|at| &rendering[at]);
        if may_be_typed(ahead, token) {
            typed(&mut row);
        }
        rows.push(row.clone());
        if *token == Token::Any {
            for line in 1..row.len() {
                row[line] = row[line].min(row[line - 1]);
            }
        }
        if let Token::Line(text) = token {
            let mut gone: Costs = row.iter().map(|cost| cost + 1).collect();
            typed(&mut gone);
            for (line, found) in file.iter().enumerate() {
                if found == text {
                    gone[line + 1] = gone[line + 1].min(row[line]);
                }
            }
            row = gone;
        }
    }
    typed(&mut row);
    rows.push(row);
    rows
}

/// Says whether a line may be typed between the two and be neither's: what is typed between a line and a block is the block's.
fn may_be_typed(ahead: Option<&Token>, token: &Token) -> bool {
    !matches!(
        (ahead, token),
        (Some(Token::Line(_)), Token::Open(_)) | (Some(Token::Close(_)), Token::Line(_))
    )
}

fn typed(row: &mut Costs) {
    for line in 1..row.len() {
        row[line] = row[line].min(row[line - 1] + 1);
    }
}
