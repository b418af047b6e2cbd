//! An operation written down as the fields of an operation file, for whoever is asked for it in other words: a command
//! line, the arguments of a tool. It is then read like any other, so that one table says which fields go together.

use serde_json::{Map, Value, json};

use super::words::FixedWord;
use super::{Address, Manifest, ManifestText, Overrides, ResolveOrder, Selector, yaml};
use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::syntax::html::is_html;
use crate::syntax::language_of;
use crate::syntax::markdown::is_markdown;

/// The fields of one operation, by name.
pub type FieldNames = Map<String, Value>;

/// Returns the field that names the file.
pub fn of_file(path: &RepoPath) -> FieldNames {
    FieldNames::from_iter([("file".to_owned(), json!(path.as_str()))])
}

/// Returns what `segment` means in the file at `path`.
pub fn selector(path: &RepoPath, segment: &str) -> Result<Option<Selector>, Diagnostic> {
    Ok(Address::parse(&format!("{path}::{segment}"))?.selector)
}

/// Returns what a segment of a page or of a configuration file is: a section, an element, a key. `None` in any other file, where names are
/// symbols.
pub fn unlike_symbol(path: &RepoPath, segment: &str) -> Result<Option<Selector>, Diagnostic> {
    let has_other_names = language_of(path)
        .is_some_and(|it| is_markdown(it) || is_html(it) || it.grammar.format().is_some());
    match has_other_names {
        true => selector(path, segment),
        false => Ok(None),
    }
}

/// Puts what is to be renamed in the file at `path`: a section of Markdown, an id or a class of a page, a key of a configuration file, else
/// a symbol, which may be a parameter.
pub fn put_renamable(
    fields: &mut FieldNames,
    path: &RepoPath,
    segment: &str,
) -> Result<(), Diagnostic> {
    match unlike_symbol(path, segment)? {
        Some(selector) => put_selector(fields, &selector),
        None => drop(fields.insert("symbol".to_owned(), json!(segment))),
    }
    Ok(())
}

/// Puts the field that `selector` is written as.
pub fn put_selector(fields: &mut FieldNames, selector: &Selector) {
    let value = match selector {
        Selector::Symbol(symbol) => json!(symbol.to_string()),
        Selector::Section(section) => json!(
            section
                .path
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        ),
        Selector::Element(element) => json!(element.to_string()),
        Selector::Block(block) => json!(block.to_string()),
        Selector::Key(key) => json!(key.to_string()),
        Selector::Text(text) => json!(text),
        Selector::Pattern(pattern) => json!(pattern.text),
        Selector::Lines(lines) => json!(lines.to_string()),
    };
    fields.insert(selector.field().to_owned(), value);
}

/// Puts `within`, narrowing a search to what `selector` names.
pub fn put_within(fields: &mut FieldNames, selector: &Selector) {
    let mut within = FieldNames::new();
    put_selector(&mut within, selector);
    fields.insert("within".to_owned(), Value::Object(within));
}

/// Returns the batch of `operations`, called `name` in messages, or everything that is wrong with it. It has no text, and
/// nothing of it points into one.
pub fn manifest(
    name: &str,
    operations: Vec<FieldNames>,
    order: ResolveOrder,
    overrides: &Overrides,
) -> Result<Manifest, Vec<Diagnostic>> {
    let file = json!({ "version": 1, "resolve": order.word(), "operations": operations });
    let read = yaml::read_with(name, yaml::escape(&file.to_string()).as_bytes(), overrides);
    let mut manifest = read.map_err(|errors| {
        errors
            .into_iter()
            .map(|error| error.at(None))
            .collect::<Vec<_>>()
    })?;
    manifest.source = ManifestText {
        name: name.to_owned(),
        text: String::new(),
    };
    for operation in &mut manifest.operations {
        operation.places.clear();
    }
    Ok(manifest)
}
