//! Commands that have their place but do not work yet: they say so instead of being taken for a typing error.

use std::ffi::OsString;

use clap::Args;

use super::{Common, Reply};
use crate::diagnostic::{Code, Diagnostic};

/// Whatever follows.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

/// Refuses `command`, with what to do meanwhile.
pub(super) fn refuse_planned_verb(command: &str, common: &Common) -> Reply {
    let refusal = Diagnostic::new(
        Code::Unsupported,
        format!("`git segedit {command}` is not supported by this version"),
    );
    let meanwhile = match command {
        "move" => {
            "an operation file with `insert` there and `delete` here moves a segment, with `resolve: sequential` and in one batch"
        }
        _ => "`git segedit help` lists what is there",
    };
    common.refuse(vec![refusal.note(meanwhile)])
}
