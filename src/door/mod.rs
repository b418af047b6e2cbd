//! The tools that a language model is offered: what they are called and take, what a call means, and how it is answered.
//!
//! A call becomes one question or one batch, which is then treated like any other: nothing is decided here. Pure: the
//! front doors (`git segedit tools`, `call`, `mcp`) read, carry out and write.
//!
//! | file | holds |
//! |---|---|
//! | `table` | the tools: names, descriptions, parameters, hints |
//! | `faces` | the table as each interface wants it |
//! | `json` | JSON in which nothing is given twice |
//! | `arguments` | what a model sent, read leniently |
//! | `call` | what a call asks for |
//! | `ends` | line breaks that a model forgot |
//! | `answer` | the result as text |
//! | `guides` | what tells agents of the program |

pub(crate) mod answer;
mod arguments;
pub(crate) mod call;
mod ends;
pub(crate) mod faces;
pub(crate) mod guides;
pub(crate) mod json;
pub(crate) mod table;

pub(crate) use answer::CallAnswer;
pub(crate) use table::{CallRules, ToolDefinition};
