//! Two public chains, restated: what is wrong with them is what this program wants to be better at.

use super::Case;
use segedit::text::diff::similarity;

/// Lines as they are, trimmed at the right, trimmed, with typography made plain: at the first of these that has a place,
/// the first place.
pub fn first_hit(case: &Case) -> Option<(usize, usize)> {
    let file: Vec<&str> = case.file.lines().collect();
    let text: Vec<&str> = case.text.lines().collect();
    let forms: [fn(&str) -> String; 4] = [
        str::to_owned,
        |line| line.trim_end().to_owned(),
        |line| line.trim().to_owned(),
        |line| {
            let plain = |character: char| match character {
                '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
                '\u{2018}'..='\u{201b}' => '\'',
                '\u{201c}'..='\u{201f}' => '"',
                '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
                other => other,
            };
            line.trim().chars().map(plain).collect()
        },
    ];
    forms.iter().find_map(|form| {
        let (file, text): (Vec<String>, Vec<String>) = (
            file.iter().map(|line| form(line)).collect(),
            text.iter().map(|line| form(line)).collect(),
        );
        let at = file
            .windows(text.len().max(1))
            .position(|window| window == text.as_slice())?;
        Some((at, at + text.len() - 1))
    })
}

/// Of all windows of as many lines the one with the highest sequence ratio, if that is 0.85 or more.
pub fn best_window(case: &Case) -> Option<(usize, usize)> {
    const LEAST: f64 = 0.85;
    let file: Vec<&str> = case.file.split_inclusive('\n').collect();
    let count = case.text.lines().count();
    if count == 0 || count > file.len() {
        return None;
    }
    let wanted = letters(case.text.as_bytes());
    // What no arrangement of the same letters could reach need not be compared: it changes no answer.
    let each: Vec<[u32; 256]> = file.iter().map(|line| letters(line.as_bytes())).collect();
    let mut window = [0u32; 256];
    let mut bounds: Vec<(f64, usize)> = Vec::new();
    for at in 0..file.len() {
        add(&mut window, &each[at]);
        if let Some(gone) = at.checked_sub(count) {
            take(&mut window, &each[gone]);
        }
        if let Some(start) = (at + 1).checked_sub(count) {
            let shared: u32 = window
                .iter()
                .zip(&wanted)
                .map(|(one, other)| one.min(other))
                .sum();
            let all: u32 = window.iter().sum::<u32>() + wanted.iter().sum::<u32>();
            bounds.push((2.0 * f64::from(shared) / f64::from(all.max(1)), start));
        }
    }
    bounds.retain(|(bound, _)| *bound >= LEAST);
    bounds.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut best: Option<(f64, usize)> = None;
    for (bound, start) in bounds {
        if best.is_some_and(|(ratio, _)| ratio >= bound) {
            break;
        }
        let ratio = similarity(
            case.text.as_bytes(),
            file[start..start + count].concat().as_bytes(),
        );
        let better =
            best.is_none_or(|(most, first)| ratio > most || ratio == most && start < first);
        if ratio >= LEAST && better {
            best = Some((ratio, start));
        }
    }
    best.map(|(_, start)| (start, start + count - 1))
}

fn letters(text: &[u8]) -> [u32; 256] {
    let mut counts = [0; 256];
    for &byte in text {
        counts[usize::from(byte)] += 1;
    }
    counts
}

fn add(sum: &mut [u32; 256], more: &[u32; 256]) {
    sum.iter_mut()
        .zip(more)
        .for_each(|(sum, more)| *sum += more);
}

fn take(sum: &mut [u32; 256], less: &[u32; 256]) {
    sum.iter_mut()
        .zip(less)
        .for_each(|(sum, less)| *sum -= less);
}
