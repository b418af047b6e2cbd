//! Whether git stores what a batch brings as the batch brings it: a filter may encrypt it or leave a pointer in its place, and an
//! encoding or line endings may be others.
//!
//! `git add` goes by the attributes of the worktree. A batch may go to another branch or into a bare repository, or bring
//! attributes itself: those of the tree that is published are then laid out in a folder of their own, and git is asked there.
//! Most files of attributes mention nothing that matters, which is seen without matching a pattern.
//!
//! Known limit: in that folder a filter whose command counts from the worktree's root is not found, and refuses.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

use super::base::rules::{FILTERS, LINE_ENDINGS, Mentions};
use super::base::scratch::Scratch;
use super::content::{ContentConversion, has_crlf};
use super::ground::Ground;
use super::program::Program;
use super::{ReadSource, Repo, failure};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::{Blob, File, Id};

/// The name of a file of attributes.
const NAME: &str = ".gitattributes";

/// A file that a batch brings or changes.
#[derive(Clone, Copy, Debug)]
pub struct Brought<'a> {
    /// Where.
    pub path: &'a RepoPath,
    /// What it is then.
    pub file: &'a File,
    /// What it was, and where that stood.
    pub before: Option<(&'a RepoPath, &'a File)>,
}

/// What decides which attributes count.
#[derive(Clone, Copy, Debug)]
pub struct Publishing<'a> {
    /// What is published on.
    pub source: &'a ReadSource,
    /// The files of attributes that are brought, changed or removed.
    pub attributes: &'a BTreeMap<RepoPath, Option<Blob>>,
    /// Whether the worktree of this handle takes part, so that its attributes count as well.
    pub in_worktree: bool,
}

impl Repo {
    /// Returns a refusal for each file of `brought` of which git would store other bytes.
    ///
    /// Where a filter decides, what it makes is what has to be there: what it would encrypt is never published in the clear.
    /// Of line endings, encodings and keywords, what was in another form before may stay in it.
    pub fn other_forms(
        &self,
        brought: &[Brought<'_>],
        publishing: &Publishing<'_>,
    ) -> Result<Vec<Diagnostic>, Diagnostic> {
        let mut rules = Folders::new(self, publishing)?;
        let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
        let mut filtered: Vec<&RepoPath> = Vec::new();
        for file in brought {
            let found = rules.of(file)?;
            let counts_here = publishing.in_worktree || found.are_same;
            if counts_here && found.own.may_matter(file) {
                here.push(file);
                if found.own.filters {
                    filtered.extend(paths_of(file));
                }
            }
            if !found.are_same && found.tree.may_matter(file) {
                elsewhere.push(file);
            }
        }
        let mut refusals = self.other_forms_here(&here, &filtered)?;
        if elsewhere.is_empty() {
            return Ok(refusals);
        }
        let laid = rules.lay_out(&elsewhere)?;
        for file in elsewhere {
            refusals.extend(self.other_form(file, Some(&laid))?);
        }
        // Where both have a say, both say the same.
        let mut said: HashSet<String> = HashSet::new();
        refusals.retain(|refusal| said.insert(refusal.message.clone()));
        Ok(refusals)
    }

    /// Does the same by the attributes of the worktree. Where those mention a filter, git reads them: libgit2 does not read every
    /// line alike, and one that it passes over would let a secret through.
    fn other_forms_here(
        &self,
        brought: &[&Brought<'_>],
        filtered: &[&RepoPath],
    ) -> Result<Vec<Diagnostic>, Diagnostic> {
        if !filtered.is_empty() {
            self.rules.foresee(self.ask_attributes(filtered)?);
        }
        let refusals = brought.iter().map(|file| self.other_form(file, None));
        let refusals: Result<Vec<Option<Diagnostic>>, Diagnostic> = refusals.collect();
        self.rules.foresee(HashMap::new());
        Ok(refusals?.into_iter().flatten().collect())
    }

    /// Returns the refusal of `file` if git would store other bytes of it, by the attributes that are laid out or else by those
    /// of the worktree.
    fn other_form(
        &self,
        file: &Brought<'_>,
        laid: Option<&TreeAttributes>,
    ) -> Result<Option<Diagnostic>, Diagnostic> {
        let path = file.path;
        if self.is_form(path, &file.file.bytes, laid)? {
            return Ok(None);
        }
        let set = self.set_by(path, laid)?;
        if !set.contains(&"filter")
            && let Some((from, before)) = file.before
            && !self.is_form(from, &before.bytes, laid)?
        {
            return Ok(None);
        }
        let named = shown(path.as_str());
        if set.contains(&"filter") {
            let name = match laid {
                Some(laid) => laid.filters.get(path.as_str()).cloned(),
                None => self.filter_of(path)?,
            };
            let name = name.map_or_else(|| "?".to_owned(), |name| shown(&name));
            let message = format!(
                "{named} would be stored as it was given, and its filter `{name}` makes other bytes of it"
            );
            return Ok(Some(Diagnostic::new(Code::UnsupportedRepository, message).note(format!(
                "write the file with `--destination worktree` and `git add {named}`, so that git runs the filter"
            ))));
        }
        let message =
            format!("{named} would be stored as it was given, and git stores other bytes of it");
        let why = if self.conversion_by(&set) == ContentConversion::Other {
            "its attributes (`working-tree-encoding`, `ident`) decide what is stored; give it in that form"
        } else {
            "its attributes or the settings for line endings have CRLF stored as LF; give it with LF"
        };
        Ok(Some(
            Diagnostic::new(Code::UnsupportedRepository, message).note(why),
        ))
    }

    /// Says whether `bytes` are what git stores of some file at `path`: of one with these very bytes, or of the one that
    /// checking them out gives.
    fn is_form(
        &self,
        path: &RepoPath,
        bytes: &Blob,
        laid: Option<&TreeAttributes>,
    ) -> Result<bool, Diagnostic> {
        match self.conversion_by(&self.set_by(path, laid)?) {
            ContentConversion::None => return Ok(true),
            // On the way in, git only ever turns CRLF into LF.
            ContentConversion::PlainLineEndings | ContentConversion::LineEndings => {
                return Ok(!has_crlf(bytes)
                    || self.stored_name(path, bytes, laid)? == bytes.id(self.hash_kind()));
            }
            ContentConversion::Other => {}
        }
        match laid {
            Some(laid) => {
                let filter = laid.filters.get(path.as_str());
                filter.map_or(Ok(()), |name| self.demand_filter_named(path, name))?;
            }
            None => self.demand_filter(path)?,
        }
        let stored = bytes.id(self.hash_kind());
        let first = self.stored_name(path, bytes, laid);
        if first.as_ref().is_ok_and(|name| *name == stored) {
            return Ok(true);
        }
        // What is encrypted would be encrypted once more, and UTF-8 is no UTF-16: there the way goes out and in again. With a filter that
        // is its own way back that says nothing: content in the clear would come out encrypted, and in again in the clear.
        let around = || -> Result<bool, Diagnostic> {
            let checked_out = self.smudge_by(self.converting(laid)?, path, bytes)?;
            let is_own_way_back = first
                .as_ref()
                .is_ok_and(|name| *name == Id::of_blob(self.hash_kind(), &checked_out));
            Ok(!is_own_way_back && self.stored_name(path, &checked_out, laid)? == stored)
        };
        match (&first, around()) {
            (_, Ok(is_form)) => Ok(is_form),
            (Ok(_), Err(_)) => Ok(false),
            (Err(failure), Err(_)) => Err(failure.clone()),
        }
    }

    /// Returns the name of the blob that git makes of a file at `path` that holds `bytes`.
    fn stored_name(
        &self,
        path: &RepoPath,
        bytes: &[u8],
        laid: Option<&TreeAttributes>,
    ) -> Result<Id, Diagnostic> {
        let attempt = format!("find out what git stores of {}", shown(path.as_str()));
        let mut git = self.converting(laid)?;
        if let Some(name) = laid.and_then(|laid| laid.filters.get(path.as_str())) {
            let is_set = |key: &str| {
                self.config
                    .get(&format!("filter.{name}.{key}"))
                    .is_some_and(|it| !it.is_empty())
            };
            if is_set("clean") || is_set("process") {
                // One that fails would let everything through as it is, and in another folder its command may.
                git = git.setting(format!("filter.{name}.required").as_bytes(), b"true");
            }
        }
        let answer = git.demand(
            &attempt,
            &["hash-object", "--stdin", "--path", path.as_str()],
            bytes,
        )?;
        Ok(Id(String::from_utf8_lossy(&answer).trim().to_owned()))
    }

    /// Returns the git program with the filters that may start, where the attributes stand.
    fn converting(&self, laid: Option<&TreeAttributes>) -> Result<Program<'_>, Diagnostic> {
        let git = self.program();
        self.filtering(match laid {
            Some(laid) => laid.program(git),
            None => git,
        })
    }

    fn set_by(
        &self,
        path: &RepoPath,
        laid: Option<&TreeAttributes>,
    ) -> Result<Vec<&'static str>, Diagnostic> {
        match laid {
            Some(laid) => Ok(laid.sets.get(path.as_str()).cloned().unwrap_or_default()),
            None => self.set_of(path),
        }
    }
}

/// Returns where `file` is brought to, and where what it was stood.
fn paths_of<'b>(file: &Brought<'b>) -> impl Iterator<Item = &'b RepoPath> + use<'b> {
    [Some(file.path), file.before.map(|(path, _)| path)]
        .into_iter()
        .flatten()
}

impl Mentions {
    /// Says whether what is mentioned can make anything else of `file`.
    fn may_matter(self, file: &Brought<'_>) -> bool {
        self.filters || self.line_endings && has_crlf(&file.file.bytes)
    }
}

/// The files of attributes in each folder that was asked for: in the tree that is published, and in the worktree.
struct Folders<'r> {
    repo: &'r Repo,
    publishing: &'r Publishing<'r>,
    /// The tree; none where only the worktree has a say.
    ground: Option<Box<dyn Ground + 'r>>,
    everywhere: Mentions,
    known: HashMap<String, InFolder>,
}

/// What stands in one folder.
struct InFolder {
    tree: Option<Blob>,
    found: FoldersFound,
}

/// What is known of some folders together.
#[derive(Clone, Copy)]
struct FoldersFound {
    /// What the tree's files mention.
    tree: Mentions,
    /// What the worktree's files mention.
    own: Mentions,
    /// Whether they are the same.
    are_same: bool,
}

impl<'r> Folders<'r> {
    fn new(repo: &'r Repo, publishing: &'r Publishing<'r>) -> Result<Folders<'r>, Diagnostic> {
        // What stands in the worktree goes before what stands in the index, and what is in neither is brought.
        let asks_worktree =
            *publishing.source == ReadSource::Index && publishing.attributes.is_empty();
        let ground = if asks_worktree {
            None
        } else {
            Some(repo.ground(publishing.source)?)
        };
        let endings = Mentions {
            filters: false,
            line_endings: repo.converts_text(),
        };
        let everywhere = repo.rules.mentioned_everywhere(repo).and(endings);
        Ok(Folders {
            repo,
            publishing,
            ground,
            everywhere,
            known: HashMap::new(),
        })
    }

    /// Returns what is known of the folders above `file`, and above what it was.
    fn of(&mut self, file: &Brought<'_>) -> Result<FoldersFound, Diagnostic> {
        let mut all = FoldersFound {
            tree: self.everywhere,
            own: self.everywhere,
            are_same: true,
        };
        let before = file
            .before
            .map(|(path, _)| path)
            .filter(|path| *path != file.path);
        for path in [file.path].into_iter().chain(before) {
            all = all.and(self.folder("")?);
            for (at, _) in path.as_str().match_indices('/') {
                all = all.and(self.folder(path.as_str().get(..at).unwrap_or_default())?);
            }
        }
        Ok(all)
    }

    fn folder(&mut self, folder: &str) -> Result<FoldersFound, Diagnostic> {
        if let Some(known) = self.known.get(folder) {
            return Ok(known.found);
        }
        let path = if folder.is_empty() {
            NAME.to_owned()
        } else {
            format!("{folder}/{NAME}")
        };
        let root = self.repo.workdir().filter(|_| !self.repo.is_bare());
        let own = root.map(|root| root.join(&path));
        let own = own.filter(|own| own.symlink_metadata().is_ok_and(|found| found.is_file()));
        let own = own.and_then(|own| fs::read(own).ok());
        let tree = self.in_tree(&path)?;
        let mentioned = |text: Option<&[u8]>| text.map(Mentions::of).unwrap_or_default();
        let found = FoldersFound {
            tree: mentioned(tree.as_deref()),
            own: mentioned(own.as_deref()),
            are_same: self.ground.is_none() || root.is_some() && tree.as_deref() == own.as_deref(),
        };
        self.known
            .insert(folder.to_owned(), InFolder { tree, found });
        Ok(found)
    }

    fn in_tree(&self, path: &str) -> Result<Option<Blob>, Diagnostic> {
        let Some(ground) = &self.ground else {
            return Ok(None);
        };
        if let Some(brought) = self.publishing.attributes.get(path) {
            return Ok(brought.clone());
        }
        ground
            .blob(path)?
            .map(|blob| self.repo.blob_bytes(&blob, path))
            .transpose()
    }

    /// Lays out the tree's files of attributes above `files`, and has git read them.
    fn lay_out(&self, files: &[&Brought<'_>]) -> Result<TreeAttributes, Diagnostic> {
        let attempt = "lay out the attributes of what is published";
        let scratch = self.repo.scratch()?;
        for (folder, InFolder { tree, .. }) in &self.known {
            let Some(text) = tree else { continue };
            let folder = scratch.path().join(folder);
            fs::create_dir_all(&folder)
                .and_then(|()| fs::write(folder.join(NAME), &text[..]))
                .map_err(failure::system(attempt))?;
        }
        let mut laid = TreeAttributes {
            scratch,
            sets: HashMap::new(),
            filters: HashMap::new(),
        };
        let paths = files.iter().flat_map(|file| paths_of(file));
        let input: Vec<u8> = paths
            .flat_map(|path| path.as_str().bytes().chain([0]))
            .collect();
        let names = || FILTERS.into_iter().chain(LINE_ENDINGS);
        let arguments: Vec<&str> = ["check-attr", "-z", "--stdin"]
            .into_iter()
            .chain(names())
            .collect();
        let answer = laid
            .program(self.repo.program())
            .demand(attempt, &arguments, &input)?;
        // Triples of path, attribute and value, each ended by a NUL.
        let words: Vec<&[u8]> = answer.split(|&byte| byte == 0).collect();
        for triple in words.chunks_exact(3) {
            let [path, name, value] = triple else {
                continue;
            };
            let Some(name) = names().find(|known| known.as_bytes() == *name) else {
                continue;
            };
            if *value == b"unset" || *value == b"unspecified" {
                continue;
            }
            let path = String::from_utf8_lossy(path).into_owned();
            if name == "filter" && *value != b"set" {
                laid.filters
                    .insert(path.clone(), String::from_utf8_lossy(value).into_owned());
            }
            let set = laid.sets.entry(path).or_default();
            if !set.contains(&name) {
                set.push(name);
            }
        }
        Ok(laid)
    }
}

impl FoldersFound {
    fn and(self, other: FoldersFound) -> FoldersFound {
        FoldersFound {
            tree: self.tree.and(other.tree),
            own: self.own.and(other.own),
            are_same: self.are_same && other.are_same,
        }
    }
}

/// The attributes of a tree, laid out for git to read.
struct TreeAttributes {
    scratch: Scratch,
    /// Which attributes that matter are set for a path.
    sets: HashMap<String, Vec<&'static str>>,
    /// The filter that a path's attributes name.
    filters: HashMap<String, String>,
}

impl TreeAttributes {
    /// Has `git` read the attributes that are laid out, and no others: where there is none it would ask the index.
    fn program<'r>(&self, git: Program<'r>) -> Program<'r> {
        git.within(self.scratch.path())
            .with("GIT_INDEX_FILE", self.scratch.path().join("no-index"))
    }
}
