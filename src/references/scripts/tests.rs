//! Each row is a project as text in which every place of a word is marked with what it is: `!` certain, `?` unsure, `~` a mention, and
//! no mark something else. The first certain place of the first file is the definition.

use super::{ScriptDefinition, ScriptSurvey};
use crate::path::RepoPath;
use crate::references::tests::{MARKS, marked, project};
use crate::text::Span;

fn check_all(files: &[(&str, &str)], word: &str) {
    let project = project(files, word);
    let (first, text) = files[0];
    let own = RepoPath::parse(first).unwrap();
    let mut before = text[..text.find(&format!("{word}!")).unwrap()].to_owned();
    for mark in MARKS {
        before = before.replace(&format!("{word}{mark}"), word);
    }
    let definition = ScriptDefinition {
        path: &own,
        span: Span::new(before.len(), before.len() + word.len()),
        address: format!("{first}::{word}"),
    };
    let found = ScriptSurvey::of(&project, &definition)
        .unwrap()
        .references();
    for (path, text) in files {
        assert_eq!(marked(&project, path, &found), *text, "{path}");
    }
}

fn check(text: &str) {
    check_all(&[("a.ts", text)], "f");
}

#[test]
fn scopes_are_those_of_the_language() {
    check(
        "export function f!(n: number) { return n ? f!(n - 1) : 0; }\nfunction g(f: number) { return f; }\n",
    );
    check(
        "export const f! = 1;\n{ const f = 2; f; }\nfor (const f of [1]) f;\ntry {} catch (f) { f; }\nf!;\n",
    );
    // A function is there before its line, and `var` belongs to the function around.
    check(
        "export {};\nfunction g() { f!(); function f!() {} }\nfunction h() { { var f = 1; } return f; }\n",
    );
    check(
        "export class f! { f() { return new f!(); } }\nconst g = class f { m() { return f; } };\nf!.f;\n",
    );
    check(
        "export type f! = { f: f![] };\nexport const g = (x: f!): x is f! => true;\nlet h: Array<f!>;\ntype t<f> = f;\n",
    );
    check(
        "export interface f! {}\nexport interface f! { x: f! }\nclass g implements f! { x!: f! }\n",
    );
    check("export enum f! { f = 1 }\nf!.f;\nlet x: f!.f;\n");
    check("f: for (;;) { break f; }\nexport const f! = 1;\n");
    check("export const f! = 1;\n// f~\nconst s = 'f~' + `f~ ${f!}`, r = /f~/;\n");
}

#[test]
fn a_key_is_no_variable() {
    check("export const f! = 1;\nconst o = { f: 2, g: f!, f() {} };\no.f; o['f'];\n");
    check("export const f! = 1;\nexport const o = { f! };\nconst { f: g } = o, { f = 2 } = { f: 3 };\n".replace("{ f = 2 }", "{ g: h = f! }").as_str());
    check("export let f! = 1;\n({ f! } = { f: 2 });\n[f!] = [1];\nf!++;\n");
}

#[test]
fn imports_and_exports_lead_on() {
    let own = ("a.ts", "export function f!() {}\n");
    let check = |others: &[(&str, &str)]| {
        let files: Vec<(&str, &str)> = std::iter::once(own).chain(others.iter().copied()).collect();
        check_all(&files, "f");
    };
    check(&[
        ("b.ts", "import { f! } from './a';\nf!();\nexport { f! };\n"),
        ("c.ts", "import { f! } from './b';\nf!();\n"),
    ]);
    check(&[(
        "b.ts",
        "import { f! as g } from './a.js';\ng();\nfunction h(f: number) {}\n",
    )]);
    check(&[
        ("b.ts", "export { f! as g } from './a';\n"),
        ("c.ts", "import { g as f } from './b';\nf();\n"),
    ]);
    check(&[
        ("b.ts", "export * from './a';\n"),
        ("c.ts", "import { f! } from './b';\nf!();\n"),
    ]);
    check(&[(
        "b.ts",
        "import * as all from './a';\nall.f!(); all['f!'](); let t: typeof all.f!;\nother.f();\n",
    )]);
    check(&[(
        "b.ts",
        "const { f! } = await import('./a');\n(await import('./a')).f!();\nlet t: import('./a').f!;\n",
    )]);
    check(&[
        ("d/index.ts", "export { f! } from '..';\n"),
        ("index.ts", "export * from './a';\n"),
        ("c.ts", "import { f! } from './d';\n"),
    ]);
    check(&[(
        "b.js",
        "const { f! } = require('./a');\nconst a = require('./a');\na.f!(); a.g.f();\n",
    )]);
    // Another of the name hides what a star brings, and what has no such export is another.
    check(&[
        ("b.ts", "export * from './a';\nexport const f = 1;\n"),
        ("c.ts", "import { f } from './b';\nf;\n"),
    ]);
    check(&[
        ("b.ts", "import { f } from 'react';\nf();\n"),
        ("package.json", "{\"dependencies\": {\"react\": \"1\"}}\n"),
    ]);
    check(&[(
        "b.ts",
        "import { f } from 'node:fs';\nimport { f as g } from 'fs';\nf(); g();\n",
    )]);
}

#[test]
fn what_is_not_said_is_not_certain() {
    let own = ("a.ts", "export function f!() {}\n");
    let check = |others: &[(&str, &str)]| {
        let files: Vec<(&str, &str)> = std::iter::once(own).chain(others.iter().copied()).collect();
        check_all(&files, "f");
    };
    check(&[("b.ts", "import { f? } from '@/a';\nf?();\n")]);
    check(&[("b.ts", "import { f? } from './gone';\nf?();\n")]);
    check(&[
        ("b.ts", "import * as all from './a';\nuse(all);\n"),
        (
            "c.ts",
            "export function use(x: any) { x.f?(); }\nconst s = { f: 1 };\n",
        ),
    ]);
    check(&[("b.ts", "jest.mock('./a', () => ({ f?: 1 }));\nx.f?;\n")]);
    check(&[
        ("b.ts", "export * as all from './a';\n"),
        ("c.ts", "x.all.f?();\nMath.f;\n"),
    ]);
    check(&[
        ("b.vue", "<script>import { f? } from './a'</script>\n"),
        ("b.md", "f~\n"),
    ]);
    check(&[("b.ts", "import { f? } from './a'\n(((\n")]);
    check(&[
        ("a.js", "export function f() {}\n"),
        ("b.ts", "import { f? } from './a';\n"),
    ]);
    check(&[(
        "b.d.ts",
        "declare module './a' { export function f?(): void }\n",
    )]);
}

#[test]
fn files_that_are_no_modules_share_what_they_define() {
    check_all(
        &[
            ("a.js", "function f!() {}\nwindow.f?();\n"),
            ("b.js", "f?();\n"),
            ("c.mjs", "export {};\nf?();\nfunction g(f) { f; }\n"),
            ("d.html", "<a onclick=\"f?()\">f?</a>\n"),
            ("e.md", "f~\n"),
        ],
        "f",
    );
}

#[test]
fn members_are_what_their_receivers_surely_are() {
    check(
        "export class A {\n  f!() { return this.f!(); }\n  g = () => this.f!();\n  h() { return function (this: any) { this.f?(); }; }\n}\nx.f?();\nconst o = { f?: 1 };\nf;\n",
    );
    check(
        "export class A {\n  static f! = 1;\n  static g() { return this.f! + A.f!; }\n  h() { return this.f?; }\n}\n",
    );
    check(
        "export enum E { f! = 1, g = f! }\nE.f!; E['f!'];\nlet x: E.f!;\nconst o = { f: 1 };\nx.f?;\n",
    );
    check("const o = { f!: 1, g() { return o.f!; } };\no.f!;\nconst { f! } = o;\n");
    check("class A { constructor(private f!: number) { f!; } g() { return this.f!; } }\n");
    check("const o = {};\no.f! = 1;\no.f!;\np.f?;\n");
    check_all(
        &[(
            "a.ts",
            "class A { #f! = 1; has(o: A) { return #f! in o && o.#f!; } }\nclass B { #f = 1; g() { return this.#f; } }\n",
        )],
        "#f",
    );
    check_all(
        &[
            (
                "a.ts",
                "export namespace N { export const f! = 1; f!; }\nN.f!;\n",
            ),
            ("b.ts", "import { N as M } from './a';\nM.f!; x.f?;\n"),
        ],
        "f",
    );
}

#[test]
fn elements_of_jsx_are_names() {
    check_all(
        &[(
            "a.tsx",
            "export function Card!() { return <div Card=\"Card~\">Card~</div>; }\nexport const x = <Card! Card={1}><Card!.Card /></Card!>;\n",
        )],
        "Card",
    );
}

#[test]
fn what_is_an_object_may_go_anywhere() {
    let check = |files: &[(&str, &str)]| check_all(files, "f");
    check(&[(
        "m.js",
        "module.exports = { f!() {}, g() { this.f?(); } };\n",
    )]);
    check(&[
        ("m.js", "class K { static f!() {} }\nmodule.exports = K;\n"),
        (
            "u.js",
            "const K = require('./m');\nK.f?();\nrequire('./m').f?();\n",
        ),
    ]);
    check(&[
        ("m.js", "exports.f! = 1;\n"),
        ("i.js", "module.exports = { ...require('./m') };\n"),
        ("u.js", "const { f! } = require('./i');\nrequire('fs').f;\n"),
    ]);
    check(&[
        ("a.mjs", "export function f!() {}\n"),
        (
            "b.mjs",
            "import * as all from './a.mjs';\nconst api = { ...all };\napi.f?();\nclass K { g() { this.f?; } }\n",
        ),
    ]);
    check(&[
        ("m.js", "exports.f! = 1;\n"),
        (
            "u.js",
            "let m = require('./m');\nm = require('./n');\nm.f?();\n",
        ),
    ]);
}

#[test]
fn other_ways_to_say_a_name_are_seen() {
    check_all(
        &[
            ("a.ts", "export const f! = 1;\n"),
            ("b.ts", "import * as all from './a';\nall[`f!`];\n"),
        ],
        "f",
    );
    check("export enum E { f! = 'f?', g = 'f~ f~' }\n");
    check("export {};\nfunction g(z = () => f?) { var f = 1; }\nfunction f!() {}\n");
    // The path of a module says nothing of what is in it.
    check_all(
        &[
            ("load.ts", "export function load!() {}\n"),
            (
                "b.ts",
                "import { load! } from './load';\nexport * from './load';\n// load~\n",
            ),
        ],
        "load",
    );
}
