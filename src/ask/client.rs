//! `Client`: sends requests to one address and tries again where that helps. Home of ureq.
//!
//! Invariant: the key goes to that address and nowhere else. No redirect is followed, it is taken out of everything that comes
//! back, and over a connection that anybody can read it is not sent at all.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use ureq::http::Uri;
use ureq::{Agent, Proxy};

use super::dialect::Dialect;
use crate::diagnostic::{Code, Diagnostic, shown};

/// Most times that a request is sent again.
const MOST_RETRIES: u32 = 4;

/// Longest wait that a server may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// How long to be connected may take.
const CONNECTING: Duration = Duration::from_secs(15);

/// No provider gives out a shorter key.
const SHORTEST_KEY: usize = 16;

/// Most bytes of an answer.
const MOST_BYTES: u64 = 32 << 20;

/// A provider, and the way to it.
pub(crate) struct ModelClient {
    agent: Agent,
    dialect: Dialect,
    url: String,
    host: String,
    key: Option<String>,
    deadline: Instant,
    seconds: u64,
    pause: fn(Duration),
}

/// A refusal in the provider's own words, which the conversation may know what to do about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProviderComplaint {
    /// The status of the response.
    pub status: u16,
    /// The parameter that it names.
    pub parameter: Option<String>,
    /// What it says.
    pub message: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The provider refused the request.
    Refused(ProviderComplaint),
    /// There is nothing to be done about it here.
    Broken(Box<Diagnostic>),
}

/// What one attempt came to.
enum Attempt {
    Answered(Value),
    Failed(Failure),
    /// It may be another thing a little later; the server may have said when.
    Again {
        wait: Option<Duration>,
        failure: Failure,
    },
}

impl ModelClient {
    /// Returns the way to the provider at `base`, to be used for so many `seconds` from now. `pause` is how time passes between
    /// attempts.
    pub(crate) fn new(
        dialect: Dialect,
        base: &str,
        key: Option<String>,
        seconds: u64,
        pause: fn(Duration),
    ) -> Result<ModelClient, Diagnostic> {
        let refuse = |why: &str| {
            let message = format!("the base URL `{}` {why}", shown(base));
            Err(Diagnostic::new(Code::Malformed, message)
                .note("it looks like `https://api.example.org/v1`"))
        };
        let Ok(uri) = base.parse::<Uri>() else {
            return refuse("is none");
        };
        let (Some(scheme), Some(host)) = (uri.scheme_str(), uri.host()) else {
            return refuse("has no host");
        };
        if !matches!(scheme, "http" | "https") {
            return refuse("is neither http nor https");
        }
        if uri
            .authority()
            .is_some_and(|authority| authority.as_str().contains('@'))
        {
            return refuse("holds a name or a password, which would be seen in reports");
        }
        let is_private = scheme == "https" || is_loopback(host);
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            // What is asked of this machine leaves it by no proxy.
            .proxy(if is_loopback(host) {
                None
            } else {
                Proxy::try_from_env()
            })
            .timeout_connect(Some(CONNECTING))
            .user_agent(concat!("git-segedit/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(ModelClient {
            agent: config.new_agent(),
            dialect,
            url: dialect.url(base),
            host: host.to_owned(),
            key: key.filter(|_| is_private),
            deadline: Instant::now() + Duration::from_secs(seconds),
            seconds,
            pause,
        })
    }

    /// Returns the host that is asked.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Sends a request and returns the answer to it; `progress` gets a line before each wait.
    pub(crate) fn send(&self, body: &Value, progress: &dyn Fn(&str)) -> Result<Value, Failure> {
        let body = body.to_string();
        for attempt in 0.. {
            let remaining = self.deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return Err(self.out_of_time());
            }
            let (wait, failure) = match self.once(&body, remaining) {
                Attempt::Answered(answer) => return Ok(answer),
                Attempt::Failed(failure) => return Err(failure),
                Attempt::Again { wait, failure } => (wait, failure),
            };
            if attempt == MOST_RETRIES {
                return Err(failure);
            }
            let wait = wait.unwrap_or_else(|| jitter(attempt));
            if wait > LONGEST_WAIT || wait > self.deadline.saturating_duration_since(Instant::now())
            {
                return Err(failure.noting(&format!(
                    "the next attempt would be in {} seconds",
                    wait.as_secs()
                )));
            }
            progress(&format!(
                "{}; trying again in {} s",
                failure.words(),
                wait.as_secs()
            ));
            (self.pause)(wait);
        }
        Err(self.out_of_time())
    }

    fn once(&self, body: &str, remaining: Duration) -> Attempt {
        let mut request = self.agent.post(&self.url);
        for (name, value) in self.dialect.headers(self.key.as_deref()) {
            request = request.header(name, value);
        }
        let sent = request
            .config()
            .timeout_global(Some(remaining))
            .build()
            .send(body);
        let mut response = match sent {
            Ok(response) => response,
            Err(error) => return self.unanswered(&error),
        };
        let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
        let (retry_after, should_retry) = (header("retry-after"), header("x-should-retry"));
        let (kind, location) = (header("content-type"), header("location"));
        let status = response.status().as_u16();
        let read = response
            .body_mut()
            .with_config()
            .limit(MOST_BYTES)
            .read_to_vec();
        let text = match read {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => return self.unanswered(&error),
        };
        match status {
            200..300 => self.read(&self.without_real_key(text), kind.as_deref()),
            300..400 => {
                let place = self.without_key(&location.unwrap_or_default());
                let message = format!("{} sends requests on to `{}`", self.host, shown(&place));
                let note = "a key follows no redirect: name the other address by --base-url, if it is to be trusted";
                Attempt::Failed(broken_answer(
                    Diagnostic::new(Code::ProviderFailed, message).note(note),
                ))
            }
            _ => {
                let complaint = complaint(status, &self.without_key(&text));
                let is_final = should_retry.as_deref() == Some("false") || is_about_money(&text);
                let may_pass = matches!(status, 408 | 409 | 429 | 500..600) && !is_final;
                let failure = Failure::Refused(complaint);
                match may_pass {
                    true => Attempt::Again {
                        wait: retry_after.as_deref().and_then(seconds),
                        failure,
                    },
                    false => Attempt::Failed(failure),
                }
            }
        }
    }

    fn read(&self, text: &str, kind: Option<&str>) -> Attempt {
        match serde_json::from_str::<Value>(text) {
            Ok(answer @ Value::Object(_)) => Attempt::Answered(answer),
            Err(error) if error.is_eof() && text.trim_start().starts_with('{') => {
                let failure = broken_answer(self.trouble("ended in the middle of its answer"));
                Attempt::Again {
                    wait: None,
                    failure,
                }
            }
            Ok(_) | Err(_) => {
                let kind = kind.map_or(String::new(), |kind| {
                    format!(" ({})", shown(&self.without_key(kind)))
                });
                let trouble = self.trouble(&format!(
                    "answered with something else than a JSON object{kind}"
                ));
                let words = self.without_key(text.trim().lines().next().unwrap_or_default());
                let words = if words.is_empty() {
                    "nothing at all".to_owned()
                } else {
                    format!("`{}`", shown(&words))
                };
                let trouble =
                    trouble.note(format!("it begins with {words}; is the base URL right?"));
                Attempt::Failed(broken_answer(trouble))
            }
        }
    }

    /// Says what an error of the connection means.
    fn unanswered(&self, error: &ureq::Error) -> Attempt {
        match error {
            ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {}
            ureq::Error::Timeout(_) => return Attempt::Failed(self.out_of_time()),
            ureq::Error::BodyExceedsLimit(most) => {
                let trouble = self.trouble(&format!("answered with more than {most} bytes"));
                return Attempt::Failed(broken_answer(trouble));
            }
            _ => {}
        }
        let words = self.without_key(&error.to_string());
        let failure =
            broken_answer(self.trouble(&format!("could not be asked: {}", shown(&words))));
        Attempt::Again {
            wait: None,
            failure,
        }
    }

    fn trouble(&self, what: &str) -> Diagnostic {
        Diagnostic::new(Code::ProviderFailed, format!("{} {what}", self.host))
    }

    fn out_of_time(&self) -> Failure {
        let message = format!(
            "{} did not answer within the {} seconds that there are",
            self.host, self.seconds
        );
        broken_answer(
            Diagnostic::new(Code::ModelLimit, message).note("--max-seconds gives it more"),
        )
    }

    /// Takes the key out of an answer. What somebody gives a server that wants no key, such as `none`, is a word that code holds.
    fn without_real_key(&self, text: String) -> String {
        match self.key.as_deref() {
            Some(key) if key.len() >= SHORTEST_KEY => without_key(key, &text),
            Some(_) | None => text,
        }
    }

    fn without_key(&self, text: &str) -> String {
        match self.key.as_deref() {
            Some(key) => without_key(key, text),
            None => text.to_owned(),
        }
    }
}

/// Returns a text without the key, also where the text is JSON and has the key in an escaped form, which its reader would undo;
/// and where a text in that JSON is JSON in turn, as arguments of calls are.
fn without_key(key: &str, text: &str) -> String {
    let plain = text.replace(key, "[key]");
    // Nothing is escaped without it.
    if !plain.contains('\\') {
        return plain;
    }
    let Ok(value) = serde_json::from_str::<Value>(&plain) else {
        return plain;
    };
    match taken_out(key, &value) {
        Some(value) => value.to_string(),
        None => plain,
    }
}

/// Returns a value without the key in any of its texts and names, or nothing where the key is in none.
fn taken_out(key: &str, value: &Value) -> Option<Value> {
    let of_text = |text: &str| Some(without_key(key, text)).filter(|clean| clean != text);
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
        Value::String(text) => of_text(text).map(Value::String),
        Value::Array(items) => {
            let clean: Vec<Option<Value>> = items.iter().map(|item| taken_out(key, item)).collect();
            let is_clean = clean.iter().all(Option::is_none);
            let all = clean
                .into_iter()
                .zip(items)
                .map(|(clean, item)| clean.unwrap_or_else(|| item.clone()));
            (!is_clean).then(|| all.collect())
        }
        Value::Object(fields) => {
            let clean: Vec<_> = fields
                .iter()
                .map(|(name, value)| (of_text(name), taken_out(key, value)))
                .collect();
            let is_clean = clean
                .iter()
                .all(|(name, value)| name.is_none() && value.is_none());
            let all = clean
                .into_iter()
                .zip(fields)
                .map(|((clean_name, clean), (name, value))| {
                    (
                        clean_name.unwrap_or_else(|| name.clone()),
                        clean.unwrap_or_else(|| value.clone()),
                    )
                });
            (!is_clean).then(|| Value::Object(all.collect()))
        }
    }
}

impl Failure {
    /// Returns it as a refusal of the whole request.
    pub(crate) fn diagnostic(self) -> Diagnostic {
        match self {
            Failure::Broken(diagnostic) => *diagnostic,
            Failure::Refused(ProviderComplaint {
                status, message, ..
            }) => {
                let said = if message.is_empty() {
                    String::new()
                } else {
                    format!(": {}", shown(&message))
                };
                let diagnostic = Diagnostic::new(
                    Code::ProviderFailed,
                    format!("the provider answered {status}{said}"),
                );
                match status {
                    401 | 403 => diagnostic.note("is the key right, and may it use this model?"),
                    404 => diagnostic.note("are the base URL and the model right?"),
                    _ => diagnostic,
                }
            }
        }
    }

    fn words(&self) -> String {
        match self {
            Failure::Broken(diagnostic) => diagnostic.message.clone(),
            Failure::Refused(complaint) => format!("the provider answered {}", complaint.status),
        }
    }

    fn noting(self, note: &str) -> Failure {
        broken_answer(self.diagnostic().note(note))
    }
}

fn broken_answer(diagnostic: Diagnostic) -> Failure {
    Failure::Broken(Box::new(diagnostic))
}

/// Reads what a provider says of a request that it refuses. Servers that speak its dialect word it in ways of their own.
fn complaint(status: u16, text: &str) -> ProviderComplaint {
    let body: Value = serde_json::from_str(text).unwrap_or_default();
    let at = |pointer: &str| {
        body.pointer(pointer)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    let places = ["/error/message", "/message", "/error", "/detail"];
    let message = places.iter().find_map(|place| at(place)).map(str::to_owned);
    let first = || text.trim().lines().next().unwrap_or_default().to_owned();
    ProviderComplaint {
        status,
        parameter: at("/error/param").or(at("/param")).map(str::to_owned),
        message: message.unwrap_or_else(first),
    }
}

/// Says whether a refusal is one that no waiting mends, because the account is not to spend more.
fn is_about_money(text: &str) -> bool {
    const WORDS: [&str; 6] = [
        "spend_limit",
        "spending limit",
        "spend limit",
        "insufficient_quota",
        "billing",
        "credit balance is too low",
    ];
    let text = text.to_ascii_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// Returns how long a server asks to wait. A date is not read: then it is as if it had said nothing.
fn seconds(header: &str) -> Option<Duration> {
    let seconds: f64 = header.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Returns 1, 2, 4, 8 seconds and up to a quarter more, so that those who were refused together do not come back together.
fn jitter(attempt: u32) -> Duration {
    let base = Duration::from_secs(1 << attempt.min(3));
    let nanos = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.subsec_nanos());
    base + base.mul_f64(f64::from(nanos % 1000) / 4000.0)
}

/// Says whether a host is this machine.
fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_read_in_whatever_form_they_come() {
        let check = |text: &str, parameter: Option<&str>, message: &str| {
            let found = complaint(400, text);
            assert_eq!(
                (found.parameter.as_deref(), found.message.as_str()),
                (parameter, message),
                "{text}"
            );
        };
        check(
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"no"}}"#,
            None,
            "no",
        );
        check(
            r#"{"error":{"message":"no","param":"temperature"}}"#,
            Some("temperature"),
            "no",
        );
        check(r#"{"error":"no"}"#, None, "no");
        check(r#"{"detail":"no"}"#, None, "no");
        check("<html>\nno", None, "<html>");
        check("", None, "");
    }

    #[test]
    fn a_key_goes_over_no_open_line() {
        let client = |base: &str| {
            ModelClient::new(Dialect::OpenAi, base, Some("secret".to_owned()), 1, |_| {})
        };
        let keeps = |base: &str| {
            client(base)
                .map(|client| client.key.is_some())
                .map_err(|error| error.code)
        };
        assert_eq!(keeps("https://example.org/v1"), Ok(true));
        assert_eq!(keeps("http://127.0.0.1:80"), Ok(true));
        assert_eq!(keeps("http://[::1]:80"), Ok(true));
        assert_eq!(keeps("http://localhost"), Ok(true));
        assert_eq!(keeps("http://localhost.example.org"), Ok(false));
        assert_eq!(keeps("http://192.168.1.5:11434"), Ok(false));
        for base in [
            "",
            "example.org",
            "ftp://example.org",
            "file:///etc/passwd",
            "https://me:pw@example.org",
        ] {
            assert_eq!(keeps(base), Err(Code::Malformed), "{base}");
        }
    }

    #[test]
    fn a_key_is_found_however_it_is_escaped() {
        const KEY: &str = "sk-a/b\"c";
        let check = |text: &str, clean: &str| assert_eq!(without_key(KEY, text), clean, "{text}");
        check("bad sk-a/b\"c!", "bad [key]!");
        check(
            r#"{"a": "\u0073k-a\/b\"c", "n": 1.50}"#,
            r#"{"a":"[key]","n":1.5}"#,
        );
        check(
            r#"{"a": ["x", {"sk-\u0061/b\"c": 1}]}"#,
            r#"{"a":["x",{"[key]":1}]}"#,
        );
        let arguments = r#"{"path": "\u0073k-a/b\"c"}"#;
        let twice = serde_json::json!({"arguments": arguments, "again": serde_json::json!(arguments).to_string()});
        let clean = without_key(KEY, &twice.to_string());
        assert!(
            clean.matches("[key]").count() == 2 && !clean.contains("u0073"),
            "{clean}"
        );
        // What has no key stays as it was written.
        for text in [r#"{ "a" : "\u0073k-", "n": 1.50 }"#, "\\", "{\"a\\", "none"] {
            check(text, text);
        }
    }

    #[test]
    fn waiting_helps_against_haste_and_not_against_poverty() {
        assert!(is_about_money(
            r#"{"error":{"type":"enforced_spend_limit_reached"}}"#
        ));
        assert!(is_about_money(r#"{"error":{"code":"insufficient_quota"}}"#));
        assert!(!is_about_money(r#"{"error":{"type":"rate_limit_error"}}"#));
        assert_eq!(seconds("0"), Some(Duration::ZERO));
        assert_eq!(seconds("1.5"), Some(Duration::from_millis(1500)));
        assert_eq!(seconds("Wed, 21 Oct 2026 07:28:00 GMT"), None);
        assert_eq!(seconds("-1"), None);
    }
}
