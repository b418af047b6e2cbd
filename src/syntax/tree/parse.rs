//! The one door to tree-sitter's parser: a tree, or none where that takes more work than any ordinary file.
//!
//! Counts bound it, so that an answer is the same on every machine:
//!
//! - operations of the parser, for each byte that it gets on;
//! - bytes that lexers and scanners read. They do not report back while they scan, so the file is handed to them in small
//!   chunks, and each is counted. Rust's scanner looks for the end of a raw string from each `r#"` that has none;
//! - what is open at the end of the file. The parser takes an unfinished file's stack apart in one go, along every way that
//!   several readings (`f<a, b>`) left through it, and that is quadratic in how deep they are in one another;
//! - errors that it recovers from, where that is slow: each costs more than the one before, in one operation, and a few thousand
//!   (`!,!,!,`) take minutes;
//! - steps in which it follows three readings and more, and choices among readings, where that is slow: `& & &` of Swift has ten, and
//!   choosing among them at the end takes as long as there are pairs of them.
//!
//! Only the parser's log counts the last two, and keeping one takes three times as long; so it is kept from where operations take far
//! more of the processor's time than they ordinarily do. That time, which what else the machine does is no part of, says no more than
//! that these are to be counted.
//!
//! Known limit: what is open is judged by brackets and without knowing the language: a bracket in a regular expression or a
//! template counts like any other.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tree_sitter::{Language, LogType, ParseOptions, ParseState, Parser, Tree};

/// The parser reports back each hundred operations. Of some 11,400 files (123 MB of Rust, Python, JavaScript, TypeScript and
/// CSS that others published) none past 4 KB took more than a report for 27 bytes.
const BYTES_PER_REPORT: usize = 8;

/// How many reports a file may take ahead of the bytes that pay for them.
const REPORTS_AHEAD: usize = 2_000;

/// Bytes handed out at once.
const CHUNK: usize = 256;

/// How often the whole file may be handed out, and chunks that even the smallest gets. Ordinary files are read two or three
/// times, and at most seven: external scanners look ahead and give up.
const TIMES_READ: usize = 32;
const LEAST_CHUNKS: usize = 4_096;

/// Brackets that may be open at the end, and one more for so many bytes: what looks open in a large bundle is in regular
/// expressions. Of the same files, one of 781 KB has 831, no other more than 97.
const MOST_OPEN: usize = 1_500;
const BYTES_PER_OPEN: usize = 512;

/// How many brackets up the one is looked for that another closes.
const FARTHEST: usize = 64;

/// How long a parse may take ahead of its reports, and for each of them, before its errors are counted: some three times of what
/// ordinary files take.
const TIME_AHEAD: Duration = Duration::from_millis(50);
const TIME_A_REPORT: Duration = Duration::from_micros(30);

/// Errors that are recovered from once they are counted, and one more for so many bytes. Of some 120 files that others published
/// and that do not parse none had more than 179 in all.
const MOST_ERRORS: usize = 200;
const BYTES_PER_ERROR: usize = 4_096;

/// Steps with three readings of the text or more and choices among them, once errors are counted, and one more for so many bytes. Of
/// some 10,800 files of 19 languages that others published none past 50 KB took more than a step for 7 bytes from its beginning on, none
/// in all more than 34,000, and none more than 480 choices. Each such step has a node of its own on the stack, and the parser takes seconds
/// to choose among them at the end.
const MOST_UNSURE: usize = 40_000;
const BYTES_PER_UNSURE: usize = 16;

/// The stack of the thread in which a slow parse goes on, in bytes: where readings were joined, the parser takes its own stack apart
/// by recursion.
const DEEP_STACK: usize = 128 << 20;

/// Returns the tree of `source`, `None` when it takes too much work.
pub fn parse(language: &Language, source: &[u8]) -> Option<Tree> {
    if left_open(source).len() > MOST_OPEN.saturating_add(source.len() / BYTES_PER_OPEN) {
        return None;
    }
    let mut parser = Parser::new();
    parser
        .set_language(language)
        .expect("every grammar's version is accepted: a test parses with each");
    let mut work = ParseWork::of(source);
    let tree = work.go_on(&mut parser, false);
    if tree.is_some() || !work.is_slow {
        return tree;
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEP_STACK);
        let goes_on = move || {
            parser.set_logger(Some(Box::new(work.counted.logger())));
            work.go_on(&mut parser, true)
        };
        thread.spawn_scoped(scope, goes_on).ok()?.join().ok()?
    })
}

/// What a parse has taken so far.
struct ParseWork<'s> {
    source: &'s [u8],
    /// Chunks that are left to be handed out.
    chunks: Cell<usize>,
    reports: usize,
    farthest: usize,
    /// It takes more of the processor's time than is ordinary.
    is_slow: bool,
    counted: Counted,
}

impl<'s> ParseWork<'s> {
    fn of(source: &'s [u8]) -> ParseWork<'s> {
        let chunks = LEAST_CHUNKS.saturating_add(source.len() / CHUNK * TIMES_READ);
        ParseWork {
            source,
            chunks: Cell::new(chunks),
            reports: 0,
            farthest: 0,
            is_slow: false,
            counted: Counted::default(),
        }
    }

    /// Begins the parse, or goes on where it was; ends it when it becomes slow, unless that is `known`, or has taken too much work.
    fn go_on(&mut self, parser: &mut Parser, known: bool) -> Option<Tree> {
        let ParseWork { source, chunks, .. } = self;
        let mut read = |at: usize, _| {
            // Nothing left: the scanner sees the end of the file, and the next report ends it all.
            let left = chunks.get().saturating_sub(1);
            chunks.set(left);
            let rest = if left == 0 {
                &[]
            } else {
                source.get(at..).unwrap_or_default()
            };
            rest.get(..CHUNK).unwrap_or(rest)
        };
        let began = processor_time();
        let mut report = |state: &ParseState| {
            self.reports = self.reports.saturating_add(1);
            self.farthest = state.current_byte_offset().max(self.farthest);
            let allowed = u32::try_from(self.reports).map_or(Duration::MAX, |reports| {
                TIME_AHEAD + TIME_A_REPORT * reports
            });
            self.is_slow = known || processor_time().saturating_sub(began) > allowed;
            let goes_on = chunks.get() > 0
                && self.reports <= REPORTS_AHEAD.saturating_add(self.farthest / BYTES_PER_REPORT)
                && self.counted.are_few(source.len());
            if goes_on && self.is_slow == known {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut report);
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        // It may have come to its end before a report, with what was no end of the file.
        tree.filter(|_| chunks.get() > 0)
    }
}

/// What only the parser's log tells.
#[derive(Clone, Default)]
struct Counted {
    errors: Arc<AtomicUsize>,
    unsure: Arc<AtomicUsize>,
}

impl Counted {
    fn logger(&self) -> impl FnMut(LogType, &str) + Send + 'static {
        let counted = self.clone();
        move |_, message: &str| {
            if message.starts_with("resume version") {
                counted.errors.fetch_add(1, Ordering::Relaxed);
            } else if message.starts_with("select_") || readings(message) >= 3 {
                counted.unsure.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn are_few(&self, bytes: usize) -> bool {
        let errors = MOST_ERRORS.saturating_add(bytes / BYTES_PER_ERROR);
        let unsure = MOST_UNSURE.saturating_add(bytes / BYTES_PER_UNSURE);
        self.errors.load(Ordering::Relaxed) <= errors
            && self.unsure.load(Ordering::Relaxed) <= unsure
    }
}

/// Returns of how many readings a step is, which the log has as `process version:0, version_count:3, …`; 0 for what is no step.
fn readings(message: &str) -> usize {
    message
        .strip_prefix("process version:")
        .and_then(|rest| rest.split_once("version_count:"))
        .and_then(|(_, rest)| rest.split(',').next()?.parse().ok())
        .unwrap_or(0)
}

/// Returns how long this thread has had the processor.
fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Returns the brackets that are open at the end, `<` among them unless what is around it, or a `;`, ends first. A file that
/// ends in the midst of a string or comment is looked at as if there were none.
pub fn left_open(source: &[u8]) -> Vec<u8> {
    let mut open: Vec<u8> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        at += 1;
        let rest = source.get(at..).unwrap_or_default();
        match byte {
            b'/' if rest.starts_with(b"/") => {
                at += memchr::memchr(b'\n', rest).unwrap_or(rest.len())
            }
            b'/' if rest.starts_with(b"*") => {
                at += memchr::memmem::find(rest.get(1..).unwrap_or_default(), b"*/")
                    .map_or(0, |end| end + 3);
            }
            b'"' => at += quoted(rest),
            // A letter: longer ones would begin at each of Rust's lifetimes.
            b'\'' if rest.get(1) == Some(&byte) => at += 2,
            b'(' | b'[' | b'{' | b'<' => open.push(byte),
            b')' => close(&mut open, b'('),
            b']' => close(&mut open, b'['),
            b'}' => close(&mut open, b'{'),
            b'>' if open.last() == Some(&b'<') => drop(open.pop()),
            b';' => {
                while open.last() == Some(&b'<') {
                    open.pop();
                }
            }
            _ => {}
        }
    }
    open
}

/// Ends the innermost `opener`, and what it holds; one that closes nothing ends nothing. Only so far up is one looked for, so
/// that what closes nothing does not cost the whole depth each time.
fn close(open: &mut Vec<u8>, opener: u8) {
    let near = open.iter().rev().take(FARTHEST);
    if let Some(inside) = near.into_iter().position(|&it| it == opener) {
        open.truncate(open.len() - inside - 1);
    }
}

/// Returns how many bytes of `rest` a string takes with its closing quote; none where it is not closed on its line.
fn quoted(rest: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        at += 1;
        match byte {
            b'\\' => at += 1,
            b'\n' => return 0,
            b'"' => return at,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_at_the_end_is_counted() {
        let check = |source: &str, expected: usize| {
            assert_eq!(left_open(source.as_bytes()).len(), expected, "{source}")
        };
        check("f(a[b], {c: 1})", 0);
        check("f<a,f<a,", 2);
        check("if (a < b) { c < d; }", 0);
        check("a < b; c < d\n", 1);
        check("(\")\" // )\n/* ) */ ')'", 1);
        check("({\"\\\"})\"", 2);
        check("fn f<'a>(a: &'a str) {}", 0);
        check("({ /* )}", 0);
        check("'it is ({", 2);
        check("'(' + ')'", 0);
        check("(]", 1);
        check("{([}", 0);
    }

    #[test]
    fn what_takes_too_much_work_has_no_tree() {
        let rust = tree_sitter_rust::LANGUAGE.into();
        let typescript = tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into();
        let tsx = tree_sitter_typescript::LANGUAGE_TSX.into();
        let java = tree_sitter_java::LANGUAGE.into();
        let is_read =
            |language: &Language, source: String| parse(language, source.as_bytes()).is_some();
        for opening in ["r#\"", "br#\"", "r##\"", "cr#\""] {
            assert!(!is_read(&rust, opening.repeat(20_000)), "{opening}");
            assert!(is_read(&rust, opening.repeat(20)), "{opening}");
        }
        assert!(is_read(&rust, "const A: &str = r#\"a\"#;\n".repeat(20_000)));
        for language in [&typescript, &tsx] {
            assert!(!is_read(language, "f<a,".repeat(5_000)));
            assert!(is_read(language, "f<a,".repeat(500)));
        }
        assert!(is_read(
            &typescript,
            "if (a < b) { f<a>(c) }\n".repeat(5_000)
        ));
        assert!(!is_read(&java, "a<b".repeat(5_000)));
        assert!(!is_read(&tsx, "<a />".repeat(5_000)), "operations");
        let javascript = tree_sitter_javascript::LANGUAGE.into();
        let python = tree_sitter_python::LANGUAGE.into();
        for (language, error) in [
            (&rust, "}*"),
            (&javascript, "!,"),
            (&typescript, "!,"),
            (&python, "~="),
        ] {
            assert!(!is_read(language, error.repeat(5_000)), "{error}");
            assert!(is_read(language, error.repeat(20)), "{error}");
        }
        // Slow as well, and without an error: its errors are counted, and there are none.
        assert!(is_read(
            &rust,
            "const A: &[u8] = &[1, 2, 3];\n".repeat(20_000)
        ));
        assert!(
            !is_read(&tsx, "/[".repeat(20_000)),
            "a regular expression that is looked for to the end"
        );
        let swift = tree_sitter_swift::LANGUAGE.into();
        for depth in [20_000, 100_000] {
            let open = "& ".repeat(depth);
            assert!(!is_read(&swift, format!("let x = {open}a")), "{depth}");
        }
        assert!(is_read(&swift, format!("let x = {}a", "& ".repeat(50))));
    }
}
