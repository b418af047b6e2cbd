//! `Conversation`: what is kept of the talk with a model that a batch came from. It is the model's and its provider's word, and
//! decides nothing.

use serde::{Deserialize, Serialize};

/// What was asked, and what became of the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    /// The interface that was spoken: `anthropic` or `openai`.
    pub provider: String,
    /// The host that was asked.
    pub host: String,
    /// The model, as the answers name it.
    pub model: String,
    /// The request, unless the user keeps requests out of the history.
    pub request: Option<String>,
    /// What it cost.
    pub tokens: Tokens,
    /// How often the model answered with edits, or was asked to.
    pub rounds: usize,
    /// How many requests were sent, those that continue an answer or drop a parameter included.
    pub requests: usize,
    /// Each call of a tool, in order.
    pub calls: Vec<CallRecord>,
    /// Whether a whole file was written anew, because no edit passed or because that was asked for.
    pub fallback: bool,
    /// The parameters that the provider refused, and that were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// Seconds from the request to the last answer.
    pub seconds: u64,
}

/// Tokens as the provider counts them, of all answers together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Read by the model. Anthropic does not count those here that are counted below, OpenAI does.
    #[serde(rename = "in")]
    pub input: u64,
    /// Written by the model.
    #[serde(rename = "out")]
    pub output: u64,
    /// Read from the provider's cache.
    pub cache_read: u64,
    /// Written to the provider's cache.
    pub cache_written: u64,
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRecord {
    /// In which round it was made, from 1.
    pub round: usize,
    /// The tool.
    pub tool: String,
    /// What it was about: a path or an address.
    pub target: String,
    /// What became of it.
    pub fate: Fate,
    /// Why it was not applied, in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is part of the batch.
    Applied,
    /// It only looked.
    Looked,
    /// It was refused.
    Failed,
    /// The answer ended in the middle of it.
    CutOff,
}

impl Fate {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Fate::Applied => "applied",
            Fate::Looked => "looked",
            Fate::Failed => "failed",
            Fate::CutOff => "cut off",
        }
    }
}

impl Tokens {
    /// Adds what another answer cost.
    pub fn add(&mut self, other: Tokens) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_written += other.cache_written;
    }
}
