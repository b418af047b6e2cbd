//! Links between the pages of a repository.

use crate::path::RepoPath;
use crate::references::{Reference, Verdict};
use crate::syntax::markdown::anchors::WrittenLink;
use crate::text::{Lines, Span};

/// Says whether a file is a page of Markdown.
pub(super) fn is_page(path: &RepoPath) -> bool {
    let language = crate::syntax::language_of(path);
    language.is_some_and(crate::syntax::markdown::is_markdown)
}

/// Returns the file that a link of the page at `path` leads to.
pub(super) fn link_target(path: &RepoPath, link: &WrittenLink) -> Option<RepoPath> {
    if link.path.is_empty() {
        return Some(path.clone());
    }
    let mut folders: Vec<&str> = path.as_str().split('/').collect();
    folders.pop();
    for part in link.path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                folders.pop()?;
            }
            part => folders.push(part),
        }
    }
    RepoPath::parse(&folders.join("/")).ok()
}

/// Returns the place at `span` in a file with these lines: certain, or a mention with the reason.
pub(super) fn reference(
    path: &RepoPath,
    bytes: &[u8],
    lines: &Lines,
    span: Span,
    verdict: Result<(), &str>,
) -> Reference {
    let line = lines.line(span.start);
    let ahead = Span::new(lines.start(line), span.start);
    Reference {
        path: path.clone(),
        span,
        line,
        column: String::from_utf8_lossy(ahead.of(bytes)).chars().count() + 1,
        address: path.to_string(),
        verdict: match verdict {
            Ok(()) => Verdict::Certain,
            Err(_) => Verdict::Mention,
        },
        reason: verdict.err().map(str::to_owned),
        is_changed: verdict.is_ok(),
    }
}
