//! `Held`: what a batch that is resolved a second time is held to.
//!
//! Who was overtaken resolves its batch again, and who puts a batch forth again does so, too. Then a name finds its place in what
//! the file has become; but a number finds another one, and what is taken away may be the work that somebody put there in
//! between. So what counts is held to the files that it counted in (`Counted`), and what takes bytes away to the bytes that it took
//! (`Taken`).

mod counted;
mod expectations;
mod otherwise;
mod taken;

pub(super) use expectations::Expectations;
