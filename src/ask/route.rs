//! What a request is, decided without a model: something to be made, to be written anew, to be edited, or nothing that this can do.
//! No word of it is taken for what to change: that is the model's to say.

use std::sync::LazyLock;

use regex::Regex;

use crate::diagnostic::{Code, Diagnostic, shown};

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// Make files that there are not.
    Create,
    /// Write a file anew, whatever it holds.
    Rewrite,
    /// Change files and leave the rest of them as it is.
    Edit,
}

/// Words that ask for a beginning.
const ANEW: &[&str] = &[
    "start over",
    "start from scratch",
    "start again from scratch",
    "new document",
    "write it anew",
];

/// Returns what `request` is about files of which any or none `exists`, `is_new` being the user's own word for it.
pub(crate) fn route(request: &str, exists: bool, is_new: bool) -> Result<Route, Diagnostic> {
    if request.trim().is_empty() {
        return Err(Diagnostic::new(Code::Malformed, "the request is empty")
            .note("say in a sentence what to change"));
    }
    if wants_picture(request) {
        let message = format!(
            "`{}` asks for a picture, and a model edits text here",
            shown(request.trim())
        );
        return Err(Diagnostic::new(Code::Unsupported, message));
    }
    let folded = request.to_lowercase();
    let anew = is_new || ANEW.iter().any(|words| folded.contains(words));
    Ok(match (exists, anew) {
        (false, _) => Route::Create,
        (true, true) => Route::Rewrite,
        (true, false) => Route::Edit,
    })
}

/// Says whether a picture is asked for. `add an image gallery` and `fix the picture element` are about text.
fn wants_picture(request: &str) -> bool {
    static PICTURE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^\s*(please\s+|can you\s+|could you\s+)*(generate|create|draw|make|paint|render)\s+(me\s+)?(an?\s+|the\s+|some\s+)?([a-z]+\s+)?(image|picture|photo|photograph|illustration|painting)s?\s*([.!?]?\s*$|of\s|showing\s|that shows\s)",
        )
        .expect("the pattern is a constant that a test compiles")
    });
    PICTURE.is_match(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_apart_by_what_there_is_and_by_a_few_words() {
        let check = |request: &str, exists: bool, is_new: bool, expected: Result<Route, Code>| {
            assert_eq!(
                route(request, exists, is_new).map_err(|error| error.code),
                expected,
                "{request}"
            );
        };
        check("make the timeout 30", true, false, Ok(Route::Edit));
        check("make the timeout 30", true, true, Ok(Route::Rewrite));
        check("write a parser", false, false, Ok(Route::Create));
        check(
            "Start over with a shorter page",
            true,
            false,
            Ok(Route::Rewrite),
        );
        check("", true, false, Err(Code::Malformed));
        check(
            "Draw me a picture of a cat",
            true,
            false,
            Err(Code::Unsupported),
        );
        check(
            "please generate an image.",
            true,
            false,
            Err(Code::Unsupported),
        );
        check(
            "create an image gallery below the header",
            true,
            false,
            Ok(Route::Edit),
        );
        check(
            "make the picture element lazy",
            true,
            false,
            Ok(Route::Edit),
        );
        check(
            "add an image of the logo to the header",
            true,
            false,
            Ok(Route::Edit),
        );
    }
}
