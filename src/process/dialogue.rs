//! `Dialogue`: a program that is talked with on its standard input and output, and its end.
//!
//! Neither side can keep the other waiting: what we send is written by a thread of its own, and what the program writes is read by
//! another, never further ahead than a few pieces.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::capture::{self, CapturedOutput, Stream};
use super::job::{Job, RunEnd};
use super::process_tree::ProcessTree;
use super::runner::{TICK, end_of};
use super::signals::{self, SignalHold};
use super::start::{self, StartedJob, runner_error};
use crate::diagnostic::{Code, Diagnostic};

/// So many bytes are read at a time, and so many pieces of them ahead of who asks for them.
const PIECE: usize = 64 << 10;
const MOST_PIECES: usize = 16;
/// How long a program has to end by itself that has closed its output.
const PARTING: Duration = Duration::from_secs(1);

/// A program that runs and is talked with. It is ended with all it started when this is dropped.
pub(crate) struct Dialogue {
    child: Child,
    tree: ProcessTree,
    outgoing: Sender<Vec<u8>>,
    incoming: Receiver<Vec<u8>>,
    stderr: Stream,
    deadline: Instant,
    /// How it ended, once its tree is ended too: its number may be somebody else's then.
    end: Option<RunEnd>,
    _hold: SignalHold,
}

/// What came of waiting for the program to write something.
pub(crate) enum Received {
    /// Some bytes of its output.
    Bytes(Vec<u8>),
    /// It wrote nothing for as long as it was waited for.
    Nothing,
    /// It writes no more: it has ended, its time is up, or somebody asked us to go.
    End(RunEnd),
}

impl Dialogue {
    /// Starts the program of `job`, whose time begins now; its input is what is sent. Or returns how it ended before it began.
    pub(crate) fn begin(job: &Job) -> Result<Result<Dialogue, RunEnd>, Diagnostic> {
        let hold = signals::hold()?;
        if signals::caught().is_some() {
            return Ok(Err(RunEnd::Interrupted));
        }
        let (mut child, tree, since) = match start::start(job, Stdio::piped())? {
            StartedJob::Running { child, tree, since } => (child, tree, since),
            StartedJob::Missing(why) => return Ok(Err(RunEnd::Missing(why))),
        };
        let (outgoing, to_write) = mpsc::channel();
        let (reading, incoming) = mpsc::sync_channel(MOST_PIECES);
        let no_pipe = || io::Error::other("it has no such stream");
        let connect = || {
            let stderr = child.stderr.take().ok_or_else(no_pipe)?;
            let stderr = Stream::read(stderr, capture::COMPLAINTS, || ())?;
            let stdin = child.stdin.take().ok_or_else(no_pipe)?;
            thread::Builder::new().spawn(move || write_all(stdin, &to_write))?;
            let stdout = child.stdout.take().ok_or_else(no_pipe)?;
            thread::Builder::new().spawn(move || read_all(stdout, &reading))?;
            Ok(stderr)
        };
        let connected = connect().map_err(runner_error(job, "talk with"));
        let stderr = match connected {
            Ok(stderr) => stderr,
            Err(error) => {
                tree.end();
                let _ = child.try_wait();
                return Err(error);
            }
        };
        Ok(Ok(Dialogue {
            child,
            tree,
            outgoing,
            incoming,
            stderr,
            deadline: since + job.timeout,
            end: None,
            _hold: hold,
        }))
    }

    /// Sends `bytes` to the program. Whether it reads them shows in its answers.
    pub(crate) fn send(&self, bytes: Vec<u8>) {
        let _ = self.outgoing.send(bytes);
    }

    /// Waits for more of what the program writes, at most for `patience`.
    pub(crate) fn receive(&mut self, patience: Duration) -> Result<Received, Diagnostic> {
        let began = Instant::now();
        loop {
            if signals::caught().is_some() {
                return Ok(Received::End(RunEnd::Interrupted));
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Received::End(RunEnd::TimedOut));
            }
            let wait = patience.saturating_sub(began.elapsed()).min(left).min(TICK);
            match self.incoming.recv_timeout(wait) {
                Ok(bytes) => return Ok(Received::Bytes(bytes)),
                Err(RecvTimeoutError::Timeout) if began.elapsed() >= patience => {
                    return Ok(Received::Nothing);
                }
                // Something that it started may hold its output open.
                Err(RecvTimeoutError::Timeout) if !self.runs() => {
                    return match self.incoming.recv_timeout(PARTING) {
                        Ok(bytes) => Ok(Received::Bytes(bytes)),
                        Err(_) => self.parting().map(Received::End),
                    };
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.parting().map(Received::End),
            }
        }
    }

    /// Returns what it wrote on standard error so far.
    pub(crate) fn complaints(&self) -> CapturedOutput {
        self.stderr.take()
    }

    /// Returns how a program ended that has closed its output; one that has not is made to.
    fn parting(&mut self) -> Result<RunEnd, Diagnostic> {
        if let Some(end) = &self.end {
            return Ok(end.clone());
        }
        let began = Instant::now();
        while self.runs() && began.elapsed() < PARTING {
            thread::sleep(Duration::from_millis(5));
        }
        self.tree.end();
        let end = end_of(self.child.try_wait()).map_err(|error| {
            let message = format!("could not learn the end of a program: {error}");
            Diagnostic::new(Code::Io, message)
        })?;
        // Its last words may be on their way still.
        let began = Instant::now();
        while !self.stderr.has_ended() && began.elapsed() < PARTING {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(self.end.insert(end).clone())
    }

    /// Says whether its first process has not ended yet; it is left to be reaped.
    fn runs(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let ended = waitid(WaitId::Pid(Pid::from_child(&self.child)), options);
        matches!(ended, Ok(None) | Err(Errno::INTR))
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        if self.end.is_none() {
            self.tree.end();
            let _ = self.child.try_wait();
        }
    }
}

fn write_all(mut stdin: ChildStdin, to_write: &Receiver<Vec<u8>>) {
    while let Ok(bytes) = to_write.recv() {
        if stdin
            .write_all(&bytes)
            .and_then(|()| stdin.flush())
            .is_err()
        {
            return;
        }
    }
}

fn read_all(mut stdout: ChildStdout, reading: &SyncSender<Vec<u8>>) {
    let mut piece = vec![0; PIECE];
    loop {
        match stdout.read(&mut piece) {
            Ok(0) => return,
            Ok(count) => {
                if reading.send(piece[..count].to_vec()).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
