//! The way in: a step for each operation whose calls follow.

use std::collections::BTreeMap;

use super::binding::{CallArgument, Hindrance, NewArgument, rebound};
use super::change::ParameterChange;
use super::rewrite::ArgumentText;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{
    CallersRule, Files, OnUnsure, Operation, Part, Scoped, Selector, SymbolSelector, Verb,
};
use crate::path::RepoPath;
use crate::plan::edit::{Edit, EditKind};
use crate::plan::outcome::OperationOutcome;
use crate::plan::overlap;
use crate::plan::step::{FileEdit, Step};
use crate::references::{
    self, Analysis, FunctionCalls, FunctionSignature, Verdict, is_python_file,
};
use crate::resolve::{Document, Found, Purpose, Reading, items, locate};
use crate::snapshot::{File, FileMode, Snapshot};
use crate::syntax::python::argument_lists;
use crate::syntax::{ItemKind, ItemList, ListedItem};
use crate::text::Span;

/// So many calls are named in a refusal; all of them are in the report.
const MOST_NAMED: usize = 20;

/// Returns the steps that have calls follow what the operations at `indices` made of `before`, which `made` is.
pub(in crate::plan) fn steps(
    operations: &[Operation],
    before: &Snapshot,
    made: &[Step],
    indices: &[usize],
    outcomes: &mut [OperationOutcome],
) -> Result<Vec<Step>, Vec<Diagnostic>> {
    let follows = |index: &&usize| {
        let operation = operations.get(**index);
        operation.is_some_and(|operation| operation.callers.is_some())
    };
    if indices.iter().filter(follows).count() == 0 {
        return Ok(Vec::new());
    }
    let mut current = made.iter().fold(before.clone(), |current, step| {
        current.with(&step.changes())
    });
    let (mut steps, mut errors): (Vec<Step>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for &index in indices {
        let (Some(operation), Some(outcome)) = (operations.get(index), outcomes.get_mut(index))
        else {
            continue;
        };
        let Some(following) = Following::of((operations, indices), index, operation) else {
            continue;
        };
        let written = written_spans(made, &steps);
        match following.step(before, &current, &written, outcome) {
            Ok(None) => {}
            Ok(Some(step)) => {
                current = current.with(&step.changes());
                steps.push(step);
            }
            Err(refusal) => {
                let refusal = match refusal.field {
                    Some(_) => refusal,
                    None => refusal.in_field("callers"),
                };
                errors.push(operation.placed(refusal, index));
            }
        }
    }
    match errors.is_empty() {
        true => Ok(steps),
        false => Err(errors),
    }
}

/// Returns by file what the batch wrote itself, as the files are now: nobody has to have that follow.
fn written_spans(made: &[Step], later: &[Step]) -> BTreeMap<RepoPath, Vec<Span>> {
    let mut found: BTreeMap<RepoPath, Vec<Span>> = BTreeMap::new();
    let own = made.iter().map(|step| (step, true));
    // What follows in calls is not written by the batch itself.
    let following = later.iter().map(|step| (step, false));
    let edits = own
        .chain(following)
        .flat_map(|(step, is_own)| step.files.iter().map(move |edit| (edit, is_own)));
    for (edit, is_own) in edits {
        let spans = found.entry(edit.path.clone()).or_default();
        match (&edit.splices, &edit.after) {
            (Some(splices), _) => {
                let moves = splices.moves();
                for span in spans.iter_mut() {
                    *span = Span::new(moves.before(span.start), moves.after(span.end));
                }
                if is_own {
                    spans.extend(splices.with_new_spans().map(|(_, new)| new));
                }
            }
            (None, Some(after)) => *spans = vec![Span::new(0, after.bytes.len())],
            (None, None) => {}
        }
    }
    found
}

/// An operation whose calls follow.
struct Following<'o> {
    operations: &'o [Operation],
    /// Those that are resolved together with it.
    indices: &'o [usize],
    index: usize,
    path: &'o RepoPath,
    symbol: &'o SymbolSelector,
    rule: &'o CallersRule,
}

impl<'o> Following<'o> {
    fn of(
        (operations, indices): (&'o [Operation], &'o [usize]),
        index: usize,
        operation: &'o Operation,
    ) -> Option<Following<'o>> {
        let rule = operation.callers.as_ref()?;
        let (Files::One(path), Selector::Symbol(symbol)) =
            (&operation.files, &operation.scoped()?.selector)
        else {
            return None;
        };
        Some(Following {
            operations,
            indices,
            index,
            path,
            symbol,
            rule,
        })
    }

    fn step(
        &self,
        before: &Snapshot,
        current: &Snapshot,
        written: &BTreeMap<RepoPath, Vec<Span>>,
        outcome: &mut OperationOutcome,
    ) -> Result<Option<Step>, Diagnostic> {
        let bytes = current.file(self.path).map(|file| &file.bytes);
        if !bytes.is_some_and(|bytes| is_python_file(self.path, bytes)) {
            let message = format!(
                "calls are followed in Python alone, and {} is none",
                self.path
            );
            return Err(Diagnostic::new(Code::UnsupportedLanguage, message));
        }
        let analysis = Analysis::of(&current.project);
        let signature_before = self.signature(&Analysis::of(&before.project))?;
        let signature = self.signature(&analysis)?;
        let called_on = |it: &FunctionSignature| (it.is_static, it.is_of_class);
        if called_on(&signature_before) != called_on(&signature) {
            let message = format!(
                "`{}` would be called on something else: its `@staticmethod` or `@classmethod` changes",
                self.symbol
            );
            return Err(Diagnostic::new(Code::Unsupported, message)
                .note("edit its decorators by themselves, and its calls with them"));
        }
        let (mut old, new) = (signature_before.parameters, signature.parameters);
        // By its new name it is in the calls, too, as far as they give it by that.
        for parameter in &mut old {
            if let Some(to) = self.renamed(&parameter.name) {
                parameter.name = to.to_owned();
            }
        }
        let heirs = self.heirs(before, current);
        let change = ParameterChange {
            old: &old,
            new: &new,
            values: &self.rule.arguments,
            heirs: &heirs,
        };
        let mut values = self.rule.arguments.iter();
        if let Some((name, value)) = values.find(|(_, value)| !is_one_argument(value)) {
            let message = format!("`{}`, for `{name}`, is not one argument", shown(value));
            return Err(Diagnostic::new(Code::Unsupported, message)
                .in_field("arguments")
                .note("an expression with a comma goes into parentheses"));
        }
        let unknown = self.rule.arguments.keys();
        let mut unknown = unknown.filter(|name| !new.iter().any(|it| it.name == **name));
        if let Some(name) = unknown.next() {
            let message = format!("`{}` has no parameter `{name}`", self.symbol);
            return Err(Diagnostic::new(Code::Unsupported, message)
                .in_field("arguments")
                .note("`arguments` are what calls give for parameters that are new"));
        }
        if change.is_nothing() && self.rule.arguments.is_empty() {
            return Ok(None);
        }
        let found = references::calls_of(&analysis, self.path, self.symbol, &new)?;
        let mut files = Rewriting {
            following: self,
            current,
            change: &change,
            written,
            found,
            lacks: Vec::new(),
            splices: BTreeMap::new(),
        };
        files.rewrite_all();
        let Rewriting {
            found,
            lacks,
            splices,
            ..
        } = files;
        let references = found.references;
        let unsure = references.unsure().next().is_some();
        outcome.references = Some(Box::new(references.clone()));
        if let Some((name, _)) = lacks.first() {
            let count = lacks.iter().filter(|(other, _)| other == name).count();
            let message = match count {
                1 => format!("nothing says what 1 call gives for `{name}`"),
                _ => format!("nothing says what {count} calls give for `{name}`"),
            };
            let refusal = lacks.iter().filter(|(other, _)| other == name);
            let refusal = refusal.take(MOST_NAMED).fold(
                Diagnostic::new(Code::NotCertain, message),
                |refusal, (_, address)| refusal.note(address.clone()),
            );
            return Err(refusal.note(format!(
                "`arguments: {{{name}: …}}` (`--argument {name}=…`) says it for all of them; a parameter with a default needs none"
            )));
        }
        if unsure && self.rule.unsure == OnUnsure::Refuse {
            let way_out = "`unsure: keep` leaves them, `unsure: change` changes those that can be";
            return Err(references::not_certain(&references, way_out));
        }
        let mut edits = Vec::new();
        for (path, changed) in splices {
            edits.push(self.file_edit(current, &path, changed)?);
        }
        Ok((!edits.is_empty()).then_some(Step { files: edits }))
    }

    /// Returns what another operation of the batch has a parameter called, by `op: rename` of `f(x)`.
    fn renamed(&self, parameter: &str) -> Option<&'o str> {
        let (last, around) = self.symbol.components.split_last()?;
        let address = format!("{}({parameter})", last.name);
        let operations = self
            .indices
            .iter()
            .filter_map(|at| self.operations.get(*at));
        operations.into_iter().find_map(|operation| {
            let Verb::Rename {
                selector: Selector::Symbol(symbol),
                to,
                ..
            } = &operation.verb
            else {
                return None;
            };
            let (own, others) = symbol.components.split_last()?;
            let is_it = own.name.replace(' ', "") == address && others == around;
            let is_here = operation.files == self.operations[self.index].files;
            (is_it && is_here).then_some(to.as_str())
        })
    }

    /// Returns which parameters are others by another name: the one that is replaced itself, and such as differ in nothing else.
    fn heirs(&self, before: &Snapshot, current: &Snapshot) -> Vec<(String, String)> {
        let written = |snapshot: &Snapshot| -> Option<Vec<(String, String)>> {
            let file = snapshot.file(self.path)?;
            let document = Document::new(self.path.clone(), file.bytes.clone(), snapshot.hash);
            let reading = Reading::of(&document);
            let scoped = Scoped::from(Selector::Symbol(self.symbol.clone()));
            let (target, _) = locate(&reading, &scoped, None, Purpose::Edit).ok()?;
            let Found::Definition(named) = target.found else {
                return None;
            };
            let list = items::list(&document, named.symbol, ItemKind::Parameter)?;
            let words = list.items.iter().map(|item| {
                let name = item.names.concat();
                let text = String::from_utf8_lossy(item.span.of(&document.bytes)).into_owned();
                let rest = text.replacen(&name, "", 1);
                (name, rest)
            });
            Some(words.collect())
        };
        let (Some(old), Some(new)) = (written(before), written(current)) else {
            return Vec::new();
        };
        let replaced = match self.operations[self.index].part() {
            Some(Part::Item(_, Some(name))) => Some(name),
            _ => None,
        };
        let pairs = old.iter().zip(&new);
        let is_heir = |(one, other): &(&(String, String), &(String, String))| {
            let is_asked = replaced.is_some_and(|name| name.as_str() == one.0);
            one.0 != other.0 && (one.1 == other.1 || is_asked)
        };
        pairs
            .filter(is_heir)
            .map(|(one, other)| (one.0.clone(), other.0.clone()))
            .collect()
    }

    fn signature(&self, analysis: &Analysis) -> Result<FunctionSignature, Diagnostic> {
        references::signature_of(analysis, self.path, self.symbol).ok_or_else(|| {
            let message = format!(
                "`{}` of {} is no function of one signature, before and after",
                self.symbol, self.path
            );
            Diagnostic::new(Code::Unsupported, message).note(
                "`callers` is of a function that keeps its name; `op: rename` gives it another",
            )
        })
    }

    fn file_edit(
        &self,
        current: &Snapshot,
        path: &RepoPath,
        changed: Vec<(Span, Vec<u8>)>,
    ) -> Result<FileEdit, Diagnostic> {
        let operation = &self.operations[self.index];
        let file = crate::plan::whole::editable(current, path, operation)?;
        let document = Document::new(path.clone(), file.bytes.clone(), current.hash);
        let edits: Vec<Edit> = changed
            .into_iter()
            .map(|(span, bytes)| Edit {
                operation: self.index,
                what: EditKind::replace(span, bytes),
            })
            .collect();
        let splices = overlap::compose(&document, &edits, self.operations).map_err(|refusals| {
            refusals.into_iter().next().unwrap_or_else(|| {
                Diagnostic::new(Code::Overlap, "calls that change are inside of each other")
            })
        })?;
        let after = File {
            mode: current
                .file(path)
                .map_or(FileMode::Regular, |file| file.mode),
            bytes: splices.apply(&document.bytes).into(),
        };
        let claims: Vec<Span> = edits.iter().map(|edit| edit.what.claim()).collect();
        let before = current.file(path).cloned();
        Ok(FileEdit {
            splices: Some(splices),
            claims: claims.iter().map(|claim| (*claim, self.index)).collect(),
            named: claims,
            ..FileEdit::whole(path.clone(), before, Some(after))
        })
    }
}

/// The calls of one function, as they are found and rewritten.
struct Rewriting<'r> {
    following: &'r Following<'r>,
    current: &'r Snapshot,
    change: &'r ParameterChange<'r>,
    written: &'r BTreeMap<RepoPath, Vec<Span>>,
    found: FunctionCalls,
    /// Parameters that nothing is given for, with the address of the call.
    lacks: Vec<(String, String)>,
    splices: BTreeMap<RepoPath, Vec<(Span, Vec<u8>)>>,
}

impl Rewriting<'_> {
    fn rewrite_all(&mut self) {
        let mut by_path: BTreeMap<RepoPath, Vec<(usize, bool)>> = BTreeMap::new();
        for call in &self.found.calls {
            let place = &self.found.references.places[call.place];
            let own = self.written.get(&place.path);
            if own.is_some_and(|spans| spans.iter().any(|span| span.contains(place.span))) {
                continue;
            }
            let calls = by_path.entry(place.path.clone()).or_default();
            calls.push((call.place, call.takes_receiver));
        }
        for (path, calls) in by_path {
            self.rewrite_file(path, calls);
        }
    }

    /// Rewrites the calls of one file, the last first, so that those inside of others' arguments come before those.
    fn rewrite_file(&mut self, path: RepoPath, mut calls: Vec<(usize, bool)>) {
        let Some(file) = self.current.project.files.get(&path) else {
            return;
        };
        let span_of = |place: usize| self.found.references.places[place].span;
        calls.sort_by_key(|(place, _)| std::cmp::Reverse(span_of(*place)));
        let ends: Vec<usize> = calls.iter().map(|(place, _)| span_of(*place).end).collect();
        let lists = argument_lists(file, &ends);
        let mut text = RewrittenFile {
            bytes: file.to_vec(),
            done: Vec::new(),
        };
        for (place, takes_receiver) in calls {
            let end = self.found.references.places[place].span.end;
            let made = match lists.get(&end) {
                Some(list) => self.wanted(file, list, takes_receiver).and_then(|wanted| {
                    text.rewrite(list, &wanted).ok_or_else(|| {
                        Hindrance::Unclear("a comment among its arguments is in the way".to_owned())
                    })
                }),
                None => Err(Hindrance::Unclear("its arguments are not found".to_owned())),
            };
            let place = &mut self.found.references.places[place];
            let is_wanted = match place.verdict {
                Verdict::Certain => true,
                _ => self.following.rule.unsure == OnUnsure::Change,
            };
            match made {
                Ok(Some(change)) if is_wanted => {
                    place.is_changed = true;
                    text.take(change);
                }
                Ok(_) => {}
                Err(Hindrance::Unclear(why)) => {
                    place.verdict = Verdict::Unsure;
                    place.reason.get_or_insert(why);
                }
                Err(Hindrance::Lacks(name)) if is_wanted => {
                    let address = format!("{}, line {}", place.address, place.line);
                    self.lacks.push((name, address));
                }
                Err(Hindrance::Lacks(_)) => {}
            }
        }
        let changed = text.outermost();
        if !changed.is_empty() {
            self.splices.insert(path, changed);
        }
    }

    /// Returns what the arguments of a call are to be.
    fn wanted(
        &self,
        bytes: &[u8],
        list: &ItemList,
        takes_receiver: bool,
    ) -> Result<Vec<NewArgument>, Hindrance> {
        let given: Vec<CallArgument> = list.items.iter().map(|item| given(item, bytes)).collect();
        let wanted = self.rebound(&given, takes_receiver)?;
        let does_something = |at: &usize| has_effect(list.items[*at].span.of(bytes));
        let kept: Vec<usize> = wanted.iter().filter_map(NewArgument::old).collect();
        let mut gone = (0..list.items.len()).filter(|at| !kept.contains(at));
        if let Some(at) = gone.find(does_something) {
            let text = String::from_utf8_lossy(list.items[at].span.of(bytes)).into_owned();
            let why = format!("what would go does something: `{}`", shown(&text));
            return Err(Hindrance::Unclear(why));
        }
        if !kept.is_sorted() && kept.iter().filter(|at| does_something(at)).count() > 1 {
            let why = "its arguments do something, in the order in which they are written";
            return Err(Hindrance::Unclear(why.to_owned()));
        }
        Ok(wanted)
    }

    fn rebound(
        &self,
        given: &[CallArgument],
        takes_receiver: bool,
    ) -> Result<Vec<NewArgument>, Hindrance> {
        let inner;
        let change = if takes_receiver {
            inner = self.change.without_receiver().ok_or_else(|| {
                Hindrance::Unclear("the receiver goes to no parameter of its own".to_owned())
            })?;
            &inner
        } else {
            self.change
        };
        rebound(given, change)
    }
}

/// Says whether a text is one argument that is given by its place.
fn is_one_argument(value: &str) -> bool {
    let call = format!("f({value})");
    let lists = argument_lists(call.as_bytes(), &[1]);
    lists.get(&1).is_some_and(|list| {
        list.brackets.end == call.len()
            && matches!(&list.items[..], [one] if given(one, call.as_bytes()) == CallArgument::Plain)
    })
}

/// Says whether to leave an expression out may change what happens: it calls, waits, yields or binds something.
fn has_effect(expression: &[u8]) -> bool {
    let text = String::from_utf8_lossy(expression);
    let mut words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let is_callee = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b')' | b']');
    let calls = expression.iter().enumerate().any(|(at, byte)| {
        let before = expression[..at].trim_ascii_end().last();
        *byte == b'(' && before.is_some_and(is_callee)
    });
    calls || text.contains(":=") || words.any(|word| matches!(word, "await" | "yield"))
}

/// Returns what an argument is.
fn given(item: &ListedItem, bytes: &[u8]) -> CallArgument {
    let text = item.span.of(bytes);
    if text.starts_with(b"**") {
        return CallArgument::Spread;
    }
    if text.starts_with(b"*") {
        return CallArgument::Starred;
    }
    let name = item.names.first().map(String::as_str).unwrap_or_default();
    let after = text.strip_prefix(name.as_bytes()).unwrap_or_default();
    let after = after.trim_ascii_start();
    match after.starts_with(b"=") && !after.starts_with(b"==") {
        true => CallArgument::Named(name.to_owned()),
        false => CallArgument::Plain,
    }
}

/// The bytes of a file, in which calls are rewritten from its end to its beginning.
struct RewrittenFile {
    bytes: Vec<u8>,
    /// What was rewritten, by its old range, with how much longer it became.
    done: Vec<(Span, isize)>,
}

/// A list of arguments as it is to be: its old range, the one that it has meanwhile, and what comes there.
struct RewrittenCall {
    old: Span,
    now: Span,
    bytes: Vec<u8>,
}

impl RewrittenFile {
    /// Returns what a call becomes: nothing where it stays as it is, `None` where a comment is in the way.
    fn rewrite(&self, list: &ItemList, wanted: &[NewArgument]) -> Option<Option<RewrittenCall>> {
        let moved = |span: Span| Span::new(self.moved(span.start), self.moved(span.end));
        let is_same = wanted.len() == list.items.len()
            && wanted
                .iter()
                .enumerate()
                .all(|(at, argument)| *argument == NewArgument::Kept(at));
        if is_same {
            return Some(None);
        }
        let now = moved(list.brackets);
        let items: Vec<Span> = list.items.iter().map(|item| moved(item.span)).collect();
        let bytes = ArgumentText::of(&self.bytes, now, &items).rewritten(wanted)?;
        Some(Some(RewrittenCall {
            old: list.brackets,
            now,
            bytes,
        }))
    }

    fn take(&mut self, call: RewrittenCall) {
        let grown = call.bytes.len() as isize - call.now.len() as isize;
        self.bytes.splice(call.now.start..call.now.end, call.bytes);
        self.done.push((call.old, grown));
    }

    /// Returns where an offset of the old file is now. What was rewritten before it is all inside of what begins before it.
    fn moved(&self, offset: usize) -> usize {
        let grown: isize = self
            .done
            .iter()
            .filter(|(span, _)| span.end <= offset)
            .map(|(_, grown)| grown)
            .sum();
        offset.saturating_add_signed(grown)
    }

    /// Returns what was rewritten, those inside of others with them.
    fn outermost(&self) -> Vec<(Span, Vec<u8>)> {
        let mut found: Vec<(Span, Vec<u8>)> = Vec::new();
        let mut spans: Vec<Span> = self.done.iter().map(|(span, _)| *span).collect();
        spans.sort_unstable();
        for span in spans {
            if found.last().is_some_and(|(last, _)| last.contains(span)) {
                continue;
            }
            let now = Span::new(self.moved(span.start), self.moved(span.end));
            found.push((span, now.of(&self.bytes).to_vec()));
        }
        found
    }
}
