//! The least that any program does to list the definitions of a Python file or the headings of a Markdown file: read it,
//! parse it with the fastest parser there is, and print lines and names. No repository, no hashes: `benches/run` measures
//! `git segedit outline` against it.
//!
//! `outline_floor <file>`, Markdown where the name ends in `.md`

use std::io::{Error, Write};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use ruff_python_ast::{ElifElseClause, ExceptHandler, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange};

fn main() -> Result<(), Error> {
    let Some(path) = std::env::args().nth(1) else {
        return Err(Error::other("usage: outline_floor <file>"));
    };
    let text = std::fs::read_to_string(&path)?;
    let starts: Vec<usize> = std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1))
        .collect();
    let line = |at: usize| starts.partition_point(|&start| start <= at);
    let mut out = Vec::new();
    if path.ends_with(".md") {
        let end = line(text.len().saturating_sub(1));
        let all = headings(&text);
        for (index, heading) in all.iter().enumerate() {
            let next = all[index + 1..]
                .iter()
                .find(|next| next.level <= heading.level);
            let last = next.map_or(end, |next| line(next.start) - 1);
            writeln!(
                out,
                "{}-{last} {} {}",
                line(heading.start),
                "#".repeat(heading.level),
                heading.name
            )?;
        }
    } else {
        let module = ruff_python_parser::parse_module(&text).map_err(Error::other)?;
        let mut walk = Walk {
            name: String::new(),
            in_function: false,
            found: &mut |name, range| {
                writeln!(
                    out,
                    "{}-{} {name}",
                    line(range.start().to_usize()),
                    line(range.end().to_usize())
                )
            },
        };
        walk.enter(module.suite())?;
    }
    std::io::stdout().write_all(&out)
}

struct Heading {
    start: usize,
    level: usize,
    name: String,
}

fn headings(text: &str) -> Vec<Heading> {
    let mut all: Vec<Heading> = Vec::new();
    let mut depth = 0;
    let mut in_heading = false;
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        match event {
            // One in a list or a quotation is no section of the document.
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                in_heading = true;
                all.push(Heading {
                    start: range.start,
                    level: level as usize,
                    name: String::new(),
                });
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::Item | Tag::BlockQuote(_)) => depth += 1,
            Event::End(TagEnd::Item | TagEnd::BlockQuote(_)) => depth -= 1,
            Event::Text(words) | Event::Code(words) if in_heading => {
                all.last_mut()
                    .into_iter()
                    .for_each(|heading| heading.name.push_str(&words));
            }
            _ => {}
        }
    }
    all
}

/// The statements, entered for what they define: functions, classes, and the variables of modules and classes.
struct Walk<'walk> {
    /// The dotted name of what is around, with a dot at its end.
    name: String,
    in_function: bool,
    found: &'walk mut dyn FnMut(&str, TextRange) -> Result<(), Error>,
}

impl Walk<'_> {
    fn enter(&mut self, statements: &[Stmt]) -> Result<(), Error> {
        statements
            .iter()
            .try_for_each(|statement| self.visit(statement))
    }

    fn visit(&mut self, statement: &Stmt) -> Result<(), Error> {
        match statement {
            Stmt::FunctionDef(function) => {
                self.define(&function.name, statement.range(), true, &function.body)
            }
            Stmt::ClassDef(class) => {
                self.define(&class.name, statement.range(), false, &class.body)
            }
            Stmt::Assign(assign) => match assign.targets.as_slice() {
                [Expr::Name(name)] => self.variable(&name.id, statement.range()),
                _ => Ok(()),
            },
            Stmt::AnnAssign(assign) => match &*assign.target {
                Expr::Name(name) => self.variable(&name.id, statement.range()),
                _ => Ok(()),
            },
            Stmt::If(choice) => {
                self.enter(&choice.body)?;
                choice
                    .elif_else_clauses
                    .iter()
                    .try_for_each(|ElifElseClause { body, .. }| self.enter(body))
            }
            Stmt::For(repeat) => self
                .enter(&repeat.body)
                .and_then(|()| self.enter(&repeat.orelse)),
            Stmt::While(repeat) => self
                .enter(&repeat.body)
                .and_then(|()| self.enter(&repeat.orelse)),
            Stmt::With(with) => self.enter(&with.body),
            Stmt::Match(choice) => choice
                .cases
                .iter()
                .try_for_each(|case| self.enter(&case.body)),
            Stmt::Try(attempt) => {
                self.enter(&attempt.body)?;
                for ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
                    self.enter(&handler.body)?;
                }
                self.enter(&attempt.orelse)
                    .and_then(|()| self.enter(&attempt.finalbody))
            }
            _ => Ok(()),
        }
    }

    fn define(
        &mut self,
        name: &str,
        range: TextRange,
        is_function: bool,
        body: &[Stmt],
    ) -> Result<(), Error> {
        let (length, around) = (self.name.len(), self.in_function);
        self.name.push_str(name);
        (self.found)(&self.name, range)?;
        self.name.push('.');
        self.in_function = is_function;
        self.enter(body)?;
        self.name.truncate(length);
        self.in_function = around;
        Ok(())
    }

    fn variable(&mut self, name: &str, range: TextRange) -> Result<(), Error> {
        if self.in_function {
            return Ok(());
        }
        let length = self.name.len();
        self.name.push_str(name);
        let told = (self.found)(&self.name, range);
        self.name.truncate(length);
        told
    }
}
