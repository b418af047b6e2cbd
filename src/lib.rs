//! `segedit`: the engine behind `git segedit`. Edit requests by name become one atomic git object.
//!
//! The floors, bottom-up; a room imports only rooms above it in this list:
//!
//! | floor | rooms |
//! |---|---|
//! | 0 words | `path`, `text`, `parallel` |
//! | 1 facts | `diagnostic`, `snapshot`, `process` |
//! | 2 reading | `syntax`, `manifest`, `config`, `git` |
//! | 3 finding | `resolve`, `history`, `drafts`, `catalog` |
//! | 4 deciding | `plan` |
//! | 5 proving | `linters`, `verify` |
//! | 6 publishing | `publish` |
//! | 7 abilities | `actions` |
//! | 8 words for people and models | `report`, `door` |
//! | 9 front doors | `mcp`, `ask`, `cli` |
//!
//! Start reading at `actions::apply`, the story on one page: load, resolve, plan, verify, publish.

pub mod parallel;
pub mod path;
pub mod text;

pub mod diagnostic;
pub mod process;
pub mod snapshot;

pub mod config;
pub mod git;
pub mod manifest;
pub mod syntax;

pub mod catalog;
pub mod drafts;
pub mod history;
pub mod resolve;

pub mod plan;

pub mod linters;
pub mod verify;

pub mod publish;

pub mod actions;

pub mod report;

pub mod door;

pub mod mcp;

pub mod ask;

pub mod cli;

/// The README's own program, compiled and run with the other examples.
#[cfg(doctest)]
#[expect(
    rustdoc::invalid_codeblock_attributes,
    reason = "blocks of the README say which file they are"
)]
#[doc = include_str!("../README.md")]
pub struct Readme;
