//! The hooks of a repository: a line each for people, an object each for programs.

use serde::Serialize;

use super::{Rendered, ReportStyle, Verbosity, colour, json};
use crate::actions::hooks::{HookChange, HookFolder, HookPlace, HookState};
use crate::diagnostic::shown;

/// Returns what is said after looking at hooks, or after doing something about them.
pub(crate) fn render(hooks: &HookFolder, style: &ReportStyle) -> Rendered {
    let mut rendered = Rendered::default();
    let acted = hooks.places.iter().any(|place| place.done.is_some());
    if acted && style.verbosity == Verbosity::Quiet {
        return rendered;
    }
    let folder = colour::paint(
        style.stdout_colour,
        colour::STRONG,
        &shown(&hooks.folder.to_string_lossy()),
    );
    let mut text = format!("{folder}\n");
    for place in &hooks.places {
        let done = place.done.map_or_else(String::new, |done| {
            let dress = if done == HookChange::Unchanged {
                colour::FAINT
            } else {
                colour::GOOD
            };
            format!(
                "{} ",
                colour::paint(
                    style.stdout_colour,
                    dress,
                    &format!("{:>9}", done_word(done))
                )
            )
        });
        text.push_str(&format!(
            "  {done}{:<11}  {}\n",
            place.hook.name(),
            words(place)
        ));
    }
    rendered.stdout = text.into_bytes();
    for note in &hooks.notes {
        rendered.stderr.push_str(&format!("note: {note}\n"));
    }
    rendered
}

/// Returns the same for programs.
pub(crate) fn json(hooks: &HookFolder) -> Vec<u8> {
    let places = hooks.places.iter().map(|place| HookLine {
        name: place.hook.name(),
        path: place.path.to_string_lossy().into_owned(),
        state: state_word(place.state),
        runs: place.runs,
        aside: place
            .aside
            .as_ref()
            .map(|path| path.to_string_lossy().into_owned()),
        done: place.done.map(done_word),
    });
    let folder = hooks.folder.to_string_lossy().into_owned();
    json::line(&HooksReport {
        version: 1,
        folder,
        hooks: places.collect(),
        notes: &hooks.notes,
    })
}

#[derive(Serialize)]
struct HooksReport<'a> {
    version: u8,
    folder: String,
    hooks: Vec<HookLine>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct HookLine {
    name: &'static str,
    path: String,
    state: &'static str,
    runs: bool,
    aside: Option<String>,
    done: Option<&'static str>,
}

fn state_word(state: HookState) -> &'static str {
    match state {
        HookState::None => "none",
        HookState::Ours => "ours",
        HookState::Chained => "chained",
        HookState::Foreign => "foreign",
    }
}

fn done_word(done: HookChange) -> &'static str {
    match done {
        HookChange::Installed => "installed",
        HookChange::Updated => "updated",
        HookChange::Removed => "removed",
        HookChange::Restored => "restored",
        HookChange::Unchanged => "unchanged",
    }
}

/// Returns whose hook it is, and what else a person has to know of it.
fn words(place: &HookPlace) -> String {
    let aside = || {
        let name = place
            .aside
            .as_ref()
            .and_then(|path| path.file_name())
            .unwrap_or_default();
        shown(&name.to_string_lossy())
    };
    let mut words = match (place.state, &place.aside) {
        (HookState::None, None) => "none".to_owned(),
        (HookState::None, Some(_)) => {
            format!("none, but {} was moved aside and never put back", aside())
        }
        (HookState::Ours, _) => "ours".to_owned(),
        (HookState::Chained, _) if place.aside_runs => format!("ours, runs {} first", aside()),
        (HookState::Chained, _) => format!("ours; {} is not executable and not run", aside()),
        (HookState::Foreign, None) => "foreign".to_owned(),
        (HookState::Foreign, Some(_)) => format!("foreign, and {} was moved aside before", aside()),
    };
    if place.is_edited() {
        words.push_str(", with lines of others in it");
    }
    if place.state != HookState::None && !place.runs {
        words.push_str(", not executable: git passes it over");
    }
    words
}
