//! The blocks of a scaffolded file: one whose header names the template that it was made from.
//!
//! The template is read with those that it extends, and what they render is laid beside the file. What the template says
//! outside of a block stands in the file as well, so that it shows where the block begins and ends, whatever people
//! have written into it since: *what stands between the template's own lines around a block belongs to the block*.
//! A block of which one end is not certain is not offered.
//!
//! | file | holds |
//! |---|---|
//! | `header` | the comment that names the template |
//! | `chain` | that template, and those that it extends |
//! | `skeleton` | what they render → lines, holes and the ends of blocks |
//! | `align` | skeleton × file → where each block is, where that is certain |

mod align;
mod chain;
mod header;
mod skeleton;

pub use chain::{Stop, Tier, chain};
pub use header::{Header, header};

use super::block::{Block, Sort, block};
use super::document::Document;
use crate::diagnostic::shown;
use crate::syntax::jinja;
use crate::text::Span;

/// Returns the blocks of the template that `document` was made from, where it says so and they can be told for certain;
/// adds to `asides` why not.
pub fn blocks(document: &Document, asides: &mut Vec<String>) -> Vec<Block> {
    let header = match header(&document.bytes) {
        Some(Ok(header)) => header,
        Some(Err(why)) => {
            asides.push(format!("{}: the header of a scaffolded file {why}", document.path));
            return Vec::new();
        }
        None => return Vec::new(),
    };
    match told(document, &header) {
        Ok((found, uncertain)) => {
            if !uncertain.is_empty() {
                let names: Vec<String> = uncertain.iter().map(|name| shown(name)).collect();
                let names = names.join(", ");
                asides.push(format!("{}: where these blocks begin or end is not certain: {names}", document.path));
            }
            found
        }
        Err(why) => {
            asides.push(format!("{}: the template `{}` {why}", document.path, shown(&header.template)));
            Vec::new()
        }
    }
}

/// Returns the blocks, and the names of those that are not certain.
fn told(document: &Document, header: &Header) -> Result<(Vec<Block>, Vec<String>), String> {
    let sources = chain(&document.templates, header, &document.path).map_err(|stop| stop.to_string())?;
    let mut templates = Vec::new();
    for Tier { path, bytes } in &sources {
        let template = jinja::template(bytes);
        templates.push(template.map_err(|broken| format!("cannot be read: {path}: {}", broken.message))?);
    }
    let events = jinja::rendered(&templates).ok_or("comes to more than is read")?;
    let skeleton = skeleton::skeleton(&events);
    let extents = align::align(&skeleton, &document.bytes);
    let placed = |(name, span): (String, Span)| block(name, Sort::Scaffold, Span::at(span.start), Span::at(span.end));
    let certain: Vec<Block> = extents.into_iter().map(placed).collect();
    let uncertain = skeleton.names().filter(|name| !certain.iter().any(|block| block.name == *name));
    let uncertain = uncertain.map(str::to_owned).collect();
    Ok((certain, uncertain))
}
