//! `segedit`: the engine behind `git segedit`. Edit requests by name become one atomic git object.
//!
//! # The spine
//!
//! Each value is made only by the arrow before it, so that skipping a step does not compile.
//!
//! ```text
//! yaml ─parse→ Manifest ┐
//!                       ├─resolve, build→ Plan ─check→ Checked ─format, validate→ Verified ─publish→ Receipt ─→ history entry
//! git  ─read─→ Snapshot ┘                                             (one compare-and-swap; or Stale)
//! ```
//!
//! # The floors, bottom-up
//!
//! The lowest floor is the first row. A room imports only rooms of earlier rows, or of its own.
//!
//! | floor | rooms |
//! |---|---|
//! | 0 words | `path`, `text`, `parallel` |
//! | 1 facts | `diagnostic`, `snapshot`, `diff`, `process` |
//! | 2 reading | `syntax`, `manifest`, `config`, `git` |
//! | 3 finding | `resolve`, `references`, `history`, `drafts`, `segment_index` |
//! | 4 deciding | `plan` |
//! | 5 proving | `linters`, `verify` |
//! | 6 publishing, asking | `publish`, `servers` |
//! | 7 abilities | `actions` |
//! | 8 words for people and models | `report`, `door` |
//! | 9 front doors | `mcp`, `ask`, `cli` |
//!
//! # Glossary
//!
//! One noun a thing, the same in code, help, documents and reports.
//!
//! | noun | is |
//! |---|---|
//! | manifest | an operation file as read: one batch |
//! | batch | operations that are published together or not at all |
//! | operation | one entry of a manifest: a verb, a selector, content |
//! | selector | where an operation acts, as written |
//! | address | a path and a selector in one word: `src/a.py::A.f` |
//! | segment | what a name of a file stands for: a definition, a section, a key, an element, a block |
//! | definition | a segment of code: function, method, class, variable |
//! | reference | a place where the name of a definition is written, with a verdict: certain, other, unsure, mention |
//! | part | of a segment: its body, signature, name, value, attributes |
//! | outline | all segments of one file |
//! | document | a file as it is read for one batch: its bytes, its language, its outline |
//! | snapshot | the bytes that a batch is decided on, with their base |
//! | base | what a batch is resolved against: a commit, the index, the worktree |
//! | blob | the bytes of one file, shared, with their id where it is known |
//! | span | a range of bytes in one file |
//! | splice | a span and the bytes that take its place |
//! | plan | all splices and whole-file changes of a batch, in steps |
//! | step | what one formatter, or all operations together, make of the files |
//! | change | what becomes of one path: before and after |
//! | candidate | the files as the plan leaves them, not yet published |
//! | neighbour | what is beside a splice and has to mean the same afterwards |
//! | claim | the bytes that an operation may change |
//! | linter | a validator or a formatter: a program that the repository's configuration names |
//! | validator | a linter that finds faults |
//! | formatter | a linter that lays out the changed lines |
//! | finding | one fault that a validator names |
//! | baseline | the findings that the base had, too |
//! | language server | a program that is asked where a name is used and defined |
//! | sandbox | the folder that linters and language servers run in |
//! | trust | the caller's word that a repository's commands may run |
//! | destination | commit, index, cached, worktree or stash |
//! | receipt | what was published |
//! | entry | one batch in the history |
//! | draft | edits that are collected, to be published together |
//! | journal record | of the write-ahead log: what a killed process was about to do |
//! | diagnostic | a refusal or a warning: a code, a sentence, a way out |
//! | stale | read before another process changed it |
//! | reach | the folder outside of which a call may touch nothing |
//!
//! | verb | does |
//! |---|---|
//! | parse | bytes become a value, or refusals |
//! | resolve | a selector becomes spans of the snapshot |
//! | match | text that is asked for is found, to the letter or nearly so |
//! | build | a manifest and a snapshot become a plan |
//! | fit | content takes on the indentation and the line endings of its place |
//! | compose | edits of one file become splices, or an overlap |
//! | check | a plan is compared with the files: nothing changes that nobody asked for |
//! | format, validate | linters are run on the candidate |
//! | publish | objects first, then files, then one ref, then the index |
//! | advance | a ref moves, if it is still where it was |
//! | settle | what a killed process left is finished or rolled back |
//! | undo, redo | a batch is taken back; it is published again |
//! | render | a value becomes text, JSON, SARIF |
//! | refuse | a request ends in diagnostics, and nothing happens |
//! | warn | a request is carried out, and diagnostics come with the result |
//!
//! # Invariants, and who keeps them
//!
//! - Nothing changes but the splices: `verify::drift`. Splices are sorted and disjoint: `text::splice`. What stands beside them means what it
//!   meant: `verify::neighbours`.
//! - A plan is published only when `verify` made it `Verified`.
//! - A ref moves only from the value that was read: `git` (`LockedRef`, `Expected`); the order of writes, and what each gap leaves
//!   after a crash, is the head of `publish`.
//! - A check starts no program that the repository names before it is trusted: `linters::trust`, `git` (`allowed_programs`). Publishing
//!   runs the filters and hooks that git would run. Nothing below a git folder is believed: `docs/security.md`.
//! - A path is checked once, where it is read: `path`.
//! - Other programs run by `process`, which ends them and all they start; the git program by `git`.
//!
//! # Reading order
//!
//! `actions::apply`, the story on one page; then `plan`, `verify` and `publish`, each from the table in its head; `syntax` for how a
//! language is read, `resolve` for how a name or a quote is found.

pub mod actions;
mod ask;
pub mod cli;
pub mod config;
pub mod diagnostic;
pub mod diff;
mod door;
mod drafts;
pub mod git;
mod history;
pub mod linters;
pub mod manifest;
mod mcp;
mod parallel;
pub mod path;
pub mod plan;
mod process;
mod publish;
pub mod references;
mod report;
pub mod resolve;
mod segment_index;
mod servers;
pub mod snapshot;
pub mod syntax;
pub mod text;
pub mod verify;
