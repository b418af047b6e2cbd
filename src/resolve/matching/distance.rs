//! Edit distance, as far as anybody wants to know it.

/// Returns the least number of insertions, deletions and exchanges that make one of the other, or `None` past `most`.
pub(super) fn within<T: PartialEq>(one: &[T], other: &[T], most: usize) -> Option<usize> {
    let (one, other) = without_common_ends(one, other);
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    if long.len() - short.len() > most {
        return None;
    }
    if short.is_empty() {
        return Some(long.len());
    }
    let far = most + 1;
    let mut above: Vec<usize> = (0..=short.len()).map(|at| at.min(far)).collect();
    let mut row = vec![far; short.len() + 1];
    for (at, item) in long.iter().enumerate() {
        // Cells further than `most` from the diagonal cost more than that anyway.
        let from = (at + 1).saturating_sub(most).max(1);
        let to = (at + 1 + most).min(short.len());
        if from > to {
            return None;
        }
        row[from - 1] = if from == 1 { (at + 1).min(far) } else { far };
        let mut least = row[from - 1];
        for column in from..=to {
            let exchanged = above[column - 1] + usize::from(*item != short[column - 1]);
            let cheapest = exchanged
                .min(above[column].min(row[column - 1]) + 1)
                .min(far);
            row[column] = cheapest;
            least = least.min(cheapest);
        }
        if to < short.len() {
            row[to + 1] = far;
        }
        if least == far {
            return None;
        }
        std::mem::swap(&mut above, &mut row);
    }
    above.last().copied().filter(|&distance| distance <= most)
}

/// Returns how many slips of the pen make one word of the other: a letter more, a letter less, or two that changed
/// places; another letter is two of them. (The optimal string alignment distance with exchanges at the price of two.) For
/// words, not for lines: it costs the product of both lengths.
pub(super) fn slips(one: &[u8], other: &[u8]) -> usize {
    let (one, other) = without_common_ends(one, other);
    let width = other.len() + 1;
    let mut table: Vec<usize> = (0..=one.len())
        .flat_map(|at| (0..width).map(move |to| at + to))
        .collect();
    for at in 1..=one.len() {
        for to in 1..width {
            let here = at * width + to;
            let exchanged = table[here - width - 1] + 2 * usize::from(one[at - 1] != other[to - 1]);
            let mut least = exchanged.min(table[here - width].min(table[here - 1]) + 1);
            if at > 1 && to > 1 && one[at - 1] == other[to - 2] && one[at - 2] == other[to - 1] {
                least = least.min(table[here - 2 * width - 2] + 1);
            }
            table[here] = least;
        }
    }
    table[one.len() * width + other.len()]
}

fn without_common_ends<'t, T: PartialEq>(one: &'t [T], other: &'t [T]) -> (&'t [T], &'t [T]) {
    let start = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count();
    let (one, other) = (&one[start..], &other[start..]);
    let end = one
        .iter()
        .rev()
        .zip(other.iter().rev())
        .take_while(|(one, other)| one == other)
        .count();
    (&one[..one.len() - end], &other[..other.len() - end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn distances_are_least() {
        let check = |one: &str, other: &str, most: usize, expected: Option<usize>| {
            assert_eq!(
                within(one.as_bytes(), other.as_bytes(), most),
                expected,
                "{one} {other} {most}"
            );
        };
        check("kitten", "sitting", 9, Some(3));
        check("kitten", "sitting", 3, Some(3));
        check("kitten", "sitting", 2, None);
        check("", "", 0, Some(0));
        check("abc", "abc", 0, Some(0));
        check("abc", "", 2, None);
        check("abc", "", 3, Some(3));
        check("flaw", "lawn", 2, Some(2));
    }

    #[test]
    fn slips_are_counted() {
        let check = |one: &str, other: &str, expected: usize| {
            assert_eq!(
                slips(one.as_bytes(), other.as_bytes()),
                expected,
                "{one} {other}"
            );
        };
        check("receive", "receive", 0);
        check("receive", "recieve", 1);
        check("colour", "color", 1);
        check("get", "set", 2);
        check("strict", "xstritc", 2);
        check("", "abc", 3);
    }

    proptest! {
        #[test]
        fn a_bound_changes_nothing_below_it(one in "[ab]{0,12}", other in "[ab]{0,12}", most in 0usize..12) {
            // The textbook's table, without any bound.
            let (one, other) = (one.as_bytes(), other.as_bytes());
            let mut table = vec![vec![0usize; other.len() + 1]; one.len() + 1];
            for at in 0..=one.len() {
                for to in 0..=other.len() {
                    table[at][to] = if at == 0 || to == 0 {
                        at + to
                    } else {
                        let exchanged = table[at - 1][to - 1] + usize::from(one[at - 1] != other[to - 1]);
                        exchanged.min(table[at - 1][to] + 1).min(table[at][to - 1] + 1)
                    };
                }
            }
            let least = table[one.len()][other.len()];
            prop_assert_eq!(within(one, other, most), (least <= most).then_some(least));
        }
    }
}
