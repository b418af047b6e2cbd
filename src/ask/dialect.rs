//! `Dialect`: the two interfaces that models are asked through, and what the conversation needs of both: a question with its
//! earlier turns, an answer with its calls. Everything here is bytes in, values out.

use serde_json::Value;

use super::{anthropic, openai};
use crate::ask::exchange::{Answered, ModelQuestion, ToolCall};
use crate::door::faces::Face;
use crate::history::Tokens;

/// An interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's Chat Completions.
    OpenAi,
}

impl Dialect {
    /// Every interface with its word.
    pub(crate) const WORDS: [(&str, Dialect); 2] = [
        ("anthropic", Dialect::Anthropic),
        ("openai", Dialect::OpenAi),
    ];

    /// Returns the interface that `word` names.
    pub(crate) fn from_word(word: &str) -> Option<Dialect> {
        Dialect::WORDS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|&(_, dialect)| dialect)
    }

    /// Returns the word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Dialect::Anthropic => "anthropic",
            Dialect::OpenAi => "openai",
        }
    }

    /// Returns the model that is asked unless another is named.
    pub(crate) fn usual_model(self) -> &'static str {
        match self {
            Dialect::Anthropic => "claude-sonnet-5",
            Dialect::OpenAi => "gpt-5.5",
        }
    }

    /// Returns where it is spoken unless another place is named.
    pub(crate) fn usual_base(self) -> &'static str {
        match self {
            Dialect::Anthropic => "https://api.anthropic.com",
            Dialect::OpenAi => "https://api.openai.com/v1",
        }
    }

    /// Returns the variable in which the provider's own programs look for a key.
    pub(crate) fn key_variable(self) -> &'static str {
        match self {
            Dialect::Anthropic => "ANTHROPIC_API_KEY",
            Dialect::OpenAi => "OPENAI_API_KEY",
        }
    }

    /// Returns the address that requests go to. Servers are named with or without the `/v1` that all of them have.
    pub(crate) fn url(self, base: &str) -> String {
        let base = base.trim_end_matches('/');
        let is_bare = base
            .split_once("://")
            .is_some_and(|(_, rest)| !rest.contains('/'));
        match self {
            Dialect::Anthropic if base.ends_with("/v1") => format!("{base}/messages"),
            Dialect::Anthropic => format!("{base}/v1/messages"),
            Dialect::OpenAi if is_bare => format!("{base}/v1/chat/completions"),
            Dialect::OpenAi => format!("{base}/chat/completions"),
        }
    }

    /// Returns the headers that requests carry, with the key if there is one.
    pub(crate) fn headers(self, key: Option<&str>) -> Vec<(&'static str, String)> {
        let mut headers = vec![("content-type", "application/json".to_owned())];
        match self {
            Dialect::Anthropic => {
                headers.push(("anthropic-version", "2023-06-01".to_owned()));
                headers.extend(key.map(|key| ("x-api-key", key.to_owned())));
            }
            Dialect::OpenAi => {
                headers.extend(key.map(|key| ("authorization", format!("Bearer {key}"))))
            }
        }
        headers
    }

    /// Returns the form in which it wants tools described.
    pub(crate) fn face(self) -> Face {
        match self {
            Dialect::Anthropic => Face::Anthropic,
            Dialect::OpenAi => Face::OpenAi,
        }
    }

    /// Returns the body of a request.
    pub(crate) fn body(self, question: &ModelQuestion<'_>) -> Value {
        match self {
            Dialect::Anthropic => anthropic::body(question),
            Dialect::OpenAi => openai::body(question),
        }
    }

    /// Reads an answer, or says what it lacks.
    pub(crate) fn answer(self, body: &Value) -> Result<Answered, String> {
        let mut answered = match self {
            Dialect::Anthropic => anthropic::answer(body),
            Dialect::OpenAi => openai::answer(body),
        }?;
        // A result names its call, so that no two may have one name.
        for at in 0..answered.calls.len() {
            let (earlier, rest) = answered.calls.split_at_mut(at);
            let Some(call) = rest.first_mut() else {
                continue;
            };
            if call.id.is_empty() || earlier.iter().any(|other| other.id == call.id) {
                call.id = format!("{}_{}", call.id, at + 1);
            }
        }
        Ok(answered)
    }

    /// Returns the answer `said` as it is sent back: with the ids and the arguments of its `calls`, and without calls that
    /// are not among them.
    pub(crate) fn returned(self, said: &Value, calls: &[ToolCall]) -> Value {
        match self {
            Dialect::Anthropic => anthropic::returned(said, calls),
            Dialect::OpenAi => openai::returned(said, calls),
        }
    }

    /// Returns what is counted against the budget: all that was read and written, however it was paid for.
    pub(crate) fn spent(self, tokens: Tokens) -> u64 {
        match self {
            Dialect::Anthropic => {
                tokens.input + tokens.output + tokens.cache_read + tokens.cache_written
            }
            Dialect::OpenAi => tokens.input + tokens.output,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ask::exchange::{Dials, ToolChoice};

    #[test]
    fn a_parameter_is_given_up_once_and_the_one_that_is_meant() {
        let mut dials = Dials::default();
        assert!(dials.give_up(None, "`temperature` is deprecated for this model."));
        assert!(!dials.give_up(None, "`temperature` is deprecated for this model."));
        assert!(dials.give_up(
            None,
            "Thinking may not be enabled when tool_choice forces tool use."
        ));
        assert_eq!(dials.choice, ToolChoice::Free);
        assert!(dials.give_up(Some("tool_choice"), "no such thing"));
        assert_eq!(dials.choice, ToolChoice::Unsaid);
        assert!(dials.give_up(Some("max_completion_tokens"), "about temperature"));
        assert!(dials.give_up(Some("system.0.cache_control"), "extra"));
        assert!(!dials.give_up(Some("model"), "the model has no temperature"));
        assert_eq!(
            dials.dropped,
            [
                "temperature",
                "tool_choice",
                "max_completion_tokens",
                "cache"
            ]
        );
    }

    #[test]
    fn answers_of_any_form_are_read_or_refused() {
        let parts = [
            json!(null),
            json!(1),
            json!("text"),
            json!([]),
            json!({}),
            json!([null, 1, "text", [], {}]),
            json!([{"type": "tool_use"}, {"type": "tool_use", "id": 1, "name": [], "input": "{"}, {"type": "text"}]),
            json!([{"message": null}]),
            json!([{"message": {"content": [], "tool_calls": [null, {}, {"function": 1}, {"function": {"arguments": 1}}]}}]),
        ];
        for part in parts {
            for dialect in [Dialect::Anthropic, Dialect::OpenAi] {
                let usage = json!({"input_tokens": "many", "prompt_tokens": -1});
                for body in [
                    part.clone(),
                    json!({"content": part, "choices": part, "usage": usage}),
                ] {
                    let Ok(answered) = dialect.answer(&body) else {
                        continue;
                    };
                    let ids: std::collections::BTreeSet<&String> =
                        answered.calls.iter().map(|call| &call.id).collect();
                    assert_eq!(ids.len(), answered.calls.len(), "{body}");
                    let returned = dialect.returned(&answered.said, &answered.calls);
                    let bare = dialect.returned(&answered.said, &[]);
                    assert!(!bare.to_string().contains("tool_use"), "{returned}");
                }
            }
        }
    }

    #[test]
    fn servers_are_named_with_and_without_their_version() {
        let check = |dialect: Dialect, base: &str, url: &str| assert_eq!(dialect.url(base), url);
        check(
            Dialect::Anthropic,
            "https://api.anthropic.com",
            "https://api.anthropic.com/v1/messages",
        );
        check(
            Dialect::Anthropic,
            "http://localhost:1/v1/",
            "http://localhost:1/v1/messages",
        );
        check(
            Dialect::OpenAi,
            "https://api.openai.com/v1",
            "https://api.openai.com/v1/chat/completions",
        );
        check(
            Dialect::OpenAi,
            "http://localhost:1",
            "http://localhost:1/v1/chat/completions",
        );
        check(
            Dialect::OpenAi,
            "http://localhost:1/openai",
            "http://localhost:1/openai/chat/completions",
        );
    }
}
