//! The colours of the house, as git uses them.

use anstyle::{AnsiColor, Style};

/// A word that says that all is well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();

/// A word that says that something is refused.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// A word that asks for attention.
pub(crate) const ODD: Style = AnsiColor::Yellow.on_default().bold();

/// An id or a hash, as git shows commits.
pub(crate) const ID: Style = AnsiColor::Yellow.on_default();

/// What may be passed over.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// What the eye should find.
pub(crate) const STRONG: Style = Style::new().bold();

/// Returns `text` in `style`, or as it is when colours are off.
pub(crate) fn paint(on: bool, style: Style, text: &str) -> String {
    if on {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

/// Adds `text` in `style`, or as it is when colours are off, to what is said already.
pub(crate) fn paint_onto(said: &mut String, on: bool, style: Style, text: &str) {
    if on {
        said.push_str(&paint(on, style, text))
    } else {
        said.push_str(text)
    }
}
