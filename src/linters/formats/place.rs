//! `Root`: the folder that a tool ran in, as it may spell it, and paths relative to it.

use std::path::{Path, PathBuf};

use crate::text::ascii::from_percent;

/// A folder, as it was named and as the file system names it.
pub(super) struct Root {
    spellings: Vec<PathBuf>,
}

impl Root {
    /// Returns `folder` with its other spelling.
    pub(super) fn of(folder: &Path) -> Root {
        let mut spellings = vec![folder.to_owned()];
        // rustfmt and Node resolve the links on the way to a file; `/tmp` and `/var` are links on some systems.
        spellings.extend(
            folder
                .canonicalize()
                .ok()
                .filter(|canonical| canonical != folder),
        );
        Root { spellings }
    }

    /// Returns `path` relative to the folder; one that does not stand below it stays as it is.
    pub(super) fn relative(&self, path: &str) -> String {
        let below = self
            .spellings
            .iter()
            .find_map(|root| Path::new(path).strip_prefix(root).ok()?.to_str());
        let mut rest = below.unwrap_or(path);
        while let Some(shorter) = rest.strip_prefix("./") {
            rest = shorter.trim_start_matches('/');
        }
        rest.to_owned()
    }

    /// Returns the path that `uri`, percent-encoded, means, relative to the folder.
    pub(super) fn of_uri(&self, uri: &str) -> String {
        let Some(rest) = uri.strip_prefix("file:") else {
            return self.relative(&from_percent(uri));
        };
        // `file:///x`, `file://host/x` and `file:/x` are all `/x` here.
        let path = match rest.strip_prefix("//") {
            Some(authority) => authority.find('/').map_or("", |slash| &authority[slash..]),
            None => rest,
        };
        self.relative(&from_percent(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_folder() {
        let root = Root::of(Path::new("/no/such/root"));
        let check =
            |path: &str, expected: &str| assert_eq!(root.relative(path), expected, "{path}");
        check("/no/such/root/src/a.py", "src/a.py");
        check("/no/such/rooted/a.py", "/no/such/rooted/a.py");
        check("/usr/include/x.h", "/usr/include/x.h");
        check("./-a.py", "-a.py");
        check(".//./a.py", "a.py");
        check(".a.py", ".a.py");
        check("a b/c.py", "a b/c.py");
        check("", "");
    }

    #[test]
    fn both_spellings_of_the_folder_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let root = Root::of(&link);
        assert_eq!(
            root.relative(real.canonicalize().unwrap().join("a.rs").to_str().unwrap()),
            "a.rs"
        );
        assert_eq!(root.relative(link.join("a.rs").to_str().unwrap()), "a.rs");
    }

    #[test]
    fn uris_are_decoded() {
        let root = Root::of(Path::new("/no/such/root"));
        let check = |uri: &str, expected: &str| assert_eq!(root.of_uri(uri), expected, "{uri}");
        check("file:///no/such/root/%C3%A9%2520%23.py", "é%20#.py");
        check("file://localhost/no/such/root/a%20b.py", "a b.py");
        check("file:/no/such/root/a.py", "a.py");
        check("src/a%20b.py", "src/a b.py");
        check("50%.py", "50%.py");
        check("a%2", "a%2");
        check("a%zz%e9", "a%zz\u{fffd}");
        check("file://", "");
    }
}
