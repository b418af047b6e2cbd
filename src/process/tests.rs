//! Real programs, well and badly behaved.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::capture::CapturedOutput;
use super::process_table::{Process, ProcessTable};
use super::runner::TICK;
use super::*;
use crate::diagnostic::Code;
use crate::git::testing;

const QUIET: &(dyn Fn(&str) + Send + Sync) = &|_| {};
/// How long a test waits for what has to happen, on a machine with other things to do.
const PATIENT: Duration = Duration::from_secs(20);

fn folder() -> TempDir {
    tempfile::Builder::new()
        .prefix("segedit-test-")
        .tempdir()
        .unwrap()
}

fn job(folder: &Path, command: &[&str]) -> Job {
    Job {
        name: command[0].to_owned(),
        command: command.iter().map(OsString::from).collect(),
        programs: Vec::new(),
        avoided: Vec::new(),
        folder: folder.to_owned(),
        env: Vec::new(),
        input: Vec::new(),
        timeout: Duration::from_secs(60),
    }
}

fn sh(folder: &Path, script: &str) -> Job {
    job(folder, &["sh", "-c", script])
}

#[track_caller]
fn run(job: &Job) -> RunResult {
    Runner::new(QUIET).run(job).unwrap()
}

fn write_program(path: &Path, content: &str, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENT, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the process whose number stands in a file that a script wrote.
fn noted(file: &Path) -> Pid {
    let text = || fs::read_to_string(file).unwrap_or_default();
    wait_until(&format!("{} has a line", file.display()), || {
        text().ends_with('\n')
    });
    Pid::from_raw(text().trim().parse().unwrap()).unwrap()
}

fn lives(pid: Pid) -> bool {
    Process::read(pid).is_some_and(|process| !process.dead)
}

/// Runs a test in a process of its own. There no job of another test runs beside it, with whose end its orphans would be
/// ended, and with whose orphans its own children could be ended.
#[track_caller]
fn alone(name: &str, test: impl FnOnce()) {
    if testing::child_folder().is_some() {
        return test();
    }
    let folder = folder();
    let output = testing::child(&format!("process::tests::{name}"), folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{complained}"
    );
}

/// Checks that of what `script` starts, whose numbers it notes in files beside it, nobody is left after `run`, and how it ended.
#[track_caller]
fn check_nobody_left(script: &str, timeout: Duration, end: &RunEnd, within: Duration) {
    let folder = folder();
    let job = Job {
        timeout,
        ..sh(folder.path(), script)
    };
    let began = Instant::now();
    let ran = run(&job);
    let took = began.elapsed();
    assert_eq!(
        ran.end,
        *end,
        "{}",
        String::from_utf8_lossy(&ran.stderr.bytes)
    );
    let notes: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(!notes.is_empty(), "nothing was started");
    for note in notes {
        let pid = noted(&note);
        assert!(!lives(pid), "{} lives on as {pid:?}", note.display());
        assert!(Process::read(pid).is_none_or(
            |process| process.parent != rustix::process::getpid().as_raw_nonzero().get()
        ));
    }
    assert!(took < timeout.min(took) + within, "took {took:?}");
}

#[test]
fn a_program_gets_its_input_and_says_its_words() {
    let folder = folder();
    let ran = run(&Job {
        input: b"one\ntwo\n".to_vec(),
        ..sh(folder.path(), "cat; echo no >&2; pwd; exit 3")
    });
    let here = folder.path().canonicalize().unwrap();
    assert_eq!(
        String::from_utf8(ran.stdout.bytes).unwrap(),
        format!("one\ntwo\n{}\n", here.display())
    );
    assert_eq!(
        (ran.end, ran.stderr),
        (
            RunEnd::Exited(3),
            CapturedOutput {
                bytes: b"no\n".to_vec(),
                cut: false
            }
        )
    );
    assert_eq!(
        run(&sh(folder.path(), "cat")).stdout,
        CapturedOutput::default()
    );
}

#[test]
fn arguments_are_handed_over_as_they_are() {
    let folder = folder();
    let ran = run(&job(
        folder.path(),
        &["printf", "%s|", "a b", "$HOME", "*", "; echo x", ""],
    ));
    assert_eq!(ran.stdout.bytes, b"a b|$HOME|*|; echo x||");
}

#[test]
fn each_way_to_end_is_told_apart() {
    let folder = folder();
    let end = |script: &str| run(&sh(folder.path(), script)).end;
    assert_eq!(end("exit 0"), RunEnd::Exited(0));
    assert_eq!(end("exit 126"), RunEnd::Exited(126));
    assert_eq!(end("nosuchprogram"), RunEnd::Exited(127));
    assert_eq!(end("kill -9 $$"), RunEnd::Signalled(9));
    assert_eq!(end("kill -TERM $$"), RunEnd::Signalled(15));
}

#[test]
fn a_program_that_is_not_there_is_missing_and_says_why() {
    let folder = folder();
    let root = folder.path();
    write_program(&root.join("plain"), "#!/bin/sh\n", 0o644);
    write_program(&root.join("lost"), "#!/nonexistent/lua -x\n", 0o755);
    write_program(&root.join("noise"), "\x01\x02\x03\n", 0o755);
    let programs = vec![root.join("bin")];
    let env = vec![("PATH".into(), "/nonexistent/a".into())];
    let missing = |word: &str| match run(&Job {
        programs: programs.clone(),
        env: env.clone(),
        ..job(root, &[word])
    })
    .end
    {
        RunEnd::Missing(why) => why.replace(root.to_str().unwrap(), "ROOT"),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        missing("ruff"),
        "there is no program `ruff` in ROOT/bin, /nonexistent/a"
    );
    assert_eq!(
        missing("./ruff"),
        "there is no ./ruff in the folder it runs in"
    );
    assert_eq!(
        missing("./plain"),
        "ROOT/./plain or its interpreter /bin/sh is not executable"
    );
    assert_eq!(
        missing("./lost"),
        "ROOT/./lost asks for the interpreter /nonexistent/lua, which is not there"
    );
    assert_eq!(
        missing("./noise"),
        "ROOT/./noise is no program that this system can run, and has no `#!` line"
    );
    assert_eq!(missing("/"), "/ is a folder");
    write_program(&root.join("bin/ruff"), "#!/bin/sh\n", 0o644);
    assert_eq!(missing("ruff"), "ROOT/bin/ruff is not executable");
}

#[test]
fn a_folder_that_is_not_there_is_our_own_failure() {
    let error = Runner::new(QUIET)
        .run(&job(&folder().path().join("absent"), &["true"]))
        .unwrap_err();
    assert_eq!(
        (
            error.code,
            error.message.contains("could not enter the folder of true")
        ),
        (Code::Io, true)
    );
}

#[test]
fn the_jobs_folders_come_first_and_the_copys_own_files_are_not_looked_into() {
    let folder = folder();
    let root = folder.path();
    write_program(
        &root.join("bin/tool"),
        "#!/bin/sh\necho first; other\n",
        0o755,
    );
    write_program(&root.join("bin/other"), "#!/bin/sh\necho other\n", 0o755);
    write_program(&root.join("path/tool"), "#!/bin/sh\necho second\n", 0o755);
    write_program(&root.join("tool"), "#!/bin/sh\necho copy\n", 0o755);
    let path = format!(".::{}", root.join("path").display());
    let env = vec![("PATH".into(), path.into())];
    let programs = vec![root.join("bin")];
    assert_eq!(
        run(&Job {
            programs,
            env: env.clone(),
            ..job(root, &["tool"])
        })
        .stdout
        .bytes,
        b"first\nother\n"
    );
    assert_eq!(
        run(&Job {
            env,
            ..job(root, &["tool"])
        })
        .stdout
        .bytes,
        b"second\n"
    );
    assert_eq!(run(&job(root, &["./tool"])).stdout.bytes, b"copy\n");
}

#[test]
fn a_program_that_is_just_being_written_is_waited_for() {
    let folder = folder();
    let path = folder.path().join("tool");
    write_program(&path, "#!/bin/sh\necho ready\n", 0o755);
    let writing = fs::OpenOptions::new().append(true).open(&path).unwrap();
    let end = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            drop(writing);
        });
        Runner::new(QUIET)
            .run(&job(folder.path(), &["./tool"]))
            .map(|ran| ran.end)
    });
    assert_eq!(end.unwrap(), RunEnd::Exited(0));
}

#[test]
fn no_token_reaches_a_program() {
    if let Some(folder) = testing::child_folder() {
        let env = vec![("ASKED_FOR".into(), "yes".into())];
        let ran = run(&Job {
            env,
            ..job(&folder, &["/usr/bin/env"])
        });
        fs::write(folder.join("seen"), ran.stdout.bytes).unwrap();
        return;
    }
    let folder = folder();
    let mut command = testing::child("process::tests::no_token_reaches_a_program", folder.path());
    let seen = ["HOME", "LC_ALL", "PYENV_VERSION", "XDG_CACHE_HOME"].map(|name| (name, "/seen"));
    let unseen = [
        "GITHUB_TOKEN",
        "AWS_ACCESS_KEY_ID",
        "SSH_AUTH_SOCK",
        "GIT_DIR",
        "GIT_AUTHOR_NAME",
        "LD_LIBRARY_PATH",
    ];
    let keep = std::env::var_os("SEGEDIT_TEST_CHILD");
    assert_eq!(keep, None);
    command
        .env_clear()
        .env("SEGEDIT_TEST_CHILD", folder.path())
        .env("PATH", "/usr/bin:/bin")
        .envs(seen);
    testing::run(command.envs(unseen.map(|name| (name, "secret"))));
    let text = fs::read_to_string(folder.path().join("seen")).unwrap();
    let mut lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("SEGEDIT_JOB="))
        .collect();
    lines.sort_unstable();
    let expected = [
        "ASKED_FOR=yes",
        "HOME=/seen",
        "LC_ALL=/seen",
        "NO_COLOR=1",
        "PATH=/usr/bin:/bin",
        "PYENV_VERSION=/seen",
        "PYTHONDONTWRITEBYTECODE=1",
        "TERM=dumb",
        "XDG_CACHE_HOME=/seen",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_program_that_takes_too_long_is_ended() {
    let folder = folder();
    let began = Instant::now();
    let ran = run(&Job {
        timeout: Duration::from_secs(1),
        ..sh(folder.path(), "echo early; sleep 300; echo late")
    });
    assert_eq!(
        (ran.end, ran.stdout.bytes),
        (RunEnd::TimedOut, b"early\n".to_vec())
    );
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
    assert!(ran.duration >= Duration::from_secs(1), "{:?}", ran.duration);
}

#[test]
fn at_the_timeout_nobody_is_left() {
    let scripts = [
        // In its group, with the pipes.
        "sleep 300 & echo $! > a; wait",
        // Deaf to requests.
        "trap '' TERM; echo $$ > a; sh -c 'trap \"\" TERM; echo $$ > b; sleep 300; sleep 300' & wait; sleep 300",
        // In a session of its own, still a child; with an environment of its own.
        "setsid sh -c 'echo $$ > a; exec sleep 300' & env -i setsid sh -c 'echo $$ > b; exec sleep 300' & wait",
        // A daemon: in a session of its own, and an orphan.
        "(setsid sh -c 'echo $$ > a; exec sleep 300' &); sleep 300",
        // A deaf child that remembers nothing: an orphan as soon as its parent has heard.
        "env -i setsid sh -c 'trap \"\" TERM; echo $$ > a; sleep 300; sleep 300' & wait",
        // Somebody whom it stopped.
        "setsid sh -c 'echo $$ > a; kill -STOP $$' & wait",
    ];
    std::thread::scope(|scope| {
        for script in scripts {
            let timeout = Duration::from_secs(1);
            scope.spawn(move || {
                check_nobody_left(
                    script,
                    timeout,
                    &RunEnd::TimedOut,
                    Duration::from_millis(2500),
                )
            });
        }
    });
}

#[test]
fn after_a_good_end_nobody_is_left_either() {
    let check = |script: &str| {
        check_nobody_left(
            script,
            PATIENT,
            &RunEnd::Exited(0),
            Duration::from_millis(1500),
        )
    };
    check("sleep 300 & echo $! > a");
    check("setsid sh -c 'echo $$ > a; exec sleep 300' & while ! [ -s a ]; do :; done");
    check(
        "setsid sh -c 'trap \"\" TERM; echo $$ > a; sleep 300; sleep 300' & while ! [ -s a ]; do :; done",
    );
    // One that starts the next when it is asked to end.
    check("setsid sh -c 'trap \"setsid sleep 300 & echo \\$! > b; exit\" TERM; echo $$ > a; while :; do sleep 0.01; done' &
           while ! [ -s a ]; do :; done");
}

#[test]
fn a_program_that_flees_from_process_to_process_is_caught() {
    let (elsewhere, runner) = (folder(), Runner::new(QUIET));
    std::thread::scope(|scope| {
        // With the last job every orphan ends; as long as this one runs, they have to be told apart.
        let long = scope.spawn(|| {
            run(&sh(
                elsewhere.path(),
                "while ! [ -e stop ]; do sleep 0.01; done",
            ))
        });
        let mut fled = Vec::new();
        for _ in 0..20 {
            let folder = folder();
            fs::write(
                folder.path().join("flee"),
                "echo >> hops; trap '' TERM; setsid sh flee &",
            )
            .unwrap();
            let hops = || fs::read(folder.path().join("hops")).unwrap().len();
            let ran = runner
                .run(&sh(
                    folder.path(),
                    "sh flee; while [ $(wc -c < hops) -lt 4 ]; do :; done",
                ))
                .unwrap();
            let before = hops();
            std::thread::sleep(Duration::from_millis(20));
            fled.push((ran.end, hops() - before));
        }
        fs::write(elsewhere.path().join("stop"), "").unwrap();
        assert_eq!(long.join().unwrap().end, RunEnd::Exited(0));
        assert_eq!(fled, vec![(RunEnd::Exited(0), 0); 20], "it flees on");
    });
}

#[test]
fn a_program_leads_a_group_of_its_own() {
    let folder = folder();
    let ran = run(&sh(folder.path(), "echo $$; cut -d' ' -f5 /proc/$$/stat"));
    let said = String::from_utf8(ran.stdout.bytes).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], lines[1]);
}

#[test]
fn a_daemon_that_hides_its_origin_ends_with_the_last_job() {
    alone(
        "a_daemon_that_hides_its_origin_ends_with_the_last_job",
        || {
            let daemon = "(env -i setsid sh -c 'echo $$ > a; exec sleep 300' &); while ! [ -s a ]; do :; done";
            let within = Duration::from_millis(1500);
            check_nobody_left(daemon, PATIENT, &RunEnd::Exited(0), within);
            check_nobody_left(
                &format!("{daemon}; sleep 300"),
                Duration::from_millis(700),
                &RunEnd::TimedOut,
                within,
            );
            let (first, second) = (folder(), folder());
            let runner = Runner::new(QUIET);
            std::thread::scope(|scope| {
                let long = scope.spawn(|| {
                    runner
                        .run(&sh(
                            second.path(),
                            "while ! [ -e stop ]; do sleep 0.01; done",
                        ))
                        .unwrap()
                });
                let ran = runner.run(&sh(first.path(), daemon)).unwrap();
                assert_eq!(
                    (ran.end, ran.stdout.cut),
                    (RunEnd::Exited(0), true),
                    "somebody has the pipe"
                );
                fs::write(second.path().join("stop"), "").unwrap();
                assert_eq!(long.join().unwrap().end, RunEnd::Exited(0));
            });
            assert!(!lives(noted(&first.path().join("a"))));
            assert_eq!(
                rustix::process::child_subreaper().unwrap(),
                None,
                "orphans go where they always went"
            );
        },
    );
}

#[test]
fn what_others_in_this_process_run_is_left_alone() {
    alone("what_others_in_this_process_run_is_left_alone", || {
        let folder = folder();
        let mut older = quiet_sleep().process_group(0).spawn().unwrap();
        // The kernel's clock of starts has a resolution of 10 ms.
        std::thread::sleep(Duration::from_millis(30));
        let runner = Runner::new(QUIET);
        let mut meanwhile = std::thread::scope(|scope| {
            let long = scope.spawn(|| {
                runner
                    .run(&sh(folder.path(), "echo > ready; sleep 1"))
                    .unwrap()
            });
            wait_until("the job runs", || folder.path().join("ready").exists());
            let meanwhile = quiet_sleep().spawn().unwrap();
            assert_eq!(
                runner.run(&job(folder.path(), &["true"])).unwrap().end,
                RunEnd::Exited(0)
            );
            assert_eq!(
                long.join().unwrap().end,
                RunEnd::Exited(0),
                "one job's end is not another's"
            );
            meanwhile
        });
        for child in [&mut older, &mut meanwhile] {
            assert_eq!(child.try_wait().unwrap(), None);
            child.kill().unwrap();
            child.wait().unwrap();
        }
    });
}

#[test]
fn a_flood_on_both_streams_is_drained() {
    let folder = folder();
    let both = "head -c 30000000 /dev/zero & head -c 20000000 /dev/zero >&2 & wait";
    let ran = run(&sh(folder.path(), both));
    assert_eq!(
        (ran.end, ran.stdout.cut, ran.stderr.cut),
        (RunEnd::Exited(0), true, true)
    );
    assert_eq!(ran.stdout.bytes.len(), 16 << 20);
    let line = format!("\n… {} bytes left out …\n", 20_000_000 - (256 << 10));
    assert_eq!(ran.stderr.bytes.len(), (256 << 10) + line.len());
    let middle = &ran.stderr.bytes[128 << 10..][..line.len()];
    assert_eq!(std::str::from_utf8(middle).unwrap(), line);
}

#[test]
fn a_gigabyte_takes_no_gigabyte() {
    let peak = || {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
    };
    let folder = folder();
    let before = peak();
    let ran = run(&job(
        folder.path(),
        &["head", "-c", "1000000000", "/dev/zero"],
    ));
    assert_eq!(
        (ran.end, ran.stdout.cut, ran.stdout.bytes.len()),
        (RunEnd::Exited(0), true, 16 << 20)
    );
    assert!(ran.duration < PATIENT, "{:?}", ran.duration);
    assert!(peak() - before < 500_000, "{} kB", peak() - before);
}

#[test]
fn input_that_nobody_reads_blocks_nobody() {
    let folder = folder();
    let input = vec![b'x'; 4 << 20];
    assert_eq!(
        run(&Job {
            input: input.clone(),
            ..job(folder.path(), &["true"])
        })
        .end,
        RunEnd::Exited(0)
    );
    let timeout = Duration::from_millis(200);
    assert_eq!(
        run(&Job {
            input: input.clone(),
            timeout,
            ..job(folder.path(), &["sleep", "300"])
        })
        .end,
        RunEnd::TimedOut
    );
    let ran = run(&Job {
        input: input.clone(),
        ..job(folder.path(), &["cat"])
    });
    assert_eq!((ran.stdout.bytes == input, ran.stdout.cut), (true, false));
}

#[test]
fn a_short_run_costs_little() {
    let folder = folder();
    let runner = Runner::new(QUIET);
    let mut times: Vec<Duration> = (0..30)
        .map(|_| {
            let began = Instant::now();
            runner.run(&job(folder.path(), &["true"])).unwrap();
            began.elapsed()
        })
        .collect();
    times.sort();
    // No tick of the clock is waited for.
    assert!(times[3] < TICK / 2, "{times:?}");
}

#[test]
fn jobs_run_side_by_side_and_answer_in_order() {
    let folder = folder();
    let cores = thread::available_parallelism().unwrap().get();
    // Each waits until there are as many as there are cores, and none ever sees more.
    let script = |number: usize| {
        let meet = format!(
            "i=0; while [ $(ls run | wc -l) -lt {cores} ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i+1)); done"
        );
        let met = if number < cores { meet.as_str() } else { ":" };
        format!(
            "touch run/{number}; {met}; [ $(ls run | wc -l) -le {cores} ] || exit 9; sleep 0.1; rm run/{number}; echo {number}; [ $i ] && [ $i -ge 500 ] && exit 8; exit 0"
        )
    };
    fs::create_dir(folder.path().join("run")).unwrap();
    let jobs: Vec<Job> = (0..2 * cores)
        .map(|number| sh(folder.path(), &script(number)))
        .collect();
    let all = Runner::new(QUIET).run_all(&jobs).unwrap();
    let said: Vec<String> = all
        .iter()
        .map(|ran| String::from_utf8(ran.stdout.bytes.clone()).unwrap())
        .collect();
    assert_eq!(
        said,
        (0..2 * cores)
            .map(|number| format!("{number}\n"))
            .collect::<Vec<_>>()
    );
    assert!(
        all.iter().all(|ran| ran.end == RunEnd::Exited(0)),
        "{all:?}"
    );
    assert!(Runner::new(QUIET).run_all(&[]).unwrap().is_empty());
}

#[test]
fn progress_is_told_while_something_runs() {
    let said = Mutex::new(Vec::new());
    let told = |words: &str| said.lock().unwrap().push(words.to_owned());
    let folder = folder();
    Runner::new(&told)
        .run(&Job {
            name: "ruff".to_owned(),
            ..job(folder.path(), &["sleep", "0.45"])
        })
        .unwrap();
    let said = said.into_inner().unwrap();
    assert!((3..=6).contains(&said.len()), "{said:?}");
    assert_eq!(said[0], "running ruff 0.0 s");
    assert!(
        said.iter()
            .all(|words| words.starts_with("running ruff 0.") && words.ends_with(" s")),
        "{said:?}"
    );
}

#[test]
fn both_ways_to_count_children_agree() {
    alone("both_ways_to_count_children_agree", || {
        let folder = folder();
        let mut child = sh_outside(folder.path(), "sleep 300 & echo $! > a; wait");
        let (root, grandchild) = (
            Process::read(Pid::from_child(&child)).unwrap(),
            noted(&folder.path().join("a")),
        );
        for table in [
            ProcessTable::open().unwrap(),
            ProcessTable::KernelLists,
            ProcessTable::snapshot(),
        ] {
            let found = table.descendants(root.clone());
            assert_eq!(
                found.iter().map(|process| process.pid).collect::<Vec<_>>(),
                [root.pid, grandchild]
            );
            assert!(table.children(rustix::process::getpid()).0.contains(&root));
        }
        kill_process(grandchild, Signal::KILL).unwrap();
        child.wait().unwrap();
        assert_eq!(Process::read(root.pid), None);
    });
}

#[test]
fn without_proc_the_group_is_ended() {
    alone("without_proc_the_group_is_ended", || {
        let folder = folder();
        let mut child = sh_outside(folder.path(), "sleep 300 & echo $! > a; wait");
        let grandchild = noted(&folder.path().join("a"));
        process_tree::end_group(Pid::from_child(&child));
        assert_eq!(child.wait().unwrap().signal(), Some(15));
        wait_until("the grandchild is ended", || !lives(grandchild));
        let mut deaf = sh_outside(
            folder.path(),
            "trap '' TERM; echo $$ > b; while :; do sleep 0.1; done",
        );
        noted(&folder.path().join("b"));
        process_tree::end_group(Pid::from_child(&deaf));
        assert_eq!(deaf.wait().unwrap().signal(), Some(9));
    });
}

/// Sleeps, and holds no pipe that whoever runs this test waits for.
fn quiet_sleep() -> Command {
    let mut command = Command::new("sleep");
    command
        .arg("300")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Starts a script in a group of its own that no runner knows of. It is older than every job that may end while it runs.
fn sh_outside(folder: &Path, script: &str) -> Child {
    Command::new("sh")
        .args(["-c", script])
        .current_dir(folder)
        .process_group(0)
        .spawn()
        .unwrap()
}

/// Waits until a program that is talked with has said `expected`.
fn expect_output(dialogue: &mut Dialogue, expected: &str) {
    let mut said = Vec::new();
    let began = Instant::now();
    while said != expected.as_bytes() {
        assert!(
            began.elapsed() < PATIENT,
            "waited in vain for {expected:?}: {said:?}"
        );
        match dialogue.receive(Duration::from_millis(50)).unwrap() {
            Received::Bytes(bytes) => said.extend(bytes),
            Received::Nothing => {}
            Received::End(end) => panic!("{end:?} after {said:?}"),
        }
    }
}

fn begin(job: &Job) -> Dialogue {
    Dialogue::begin(job)
        .unwrap()
        .unwrap_or_else(|end| panic!("{end:?}"))
}

#[test]
fn a_program_is_talked_with() {
    let folder = folder();
    let mut cat = begin(&job(folder.path(), &["cat"]));
    for words in ["one\n", "two\n"] {
        cat.send(words.as_bytes().to_vec());
        expect_output(&mut cat, words);
    }
    assert!(matches!(
        cat.receive(Duration::from_millis(10)).unwrap(),
        Received::Nothing
    ));
    // More than any pipe holds, none of it read on our side while it is said.
    let much = vec![b'x'; 4 << 20];
    cat.send(much.clone());
    expect_output(&mut cat, std::str::from_utf8(&much).unwrap());
}

#[test]
fn a_talk_ends_as_the_program_does_or_its_time() {
    let folder = folder();
    let end = |mut job: Job, timeout: Duration| {
        job.timeout = timeout;
        let mut dialogue = match Dialogue::begin(&job).unwrap() {
            Ok(dialogue) => dialogue,
            Err(end) => return end,
        };
        loop {
            if let Received::End(end) = dialogue.receive(PATIENT).unwrap() {
                // Asked again it says the same.
                if let Received::End(again) = dialogue.receive(PATIENT).unwrap() {
                    assert_eq!(again, end);
                }
                return end;
            }
        }
    };
    assert_eq!(
        end(sh(folder.path(), "echo it; exit 3"), PATIENT),
        RunEnd::Exited(3)
    );
    assert_eq!(
        end(sh(folder.path(), "sleep 300 & exit 4"), PATIENT),
        RunEnd::Exited(4)
    );
    assert_eq!(
        end(sh(folder.path(), "kill -9 $$"), PATIENT),
        RunEnd::Signalled(9)
    );
    assert_eq!(
        end(sh(folder.path(), "sleep 60"), Duration::from_millis(200)),
        RunEnd::TimedOut
    );
    assert!(matches!(
        end(job(folder.path(), &["no-such-program"]), PATIENT),
        RunEnd::Missing(_)
    ));
}

#[test]
fn what_is_talked_with_ends_with_all_that_it_started() {
    let folder = folder();
    let (own, other) = (folder.path().join("own"), folder.path().join("other"));
    let script = format!(
        "echo $$ > {}; sleep 300 & echo $! > {}; cat",
        own.display(),
        other.display()
    );
    let dialogue = begin(&sh(folder.path(), &script));
    let pids = [noted(&own), noted(&other)];
    assert!(pids.into_iter().all(lives));
    drop(dialogue);
    wait_until("both are gone", || !pids.into_iter().any(lives));
}
