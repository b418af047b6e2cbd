//! `git-segedit`, which git runs for `git segedit`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of mimalloc 2, which the binding does not name.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

fn main() -> ExitCode {
    // A process that ends in a moment gives its memory back then. Before, it would only have to ask for it again.
    #[expect(
        unsafe_code,
        reason = "no other thread runs yet, and the number is that of the pinned version"
    )]
    // SAFETY: the call stores a number.
    unsafe {
        libmimalloc_sys::mi_option_set(PURGE_DELAY, -1);
    }
    segedit::cli::main()
}
