//! Makes a `Watch`: looks at the repository for what a tool's words name, for what that loads, and so on.
//!
//! Every path is walked from the root, one name at a time, so that links are seen wherever they stand.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::command_words::{self, CommandWords, Script, ScriptLanguage};
use super::own_programs;
use super::script_loads::{Load, Mention, find_loads};
use super::watch::{
    KEPT, Unwatched, Watch, WatchedFile, environment_folder, is_below, module_name, module_of,
};
use crate::config::{CommandOrigin, Tool};
use crate::diagnostic::Diagnostic;
use crate::git::{Holding, Repo};
use crate::path::RepoPath;
use crate::snapshot::{HashKind, Id};
use crate::syntax::python::PythonImport;

/// Most links that are followed on the way to one file, as the system has it.
const MOST_LINKS: usize = 40;
/// Most files whose text is read for what it loads, and the longest that is.
const MOST_READ: usize = 2000;
const LONGEST_READ: usize = 1 << 20;
/// Most names of scripts that are looked up, for all tools together.
const MOST_LOOKED_UP: usize = 100_000;
/// Most folders from which the words of one script are looked up.
const MOST_BASES: usize = 16;
/// Most folders above a script from which they are.
const MOST_ABOVE: usize = 4;
/// How many texts are read that stand in each other: `sh -c "python3 -c '…'"`.
const DEEPEST: usize = 4;

/// Returns what decides what `tool` does, in what `holding` holds.
pub(super) fn survey(
    repo: &Repo,
    holding: &Holding<'_>,
    tool: &Tool,
    seen: &mut Seen,
) -> Result<Watch, Diagnostic> {
    let mut survey = WatchSurvey {
        holding,
        hash: repo.hash_kind(),
        seen,
        context: tool,
        watch: Watch::default(),
        queue: Vec::new(),
        read: BTreeSet::new(),
        absolute: BTreeSet::new(),
        beside: BTreeSet::new(),
        linked: BTreeMap::new(),
        started: BTreeSet::new(),
    };
    for folder in &tool.borrows {
        survey
            .linked
            .extend(own_programs::leading_in(repo, folder)?);
    }
    survey.tool(tool)?;
    Ok(survey.watch)
}

/// Returns the parts of `path` joined, without those that mean nothing; `None` where it begins above the root or at its end.
fn normalize_path(path: &str) -> Option<String> {
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

fn parent_folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn join_within(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
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
/// Endings of code beside those of scripts, and of what is none whatever its first line says.
const CODE: [&str; 22] = [
    "awk", "mk", "pm", "sed", "jq", "ps1", "psm1", "rake", "gemspec", "ru", "groovy", "gradle",
    "kts", "exs", "ex", "clj", "scm", "el", "vim", "bat", "cmd", "fish",
];
const DATA: [&str; 8] = ["md", "txt", "rst", "json", "yaml", "yml", "toml", "html"];
/// Runners that start what a package offers.
const OFFERING: [&str; 6] = ["npx", "npm", "pnpm", "yarn", "bunx", "bun"];
/// Files that say which programs a known one starts: aliases, wrappers, a toolchain in the repository itself, a build.
const CHOOSING: [(&[&str], &[&str]); 6] = [
    // What rustup puts in the place of each asks the same files.
    (
        &[
            "cargo",
            "cargo-fmt",
            "cargo-clippy",
            "clippy-driver",
            "rustfmt",
            "rustc",
            "rustdoc",
            "rust-analyzer",
        ],
        &[
            ".cargo/config.toml",
            ".cargo/config",
            "rust-toolchain.toml",
            "rust-toolchain",
        ],
    ),
    (&["rust-analyzer"], &["rust-analyzer.toml"]),
    // The shell that runs scripts, options of Node, hooks of an installation.
    (
        &OFFERING,
        &[
            ".npmrc",
            ".yarnrc",
            ".yarnrc.yml",
            ".pnpmfile.cjs",
            "bunfig.toml",
        ],
    ),
    // What `run` installs and from where.
    (&["uv", "uvx"], &["pyproject.toml", "uv.toml", "uv.lock"]),
    (
        &["clangd"],
        &[".clangd", "compile_commands.json", "compile_flags.txt"],
    ),
    (
        &["jdtls"],
        &[
            "build.gradle",
            "build.gradle.kts",
            "gradle/wrapper/gradle-wrapper.jar",
            "gradle/wrapper/gradle-wrapper.properties",
            "gradlew",
            "pom.xml",
            "settings.gradle",
            "settings.gradle.kts",
        ],
    ),
];
/// Folders from which a program starts another, if it is there.
const STARTING: [(&str, &[&str]); 1] = [(
    "typescript-language-server",
    &[
        "node_modules/typescript",
        ".yarn/sdks/typescript",
        ".vscode/pnpify/typescript",
    ],
)];
/// Presets that load no code that a repository names.
const WITHOUT_PLUGINS: [&str; 6] = [
    "ruff",
    "pyright",
    "black",
    "shellcheck",
    "gofmt",
    "clang-format",
];

/// Returns those of the programs of `CHOOSING` and `STARTING` that `text` names, as a word of a command or the last part of one.
fn known_programs(text: &str) -> impl Iterator<Item = &'static str> {
    let is_of_name = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '.');
    let words: HashSet<&str> = text.split(|sign| !is_of_name(sign)).collect();
    let chosen = CHOOSING.iter().flat_map(|(known, _)| *known).copied();
    let known = chosen.chain(STARTING.iter().map(|(known, _)| *known));
    known.filter(move |known| words.contains(known))
}

/// What says for Node what a folder is as a package.
const PACKAGE: &str = "package.json";

/// What was looked up for the tools of one configuration, and how much more may be.
pub(super) struct Seen {
    links: HashMap<String, Option<Vec<u8>>>,
    ids: HashMap<String, Option<Id>>,
    names: HashMap<String, Rc<Vec<String>>>,
    /// Paths that lead through no link.
    plain: HashSet<String>,
    packages: HashMap<String, Rc<serde_json::Value>>,
    left: usize,
}

impl Seen {
    /// Returns a beginning.
    pub(super) fn new() -> Seen {
        Seen {
            links: HashMap::new(),
            ids: HashMap::new(),
            names: HashMap::new(),
            plain: HashSet::new(),
            packages: HashMap::new(),
            left: MOST_LOOKED_UP,
        }
    }
}

/// What a watch is made with.
struct WatchSurvey<'h, 'r> {
    holding: &'h Holding<'r>,
    hash: HashKind,
    seen: &'h mut Seen,
    context: &'h Tool,
    watch: Watch,
    /// Scripts whose text is still to be read.
    queue: Vec<(String, ScriptLanguage)>,
    read: BTreeSet<String>,
    /// The Python modules that were imported by their full names.
    absolute: BTreeSet<PythonImport>,
    /// Folders of Python scripts, other than the root: there modules are looked for first.
    beside: BTreeSet<String>,
    /// The packages that the tool is lent by a link to what is tracked, and where that is.
    linked: BTreeMap<String, String>,
    /// The known programs that a script or a text names.
    started: BTreeSet<&'static str>,
}

impl WatchSurvey<'_, '_> {
    fn tool(&mut self, tool: &Tool) -> Result<(), Diagnostic> {
        let words = CommandWords::of(tool);
        let start = self.real(&words.start)?.unwrap_or_default();
        let mut from_root = false;
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
            found |= self.module(&start, module)?;
        }
        if words
            .programs
            .iter()
            .any(|program| OFFERING.contains(&program.as_str()))
        {
            self.name(PACKAGE)?;
            for file in string_values(&self.package_json(PACKAGE)?["bin"]) {
                self.loaded(PACKAGE, &file, ScriptLanguage::Node, false)?;
            }
        }
        for word in &words.companions {
            if !found && self.is_code(word)? {
                // The script of a program that is not known.
                let script = Script {
                    word: word.clone(),
                    language: None,
                    certain: true,
                    interpreted: false,
                };
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
            whole |= normalize_path(folder).is_some_and(|folder| folder.is_empty());
            self.folder(folder)?;
        }
        if whole {
            self.watch.unwatched.insert(Unwatched::Root);
        } else {
            let searched = [(from_root, ""), (words.python_from_start, start.as_str())];
            for (_, folder) in searched.into_iter().filter(|(looks, _)| *looks) {
                self.search(folder)?;
            }
        }
        for given in &words.texts {
            self.text_at(
                &join_within(&start, "-"),
                given.language,
                &given.text,
                Some((std::slice::from_ref(&start), 0)),
            )?;
        }
        self.closure()?;
        for folder in &tool.borrows {
            self.folder(folder)?;
        }
        self.choosing(tool, &start)?;
        if tool.origin == CommandOrigin::Preset {
            self.configuration(tool)?;
        }
        self.closure()?;
        for folder in tool
            .programs
            .iter()
            .map(|folder| environment_folder(folder))
        {
            if self.is_tracked(folder)? {
                self.watch.brought.insert(folder.to_owned());
            }
        }
        self.unwatched(tool, &words, found)
    }

    /// Watches what configures a preset in the root and is code itself.
    fn configuration(&mut self, tool: &Tool) -> Result<(), Diagnostic> {
        for name in self.holding.tracked_names("")? {
            if tool.is_configured_by(&name) && self.is_code(&name)? {
                self.name(&name)?;
            }
            if tool.is_configured_by(&name) && !self.linked.is_empty() {
                self.linked_by(&name)?;
            }
        }
        Ok(())
    }

    /// Watches what says which programs a known one starts, whoever wrote its command. It is looked for where the program is started, and
    /// in the root.
    fn choosing(&mut self, tool: &Tool, start: &str) -> Result<(), Diagnostic> {
        // Whatever starts it: `env`, `nice`, `timeout`, a shell.
        self.started
            .extend(tool.command.iter().flat_map(|word| known_programs(word)));
        let started = std::mem::take(&mut self.started);
        let is_started = |known: &&str| started.contains(known);
        let chosen = CHOOSING
            .iter()
            .filter(|(known, _)| known.iter().any(is_started));
        let mut folders = vec![""];
        folders.extend((!start.is_empty()).then_some(start));
        for name in chosen.flat_map(|(_, names)| *names) {
            for folder in &folders {
                self.name(&join_within(folder, name))?;
            }
        }
        for (_, value) in tool.env.iter().filter(|(name, _)| *name == "CARGO_HOME") {
            for name in ["config.toml", "config"] {
                self.name(&join_within(value, name))?;
            }
        }
        for (_, folders) in STARTING.iter().filter(|(known, _)| is_started(known)) {
            for folder in *folders {
                self.folder(folder)?;
            }
        }
        Ok(())
    }

    fn unwatched(
        &mut self,
        tool: &Tool,
        words: &CommandWords,
        found: bool,
    ) -> Result<(), Diagnostic> {
        for word in &words.operands {
            if let Some(path) = self.real(word)?
                && self.is_file(&path)?
                && !self.watch.covers(&path)
            {
                self.watch.unwatched.insert(Unwatched::Operand(path));
            }
        }
        let unwatched = &mut self.watch.unwatched;
        unwatched.extend(
            words
                .texts
                .iter()
                .map(|text| Unwatched::Text(text.program.clone())),
        );
        let program = words.program.clone();
        if tool.origin == CommandOrigin::Preset {
            unwatched.extend(
                (!WITHOUT_PLUGINS.contains(&program.as_str()))
                    .then_some(Unwatched::Plugins(program)),
            );
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
        for word in name_variants(script) {
            let Some(path) = self.real(&word)? else {
                continue;
            };
            if self.is_file(&path)?
                || (script.interpreted && !path.is_empty() && self.is_folder(&path)?)
            {
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
        for word in name_variants(script) {
            let Some(path) = normalize_path(&word) else {
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
            for folder in BTreeSet::from([
                parent_folder(&path).to_owned(),
                parent_folder(&real).to_owned(),
            ]) {
                self.folder(&folder)?;
            }
            if language == Some(ScriptLanguage::Python) {
                from_root |= parent_folder(&real).is_empty();
                let folders = [parent_folder(&path), parent_folder(&real)]
                    .into_iter()
                    .filter(|folder| !folder.is_empty());
                self.beside.extend(folders.map(str::to_owned));
            }
            if language == Some(ScriptLanguage::Node) {
                self.packages(&path)?;
                self.packages(&real)?;
            }
            self.first_line(&real)?;
            self.queue.extend(
                language
                    .filter(|_| is_file)
                    .map(|language| (real, language)),
            );
        }
        Ok(from_root)
    }

    fn run_folder(
        &mut self,
        path: &str,
        real: &str,
        language: Option<ScriptLanguage>,
    ) -> Result<bool, Diagnostic> {
        let Some(language) = language else {
            return Ok(false);
        };
        self.folder(path)?;
        let names = match language {
            ScriptLanguage::Python => &["__main__.py"][..],
            ScriptLanguage::Node => &["package.json", "index.js", "index.mjs", "index.cjs"],
            ScriptLanguage::Ruby | ScriptLanguage::Shell | ScriptLanguage::Other => &[],
        };
        for name in names {
            let file = join_within(real, name);
            self.watch.named.insert(file.clone());
            if self.hold(&file)? {
                self.queue.push((file, language));
            }
        }
        if language == ScriptLanguage::Node {
            self.packages(&join_within(real, "index.js"))?;
            let package = join_within(real, PACKAGE);
            for file in package_files(&*self.package_json(&package)?, None) {
                self.loaded(&package, &file, language, false)?;
            }
        }
        Ok(language == ScriptLanguage::Python && real.is_empty())
    }

    /// Watches a Python module that is run by its name, from `start`; says whether the repository holds it.
    fn module(&mut self, start: &str, name: &str) -> Result<bool, Diagnostic> {
        let parts: Vec<String> = name.split('.').map(str::to_owned).collect();
        let mut is_there = self.import(start, &parts)?;
        let place = parts
            .iter()
            .fold(start.to_owned(), |place, part| join_within(&place, part));
        is_there |= self.imported(&join_within(&place, "__main__"))?;
        if !is_there {
            return Ok(false);
        }
        for folder in [parent_folder(&place), place.as_str()] {
            if let Some(real) = self.real(folder)?
                && !real.is_empty()
                && self.is_folder(&real)?
            {
                self.folder(folder)?;
            }
        }
        Ok(true)
    }

    /// Watches what an import of the module `parts`, looked for in `folder`, reads; says whether any of it is there.
    fn import(&mut self, folder: &str, parts: &[String]) -> Result<bool, Diagnostic> {
        let mut is_there = false;
        let mut place = folder.to_owned();
        for part in parts {
            place = join_within(&place, part);
            is_there |= self.imported(&place)?;
        }
        Ok(is_there)
    }

    /// Watches the module that would be at `place`, in every form in which Python finds one; says whether there is one.
    fn imported(&mut self, place: &str) -> Result<bool, Diagnostic> {
        let mut is_there = false;
        if !self.may_look() {
            return Ok(false);
        }
        self.watch.imported.insert(place.to_owned());
        let name = place.rsplit_once('/').map_or(place, |(_, name)| name);
        for (folder, wanted) in [(parent_folder(place), name), (place, "__init__")] {
            let Some(real) = self.real(folder)? else {
                continue;
            };
            self.watch.imported.insert(if wanted == name {
                join_within(&real, name)
            } else {
                real.clone()
            });
            let Some(kept) = self.real(&join_within(&real, KEPT))? else {
                continue;
            };
            for folder in [real, kept] {
                for found in self.names(&folder)?.iter() {
                    if module_name(found) != Some(wanted) {
                        continue;
                    }
                    let Some(file) = self.real(&join_within(&folder, found))? else {
                        continue;
                    };
                    if self.hold(&file)? {
                        is_there = true;
                        self.watch.named.insert(file.clone());
                        self.queue.extend(
                            file.ends_with(".py")
                                .then_some((file, ScriptLanguage::Python)),
                        );
                    }
                }
            }
        }
        Ok(is_there)
    }

    /// Reads the queued scripts and watches what they load, and so on.
    fn closure(&mut self) -> Result<(), Diagnostic> {
        while let Some((path, language)) = self.queue.pop() {
            if self.read.len() >= MOST_READ || !self.read.insert(path.clone()) {
                continue;
            }
            let Some(text) = self.text(&path)? else {
                continue;
            };
            if text.len() > LONGEST_READ {
                self.watch.unwatched.insert(Unwatched::Much);
                continue;
            }
            if language == ScriptLanguage::Node {
                self.packages(&path)?;
            }
            self.first_line(&path)?;
            self.text_at(&path, language, &text, None)?;
        }
        Ok(())
    }

    /// Watches what the `text` loads that stands at `path`: in a file or, with `outer`, in a text that is started from any of
    /// these folders.
    fn text_at(
        &mut self,
        path: &str,
        language: ScriptLanguage,
        text: &str,
        outer: Option<(&[String], usize)>,
    ) -> Result<(), Diagnostic> {
        let (starts, depth) = outer.unwrap_or_default();
        self.started.extend(known_programs(text));
        let loads = find_loads(language, text);
        let mut bases = if outer.is_some() {
            starts.to_vec()
        } else {
            vec![parent_folder(path).to_owned()]
        };
        for load in &loads {
            // A preset's configuration names what is judged.
            let Load::Mentioned(mentions, run) = load else {
                continue;
            };
            if self.context.origin == CommandOrigin::Preset {
                continue;
            }
            if depth == 0 {
                bases = self.mentioned(path, mentions, language, *run)?;
            } else if language == ScriptLanguage::Shell {
                // The folders that it goes into; most words were looked up with the text around it.
                for start in starts {
                    let more =
                        self.mentioned(&join_within(start, "-"), mentions, language, *run)?;
                    bases.extend(more.into_iter().filter(|base| !starts.contains(base)));
                }
                bases.sort();
                bases.dedup();
                bases.truncate(MOST_BASES);
            }
        }
        for load in loads {
            match load {
                Load::Module(import) if import.dots == 0 => {
                    // The script's own folder is watched as a whole, but what is loaded from there may load more.
                    let known = self.watch.searched.union(&self.beside).map(String::as_str);
                    let folders: BTreeSet<String> = known
                        .chain(starts.iter().map(String::as_str))
                        .map(str::to_owned)
                        .collect();
                    for folder in folders {
                        // Where a text is run, any module may be found that stands there.
                        if self.take_from(&folder, &import)? && starts.contains(&folder) {
                            self.search(&folder)?;
                        }
                    }
                    self.absolute.insert(import);
                }
                Load::Module(import) => {
                    let folder = (1..import.dots)
                        .fold(parent_folder(path), |folder, _| parent_folder(folder))
                        .to_owned();
                    self.take_from(&folder, &import)?;
                }
                Load::Path(named) => {
                    // A name that is computed behind the folder's: `require('../lib/' + name)`, `Dir['lib/*.rb']`.
                    if let Some((folder, rest)) = named.rsplit_once('/')
                        && (rest.is_empty() || rest.contains('*'))
                        && language != ScriptLanguage::Shell
                    {
                        for base in BTreeSet::from([parent_folder(path), ""]) {
                            if self
                                .real(&join_within(base, folder))?
                                .is_some_and(|real| !real.is_empty())
                            {
                                self.folder(&join_within(base, folder))?;
                            }
                        }
                    }
                    self.loaded(path, &named, language, true)?;
                    if language != ScriptLanguage::Node {
                        // Behind a variable that holds one of the folders.
                        for base in bases
                            .iter()
                            .filter(|base| !base.is_empty() && *base != parent_folder(path))
                        {
                            self.loaded(&join_within(base, "-"), &named, language, true)?;
                        }
                    }
                }
                Load::Command(command) => self.started(&bases, &command, depth)?,
                Load::Text(inner, text) => self.handed(&bases, inner, &text, depth)?,
                Load::Package(named) => {
                    self.package(path, &named)?;
                    self.linked(&named)?;
                }
                Load::Searched(words) => self.search_more(path, &words)?,
                Load::Library(named) => {
                    for base in BTreeSet::from([parent_folder(path), ""]) {
                        self.folder(&join_within(base, &named))?;
                    }
                }
                Load::Mentioned(..) => {}
            }
        }
        Ok(())
    }

    /// Watches what a text loads that is handed to an interpreter, which is started in any of the folders `starts`.
    fn handed(
        &mut self,
        starts: &[String],
        language: ScriptLanguage,
        text: &str,
        depth: usize,
    ) -> Result<(), Diagnostic> {
        if depth >= DEEPEST {
            self.watch.unwatched.insert(Unwatched::Much);
            return Ok(());
        }
        for start in starts.iter().filter(|_| language == ScriptLanguage::Node) {
            // From where it is started.
            self.text_at(
                &join_within(start, "-"),
                language,
                text,
                Some((std::slice::from_ref(start), depth + 1)),
            )?;
        }
        if language != ScriptLanguage::Node {
            self.text_at("-", language, text, Some((starts, depth + 1)))?;
        }
        Ok(())
    }

    /// Says whether one more name may be looked up; says aloud when not.
    fn may_look(&mut self) -> bool {
        if self.seen.left == 0 {
            self.watch.unwatched.insert(Unwatched::Much);
            return false;
        }
        self.seen.left -= 1;
        true
    }

    /// Watches the code that words of the script at `path` name: from its folder, from the root, and from folders that they name
    /// from there. Returns those folders.
    fn mentioned(
        &mut self,
        path: &str,
        mentions: &[Mention],
        language: ScriptLanguage,
        run: bool,
    ) -> Result<Vec<String>, Diagnostic> {
        let mut bases = vec![parent_folder(path).to_owned()];
        if !bases.iter().any(String::is_empty) {
            bases.push(String::new());
            let above = std::iter::successors(Some(parent_folder(path)), |folder| {
                Some(parent_folder(folder))
            });
            bases.extend(
                above
                    .skip(1)
                    .take_while(|folder| !folder.is_empty())
                    .take(MOST_ABOVE)
                    .map(str::to_owned),
            );
        }
        let mut at = 0;
        while let Some(base) = bases.get(at).cloned() {
            at += 1;
            for mention in mentions
                .iter()
                .filter(|mention| mention.is_stem || language == ScriptLanguage::Shell)
            {
                let Some(place) = normalize_path(&join_within(&base, &mention.word)) else {
                    continue;
                };
                if bases.len() < MOST_BASES
                    && self.may_look()
                    && let Some(real) = self.real(&place)?
                    && !bases.contains(&real)
                    && self.is_folder(&real)?
                {
                    bases.push(real);
                }
            }
        }
        for base in bases.clone() {
            for mention in mentions {
                let Some(place) = normalize_path(&join_within(&base, &mention.word))
                    .filter(|place| !place.is_empty())
                else {
                    continue;
                };
                if !self.may_look() {
                    return Ok(bases);
                }
                let Some(folder) = self.real(parent_folder(&place))? else {
                    continue;
                };
                let name = place
                    .rsplit_once('/')
                    .map_or(place.as_str(), |(_, name)| name);
                let names = self.names(&folder)?;
                let first = names.partition_point(|known| known.as_str() < name);
                if names
                    .get(first)
                    .is_none_or(|known| !known.starts_with(name))
                {
                    continue;
                }
                let ways = if mention.is_stem {
                    suffixes_of(language)
                } else {
                    &[""]
                };
                for ending in ways.iter().filter(|ending| **ending != "/package.json") {
                    let (inside, file) = match ending.strip_prefix('/') {
                        Some(file) => (join_within(&folder, name), file.to_owned()),
                        None => (folder.clone(), format!("{name}{ending}")),
                    };
                    if self.names(&inside)?.binary_search(&file).is_ok() {
                        self.code(&join_within(&inside, &file), run || !ending.is_empty())?;
                    }
                }
            }
        }
        Ok(bases)
    }

    /// Watches the file at `path` if it is code. What the tool judges it reads as well, so that naming it says nothing: it has to
    /// be `run`.
    fn code(&mut self, path: &str, run: bool) -> Result<(), Diagnostic> {
        let Some(real) = self
            .real(path)?
            .filter(|real| run || !self.context.wants(real))
        else {
            return Ok(());
        };
        let ending = real
            .rsplit('/')
            .next()
            .and_then(|name| name.rsplit_once('.'))
            .map(|(_, ending)| ending);
        let is_other = ending.is_some_and(|ending| CODE.contains(&ending));
        // What has an ending of its own says so by that.
        let language = if is_other {
            Some(ScriptLanguage::Other)
        } else {
            self.language(&real)?
        };
        let Some(language) =
            language.filter(|_| is_other || ending.is_none_or(|ending| !DATA.contains(&ending)))
        else {
            return Ok(());
        };
        if self.hold(&real)? {
            self.watch.named.insert(real.clone());
            self.queue.push((real, language));
        }
        Ok(())
    }

    /// Watches the scripts that `command` starts, from any of the folders `starts`.
    fn started(
        &mut self,
        starts: &[String],
        command: &[String],
        depth: usize,
    ) -> Result<(), Diagnostic> {
        for start in starts {
            if !self.may_look() {
                return Ok(());
            }
            let words = CommandWords::of_command(command, start);
            for folder in &words.libraries {
                self.folder(folder)?;
            }
            let mut is_there = false;
            // What leads out of the repository from here is meant from elsewhere.
            for script in words
                .scripts
                .iter()
                .filter(|script| normalize_path(&script.word).is_some())
            {
                if self.is_there(script)? {
                    is_there = true;
                    if self.script(script)? && !words.python_is_safe {
                        self.search("")?;
                    }
                } else if script.word.contains('/') {
                    // Not there yet: a batch that creates it would have it run.
                    self.name(&script.word)?;
                }
            }
            for module in &words.modules {
                is_there |= self.module(start, module)?;
            }
            for file in &words.programs_of {
                if let Some(file) = normalize_path(file).filter(|file| !file.is_empty())
                    && self.is_file(&file)?
                {
                    self.code(&file, true)?;
                }
            }
            if is_there && words.python_from_start {
                self.search(start)?;
            }
            let start = self.real(&words.start)?.unwrap_or_default();
            for given in &words.texts {
                self.handed(
                    std::slice::from_ref(&start),
                    given.language,
                    &given.text,
                    depth,
                )?;
            }
        }
        Ok(())
    }

    /// Returns the text of the file at `path`.
    fn text(&self, path: &str) -> Result<Option<String>, Diagnostic> {
        let Ok(path) = RepoPath::parse(path) else {
            return Ok(None);
        };
        let file = self.holding.file(&path)?;
        Ok(file.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()))
    }

    /// Returns what the `package.json` at `path` says; nothing where there is none that can be read.
    fn package_json(&mut self, path: &str) -> Result<Rc<serde_json::Value>, Diagnostic> {
        if let Some(known) = self.seen.packages.get(path) {
            return Ok(Rc::clone(known));
        }
        let text = if self.is_named(path)? {
            self.text(path)?
        } else {
            None
        };
        let package = Rc::new(
            text.and_then(|text| serde_json::from_str(&text).ok())
                .unwrap_or_default(),
        );
        self.seen
            .packages
            .insert(path.to_owned(), Rc::clone(&package));
        Ok(package)
    }

    /// Watches what the Python script at `path` may add to where modules are looked for: the folders above it, and those of
    /// its texts `words` that name a folder from there.
    fn search_more(&mut self, path: &str, words: &[String]) -> Result<(), Diagnostic> {
        let mut above = vec![parent_folder(path).to_owned()];
        while let Some(folder) = above.last().filter(|folder| !folder.is_empty()) {
            above.push(parent_folder(folder).to_owned());
        }
        let mut found: BTreeSet<String> = above.iter().skip(1).cloned().collect();
        for (word, folder) in words
            .iter()
            .flat_map(|word| above.iter().map(move |folder| (word, folder)))
        {
            let Some(place) = normalize_path(&join_within(folder, word)) else {
                continue;
            };
            if self.may_look()
                && let Some(real) = self.real(&place)?
                && self.is_folder(&real)?
            {
                found.extend([place, real]);
            }
        }
        for folder in found {
            self.search(&folder)?;
        }
        Ok(())
    }

    /// Watches what an import looked for in `folder` reads; says whether any of it is there.
    fn take_from(&mut self, folder: &str, import: &PythonImport) -> Result<bool, Diagnostic> {
        let mut is_there = self.import(folder, &import.parts)?;
        let place = import
            .parts
            .iter()
            .fold(folder.to_owned(), |place, part| join_within(&place, part));
        for item in &import.items {
            if item == "*" && self.is_folder(&place)? {
                self.folder(&place)?;
                is_there = true;
            } else if item != "*" {
                is_there |= self.import(&place, std::slice::from_ref(item))?;
            }
        }
        Ok(is_there)
    }

    /// Watches what the script at `path` means by loading `named`; `packages` when that may be a folder which says itself what of
    /// it is loaded.
    fn loaded(
        &mut self,
        path: &str,
        named: &str,
        language: ScriptLanguage,
        packages: bool,
    ) -> Result<(), Diagnostic> {
        // Node counts from the script, the others as well from where they are started.
        let bases = if language == ScriptLanguage::Node {
            vec![parent_folder(path)]
        } else {
            vec![parent_folder(path), ""]
        };
        for base in bases.into_iter().filter(|_| !named.starts_with('/')) {
            for ending in suffixes_of(language)
                .iter()
                .filter(|ending| packages || **ending != "/package.json")
            {
                if !self.may_look() {
                    return Ok(());
                }
                let Some(file) = normalize_path(&format!("{}{ending}", join_within(base, named)))
                    .filter(|file| !file.is_empty())
                else {
                    continue;
                };
                let Some(real) = self.real(&file)? else {
                    continue;
                };
                if self.hold(&real)? {
                    self.watch.named.insert(real.clone());
                    if *ending == "/package.json" {
                        // A folder that is loaded: it says which of its files that is.
                        for file in package_files(&*self.package_json(&real)?, None) {
                            self.loaded(&real, &file, language, false)?;
                        }
                    } else {
                        self.queue.push((real, language));
                    }
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
            folder = parent_folder(folder);
            self.name(&join_within(folder, PACKAGE))?;
            self.folder(&join_within(folder, "node_modules"))?;
        }
        Ok(())
    }

    /// Watches what the script at `path` means by the package `named`, where a `package.json` above it says so: `#name` for one
    /// of its `imports`, or its own name. Those in `node_modules` are watched with that.
    fn package(&mut self, path: &str, named: &str) -> Result<(), Diagnostic> {
        let mut folder = path;
        while !folder.is_empty() {
            folder = parent_folder(folder);
            if !self.may_look() {
                return Ok(());
            }
            for file in package_files(
                &*self.package_json(&join_within(folder, PACKAGE))?,
                Some(named),
            ) {
                self.loaded(
                    &join_within(folder, PACKAGE),
                    &file,
                    ScriptLanguage::Node,
                    true,
                )?;
            }
        }
        Ok(())
    }

    /// Watches a folder in which Python looks for every module: which there are, and those that were imported by name.
    fn search(&mut self, folder: &str) -> Result<(), Diagnostic> {
        if self
            .watch
            .folders
            .iter()
            .any(|known| known == folder || is_below(folder, known))
            || !self.watch.searched.insert(folder.to_owned())
        {
            return Ok(());
        }
        for name in self.names(folder)?.iter() {
            let place = join_within(folder, name);
            if let Some(module) = module_of(&place) {
                self.watch.modules.insert(module);
            }
            let Ok(path) = RepoPath::parse(&place) else {
                continue;
            };
            let makes = |inside: &String| module_name(inside) == Some("__init__");
            if self.link(path.as_str())?.is_some() || self.names(&place)?.iter().any(makes) {
                self.watch.modules.insert(place);
            }
        }
        self.watch
            .unwatched
            .insert(Unwatched::Beside(folder.to_owned()));
        for import in self.absolute.clone() {
            self.take_from(folder, &import)?;
        }
        self.folder(&join_within(folder, KEPT))
    }

    /// Watches the file that `word` names.
    fn name(&mut self, word: &str) -> Result<(), Diagnostic> {
        let Some(path) = normalize_path(word).filter(|path| !path.is_empty()) else {
            return Ok(());
        };
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
        let endings = if self.is_file(&real)? {
            &[""][..]
        } else {
            &["", ".js", ".cjs", ".mjs", ".json", ".ts", ".rb"]
        };
        for ending in endings {
            let file = format!("{real}{ending}");
            if self.hold(&file)? {
                self.queue.extend(
                    self.language(&file)?
                        .map(|language| (file.clone(), language)),
                );
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
            let Some(path) = normalize_path(&word).filter(|path| !path.is_empty()) else {
                continue;
            };
            let real = self.real(&path)?;
            let mut is_new = self.watch.folders.insert(path.clone());
            let Some(real) = real.filter(|real| !real.is_empty()) else {
                continue;
            };
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
            for name in self.names(&folder)?.iter() {
                let path = join_within(&folder, name);
                if self.link(&path)?.is_some() {
                    let Some(real) = self.real(&path)? else {
                        continue;
                    };
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
        let Ok(checked) = RepoPath::parse(path) else {
            return Ok(false);
        };
        let id = match self.seen.ids.get(path) {
            Some(known) => known.clone(),
            None => {
                let id = self.holding.file_id(&checked, self.hash)?;
                self.seen.ids.insert(path.to_owned(), id.clone());
                id
            }
        };
        let Some(id) = id else { return Ok(false) };
        self.watch.held.insert(checked, WatchedFile::File(id));
        Ok(true)
    }

    /// Returns the tracked names in `folder`, sorted.
    fn names(&mut self, folder: &str) -> Result<Rc<Vec<String>>, Diagnostic> {
        if let Some(known) = self.seen.names.get(folder) {
            return Ok(Rc::clone(known));
        }
        let names = Rc::new(self.holding.tracked_names(folder)?);
        self.seen.names.insert(folder.to_owned(), Rc::clone(&names));
        Ok(names)
    }

    /// Returns where the link at `path` leads; `None` when none stands there.
    fn link(&mut self, path: &str) -> Result<Option<Vec<u8>>, Diagnostic> {
        if let Some(known) = self.seen.links.get(path) {
            return Ok(known.clone());
        }
        if !self.is_named(path)? {
            return Ok(None);
        }
        let Ok(checked) = RepoPath::parse(path) else {
            return Ok(None);
        };
        let target = self.holding.link(&checked)?;
        self.seen.links.insert(path.to_owned(), target.clone());
        Ok(target)
    }

    /// Returns where `path` leads, `""` being the root, and holds the links on the way; `None` when it leaves the repository.
    fn real(&mut self, path: &str) -> Result<Option<String>, Diagnostic> {
        if path.starts_with('/') {
            return Ok(None);
        }
        if self.is_plain(path)? {
            return Ok(Some(path.to_owned()));
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
            let at = here.join("/");
            let Some(target) = self.link(&at)? else {
                continue;
            };
            let Ok(at) = RepoPath::parse(&at) else {
                return Ok(None);
            };
            links += 1;
            self.watch
                .held
                .insert(at, WatchedFile::Link(target.clone()));
            let target = String::from_utf8(target)
                .ok()
                .filter(|target| !target.starts_with('/') && links <= MOST_LINKS);
            let Some(target) = target else {
                return Ok(self.leaves(path));
            };
            here.pop();
            left.extend(target.split('/').rev().map(str::to_owned));
        }
        Ok(Some(here.join("/")))
    }

    /// Says whether `path` is written without detours and leads through no link.
    fn is_plain(&mut self, path: &str) -> Result<bool, Diagnostic> {
        if path.is_empty() || self.seen.plain.contains(path) {
            return Ok(true);
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_name = !name.is_empty() && name != "." && name != "..";
        let is_plain = is_name
            && (!path.contains('/') || !parent_folder(path).is_empty())
            && self.is_plain(parent_folder(path))?
            && RepoPath::parse(path).is_ok()
            && self.link(path)?.is_none();
        if is_plain {
            self.seen.plain.insert(path.to_owned());
        }
        Ok(is_plain)
    }

    fn leaves(&mut self, path: &str) -> Option<String> {
        self.watch
            .unwatched
            .insert(Unwatched::Outside(path.to_owned()));
        None
    }

    /// Says whether anything tracked has that path, by the names in the folder above it: most that is looked for is not there.
    fn is_named(&mut self, path: &str) -> Result<bool, Diagnostic> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if !folder.is_empty() && !self.is_named(folder)? {
            return Ok(false);
        }
        Ok(self
            .names(folder)?
            .binary_search_by(|known| known.as_str().cmp(name))
            .is_ok())
    }

    fn is_file(&mut self, path: &str) -> Result<bool, Diagnostic> {
        let Ok(checked) = RepoPath::parse(path) else {
            return Ok(false);
        };
        Ok(self.is_named(path)? && self.holding.is_file(&checked)?)
    }

    fn is_folder(&mut self, path: &str) -> Result<bool, Diagnostic> {
        let Ok(checked) = RepoPath::parse(path) else {
            return Ok(false);
        };
        Ok(self.is_named(path)? && self.holding.is_folder(&checked)?)
    }

    /// Says whether the repository holds `folder`, something in it, or a link in its place.
    fn is_tracked(&self, folder: &str) -> Result<bool, Diagnostic> {
        let Ok(path) = RepoPath::parse(folder) else {
            return Ok(false);
        };
        self.holding.tracks(&path)
    }

    /// Says whether `word` names a file that is code.
    fn is_code(&mut self, word: &str) -> Result<bool, Diagnostic> {
        let Some(real) = self.real(word)? else {
            return Ok(false);
        };
        Ok(self.is_file(&real)? && self.language(&real)?.is_some())
    }

    /// Watches what the first line of the file at `path` names of the repository to read it.
    fn first_line(&mut self, path: &str) -> Result<(), Diagnostic> {
        let Some(file) = RepoPath::parse(path)
            .ok()
            .map(|path| self.holding.file(&path))
            .transpose()?
            .flatten()
        else {
            return Ok(());
        };
        let line = file
            .bytes
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let command: Vec<String> = line
            .strip_prefix("#!")
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        for word in command.iter().filter(|word| word.contains('/')) {
            self.name(word)?;
        }
        // `env -S python3 -m lib.x`
        if command.len() > 1 {
            self.started(&[String::new()], &command, 0)
        } else {
            Ok(())
        }
    }

    /// Watches the package that `named` is one of, or a file of, where a link of the person's own leads from its name to what
    /// is tracked.
    fn linked(&mut self, named: &str) -> Result<(), Diagnostic> {
        let mut names = named
            .match_indices('/')
            .map(|(at, _)| at)
            .chain([named.len()]);
        // Shortest first: all of a scope may be one link.
        let found = names.find_map(|end| self.linked.get_key_value(named.get(..end)?));
        let Some((name, target)) = found else {
            return Ok(());
        };
        // The root is watched by what of it is loaded.
        let target = if target.is_empty() {
            ".".to_owned()
        } else {
            target.clone()
        };
        let file = format!(
            "{target}{}",
            named.strip_prefix(name.as_str()).unwrap_or_default()
        );
        self.folder(&target)?;
        self.loaded(PACKAGE, &file, ScriptLanguage::Node, true)?;
        let package = join_within(&target, PACKAGE);
        for file in package_files(
            &*self.package_json(&normalize_path(&package).unwrap_or(package.clone()))?,
            Some(named),
        ) {
            self.loaded(&package, &file, ScriptLanguage::Node, true)?;
        }
        Ok(())
    }

    /// Watches the linked packages that the configuration at `path` names, as far as it is one that names packages to load.
    fn linked_by(&mut self, path: &str) -> Result<(), Diagnostic> {
        let Some(text) = self.text(path)? else {
            return Ok(());
        };
        let text = match path {
            // Beside what it configures it names every package that there is.
            PACKAGE => {
                let package: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
                ["eslintConfig", "prettier", "markdownlint-cli2"]
                    .map(|key| package[key].to_string())
                    .join("\n")
            }
            _ if path.starts_with("tsconfig")
                || path.starts_with("jsconfig")
                || path.ends_with("ignore") =>
            {
                return Ok(());
            }
            _ => text,
        };
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '@' | '/' | '-' | '_' | '.');
        let words: BTreeSet<&str> = text
            .split(|c: char| !is_of_name(c))
            .filter(|word| !word.is_empty())
            .collect();
        let says = |form: &String| {
            words.iter().any(|word| {
                word.strip_prefix(form.as_str())
                    .is_some_and(|rest| matches!(rest.chars().next(), None | Some('/')))
            })
        };
        let named: Vec<String> = self
            .linked
            .keys()
            .filter(|name| path_forms(name).iter().any(says))
            .cloned()
            .collect();
        for name in named {
            self.linked(&name)?;
        }
        self.closure()
    }

    /// Returns the language of the script at `path`, by its first line or its name.
    fn language(&self, path: &str) -> Result<Option<ScriptLanguage>, Diagnostic> {
        let by_name = match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("py") => Some(ScriptLanguage::Python),
            Some("js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx") => {
                Some(ScriptLanguage::Node)
            }
            Some("rb") => Some(ScriptLanguage::Ruby),
            Some("sh" | "bash" | "zsh" | "ksh") => Some(ScriptLanguage::Shell),
            Some("pl" | "php" | "lua" | "R" | "jl" | "tcl") => Some(ScriptLanguage::Other),
            Some(_) | None => None,
        };
        let Ok(path) = RepoPath::parse(path) else {
            return Ok(None);
        };
        let Some(file) = self.holding.file(&path)? else {
            return Ok(by_name);
        };
        let line = file
            .bytes
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        Ok(command_words::of_first_line(&String::from_utf8_lossy(line)).or(by_name))
    }
}

/// Returns the files that a `package.json` gives for `named`, or without it for its whole folder.
fn package_files(package: &serde_json::Value, named: Option<&str>) -> Vec<String> {
    let Some(named) = named else {
        return string_values(&package["main"]);
    };
    let (map, wanted) = match package["name"]
        .as_str()
        .and_then(|own| named.strip_prefix(own))
    {
        _ if named.starts_with('#') => (&package["imports"], named.to_owned()),
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            (&package["exports"], format!(".{rest}"))
        }
        Some(_) | None => return Vec::new(),
    };
    let keyed =
        |map: &&serde_json::Map<_, _>| map.keys().any(|key: &String| key.starts_with(['.', '#']));
    let Some(map) = map.as_object().filter(keyed) else {
        return string_values(map);
    };
    let mut files = Vec::new();
    for (key, value) in map {
        let star = match key.split_once('*') {
            Some((first, last)) => wanted
                .strip_prefix(first)
                .and_then(|rest| rest.strip_suffix(last)),
            None => (*key == wanted).then_some(""),
        };
        files.extend(star.into_iter().flat_map(|star| {
            string_values(value)
                .into_iter()
                .map(|file| file.replace('*', star))
        }));
    }
    files
}

/// Returns the names that a configuration may give to the package `name`: eslint's plugins and shared configurations have a
/// short one.
fn path_forms(name: &str) -> Vec<String> {
    let (scope, bare) = name
        .rsplit_once('/')
        .map_or(("", name), |(scope, bare)| (scope, bare));
    let mut forms = vec![name.to_owned()];
    for sort in ["eslint-plugin", "eslint-config"] {
        forms.extend(match bare.strip_prefix(sort) {
            Some("") if !scope.is_empty() => Some(scope.to_owned()),
            Some(rest) => rest
                .strip_prefix('-')
                .map(|short| join_within(scope, short)),
            None => None,
        });
    }
    forms
}

/// Returns every text in `value`, whatever the conditions on the way.
fn string_values(value: &serde_json::Value) -> Vec<String> {
    match value {
        serde_json::Value::String(text) => vec![text.clone()],
        serde_json::Value::Array(list) => list.iter().flat_map(string_values).collect(),
        serde_json::Value::Object(map) => map.values().flat_map(string_values).collect(),
        _ => Vec::new(),
    }
}

/// Returns the paths that a script's word may mean.
fn name_variants(script: &Script) -> Vec<String> {
    let endings = if script.language == Some(ScriptLanguage::Node) {
        suffixes_of(ScriptLanguage::Node)
    } else {
        &[""]
    };
    endings
        .iter()
        .map(|ending| format!("{}{ending}", script.word))
        .collect()
}

/// Returns what a language tries behind a path that is loaded.
fn suffixes_of(language: ScriptLanguage) -> &'static [&'static str] {
    match language {
        ScriptLanguage::Node => &[
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
        ScriptLanguage::Ruby => &["", ".rb"],
        ScriptLanguage::Other => &["", ".pl", ".pm", ".php", ".lua", ".jl"],
        ScriptLanguage::Python | ScriptLanguage::Shell => &[""],
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
        let words = command
            .iter()
            .map(|word| format!("{word:?}"))
            .collect::<Vec<_>>()
            .join(", ");
        let text = format!("version: 1\nvalidators: [{{name: x, command: [{words}]}}]\n");
        let tool = config::read(text.as_bytes())
            .unwrap()
            .validators
            .remove(0)
            .tool;
        let repo = sandbox.repo();
        for source in [None, Some("HEAD"), Some("")] {
            let holding = repo.holding(&repo.source_of(source).unwrap()).unwrap();
            let watch = survey(&repo, &holding, &tool, &mut Seen::new()).unwrap();
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
        let tools = [
            "lib/near.py",
            "tools/deep/words.py",
            "tools/near.py",
            "tools/rules.py",
        ];
        check(
            &["python3", "tools/rules.py", "a.py"],
            &tools,
            &["tools/new.py", "tools/deep/new.py"],
            &["a.py", "lib/x.sh"],
        );
        let linked = [
            "lib/near.py",
            "linked",
            "tools/deep/words.py",
            "tools/near.py",
            "tools/rules.py",
        ];
        check(
            &["env", "python3", "-W", "error", "linked/rules.py"],
            &linked,
            &["tools/new.py", "linked"],
            &["a.py"],
        );
        check(
            &["python3", "-m", "tools.rules"],
            &tools,
            &["tools/__init__.py", "tools/rules/__main__.py", "tools.py"],
            &["a.py"],
        );
        let root = [
            "helper.py",
            "pkg/__init__.py",
            "pkg/deep.py",
            "pkg/more.py",
            "rules.py",
        ];
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
        check(
            &["./check", "{files}"],
            &["check", "lib/x.sh"],
            &["check"],
            &["a.py", "lib/new.sh"],
        );
        check(
            &["mylint", "--config=package.json", "a.py"],
            &["package.json"],
            &["package.json"],
            &["a.py"],
        );
        check(
            &["mylint", "-c", "missing.cfg", "{files}"],
            &[],
            &["missing.cfg"],
            &["a.py"],
        );
        check(
            &["mylint", "tools/rules.py", "{files}"],
            &tools,
            &["tools/new.py"],
            &["a.py"],
        );
        check(&["node", "{files}"], &[], &[], &["a.js"]);
        check(
            &["sh", "-c", "./check"],
            &["check", "lib/x.sh"],
            &["check"],
            &["a.py"],
        );
    }

    #[test]
    fn what_a_script_starts_counts_though_it_is_judged_as_well() {
        let check = |command: &str, files: &[(&str, &str)], watched: &str| {
            let sandbox = Sandbox::with(&[], &[files, &[(watched, "")]].concat());
            let repo = sandbox.repo();
            let holding = repo
                .holding(&repo.source_of(Some("HEAD")).unwrap())
                .unwrap();
            let text = format!("version: 1\nvalidators: [{{name: x, command: [{command}]}}]\n");
            let tool = config::read(text.as_bytes())
                .unwrap()
                .validators
                .remove(0)
                .tool;
            let watch = survey(&repo, &holding, &tool, &mut Seen::new()).unwrap();
            let is_held = watch.held().keys().any(|path| path.as_str() == watched);
            assert!(
                is_held && watch.covers(watched),
                "{command} {files:?} {:?}",
                watch.held().keys()
            );
        };
        for command in [
            "python3, -c, 'import lib.x'",
            "sh, -c, 'cd lib && python3 x.py'",
            "sh, -ec, \"python3 -c 'import lib.x'\"",
            "flock, some.lock, python3, -m, lib.x",
            "flock, -w, '5', some.lock, -c, 'python3 -m lib.x'",
            "unshare, -r, python3, -m, lib.x",
            "chrt, -b, '0', python3, -m, lib.x",
            "taskset, ff, python3, -m, lib.x",
            "sudo, -u, nobody, python3, -m, lib.x",
            "prlimit, --nofile=9, python3, -m, lib.x",
            "setpriv, --no-new-privs, python3, -m, lib.x",
            "chroot, /, python3, -m, lib.x",
            "timeout, .5, python3, -m, lib.x",
            "strange, --own, python3, -m, lib.x",
            "python3, -m, unittest, discover, -s, lib",
        ] {
            check(command, &[], "lib/x.py");
        }
        for command in [
            "node, -e, \"require('./lib/x')\"",
            "node, -pe, \"require('./lib/x')\"",
        ] {
            check(command, &[], "lib/x.js");
        }
        check("ruby, -e, \"require './lib/x'\"", &[], "lib/x.rb");
        check(
            "perl, -ne, '1', -e, \"require './lib/x.pl'\"",
            &[],
            "lib/x.pl",
        );
        check(
            "node, .",
            &[("package.json", "{\"main\": \"lib/x\"}")],
            "lib/x.js",
        );
        check(
            "node, tools",
            &[("tools/package.json", "{\"main\": \"../lib/x.js\"}")],
            "lib/x.js",
        );
        check(
            "tools/c",
            &[("tools/c", "#!/usr/bin/env -S python3 -m lib.x\n")],
            "lib/x.py",
        );
        check(
            "tools/c",
            &[("tools/c", "#!/usr/bin/python3 -mlib.x\n")],
            "lib/x.py",
        );
        for text in [
            "\"${PYTHON:-python3}\" -m lib.x",
            "\"${PYTHON:-python3}\" lib/x.py",
            "python3 - <<EOF\nimport lib.x\nEOF\n",
            "python3 - <<'EOF'\nexec(open('lib/x.py').read())\nEOF\n",
            "python3 -c \"import lib.x\"",
            "flock /tmp/lock python3 -m lib.x",
            "cat lib/x.py | python3",
            "echo 'import lib.x' | python3 -",
        ] {
            check("sh, tools/c.sh", &[("tools/c.sh", text)], "lib/x.py");
        }
        check(
            "sh, tools/c.sh",
            &[("tools/c.sh", "node -e \"require('./lib/x')\"")],
            "lib/x.js",
        );
        for text in [
            "DIR=$(dirname \"$0\")\nLIB=$DIR/../lib\n. \"$LIB/x.sh\"\n",
            "LIB=lib\nINNER=$LIB/../lib\nsource $INNER/x.sh\n",
        ] {
            check("bash, tools/c.sh", &[("tools/c.sh", text)], "lib/x.sh");
        }
        for text in [
            "exec(open(H + '/../lib/x.py').read())",
            "exec(open(f'{H}/../lib/x.py').read())",
            "exec(open('%s/../lib/x.py' % H).read())",
            "exec(open('{}/../lib/x.py'.format(H)).read())",
            "exec(open(os.path.join(H, '..', 'lib', 'x.py')).read())",
            "P = R / 'lib' / 'x.py'\nexec(P.read_text())",
            "L = os.path.join(H, '..', 'lib')\nrun_path(L + '/x.py')",
            "with open('lib/x.py') as f: exec(f.read())",
            "spec_from_file_location('x', R.joinpath('lib', 'x.py'))",
            "subprocess.run([sys.executable, '-m', 'lib.x'])",
            "subprocess.run(['python3', 'lib/x.py'])",
            "subprocess.run('python3 lib/x.py'.split())",
            "c = [sys.executable]\nsubprocess.run(['timeout', '5', 'python3', '-m', 'lib.x'], check=True)",
            "c = f'{sys.executable} -m lib.x'\nos.system(c)",
            "os.system('cd lib && python3 x.py')",
            "os.execvp('python3', ['python3', 'lib/x.py'])",
            "subprocess.run(['lib/x.py'])",
        ] {
            check(
                "python3, a/tools/c.py",
                &[("a/tools/c.py", text)],
                "a/lib/x.py",
            );
        }
        for text in [
            "sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'lib' / 'in'))\nimport x",
            "sys.path.insert(0, os.path.join(H, '..', 'lib', 'in'))\nimport x",
        ] {
            check(
                "python3, tools/c.py",
                &[("tools/c.py", text)],
                "lib/in/x.py",
            );
        }
        for text in [
            "import_module('.x', 'lib')",
            "import_module('..x', package='lib.in')",
            "import_module('lib.' + n)",
        ] {
            check("python3, c.py", &[("c.py", text)], "lib/x.py");
        }
        for text in [
            "new Worker('./lib/x.js')",
            "require('child_process').fork('./lib/x')",
            "import(path.resolve('lib/x.js'))",
            "require(path.join(root, 'lib', 'x.js'))",
            "execSync('node lib/x.js')",
            "spawnSync('node', ['./lib/x.js'])",
            "for (const f of fs.readdirSync('lib')) require('../lib/' + f)",
        ] {
            check("node, tools/c.js", &[("tools/c.js", text)], "lib/x.js");
        }
        check(
            "ruby, tools/c.rb",
            &[("tools/c.rb", "Dir['lib/*.rb'].each { |f| require f }\n")],
            "lib/x.rb",
        );
    }

    #[test]
    fn what_a_script_reads_of_what_is_judged_does_not_count() {
        let check = |command: &str, files: &[(&str, &str)], left: &str| {
            let sandbox = Sandbox::with(&[], &[files, &[(left, "")]].concat());
            let repo = sandbox.repo();
            let holding = repo
                .holding(&repo.source_of(Some("HEAD")).unwrap())
                .unwrap();
            let text = format!("version: 1\nvalidators: [{{name: x, command: [{command}]}}]\n");
            let tool = config::read(text.as_bytes())
                .unwrap()
                .validators
                .remove(0)
                .tool;
            let watch = survey(&repo, &holding, &tool, &mut Seen::new()).unwrap();
            assert!(!watch.covers(left), "{command} {files:?}");
        };
        for text in [
            "open('app/x.py').read()\nsubprocess.run(['git', 'diff', 'app/x.py'])\nrun([sys.executable, '-m', 'mypy'])",
            "P = R / 'app' / 'x.py'\nprint(P.read_text(), ['app/x.py', 'app/y.py'])",
        ] {
            check("python3, tools/c.py", &[("tools/c.py", text)], "app/x.py");
        }
        check(
            "sh, tools/c.sh",
            &[(
                "tools/c.sh",
                "grep -q x app/x.py && find app/x.py -exec python3 -m lib.y {} +\n",
            )],
            "app/x.py",
        );
        check(
            "node, tools/c.js",
            &[(
                "tools/c.js",
                "fs.readFileSync('app/x.js'); execSync('git diff')\n",
            )],
            "app/x.js",
        );
    }

    #[test]
    fn a_new_module_in_the_root_may_be_found_first() {
        let sandbox = Sandbox::with(&[], &FILES);
        let repo = sandbox.repo();
        let holding = repo
            .holding(&repo.source_of(Some("HEAD")).unwrap())
            .unwrap();
        let check = |command: &str, path: &str, expected: Option<&str>| {
            let text = format!(
                "version: 1\nvalidators: [{{name: x, command: [{command}, \"{{files}}\"]}}]\n"
            );
            let tool = config::read(text.as_bytes())
                .unwrap()
                .validators
                .remove(0)
                .tool;
            let watch = survey(&repo, &holding, &tool, &mut Seen::new()).unwrap();
            assert_eq!(
                watch.shadowed(path).as_deref(),
                expected,
                "{command} {path}"
            );
        };
        for command in [
            "python3, rules.py",
            "python3, -m, flake8",
            "python3, -c, x",
            "env, python3, -um, tools.rules",
        ] {
            check(command, "yaml.py", Some("yaml"));
            check(command, "yaml/__init__.py", Some("yaml"));
            check(
                command,
                "yaml.cpython-312-x86_64-linux-gnu.so",
                Some("yaml"),
            );
            check(command, "tools/__init__.py", Some("tools"));
            // There already.
            check(command, "a.pyc", None);
            check(command, "pkg/__init__.pyc", None);
            // No module of the root.
            for path in ["yaml/data.py", "src/yaml/__init__.py", "yaml.txt", "README"] {
                check(command, path, None);
            }
        }
        for command in [
            "python3, -P, rules.py",
            "python3, -Im, flake8",
            "python3, tools/rules.py",
            "node, x.js",
            "sh, x.sh",
        ] {
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
            assert_eq!(normalize_path(word).as_deref(), expected, "{word}");
        }
    }
    #[test]
    fn plugins_have_short_names() {
        for (name, expected) in [
            ("rules", &["rules"][..]),
            ("eslint-plugin-house", &["eslint-plugin-house", "house"]),
            ("@org/eslint-plugin", &["@org/eslint-plugin", "@org"]),
            (
                "@org/eslint-config-strict",
                &["@org/eslint-config-strict", "@org/strict"],
            ),
            ("eslint-plugin", &["eslint-plugin"]),
        ] {
            assert_eq!(path_forms(name), expected);
        }
    }
}
