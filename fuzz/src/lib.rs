//! What several fuzz targets share: the laws that a file's segments, blocks and keys keep, whatever the file holds.

pub mod stranger;

use std::collections::BTreeMap;
use std::sync::Arc;

use segedit::path::RepoPath;
use segedit::resolve::block::{Block, BlockKind};
use segedit::resolve::{self, Document, Reading};
use segedit::snapshot::{Blob, HashKind, Templates};
use segedit::syntax::keys::KeyFormat;
use segedit::syntax::{Outline, Symbol, jinja};
use segedit::text::Span;

/// Outlines `bytes` as the file `name` and holds every segment to its laws.
pub fn check_outline(name: &str, bytes: &[u8]) {
    let path = RepoPath::parse(name).expect("targets name plain paths");
    let document = Document::new(path, bytes.into(), HashKind::Sha1);
    check_symbols(document.outline(), bytes);
    check_addresses(&document);
    let lines = document.lines().count();
    let roles = document.roles().len();
    assert!(
        roles == 0 || roles >= lines.saturating_sub(1),
        "{roles} roles for {lines} lines"
    );
}

/// Spans are in bounds, children inside their parents, and neighbours apart and in order.
fn check_symbols(outline: &Outline, bytes: &[u8]) {
    let mut pending: Vec<(&[Symbol], Span)> = vec![(&outline.symbols, Span::new(0, bytes.len()))];
    while let Some((symbols, around)) = pending.pop() {
        let mut end = around.start;
        for symbol in symbols {
            let whole = symbol.whole();
            assert!(
                around.contains(whole),
                "{} is not inside what is around it ({around:?})",
                shown(symbol)
            );
            assert!(
                whole.start >= end,
                "{} begins ahead of {end}, where the one before it ends",
                shown(symbol)
            );
            end = whole.end;
            assert!(
                symbol.definition.contains(symbol.signature),
                "the signature of {}",
                shown(symbol)
            );
            assert!(
                symbol
                    .body
                    .is_none_or(|body| symbol.definition.contains(body)),
                "the body of {}",
                shown(symbol)
            );
            // That of a variable comes below it.
            assert!(
                symbol.docstring.is_none_or(|text| whole.contains(text)),
                "the docstring of {}",
                shown(symbol)
            );
            let mut above = whole.start;
            for decoration in &symbol.decorations {
                assert!(
                    decoration.span.start >= above,
                    "the decorations of {}",
                    shown(symbol)
                );
                above = decoration.span.end;
            }
            assert!(
                above <= symbol.definition.start,
                "the decorations of {}",
                shown(symbol)
            );
            pending.push((&symbol.children, whole));
        }
    }
}

/// Descriptions are in bounds, and no address stands for two segments.
fn check_addresses(document: &Document) {
    let segments = resolve::segments(&Reading::of(document));
    let mut addresses: Vec<&str> = segments
        .iter()
        .map(|segment| segment.address.as_str())
        .collect();
    addresses.sort_unstable();
    let count = addresses.len();
    addresses.dedup();
    assert_eq!(addresses.len(), count, "two segments share an address");
    for segment in &segments {
        assert!(
            segment.start_byte <= segment.end_byte && segment.end_byte <= document.bytes.len(),
            "{segment:?}"
        );
        assert!(
            1 <= segment.start_line && segment.start_line <= segment.end_line,
            "{segment:?}"
        );
    }
}

/// The languages of `check_any`.
const NAMES: [&str; 12] = [
    "a.jinja2",
    "a.txt",
    "a.py",
    "a.js",
    "a.html",
    "a.html.j2",
    "a.css",
    "a.md",
    "a.yaml",
    "a.toml",
    "a.json",
    "a.jsonc",
];

/// Holds a file in the language that the first byte picks to all its laws; the last is a scaffolded file with its templates.
pub fn check_any(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else {
        return;
    };
    let Some(name) = NAMES.get(usize::from(first) % (NAMES.len() + 1)) else {
        return check_scaffold(rest);
    };
    check_outline(name, rest);
    check_blocks(name, rest);
    match *name {
        "a.jinja2" => check_template(rest),
        "a.yaml" => check_keys(KeyFormat::Yaml, rest),
        "a.toml" => check_keys(KeyFormat::Toml, rest),
        "a.json" => check_keys(KeyFormat::Json, rest),
        _ => {}
    }
}

/// Blocks are in bounds, in order, and inside the one of their sort that is around them.
pub fn check_blocks(name: &str, bytes: &[u8]) {
    let path = RepoPath::parse(name).expect("targets name plain paths");
    check_block_list(&Document::new(path, bytes.into(), HashKind::Sha1));
}

fn check_block_list(document: &Document) {
    let reading = Reading::of(document);
    let list: &[Block] = &reading.blocks().list;
    let all = Span::new(0, document.bytes.len());
    let mut ahead = 0;
    for (at, block) in list.iter().enumerate() {
        let whole = block.open.cover(block.close);
        assert!(
            all.contains(whole) && block.open.end <= block.close.start,
            "{block:?}"
        );
        assert!(
            whole.start >= ahead,
            "{block:?} begins ahead of the block ahead of it"
        );
        ahead = whole.start;
        for span in [block.whole(document), block.body(document)] {
            assert!(all.contains(span), "{span:?} of {block:?}");
        }
        assert!(
            block.sort == BlockKind::Scaffold
                || block.whole(document).contains(block.body(document)),
            "{block:?}"
        );
        let mut inside = list
            .iter()
            .take(at)
            .filter(|other| other.sort == block.sort);
        assert!(
            inside.all(|other| apart_or_inside(whole, other.open.cover(other.close))),
            "{block:?} crosses another"
        );
        if let Some(parent) = block.parent {
            assert!(
                parent < at && list[parent].open.cover(list[parent].close).contains(whole),
                "{block:?}"
            );
        }
    }
}

fn apart_or_inside(span: Span, other: Span) -> bool {
    span.start >= other.end || other.end >= span.end
}

/// The pieces of a template are all of it, in order; what it renders keeps its limit and opens what it closes.
pub fn check_template(bytes: &[u8]) {
    let Ok(pieces) = jinja::pieces(bytes) else {
        return;
    };
    let mut end = 0;
    for piece in &pieces {
        assert!(
            piece.span.start == end && piece.span.contains(piece.inner),
            "{piece:?} behind {end}"
        );
        end = piece.span.end;
    }
    assert_eq!(
        end,
        bytes.len(),
        "the pieces end ahead of the template's end"
    );
    let Ok(template) = jinja::template(bytes) else {
        return;
    };
    // As its own parent each `super()` comes to all of it once more.
    for times in [1, 2, 12] {
        let Some(events) = jinja::rendered(&vec![template.clone(); times]) else {
            continue;
        };
        assert!(events.len() <= 200_000, "{} events", events.len());
        let mut open = Vec::new();
        for event in &events {
            match event {
                jinja::RenderEvent::Open(_) => open.push(0),
                jinja::RenderEvent::Fork => open.push(1),
                jinja::RenderEvent::Loop => open.push(2),
                jinja::RenderEvent::Or => assert_eq!(open.last(), Some(&1)),
                jinja::RenderEvent::Close => assert_eq!(open.pop(), Some(0)),
                jinja::RenderEvent::Join => assert_eq!(open.pop(), Some(1)),
                jinja::RenderEvent::EndLoop => assert_eq!(open.pop(), Some(2)),
                jinja::RenderEvent::Text(_)
                | jinja::RenderEvent::Value
                | jinja::RenderEvent::Unknown(_) => {}
            }
        }
        assert!(open.is_empty(), "{open:?} are not closed");
    }
}

/// Keys are in bounds, and inside the entry that they are in.
pub fn check_keys(format: KeyFormat, bytes: &[u8]) {
    let Ok(tree) = format.tree(bytes) else { return };
    for entry in &tree.entries {
        for span in entry
            .key
            .iter()
            .chain([&entry.span, &entry.value])
            .chain(&entry.comments)
            .chain(&entry.regions)
        {
            assert!(span.end <= bytes.len(), "{entry:?}");
        }
        if let Some(parent) = entry.parent {
            assert!(
                tree.entries[parent]
                    .children
                    .iter()
                    .any(|child| std::ptr::eq(&tree.entries[*child], entry))
            );
        }
    }
}

/// Blocks of a scaffolded file keep the laws of blocks, whatever its templates are.
pub fn check_scaffold(bytes: &[u8]) {
    let mut parts = bytes.split(|&byte| byte == 0);
    let file = [b"# template=a0\n", parts.next().unwrap_or_default()].concat();
    let path = |at: usize| RepoPath::parse(&format!("t/a{at}")).expect("a plain path");
    let files: BTreeMap<RepoPath, Blob> = parts
        .enumerate()
        .map(|(at, part)| (path(at), part.into()))
        .collect();
    let templates = Templates {
        folders: vec!["t/".to_owned()],
        paths: files.keys().cloned().collect(),
        files,
    };
    let document = Document::new(
        RepoPath::parse("a").expect("a plain path"),
        file.into(),
        HashKind::Sha1,
    );
    check_block_list(&document.among(&Arc::new(templates)));
}

fn shown(symbol: &Symbol) -> String {
    format!("{} `{}` at {:?}", symbol.kind, symbol.name, symbol.whole())
}
