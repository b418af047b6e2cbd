//! `Runner`: runs other people's programs, side by side and never through a shell, so that they can do no more than was
//! asked for: no token of the environment reaches them, nothing they start outlives them, they cannot fill our memory,
//! wait for us or keep us waiting.
//!
//! Each job has a few threads of its own: one for each stream, which may stay behind when somebody we cannot end keeps a
//! pipe open, and one that waits for the first process. What they notice wakes `run` at once; only signals and the time
//! are looked for now and then.
//!
//! Deliberately not here: what a program's answer means (`verdict`), and whether it may run at all.

mod board;
mod environment;
mod family;
mod kin;
mod program;
mod stream;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use self::board::Board;
use self::family::Family;
use self::stream::Stream;
use super::interrupt;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git;

/// How often a running job looks for signals and tells how long it has run.
const TICK: Duration = Duration::from_millis(50);
/// How long to wait for the end of the streams once everybody who could write is ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// One run of a program.
pub struct Job {
    /// What progress calls it.
    pub name: String,
    /// The program and its arguments. A program with a slash in it is a path from `folder`; any other is looked for.
    pub command: Vec<OsString>,
    /// Absolute folders looked into before those of PATH, by us and by what the program starts.
    pub programs: Vec<PathBuf>,
    /// Folders that are passed over wherever PATH names them.
    pub avoided: Vec<PathBuf>,
    /// Where it runs.
    pub folder: PathBuf,
    /// Variables added to the small environment that it gets; they win over ours.
    pub env: Vec<(OsString, OsString)>,
    /// What it reads on standard input, which then ends.
    pub input: Vec<u8>,
    /// How long it may take.
    pub timeout: Duration,
}

impl Job {
    /// Returns the program that would be started, or says in a sentence why there is none.
    pub fn program(&self) -> Result<PathBuf, String> {
        let (_, folders) = environment::of(
            git::surroundings(),
            &self.env,
            &self.programs,
            &self.avoided,
        );
        let found = program::find(&self.command, &self.folder, &folders).map(|(path, _)| path);
        found.map_err(|why| self.explained(why))
    }
}

impl Job {
    /// Returns why there is no program, with what was passed over.
    fn explained(&self, why: String) -> String {
        match self.avoided.first() {
            Some(first) => format!(
                "{why}; not taken from {}: the repository holds files of it",
                first.display()
            ),
            None => why,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal, which we did not send.
    Signalled(i32),
    /// By us: it took too long.
    TimedOut,
    /// It never began: the program is not there, or nothing that can be run. Says so in a sentence, not escaped.
    Missing(String),
    /// By us, or not begun at all: somebody asked this process to go (`interrupt::caught`).
    Interrupted,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// What it wrote on standard output: the first 16 MiB.
    pub stdout: Captured,
    /// What it wrote on standard error: the first and last 128 KiB, with a line between that says what was left out.
    pub stderr: Captured,
    /// How long its first process ran.
    pub duration: Duration,
}

/// What a program wrote, within bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The bytes, whatever they are.
    pub bytes: Vec<u8>,
    /// Something was left out, or may have been.
    pub cut: bool,
}

/// Runs jobs. Shared by reference between threads.
pub struct Runner<'p> {
    board: Board<'p>,
}

impl<'p> Runner<'p> {
    /// Returns one that tells `progress` about every 100 ms, while something runs, what does: "running ruff 1.2 s,
    /// mypy 3.4 s". It may be told from any thread.
    pub fn new(progress: &'p (dyn Fn(&str) + Send + Sync)) -> Runner<'p> {
        Runner {
            board: Board::new(progress),
        }
    }

    /// Runs one job to its end. Fails only when it is us who cannot: no pipe, no thread, no such folder.
    pub fn run(&self, job: &Job) -> Result<Ran, Diagnostic> {
        let hold = interrupt::hold()?;
        let mut ran = match interrupt::caught() {
            Some(_) => Ran::nothing(End::Interrupted),
            None => self.begin(job)?,
        };
        drop(hold);
        // Somebody who asks us to go just as the program ends still wants nothing to come of it.
        if interrupt::caught().is_some() {
            ran.end = End::Interrupted;
        }
        Ok(ran)
    }

    /// Runs `jobs` side by side, at most as many at a time as there are cores, and returns what they came to in the same order.
    pub fn run_all(&self, jobs: &[Job]) -> Result<Vec<Ran>, Diagnostic> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(index) else { return };
                let ran = self.run(job);
                done.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push((index, ran));
            }
        };
        thread::scope(|scope| {
            for _ in 1..cores.min(jobs.len()) {
                // One thread fewer makes it slower, not wrong.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, ran)| ran).collect()
    }

    /// Finds the program, starts it and sees it through.
    fn begin(&self, job: &Job) -> Result<Ran, Diagnostic> {
        program::can_stand_in(&job.folder).map_err(failure(job, "enter the folder of"))?;
        let (environment, folders) =
            environment::of(git::surroundings(), &job.env, &job.programs, &job.avoided);
        let (path, arguments) = match program::find(&job.command, &job.folder, &folders) {
            Ok(found) => found,
            Err(why) => return Ok(Ran::nothing(End::Missing(job.explained(why)))),
        };
        let mut command = Command::new(&path);
        command
            .args(arguments)
            .current_dir(&job.folder)
            .env_clear()
            .envs(environment)
            .process_group(0);
        command.stdin(if job.input.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut family = Family::found();
        command.env(family::MARK, family.mark());
        let started = Instant::now();
        match spawn(&mut command, &mut family) {
            Ok(child) => self.see_through(job, child, family, started),
            Err(error) => match program::complaint(&path, &error) {
                Some(why) => Ok(Ran::nothing(End::Missing(why))),
                None => Err(failure(job, "run")(error)),
            },
        }
    }

    /// Waits for the end of a started program, or brings it about, and collects what it wrote.
    fn see_through(
        &self,
        job: &Job,
        mut child: Child,
        family: Family,
        started: Instant,
    ) -> Result<Ran, Diagnostic> {
        let (sender, events) = mpsc::channel();
        let listening = listen(job, &mut child, &sender).map_err(failure(job, "listen to"));
        let cause = listening
            .as_ref()
            .ok()
            .map(|_| self.attend(job, &events, started));
        let duration = started.elapsed();
        family.end();
        let status = child.try_wait();
        drop(family);
        let streams = listening?;
        let end = match cause {
            Some(Cause::TimedOut) => End::TimedOut,
            Some(Cause::Interrupted) => End::Interrupted,
            Some(Cause::Exited) | None => {
                ended(status).map_err(failure(job, "learn the end of"))?
            }
        };
        streams.wait(&events);
        Ok(Ran {
            end,
            stdout: streams.stdout.take(),
            stderr: streams.stderr.take(),
            duration,
        })
    }

    /// Waits until the program has ended or has to be.
    fn attend(&self, job: &Job, events: &Receiver<Event>, started: Instant) -> Cause {
        let _entry = self.board.enter(&job.name);
        loop {
            self.board.tell();
            if interrupt::caught().is_some() {
                return Cause::Interrupted;
            }
            let left = job.timeout.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Cause::TimedOut;
            }
            if let Ok(Event::Exited) = events.recv_timeout(left.min(TICK)) {
                return Cause::Exited;
            }
        }
    }
}

/// Why a run ended.
enum Cause {
    Exited,
    TimedOut,
    Interrupted,
}

/// What the threads of a job notice.
enum Event {
    /// The first process is through; it waits to be reaped.
    Exited,
    /// A stream has ended, so far as we can read it.
    Closed,
}

/// A job's streams.
struct Streams {
    stdout: Stream,
    stderr: Stream,
}

impl Ran {
    fn nothing(end: End) -> Ran {
        Ran {
            end,
            stdout: Captured::default(),
            stderr: Captured::default(),
            duration: Duration::ZERO,
        }
    }
}

impl Streams {
    /// Waits until both have ended, within reason.
    fn wait(&self, events: &Receiver<Event>) {
        let began = Instant::now();
        while !(self.stdout.has_ended() && self.stderr.has_ended()) {
            let left = LAST_WORDS.saturating_sub(began.elapsed());
            if left.is_zero() || events.recv_timeout(left).is_err() {
                return;
            }
        }
    }
}

/// Starts the threads of a job.
fn listen(job: &Job, child: &mut Child, sender: &Sender<Event>) -> io::Result<Streams> {
    let closed = || {
        let sender = sender.clone();
        move || drop(sender.send(Event::Closed))
    };
    let no_pipe = || io::Error::other("it has no such stream");
    let stdout = Stream::read(
        child.stdout.take().ok_or_else(no_pipe)?,
        stream::OUTPUT,
        closed(),
    )?;
    let stderr = Stream::read(
        child.stderr.take().ok_or_else(no_pipe)?,
        stream::COMPLAINTS,
        closed(),
    )?;
    if let Some(pipe) = child.stdin.take() {
        stream::feed(pipe, job.input.clone())?;
    }
    let (sender, pid) = (sender.clone(), Pid::from_child(child));
    thread::Builder::new().spawn(move || {
        // Not reaped: its number is the group's, and nobody else may get it before the group has ended.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(pid), options).is_err_and(|error| error == Errno::INTR) {}
        drop(sender.send(Event::Exited));
    })?;
    Ok(Streams { stdout, stderr })
}

/// Starts it, again if another thread that was just starting something held the program open for writing.
fn spawn(command: &mut Command, family: &mut Family) -> io::Result<Child> {
    const MOST_WAITS: u32 = 20;
    for _ in 0..MOST_WAITS {
        match family.lead(|| command.spawn()) {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(5))
            }
            spawned => return spawned,
        }
    }
    family.lead(|| command.spawn())
}

fn ended(status: io::Result<Option<ExitStatus>>) -> io::Result<End> {
    let status = status?.ok_or_else(|| io::Error::other("it is said to have ended and has not"))?;
    let code = status
        .code()
        .map(End::Exited)
        .or(status.signal().map(End::Signalled));
    code.ok_or_else(|| io::Error::other(status.to_string()))
}

fn failure(job: &Job, attempt: &str) -> impl Fn(io::Error) -> Diagnostic {
    let attempt = format!("could not {attempt} {}", shown(&job.name));
    move |error| Diagnostic::new(Code::Io, format!("{attempt}: {error}"))
}
