//! Line breaks at the edges of an exchange: a model that forgets the one at the end of `new`, or at its beginning, does not mean to make one
//! line of two.
//!
//! Example: `A=3` in the place of `A=1⏎`, with `B=2` below.
//!
//! Deliberately not here: an exchange that takes a line break away and changes nothing else; one that brings a blank where the break was; and
//! what begins with a sign that goes on with the line above, such as `,` or `.`.

/// Returns `new` with the line breaks that `old` begins and ends with, where it is the slip to leave them out.
pub(super) fn kept(old: &str, new: &str) -> Option<String> {
    if new.is_empty() {
        return None;
    }
    let (ahead, behind) = (missing_ahead(old, new), missing_behind(old, new));
    (!ahead.is_empty() || !behind.is_empty()).then(|| [ahead, new, behind].concat())
}

/// Returns the line breaks that `new` lacks at its beginning.
fn missing_ahead<'a>(old: &'a str, new: &str) -> &'a str {
    let run = &old[..old.len() - old.trim_start_matches(is_break).len()];
    let blanks = |text: &str| text[..text.len() - text.trim_start().len()].to_owned();
    // The indentation of the line that `old` begins is no blank that joins two lines.
    let is_indented = blanks(new).len() > 1 && blanks(new) == blanks(&old[run.len()..]);
    let goes_on = new.starts_with(|it: char| it.is_whitespace() || ",;:.)]}".contains(it));
    let goes_on = goes_on && !is_indented;
    let is_all = old.trim_start().trim_end_matches(is_break) == new.trim_end_matches(is_break);
    if goes_on || is_all { "" } else { run }
}

/// Returns the line breaks that `new` lacks at its end. Of several that are all that goes, one is meant to go.
fn missing_behind<'a>(old: &'a str, new: &str) -> &'a str {
    let text = old.trim_end_matches(is_break);
    let run = &old[text.len()..];
    if new.ends_with(char::is_whitespace) {
        return "";
    }
    if text == new {
        let one = run.find('\n').map_or(run.len(), |at| at + 1);
        return &run[one..];
    }
    run
}

fn is_break(it: char) -> bool {
    matches!(it, '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_break_that_is_forgotten_is_kept() {
        for (old, new, expected) in [
            ("# a\n", "# b", "# b\n"),
            ("    - a\r\n", "    - c", "    - c\r\n"),
            ("f(\n", "g(", "g(\n"),
            ("a\n\n", "b", "b\n\n"),
            ("a\n\n", "a", "a\n"),
            ("\ny = 2\n", "y = 3\n", "\ny = 3\n"),
            ("\ny = 2\n", "y = 3", "\ny = 3\n"),
            ("\n    y = 2", "    y = 3", "\n    y = 3"),
        ] {
            assert_eq!(kept(old, new).as_deref(), Some(expected), "{old:?} {new:?}");
        }
    }

    #[test]
    fn a_line_break_that_is_meant_to_go_goes() {
        for (old, new) in [
            ("a\n", ""),
            ("f(\n", "f("),
            ("}\n", "} "),
            ("a\nb", "a b"),
            ("\n    )", ")"),
            ("\n)", ", b)"),
            ("\n    .then(a)", ".then(b)"),
            ("\n{", " {"),
            ("\na\n", "a\n"),
            ("a\n", "b\n"),
            ("a", "b"),
        ] {
            assert_eq!(kept(old, new), None, "{old:?} {new:?}");
        }
    }
}
