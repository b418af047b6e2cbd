//! `Hold`: while one lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT are noted instead of obeyed, so that what we started can be ended
//! first. And SIGXFSZ, which is outlived from the start. Home of signal-hook.
//!
//! Invariant: a signal that arrives while nobody holds does what it always did, and none is lost between the two: the
//! handler notes before it asks whether anybody holds, and `Hold` lets go before it is asked what was noted. Once a
//! signal is noted there is no way back to the default: a second Ctrl-C may not cut the tidying short, and `main` dies
//! of the first (`die_of`) when all is tidy.
//!
//! A signal that we were told to ignore (`nohup`, `trap '' INT`) stays ignored.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};

use crate::diagnostic::{Code, Diagnostic};

/// The signals by which people and supervisors ask a program to go.
const REQUESTS: [i32; 4] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];

/// The last signal that was noted; 0 for none.
static CAUGHT: AtomicUsize = AtomicUsize::new(0);
/// Whether a signal does what it always did.
static IDLE: AtomicBool = AtomicBool::new(true);
/// How many hold.
static HOLDERS: Mutex<usize> = Mutex::new(0);

/// Signals are noted while this lives. Any number may live at a time.
pub(crate) struct SignalHold(());

/// Notes signals from now on, for as long as the value lives.
pub(crate) fn hold() -> Result<SignalHold, Diagnostic> {
    install_handlers()?;
    *count_holders() += 1;
    IDLE.store(false, Ordering::SeqCst);
    Ok(SignalHold(()))
}

impl Drop for SignalHold {
    fn drop(&mut self) {
        let mut holders = count_holders();
        *holders -= 1;
        if *holders == 0 {
            IDLE.store(true, Ordering::SeqCst);
            if caught().is_some() {
                IDLE.store(false, Ordering::SeqCst);
            }
        }
    }
}

/// Returns the signal that asked us to go while something ran. Then nothing may be published any more.
pub(crate) fn caught() -> Option<i32> {
    let signal = i32::try_from(CAUGHT.load(Ordering::SeqCst)).ok()?;
    (signal != 0).then_some(signal)
}

/// Ends this process as `signal` would have, so that the caller's shell sees what it expects. Returns only for a signal
/// that ends nobody.
pub(crate) fn die_of(signal: i32) {
    let _ = low_level::emulate_default_handler(signal);
}

/// Has a write past the limit of a file's size (`ulimit -f`) fail from now on, as on a full disk, instead of ending this process
/// in the middle of it.
pub(crate) fn outlive_limits() {
    // Where that cannot be had it is as it was.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

fn count_holders() -> MutexGuard<'static, usize> {
    HOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn install_handlers() -> Result<(), Diagnostic> {
    static INSTALLED: OnceLock<Result<(), String>> = OnceLock::new();
    let failure =
        |what: &String| Diagnostic::new(Code::Io, format!("could not watch for signals: {what}"));
    let installed = INSTALLED.get_or_init(|| {
        let ignored = ignored_signals();
        for signal in REQUESTS
            .into_iter()
            .filter(|signal| ignored & (1 << (signal - 1)) == 0)
        {
            // In this order: whoever lets go and then finds nothing noted knows that nothing will be.
            flag::register_usize(signal, &CAUGHT, signal.unsigned_abs() as usize)
                .map_err(|error| error.to_string())?;
            flag::register_conditional_default(signal, &IDLE).map_err(|error| error.to_string())?;
        }
        Ok(())
    });
    installed.as_ref().map_err(failure).copied()
}

/// Returns the mask of the signals that we were started to ignore; none where the system does not tell.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::process::ExitStatusExt as _;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, kill_process};
    use tempfile::TempDir;

    use super::*;
    use crate::git::testing;
    use crate::process::{Job, RunEnd, Runner};

    fn sh(folder: &Path, script: &str) -> Job {
        Job {
            name: "sh".to_owned(),
            command: ["sh", "-c", script].map(Into::into).to_vec(),
            programs: Vec::new(),
            avoided: Vec::new(),
            folder: folder.to_owned(),
            env: Vec::new(),
            input: Vec::new(),
            timeout: Duration::from_secs(60),
        }
    }

    /// Becomes the program of its arguments, with no signal ignored: in the background a shell has INT ignored, `nohup` HUP.
    const HEEDING: &str = "import os, signal, sys\n\
        for each in signal.SIGINT, signal.SIGTERM, signal.SIGHUP: signal.signal(each, signal.SIG_DFL)\n\
        os.execv(sys.argv[1], sys.argv[1:])\n";

    /// Returns the command that runs the test `name` of this module as a process of its own, to be sent signals.
    fn child(name: &str, folder: &Path) -> Command {
        let plain = testing::child(&format!("process::signals::tests::{name}"), folder);
        let mut command = Command::new("python3");
        command
            .args(["-c", HEEDING])
            .arg(plain.get_program())
            .args(plain.get_args())
            .current_dir(folder);
        for (name, value) in plain.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let said = fs::File::create(folder.join("said")).unwrap();
        command.stdout(said.try_clone().unwrap()).stderr(said);
        command
    }

    fn folder() -> TempDir {
        tempfile::Builder::new()
            .prefix("segedit-test-")
            .tempdir()
            .unwrap()
    }

    fn wait_for(file: PathBuf) -> String {
        let began = Instant::now();
        loop {
            match fs::read_to_string(&file) {
                Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
                _ if began.elapsed() < Duration::from_secs(20) => {}
                _ => panic!(
                    "waited in vain for {}\n{}",
                    file.display(),
                    said(file.parent().unwrap())
                ),
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn send(child: &Child, signal: Signal) {
        kill_process(Pid::from_child(child), signal).unwrap();
    }

    fn said(folder: &Path) -> String {
        fs::read_to_string(folder.join("said")).unwrap()
    }

    #[track_caller]
    fn check_died_of(mut child: Child, signal: i32, folder: &Path) {
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(signal), "{status}\n{}", said(folder));
    }

    #[test]
    fn everything_is_ended_before_us() {
        if let Some(folder) = testing::child_folder() {
            let tidy = Runner::new(&|_| {});
            let script = "setsid sh -c 'echo $$ > daemon; exec sleep 300' & wait";
            let all = tidy.run_all(&[
                sh(&folder, script),
                sh(&folder, "sleep 300"),
                sh(&folder, "touch late"),
                sh(&folder, "touch late"),
            ]);
            let ends: Vec<RunEnd> = all.unwrap().into_iter().map(|ran| ran.end).collect();
            assert_eq!(ends, vec![RunEnd::Interrupted; 4]);
            let signal = caught().unwrap();
            // As tidying would: the second Ctrl-C comes now.
            fs::write(folder.join("ended"), "\n").unwrap();
            wait_for(folder.join("again"));
            fs::write(folder.join("tidy"), format!("{signal}\n")).unwrap();
            return die_of(signal);
        }
        for (signal, number) in [
            (Signal::INT, SIGINT),
            (Signal::TERM, SIGTERM),
            (Signal::HUP, SIGHUP),
        ] {
            let folder = folder();
            let child = child("everything_is_ended_before_us", folder.path())
                .spawn()
                .unwrap();
            let daemon = wait_for(folder.path().join("daemon"));
            let began = Instant::now();
            send(&child, signal);
            send(&child, signal);
            wait_for(folder.path().join("ended"));
            assert!(
                began.elapsed() < Duration::from_secs(4),
                "{:?}",
                began.elapsed()
            );
            assert!(
                !Path::new("/proc").join(&daemon).exists(),
                "{daemon} lives on"
            );
            assert!(
                !folder.path().join("late").exists(),
                "a job was started after the signal"
            );
            send(&child, signal);
            fs::write(folder.path().join("again"), "\n").unwrap();
            check_died_of(child, number, folder.path());
            assert_eq!(
                fs::read_to_string(folder.path().join("tidy")).unwrap(),
                format!("{number}\n")
            );
        }
    }

    #[test]
    fn when_nothing_runs_a_signal_does_what_it_always_did() {
        if let Some(folder) = testing::child_folder() {
            Runner::new(&|_| {}).run(&sh(&folder, "exit 0")).unwrap();
            fs::write(folder.join("idle"), "\n").unwrap();
            std::thread::sleep(Duration::from_secs(60));
            return;
        }
        let folder = folder();
        let child = child(
            "when_nothing_runs_a_signal_does_what_it_always_did",
            folder.path(),
        )
        .spawn()
        .unwrap();
        wait_for(folder.path().join("idle"));
        send(&child, Signal::TERM);
        check_died_of(child, SIGTERM, folder.path());
    }

    #[test]
    fn what_we_were_told_to_ignore_stays_ignored() {
        if let Some(folder) = testing::child_folder() {
            let ran = Runner::new(&|_| {}).run(&sh(
                &folder,
                "echo > runs; while ! [ -e sent ]; do sleep 0.01; done; sleep 0.1",
            ));
            assert_eq!((ran.unwrap().end, caught()), (RunEnd::Exited(0), None));
            return;
        }
        let folder = folder();
        let plain = testing::child(
            "process::signals::tests::what_we_were_told_to_ignore_stays_ignored",
            folder.path(),
        );
        let mut command = Command::new("sh");
        command
            .args(["-c", "trap '' HUP; exec \"$@\"", "sh"])
            .arg(plain.get_program())
            .args(plain.get_args());
        command
            .env("SEGEDIT_TEST_CHILD", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        wait_for(folder.path().join("runs"));
        send(&child, Signal::HUP);
        fs::write(folder.path().join("sent"), "").unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains("1 passed"),
            "{}\n{said}",
            output.status
        );
    }
}
