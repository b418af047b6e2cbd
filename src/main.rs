//! `git-segedit`, which git runs for `git segedit`.

use std::process::ExitCode;

fn main() -> ExitCode {
    segedit::cli::main()
}
