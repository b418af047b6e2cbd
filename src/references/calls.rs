//! Calls beside the signatures of what they call.
//!
//! A call that does not fit any of the things that are called is a fault; where one of them is not known, or a decorator may have made something
//! else of it, nothing is said. Which arguments go to which parameters is by the rules of the language's reference ("Calls").

use std::fmt;

use super::analysis::Analysis;
use super::ancestry::AncestryStep;
use super::facts::{FileId, ScopePlace, Thing, Things};
use crate::syntax::python::{
    ExpressionId, FunctionParameter, ModuleNames, NameScopeKind, ParameterKind, UsedExpression,
};

/// Decorators under which a function takes what its signature says.
const KEEPING: [&str; 11] = [
    "staticmethod",
    "classmethod",
    "abstractmethod",
    "override",
    "final",
    "lru_cache",
    "cache",
    "deprecated",
    "no_type_check",
    "contextmanager",
    "asynccontextmanager",
];

/// Classes of Python's own that leave it to those below them what they are made of.
const WITHOUT_ARGUMENTS: [&str; 5] = [
    "builtins.object",
    "object",
    "abc.ABC",
    "typing.Generic",
    "typing.Protocol",
];

/// How a call does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallFault {
    /// More arguments by position than it takes.
    TooMany {
        /// How many it takes.
        takes: usize,
        /// How many there are.
        given: usize,
    },
    /// Parameters that are given nothing.
    Missing(Vec<String>),
    /// Names of arguments that it does not take.
    Unknown(Vec<String>),
    /// Parameters that are given two values.
    Twice(Vec<String>),
}

impl fmt::Display for CallFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |names: &[String]| {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            quoted.join(", ")
        };
        match self {
            CallFault::TooMany { takes, given } => {
                let arguments = match takes {
                    1 => "argument",
                    _ => "arguments",
                };
                write!(
                    f,
                    "it takes {takes} {arguments} by position, and {given} are given"
                )
            }
            CallFault::Missing(names) => write!(f, "nothing is given for {}", listed(names)),
            CallFault::Unknown(names) => {
                write!(f, "it takes no argument that is called {}", listed(names))
            }
            CallFault::Twice(names) => write!(f, "{} is given twice", listed(names)),
        }
    }
}

/// What is called, as far as it says what arguments are taken.
struct Callable {
    name: String,
    parameters: Vec<FunctionParameter>,
}

/// How a function comes to be called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calling {
    /// By its own name, or its module's.
    Plain,
    /// On an instance.
    OfInstance,
    /// On a class.
    OfClass,
}

impl Analysis {
    /// Returns what a call calls, with its parameters, and how it does not fit; `None` where it fits, or may fit.
    pub(super) fn call_fault(
        &self,
        file: FileId,
        call: ExpressionId,
    ) -> Option<(String, CallFault)> {
        let names = self.names(file);
        let UsedExpression::Call {
            callee,
            arguments,
            keywords,
            has_starred,
            has_spread,
            ..
        } = names.expression(call)
        else {
            return None;
        };
        // What is below a class may be made of something else.
        let is_of_self =
            self.is_self(file, *callee) || names.last_word(*callee) == Some("__class__");
        let things = self.things_of(file, *callee);
        if things.is_open || is_of_self {
            return None;
        }
        let calling = self.calling(file, *callee)?;
        let mut first = None;
        for thing in &things.known {
            let callable = match thing {
                Thing::Function(function, _) => self.callable(*function, calling)?,
                Thing::Class(class) => self.constructor(*class)?,
                _ => return None,
            };
            let given = Given {
                by_position: arguments.len(),
                keywords,
                has_starred: *has_starred,
                has_spread: *has_spread,
            };
            let fault = given.fault(&callable.parameters)?;
            first.get_or_insert_with(|| (callable.signature(), fault));
        }
        first
    }

    fn calling(&self, file: FileId, callee: ExpressionId) -> Option<Calling> {
        let receiver = match self.names(file).expression(callee) {
            UsedExpression::Name { .. } => return Some(Calling::Plain),
            UsedExpression::Attribute { receiver, .. } => *receiver,
            _ => return None,
        };
        let Things { known, is_open } = self.things_of(file, receiver);
        let mut all = known.iter().map(|thing| match thing {
            Thing::Module(_) => Some(Calling::Plain),
            Thing::Instance(_) => Some(Calling::OfInstance),
            Thing::Class(_) => Some(Calling::OfClass),
            _ => None,
        });
        let first = all.next()??;
        (!is_open && all.all(|other| other == Some(first))).then_some(first)
    }

    /// Returns what a call of a function takes.
    fn callable(&self, function: ScopePlace, calling: Calling) -> Option<Callable> {
        let (file, scope) = function;
        let names = self.names(file);
        let header = names.scopes[scope].function.as_ref()?;
        let is_kept = header
            .decorators
            .iter()
            .all(|decorator| keeps_signature(names, *decorator));
        let name = names.scopes[scope].name.clone()?;
        if !is_kept || names.scopes[scope].kind != NameScopeKind::Function {
            return None;
        }
        let mut parameters = header.parameters.clone();
        let class = names.class_of_method(scope);
        let is_static = names.is_decorated(&header.decorators, &["staticmethod"]);
        let is_of_class = names.is_decorated(&header.decorators, &["classmethod"]);
        let takes_receiver = match (class, calling) {
            (None, Calling::Plain) => false,
            (Some(_), Calling::OfInstance) => !is_static,
            (Some(_), Calling::OfClass) => is_of_class,
            // A method by a name of its own, a function that became an attribute.
            (Some(_), Calling::Plain) | (None, Calling::OfInstance | Calling::OfClass) => {
                return None;
            }
        };
        // Of these Python hands on the class itself.
        if matches!(
            name.as_str(),
            "__new__" | "__init_subclass__" | "__class_getitem__"
        ) {
            return None;
        }
        // A class below may take something else.
        let is_overridden = class.is_some_and(|class| {
            let below = self.descendants((file, class));
            below.into_iter().any(|below| self.has_own(below, &name))
        });
        if is_overridden {
            return None;
        }
        if takes_receiver {
            leave_receiver_out(&mut parameters)?;
        }
        Some(Callable { name, parameters })
    }

    /// Returns what making an instance of a class takes.
    fn constructor(&self, class: ScopePlace) -> Option<Callable> {
        let mut found = None;
        for step in self.ancestry(class).steps {
            match step {
                AncestryStep::Own(place) => {
                    let scope = self.scope(place);
                    let header = scope.class.as_ref()?;
                    let is_plain = header.decorators.is_empty()
                        && !header.has_metaclass
                        && !header.has_unknown_bases
                        && !self.has_own(place, "__new__");
                    if !is_plain {
                        return None;
                    }
                    if found.is_none() && self.has_own(place, "__init__") {
                        found = Some(place);
                    }
                }
                AncestryStep::Outside(base) if WITHOUT_ARGUMENTS.contains(&base.as_str()) => {}
                AncestryStep::Outside(_) | AncestryStep::Unknown(_) => return None,
            }
        }
        let things = self.things_of_name(found?, "__init__");
        let [Thing::Function(function, _)] = things.known[..] else {
            return None;
        };
        let (file, scope) = function;
        let header = self.names(file).scopes[scope].function.as_ref()?;
        if things.is_open || !header.decorators.is_empty() {
            return None;
        }
        let mut parameters = header.parameters.clone();
        leave_receiver_out(&mut parameters)?;
        Some(Callable {
            name: self.scope(class).name.clone()?,
            parameters,
        })
    }
}

/// Says whether a function takes what its signature says under this decorator.
pub(super) fn keeps_signature(names: &ModuleNames, decorator: ExpressionId) -> bool {
    let word = names.last_word(decorator);
    word.is_some_and(|word| KEEPING.contains(&word))
}

/// Takes out the parameter that the receiver goes to; `None` where it goes to `*args`.
fn leave_receiver_out(parameters: &mut Vec<FunctionParameter>) -> Option<()> {
    let first = parameters.first()?;
    if !matches!(first.kind, ParameterKind::Positional | ParameterKind::Plain) {
        return None;
    }
    parameters.remove(0);
    Some(())
}

impl Callable {
    /// Returns it as it would be written, without types.
    fn signature(&self) -> String {
        let mut words = Vec::new();
        let mut before = None;
        for parameter in &self.parameters {
            let kind = parameter.kind;
            if before == Some(ParameterKind::Positional) && kind != ParameterKind::Positional {
                words.push("/".to_owned());
            }
            let is_first_named = kind == ParameterKind::Keyword
                && !matches!(before, Some(ParameterKind::Keyword | ParameterKind::Rest));
            if is_first_named {
                words.push("*".to_owned());
            }
            let name = &parameter.name;
            words.push(match kind {
                ParameterKind::Rest => format!("*{name}"),
                ParameterKind::Keywords => format!("**{name}"),
                _ if parameter.has_default => format!("{name}=…"),
                _ => name.clone(),
            });
            before = Some(kind);
        }
        if before == Some(ParameterKind::Positional) {
            words.push("/".to_owned());
        }
        format!("{}({})", self.name, words.join(", "))
    }
}

/// The arguments of a call.
struct Given<'a> {
    by_position: usize,
    keywords: &'a [String],
    has_starred: bool,
    has_spread: bool,
}

impl Given<'_> {
    /// Says how they do not fit.
    fn fault(&self, parameters: &[FunctionParameter]) -> Option<CallFault> {
        let has = |kind: ParameterKind| parameters.iter().any(|it| it.kind == kind);
        let ordered: Vec<&FunctionParameter> = parameters
            .iter()
            .filter(|it| matches!(it.kind, ParameterKind::Positional | ParameterKind::Plain))
            .collect();
        if !self.has_starred && self.by_position > ordered.len() && !has(ParameterKind::Rest) {
            return Some(CallFault::TooMany {
                takes: ordered.len(),
                given: self.by_position,
            });
        }
        let takes = |name: &String| {
            parameters.iter().any(|it| {
                it.name == *name && matches!(it.kind, ParameterKind::Plain | ParameterKind::Keyword)
            })
        };
        let unknown: Vec<String> = self
            .keywords
            .iter()
            .filter(|name| !takes(name))
            .cloned()
            .collect();
        if !unknown.is_empty() && !has(ParameterKind::Keywords) {
            return Some(CallFault::Unknown(unknown));
        }
        let filled = ordered.iter().take(self.by_position);
        let twice: Vec<String> = filled
            .filter(|it| it.kind == ParameterKind::Plain && self.keywords.contains(&it.name))
            .map(|it| it.name.clone())
            .collect();
        if !self.has_starred && !twice.is_empty() {
            return Some(CallFault::Twice(twice));
        }
        if self.has_starred || self.has_spread {
            return None;
        }
        let left = ordered.into_iter().skip(self.by_position);
        let named = parameters
            .iter()
            .filter(|it| it.kind == ParameterKind::Keyword);
        let is_missing = |it: &&FunctionParameter| !it.has_default && !self.is_named(it);
        let missing: Vec<String> = left
            .chain(named)
            .filter(is_missing)
            .map(|it| it.name.clone())
            .collect();
        (!missing.is_empty()).then_some(CallFault::Missing(missing))
    }

    fn is_named(&self, parameter: &FunctionParameter) -> bool {
        parameter.kind != ParameterKind::Positional && self.keywords.contains(&parameter.name)
    }
}
