//! Git folders that a stranger made, many of them.

use crate::support::stranger::harms_nobody;

/// `SEGEDIT_STRANGER_ROUNDS=1000` for a long look.
#[test]
fn whatever_is_planted_in_many_git_folders_harms_nobody() {
    harms_nobody(
        std::env::var("SEGEDIT_STRANGER_ROUNDS").map_or(30, |rounds| rounds.parse().unwrap()),
    );
}
