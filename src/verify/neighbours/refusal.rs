//! The refusals of neighbours, with what to do instead.

use super::changed::ChangedStatement;
use crate::diagnostic::{Code, Diagnostic, Excerpt, shown};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::markdown::is_markdown;

/// Characters of a statement that a message quotes.
const QUOTED: usize = 40;

pub(super) fn refusal(
    edit: &FileEdit,
    changed: ChangedStatement,
    old: &Document,
    new: &Document,
) -> Diagnostic {
    let path = &edit.path;
    let (document, span, offset) = match changed {
        ChangedStatement::Lost(span, now)
        | ChangedStatement::Redecorated(span, now)
        | ChangedStatement::Parted(span, now)
        | ChangedStatement::HandedOn(span, now)
        | ChangedStatement::PassedOn(span, now)
        | ChangedStatement::Enclosed(span, now)
        | ChangedStatement::Displaced(span, now)
        | ChangedStatement::Moved(span, now)
        | ChangedStatement::Outdented(span, now)
        | ChangedStatement::Commented(span, now)
        | ChangedStatement::Joined(span, now)
        | ChangedStatement::Regrouped(span, now)
        | ChangedStatement::Divided(span, now)
        | ChangedStatement::Reassigned(span, now)
        | ChangedStatement::Rebound(span, now)
        | ChangedStatement::Revalued(span, now)
        | ChangedStatement::Rerouted(span, now)
        | ChangedStatement::Unread(span, now)
        | ChangedStatement::Untabled(span, now) => (old, span, now),
        ChangedStatement::Appeared(span)
        | ChangedStatement::Strayed(span)
        | ChangedStatement::Continued(span)
        | ChangedStatement::Valueless(span) => (new, span, span.start),
    };
    let lines = document.lines();
    let (line, column) = (lines.line(span.start), lines.column(span.start));
    let quoted = quotation(span.of(&document.bytes));
    let message = match changed {
        ChangedStatement::Lost(..) => {
            format!(
                "the edit would change its neighbour `{quoted}` at line {line} of {path}, which it does not name: it would be read as something else"
            )
        }
        ChangedStatement::Redecorated(..) => {
            format!(
                "the edit would give its neighbour `{quoted}` at line {line} of {path} the decorators or attributes of another, or take its own"
            )
        }
        ChangedStatement::Parted(..) => {
            format!(
                "the edit would give what comes before `{quoted}`, at line {line} of {path}, to the first statement of the content"
            )
        }
        ChangedStatement::HandedOn(_, now) => {
            let heir = quotation(line_from(now, &new.bytes));
            format!(
                "the edit would give the comment of `{quoted}`, at line {line} of {path}, to `{heir}`"
            )
        }
        ChangedStatement::PassedOn(_, now) => {
            let quoted = quotation(line_from(span.start, &old.bytes));
            let heir = quotation(line_from(now, &new.bytes));
            format!(
                "the edit would give what remains of `{quoted}`, at line {line} of {path}, to `{heir}`"
            )
        }
        ChangedStatement::Displaced(..) => {
            format!(
                "the edit would change what its neighbour `{quoted}` at line {line} of {path} is: whether it stands first tells a directive, a docstring, an `@import`"
            )
        }
        ChangedStatement::Revalued(..) => {
            format!(
                "the edit would change what its neighbour `{quoted}` at line {line} of {path} stands for: it repeats what is above it"
            )
        }
        ChangedStatement::Valueless(_) => {
            format!(
                "`{quoted}`, at line {line} of {path}, would end with its line: what is below it is no part of it"
            )
        }
        ChangedStatement::Rerouted(..) => {
            format!(
                "the edit would have its neighbour `{quoted}`, at line {line} of {path}, go on with another case: nothing ends it before the next one"
            )
        }
        ChangedStatement::Unread(..) => {
            format!(
                "the edit would part `{quoted}`, at line {line} of {path}, from its preamble, or put a remark into that: cgo compiles the comment that ends right above it"
            )
        }
        ChangedStatement::Strayed(_) => {
            format!(
                "`{quoted}`, at line {line} of {path}, would stand outside of what the content's first statement stands in"
            )
        }
        ChangedStatement::Reassigned(..) => {
            format!(
                "the edit would have its neighbour `{quoted}`, at line {line} of {path}, in another document"
            )
        }
        ChangedStatement::Moved(..) => {
            format!(
                "the edit would move its neighbour `{quoted}`, at line {line} of {path}, with the key that holds it"
            )
        }
        ChangedStatement::Outdented(..) => {
            format!(
                "the content has `{quoted}`, at line {line} of {path}, in the first column: it would not be in the definition that it is in"
            )
        }
        ChangedStatement::Rebound(_, now) => {
            let anchor = new.lines().line(now);
            format!(
                "the edit would have `{quoted}`, at line {line} of {path}, which it does not name, stand for something else: its anchor would be the one at line {anchor}"
            )
        }
        ChangedStatement::Enclosed(..) => {
            format!(
                "the edit would have its neighbour `{quoted}`, at line {line} of {path}, in a block above it, whose end was quoted and is not given back"
            )
        }
        ChangedStatement::Joined(..) => {
            format!(
                "the edit would make one of its neighbour `{quoted}`, at line {line} of {path}, and what is put beside it: a comma is missing"
            )
        }
        ChangedStatement::Regrouped(..) => {
            format!(
                "the edit would put its neighbour `{quoted}`, at line {line} of {path}, into another list than the one that it is in"
            )
        }
        ChangedStatement::Divided(..) => {
            format!(
                "the edit would part its neighbour `{quoted}`, at line {line} of {path}, from the text above it: a comma is too much"
            )
        }
        ChangedStatement::Commented(..) => {
            format!(
                "the edit would make a part of a comment of its neighbour `{quoted}`, at line {line} of {path}"
            )
        }
        ChangedStatement::Continued(_) => {
            format!(
                "`{quoted}`, at line {line} of {path}, would be a part of the value that stands above it"
            )
        }
        ChangedStatement::Untabled(..) => {
            format!(
                "the edit would make text of the table at line {line} of {path}, which begins `{quoted}`"
            )
        }
        ChangedStatement::Appeared(_) => {
            format!(
                "the edit would make a statement of `{quoted}`, at line {line} of {path}, beside what it names"
            )
        }
    };
    let text = String::from_utf8_lossy(lines.content(&document.bytes, line).of(&document.bytes))
        .into_owned();
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message)
        .showing(Excerpt { path: path.clone(), line, column, text })
        .note(match changed {
            ChangedStatement::Revalued(..) => {
                "edit the whole group as one range by `lines`, or give it a value of its own first"
            }
            ChangedStatement::Valueless(_) => "begin its value on the same line, with a `(` for one; or end it with `;`",
            ChangedStatement::Rerouted(..) => {
                "end it (`break`, `;;`), put the new case elsewhere, or take the whole case that falls through into the same range"
            }
            ChangedStatement::Unread(..) => {
                "keep the comment on the lines right above it: what is to come between goes above the comment, or below the import"
            }
            ChangedStatement::Redecorated(..) => {
                "take them along in the same range, or name the definition: `insert` with `position: before` puts something before them"
            }
            ChangedStatement::Parted(..) => {
                "decorators, attributes and words such as `pub` or `export` belong to what was quoted: quote them too"
            }
            ChangedStatement::PassedOn(..) => {
                "`insert` with `position: after` puts something after the whole, by its name or its last line; or quote all of it"
            }
            ChangedStatement::Reassigned(..) => "put a key below the `---` that its document begins with, and a document behind the last key of another; `---` alone parts or joins what is around it",
            ChangedStatement::Moved(..) => "give the first line of the content the indentation that it had; who moves a key quotes all that is below it",
            ChangedStatement::Outdented(..) => "give the content the indentation that was quoted; who moves it gives the same lines, or quotes the line above, too",
            ChangedStatement::Rebound(..) => "an alias stands for the last anchor of its name above it: give the anchor in the content another name",
            ChangedStatement::Enclosed(..) => "end the block in the content; who wants more in it edits all of it as one range by `lines` or `text`",
            ChangedStatement::Joined(..) => "take its line along and end it with a comma; what is meant to be one stands on one line",
            ChangedStatement::Regrouped(..) => "take whole elements; who means to make one list of two edits all of it as one range by `lines` or `text`",
            ChangedStatement::Divided(..) => "leave the comma out; who wants two elements gives back the line below, too",
            ChangedStatement::Commented(..) => "end the comment in the content, or put it on a line of its own",
            ChangedStatement::Continued(..) => "indent, begin and part it as its neighbours are; of a text in `|` or `>` take all its lines along",
            ChangedStatement::Untabled(..) => "a table begins with a row and, below it, one of dashes for as many cells: write both",
            ChangedStatement::HandedOn(..) => "keep the comment with it: quote both, or name the definition",
            ChangedStatement::Displaced(..) => "edit both as one range by `lines` or `text`",
            ChangedStatement::Strayed(_) if takes_one(document) => {
                "put braces around both statements, or name or quote the whole of what they are to stand in"
            }
            _ => way_out(document),
        });
    match edit.operation_at(offset) {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}

/// Says whether a header may take one statement without braces.
fn takes_one(document: &Document) -> bool {
    document
        .language
        .is_some_and(|language| !language.habits.offside && language.habits.body_opener == "{")
}

/// Says how to go about it.
fn way_out(document: &Document) -> &'static str {
    let Some(language) = document.language else {
        return "";
    };
    if is_markdown(language) {
        "part the two by a blank line, or edit both as one range by `lines` or `text`"
    } else if language.grammar.ends_lines_freely() {
        "end the content with `;`, or edit both as one range by `lines` or `text`"
    } else if language.habits.offside {
        "content for a part of a line is one line without a comment; else edit the whole line by `lines` or `text`"
    } else {
        "content for a part of a line must not end in a comment; else edit both as one range by `lines` or `text`"
    }
}

/// Returns the rest of the line at `offset`.
fn line_from(offset: usize, bytes: &[u8]) -> &[u8] {
    let rest = bytes.get(offset..).unwrap_or_default();
    rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()))
        .unwrap_or_default()
}

fn quotation(statement: &[u8]) -> String {
    let text = String::from_utf8_lossy(statement);
    let line = text.lines().next().unwrap_or_default().trim_end();
    let mut quoted: String = line.chars().take(QUOTED).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    shown(&quoted)
}
