//! Which packages are none of the repository's own.

use std::collections::BTreeSet;

/// Modules that Node.js brings along.
const BUILT_IN: [&str; 41] = [
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "worker_threads",
    "zlib",
];

/// Parts of those.
const PARTS: [&str; 12] = [
    "assert/strict",
    "dns/promises",
    "fs/promises",
    "inspector/promises",
    "path/posix",
    "path/win32",
    "readline/promises",
    "stream/consumers",
    "stream/promises",
    "stream/web",
    "timers/promises",
    "util/types",
];

/// How a version begins that is no other place than the repository.
const INSIDE: [&str; 7] = ["file:", "link:", "portal:", "workspace:", ".", "/", "~"];

/// What the packages of a repository say of packages.
#[derive(Clone, Debug, Default)]
pub(super) struct Packages {
    names: BTreeSet<String>,
    needed: BTreeSet<String>,
}

impl Packages {
    /// Returns what those say that `manifests` (`package.json`) are of.
    pub(super) fn of<'m>(manifests: impl Iterator<Item = &'m [u8]>) -> Packages {
        let mut packages = Packages::default();
        for manifest in manifests {
            let Ok(read) = serde_json::from_slice::<serde_json::Value>(manifest) else {
                continue;
            };
            if let Some(name) = read.get("name").and_then(|name| name.as_str()) {
                packages.names.insert(name.to_owned());
            }
            for list in [
                "dependencies",
                "devDependencies",
                "peerDependencies",
                "optionalDependencies",
            ] {
                let needed = read.get(list).and_then(|list| list.as_object());
                // What is said by a path, or to be a part of the repository, is in it.
                let is_elsewhere = |version: &serde_json::Value| {
                    let version = version.as_str().unwrap_or("file:");
                    !INSIDE.iter().any(|start| version.starts_with(start))
                };
                let needed = needed.into_iter().flatten();
                let names = needed.filter(|(_, version)| is_elsewhere(version));
                packages.needed.extend(names.map(|(name, _)| name.clone()));
            }
        }
        packages
    }

    /// Says whether what an import without a path names comes from elsewhere.
    pub(super) fn is_outside(&self, source: &str) -> bool {
        let mut words = source.split('/');
        let first = words.next().unwrap_or_default();
        let name = match (first.starts_with('@'), words.next()) {
            (true, Some(second)) => format!("{first}/{second}"),
            _ => first.to_owned(),
        };
        // `@types/node` says what is in `node`.
        let is_needed =
            self.needed.contains(&name) || self.needed.contains(&format!("@types/{name}"));
        let is_built_in = BUILT_IN.contains(&source) || PARTS.contains(&source);
        !self.names.contains(&name) && (is_needed || is_built_in)
    }
}
