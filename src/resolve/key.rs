//! Finds an entry of a configuration file by the way to it, and says when a key cannot be told or means something elsewhere.
//!
//! In a file of several documents the way may begin with a document's number, `[1].metadata.name`; without one, all
//! documents are searched, and two that hold the key make it ambiguous.

use super::{Found, Reading, Target, refusal};
use crate::diagnostic::{Code, Diagnostic, nearest, shown};
use crate::manifest::address::key_address;
use crate::manifest::{KeySelector, Part};
use crate::path::RepoPath;
use crate::syntax::keys::{KeyEntry, KeySegment, Tree};
use crate::syntax::markdown::is_markdown;
use crate::syntax::yaml;
use crate::text::Span;

/// Most names that a refusal lists.
const MOST: usize = 5;

/// Finds what `selector` names, in the part asked for.
pub fn target<'r, 'd>(
    reading: &'r Reading<'d>,
    selector: &KeySelector,
    part: Option<Part>,
) -> Result<Target<'r, 'd>, Diagnostic> {
    let found = tree(reading).and_then(|tree| {
        let at = find(reading, tree, selector)?;
        let entry = tree
            .get(at)
            .ok_or_else(|| missing(reading, tree, selector))?;
        Ok((at, span_of(reading, entry, part)?))
    });
    let (at, span) = found.map_err(|diagnostic| diagnostic.in_field("key"))?;
    Ok(Target {
        span,
        found: Found::Key(at),
        segment: describe(reading, at, span),
    })
}

/// Returns the entries of the file, or why they cannot be told.
pub fn tree<'d>(reading: &Reading<'d>) -> Result<&'d Tree, Diagnostic> {
    let document = reading.document;
    let Some(format) = document
        .language
        .and_then(|language| language.grammar.format())
    else {
        let message = match document.language.is_some_and(is_markdown) {
            true => format!(
                "{} has no front matter, where a page has its keys",
                document.path
            ),
            false => format!("{} is no configuration file: it has no keys", document.path),
        };
        return Err(Diagnostic::new(Code::UnsupportedLanguage, message)
            .note("keys are told in YAML, TOML and JSON files, by their names"));
    };
    let read = document
        .keys()
        .ok_or_else(|| refusal::too_large(document))?;
    let templated =
        format == crate::syntax::keys::KeyFormat::Yaml && yaml::is_template(&document.bytes);
    match read {
        Ok(tree) if !(templated && yaml::has_braced_key(tree, &document.bytes)) => Ok(tree),
        Ok(_) => Err(template(reading)),
        Err(_) if templated => Err(template(reading)),
        Err(error) => {
            let line = document.lines().line(error.offset);
            let message = format!(
                "the keys of {} cannot be told: line {line}: {}",
                document.path,
                shown(&error.message)
            );
            Err(Diagnostic::new(Code::Unsupported, message)
                .note("mend the file with `text`, `pattern` or `lines`, which need no keys"))
        }
    }
}

fn template(reading: &Reading<'_>) -> Diagnostic {
    let message = format!(
        "{} is a template: its keys are known once it is rendered",
        reading.document.path
    );
    Diagnostic::new(Code::Unsupported, message)
        .note("`text`, `pattern` and `lines` edit the template itself")
}

/// Returns the bytes of the part asked for: the entry, or its value.
fn span_of(
    reading: &Reading<'_>,
    entry: &KeyEntry,
    part: Option<Part>,
) -> Result<Span, Diagnostic> {
    let document = reading.document;
    let whole = || entry.whole();
    match part {
        None | Some(Part::Definition) => Ok(document.widened(whole())),
        Some(Part::Whole) => {
            let above = entry
                .comments
                .first()
                .map_or(whole(), |comment| comment.cover(whole()));
            Ok(document.widened(above))
        }
        Some(Part::Body) => Ok(entry.tagged()),
        Some(part) => {
            let message = format!("a key has no part `{part}`");
            Err(Diagnostic::new(Code::Unsupported, message)
                .note("its parts: whole, definition, body"))
        }
    }
}

/// Describes `span` as the entry with this number.
pub fn describe(reading: &Reading<'_>, at: usize, span: Span) -> super::Segment {
    let document = reading.document;
    let tree = document.keys().and_then(|read| read.as_ref().ok());
    let address = tree.map(|tree| key_address(&document.path, &tree.address(at)));
    let entry = tree.and_then(|tree| tree.get(at));
    let around = tree
        .and_then(|tree| Some(tree.address(entry?.parent?)))
        .filter(|address| !address.is_empty());
    let name = match entry.map(|entry| &entry.step) {
        Some(KeySegment::Key(key)) => key.as_str(),
        Some(KeySegment::Item(_)) | None => "[]",
    };
    super::segment::describe(
        document,
        span,
        crate::syntax::SegmentKind::Key.as_str(),
        super::segment::Name {
            address,
            name,
            signature: entry.map(|entry| entry.key.unwrap_or(Span::at(entry.span.start))),
            parent: around,
        },
    )
}

/// Returns the number of the one entry that `selector` names.
fn find(reading: &Reading<'_>, tree: &Tree, selector: &KeySelector) -> Result<usize, Diagnostic> {
    let found = if tree.roots.len() > 1 {
        in_documents(tree, &selector.steps)
    } else {
        tree.roots
            .iter()
            .flat_map(|&root| walk(tree, root, &selector.steps))
            .collect()
    };
    match found[..] {
        [only] => Ok(only),
        [] => Err(missing(reading, tree, selector)),
        _ => Err(several(reading, tree, selector, &found)),
    }
}

/// In several documents: those of the document that the first step numbers, else of all.
fn in_documents(tree: &Tree, steps: &[KeySegment]) -> Vec<usize> {
    if let [KeySegment::Item(number), rest @ ..] = steps {
        return tree
            .roots
            .get(*number)
            .map_or(Vec::new(), |&root| walk(tree, root, rest));
    }
    tree.roots
        .iter()
        .flat_map(|&root| walk(tree, root, steps))
        .collect()
}

/// Returns every entry that the steps lead to from `root`. Where a key stands twice on the way, those are returned: what a
/// reader makes of them is its own choice.
fn walk(tree: &Tree, root: usize, steps: &[KeySegment]) -> Vec<usize> {
    let mut here = vec![root];
    for step in steps {
        let children = here
            .iter()
            .filter_map(|&at| tree.get(at))
            .flat_map(|entry| &entry.children)
            .copied();
        here = children
            .filter(|&child| tree.get(child).is_some_and(|entry| entry.step == *step))
            .collect();
        if here.len() > 1 {
            break;
        }
    }
    here
}

fn whole_address(path: &RepoPath, address: &str) -> String {
    format!("{path}::{}", key_address(path, address))
}

/// Nothing has this key, or what would have it stands elsewhere.
fn missing(reading: &Reading<'_>, tree: &Tree, selector: &KeySelector) -> Diagnostic {
    let document = reading.document;
    let path = &document.path;
    let asked = selector.to_string();
    let line = |at: usize| {
        document
            .lines()
            .line(tree.get(at).map_or(0, |entry| entry.span.start))
    };
    if let Some(holder) = deepest(tree, &selector.steps, |entry| entry.alias.is_some()) {
        let entry = tree.get(holder);
        let name = entry
            .and_then(|entry| entry.alias.as_deref())
            .unwrap_or_default();
        let message = format!(
            "`{}` in {path} is an alias: it holds what `&{name}` names",
            shown(&tree.address(holder))
        );
        let anchored = tree
            .entries
            .iter()
            .position(|entry| entry.anchor.as_ref().is_some_and(|it| it.name == name));
        let diagnostic = Diagnostic::new(Code::Unsupported, message)
            .note("an edit there changes every place that it stands for; `replace` the alias to change only this one");
        return diagnostic.suggest(anchored.map(|at| whole_address(path, &tree.address(at))));
    }
    if let Some(holder) = deepest(tree, &selector.steps, |entry| {
        merge_of(tree, entry).is_some()
    }) {
        let merge = tree
            .get(holder)
            .and_then(|entry| merge_of(tree, entry))
            .unwrap_or(holder);
        let message = format!(
            "no `{}` in {path}: what is there comes with the merge key at line {}",
            shown(&asked),
            line(merge)
        );
        return Diagnostic::new(Code::SegmentNotFound, message)
            .note("`insert` writes the key here, over the merged one; or edit what the merge key names")
            .suggest([whole_address(path, &tree.address(merge))]);
    }
    let mut nearest = otherwise_written(tree, &selector.steps);
    nearest.extend(near(tree, selector));
    nearest.dedup();
    let mut diagnostic = Diagnostic::new(
        Code::SegmentNotFound,
        format!("no `{}` in {path}", shown(&asked)),
    );
    if tree.entries.len() <= tree.roots.len() {
        diagnostic = diagnostic
            .note(format!("{path} has no keys; `insert` with `position: last` and without `key` writes into the file"));
    } else if nearest.is_empty() {
        diagnostic = diagnostic.note(format!("`git segedit outline {path}` lists what there is"));
    }
    diagnostic.suggest(
        nearest
            .into_iter()
            .map(|address| whole_address(path, &address)),
    )
}

/// Returns the last entry on the way of `steps` if the way ends there, ahead of its end, at one that `is` so.
fn deepest(tree: &Tree, steps: &[KeySegment], is: impl Fn(&KeyEntry) -> bool) -> Option<usize> {
    let steps = if tree.roots.len() > 1 && matches!(steps.first(), Some(KeySegment::Item(_))) {
        &steps[1..]
    } else {
        steps
    };
    tree.roots.iter().find_map(|&root| {
        let (mut here, mut taken) = (root, 0);
        while let Some(next) = steps.get(taken).and_then(|step| {
            walk(tree, here, std::slice::from_ref(step))
                .first()
                .copied()
        }) {
            here = next;
            taken += 1;
        }
        (taken < steps.len() && tree.get(here).is_some_and(&is)).then_some(here)
    })
}

/// Returns the merge key of a mapping.
fn merge_of(tree: &Tree, entry: &KeyEntry) -> Option<usize> {
    let merge = |child: &usize| {
        tree.get(*child)
            .is_some_and(|entry| entry.step == KeySegment::Key("<<".to_owned()))
    };
    entry.children.iter().copied().find(merge)
}

/// Several entries have this key.
fn several(
    reading: &Reading<'_>,
    tree: &Tree,
    selector: &KeySelector,
    found: &[usize],
) -> Diagnostic {
    const MOST_LISTED: usize = 20;
    let document = reading.document;
    let path = &document.path;
    let message = format!(
        "{} keys of {path} are `{}`",
        found.len(),
        shown(&selector.to_string())
    );
    let mut diagnostic = Diagnostic::new(Code::SegmentAmbiguous, message);
    for &at in found.iter().take(MOST_LISTED) {
        let line = document
            .lines()
            .line(tree.get(at).map_or(0, |entry| entry.span.start));
        diagnostic.notes.push(format!(
            "{} at line {line}",
            whole_address(path, &tree.address(at))
        ));
    }
    let mut addresses: Vec<String> = found.iter().map(|&at| tree.address(at)).collect();
    addresses.dedup();
    if addresses.len() < found.len() {
        return diagnostic
            .note("the key stands twice in one mapping: `lines` or `text` names one of them");
    }
    diagnostic.candidates(
        addresses
            .into_iter()
            .map(|address| whole_address(path, &address)),
    )
}

/// Returns the address that the way is when numbers between dots are items, or when its dots are part of one key.
fn otherwise_written(tree: &Tree, steps: &[KeySegment]) -> Vec<String> {
    let item = |step: &KeySegment| match step {
        KeySegment::Key(key) => key.parse().map_or_else(|_| step.clone(), KeySegment::Item),
        KeySegment::Item(_) => step.clone(),
    };
    let items: Vec<KeySegment> = steps.iter().map(item).collect();
    let mut keys = Some(Vec::new());
    for step in steps {
        match step {
            KeySegment::Key(key) => keys
                .iter_mut()
                .for_each(|keys: &mut Vec<&str>| keys.push(key)),
            KeySegment::Item(_) => keys = None,
        }
    }
    let joined = keys.map(|keys| vec![KeySegment::Key(keys.join("."))]);
    let found = |way: Vec<KeySegment>| {
        tree.roots
            .iter()
            .find_map(|&root| walk(tree, root, &way).first().copied())
    };
    [Some(items), joined]
        .into_iter()
        .flatten()
        .filter_map(found)
        .map(|at| tree.address(at))
        .take(1)
        .collect()
}

/// Returns addresses that the caller may have meant: the same key at another depth, then those spelled nearly so.
fn near(tree: &Tree, selector: &KeySelector) -> Vec<String> {
    const MOST_COMPARED: usize = 5_000;
    const LONGEST: usize = 256;
    let Some(KeySegment::Key(last)) = selector
        .steps
        .iter()
        .rev()
        .find(|step| matches!(step, KeySegment::Key(_)))
    else {
        return Vec::new();
    };
    let keyed = || {
        let inner = tree
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.parent.is_some());
        inner.filter_map(|(at, entry)| match &entry.step {
            KeySegment::Key(key) => Some((at, key.as_str())),
            KeySegment::Item(_) => None,
        })
    };
    let mut near: Vec<usize> = keyed()
        .filter(|(_, key)| key == last)
        .map(|(at, _)| at)
        .take(MOST)
        .collect();
    if last.len() <= LONGEST {
        let comparable = keyed()
            .map(|(_, key)| key)
            .filter(|key| key.len() <= LONGEST)
            .take(MOST_COMPARED);
        for word in nearest(last, comparable, MOST) {
            near.extend(
                keyed()
                    .filter(|(_, key)| *key == word)
                    .map(|(at, _)| at)
                    .take(MOST),
            );
        }
    }
    let mut addresses: Vec<String> = Vec::new();
    for at in near {
        let address = tree.address(at);
        if addresses.len() < MOST && !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}
