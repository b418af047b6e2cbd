//! The conversation: ask, carry out the calls, send back what failed, and end with one batch or with why there is none.
//!
//! ```text
//! question ──▶ answer ──▶ calls, one after the other, in memory ──▶ all passed ──▶ gate ──▶ one batch
//!    ▲                         │ some failed, or looked                             │ findings, once
//!    └──── results ◀───────────┴────────────────────────────────────────────────────┘
//! ```
//!
//! At most so many rounds. Where every call of all rounds failed, or the model only talked, one file may be written anew as a
//! whole: the report and the history say so. Nothing is published here.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::calls::{self, Edits, Handled};
use super::client::{Failure, ProviderComplaint};
use super::dialect::Dialect;
use super::exchange::{
    AnswerEnd, Answered, Dials, EarlierTurn, ModelQuestion, Temperature, ToolCall,
};
use super::prompt;
use super::route::Route;
use crate::actions::basis::Basis;
use crate::actions::outcome::{Outcome, Status};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::history::{Conversation, Fate};
use crate::manifest::{AllowRemove, Expect, Manifest, Operation, Verb};
use crate::path::RepoPath;
use crate::report::verdicts::verdict_lines;

/// Most tokens of an answer with calls.
const CALLS_TOKENS: u64 = 8_192;

/// Most tokens of an answer that is a whole file.
const WHOLE_TOKENS: u64 = 16_384;

/// Most bytes of a file that is written anew; four are about a token.
const WHOLE_BYTES: usize = 48_000;

/// Most times in a row that an answer is continued.
const MOST_PAUSES: usize = 3;

/// What a conversation is about.
pub(crate) struct Topic<'a> {
    /// The request, in the user's words.
    pub request: &'a str,
    /// What sort of request it is.
    pub route: Route,
    /// The files.
    pub basis: &'a Basis,
    /// A batch without operations, which says where all of it goes.
    pub frame: &'a Manifest,
    /// The worktree's folder.
    pub root: Option<&'a Path>,
    /// Who is asked, and in what terms.
    pub terms: &'a Terms,
    /// The host that is asked.
    pub host: &'a str,
}

/// Who is asked, and in what terms.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// The interface.
    pub dialect: Dialect,
    /// The model.
    pub model: String,
    /// Most rounds.
    pub rounds: usize,
    /// Most tokens of the whole conversation.
    pub tokens: u64,
    /// Most tokens of documents.
    pub context_tokens: usize,
    /// When a whole file is written anew.
    pub whole_file: WholeFile,
    /// Whether edits are published although others failed.
    pub keeps_part: bool,
    /// Whether the history keeps the request.
    pub keeps_request: bool,
}

/// When a whole file is written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WholeFile {
    /// When every edit failed.
    AsLastResort,
    /// Never.
    Never,
    /// At once.
    AtOnce,
}

/// The world outside of the conversation.
pub(crate) struct Means<'a> {
    /// Sends a request.
    pub send: &'a dyn Fn(&Value) -> Result<Value, Failure>,
    /// Says what all checks make of a batch, the repository's own included; publishes nothing.
    pub gate: &'a dyn Fn(Manifest) -> Outcome,
}

/// What came of a conversation.
pub(crate) struct Concluded {
    /// What is kept of it.
    pub conversation: Conversation,
    /// The batch and what the gate says of it, or why there is none.
    pub batch: Result<(Manifest, Outcome), Vec<Diagnostic>>,
    /// What failed beside it.
    pub failures: Vec<Diagnostic>,
}

/// Holds the conversation.
pub(crate) fn converse(topic: &Topic<'_>, means: &Means<'_>) -> Concluded {
    let terms = topic.terms;
    let conversation = Conversation {
        provider: terms.dialect.word().to_owned(),
        host: topic.host.to_owned(),
        model: terms.model.clone(),
        request: terms.keeps_request.then(|| topic.request.trim().to_owned()),
        ..Conversation::default()
    };
    let mut talk = Talk {
        topic,
        means,
        dials: Dials::default(),
        conversation,
        failures: Vec::new(),
    };
    let batch = talk.hold();
    Concluded {
        conversation: talk.conversation,
        batch,
        failures: talk.failures,
    }
}

struct Talk<'a> {
    topic: &'a Topic<'a>,
    means: &'a Means<'a>,
    dials: Dials,
    conversation: Conversation,
    /// What the calls of the last round were refused for.
    failures: Vec<Diagnostic>,
}

/// Why a round is the last.
enum ConversationEnd {
    /// There is nothing left to do.
    Well(Option<Box<Outcome>>),
    /// There are no rounds left, or the model goes round in circles.
    Badly,
}

impl Talk<'_> {
    fn hold(&mut self) -> Result<(Manifest, Outcome), Vec<Diagnostic>> {
        let topic = self.topic;
        let mut edits = Edits::none(topic.basis, topic.frame, topic.route, topic.root);
        if topic.terms.whole_file == WholeFile::AtOnce {
            return self.write_anew(edits);
        }
        let mut talked = 0;
        let ended = self.rounds(&mut edits, &mut talked)?;
        match ended {
            ConversationEnd::Well(gated) if !edits.is_empty() => {
                let manifest = edits.manifest();
                let gated =
                    gated.map_or_else(|| (self.means.gate)(manifest.clone()), |gated| *gated);
                Ok((manifest, gated))
            }
            ConversationEnd::Well(_) | ConversationEnd::Badly if edits.is_empty() => {
                let tried = !self.failures.is_empty() || talked > 1;
                if tried
                    && topic.terms.whole_file == WholeFile::AsLastResort
                    && self.file_to_write().is_ok()
                {
                    return self.write_anew(edits);
                }
                Err(self.no_edit())
            }
            ConversationEnd::Well(_) | ConversationEnd::Badly if topic.terms.keeps_part => {
                let manifest = edits.manifest();
                let gated = (self.means.gate)(manifest.clone());
                Ok((manifest, gated))
            }
            ConversationEnd::Well(_) | ConversationEnd::Badly => Err(self.some_failed()),
        }
    }

    /// Goes through the rounds, counting how often the model `talked` without calling anything.
    fn rounds(
        &mut self,
        edits: &mut Edits<'_>,
        talked: &mut usize,
    ) -> Result<ConversationEnd, Vec<Diagnostic>> {
        let terms = self.topic.terms;
        let documents =
            prompt::documents(self.topic.basis, self.topic.request, terms.context_tokens);
        let request = prompt::request(self.topic.request, self.topic.route);
        let tools = calls::tools(terms.dialect.face());
        let mut turns: Vec<EarlierTurn> = Vec::new();
        let mut failed: BTreeSet<String> = BTreeSet::new();
        let mut was_gated = false;
        for round in 1..=terms.rounds {
            self.conversation.rounds = round;
            let question = ModelQuestion {
                model: &terms.model,
                system: prompt::SYSTEM,
                tools: Some(&tools),
                documents: &documents,
                request: &request,
                turns: &[],
                dials: &Dials::default(),
                most_tokens: CALLS_TOKENS,
                temperature: Temperature::Zero,
            };
            let mut answered = self.answer(question, &mut turns)?;
            let cut = if answered.end == AnswerEnd::Cut {
                answered.calls.pop()
            } else {
                None
            };
            let said = terms.dialect.returned(&answered.said, &answered.calls);
            let note = (answered.end == AnswerEnd::Cut).then(|| prompt::TOO_LONG.to_owned());
            if answered.calls.is_empty() && cut.is_none() {
                // A model that says no more after edits that passed is done.
                if !edits.is_empty() && self.failures.is_empty() && answered.end != AnswerEnd::Cut {
                    return Ok(ConversationEnd::Well(None));
                }
                *talked += 1;
                if *talked > 1 {
                    return Ok(ConversationEnd::Badly);
                }
                let note = note.or(Some(prompt::CALL_A_TOOL.to_owned()));
                turns.push(EarlierTurn {
                    said,
                    results: Vec::new(),
                    note,
                });
                continue;
            }
            let mut handled = edits.carry_out(&answered.calls, round);
            self.failures = handled
                .iter()
                .flat_map(|handled| handled.errors.clone())
                .collect();
            self.conversation
                .calls
                .extend(handled.iter().map(|handled| handled.record.clone()));
            if let Some(cut) = &cut {
                self.conversation.calls.push(calls::cut_off(cut, round));
                self.failures.push(Diagnostic::new(
                    Code::ModelLimit,
                    "the answer was cut off in the middle of a call",
                ));
            }
            let all_applied = handled
                .iter()
                .all(|handled| handled.record.fate == Fate::Applied)
                && cut.is_none();
            if all_applied {
                let gated = (self.means.gate)(edits.manifest());
                let is_for_the_model =
                    !was_gated && round < terms.rounds && is_for_the_model(&gated);
                if !is_for_the_model {
                    return Ok(ConversationEnd::Well(Some(Box::new(gated))));
                }
                was_gated = true;
                tell_findings(&gated, &mut handled);
            }
            if handled
                .iter()
                .any(|handled| handled.record.fate == Fate::Applied)
            {
                failed.clear();
            }
            // Nothing new is to be expected of a call that failed before, in the same words and on the same files.
            let refused = handled
                .iter()
                .zip(&answered.calls)
                .filter(|(handled, _)| !handled.errors.is_empty());
            let keys: Vec<String> = refused.map(|(_, call)| key(call)).collect();
            if !keys.is_empty() && keys.iter().all(|key| failed.contains(key)) {
                return Ok(ConversationEnd::Badly);
            }
            failed.extend(keys);
            let results = handled.into_iter().map(|handled| handled.result).collect();
            turns.push(EarlierTurn {
                said,
                results,
                note,
            });
        }
        let ends_well = self.failures.is_empty() && !edits.is_empty();
        Ok(if ends_well {
            ConversationEnd::Well(None)
        } else {
            ConversationEnd::Badly
        })
    }

    /// Has one file written anew as a whole.
    fn write_anew(&mut self, mut edits: Edits<'_>) -> Result<(Manifest, Outcome), Vec<Diagnostic>> {
        let (path, bytes) = self.file_to_write().map_err(|error| vec![error])?;
        self.conversation.fallback = true;
        let terms = self.topic.terms;
        let before = String::from_utf8_lossy(&bytes).into_owned();
        let question = ModelQuestion {
            model: &terms.model,
            system: prompt::WHOLE,
            tools: None,
            documents: &prompt::document(&path, &bytes),
            request: &prompt::request(self.topic.request, Route::Edit),
            turns: &[],
            dials: &Dials::default(),
            most_tokens: WHOLE_TOKENS,
            temperature: Temperature::Low,
        };
        let answered = self.answer(question, &mut Vec::new())?;
        if answered.end == AnswerEnd::Cut {
            let message = format!(
                "{} is too long to be written anew: the answer was cut off",
                shown(path.as_str())
            );
            return Err(vec![Diagnostic::new(Code::ModelLimit, message)]);
        }
        let Some(content) = prompt::whole_file(&answered.text, &before) else {
            let message = format!(
                "the model was to write {} anew and did not",
                shown(path.as_str())
            );
            return Err(vec![
                Diagnostic::new(Code::ModelNoEdit, message).note(words_of(&answered)),
            ]);
        };
        let expect = Some(Expect(self.topic.basis.id(&bytes).0));
        let verb = Verb::Replace {
            selector: None,
            part: None,
            content,
            indent: None,
            expect,
        };
        let mut operation = Operation::on(path, verb);
        if self.topic.route == Route::Rewrite {
            operation.allow_remove = AllowRemove::Everything;
        }
        edits.try_alone(vec![operation])?;
        self.failures.clear();
        let manifest = edits.manifest();
        let gated = (self.means.gate)(manifest.clone());
        Ok((manifest, gated))
    }

    /// Returns the one file that may be written anew: the only one that there is, or that all failed calls are about.
    fn file_to_write(&self) -> Result<(RepoPath, crate::snapshot::Blob), Diagnostic> {
        let basis = self.topic.basis;
        let present: Vec<&RepoPath> = basis
            .writable()
            .iter()
            .filter(|path| basis.exists(path))
            .collect();
        let called = |path: &&RepoPath| {
            let is_about = |target: &str| {
                target
                    .split("::")
                    .next()
                    .is_some_and(|target| target.ends_with(path.as_str()))
            };
            let mut calls = self.conversation.calls.iter();
            !self.conversation.calls.is_empty() && calls.all(|call| is_about(&call.target))
        };
        let path = match present[..] {
            [only] => only,
            _ => present.into_iter().find(called).ok_or_else(|| {
                Diagnostic::new(
                    Code::ModelNoEdit,
                    "only one file at a time can be written anew; name it alone",
                )
            })?,
        };
        let bytes = basis.bytes(path, &[]).unwrap_or_else(|| Vec::new().into());
        if bytes.len() > WHOLE_BYTES {
            let message = format!("{} has {} bytes", shown(path.as_str()), bytes.len());
            let note = format!("a file of at most {WHOLE_BYTES} can be written anew");
            return Err(Diagnostic::new(Code::ModelLimit, message).note(note));
        }
        Ok((path.clone(), bytes))
    }

    /// Asks until there is an answer: without the parameters that are refused, and on where the model pauses.
    fn answer(
        &mut self,
        question: ModelQuestion<'_>,
        turns: &mut Vec<EarlierTurn>,
    ) -> Result<Answered, Vec<Diagnostic>> {
        let mut pauses = 0;
        loop {
            let answered = self.ask(&ModelQuestion { turns, ..question })?;
            match answered.end {
                AnswerEnd::Paused if answered.calls.is_empty() && pauses < MOST_PAUSES => {
                    pauses += 1;
                    let said = self.topic.terms.dialect.returned(&answered.said, &[]);
                    turns.push(EarlierTurn {
                        said,
                        results: Vec::new(),
                        note: None,
                    });
                }
                AnswerEnd::Refused(words) => {
                    let said = if words.trim().is_empty() {
                        String::new()
                    } else {
                        format!(": {}", shown(words.trim()))
                    };
                    let message = format!("{} refuses the request{said}", self.conversation.model);
                    return Err(vec![Diagnostic::new(Code::ModelRefused, message)]);
                }
                AnswerEnd::Overfull => {
                    return Err(vec![refuse_overfull(
                        "the conversation is longer than the model can read",
                    )]);
                }
                AnswerEnd::Done | AnswerEnd::Cut | AnswerEnd::Paused => return Ok(answered),
            }
        }
    }

    /// Asks once, or as often as parameters have to be given up.
    fn ask(&mut self, question: &ModelQuestion<'_>) -> Result<Answered, Vec<Diagnostic>> {
        let dialect = self.topic.terms.dialect;
        loop {
            let body = dialect.body(&ModelQuestion {
                dials: &self.dials,
                ..*question
            });
            self.check_budget(&body)?;
            self.conversation.requests += 1;
            let body = match (self.means.send)(&body) {
                Ok(body) => body,
                Err(Failure::Refused(complaint)) if self.gives_way(&complaint) => continue,
                Err(Failure::Refused(complaint)) if is_overfull(&complaint) => {
                    return Err(vec![refuse_overfull(&complaint.message)]);
                }
                Err(failure) => return Err(vec![failure.diagnostic()]),
            };
            let answered = dialect.answer(&body).map_err(|why| {
                let failure = Diagnostic::new(
                    Code::ProviderFailed,
                    format!("the answer cannot be read: {why}"),
                );
                vec![match dialect {
                    Dialect::Anthropic => failure.note(
                        "of a server of your own say `--provider openai`, which is what most speak",
                    ),
                    Dialect::OpenAi => failure,
                }]
            })?;
            self.conversation.tokens.add(answered.tokens);
            if !answered.model.is_empty() {
                self.conversation.model = shown(&answered.model);
            }
            return Ok(answered);
        }
    }

    /// Gives up the parameter that the provider refuses, and says whether there was one.
    fn gives_way(&mut self, complaint: &ProviderComplaint) -> bool {
        let is_about_a_parameter = matches!(complaint.status, 400 | 404 | 422);
        let gives_way = is_about_a_parameter
            && self
                .dials
                .give_up(complaint.parameter.as_deref(), &complaint.message);
        self.conversation.dropped.clone_from(&self.dials.dropped);
        gives_way
    }

    fn check_budget(&self, body: &Value) -> Result<(), Vec<Diagnostic>> {
        let terms = self.topic.terms;
        let spent = terms.dialect.spent(self.conversation.tokens);
        let next = body.to_string().len() as u64 / 4;
        if spent + next <= terms.tokens {
            return Ok(());
        }
        let message = format!(
            "{spent} tokens are spent, and the next request has about {next}; the limit is {}",
            terms.tokens
        );
        let note = "--max-tokens-total allows more; fewer or shorter paths cost less";
        Err(vec![Diagnostic::new(Code::ModelLimit, message).note(note)])
    }

    fn no_edit(&self) -> Vec<Diagnostic> {
        let rounds = self.conversation.rounds;
        let rounds = if rounds == 1 {
            "1 round".to_owned()
        } else {
            format!("{rounds} rounds")
        };
        let message = format!(
            "{} made no edit that passes in {rounds}",
            self.conversation.model
        );
        let mut error = Diagnostic::new(Code::ModelNoEdit, message);
        for failure in unique_ids(&self.failures) {
            error = error.note(format!("{}: {}", failure.code.as_str(), failure.message));
        }
        if self.topic.terms.whole_file == WholeFile::AsLastResort
            && let Err(why) = self.file_to_write()
        {
            error = error.note(format!("no file was written anew: {}", why.message));
        }
        vec![error]
    }

    fn some_failed(&self) -> Vec<Diagnostic> {
        let message = format!(
            "some calls of {} failed, so that nothing is published",
            self.conversation.model
        );
        let mut error = Diagnostic::new(Code::ModelNoEdit, message);
        for failure in unique_ids(&self.failures) {
            error = error.note(format!("{}: {}", failure.code.as_str(), failure.message));
        }
        vec![error.note("--mode interactive publishes what passed")]
    }
}

/// Says whether what the gate found is for the model to mend: findings of validators, and nothing that the repository is in the
/// way with.
fn is_for_the_model(gated: &Outcome) -> bool {
    gated.status == Status::Rejected
        && gated
            .errors
            .iter()
            .all(|error| error.code == Code::ValidatorFailed)
}

/// Puts what the validators found into the results of the calls.
fn tell_findings(gated: &Outcome, handled: &mut [Handled]) {
    let Some(last) = handled.last_mut() else {
        return;
    };
    let mut text =
        "applied, but the repository's own checks refuse the batch as it is. The edits are kept; make further \
                    calls that mend this:\n"
            .to_owned();
    for error in &gated.errors {
        text.push_str(&format!("{}: {}\n", error.code.as_str(), error.message));
    }
    for verdict in &gated.validators {
        text.push_str(&verdict_lines(verdict, "", false));
    }
    last.result.text = text;
    last.result.is_error = true;
}

fn unique_ids(failures: &[Diagnostic]) -> Vec<&Diagnostic> {
    const MOST: usize = 5;
    let mut distinct: Vec<&Diagnostic> = Vec::new();
    for failure in failures {
        if !distinct
            .iter()
            .any(|other| other.message == failure.message)
        {
            distinct.push(failure);
        }
    }
    distinct.truncate(MOST);
    distinct
}

fn key(call: &ToolCall) -> String {
    format!("{} {:?}", call.name, call.arguments)
}

fn words_of(answered: &Answered) -> String {
    match answered.text.trim() {
        "" => "it said nothing".to_owned(),
        text => format!("it said: {}", shown(text)),
    }
}

fn refuse_overfull(words: &str) -> Diagnostic {
    Diagnostic::new(Code::ModelLimit, shown(words))
        .note("leave some of the paths out, or name smaller files")
}

/// Says whether a request was refused because it is longer than the model can read.
fn is_overfull(complaint: &ProviderComplaint) -> bool {
    const WORDS: [&str; 5] = [
        "prompt is too long",
        "context_length",
        "context length",
        "context window",
        "maximum context",
    ];
    let message = complaint.message.to_ascii_lowercase();
    matches!(complaint.status, 400 | 413) && WORDS.iter().any(|word| message.contains(word))
}
