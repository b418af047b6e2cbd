//! Starting a job's program: found, in its folder, with the small environment, at the head of a process tree.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::job::Job;
use super::process_tree::{self, ProcessTree};
use super::{environment, program_lookup};
use crate::diagnostic::{Code, Diagnostic, shown};

/// A job that was to be started.
pub(super) enum StartedJob {
    /// It runs, its standard output and error piped to us.
    Running {
        child: Child,
        tree: ProcessTree,
        since: Instant,
    },
    /// There is no such program, or nothing that can be run. Says so in a sentence, not escaped.
    Missing(String),
}

/// Starts the program of `job`. Fails only when it is us who cannot.
pub(super) fn start(job: &Job, stdin: Stdio) -> Result<StartedJob, Diagnostic> {
    program_lookup::can_run_in(&job.folder).map_err(runner_error(job, "enter the folder of"))?;
    let (environment, folders) = environment::environment_for(
        environment::of_caller(),
        &job.env,
        &job.programs,
        &job.avoided,
    );
    let (path, arguments) = match program_lookup::find_program(&job.command, &job.folder, &folders)
    {
        Ok(found) => found,
        Err(why) => return Ok(StartedJob::Missing(job.explained(why))),
    };
    let mut command = Command::new(&path);
    command
        .args(arguments)
        .current_dir(&job.folder)
        .env_clear()
        .envs(environment)
        .process_group(0)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut tree = ProcessTree::begin();
    command.env(process_tree::MARK, tree.mark());
    let since = Instant::now();
    match spawn_retrying(&mut command, &mut tree) {
        Ok(child) => Ok(StartedJob::Running { child, tree, since }),
        Err(error) => match program_lookup::explain_spawn_error(&path, &error) {
            Some(why) => Ok(StartedJob::Missing(why)),
            None => Err(runner_error(job, "run")(error)),
        },
    }
}

/// Starts it, again if another thread that was just starting something held the program open for writing.
fn spawn_retrying(command: &mut Command, tree: &mut ProcessTree) -> io::Result<Child> {
    const MOST_WAITS: u32 = 20;
    for _ in 0..MOST_WAITS {
        match tree.spawn_root(|| command.spawn()) {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(5))
            }
            spawned => return spawned,
        }
    }
    tree.spawn_root(|| command.spawn())
}

/// Says that we could not do something with `job`.
pub(super) fn runner_error(job: &Job, attempt: &str) -> impl Fn(io::Error) -> Diagnostic + use<> {
    let attempt = format!("could not {attempt} {}", shown(&job.name));
    move |error| Diagnostic::new(Code::Io, format!("{attempt}: {error}"))
}
