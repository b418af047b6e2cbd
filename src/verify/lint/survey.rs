//! Makes a `Watch`: looks at the repository for what a tool's words name, for what that loads, and so on.
//!
//! Every path is walked from the root, one name at a time, so that links are seen wherever they stand.

use std::collections::BTreeSet;

use super::loads::{Load, loads};
use super::watch::{Held, Unwatched, Watch, environment, module_in_root};
use super::words::{self, Language, Script, Words};
use crate::config::{Origin, Tool};
use crate::diagnostic::Diagnostic;
use crate::git::{Holding, Repo};
use crate::path::RepoPath;
use crate::snapshot::HashKind;

/// Most links that are followed on the way to one file, as the system has it.
const MOST_LINKS: usize = 40;
/// Most files whose text is read for what it loads.
const MOST_READ: usize = 2000;

/// Returns what decides what `tool` does, in what `holding` holds.
pub fn survey(repo: &Repo, holding: &Holding<'_>, tool: &Tool) -> Result<Watch, Diagnostic> {
    let (hash, watch) = (repo.hash_kind(), Watch::default());
    let mut survey = Survey { holding, hash, watch, queue: Vec::new(), read: BTreeSet::new() };
    survey.tool(tool)?;
    Ok(survey.watch)
}

/// Returns the parts of `path` joined, without those that mean nothing; `None` where it begins above the root or at its end.
fn normal(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn within(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Programs that do what files of the repository say, wherever those stand.
const RECIPES: [&str; 24] = [
    "make",
    "gmake",
    "just",
    "task",
    "rake",
    "tox",
    "nox",
    "invoke",
    "pre-commit",
    "npm",
    "pnpm",
    "yarn",
    "cargo",
    "go",
    "gradle",
    "gradlew",
    "mvn",
    "ninja",
    "cmake",
    "bazel",
    "composer",
    "mix",
    "dotnet",
    "meson",
];
/// Files that say which programs a preset's tool starts: aliases, wrappers, a toolchain in the repository itself.
const CHOOSING: [(&str, &[&str]); 1] =
    [("cargo", &[".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"])];
/// Presets that load no code that a repository names.
const WITHOUT_PLUGINS: [&str; 6] = ["ruff", "pyright", "black", "shellcheck", "gofmt", "clang-format"];

/// What a watch is made with.
struct Survey<'h, 'r> {
    holding: &'h Holding<'r>,
    hash: HashKind,
    watch: Watch,
    /// Scripts whose text is still to be read.
    queue: Vec<(String, Language)>,
    read: BTreeSet<String>,
}

impl Survey<'_, '_> {
    fn tool(&mut self, tool: &Tool) -> Result<(), Diagnostic> {
        let words = Words::of(tool);
        let mut from_root = words.python_from_root;
        let mut found = false;
        for script in &words.scripts {
            let there = self.is_there(script)?;
            if there || script.certain {
                from_root |= self.script(script)? && !words.python_is_safe;
            }
            found |= there;
            if there && script.certain {
                break;
            }
        }
        for module in &words.modules {
            found |= self.module(module)?;
        }
        for word in &words.companions {
            if !found && self.is_code(word)? {
                // The script of a program that is not known.
                let script = Script { word: word.clone(), language: None, certain: true, interpreted: false };
                from_root |= self.script(&script)? && !words.python_is_safe;
                found = true;
            } else {
                self.name(word)?;
            }
        }
        for word in &words.named {
            self.name(word)?;
        }
        let mut whole = false;
        for folder in &words.libraries {
            whole |= normal(folder).is_some_and(|folder| folder.is_empty());
            self.folder(folder)?;
        }
        if whole {
            self.watch.unwatched.insert(Unwatched::Root);
        } else if from_root {
            self.modules()?;
        }
        self.closure(from_root && !whole)?;
        for folder in &tool.borrows {
            self.folder(folder)?;
        }
        if tool.origin == Origin::Preset {
            self.configuration(tool)?;
            self.closure(false)?;
        }
        for folder in tool.programs.iter().map(|folder| environment(folder)) {
            if self.is_tracked(folder)? {
                self.watch.brought.insert(folder.to_owned());
            }
        }
        self.unwatched(tool, &words, found)
    }

    /// Watches what configures a preset in the root and is code itself, or says which programs run.
    fn configuration(&mut self, tool: &Tool) -> Result<(), Diagnostic> {
        for name in self.holding.tracked_names("")? {
            if tool.is_configured_by(&name) && self.is_code(&name)? {
                self.name(&name)?;
            }
        }
        let program = tool.command.first().map(String::as_str);
        for (_, names) in CHOOSING.iter().filter(|(known, _)| Some(*known) == program) {
            for name in *names {
                self.name(name)?;
            }
        }
        Ok(())
    }

    fn unwatched(&mut self, tool: &Tool, words: &Words, found: bool) -> Result<(), Diagnostic> {
        for word in &words.operands {
            if let Some(path) = self.real(word)?
                && self.is_file(&path)?
                && !self.watch.covers(&path)
            {
                self.watch.unwatched.insert(Unwatched::Operand(path));
            }
        }
        let unwatched = &mut self.watch.unwatched;
        unwatched.extend(words.texts.iter().map(|program| Unwatched::Text(program.clone())));
        let program = words.program.clone();
        if tool.origin == Origin::Preset {
            unwatched.extend((!WITHOUT_PLUGINS.contains(&program.as_str())).then_some(Unwatched::Plugins(program)));
        } else if found {
            unwatched.insert(Unwatched::Script);
        } else if RECIPES.contains(&program.as_str()) {
            unwatched.insert(Unwatched::Recipes(program));
        } else if let Some(module) = words.modules.first() {
            unwatched.insert(Unwatched::Plugins(module.clone()));
        } else if words.texts.is_empty() {
            unwatched.insert(Unwatched::Plugins(program));
        }
        Ok(())
    }

    /// Says whether something that `script` may mean is there.
    fn is_there(&mut self, script: &Script) -> Result<bool, Diagnostic> {
        for word in variants(script) {
            let Some(path) = self.real(&word)? else { continue };
            if self.is_file(&path)? || (script.interpreted && !path.is_empty() && self.is_folder(&path)?) {
                return Ok(true);
            }
            if path.is_empty() && script.interpreted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Watches a script and the folder it stands in; says whether it is a Python one in the root.
    fn script(&mut self, script: &Script) -> Result<bool, Diagnostic> {
        let mut from_root = false;
        for word in variants(script) {
            let Some(path) = normal(&word) else {
                self.leaves(&script.word);
                break;
            };
            let real = self.real(&word)?;
            if !path.is_empty() {
                self.watch.named.insert(path.clone());
            }
            let Some(real) = real else { continue };
            if script.interpreted && (real.is_empty() || self.is_folder(&real)?) {
                // A folder that is run, by what stands in it.
                from_root |= self.run_folder(&path, &real, script.language)?;
                continue;
            }
            let is_file = self.hold(&real)?;
            if !is_file && word != script.word {
                continue;
            }
            let language = match script.language {
                Some(language) => Some(language),
                None => self.language(&real)?,
            };
            for folder in BTreeSet::from([parent(&path).to_owned(), parent(&real).to_owned()]) {
                self.folder(&folder)?;
            }
            from_root |= language == Some(Language::Python) && parent(&real).is_empty();
            if language == Some(Language::Node) {
                self.packages(&path)?;
                self.packages(&real)?;
            }
            self.first_line(&real)?;
            self.queue.extend(language.filter(|_| is_file).map(|language| (real, language)));
        }
        Ok(from_root)
    }

    fn run_folder(&mut self, path: &str, real: &str, language: Option<Language>) -> Result<bool, Diagnostic> {
        let Some(language) = language else { return Ok(false) };
        self.folder(path)?;
        let names = match language {
            Language::Python => &["__main__.py"][..],
            Language::Node => &["package.json", "index.js", "index.mjs", "index.cjs"],
            Language::Ruby | Language::Shell | Language::Other => &[],
        };
        for name in names {
            let file = within(real, name);
            self.watch.named.insert(file.clone());
            if self.hold(&file)? {
                self.queue.push((file, language));
            }
        }
        if language == Language::Node {
            self.packages(&within(real, "index.js"))?;
        }
        Ok(language == Language::Python && real.is_empty())
    }

    /// Watches a Python module that is run by its name; says whether the repository holds it.
    fn module(&mut self, name: &str) -> Result<bool, Diagnostic> {
        let parts: Vec<String> = name.split('.').map(str::to_owned).collect();
        let mut files = self.import("", &parts)?;
        let place = parts.join("/");
        files.extend(self.python_files(&[format!("{place}/__main__.py")])?);
        if files.is_empty() {
            return Ok(false);
        }
        for folder in [parent(&place), place.as_str()] {
            if let Some(real) = self.real(folder)?
                && !real.is_empty()
                && self.is_folder(&real)?
            {
                self.folder(folder)?;
            }
        }
        Ok(true)
    }

    /// Watches what an import of the module `parts`, looked for in `folder`, reads; returns the files that are there.
    fn import(&mut self, folder: &str, parts: &[String]) -> Result<Vec<String>, Diagnostic> {
        let mut found = Vec::new();
        let mut place = folder.to_owned();
        for part in parts {
            place = within(&place, part);
            found.extend(self.python_files(&[format!("{place}.py"), format!("{place}/__init__.py")])?);
        }
        Ok(found)
    }

    fn python_files(&mut self, paths: &[String]) -> Result<Vec<String>, Diagnostic> {
        let mut found = Vec::new();
        for path in paths {
            self.watch.named.insert(path.clone());
            if let Some(real) = self.real(path)?
                && self.hold(&real)?
            {
                self.watch.named.insert(real.clone());
                self.queue.push((real.clone(), Language::Python));
                found.push(real);
            }
        }
        Ok(found)
    }

    /// Reads the queued scripts and watches what they load, and so on.
    fn closure(&mut self, from_root: bool) -> Result<(), Diagnostic> {
        while let Some((path, language)) = self.queue.pop() {
            if self.read.len() >= MOST_READ || !self.read.insert(path.clone()) {
                continue;
            }
            let Some(file) = RepoPath::parse(&path).ok().map(|path| self.holding.file(&path)).transpose()?.flatten()
            else {
                continue;
            };
            for load in loads(language, &String::from_utf8_lossy(&file.bytes)) {
                match load {
                    Load::Module { dots: 0, parts, items } if from_root => self.take_from("", &parts, &items)?,
                    // What is imported from the script's own folder is watched with that.
                    Load::Module { dots: 0, .. } => {}
                    Load::Module { dots, parts, items } => {
                        let folder = (1..dots).fold(parent(&path), |folder, _| parent(folder)).to_owned();
                        self.take_from(&folder, &parts, &items)?;
                    }
                    Load::Path(named) => self.loaded(&path, &named, language)?,
                }
            }
        }
        Ok(())
    }

    fn take_from(&mut self, folder: &str, parts: &[String], items: &[String]) -> Result<(), Diagnostic> {
        self.import(folder, parts)?;
        let place = parts.iter().fold(folder.to_owned(), |place, part| within(&place, part));
        for item in items {
            self.import(&place, std::slice::from_ref(item))?;
        }
        Ok(())
    }

    /// Watches what the script at `path` means by loading `named`.
    fn loaded(&mut self, path: &str, named: &str, language: Language) -> Result<(), Diagnostic> {
        // Node counts from the script, the others as well from where they are started.
        let bases = if language == Language::Node { vec![parent(path)] } else { vec![parent(path), ""] };
        for base in bases.into_iter().filter(|_| !named.starts_with('/')) {
            for ending in endings(language) {
                let Some(file) = normal(&format!("{}{ending}", within(base, named))).filter(|file| !file.is_empty())
                else {
                    continue;
                };
                let Some(real) = self.real(&file)? else { continue };
                if self.hold(&real)? {
                    self.watch.named.insert(real.clone());
                    self.queue.push((real, language));
                }
                self.watch.named.insert(file);
            }
        }
        Ok(())
    }

    /// Watches what decides for Node how a file at `path` is read and what packages it loads.
    fn packages(&mut self, path: &str) -> Result<(), Diagnostic> {
        let mut folder = path;
        while !folder.is_empty() {
            folder = parent(folder);
            self.name(&within(folder, "package.json"))?;
            self.folder(&within(folder, "node_modules"))?;
        }
        Ok(())
    }

    /// Watches the modules of the root: which there are, and what Python keeps of them.
    fn modules(&mut self) -> Result<(), Diagnostic> {
        let mut modules = BTreeSet::new();
        for name in self.holding.tracked_names("")? {
            modules.extend(module_in_root(&name));
            let Ok(path) = RepoPath::parse(&name) else { continue };
            let makes = |inside: &String| module_in_root(&format!("{name}/{inside}")).is_some();
            if self.holding.is_link(&path)? || self.holding.tracked_names(&name)?.iter().any(makes) {
                modules.insert(name);
            }
        }
        self.watch.modules = Some(modules);
        self.watch.unwatched.insert(Unwatched::Beside);
        self.folder("__pycache__")
    }

    /// Watches the file that `word` names.
    fn name(&mut self, word: &str) -> Result<(), Diagnostic> {
        let Some(path) = normal(word).filter(|path| !path.is_empty()) else { return Ok(()) };
        let real = self.real(&path)?;
        if let Some(real) = &real
            && self.is_folder(real)?
        {
            self.watch.unwatched.insert(Unwatched::Folder(path));
            return Ok(());
        }
        self.watch.named.insert(path);
        let Some(real) = real else { return Ok(()) };
        // Where it is loaded, its ending may be left out.
        let endings =
            if self.is_file(&real)? { &[""][..] } else { &["", ".js", ".cjs", ".mjs", ".json", ".ts", ".rb"] };
        for ending in endings {
            let file = format!("{real}{ending}");
            if self.hold(&file)? {
                self.queue.extend(self.language(&file)?.map(|language| (file.clone(), language)));
                self.watch.named.insert(file);
            }
        }
        self.watch.named.insert(real);
        Ok(())
    }

    /// Watches the folder that `word` names and all that is in it, unless it is the root.
    fn folder(&mut self, word: &str) -> Result<(), Diagnostic> {
        let mut open = vec![word.to_owned()];
        while let Some(word) = open.pop() {
            let Some(path) = normal(&word).filter(|path| !path.is_empty()) else { continue };
            let real = self.real(&path)?;
            let mut is_new = self.watch.folders.insert(path.clone());
            let Some(real) = real.filter(|real| !real.is_empty()) else { continue };
            if path != real {
                is_new = self.watch.folders.insert(real.clone());
            }
            if is_new {
                open.extend(self.walk(&real)?);
            }
        }
        Ok(())
    }

    /// Holds what is tracked in `folder` and below; returns the folders that links in it lead to.
    fn walk(&mut self, folder: &str) -> Result<Vec<String>, Diagnostic> {
        let mut linked = Vec::new();
        let mut open = vec![folder.to_owned()];
        while let Some(folder) = open.pop() {
            for name in self.holding.tracked_names(&folder)? {
                let path = within(&folder, &name);
                let Ok(checked) = RepoPath::parse(&path) else { continue };
                if self.holding.is_link(&checked)? {
                    let Some(real) = self.real(&path)? else { continue };
                    if self.hold(&real)? {
                        self.watch.named.insert(real);
                    } else if real.is_empty() {
                        self.watch.unwatched.insert(Unwatched::Folder(path));
                    } else if self.is_folder(&real)? && !self.watch.folders.contains(&real) {
                        linked.push(real);
                    }
                } else if !self.hold(&path)? && self.is_folder(&path)? {
                    open.push(path);
                }
            }
        }
        Ok(linked)
    }

    /// Holds the file at `path`, every folder above which is one; says whether there is one.
    fn hold(&mut self, path: &str) -> Result<bool, Diagnostic> {
        let Ok(path) = RepoPath::parse(path) else { return Ok(false) };
        let Some(id) = self.holding.file_id(&path, self.hash)? else { return Ok(false) };
        self.watch.held.insert(path, Held::File(id));
        Ok(true)
    }

    /// Returns where `path` leads, `""` being the root, and holds the links on the way; `None` when it leaves the repository.
    fn real(&mut self, path: &str) -> Result<Option<String>, Diagnostic> {
        if path.starts_with('/') {
            return Ok(None);
        }
        let mut left: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
        let mut here: Vec<String> = Vec::new();
        let mut links = 0;
        while let Some(part) = left.pop() {
            match part.as_str() {
                "" | "." => continue,
                ".." if here.pop().is_some() => continue,
                ".." => return Ok(self.leaves(path)),
                _ => here.push(part),
            }
            let Ok(at) = RepoPath::parse(&here.join("/")) else { return Ok(None) };
            let Some(target) = self.holding.link(&at)? else { continue };
            links += 1;
            self.watch.held.insert(at, Held::Link(target.clone()));
            let target =
                String::from_utf8(target).ok().filter(|target| !target.starts_with('/') && links <= MOST_LINKS);
            let Some(target) = target else { return Ok(self.leaves(path)) };
            here.pop();
            left.extend(target.split('/').rev().map(str::to_owned));
        }
        Ok(Some(here.join("/")))
    }

    fn leaves(&mut self, path: &str) -> Option<String> {
        self.watch.unwatched.insert(Unwatched::Outside(path.to_owned()));
        None
    }

    fn is_file(&self, path: &str) -> Result<bool, Diagnostic> {
        let Ok(path) = RepoPath::parse(path) else { return Ok(false) };
        self.holding.is_file(&path)
    }

    fn is_folder(&self, path: &str) -> Result<bool, Diagnostic> {
        let Ok(path) = RepoPath::parse(path) else { return Ok(false) };
        self.holding.is_folder(&path)
    }

    /// Says whether the repository holds `folder`, something in it, or a link in its place.
    fn is_tracked(&self, folder: &str) -> Result<bool, Diagnostic> {
        let Ok(path) = RepoPath::parse(folder) else { return Ok(false) };
        self.holding.tracks(&path)
    }

    /// Says whether `word` names a file that is code.
    fn is_code(&mut self, word: &str) -> Result<bool, Diagnostic> {
        let Some(real) = self.real(word)? else { return Ok(false) };
        Ok(self.is_file(&real)? && self.language(&real)?.is_some())
    }

    /// Watches what the first line of the file at `path` names of the repository to read it.
    fn first_line(&mut self, path: &str) -> Result<(), Diagnostic> {
        let Some(file) = RepoPath::parse(path).ok().map(|path| self.holding.file(&path)).transpose()?.flatten() else {
            return Ok(());
        };
        let line = file.bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        for word in line.strip_prefix("#!").unwrap_or_default().split_whitespace().filter(|word| word.contains('/')) {
            self.name(word)?;
        }
        Ok(())
    }

    /// Returns the language of the script at `path`, by its first line or its name.
    fn language(&self, path: &str) -> Result<Option<Language>, Diagnostic> {
        let by_name = match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("py") => Some(Language::Python),
            Some("js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx") => Some(Language::Node),
            Some("rb") => Some(Language::Ruby),
            Some("sh" | "bash" | "zsh" | "ksh") => Some(Language::Shell),
            Some("pl" | "php" | "lua" | "R" | "jl" | "tcl") => Some(Language::Other),
            Some(_) | None => None,
        };
        let Ok(path) = RepoPath::parse(path) else { return Ok(None) };
        let Some(file) = self.holding.file(&path)? else { return Ok(by_name) };
        let line = file.bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        Ok(words::of_first_line(&String::from_utf8_lossy(line)).or(by_name))
    }
}

/// Returns the paths that a script's word may mean.
fn variants(script: &Script) -> Vec<String> {
    let endings = if script.language == Some(Language::Node) { endings(Language::Node) } else { &[""] };
    endings.iter().map(|ending| format!("{}{ending}", script.word)).collect()
}

/// Returns what a language tries behind a path that is loaded.
fn endings(language: Language) -> &'static [&'static str] {
    match language {
        Language::Node => &[
            "",
            ".js",
            ".json",
            ".node",
            ".mjs",
            ".cjs",
            ".ts",
            ".mts",
            ".cts",
            ".tsx",
            ".jsx",
            "/package.json",
            "/index.js",
            "/index.json",
            "/index.node",
            "/index.ts",
            "/index.mjs",
            "/index.cjs",
        ],
        Language::Ruby => &["", ".rb"],
        Language::Other => &["", ".pl", ".pm", ".php", ".lua", ".jl"],
        Language::Python | Language::Shell => &[""],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;
    use crate::git::testing::Sandbox;

    /// What the repository of the tests holds, beside links `linked -> tools` and `tools/near.py -> ../lib/near.py`.
    const FILES: [(&str, &str); 15] = [
        ("a.py", "x = 1\n"),
        ("rules.py", "import helper\nfrom pkg import deep\n"),
        ("helper.py", "import csv\n"),
        ("pkg/__init__.py", ""),
        ("pkg/deep.py", "from . import more\n"),
        ("pkg/more.py", ""),
        ("pkg/other.py", ""),
        ("tools/rules.py", ""),
        ("tools/deep/words.py", ""),
        ("lib/near.py", ""),
        ("js/rules.js", "require('../lib/far')\n"),
        ("lib/far.js", ""),
        ("package.json", "{}\n"),
        ("check", "#!/bin/sh\n. lib/x.sh\n"),
        ("lib/x.sh", ""),
    ];

    #[track_caller]
    fn check(command: &[&str], held: &[&str], covered: &[&str], left: &[&str]) {
        let sandbox = Sandbox::with(&[], &FILES);
        std::os::unix::fs::symlink("tools", sandbox.root().join("linked")).unwrap();
        std::os::unix::fs::symlink("../lib/near.py", sandbox.root().join("tools/near.py")).unwrap();
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "-qm", "links"]);
        let words = command.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
        let text = format!("version: 1\nvalidators: [{{name: x, command: [{words}]}}]\n");
        let tool = config::read(text.as_bytes()).unwrap().validators.remove(0).tool;
        let repo = sandbox.repo();
        for source in [None, Some("HEAD"), Some("")] {
            let holding = repo.holding(&repo.source_of(source).unwrap()).unwrap();
            let watch = survey(&repo, &holding, &tool).unwrap();
            let found: Vec<&str> = watch.held().keys().map(RepoPath::as_str).collect();
            assert_eq!(found, held, "{command:?} {source:?}");
            for (paths, expected) in [(covered, true), (left, false)] {
                for path in paths {
                    assert_eq!(watch.covers(path), expected, "{command:?} {path}");
                }
            }
        }
    }

    #[test]
    fn what_decides_is_what_runs_and_not_what_is_judged() {
        let tools = ["lib/near.py", "tools/deep/words.py", "tools/near.py", "tools/rules.py"];
        check(
            &["python3", "tools/rules.py", "a.py"],
            &tools,
            &["tools/new.py", "tools/deep/new.py"],
            &["a.py", "lib/x.sh"],
        );
        let linked = ["lib/near.py", "linked", "tools/deep/words.py", "tools/near.py", "tools/rules.py"];
        check(&["env", "python3", "-W", "error", "linked/rules.py"], &linked, &["tools/new.py", "linked"], &["a.py"]);
        check(
            &["python3", "-m", "tools.rules"],
            &tools,
            &["tools/__init__.py", "tools/rules/__main__.py", "tools.py"],
            &["a.py"],
        );
        let root = ["helper.py", "pkg/__init__.py", "pkg/deep.py", "pkg/more.py", "rules.py"];
        check(
            &["python3", "rules.py", "{files}"],
            &root,
            &["csv.py", "csv/__init__.py", "helper/__init__.py"],
            &["a.py", "pkg/other.py"],
        );
        check(
            &["node", "js/rules", "{files}"],
            &["js/rules.js", "lib/far.js", "package.json"],
            &["js/new.js", "node_modules/x/index.js", "lib/far"],
            &["a.py", "far.js"],
        );
        check(&["./check", "{files}"], &["check", "lib/x.sh"], &["check"], &["a.py", "lib/new.sh"]);
        check(&["mylint", "--config=package.json", "a.py"], &["package.json"], &["package.json"], &["a.py"]);
        check(&["mylint", "-c", "missing.cfg", "{files}"], &[], &["missing.cfg"], &["a.py"]);
        check(&["mylint", "tools/rules.py", "{files}"], &tools, &["tools/new.py"], &["a.py"]);
        check(&["node", "{files}"], &[], &[], &["a.js"]);
        check(&["sh", "-c", "./check"], &[], &[], &["check"]);
    }

    #[test]
    fn a_new_module_in_the_root_may_be_found_first() {
        let sandbox = Sandbox::with(&[], &FILES);
        let repo = sandbox.repo();
        let holding = repo.holding(&repo.source_of(Some("HEAD")).unwrap()).unwrap();
        let check = |command: &str, path: &str, expected: Option<&str>| {
            let text = format!("version: 1\nvalidators: [{{name: x, command: [{command}, \"{{files}}\"]}}]\n");
            let tool = config::read(text.as_bytes()).unwrap().validators.remove(0).tool;
            let watch = survey(&repo, &holding, &tool).unwrap();
            assert_eq!(watch.shadowed(path).as_deref(), expected, "{command} {path}");
        };
        for command in ["python3, rules.py", "python3, -m, flake8", "python3, -c, x", "env, python3, -um, tools.rules"]
        {
            check(command, "yaml.py", Some("yaml"));
            check(command, "yaml/__init__.py", Some("yaml"));
            check(command, "yaml.cpython-312-x86_64-linux-gnu.so", Some("yaml"));
            check(command, "tools/__init__.py", Some("tools"));
            // There already.
            check(command, "a.pyc", None);
            check(command, "pkg/__init__.pyc", None);
            // No module of the root.
            for path in ["yaml/data.py", "src/yaml/__init__.py", "yaml.txt", "README"] {
                check(command, path, None);
            }
        }
        for command in
            ["python3, -P, rules.py", "python3, -Im, flake8", "python3, tools/rules.py", "node, x.js", "sh, x.sh"]
        {
            check(command, "yaml.py", None);
        }
    }

    #[test]
    fn words_are_paths_in_many_spellings() {
        for (word, expected) in [
            ("./a//b/../c", Some("a/c")),
            ("a/.", Some("a")),
            (".", Some("")),
            ("..", None),
            ("a/../../b", None),
            ("/a", None),
        ] {
            assert_eq!(normal(word).as_deref(), expected, "{word}");
        }
    }
}
