//! Files of the checkout as `file:` URIs (RFC 8089).

use std::path::Path;

use crate::path::RepoPath;
use crate::text::ascii::{from_percent, path_to_uri};

/// Returns the URI of a folder or file.
pub(super) fn of_path(path: &Path) -> String {
    format!("file://{}", path_to_uri(&path.to_string_lossy()))
}

/// Returns the file of the checkout in `folder` that a URI names; `None` where it names none there.
pub(super) fn path_in(folder: &Path, uri: &str) -> Option<RepoPath> {
    let path = from_percent(uri.strip_prefix("file://")?);
    let inside = Path::new(&path).strip_prefix(folder).ok()?;
    RepoPath::parse(inside.to_str()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_names_a_file_of_the_checkout_or_none() {
        let folder = Path::new("/tmp/a b/files");
        let check = |uri: &str, expected: Option<&str>| {
            let found = path_in(folder, uri);
            assert_eq!(found.as_ref().map(RepoPath::as_str), expected, "{uri}");
        };
        let own = of_path(&folder.join("src/@ü.ts"));
        assert_eq!(own, "file:///tmp/a%20b/files/src/%40%C3%BC.ts");
        check(&own, Some("src/@ü.ts"));
        check("file:///tmp/a%20b/files/src/@ü.ts", Some("src/@ü.ts"));
        check("file:///tmp/a%20b/files", None);
        check("file:///tmp/a%20b/files/../x.ts", None);
        check("file:///tmp/a%20b/files/.git/config", None);
        check("file:///usr/lib/x.ts", None);
        check("untitled:x", None);
        check("http://x/tmp/a b/files/x.ts", None);
    }
}
