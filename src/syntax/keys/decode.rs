//! The text of a configuration file: UTF-8, less the byte-order mark.

use crate::syntax::SyntaxError;
use crate::text::BOM;

/// Returns the text after a byte-order mark, and the mark's length.
pub(crate) fn decoded(source: &[u8]) -> Result<(&str, usize), SyntaxError> {
    let body = source.strip_prefix(BOM).unwrap_or(source);
    let shift = source.len() - body.len();
    let text = std::str::from_utf8(body).map_err(|error| SyntaxError {
        offset: error.valid_up_to() + shift,
        message: "is not UTF-8".to_owned(),
    })?;
    Ok((text, shift))
}
