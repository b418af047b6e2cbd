//! The talk with a model, for people: who was asked, what that cost, what became of each call.

use crate::diagnostic::{escaped, shown};
use crate::history::{Conversation, Fate};

/// Returns a line for a list of batches: who was asked for what.
pub(crate) fn conversation_line(talk: &Conversation) -> String {
    let request = talk
        .request
        .as_deref()
        .and_then(|request| request.lines().next())
        .unwrap_or_default();
    let request = if request.is_empty() {
        String::new()
    } else {
        format!(": {}", shown(request))
    };
    let mut about = sum_tokens(talk);
    let failed = talk
        .calls
        .iter()
        .filter(|call| matches!(call.fate, Fate::Failed | Fate::CutOff))
        .count();
    if failed > 0 {
        about.push_str(&format!(
            "; {failed} of {} failed",
            count_words(talk.calls.len(), "call")
        ));
    }
    if talk.fallback {
        about.push_str("; the whole file written anew");
    }
    if !talk.dropped.is_empty() {
        about.push_str(&format!("; without {}", shown(&talk.dropped.join(", "))));
    }
    format!(
        "          asked {}{request}  ({about})\n",
        shown(&talk.model)
    )
}

/// Returns who was asked, each call that was not applied, and what is out of the ordinary.
pub(crate) fn conversation_summary(talk: &Conversation) -> String {
    let mut text = format!(
        "   asked  {} at {}: {}\n",
        shown(&talk.model),
        shown(&talk.host),
        sum_tokens(talk)
    );
    for call in talk.calls.iter().filter(|call| call.fate != Fate::Applied) {
        let why = call
            .why
            .as_ref()
            .map_or(String::new(), |why| format!(": {}", shown(why)));
        let (round, word) = (call.round, call.fate.as_str());
        let (tool, target) = (shown(&call.tool), shown(&call.target));
        text.push_str(&format!(
            "          round {round}, {word}: {tool} {target}{why}\n"
        ));
    }
    if talk.fallback {
        text.push_str("          the whole file was written anew by the model, not edited\n");
    }
    if !talk.dropped.is_empty() {
        let dropped = shown(&talk.dropped.join(", "));
        text.push_str(&format!(
            "          left out, because the provider refuses it: {dropped}\n"
        ));
    }
    text
}

/// Returns the request and everything that was counted.
pub(crate) fn cost_words(talk: &Conversation) -> String {
    let mut text = String::new();
    for call in talk.calls.iter().filter(|call| call.fate == Fate::Applied) {
        let (tool, target) = (shown(&call.tool), shown(&call.target));
        text.push_str(&format!(
            "          round {}, applied: {tool} {target}\n",
            call.round
        ));
    }
    if let Some(request) = &talk.request {
        text.push_str(&format!(
            " request  {}\n",
            escaped(request).replace('\n', "\n          ")
        ));
    }
    let written = talk.tokens.cache_written;
    let (requests, seconds) = (count_words(talk.requests, "request"), talk.seconds);
    text.push_str(&format!(
        "          {requests}, {seconds} s, {written} tokens written to the provider's cache\n"
    ));
    text
}

fn sum_tokens(talk: &Conversation) -> String {
    let tokens = talk.tokens;
    let (rounds, input, output) = (
        count_words(talk.rounds, "round"),
        tokens.input,
        tokens.output,
    );
    format!(
        "{rounds}, {input} tokens in, {output} out, {} from the cache",
        tokens.cache_read
    )
}

fn count_words(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
