//! The blocks of a file that its template was filled in at.

use std::collections::BTreeMap;

use super::chain::{Tier, chain};
use super::header::{Header, header};
use super::{align, skeleton};
use crate::diagnostic::shown;
use crate::resolve::block::model::block;
use crate::resolve::block::{Aside, Block, BlockKind};
use crate::resolve::document::Document;
use crate::syntax::jinja::{self, RenderEvent};
use crate::text::Span;

/// Returns the blocks of the template that `document` was made from, where it says so and they can be told for certain;
/// adds to `asides` why not.
pub fn blocks(document: &Document, asides: &mut Vec<Aside>) -> Vec<Block> {
    let header = match header(&document.bytes) {
        Some(Ok(header)) => header,
        Some(Err(why)) => {
            asides.push(Aside::of_all(format!(
                "{}: the header of a scaffolded file {why}",
                document.path
            )));
            return Vec::new();
        }
        None => return Vec::new(),
    };
    let template = shown(&header.template);
    match laid_beside(document, &header) {
        Ok((found, doubts)) => {
            asides.extend(doubts.into_iter().map(|(name, why)| {
                let text = format!(
                    "{}: the block `{}` of the template `{template}` is not offered: {why}",
                    document.path,
                    shown(&name)
                );
                Aside {
                    block: Some(name),
                    text,
                }
            }));
            found
        }
        Err(why) => {
            asides.push(Aside::of_all(format!(
                "{}: the template `{template}` {why}",
                document.path
            )));
            Vec::new()
        }
    }
}

/// Returns the blocks, and the names of those that cannot be told, each with the reason.
fn laid_beside(
    document: &Document,
    header: &Header,
) -> Result<(Vec<Block>, BTreeMap<String, String>), String> {
    let sources =
        chain(&document.templates, header, &document.path).map_err(|stop| stop.to_string())?;
    let mut templates = Vec::new();
    for Tier { path, bytes } in &sources {
        let template = jinja::template(bytes);
        templates.push(
            template.map_err(|broken| format!("cannot be read: {path}: {}", broken.message))?,
        );
    }
    let events = jinja::rendered(&templates).ok_or("comes to more than is read")?;
    let skeleton = skeleton::skeleton(&events);
    let mut found = Vec::new();
    let mut doubts = BTreeMap::new();
    for event in &events {
        if let RenderEvent::Open(name) = event
            && !skeleton.names().any(|known| known == name)
        {
            doubts.insert(
                name.clone(),
                "it begins or ends within a line, or is repeated".to_owned(),
            );
        }
    }
    for (name, extent) in align::align(&skeleton, &document.bytes) {
        match extent {
            Ok(span) => found.push(block(
                name,
                BlockKind::Scaffold,
                Span::at(span.start),
                Span::at(span.end),
            )),
            Err(doubt) => {
                doubts.insert(name, doubt.to_string());
            }
        }
    }
    Ok((found, doubts))
}
