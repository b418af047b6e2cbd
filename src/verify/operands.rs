//! Operands: an expression in the place of a single operand is one, or a warning says that it needs parentheses.
//!
//! Example: `ms / 60 * 1000`, where `60 * 1000` took the place of `TIMEOUT`.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::Language;
use crate::text::Span;

/// Characters of the content that a message quotes.
const QUOTED: usize = 40;

/// Returns a warning for each operation whose content what is beside it takes apart.
pub(super) fn check(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Diagnostic> {
    let is_same =
        |it: &&'static Language| new.language.is_some_and(|other| std::ptr::eq(other, *it));
    let Some(language) = old.language.filter(is_same) else {
        return Vec::new();
    };
    if old.too_large() || new.too_large() {
        return Vec::new();
    }
    // What has a name, or is a part of that, is no operand.
    let is_named = |span: Span| {
        let from = edit.named.partition_point(|named| named.end < span.start);
        edit.named.get(from).is_some_and(|it| it.contains(span))
    };
    let pairs: Vec<(Span, Span)> = edit
        .splices
        .iter()
        .flat_map(|splices| splices.with_new_spans())
        .filter(|(splice, _)| !is_named(splice.span))
        .map(|(splice, written)| {
            (
                trimmed(splice.span, &old.bytes),
                trimmed(written, &new.bytes),
            )
        })
        .filter(|(was, now)| !was.is_empty() && has_several_words(now.of(&new.bytes)))
        .filter(|(was, _)| may_be_operand(*was, &old.bytes))
        .collect();
    if pairs.is_empty() {
        return Vec::new();
    }
    let parted = language
        .grammar
        .parted_operands((&old.bytes, &new.bytes), &pairs);
    let mut found: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    for ((was, now), _) in pairs.iter().zip(parted).filter(|(_, parted)| *parted) {
        if let Some(operation) = edit.claimant(*was) {
            found.entry(operation).or_default().push(*now);
        }
    }
    let warning = |(operation, places): (usize, Vec<Span>)| {
        let first = places.first()?;
        let (line, path) = (new.lines().line(first.start), &edit.path);
        let content = String::from_utf8_lossy(first.of(&new.bytes)).into_owned();
        let content = shown(&content.chars().take(QUOTED).collect::<String>()).to_string();
        let more = match places.len() {
            1 => String::new(),
            count => format!(", and so in {} more places", count - 1),
        };
        let message = format!(
            "`{content}`, at line {line} of {path}, took the place of one operand, and what is beside it takes a part of it alone{more}"
        );
        let diagnostic = Diagnostic::new(Code::InventoryChanged, message)
            .note("put it in parentheses if all of it is meant")
            .of_operation(operation);
        Some(diagnostic)
    };
    found.into_iter().filter_map(warning).collect()
}

fn trimmed(span: Span, bytes: &[u8]) -> Span {
    let text = span.of(bytes);
    let start = span.end - text.trim_ascii_start().len();
    Span::new(start, start + text.trim_ascii().len())
}

/// Says whether a text can be more than one operand.
fn has_several_words(text: &[u8]) -> bool {
    text.iter()
        .any(|byte| byte.is_ascii_whitespace() || b"+-*/%|&^<>=?".contains(byte))
}

/// Says whether there is an operator beside a text. To read both files takes longer than all else that an edit does, and most edits take
/// whole lines.
fn may_be_operand(span: Span, bytes: &[u8]) -> bool {
    const SIGNS: &[u8] = b"+-*%|&^";
    // A bracket may end a cast: `(int) alpha`.
    const BEFORE: &[u8] = b"+-*%|&^/<>!~.)";
    const AFTER: &[u8] = b"+-*%|&^/<>?.[(";
    // What goes on with what is on the line above: no statement begins so, but one of Rust or Go with `*`, `&`, `-`.
    const WORDS_BELOW: [&[u8]; 6] = [b"and", b"as", b"in", b"instanceof", b"is", b"or"];
    const WORDS: [&[u8]; 14] = [
        b"and",
        b"as",
        b"await",
        b"delete",
        b"else",
        b"if",
        b"in",
        b"instanceof",
        b"is",
        b"keyof",
        b"not",
        b"or",
        b"typeof",
        b"void",
    ];
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let before = bytes[..span.start].trim_ascii_end();
    let after = bytes[span.end..].trim_ascii_start();
    let is_on_line = |between: &[u8]| !between.contains(&b'\n');
    let same_line_before = is_on_line(&bytes[before.len()..span.start]);
    let same_line_after = is_on_line(&bytes[span.end..bytes.len() - after.len()]);
    let sign_before = before.last().is_some_and(|byte| {
        if same_line_before {
            BEFORE.contains(byte)
        } else {
            SIGNS.contains(byte)
        }
    });
    let sign_after = after.first().is_some_and(|byte| {
        if same_line_after {
            AFTER.contains(byte)
        } else {
            matches!(byte, b'.' | b'?' | b'=') || SIGNS.contains(byte)
        }
    });
    let word_before = before.len() - before.iter().rev().take_while(|byte| is_word(byte)).count();
    let word_after = after.iter().take_while(|byte| is_word(byte)).count();
    let is_compared = matches!(before, [.., b'=' | b'!' | b'<' | b'>', b'='])
        || matches!(after, [b'=' | b'!', b'=', ..]);
    is_compared
        || sign_before
        || sign_after
        || same_line_before && WORDS.contains(&&before[word_before..])
        || same_line_after && WORDS.contains(&&after[..word_after])
        || WORDS_BELOW.contains(&&after[..word_after])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::syntax::language_of;

    #[test]
    fn operands_that_what_is_beside_them_parts() {
        let is_parted = |path: &str, text: &str| {
            // «taken/given»
            let (head, rest) = text.split_once('«').expect("a mark");
            let (was, rest) = rest.split_once('/').expect("a mark");
            let (now, tail) = rest.split_once('»').expect("a mark");
            let (old, new) = (format!("{head}{was}{tail}"), format!("{head}{now}{tail}"));
            let span = |text: &str| Span::new(head.len(), head.len() + text.len());
            if !may_be_operand(span(was), old.as_bytes()) {
                return false;
            }
            let language =
                language_of(&RepoPath::parse(path).expect("a path")).expect("it is read");
            let pairs = [(span(was), span(now))];
            let found = language
                .grammar
                .parted_operands((old.as_bytes(), new.as_bytes()), &pairs);
            found == [true]
        };
        for (path, text) in [
            ("a.js", "x = ms % «T/60 * 1000»;\n"),
            ("a.js", "x = !«ready/ready || open»;\n"),
            ("a.js", "x = «x/b ? c : d» + y;\n"),
            ("a.js", "y = await «g(x)/g(x) || h»;\n"),
            ("a.js", "x = a - «b/b - c»;\n"),
            ("a.js", "x = a && «b/b || c»;\n"),
            ("a.ts", "let x: «Foo/Foo | Bar»[];\n"),
            ("a.ts", "let x: keyof «Foo/Foo | Bar»;\n"),
            ("a.ts", "let x: «A/() => A» | B;\n"),
            ("a.rs", "fn f() { «x/x + y» as u8; }\n"),
            ("a.go", "package a\nvar x = !«ok(x)/ok(x) || y»\n"),
            ("A.java", "class A { int x = y * «a/a + b»; }\n"),
            ("a.py", "x = not «ready/ready and open»\n"),
            ("a.py", "x = «name/first + last».upper()\n"),
            ("a.py", "x = \"%s\" % «name/name or 1»\n"),
            ("a.py", "x = y % «T/60 * 1000»\n"),
            ("a.php", "<?php\n$v = \"a\" . «$b/$b ?? \"q\"» . \"c\";\n"),
            ("a.php", "<?php\n$v = (int) «$b/$b ?? 0»;\n"),
            ("a.rb", "v = «b/b + 1» * 2\n"),
            ("a.swift", "func f() {\n    let v = «b/b + 1» * 2\n}\n"),
            ("a.scala", "object A { val v = «b/b + 1» * 2 }\n"),
            ("a.dart", "var v = «b/b + 1» * 2;\n"),
            ("a.lua", "local v = «b/b + 1» * 2\n"),
            ("a.kt", "val v = «b/b + 1» * 2\n"),
            ("A.java", "class A { int x = (int) «b/b * 2.5»; }\n"),
            ("a.c", "int f(void) { return (int)«b/b * 2.5»; }\n"),
            ("a.cs", "class A { int x = (int)«b/b * 2.5»; }\n"),
            // At the end of a line that is quoted.
            ("a.py", "if («a[1]/a[1] or c»\n    and b):\n    pass\n"),
            ("a.py", "«if (a[1]/if (a[1] or c»\n    and b):\n    pass\n"),
            ("a.py", "«x = (y/x = (y or z»\n     .a())\n"),
            ("a.py", "«return (f(x)/return (f(x) or c»\n    and b)\n"),
            (
                "a.js",
                "«const found = data/const found = data || []»\n  .filter(x);\n",
            ),
            ("a.js", "«const n = a/const n = a + 1»\n  * b;\n"),
            ("a.js", "x = a *\n  «b;\ny()/b + c;\ny()»;\n"),
            (
                "a.rs",
                "fn f() { «let x = a/let x = a + 1»\n        .abs(); }\n",
            ),
            ("a.go", "package a\nvar x = (a *\n\t«b)/b + c)»\n"),
            (
                "A.java",
                "class A { «int x = a/int x = a + 1»\n    * b; }\n",
            ),
        ] {
            assert!(is_parted(path, text), "{text}");
        }
        let line = "    y = x + 1\n    if y:\n";
        assert!(
            !may_be_operand(Span::new(4, 13), line.as_bytes()),
            "a whole line is none"
        );
        for (path, text) in [
            ("a.js", "x = ms % «T/(60 * 1000)»;\n"),
            ("a.js", "x = ms + «T/60 * 1000»;\n"),
            ("a.js", "x = a + «b/b + c»;\n"),
            ("a.js", "x = a || «b/b || c»;\n"),
            ("a.js", "x = a + «b/b - c + d»;\n"),
            ("a.js", "f(«b/b || c»);\n"),
            ("a.js", "x = «b/b || c»;\n"),
            ("a.js", "x = «fetch/online && fetch»(url);\n"),
            ("a.js", "x = this.«width/width + 1»;\n"),
            ("a.js", "x = «a + b/a + b + c»;\n"),
            ("a.js", "x = a * «b/b.c(1 + 2)»;\n"),
            ("a.js", "f(«a/a, b»);\n"),
            ("a.js", "if («a/a) { b(); } if (c») d();\n"),
            ("a.ts", "let x: «Foo/Foo | Bar»;\n"),
            ("a.ts", "let x: A | «Foo/Foo | Bar»;\n"),
            ("a.ts", "let x: Array<«Foo/Foo | Bar»>;\n"),
            ("a.py", "x: «int/int | None» = 1\n"),
            ("a.py", "if «ready/ready and open»:\n    pass\n"),
            ("a.py", "x = a and «b/b and c»\n"),
            ("a.php", "<?php\n$v = \"a\" . «$b/$b . \"q\"» . \"c\";\n"),
            ("a.rb", "v = a + «b/b + c»\n"),
            ("a.swift", "func f() {\n    let v = a + «b/b + c»\n}\n"),
            ("a.scala", "object A { val v = a + «b/b * c» }\n"),
            ("a.dart", "var v = a + «b/b + c»;\n"),
            ("a.kt", "val v = a + «b/b + c»\n"),
            ("A.java", "class A { void f() { if (a) «b()/c = b()»; } }\n"),
            (
                "a.js",
                "«const found = data/const found = (data || [])»\n  .filter(x);\n",
            ),
            (
                "a.js",
                "«const found = f(a)/const found = f(a || b)»\n  .filter(x);\n",
            ),
            ("a.js", "«const n = a/const n = a || b»\n  ? c : d;\n"),
            ("a.js", "«const n = a/const n = c + a»\n  + b;\n"),
            ("a.js", "«const n = a/const n = await a»\n  .b();\n"),
            ("a.js", "«const n = a/const m = a»\n  * b;\n"),
            ("a.py", "«x = (y/x = (y + z»\n     + a)\n"),
            ("a.py", "«if (a/if (c and a»\n    and b):\n    pass\n"),
        ] {
            assert!(!is_parted(path, text), "{text}");
        }
    }
}
