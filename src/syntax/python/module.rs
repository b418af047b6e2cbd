//! Parsing, safe on any nesting: the only place that calls the parser.
//!
//! The parser grows its stack as it needs, but its tree is walked and dropped by recursion, and each level of
//! nesting costs it some kilobytes. So the depth is bounded three times: before the parse by a rough count over the
//! bytes (which strings within f-strings can mislead), after it by an exact one over the tokens, and a tree that is
//! deep but bearable is walked and dropped on a thread with a stack to match. CPython itself refuses more than 200
//! brackets in one another and more than 99 levels of indentation.

use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{ModModule, PySourceType, PythonVersion};
use ruff_python_parser::{ParseOptions, Parsed, parse_unchecked};
use ruff_text_size::Ranged;

use super::source::offset;

/// The newest minor version that the parser knows: nothing is an error that some Python takes, but for what the
/// newest no longer does.
pub const NEWEST_MINOR: u8 = PythonVersion::PY315.minor;

/// CPython's own limit of brackets in one another.
const MOST_BRACKETS: usize = 200;
/// CPython's own limit of indentations in one another.
const MOST_INDENTS: usize = 99;
/// As many links (§`Depth`) make a tree that any thread's stack can bear.
const SHALLOW: usize = 300;
/// As many links make a tree that a thread with `DEEP_STACK` can bear.
const DEEP: usize = 20_000;
const DEEP_STACK: usize = 128 << 20;
/// As many links, roughly counted, and the file is not even parsed.
const MOST_LINKS: usize = 400_000;

/// A file that is nested too deeply to be read, with the offset at which it became so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooDeep(pub usize);

/// Parses `text` for Python 3.`minor` and hands the result to `read`, errors and all.
pub(super) fn parsed<T: Send>(
    text: &str,
    minor: u8,
    read: impl FnOnce(&Parsed<ModModule>) -> T + Send,
) -> Result<T, TooDeep> {
    parsed_and(text, minor, read, drop)
}

/// Does the same for a process that is about to end, which frees the tree with everything else.
pub(super) fn parsed_at_parting<T: Send>(
    text: &str,
    minor: u8,
    read: impl FnOnce(&Parsed<ModModule>) -> T + Send,
) -> Result<T, TooDeep> {
    parsed_and(text, minor, read, std::mem::forget)
}

fn parsed_and<T: Send>(
    text: &str,
    minor: u8,
    read: impl FnOnce(&Parsed<ModModule>) -> T + Send,
    leave: fn(Parsed<ModModule>),
) -> Result<T, TooDeep> {
    if u32::try_from(text.len()).is_err() {
        return Err(TooDeep(0));
    }
    if !is_surely_shallow(text.as_bytes()) {
        rough_depth(text.as_bytes())?;
    }
    let options = ParseOptions::from(PySourceType::Python)
        .with_target_version(PythonVersion { major: 3, minor });
    let module = parse_unchecked(text, options)
        .try_into_module()
        .expect("a module was asked for");
    match exact_depth(module.tokens()) {
        Ok(links) if links <= SHALLOW => {
            let told = read(&module);
            leave(module);
            Ok(told)
        }
        Ok(_) => on_deep_stack(module, read),
        Err(place) => {
            // To drop this tree could overflow the stack. Only a file built for the purpose comes here.
            std::mem::forget(module);
            Err(place)
        }
    }
}

fn on_deep_stack<T: Send>(
    module: Parsed<ModModule>,
    read: impl FnOnce(&Parsed<ModModule>) -> T + Send,
) -> Result<T, TooDeep> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(DEEP_STACK)
            .spawn_scoped(scope, move || read(&module));
        thread
            .ok()
            .and_then(|thread| thread.join().ok())
            .ok_or(TooDeep(0))
    })
}

/// Counts how deep a tree can be: along one statement, every token may be one level, but what a comma, a closing
/// bracket or a statement's end has completed is a level no more. Parameters of a lambda are ended by no comma.
#[derive(Default)]
struct Depth {
    frames: Vec<DepthFrame>,
    here: DepthFrame,
    links: usize,
    deepest: usize,
}

#[derive(Clone, Copy, Default)]
struct DepthFrame {
    links: usize,
    lambdas: usize,
}

impl Depth {
    fn link(&mut self) {
        self.here.links += 1;
        self.links += 1;
        self.deepest = self.deepest.max(self.links);
    }

    fn lambda(&mut self) {
        self.here.lambdas += 1;
        self.links += 1;
        self.deepest = self.deepest.max(self.links);
    }

    fn open(&mut self) {
        self.link();
        self.frames.push(std::mem::take(&mut self.here));
    }

    fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.links -= self.here.links + self.here.lambdas;
            self.here = frame;
        }
    }

    fn comma(&mut self) {
        self.links -= self.here.links;
        self.here.links = 0;
    }

    fn statement(&mut self) {
        *self = Depth {
            deepest: self.deepest,
            ..Depth::default()
        };
    }

    fn brackets(&self) -> usize {
        self.frames.len()
    }
}

/// Says whether `rough_depth` cannot but find `bytes` bearable, at a fraction of its cost: no more brackets are open than
/// may be, and no statement has more bytes than may be links.
fn is_surely_shallow(bytes: &[u8]) -> bool {
    let (mut at, mut brackets, mut statement) = (0, 0_usize, 0);
    while let Some(skipped) = bytes
        .get(at..)
        .and_then(|rest| rest.iter().position(|&byte| MATTERS[usize::from(byte)]))
    {
        at += skipped;
        let byte = bytes[at];
        at += 1;
        match byte {
            b'(' | b'[' | b'{' => brackets += 1,
            b')' | b']' | b'}' => brackets = brackets.saturating_sub(1),
            b'#' => at = super::source::line_end(bytes, at),
            b'"' | b'\'' => at = string_end(bytes, at - 1),
            _ if brackets == 0 => statement = at,
            _ => {}
        }
        if brackets > MOST_BRACKETS || at - statement > MOST_LINKS {
            return false;
        }
    }
    bytes.len() - statement <= MOST_LINKS
}

/// Bytes that open or close something.
static MATTERS: [bool; 256] = {
    let mut matters = [false; 256];
    let mut rest: &[u8] = b"()[]{}#\"'\n\r;";
    while let [first, others @ ..] = rest {
        matters[*first as usize] = true;
        rest = others;
    }
    matters
};

/// Bounds the depth over bytes: strings and comments are skipped, an f-string is a string.
fn rough_depth(bytes: &[u8]) -> Result<(), TooDeep> {
    let mut depth = Depth::default();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'(' | b'[' | b'{' => depth.open(),
            b')' | b']' | b'}' => depth.close(),
            b',' => depth.comma(),
            b'\n' | b'\r' | b';' if depth.brackets() == 0 => depth.statement(),
            b' ' | b'\t' | b'\n' | b'\r' | b'\\' | 0x0c => {}
            b'#' => at = super::source::line_end(bytes, at),
            b'"' | b'\'' => at = string_end(bytes, start),
            _ if is_word(byte) => {
                at += bytes[at..]
                    .iter()
                    .take_while(|&&byte| is_word(byte))
                    .count();
                if &bytes[start..at] == b"lambda" {
                    depth.lambda()
                } else {
                    depth.link()
                }
            }
            _ => depth.link(),
        }
        if depth.brackets() > MOST_BRACKETS || depth.links > MOST_LINKS {
            return Err(TooDeep(start));
        }
    }
    Ok(())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Returns the offset after the string literal whose opening quote is at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let triple = bytes[start..].starts_with(&[quote; 3]);
    let mut at = start + if triple { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        if triple && byte != b'\\' && byte != quote {
            // Most of a docstring is neither.
            at += memchr::memchr2(b'\\', quote, &bytes[at..]).unwrap_or(bytes.len() - at);
            continue;
        }
        match byte {
            b'\\' if bytes[at + 1..].starts_with(b"\r\n") => at += 3,
            b'\\' => at += 2,
            b'\n' | b'\r' if !triple => return at,
            _ if byte != quote => at += 1,
            _ if !triple => return at + 1,
            _ if bytes[at..].starts_with(&[quote; 3]) => return at + 3,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Bounds the depth over the parser's own tokens, and returns the most links.
fn exact_depth(tokens: &[Token]) -> Result<usize, TooDeep> {
    let mut depth = Depth::default();
    let mut indents = 0_usize;
    for token in tokens {
        match token.kind() {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth.open(),
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth.close(),
            TokenKind::Comma => depth.comma(),
            TokenKind::Newline | TokenKind::Semi => depth.statement(),
            TokenKind::Indent => indents += 1,
            TokenKind::Dedent => indents = indents.saturating_sub(1),
            TokenKind::Lambda => depth.lambda(),
            TokenKind::Comment | TokenKind::NonLogicalNewline => {}
            _ => depth.link(),
        }
        if depth.brackets() > MOST_BRACKETS || indents > MOST_INDENTS || depth.links > DEEP {
            return Err(TooDeep(offset(token.start())));
        }
    }
    Ok(depth.deepest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the quick look says, and what the count says: the first may never pass what the second refuses.
    #[track_caller]
    fn check(text: &str, shallow: bool, bearable: bool) {
        assert_eq!(is_surely_shallow(text.as_bytes()), shallow);
        assert_eq!(rough_depth(text.as_bytes()).is_ok(), bearable);
    }

    #[test]
    fn the_quick_look_passes_nothing_that_the_count_refuses() {
        let deep = |count: usize| "(".repeat(count) + &")".repeat(count);
        check("", true, true);
        check(&deep(MOST_BRACKETS), true, true);
        check(&deep(MOST_BRACKETS + 1), false, false);
        check(&format!("'{}'", deep(300)), true, true);
        check(&format!("'''\n{}\n'''", deep(300)), true, true);
        check(&format!("# {}\n", deep(300)), true, true);
        check(&format!("'\\'{}'", deep(300)), true, true);
        check(&format!("'\n{}", deep(300)), false, false);
        check(&"-".repeat(MOST_LINKS), true, true);
        check(&"-".repeat(MOST_LINKS + 1), false, false);
        check(&format!("x = {}", " ".repeat(MOST_LINKS)), false, true);
        check(
            &format!("({}\n)", "-\n".repeat(MOST_LINKS + 1)),
            false,
            false,
        );
        check(&"x\n".repeat(MOST_LINKS), true, true);
        check(&"x;".repeat(MOST_LINKS), true, true);
        check(&format!("[{}]", "1,".repeat(MOST_LINKS)), false, true);
    }
}
