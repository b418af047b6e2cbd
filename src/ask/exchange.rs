//! What is asked of a model and what it answers, whatever the dialect of its server.

use serde_json::{Value, json};

use crate::history::Tokens;

/// What a model is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelQuestion<'a> {
    /// The model.
    pub model: &'a str,
    /// The same in every conversation, so that the provider can keep it.
    pub system: &'a str,
    /// The tools, in the dialect's form; `None` when the answer is to be text.
    pub tools: Option<&'a Value>,
    /// The documents, as data.
    pub documents: &'a str,
    /// The request.
    pub request: &'a str,
    /// What was said since.
    pub turns: &'a [EarlierTurn],
    /// The parameters.
    pub dials: &'a Dials,
    /// Most tokens of the answer.
    pub most_tokens: u64,
    /// How freely the model chooses its words.
    pub temperature: Temperature,
}

/// How freely a model chooses its words, where that can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Temperature {
    /// Not at all: of edits.
    Zero,
    /// A little: of whole files.
    Low,
}

impl Temperature {
    /// Returns the parameter.
    pub(super) fn value(self) -> Value {
        match self {
            Temperature::Zero => json!(0),
            Temperature::Low => json!(0.1),
        }
    }
}

/// An answer, and what it was answered.
#[derive(Clone, Debug)]
pub(crate) struct EarlierTurn {
    /// The answer, as the dialect wants to have it back.
    pub said: Value,
    /// What became of each of its calls, in order.
    pub results: Vec<CallResult>,
    /// What else there is to say.
    pub note: Option<String>,
}

/// What became of one call, in the words that the model gets.
#[derive(Clone, Debug)]
pub(crate) struct CallResult {
    /// The call.
    pub id: String,
    /// What there is to say.
    pub text: String,
    /// Whether it was refused.
    pub is_error: bool,
}

/// Which parameters are sent. Each that a provider refuses is given up, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dials {
    /// Whether `temperature` is sent.
    pub temperature: bool,
    /// What is said about calling tools.
    pub choice: ToolChoice,
    /// Whether the provider is asked to keep what is the same in every conversation.
    pub cache: bool,
    /// Whether the length of an answer goes by its newer name, where there are two.
    pub newer_length: bool,
    /// The names of those that were given up, in order.
    pub dropped: Vec<String>,
}

/// What is said about calling tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolChoice {
    /// One has to be called.
    Forced,
    /// The model may.
    Free,
    /// Nothing is said.
    Unsaid,
}

/// What a model answered.
#[derive(Clone, Debug)]
pub(crate) struct Answered {
    /// The model, as it is called there.
    pub model: String,
    /// Its words.
    pub text: String,
    /// Its calls.
    pub calls: Vec<ToolCall>,
    /// Why it ended.
    pub end: AnswerEnd,
    /// What it cost.
    pub tokens: Tokens,
    /// The answer itself, as the dialect wants to have it back.
    pub said: Value,
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ToolCall {
    /// What its result refers to; no other call of the answer has the same.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments, or why they cannot be read.
    pub arguments: Result<Value, String>,
}

/// Why an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnswerEnd {
    /// All is said.
    Done,
    /// It had become as long as it may.
    Cut,
    /// The model will not, and these are its words.
    Refused(String),
    /// It wants to go on.
    Paused,
    /// The conversation is longer than the model can read.
    Overfull,
}

impl Default for Dials {
    fn default() -> Dials {
        Dials {
            temperature: true,
            choice: ToolChoice::Forced,
            cache: true,
            newer_length: true,
            dropped: Vec::new(),
        }
    }
}

impl Dials {
    /// Gives up the parameter that a refusal in the words of `message` is about, `named` being the one that it names by
    /// itself. Returns whether there is anything left to try.
    pub(crate) fn give_up(&mut self, named: Option<&str>, message: &str) -> bool {
        let is_meant = |parameter: &str| match named {
            Some(named) => named.split(['.', '[']).any(|part| part == parameter),
            None => message.contains(parameter),
        };
        let given_up = if self.temperature && is_meant("temperature") {
            self.temperature = false;
            "temperature"
        } else if self.choice != ToolChoice::Unsaid && is_meant("tool_choice") {
            // A model that thinks may be free to call, and not forced.
            self.choice = if self.choice == ToolChoice::Forced {
                ToolChoice::Free
            } else {
                ToolChoice::Unsaid
            };
            "tool_choice"
        } else if self.newer_length && is_meant("max_completion_tokens") {
            self.newer_length = false;
            "max_completion_tokens"
        } else if self.cache && (is_meant("cache_control") || is_meant("prompt_cache_key")) {
            self.cache = false;
            "cache"
        } else {
            return false;
        };
        if !self.dropped.iter().any(|name| name == given_up) {
            self.dropped.push(given_up.to_owned());
        }
        true
    }
}

/// Returns the text at `pointer`.
pub(super) fn text_at(value: &Value, pointer: &str) -> String {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// Returns the number at `pointer`.
pub(super) fn number_at(value: &Value, pointer: &str) -> u64 {
    value
        .pointer(pointer)
        .and_then(Value::as_u64)
        .unwrap_or_default()
}
