//! The paths that a formatter would change, one a line: prettier and rustfmt. They do not say which lines.

use super::super::verdict::Finding;
use super::parse::reformatted;
use super::place::Root;

/// Reads standard output; a path that is named twice is one finding.
pub(super) fn read(stdout: &[u8], root: &Root) -> Vec<Finding> {
    let text = String::from_utf8_lossy(stdout);
    let mut paths: Vec<String> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| root.relative(line))
        .collect();
    // rustfmt names a module twice that two targets share.
    paths.sort();
    paths.dedup();
    paths
        .into_iter()
        .map(|path| reformatted(path, None))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_line_is_a_path() {
        let root = Root::of(Path::new("/copy/of/it"));
        let found = read(
            b"/copy/of/it/src/main.rs\n\na b.js\n[a].js\n/copy/of/it/src/main.rs\n",
            &root,
        );
        let paths: Vec<&str> = found
            .iter()
            .filter_map(|finding| finding.path.as_deref())
            .collect();
        assert_eq!(paths, ["[a].js", "a b.js", "src/main.rs"]);
        assert!(found.iter().all(|finding| finding.line.is_none()));
        assert!(read(b"", &root).is_empty());
    }
}
