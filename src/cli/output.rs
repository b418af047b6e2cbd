//! Writes a reply: results to standard output, then talk to standard error.
//!
//! A reader that goes away (`| head`) is no failure, as with git. A stream that cannot be written to is reported;
//! it turns into a failure only where nothing was published, because a caller who reads "failed" tries again.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use super::{Reply, exit};
use crate::actions::outcome::Status;

/// Writes the reply and returns the process's exit code.
pub(super) fn write(reply: Reply) -> ExitCode {
    let written = put_bytes(&mut io::stdout().lock(), &reply.rendered.stdout);
    let mut talk = reply.rendered.stderr;
    let mut status = reply.status;
    if let Err(error) = written {
        talk.push_str(&format!(
            "error[io]: could not write to standard output: {error}\n"
        ));
        if status == Status::Published {
            talk.push_str("the batch was published all the same\n");
        } else if exit::exit_code(status) == 0 {
            status = Status::Failed;
        }
    }
    // Nobody is left to tell that standard error cannot be written to.
    let _ = put_bytes(&mut io::stderr().lock(), talk.as_bytes());
    ExitCode::from(exit::exit_code(status))
}

fn put_bytes(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    match stream.write_all(bytes).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
