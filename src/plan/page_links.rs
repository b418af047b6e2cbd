//! Links between the pages of a repository.

use crate::path::RepoPath;
use crate::syntax::markdown::anchors::WrittenLink;
use crate::text::ascii::{from_percent, to_percent};

/// Says whether a file is a page of Markdown.
pub(super) fn is_page(path: &RepoPath) -> bool {
    let language = crate::syntax::language_of(path);
    language.is_some_and(crate::syntax::markdown::is_markdown)
}

/// Returns words of which every link to the page at `path` from another one has one.
pub(crate) fn link_words(path: &RepoPath) -> Vec<String> {
    let name = path.file_name();
    let mut words = vec![name.to_owned()];
    let encoded = to_percent(name);
    if encoded != name {
        words.push(name.replace(' ', "%20"));
        words.push(encoded);
    }
    if let Some(folder) = shown_by(path) {
        let name = folder.rsplit('/').next().filter(|name| !name.is_empty());
        words.extend(
            name.into_iter()
                .flat_map(|name| [format!("{name}#"), format!("{name}/#")]),
        );
        words.extend(["../#".to_owned(), "./#".to_owned(), "..#".to_owned()]);
    }
    words
}

/// Says whether a link of the page at `path` leads to the page at `to`: by its path, or that of the folder which shows it.
pub(super) fn leads_to(path: &RepoPath, link: &WrittenLink, to: &RepoPath) -> bool {
    let target = link_target(path, link);
    target.is_some_and(|target| target == to.as_str() || shown_by(to) == Some(&target))
}

/// Returns the folder of which a page is shown, the root's as nothing.
fn shown_by(path: &RepoPath) -> Option<&str> {
    let folder = path.as_str().strip_suffix("README.md")?;
    match folder {
        "" => Some(folder),
        folder => folder.strip_suffix('/'),
    }
}

/// Returns the file or folder that a link of the page at `path` leads to, as a path without a slash at its end; the root's is empty.
pub(super) fn link_target(path: &RepoPath, link: &WrittenLink) -> Option<String> {
    if link.path.is_empty() {
        return Some(path.to_string());
    }
    resolved(path, &link.path)
}

/// Returns the file or folder that `written`, as a link has it, is from the file at `path`.
pub(super) fn resolved(path: &RepoPath, written: &str) -> Option<String> {
    let mut folders: Vec<&str> = path.as_str().split('/').collect();
    folders.pop();
    // From the root of the repository, as sites that show repositories have it.
    if written.starts_with('/') {
        folders.clear();
    }
    let written = from_percent(written);
    for part in written.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                folders.pop()?;
            }
            part => folders.push(part),
        }
    }
    Some(folders.join("/"))
}
