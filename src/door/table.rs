//! The one table of tools. All that is said of a tool anywhere is made of its row.

use crate::manifest::Destination;

/// What a tool does, which is also what is left of its name without the prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolVerb {
    Outline,
    Show,
    Find,
    Edit,
    Replace,
    Insert,
    Delete,
    Rename,
    Apply,
    History,
}

/// A tool as a model is told of it.
#[derive(Debug)]
pub(crate) struct ToolDefinition {
    /// What it does.
    pub verb: ToolVerb,
    /// `segedit_` and a word.
    pub name: &'static str,
    /// What it does and when to use it, ending with one example call as JSON; at most 400 characters.
    pub description: &'static str,
    /// What it takes, the required ones first.
    pub parameters: &'static [Parameter],
    /// What a client may rely on before it asks its user.
    pub hints: Hints,
}

/// The hints of the protocol. No tool reaches beyond the repository, so that one is the same for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hints {
    /// It changes nothing.
    pub reads_only: bool,
    /// It may take something away; else it only adds.
    pub is_destructive: bool,
    /// The same call a second time changes nothing more.
    pub is_idempotent: bool,
}

/// One argument. Each has one plain type: several clients refuse or mangle anything more.
#[derive(Debug)]
pub(crate) struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub takes: Takes,
    /// Whether a call without it is refused.
    pub is_required: bool,
    /// What its name does not say; empty where that is all.
    pub description: &'static str,
}

/// What an argument holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A whole number from 1.
    Number,
    /// Yes or no.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// What whoever offers the tools allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallRules {
    /// Nothing is changed: the tools that change something are not offered.
    pub is_read_only: bool,
    /// Where edits go.
    pub destination: Destination,
    /// Whoever replaces or deletes says which bytes are meant.
    pub requires_expect: bool,
    /// Edits go into drafts only, to be published together.
    pub reviews: bool,
    /// The result of a batch has its JSON report beside the text.
    pub is_structured: bool,
}

impl Parameter {
    const fn required(name: &'static str, takes: Takes, description: &'static str) -> Parameter {
        Parameter {
            name,
            takes,
            is_required: true,
            description,
        }
    }

    const fn optional(name: &'static str, takes: Takes, description: &'static str) -> Parameter {
        Parameter {
            name,
            takes,
            is_required: false,
            description,
        }
    }
}

const LOOKS: Hints = Hints {
    reads_only: true,
    is_destructive: false,
    is_idempotent: true,
};
const ADDS: Hints = Hints {
    reads_only: false,
    is_destructive: false,
    is_idempotent: false,
};
const CHANGES: Hints = Hints {
    reads_only: false,
    is_destructive: true,
    is_idempotent: false,
};

const TARGET: &str = "path::segment, or a path";
const PLAN: &str = "YAML, such as {version: 1, operations: [{op: delete, file: a.py, symbol: f}]}";
const CHECK: Parameter = Parameter::optional("check", Takes::Flag, "only say what would happen");
const EXPECT: Parameter = Parameter::optional("expect", Takes::Text, "hash that it must have");
const DRAFT: Parameter = Parameter::optional("draft", Takes::Text, "collect it under this name");
const ALLOW_REMOVE: Parameter = Parameter::optional(
    "allow_remove",
    Takes::Flag,
    "let definitions go that it does not name",
);

/// The draft that edits go into where they may go nowhere else and name none.
pub(crate) const REVIEW: &str = "review";

/// Every tool, in the order in which they are listed.
pub(crate) const TOOLS: [ToolDefinition; 10] = [
    ToolDefinition {
        verb: ToolVerb::Outline,
        name: "segedit_outline",
        description: "List the named segments of files or folders (functions, classes, headings, keys, elements) with line \
                      numbers and hashes. Far shorter than reading the files. {\"paths\":[\"src/worker.py\"]}",
        parameters: &[
            Parameter::required("paths", Takes::Texts, ""),
            Parameter::optional("depth", Takes::Number, "levels of nesting, 2 unless given"),
            Parameter::optional(
                "kind",
                Takes::Text,
                "only these: function, method, class, …",
            ),
        ],
        hints: LOOKS,
    },
    ToolDefinition {
        verb: ToolVerb::Show,
        name: "segedit_show",
        description: "Print one segment, or a whole file, exactly as it is, after one line with its lines and hash. Code is \
                      never shortened. {\"target\":\"src/worker.py::Worker.process\"}",
        parameters: &[
            Parameter::required("target", Takes::Text, TARGET),
            Parameter::optional("lines", Takes::Text, "of a file, such as 120-180"),
            Parameter::optional("at", Takes::Text, "revision or draft"),
        ],
        hints: LOOKS,
    },
    ToolDefinition {
        verb: ToolVerb::Find,
        name: "segedit_find",
        description: "Find definitions by name in the whole repository or below paths; * is any characters. Returns targets \
                      to paste into the other tools. {\"name\":\"Worker.*\"}",
        parameters: &[
            Parameter::required("name", Takes::Text, ""),
            Parameter::optional("paths", Takes::Texts, ""),
            Parameter::optional("kind", Takes::Text, "function, method, class, …"),
        ],
        hints: LOOKS,
    },
    ToolDefinition {
        verb: ToolVerb::Edit,
        name: "segedit_edit",
        description: "Replace a piece of text in a file by another. old must be there exactly once: quote the shortest text \
                      that is unique, or narrow with within. \
                      {\"path\":\"src/worker.py\",\"old\":\"timeout = 5\",\"new\":\"timeout = 30\",\"within\":\"Worker.process\"}",
        parameters: &[
            Parameter::required("path", Takes::Text, ""),
            Parameter::required("old", Takes::Text, ""),
            Parameter::required("new", Takes::Text, ""),
            Parameter::optional("within", Takes::Text, "segment to search in"),
            Parameter::optional("all", Takes::Flag, "every place, not one"),
            ALLOW_REMOVE,
            DRAFT,
            CHECK,
        ],
        hints: CHANGES,
    },
    ToolDefinition {
        verb: ToolVerb::Replace,
        name: "segedit_replace",
        description: "Replace a named segment by new content, without quoting the old. Write the content without outer \
                      indentation: it is indented to fit. Comments and decorators above stay. part body keeps the header. \
                      {\"target\":\"src/worker.py::Worker.process\",\"part\":\"body\",\"content\":\"return 1\\n\"}",
        parameters: &[
            Parameter::required("target", Takes::Text, TARGET),
            Parameter::required("content", Takes::Text, ""),
            Parameter::optional(
                "part",
                Takes::Word(&["whole", "body", "signature", "docstring"]),
                "",
            ),
            Parameter::optional("create", Takes::Flag, "make the file, which must not exist"),
            EXPECT,
            ALLOW_REMOVE,
            DRAFT,
            CHECK,
        ],
        hints: CHANGES,
    },
    ToolDefinition {
        verb: ToolVerb::Insert,
        name: "segedit_insert",
        description: "Put content before or after a named segment, or as the first or last thing inside it. Write it \
                      without outer indentation. \
                      {\"target\":\"src/worker.py::Worker\",\"position\":\"last\",\"content\":\"def stop(self):\\n    pass\\n\"}",
        parameters: &[
            Parameter::required("target", Takes::Text, TARGET),
            Parameter::required(
                "position",
                Takes::Word(&["before", "after", "first", "last"]),
                "",
            ),
            Parameter::required("content", Takes::Text, ""),
            DRAFT,
            CHECK,
        ],
        hints: ADDS,
    },
    ToolDefinition {
        verb: ToolVerb::Delete,
        name: "segedit_delete",
        description: "Delete a named segment with its comment and decorators; a path alone deletes the file. Can be undone. \
                      {\"target\":\"src/worker.py::Worker.stop\"}",
        parameters: &[
            Parameter::required("target", Takes::Text, TARGET),
            EXPECT,
            DRAFT,
            CHECK,
        ],
        hints: CHANGES,
    },
    ToolDefinition {
        verb: ToolVerb::Rename,
        name: "segedit_rename",
        description: "Rename a definition of Python, JavaScript or TypeScript (function, class, method, variable, parameter f(x)) and every place that means \
                      it: imports, exports, keywords; a Markdown heading and the links to it; a key of YAML, TOML or JSON; or an id or class of HTML (page.html::#id). Places that are not certain are listed, and nothing is renamed. \
                      {\"target\":\"src/worker.py::Worker.stop\",\"to\":\"halt\"}",
        parameters: &[
            Parameter::required("target", Takes::Text, "path::symbol"),
            Parameter::required("to", Takes::Text, ""),
            Parameter::optional(
                "unsure",
                Takes::Word(&["refuse", "keep", "change", "ask"]),
                "places that are not certain",
            ),
            Parameter::optional(
                "mentions",
                Takes::Word(&["keep", "change"]),
                "in strings, comments, other files",
            ),
            Parameter::optional("clash", Takes::Word(&["refuse", "allow"]), ""),
            Parameter::optional("scope", Takes::Word(&["project", "file"]), ""),
            DRAFT,
            CHECK,
        ],
        hints: CHANGES,
    },
    ToolDefinition {
        verb: ToolVerb::Apply,
        name: "segedit_apply",
        description: "Publish a draft, or an operation file given as YAML: all of it or nothing, after the repository's checks. \
                      With a message a draft becomes one commit. A draft is kept for 7 days after its last edit. \
                      {\"draft\":\"orders\",\"message\":\"Handle empty orders\"}",
        parameters: &[
            Parameter::optional("draft", Takes::Text, ""),
            Parameter::optional("plan", Takes::Text, PLAN),
            Parameter::optional("message", Takes::Text, "of the commit"),
            Parameter::optional(
                "destination",
                Takes::Word(&["commit", "index", "cached", "worktree", "stash"]),
                "",
            ),
            Parameter::optional("branch", Takes::Text, ""),
            CHECK,
            Parameter::optional("discard", Takes::Flag, "forget the draft"),
        ],
        hints: CHANGES,
    },
    ToolDefinition {
        verb: ToolVerb::History,
        name: "segedit_history",
        description: "List the last batches, or undo or redo one. Undo restores the bytes, and refuses where they changed \
                      since. {\"action\":\"undo\"}",
        parameters: &[
            Parameter::required("action", Takes::Word(&["list", "undo", "redo"]), ""),
            Parameter::optional("batch", Takes::Text, "its id, as listed; else the last"),
        ],
        hints: CHANGES,
    },
];

/// What is offered of `segedit_history` where nothing may be taken back.
static LISTING: ToolDefinition = ToolDefinition {
    verb: ToolVerb::History,
    name: "segedit_history",
    description: "List the last batches. {\"action\":\"list\"}",
    parameters: &[Parameter::required("action", Takes::Word(&["list"]), "")],
    hints: LOOKS,
};

impl ToolDefinition {
    /// Returns the tool called `name`, with or without the prefix.
    pub(crate) fn named(name: &str) -> Option<&'static ToolDefinition> {
        TOOLS
            .iter()
            .find(|tool| tool.name == name || tool.name.strip_prefix("segedit_") == Some(name))
    }

    /// Says whether `rules` let it be offered.
    pub(crate) fn is_offered(&self, rules: CallRules) -> bool {
        !rules.is_read_only || self.hints.reads_only || self.verb == ToolVerb::History
    }

    /// Says whether what it does is one batch, of which there is a report.
    pub(crate) fn is_batch(&self) -> bool {
        !self.hints.reads_only && self.verb != ToolVerb::History
    }

    /// Returns its hints under `rules`. What goes into a draft takes nothing away.
    pub(crate) fn hints(&self, rules: CallRules) -> Hints {
        match () {
            () if rules.is_read_only || rules.reviews && self.verb == ToolVerb::History => LOOKS,
            () if rules.reviews && self.is_edit() => ADDS,
            () => self.hints,
        }
    }

    /// Says whether it makes one edit, which can go into a draft.
    pub(crate) fn is_edit(&self) -> bool {
        matches!(
            self.verb,
            ToolVerb::Edit
                | ToolVerb::Replace
                | ToolVerb::Insert
                | ToolVerb::Delete
                | ToolVerb::Rename
        )
    }
}

/// Returns the tools that `rules` let be offered.
pub(crate) fn offered_tools(rules: CallRules) -> impl Iterator<Item = &'static ToolDefinition> {
    let only_lists = rules.is_read_only || rules.reviews;
    let offered = TOOLS.iter().filter(move |tool| tool.is_offered(rules));
    offered.map(move |tool| {
        if only_lists && tool.verb == ToolVerb::History {
            &LISTING
        } else {
            tool
        }
    })
}

/// Returns what a model is told of all tools together.
pub(crate) fn instructions(rules: CallRules) -> String {
    let look = "Look with segedit_outline or segedit_find, read with segedit_show";
    let targets = "Targets look like path::segment: src/worker.py::Worker.process, README.md::## Usage, \
                   compose.yaml::services.web.image, index.html::#header h1.";
    if rules.is_read_only {
        return format!(
            "Read files of this git repository by name. {look}.\n{targets}\nNothing can be changed here."
        );
    }
    let drafts = match rules.reviews {
        true => format!(
            "Edits change no file yet: they are collected in a draft, `{REVIEW}` unless you name another, to be read with \
             segedit_show and at. segedit_apply with the draft and a message makes them one commit"
        ),
        false => format!(
            "{} To make several edits one commit: give all of them the same draft name, at once if you like, then call \
             segedit_apply with it and a message",
            where_edits_go(rules.destination)
        ),
    };
    let back = match rules.reviews {
        true => "",
        false => " segedit_history takes back what was published.",
    };
    let expect = match rules.requires_expect {
        true => {
            " segedit_replace and segedit_delete want expect, the hash that segedit_show prints."
        }
        false => "",
    };
    format!(
        "Edit files of this git repository by name. Every call is checked (it must parse, nothing outside the named segment \
         may change) and is all or nothing; a refused call changes nothing and says what to send instead.\n\
         {look}, then change.\n\
         Which tool: a whole function, section, key or element: segedit_replace; new code: segedit_insert; a few words: \
         segedit_edit with the shortest unique text; removal: segedit_delete; another name, wherever it is used: segedit_rename.\n\
         {targets}\n\
         {drafts}. A draft is kept for 7 days.{back}{expect}\n\
         Write content in full and without outer indentation; never \"rest unchanged\" comments. Read a file again before you \
         change it with another tool."
    )
}

fn where_edits_go(destination: Destination) -> &'static str {
    match destination {
        Destination::Worktree => "Edits are written to the files at once.",
        Destination::Commit => "Each edit is a commit on the current branch.",
        Destination::Index => "Edits are written to the files and staged at once.",
        Destination::Cached => "Edits are staged; the files stay as they are.",
        Destination::Stash => "Each edit becomes a stash entry; the files stay as they are.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_fit_whatever_the_rules() {
        use crate::manifest::words::FixedWord;
        for word in Destination::words() {
            for flags in 0..8 {
                let (is_read_only, requires_expect, reviews) =
                    (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0);
                let destination = Destination::from_word(word).unwrap();
                let told = instructions(CallRules {
                    is_read_only,
                    destination,
                    requires_expect,
                    reviews,
                    is_structured: false,
                });
                assert!(told.len() < 2_000, "{} bytes: {told}", told.len());
                assert_eq!(told.contains("draft"), !is_read_only, "{told}");
            }
        }
    }
}
