//! Each verdict here is that of V8 (node 22) or of TypeScript 5.9.

use crate::syntax::tree::tests::grammar;

#[track_caller]
fn check(file: &str, source: &str, expected: &[&str]) {
    let errors = grammar(file).errors(source.as_bytes());
    let told: Vec<String> = errors
        .iter()
        .map(|error| format!("{}: {}", error.offset, error.message))
        .collect();
    assert_eq!(told, expected, "{source}");
}

#[test]
fn what_javascript_takes() {
    let right = |source| check("a.js", source, &[]);
    right("await x;\n");
    right("return 1;\n");
    right("with (a) {}\n");
    right("var x = 010;\n");
    right("var a; var a; function a() {}\n");
    right("const a = <A b={1}>{c}</A>;\n");
    right("#!/usr/bin/env node\nx\n");
    right("\u{feff}x\n");
    right("export const a = 1;\nexport { a as b };\n");
    right("class A extends B { constructor() { super(); } #x; static { this.#x; } }\n");
    right("for await (const a of b) c();\n");
    right("import a from './a.json' with { type: 'json' };\n");
}

#[test]
fn what_javascript_refuses() {
    let wrong = |source, error: &str| check("a.js", source, &[error]);
    wrong(
        "function f() { await g(); }\n",
        "15: `await` is only allowed within async functions and at the top levels of modules",
    );
    wrong("break;\n", "0: Illegal break statement");
    wrong("for (;;) { continue a; }\n", "20: Use of undefined label");
    wrong(
        "const a = 1;\nconst a = 2;\n",
        "19: Identifier `a` has already been declared",
    );
    wrong(
        "let a; var a;\n",
        "11: Identifier `a` has already been declared",
    );
    wrong(
        "import a from 'a';\nimport a from 'b';\n",
        "26: Identifier `a` has already been declared",
    );
    wrong(
        "'use strict'; with (a) {}\n",
        "14: 'with' statements are not allowed",
    );
    wrong("export { q };\n", "9: Export 'q' is not defined");
    wrong(
        "class A { f() { super(); } }\n",
        "16: Super calls are not permitted outside constructors or in nested functions inside constructors",
    );
    wrong(
        "class A { f() { this.#x; } }\n",
        "21: Private field '#x' must be declared in an enclosing class",
    );
    wrong("a?.b = 1;\n", "0: Cannot assign to this expression");
    wrong(
        "/(?<a>.)(?<a>.)/;\n",
        "11: Invalid regular expression: Duplicated capturing group names",
    );
}

#[test]
fn what_typescript_takes_and_refuses() {
    let right = |source| check("a.ts", source, &[]);
    right("function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: any) {}\n");
    right(
        "interface A { a(): void; a(x: number): void; get b(): number; set b(x: number) }\ninterface A { c: 1 }\n",
    );
    right("export class A {}\nexport namespace A { export const x = 1 }\n");
    right(
        "namespace A { import B = C.D; export function f() {} export namespace E { export const x = 1 } }\n",
    );
    right(
        "declare global { export interface A {} }\ndeclare module 'a' { import b from 'b'; export default b; }\nexport {};\n",
    );
    right("async function f() { await import('a'); }\n");
    let inside = |source, offset: usize, word: &str| {
        let error = format!("{offset}: `{word}` can only be used at the top level of a module");
        check("a.ts", source, &[&error]);
        check("a.tsx", source, &[&error]);
    };
    inside("function f() { export function g() {} }\n", 15, "export");
    inside("class A { f() { export default 1; } }\n", 16, "export");
    inside("if (a) { import b from 'b'; }\n", 9, "import");
    right(
        "export function f(): void;\n// why\nexport function f(a?: 1) {}\ndeclare function g(): void;\n",
    );
    right(
        "declare module 'a' { function f(): void; }\nabstract class A { abstract f(): void; g(): void; g(a?: 1) {} }\n",
    );
    right("enum E { A }\nenum E { B = 1 }\n");
    right("import type { A } from './a';\nlet x: A = y satisfies B;\n");
    let wrong = |source, error: &str| check("a.ts", source, &[error]);
    wrong("export default const x = 1;\n", "15: Unexpected token");
    wrong(
        "class A { x = 1; x = 2; }\n",
        "17: Identifier `x` has already been declared",
    );
    wrong(
        "type A = 1;\ntype A = 2;\n",
        "17: Identifier `A` has already been declared",
    );
    wrong(
        "interface A { a: 1; b: 2; a: 3 }\n",
        "26: Duplicate identifier `a`",
    );
    wrong(
        "function f(): void;\n",
        "9: Missing implementation of the function `f`",
    );
}

#[test]
fn declarations_are_not_judged_as_a_program() {
    check(
        "a.d.ts",
        "declare function f(): void;\nexport const a: number;\nexport function g(): void;\n",
        &[],
    );
    check(
        "a.D.MTS",
        "export class A { constructor(); f(): void }\n",
        &[],
    );
    check("a.d.ts", "export const a: ;\n", &["14: unexpected `:`"]);
}

/// What costs oxc much to read may have been written to cost that.
#[test]
fn what_nests_deep_is_read_in_bounded_time_on_a_bounded_stack() {
    let nestings = [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("x={a:", "1", "}"),
        ("{", ";", "}"),
        ("a=>", "1", ""),
        ("if(a)", ";", ""),
        ("if(a);else ", ";", ""),
        ("a?b:", "1", ""),
        ("", "a", ".b"),
        ("", "a", "+a"),
        ("", "a", "()"),
        ("<a>", "", "</a>"),
        ("`${", "1", "}`"),
        ("class A{f(){", "", "}}"),
        ("async (x=", "1", ")=>y"),
        ("(a=", "1", ")"),
        ("new ", "a", ""),
        ("!", "a", ""),
        ("a=", "1", ""),
        ("a**", "1", ""),
    ];
    for (open, inner, close) in nestings {
        for (file, times) in [
            ("a.js", 300),
            ("a.tsx", 300),
            ("a.ts", 5_000),
            ("a.js", 5_000),
            ("a.tsx", 60_000),
        ] {
            let whole = [open.repeat(times), inner.to_owned(), close.repeat(times)].concat();
            let half = &whole[..open.len() * times];
            let sources = [whole.as_str(), half, &[half, ")]}"].concat()];
            for source in &sources[..if times > 5_000 { 1 } else { 3 }] {
                grammar(file).errors(source.as_bytes());
            }
        }
    }
}

#[test]
fn comments_among_the_children_of_an_element_are_text() {
    for file in ["a.jsx", "a.tsx"] {
        let right = |source| check(file, source, &[]);
        right(
            "const a = (\n  // b\n  <A\n    // c\n    b={1}\n    /* d */\n  >\n    {/* e */}\n    {\n      // f\n    }\n    http://g\n  </A>\n);\n",
        );
        right("const a = <b>// c</b>;\nconst d = <b>https://c</b>;\n");
        right("const a = <A>{b.map((c) => (\n  // d\n  <E />\n))}</A>;\n// f\n");
        let wrong = |source, offset: usize| {
            let error = format!(
                "{offset}: a comment among the children of an element is text: write `{{/* … */}}`"
            );
            check(file, source, &[&error]);
        };
        wrong("const a = <A>\n  // b\n  <C />\n</A>;\n", 16);
        wrong("const a = <>\n  <C />\n  /* b */\n</>;\n", 23);
    }
}
