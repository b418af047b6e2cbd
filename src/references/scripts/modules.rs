//! Which file an import leads to: what is written as a path is looked for as compilers and bundlers do.

use super::files::ScriptFiles;
use crate::references::facts::FileId;

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

/// What files are called that are taken in the place of others.
const VARIANTS: [&str; 10] = [
    "android", "browser", "client", "ios", "macos", "native", "node", "server", "web", "windows",
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

impl ScriptFiles<'_> {
    /// Says whether a file stands beside another one that is taken in its place for some systems: `m.native.ts`.
    fn has_variant(&self, file: FileId) -> bool {
        let path = self.path(file).as_str();
        let name = self.path(file).file_name();
        let stem = name.split('.').next().unwrap_or(name);
        let folder = &path[..path.len() - name.len()];
        VARIANTS.iter().any(|variant| {
            let mut endings = ENDINGS.iter();
            endings.any(|ending| {
                self.at(&format!("{folder}{stem}.{variant}{ending}"))
                    .is_some()
            })
        })
    }

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
            [file] if self.is_script(file) && self.has_variant(file) => {
                ModuleFile::Unknown(format!("which `{source}` is meant settings say"))
            }
            [file] if self.is_script(file) => ModuleFile::Here(file),
            [file] if self.path(file).file_name() == "package.json" => {
                ModuleFile::Unknown(format!("where `{source}` leads its package.json says"))
            }
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
