//! `ask`: a model makes the calls, and what comes of them is one batch like any other.
//!
//! The door is the one that models come through anywhere: the same tools, the same lenient reading of calls, the same answers.
//! What is here is the other side of it: who is asked, in which form, how often, and what it may cost.
//!
//! | file | holds |
//! |---|---|
//! | `route` | what sort of request it is, decided without a model |
//! | `prompt` | the words that a model is given, documents as data |
//! | `exchange` | a question and its answer, whatever the interface |
//! | `dialect`, `anthropic`, `openai` | the two interfaces |
//! | `client` | sending, trying again, keeping the key |
//! | `calls` | the calls of an answer, in memory and confined to the files of the request |
//! | `converse` | the conversation, from the request to a batch |
//!
//! Deliberately not here: publishing (`actions::apply`), the environment and the terminal (`cli`). Known limits: answers are not
//! streamed; certificates are those that Mozilla trusts, and not the system's; OpenAI's Responses is not spoken.

mod anthropic;
mod calls;
pub(crate) mod client;
pub(crate) mod converse;
pub(crate) mod dialect;
pub(crate) mod exchange;
mod openai;
mod prompt;
pub(crate) mod route;
