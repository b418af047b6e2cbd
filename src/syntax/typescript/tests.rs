//! Tables of what the language gives beyond JavaScript.

use crate::syntax::SegmentKind;
use crate::syntax::tree::tests::*;

const FILE: &str = "a.ts";

fn names(source: &str, expected: &str) {
    check_names(FILE, source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts(FILE, source, path, expected);
}

#[test]
fn declarations() {
    names(
        "export interface I<T> extends J {\n  a?: string;\n  readonly b: T,\n  m(x: number): void;\n  'q'(): void\n  (x: string): number;\n  new (x: string): I<T>;\n  [key: string]: any;\n}\n",
        "interface I\n  variable a\n  variable b\n  method m\n  method q",
    );
    names(
        "export type A<T> = { a: string; m(): void } | T;\ntype B = `x${string}`;\n",
        "type A\ntype B",
    );
    names(
        "enum E { A = 1, B }\nexport declare const enum F { X }\n",
        "enum E\n  constant A\n  constant B\nenum F\n  constant X",
    );
    names(
        "export abstract class Z<T> implements I {\n  private readonly a: string = 'x';\n  protected abstract q(): void;\n  abstract w: number;\n  constructor(private x: number) { }\n  accessor z = 1;\n  declare y: string;\n}\n",
        "class Z\n  variable a\n  method q\n  variable w\n  method constructor\n  variable z\n  variable y",
    );
    names(
        "const f = <T,>(x: T): T => x;\nexport const g: Handler = async (e) => { return e };\nconst h = ((x) => x) as Fn;\n",
        "function f\nfunction g\nvariable h",
    );
    names(
        "let v: number;\nexport const c: Record<string, () => void> = {};\ndeclare var w: string;\nexport declare const z: number;\n",
        "variable v\nvariable c\nvariable w\nvariable z",
    );
    names(
        "export default interface Props { a: string }\n",
        "interface Props\n  variable a",
    );
    names(
        "function assertIsString(val: any): asserts val is string {}\nfunction f(this: Foo, ...xs: number[]): x is string { return true }\n",
        "function assertIsString\nfunction f",
    );
}

#[test]
fn namespaces() {
    names(
        "namespace N {\n  export const x = 1;\n  let y = 2;\n  export function f() { const local = 1; }\n  namespace M { type T = 1; }\n}\n",
        "module N\n  variable x\n  variable y\n  function f\n  module M\n    type T",
    );
    names(
        "export namespace A.B.C { export class K {} }\n",
        "module A.B::C\n  class K",
    );
    names(
        "declare module 'pkg' {\n  export function f(): void;\n  const x: number;\n}\n",
        "module pkg\n  function f\n  variable x",
    );
    names(
        "declare global {\n  interface Window { a: string }\n  var g: number;\n}\n",
        "interface Window\n  variable a\nvariable g",
    );
    parts(
        "/** D */\nexport declare namespace N { }\n",
        "N",
        &[
            ("comment", "/** D */"),
            ("definition", "export declare namespace N { }"),
            ("signature", "export declare namespace N"),
            ("body", ""),
            ("docstring", "/** D */"),
        ],
    );
    parts(
        "namespace N {\n  a();\n}\n",
        "N",
        &[
            ("definition", "namespace N {\n  a();\n}"),
            ("signature", "namespace N"),
            ("body", "  a();"),
        ],
    );
}

#[test]
fn overloads_are_definitions_of_their_own() {
    names(
        "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: any) {}\ndeclare function g(): void;\n",
        "function f\nfunction f\nfunction f\nfunction g",
    );
    names(
        "class A {\n  m(a: string): void;\n  m(a: number): void;\n  m(a: any) {}\n}\n",
        "class A\n  method m\n  method m\n  method m",
    );
    parts(
        "export function f(a: string): void;\nexport function f(a: any) {}\n",
        "f",
        &[
            ("definition", "export function f(a: string): void;"),
            ("signature", "export function f(a: string): void"),
        ],
    );
    parts(
        "class A {\n  /** one */\n  m(a: string): void;\n  m(a: any) {}\n}\n",
        "A.m",
        &[
            ("comment", "/** one */"),
            ("definition", "m(a: string): void;"),
            ("signature", "m(a: string): void"),
            ("docstring", "/** one */"),
        ],
    );
}

#[test]
fn members_end_with_their_separator() {
    parts(
        "interface I {\n  a: string,\n  m(): void;\n  last: number\n}\n",
        "I.a",
        &[("definition", "a: string,"), ("signature", "a: string")],
    );
    parts(
        "interface I {\n  a: string,\n  m(): void;\n  last: number\n}\n",
        "I.m",
        &[("definition", "m(): void;"), ("signature", "m(): void")],
    );
    parts(
        "interface I {\n  a: string,\n  m(): void;\n  last: number\n}\n",
        "I.last",
        &[
            ("definition", "last: number"),
            ("signature", "last: number"),
        ],
    );
    parts(
        "abstract class A {\n  abstract q(): void;\n  private f = () => 1;\n}\n",
        "A.q",
        &[
            ("definition", "abstract q(): void;"),
            ("signature", "abstract q(): void"),
        ],
    );
    parts(
        "abstract class A {\n  abstract q(): void;\n  private f = () => 1;\n}\n",
        "A.f",
        &[
            ("definition", "private f = () => 1;"),
            ("signature", "private f = () =>"),
            ("body", "1"),
        ],
    );
    parts(
        "type A = { a: string };\n",
        "A",
        &[
            ("definition", "type A = { a: string };"),
            ("signature", "type A"),
            ("body", "{ a: string }"),
        ],
    );
    parts(
        "export const c: number = 3;\n",
        "c",
        &[
            ("definition", "export const c: number = 3;"),
            ("signature", "export const c: number"),
            ("body", "3"),
        ],
    );
}

#[test]
fn decorators_above_and_on_the_line() {
    let source = "/** Doc. */\n@Component({\n  selector: 'a',\n})\nexport class A {\n  @Input() name: string;\n\n  @Output()\n  changed = new E();\n\n  @HostListener('x', ['$event'])\n  // why\n  public on(@Inject() e) {}\n}\n";
    names(
        source,
        "class A\n  variable name\n  variable changed\n  method on",
    );
    parts(
        source,
        "A.name",
        &[
            ("decorator", "@Input()"),
            ("definition", "name: string;"),
            ("signature", "name: string"),
        ],
    );
    parts(
        source,
        "A.changed",
        &[
            ("decorator", "@Output()"),
            ("definition", "changed = new E();"),
            ("signature", "changed"),
            ("body", "new E()"),
        ],
    );
    parts(
        source,
        "A.on",
        &[
            ("decorator", "@HostListener('x', ['$event'])"),
            ("comment", "// why"),
            ("definition", "public on(@Inject() e) {}"),
            ("signature", "public on(@Inject() e)"),
            ("body", ""),
        ],
    );
    let class = source[source.find("export").unwrap()..].trim_end();
    let body = class[class.find('{').unwrap() + 2..]
        .strip_suffix("\n}")
        .unwrap();
    parts(
        source,
        "A",
        &[
            ("comment", "/** Doc. */"),
            ("decorator", "@Component({\n  selector: 'a',\n})"),
            ("definition", class),
            ("signature", "export class A"),
            ("body", body),
            ("docstring", "/** Doc. */"),
        ],
    );
}

#[test]
fn tsx_reads_markup_and_type_parameters() {
    let page = "export const Page: React.FC<Props> = <T,>({ a }: Props) => {\n  const calc = (): number => {\n    return 1;\n  };\n  return <b onClick={() => { const x = () => 1; }}>{calc()}</b>;\n};\n";
    check_names(
        "a.tsx",
        page,
        "function Page\n  function calc\n  function x",
    );
    check_names("a.mts", "const x = <string>y;\n", "variable x");
    check_names(
        "a.cts",
        "import a = require('a');\nexport = f;\nfunction f() {}\n",
        "function f",
    );
}

#[test]
fn members_are_read_without_their_surroundings() {
    let class = Some(SegmentKind::Class);
    check_fragment(
        FILE,
        "@Input() name: string;",
        class,
        &[("variable name", "@Input() name: string;")],
    );
    check_fragment(
        FILE,
        "abstract q(): void;",
        class,
        &[("method q", "abstract q(): void;")],
    );
    check_fragment(
        FILE,
        "m(a: string): void;\nm(a: any) {}",
        class,
        &[
            ("method m", "m(a: string): void;"),
            ("method m", "m(a: any) {}"),
        ],
    );
    check_fragment(
        FILE,
        "// c\nm(a: string): void,",
        Some(SegmentKind::Interface),
        &[("method m", "// c\nm(a: string): void,")],
    );
    check_fragment(
        FILE,
        "export const x = 1;",
        Some(SegmentKind::Module),
        &[("variable x", "export const x = 1;")],
    );
    check_fragment(
        "a.tsx",
        "const calc = () => <b/>;",
        Some(SegmentKind::Function),
        &[("function calc", "const calc = () => <b/>;")],
    );
}

#[test]
fn lines_have_roles() {
    check_roles(
        FILE,
        "type A = `a\n  b`;\n/** d\n\n */\nlet x = `${{\n  a: 1\n}.a}`;\n",
        None,
        "c F c _ d2 c F F",
    );
}

#[test]
fn what_the_grammar_does_not_know_is_read_all_the_same() {
    // Each of these compiles.
    names(
        "export interface P {\n  name: string\n  in: 'query' | 'header'\n  abstract: boolean\n  schema: { a: 1 }\n}\n\nfunction f() {}\n",
        "interface P\n  variable name\n  variable in\n  variable abstract\n  variable schema\nfunction f",
    );
    names(
        "interface F {\n  x: string\n  <T>(value: T): { a: T }\n  <T>(): T\n}\nconst x = 1\n",
        "interface F\n  variable x\nvariable x",
    );
    names(
        "interface A<in out T> { put(x: T): void }\nclass B<out T> { m() {} }\n",
        "interface A\n  method put\nclass B\n  method m",
    );
    names(
        "class A {\n  static accessor y = 2\n  m() {}\n}\n",
        "class A\n  variable y\n  method m",
    );
    names(
        "class A {\n  accessor x = 1\n  static accessor y = 2\n}\n",
        "class A\n  variable x\n  variable y",
    );
    names(
        "export type * from 'z'\nimport defer * as a from 'x'\nfunction f() {}\n",
        "function f",
    );
    names(
        "const g = sql<{ a: string; b: number }>`x`\nfunction f(call: (any) => void) {}\n",
        "variable g\nfunction f",
    );
    names(
        "class A {\n  [Symbol.iterator]() {}\n  readonly [Id] = 1;\n  [a + b]() {}\n  static { go() }\n}\n",
        "class A\n  method [Symbol.iterator]\n  variable [Id]\n  method [a + b]\n  method static",
    );
    parts(
        "interface P {\n  a: string\n  // b\n  in: 'q' // tail\n  (x: P): void\n}\n",
        "P.in",
        &[
            ("comment", "// b"),
            ("definition", "in: 'q'"),
            ("signature", "in: 'q'"),
        ],
    );
    check_names(
        "a.tsx",
        "const a = <h2>Terms & Conditions</h2>;\nconst b = <a href=\"x?a=1&b=2\">A &amp; B && C</a>;\nconst c = a & b;\n",
        "variable a\nvariable b\nvariable c",
    );
    for broken in [
        "interface P {\n  a: string\n  in: 'q'\n",
        "interface A<in out T> { x T }",
        "class A { static accessor y = }",
    ] {
        assert!(
            !crate::syntax::language_of(&crate::path::RepoPath::parse(FILE).unwrap())
                .unwrap()
                .grammar
                .errors(broken.as_bytes())
                .is_empty(),
            "{broken}"
        );
    }
}

#[test]
fn members_of_types_and_enumerations() {
    check_names(
        "a.ts",
        "type T = { a: string; m(): void; readonly b?: { c: 1 } };\ntype U = Base & { d: 1, e: 2 };\ntype V = A | { f: 1 }[];\nlet w: { g: 1 };\n",
        "type T\n  variable a\n  method m\n  variable b\ntype U\n  variable d\n  variable e\ntype V\nvariable w",
    );
    check_names(
        "a.ts",
        "export const o = { a: 1, b: <T>(x: T) => x } as const;\nconst p = ({ c: 1 }) satisfies { d: 1 };\n",
        "variable o\n  variable a\n  method b\nvariable p\n  variable c",
    );
    check_parts(
        "a.ts",
        "enum E {\n  /** A. */\n  A = 'x', // one\n  B,\n}\n",
        "E.A",
        &[
            ("comment", "/** A. */"),
            ("definition", "A = 'x'"),
            ("signature", "A"),
            ("body", "'x'"),
            ("docstring", "/** A. */"),
        ],
    );
}

#[test]
fn a_member_of_an_interface_without_a_type_lacks_what_ends_it() {
    let grammar = crate::syntax::language_of(&crate::path::RepoPath::parse("a.ts").unwrap())
        .unwrap()
        .grammar;
    let check = |text: &str, expected: Option<usize>| {
        let found = grammar.unterminated(text.as_bytes(), Some(SegmentKind::Interface));
        assert_eq!(found, expected, "{text}");
    };
    check("to: X", Some(5));
    check("to", Some(2));
    check("to;", None);
}
