//! Which file an import leads to: what is written as a path is looked for as compilers and bundlers do.

use std::collections::BTreeSet;

use super::files::{FileId, ScriptFiles};

/// What an import may leave out of a file's name.
const ENDINGS: [&str; 13] = [
    ".ts", ".tsx", ".d.ts", ".mts", ".d.mts", ".cts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs",
    ".vue", ".svelte",
];

/// How a script is written in an import that is made from another one.
const MADE_FROM: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts"]),
    (".jsx", &[".tsx", ".d.ts"]),
    (".mjs", &[".mts", ".d.mts"]),
    (".cjs", &[".cts", ".d.cts"]),
];

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

/// Where an import leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ModuleFile {
    /// To a script of the repository.
    Here(FileId),
    /// Out of the repository, or to what is no script.
    Outside,
    /// Nobody says, and why.
    Unknown(String),
}

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
                let names = needed.into_iter().flat_map(|needed| needed.keys().cloned());
                packages.needed.extend(names);
            }
        }
        packages
    }

    fn is_outside(&self, source: &str) -> bool {
        let mut words = source.split('/');
        let first = words.next().unwrap_or_default();
        let name = match (first.starts_with('@'), words.next()) {
            (true, Some(second)) => format!("{first}/{second}"),
            _ => first.to_owned(),
        };
        // `@types/node` says what is in `node`.
        let is_needed =
            self.needed.contains(&name) || self.needed.contains(&format!("@types/{name}"));
        !self.names.contains(&name) && (is_needed || BUILT_IN.contains(&first))
    }
}

impl ScriptFiles<'_> {
    /// Returns where the module is that the file `from` writes as `source`.
    pub(super) fn module(&self, from: FileId, source: &str) -> ModuleFile {
        let is_path = source == "."
            || source == ".."
            || source.starts_with("./")
            || source.starts_with("../");
        if !is_path {
            if source.starts_with("node:") || self.packages().is_outside(source) {
                return ModuleFile::Outside;
            }
            let why = format!("where `{source}` leads is said elsewhere");
            return ModuleFile::Unknown(why);
        }
        let folder = self
            .path(from)
            .as_str()
            .rsplit_once('/')
            .map_or("", |it| it.0);
        let Some(path) = joined(folder, source) else {
            return ModuleFile::Outside;
        };
        let found: Vec<FileId> = candidates(&path)
            .iter()
            .filter_map(|path| self.at(path))
            .collect();
        match found[..] {
            [] => ModuleFile::Unknown(format!("there is no file `{source}`")),
            [file] if self.is_script(file) => ModuleFile::Here(file),
            [_] => ModuleFile::Outside,
            [..] => ModuleFile::Unknown(format!("several files may be `{source}`")),
        }
    }
}

/// Returns the files that may be meant by a path without an ending, or with the one of what is made from a file.
fn candidates(path: &str) -> Vec<String> {
    let mut found = vec![path.to_owned()];
    for (made, from) in MADE_FROM {
        if let Some(stem) = path.strip_suffix(made) {
            found.extend(from.iter().map(|ending| format!("{stem}{ending}")));
        }
    }
    found.extend(ENDINGS.iter().map(|ending| format!("{path}{ending}")));
    let inside = match path {
        "" => "index".to_owned(),
        path => format!("{path}/index"),
    };
    found.extend(ENDINGS.iter().map(|ending| format!("{inside}{ending}")));
    if !path.is_empty() {
        found.push(format!("{path}/package.json"));
    }
    found
}

/// Returns the path that `source` leads to from `folder`; `None` out of the repository.
fn joined(folder: &str, source: &str) -> Option<String> {
    let mut words: Vec<&str> = folder.split('/').filter(|word| !word.is_empty()).collect();
    for word in source.split('/') {
        match word {
            "" | "." => {}
            ".." => {
                words.pop()?;
            }
            word => words.push(word),
        }
    }
    Some(words.join("/"))
}
