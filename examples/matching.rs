//! How often a quoted text is found where it stands, elsewhere, or not at all: `benches/matching`.
//!
//! `cargo run --release --example matching -- <cases a kind> <seed> <folder>...`

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../benches/matching/bench.rs"]
mod bench;

fn main() {
    bench::run();
}
