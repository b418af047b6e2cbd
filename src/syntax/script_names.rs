//! `ScriptNames`: what a file of JavaScript or TypeScript says of its names, by its scopes alone.

use crate::text::Span;

/// What a file says of its names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptNames {
    /// Every name that is written in it, in file order.
    pub words: Vec<ScriptWord>,
    /// What its scopes bind.
    pub symbols: Vec<ScriptSymbol>,
    /// What it is made of that has members.
    pub owners: Vec<ScriptOwner>,
    /// What it takes from other modules.
    pub imports: Vec<ScriptImport>,
    /// What it hands to other modules.
    pub exports: Vec<ScriptExport>,
    /// Modules of which it hands on all: `export * from`.
    pub stars: Vec<String>,
    /// Modules that it hands to something as a whole, so that their names may be asked for anywhere.
    pub loose: Vec<String>,
    /// Comments and strings, in file order, and whether each is a comment.
    pub texts: Vec<(Span, bool)>,
    /// How modules are written in it: paths, whatever word is in them.
    pub specifiers: Vec<Span>,
    /// Whether it hands things on, or takes them, as modules of CommonJS do: as objects, that may go anywhere.
    pub is_commonjs: bool,
    /// Whether it adds to what other modules have: `declare module "./a"`.
    pub augments: bool,
    /// Whether it is a module of either kind; else what it binds at its first level may be seen by other files.
    pub is_module: bool,
    /// Whether it loads modules whose names are worked out: `require(path)`.
    pub loads_others: bool,
    /// Whether it runs text as code (`eval`, `with`), which may name anything.
    pub runs_text: bool,
}

/// A name where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptWord {
    /// Where; of a key in quotes what is between them.
    pub span: Span,
    /// The name, which may be written with escapes.
    pub name: String,
    /// What it is there.
    pub role: WordRole,
}

/// What a name is where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordRole {
    /// What a scope of the file binds.
    Bound {
        /// Which of `symbols`.
        symbol: usize,
        /// Whether one of its members is asked for, and nothing else.
        is_receiver: bool,
    },
    /// What no scope of the file binds.
    Global,
    /// A member of something.
    Member(Receiver),
    /// A key and its value in one word, `{name}`: of what the key is, and what the value is bound to, if a scope of the file binds it.
    Short(Receiver, Option<usize>),
    /// A parameter of a constructor that makes a member: the parameter, and the class.
    Both(usize, usize),
    /// A member of a class called `#name`, and the class, if one around it has that.
    Private(Option<usize>),
    /// A name of another module, which is called otherwise here: `name as other`.
    Foreign(String),
    /// A name that the file hands on alone: the second of `other as name`, or `exports.name = …`.
    Exported,
    /// What no name of a definition is: a label, an element of HTML.
    Else,
    /// What is not understood.
    Unknown,
}

/// What a member is asked of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// Which of `symbols`.
    Symbol(usize),
    /// What no scope of the file binds.
    Global(String),
    /// A module.
    Module(String),
    /// What the file hands to other modules: `exports`.
    Exports,
    /// `this` in a class, and whether that is the class itself.
    This(usize, bool),
    /// Nothing: it is defined here, in one of `owners`, and whether it is of the class itself.
    Own(usize, bool),
    /// Anything else.
    Other,
}

/// What a scope binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptSymbol {
    /// Its name.
    pub name: String,
    /// Where it is bound first.
    pub span: Span,
    /// Whether it is bound at the first level of the file.
    pub is_root: bool,
    /// Whether it is declared for other files: in `declare global`, in `declare module "x"`.
    pub is_shared: bool,
    /// Of which of `symbols` it is a member: a namespace.
    pub namespace: Option<usize>,
    /// Whether its value may be a module: a variable, of which no object is seen.
    pub may_be_module: bool,
}

/// What has members: a class, an object, an enumeration, an interface or a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptOwner {
    /// What it is called by.
    pub symbol: Option<usize>,
    /// What it is.
    pub kind: OwnerKind,
    /// Whether something is said above it or of which it is made, that may ask for its members by their names.
    pub has_base: bool,
}

/// What has members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerKind {
    /// A class.
    Class,
    /// An object as it is written.
    Object,
    /// An enumeration, whose members only who names it has.
    Enum,
    /// An interface or a type, which whatever has its members fits.
    Type,
}

/// What a file takes from a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptImport {
    /// Which of `symbols` it is here.
    pub symbol: usize,
    /// How the module is written.
    pub source: String,
    /// What is taken.
    pub name: ScriptImportName,
}

/// What is taken from a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptImportName {
    /// What it hands on by this name.
    One(String),
    /// All of it, as an object.
    All,
}

/// What a file hands to other modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptExport {
    /// What they call it.
    pub name: String,
    /// What it is.
    pub value: ExportedValue,
}

/// What is handed to other modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportedValue {
    /// Which of `symbols`.
    Symbol(usize),
    /// What another module hands on.
    Foreign(String, ScriptImportName),
    /// Anything else.
    Other,
}

/// The name by which a module hands on what has none.
pub const DEFAULT: &str = "default";

/// The name by which all that a module hands on goes, where that is one thing: `module.exports = load`.
pub const WHOLE: &str = "=";
