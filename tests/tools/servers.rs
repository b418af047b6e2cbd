//! Renames by real language servers: what changes is what has to, and the compiler or the checker has nothing new against it.

use crate::support::tools;
use crate::support::{Run, Sandbox};

/// Returns a repository with these files and a server.
fn served(preset: &str, files: &[(&str, &str)]) -> Sandbox {
    let configuration = format!("version: 1\nservers:\n  - preset: {preset}\n");
    Sandbox::with(&[&[(".segedit.yaml", configuration.as_str())], files].concat())
}

fn run(sandbox: &Sandbox, args: &[&str]) -> Run {
    let mut command = sandbox.segedit_command();
    command.args(args);
    command
        .env("GIT_SEGEDIT_TRUST", "always")
        .env("PATH", tools::path());
    sandbox.run(&mut command, b"")
}

/// Checks what a rename makes of the files.
#[track_caller]
fn renamed(sandbox: &Sandbox, args: &[&str], after: &[(&str, &str)]) {
    let run = run(sandbox, &[&["rename"], args].concat());
    assert_eq!(run.exit, 0, "{run}");
    let tree = sandbox.tree("HEAD");
    for (path, text) in after {
        let found = String::from_utf8(tree[*path].bytes.clone()).unwrap();
        assert_eq!(found, *text, "{path}\n{run}");
    }
}

#[track_caller]
fn refused(sandbox: &Sandbox, args: &[&str], code: &str, words: &str) {
    let run = run(sandbox, &[&["rename"], args].concat());
    assert_eq!(run.exit, 3, "{run}");
    assert!(run.err().contains(code), "{run}");
    assert!(run.err().contains(words), "{run}");
}

const ORDERS: &str = "\
export interface Order { id: number; total: number }

/** fetchOrder gets one. */
export function fetchOrder(id: number): Order {
  const total = 0;
  return { id, total };
}

export class Store {
  private items: Order[] = [];
  add(order: Order): void { this.items.push(order); }
}
";

const MAIN: &str = "\
import { fetchOrder, Store } from \"./orders\";
import * as orders from \"./orders\";
export { fetchOrder as fetch } from \"./orders\";

const store = new Store();
store.add(fetchOrder(3));
new Set<number>().add(3);
export const api = { fetchOrder, other: { fetchOrder: 3 } };
export function local() { const loadOrder = 3; return loadOrder + fetchOrder(3).total; }
console.log(\"fetchOrder\", orders.fetchOrder(4), api.fetchOrder(5));
";

const TSCONFIG: &str = "{\"compilerOptions\": {\"strict\": true, \"target\": \"es2020\", \
    \"module\": \"commonjs\", \"noEmit\": true, \"lib\": [\"es2020\", \"dom\"], \"types\": []}, \"include\": [\"src\"]}\n";

/// Returns what the compiler has against the files of the worktree.
fn tsc(sandbox: &Sandbox) -> String {
    let mut command = sandbox.program("tsc");
    command.args(["--noEmit", "-p", "."]);
    command.env("PATH", tools::path());
    sandbox.run(&mut command, b"").out()
}

#[test]
fn typescript() {
    if !tools::has_all(&["node", "tsc", "typescript-language-server"]) {
        return;
    }
    let files = [
        ("src/orders.ts", ORDERS),
        ("src/main.ts", MAIN),
        ("tsconfig.json", TSCONFIG),
    ];
    let sandbox = served("typescript", &files);
    assert_eq!(tsc(&sandbox), "");
    refused(
        &sandbox,
        &["src/orders.ts::fetchOrder", "loadOrder"],
        "name-clash",
        "src/main.ts, line 9",
    );
    // The key of `api` is not the function, and stays with what reads it.
    let orders = ORDERS.replace("function fetchOrder", "function getOrder");
    let main = MAIN
        .replace("{ fetchOrder, Store", "{ getOrder, Store")
        .replace("{ fetchOrder as", "{ getOrder as")
        .replace("store.add(fetchOrder", "store.add(getOrder")
        .replace("{ fetchOrder, other", "{ fetchOrder: getOrder, other")
        .replace("+ fetchOrder(3)", "+ getOrder(3)")
        .replace("orders.fetchOrder", "orders.getOrder");
    renamed(
        &sandbox,
        &["src/orders.ts::fetchOrder", "getOrder"],
        &[("src/orders.ts", &orders), ("src/main.ts", &main)],
    );
    assert_eq!(tsc(&sandbox), "");
    // A key that a variable of the same name is given for.
    let orders = orders
        .replace("total: number", "sum: number")
        .replace("{ id, total }", "{ id, sum: total }");
    let main = main.replace(").total", ").sum");
    renamed(
        &sandbox,
        &["src/orders.ts::Order.total", "sum"],
        &[("src/orders.ts", &orders), ("src/main.ts", &main)],
    );
    assert_eq!(tsc(&sandbox), "");
    let orders = orders.replace("add(order", "put(order");
    let main = main.replace("store.add(", "store.put(");
    renamed(
        &sandbox,
        &["src/orders.ts::Store.add", "put"],
        &[("src/orders.ts", &orders), ("src/main.ts", &main)],
    );
    assert_eq!(tsc(&sandbox), "");
}

#[test]
fn typescript_compares_types_by_what_they_have() {
    if !tools::has_all(&["node", "tsc", "typescript-language-server"]) {
        return;
    }
    let types = "\
export interface User { name: string }
export class Failure extends Error { detail = \"\"; }
export class Base { close() {} dispose() { this.close(); } }
export class Sub extends Base { stop() {} }
export class Clock { private step() {} tick() { this.step(); } }
export class Other { private step() {} protected move() {} jump() { this.step(); } }
export class Third { step() {} }
export class Model { static table = 1; static find() { return this.table; } }
export class Sale extends Model { static table = 2; static seek() { return 3; } }
export interface Options { method?: string; mode?: \"cors\"; depth?: number }
export function send(options: Options): number | undefined { return options.depth; }
export interface Logger { warn(text: string): void }
export function start(logger: Logger) { logger.warn(\"a\"); }
export interface Address { host?: string; port?: string }
export function open(address: Address) { return address.port; }
";
    let uses = "\
import { User } from \"./types\";
function hi(user: User) { return user.name; }
const one = { name: \"bob\" };
const two = { \"name\": \"bob\" };
console.log(hi(one), hi(two), { step: 1 });
";
    let main = "import { open, send, start } from \"./types\";\nstart(console);\nexport const go = (options: import(\"./types\").Options) => fetch(\"/x\", options);\nsend({});\nopen({ host: \"h\" });\nexport const query = (words: Record<string, string>) => open(words);\n";
    let files = [
        ("src/types.ts", types),
        ("src/uses.ts", uses),
        ("src/main.ts", main),
        ("tsconfig.json", TSCONFIG),
    ];
    let sandbox = served("typescript", &files);
    // The type of a library, in a file that does not say the word.
    refused(
        &sandbox,
        &["src/types.ts::Logger.warn", "warning"],
        "name-clash",
        "src/main.ts, line 2: Argument of type 'Console' is not",
    );
    // No error tells that a request is another one then.
    refused(
        &sandbox,
        &["src/types.ts::Options.method", "verb"],
        "name-clash",
        "src/main.ts, line 3: Argument of type 'Options' is not",
    );
    // Nor that what may have any member has none of the new name.
    refused(
        &sandbox,
        &["src/types.ts::Address.port", "number"],
        "name-clash",
        "src/main.ts, line 6: Argument of type 'Record<string, string>' is not",
    );
    refused(
        &sandbox,
        &["src/types.ts::User.name", "title"],
        "2 places of `name` are not certain",
        "line 4",
    );
    refused(
        &sandbox,
        &["src/types.ts::Failure.detail", "message"],
        "name-clash",
        "outside of the repository",
    );
    refused(
        &sandbox,
        &["src/types.ts::Sub.stop", "close"],
        "name-clash",
        "src/types.ts, line 3",
    );
    // A member that goes nowhere else is renamed.
    let deeper = types.replace("depth", "level");
    renamed(
        &sandbox,
        &["src/types.ts::Options.depth", "level"],
        &[("src/types.ts", &deeper), ("src/main.ts", main)],
    );
    let types = deeper;
    // What is static is overridden below, too, and a new name may override what is.
    refused(
        &sandbox,
        &["src/types.ts::Model.table", "rows"],
        "1 place of `table` is not certain",
        "line 9",
    );
    refused(
        &sandbox,
        &["src/types.ts::Sale.seek", "find"],
        "name-clash",
        "src/types.ts, line 8",
    );
    // What is private elsewhere no object fits; one that has the key may.
    refused(
        &sandbox,
        &["src/types.ts::Third.step", "stride"],
        "1 place of `step` is not certain",
        "line 5",
    );
    let types = types.replace(
        "step() {} tick() { this.step(); }",
        "move() {} tick() { this.move(); }",
    );
    renamed(
        &sandbox,
        &["src/types.ts::Clock.step", "move"],
        &[("src/types.ts", &types), ("src/uses.ts", uses)],
    );
    assert_eq!(tsc(&sandbox), "");
}

#[test]
fn javascript() {
    if !tools::has_all(&["node", "tsc", "typescript-language-server"]) {
        return;
    }
    let util = "function pad(text) { return text.padStart(3); }\nmodule.exports = { pad };\n";
    let main =
        "const { pad } = require(\"./util\");\nconsole.log(pad(\"a\"), `${pad(\"b\")} pad`);\n";
    let sandbox = served("typescript", &[("util.js", util), ("main.js", main)]);
    // What is handed on keeps its name: others may ask for it by that.
    let run = run(&sandbox, &["rename", "util.js::pad", "fill"]);
    let tree = sandbox.tree("HEAD");
    let text = |path: &str| String::from_utf8(tree[path].bytes.clone()).unwrap();
    assert_eq!(run.exit, 0, "{run}");
    assert!(text("util.js").contains("function fill(text)"), "{run}");
    let mut node = sandbox.program("node");
    node.arg("main.js").env("PATH", tools::path());
    let ran = sandbox.run(&mut node, b"");
    assert_eq!(
        ran.out(),
        "  a   b pad\n",
        "{}{}{ran}",
        text("util.js"),
        text("main.js")
    );
}

const STORE: &str = "\
class Store:
    def put(self, x):
        return x


class Other:
    def put(self, x):
        return x


def make() -> \"list[Store]\":
    return [Store()]
";

const USES: &str = "\
from app.store import Other, Store, make


def use():
    for s in make():
        s.put(1)
    d = {\"a\": Other()}
    d[\"a\"].put(2)
    for _, t in [(1, Store())]:
        t.put(3)


def unknown(z):
    z.put(3)
";

/// In Python the server is asked about what is not certain without it.
fn python(preset: &str) {
    let files = [
        ("app/__init__.py", ""),
        ("app/store.py", STORE),
        ("app/uses.py", USES),
    ];
    let sandbox = served(preset, &files);
    refused(
        &sandbox,
        &["app/store.py::Store.put", "save"],
        "4 places of `put` are not certain",
        &format!("`unsure: ask` takes the word of `{preset}` for them"),
    );
    let ask = ["app/store.py::Store.put", "save", "--unsure", "ask"];
    refused(
        &sandbox,
        &ask,
        "not-certain",
        "1 place of `put` is not certain",
    );
    let known = USES.split("\n\ndef unknown").next().unwrap();
    sandbox.write("app/uses.py", known);
    sandbox.commit_all("without what nobody knows");
    let uses = known
        .replace("s.put(1)", "s.save(1)")
        .replace("t.put(3)", "t.save(3)");
    renamed(
        &sandbox,
        &ask,
        &[
            ("app/store.py", &STORE.replacen("def put", "def save", 1)),
            ("app/uses.py", &uses),
        ],
    );
}

#[test]
fn python_by_ty() {
    if tools::has("ty") {
        python("ty");
    }
}

#[test]
fn python_by_pyright() {
    if tools::has_all(&["node", "pyright-langserver"]) {
        python("pyright");
    }
}

#[test]
fn c_by_clangd() {
    if !tools::has("clangd") {
        return;
    }
    let header = "struct item { int count; };\nint take(struct item *it, int n);\n#define TAKE(x) take(x, 1)\n";
    let source = "#include \"a.h\"\n/* take some */\nint take(struct item *it, int n) { return it->count -= n; }\n";
    let uses = "#include \"a.h\"\nint main(void) { struct item i = {3}; int give = 1; return TAKE(&i) + take(&i, give); }\n";
    let files = [("a.h", header), ("a.c", source), ("b.c", uses)];
    let sandbox = served("clangd", &files);
    // A header that stands alone is read as C++, and nothing of it is certain.
    refused(
        &sandbox,
        &["a.c::take", "grab"],
        "not-certain",
        "2 places of `take` are not certain",
    );
    refused(
        &sandbox,
        &["a.c::take", "give", "--unsure", "change"],
        "name-clash",
        "b.c, line 2",
    );
    let word = |text: &str| text.replace("take(", "grab(");
    renamed(
        &sandbox,
        &["a.c::take", "grab", "--unsure", "change"],
        &[
            ("a.h", &word(header)),
            ("a.c", &word(source)),
            ("b.c", &word(uses)),
        ],
    );
}
