//! The git hooks that this program ships: installing, removing and looking at them.
//!
//! A hook is ours when its second line says so. Another's is never overwritten: it is moved aside to
//! `<name>.before-segedit`, from where ours runs it first, and comes back as it was. All hooks of a call are looked at
//! before any is touched; then ours takes the place of the other's in one step, so that one of them is in force at each moment
//! (but on a file system without hard links). One of ours into which lines came that no version of this program wrote is
//! neither replaced nor removed: they are somebody's.
//!
//! A hook that asks for its own file name finds the longer one; that is said when it is moved.

use std::path::{Path, PathBuf};

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{
    ASIDE, HookFile, Repo, add_hook, is_ours, is_same_hook, line_of_others, look_at_hook,
    move_hook, put_back_hook, remove_hook, replace_and_keep_hook, replace_hook, shipped_hook,
};

/// A hook that this program ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// Judges what is staged.
    PreCommit,
    /// Judges what is pushed from here.
    PrePush,
    /// Judges what is pushed to here.
    PreReceive,
}

impl Hook {
    /// Every one.
    pub const ALL: [Hook; 3] = [Hook::PreCommit, Hook::PrePush, Hook::PreReceive];

    /// Returns its name, which is that of its file.
    pub fn name(self) -> &'static str {
        match self {
            Hook::PreCommit => "pre-commit",
            Hook::PrePush => "pre-push",
            Hook::PreReceive => "pre-receive",
        }
    }

    fn script(self) -> &'static str {
        shipped_hook(self.name()).unwrap_or_default()
    }

    /// Returns the line that does its work in somebody else's hook.
    fn line(self) -> &'static str {
        match self {
            Hook::PreCommit => "git segedit check --staged",
            Hook::PrePush => "git segedit check --pushed",
            Hook::PreReceive => "git segedit check --received",
        }
    }

    /// Returns those that make sense in `repo`.
    fn meant_for(repo: &Repo) -> Vec<Hook> {
        if repo.is_bare() {
            vec![Hook::PreReceive]
        } else {
            vec![Hook::PreCommit, Hook::PrePush]
        }
    }
}

/// Whose hook stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookState {
    /// Nobody's.
    None,
    /// Ours alone.
    Ours,
    /// Ours, which runs another first.
    Chained,
    /// Another's.
    Foreign,
}

/// What was done about a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookChange {
    /// Ours was put there; another's was moved aside if there was one.
    Installed,
    /// Ours was there, of another version.
    Updated,
    /// Ours was taken away.
    Removed,
    /// Another's was put back where it came from.
    Restored,
    /// It was so already.
    Unchanged,
}

/// One hook and what stands at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookPlace {
    /// The hook.
    pub hook: Hook,
    /// Where git looks for it.
    pub path: PathBuf,
    /// Whose hook stands there.
    pub state: HookState,
    /// Whether git runs what stands there; a file that is not executable it passes over.
    pub runs: bool,
    /// Where a hook stands that was moved aside.
    pub aside: Option<PathBuf>,
    /// Whether that one runs.
    pub aside_runs: bool,
    /// Whether that one asks for the name that it is run by.
    aside_asks_name: bool,
    /// What was done; `None` when nothing was asked for.
    pub done: Option<HookChange>,
    /// Ours, and not as this version writes it.
    outdated: bool,
    /// The first line in one of ours that is somebody else's, with its number.
    added: Option<(usize, String)>,
    /// Neither a file nor a link.
    odd: bool,
}

impl HookPlace {
    /// Says whether ours stands there as this version writes it.
    fn is_current(&self) -> bool {
        matches!(self.state, HookState::Ours | HookState::Chained) && !self.outdated
    }

    /// Says whether lines of others are in one of ours.
    pub fn is_edited(&self) -> bool {
        self.added.is_some()
    }
}

/// The hooks of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookFolder {
    /// The folder that git runs them from.
    pub folder: PathBuf,
    /// One for each hook that was asked for.
    pub places: Vec<HookPlace>,
    /// What to know beside.
    pub notes: Vec<String>,
}

/// Says what stands at the places of `hooks`, or of all.
pub fn status(repo_dir: &Path, hooks: &[Hook]) -> Result<HookFolder, Vec<Diagnostic>> {
    let look = || {
        let repo = Repo::open(repo_dir)?;
        survey_hooks(&repo, if hooks.is_empty() { &Hook::ALL } else { hooks })
    };
    look().map_err(|error| vec![error])
}

/// Installs `hooks`, or those that make sense in the repository.
pub fn install(repo_dir: &Path, hooks: &[Hook]) -> Result<HookFolder, Vec<Diagnostic>> {
    let repo = Repo::open(repo_dir).map_err(|error| vec![error])?;
    let meant = Hook::meant_for(&repo);
    let hooks = if hooks.is_empty() { &meant } else { hooks };
    let mut found = survey_hooks(&repo, hooks).map_err(|error| vec![error])?;
    let missing: Vec<Hook> = found
        .places
        .iter()
        .filter(|place| !place.is_current())
        .map(|place| place.hook)
        .collect();
    if !missing.is_empty() {
        check_folder(&repo, &found.folder, &missing).map_err(|error| vec![error])?;
    }
    let odd: Vec<Diagnostic> = found
        .places
        .iter()
        .filter(|place| place.odd)
        .map(not_a_file)
        .collect();
    if !odd.is_empty() {
        return Err(odd);
    }
    act_on_hooks(&mut found, put_hook)?;
    Ok(found)
}

/// Removes those of `hooks`, or of all, that are ours, and puts back what they took the place of.
pub fn uninstall(repo_dir: &Path, hooks: &[Hook]) -> Result<HookFolder, Vec<Diagnostic>> {
    let repo = Repo::open(repo_dir).map_err(|error| vec![error])?;
    let hooks = if hooks.is_empty() { &Hook::ALL } else { hooks };
    let mut found = survey_hooks(&repo, hooks).map_err(|error| vec![error])?;
    let ours = |place: &HookPlace| matches!(place.state, HookState::Ours | HookState::Chained);
    if found.places.iter().any(ours)
        && let Some(kept) = kept_by(&repo, &found.folder).map_err(|error| vec![error])?
    {
        return Err(vec![
            keeps_its_own(&kept).note("`git rm` removes a file that git tracks"),
        ]);
    }
    act_on_hooks(&mut found, take_hook)?;
    Ok(found)
}

fn survey_hooks(repo: &Repo, hooks: &[Hook]) -> Result<HookFolder, Diagnostic> {
    let folder = repo.hooks_folder()?;
    let places = hooks
        .iter()
        .map(|&hook| place_of_hook(&folder, hook))
        .collect::<Result<Vec<_>, _>>()?;
    let mut notes = Vec::new();
    let is_own = folder.starts_with(repo.common_dir()) || repo.below_worktree(&folder).is_some();
    if !is_own {
        notes.push(format!(
            "core.hooksPath names {}, whose hooks run in every repository that names it too",
            shown(&folder.to_string_lossy())
        ));
    }
    notes.extend(places.iter().filter_map(note_on_name));
    Ok(HookFolder {
        folder,
        places,
        notes,
    })
}

/// Says whether a script asks for the name of its own file, by which one script for several hooks knows which it is.
fn asks_for_its_name(script: &[u8]) -> bool {
    let asks = |line: &str| {
        let has = |word: &str| line.contains(word);
        has("${0##")
            || has("$PROGRAM_NAME")
            || (has("basename") && (has("$0") || has("argv") || has("__file__")))
    };
    String::from_utf8_lossy(script).lines().any(asks)
}

/// Says that a hook that was moved aside may not know itself by its new name.
fn note_on_name(place: &HookPlace) -> Option<String> {
    let asks = place.state == HookState::Chained && place.aside_runs && place.aside_asks_name;
    asks.then(|| {
        let (name, aside) = (place.hook.name(), format!("{}{ASIDE}", place.hook.name()));
        format!(
            "{aside} asks for its own file name, which is no longer {name}: see that it still does its work, or move it back by \
             `git segedit hooks uninstall` and add this line to it: {}",
            place.hook.line()
        )
    })
}

fn place_of_hook(folder: &Path, hook: Hook) -> Result<HookPlace, Diagnostic> {
    let path = folder.join(hook.name());
    let aside = folder.join(format!("{}{ASIDE}", hook.name()));
    let (whose, mut runs, mut outdated, mut added) = (look_at_hook(&path)?, false, false, None);
    let ours = match &whose {
        HookFile::Nothing => None,
        HookFile::DeadLink | HookFile::Other => Some(false),
        HookFile::Script { bytes, executable } => {
            runs = *executable;
            outdated = bytes != hook.script().as_bytes() || !runs;
            added = line_of_others(hook.name(), bytes).filter(|_| is_ours(bytes));
            Some(is_ours(bytes))
        }
    };
    // A process that was ended while it took the hook's place left it a second name.
    let beside = if is_same_hook(&path, &aside) {
        HookFile::Nothing
    } else {
        look_at_hook(&aside)?
    };
    let state = match (ours, &beside) {
        (None, _) => HookState::None,
        (Some(false), _) => HookState::Foreign,
        (Some(true), HookFile::Nothing) => HookState::Ours,
        (Some(true), HookFile::Script { .. } | HookFile::DeadLink | HookFile::Other) => {
            HookState::Chained
        }
    };
    let aside_runs = matches!(
        beside,
        HookFile::Script {
            executable: true,
            ..
        }
    );
    let aside_asks_name =
        matches!(&beside, HookFile::Script { bytes, .. } if asks_for_its_name(bytes));
    let aside = (beside != HookFile::Nothing).then_some(aside);
    let odd = whose == HookFile::Other;
    Ok(HookPlace {
        hook,
        path,
        state,
        runs,
        aside,
        aside_runs,
        aside_asks_name,
        done: None,
        outdated,
        added,
        odd,
    })
}

/// Refuses a folder that is no place for `hooks` of ours.
fn check_folder(repo: &Repo, folder: &Path, hooks: &[Hook]) -> Result<(), Diagnostic> {
    if folder == Path::new("/") || (folder.exists() && !folder.is_dir()) {
        let message = format!(
            "hooks are turned off here: core.hooksPath leads to {}",
            shown(&folder.to_string_lossy())
        );
        return Err(Diagnostic::new(Code::UnsupportedRepository, message)
            .note("`git config --show-origin core.hooksPath` says who set it"));
    }
    if let Some(target) = repo.leads_out(folder) {
        let [folder, target] = [folder, &target].map(|path| shown(&path.to_string_lossy()));
        let message = format!(
            "{folder} is reached through a link that leads out of the repository, to {target}"
        );
        return Err(Diagnostic::new(Code::PathRefused, message).note(format!(
            "to have hooks there, name the folder openly: git config core.hooksPath {target}"
        )));
    }
    let Some(kept) = kept_by(repo, folder)? else {
        return Ok(());
    };
    let by_hand = |refusal: Diagnostic, hook: &Hook| {
        let file = kept.join(hook.name());
        refusal.note(format!(
            "add this line to {}: {}",
            shown(&file.to_string_lossy()),
            hook.line()
        ))
    };
    Err(hooks.iter().fold(keeps_its_own(&kept), by_hand))
}

/// Returns the folder, seen from the worktree's root, in which the repository keeps the hooks that git runs from `folder`, if it
/// keeps them itself.
fn kept_by(repo: &Repo, folder: &Path) -> Result<Option<PathBuf>, Diagnostic> {
    let Some(inside) = repo.below_worktree(folder) else {
        return Ok(None);
    };
    // husky writes its own files to `.husky/_`, untracked, and runs those in `.husky` by the name that git called.
    if inside.ends_with(".husky/_") {
        return Ok(inside.parent().map(Path::to_path_buf));
    }
    Ok(repo.tracks_files_in(&inside)?.then_some(inside))
}

fn keeps_its_own(kept: &Path) -> Diagnostic {
    let named = shown(&kept.to_string_lossy());
    let message =
        format!("the hooks of this repository are files that it keeps itself, in {named}");
    Diagnostic::new(Code::UnsupportedRepository, message)
}

/// Does `what` to every place, once it is clear that none is in the way.
fn act_on_hooks(
    found: &mut HookFolder,
    what: fn(&HookPlace) -> Result<HookChange, Diagnostic>,
) -> Result<(), Vec<Diagnostic>> {
    let refusals: Vec<Diagnostic> = found.places.iter().filter_map(in_the_way).collect();
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let before: Vec<String> = found.places.iter().filter_map(note_on_name).collect();
    found.notes.retain(|note| !before.contains(note));
    for place in &mut found.places {
        let done = what(place).map_err(|error| vec![error])?;
        *place = place_of_hook(&found.folder, place.hook).map_err(|error| vec![error])?;
        place.done = Some(done);
    }
    let after = found.places.iter().filter_map(note_on_name);
    found.notes.extend(after);
    Ok(())
}

/// Says why nothing can be done at `place`.
fn in_the_way(place: &HookPlace) -> Option<Diagnostic> {
    let path = shown(&place.path.to_string_lossy());
    if let Some((number, line)) = &place.added {
        let message = format!(
            "{path} has lines that git segedit did not write, the first is line {number}: {}",
            shown(line)
        );
        let own = format!(
            "move them to {}, which runs first, and remove {path}",
            shown(&name_aside(place).to_string_lossy())
        );
        return Some(
            Diagnostic::new(Code::ChangedSince, message)
                .note("nothing was changed")
                .note(own),
        );
    }
    let (HookState::Foreign, Some(aside)) = (place.state, &place.aside) else {
        return None;
    };
    let message = format!(
        "{path} is not git segedit's, though another hook was moved aside for one that was: {}",
        shown(&aside.to_string_lossy())
    );
    Some(Diagnostic::new(Code::ChangedSince, message).note(
        "nothing was changed; keep one of the two, or make one of them, and remove the other",
    ))
}

fn not_a_file(place: &HookPlace) -> Diagnostic {
    let message = format!("{} is not a file", shown(&place.path.to_string_lossy()));
    Diagnostic::new(Code::UnsupportedRepository, message)
        .note("git runs no such hook; move it elsewhere")
}

fn put_hook(place: &HookPlace) -> Result<HookChange, Diagnostic> {
    let script = place.hook.script();
    match place.state {
        HookState::None => add_hook(&place.path, script)?,
        HookState::Ours | HookState::Chained if place.is_current() => {
            return Ok(HookChange::Unchanged);
        }
        HookState::Ours | HookState::Chained => {
            replace_hook(&place.path, script)?;
            return Ok(HookChange::Updated);
        }
        HookState::Foreign => {
            replace_and_keep_hook(&place.path, &name_aside(place), script)?;
        }
    }
    Ok(HookChange::Installed)
}

fn take_hook(place: &HookPlace) -> Result<HookChange, Diagnostic> {
    match (place.state, &place.aside) {
        (HookState::Foreign, _) | (HookState::None, None) => Ok(HookChange::Unchanged),
        (HookState::None, Some(aside)) => {
            move_hook(aside, &place.path).map(|()| HookChange::Restored)
        }
        (HookState::Ours | HookState::Chained, Some(aside)) => {
            put_back_hook(aside, &place.path).map(|()| HookChange::Restored)
        }
        (HookState::Ours | HookState::Chained, None) => {
            remove_hook(&place.path).map(|()| HookChange::Removed)
        }
    }
}

fn name_aside(place: &HookPlace) -> PathBuf {
    place
        .path
        .with_file_name(format!("{}{ASIDE}", place.hook.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_scripts_ask_for_their_name() {
        let check = |script: &str, expected: bool| {
            assert_eq!(asks_for_its_name(script.as_bytes()), expected, "{script}");
        };
        check("case $(basename \"$0\") in pre-commit) exit 1;; esac", true);
        check("hookName=`basename \"$0\"`", true);
        check("exec tool run \"${0##*/}\"", true);
        check("name = os.path.basename(sys.argv[0])", true);
        check("hook = File.basename($PROGRAM_NAME)", true);
        check(". \"$(dirname \"$0\")/common.sh\"", false);
        check("for f in $1; do basename \"$f\"; done", false);
        check("make check", false);
    }

    #[test]
    fn each_script_is_recognised_as_ours_and_no_other() {
        for hook in Hook::ALL {
            assert!(is_ours(hook.script().as_bytes()), "{hook:?}");
            assert!(hook.script().contains(hook.line()), "{hook:?}");
            assert!(
                hook.script().contains(&format!("{}{ASIDE}", hook.name())),
                "{hook:?}"
            );
        }
        for script in [
            "",
            "#!/bin/sh\n",
            "#!/bin/sh\n\n# Written by `git segedit hooks install`\n",
        ] {
            assert!(!is_ours(script.as_bytes()), "{script}");
        }
        assert!(!is_ours(
            format!("{}\n#!/bin/sh\n", crate::git::MARKER).as_bytes()
        ));
    }
}
