//! Many writers on one branch, half of them in one file, with git's own commands looping beside them: whatever reports
//! `published` is in the branch's history, nothing that was staged is lost, nothing hangs.
//!
//! `SEGEDIT_WRITERS=50` says how many processes write at once (20 by default),
//! `SEGEDIT_ROUNDS=10` how many batches each publishes. Each test prints what it counted:
//! `cargo test --test sweep writers -- --nocapture`.
//!
//! One test has a writer who moves the branch without looking; that one has to lose batches, else the others would prove
//! nothing. Many publishers within one process are in `src/publish/commit.rs`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::{Run, Sandbox, walk};

/// How long everything together may take, per batch; far more than it does on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// Writers, and what goes on beside them.
pub(crate) struct Crowd {
    pub sandbox: Sandbox,
    pub branch: &'static str,
    pub writers: usize,
    pub rounds: usize,
    /// Set once the writers are done.
    pub done: AtomicBool,
    /// What git said yes to: subjects of commits, paths of files that were added.
    pub committed: Mutex<BTreeSet<String>>,
    pub added: Mutex<BTreeSet<String>>,
    /// `git commit` reads the index before it locks it: alone beside `git add` it lost 33 of 1650 files (git 2.47), so these
    /// two take turns.
    pub turn_of_gits_own: Mutex<()>,
    /// How often it wrote an index that it had read before a batch of ours came, so that the batch looks taken back in the
    /// index. The next batch there is refused, as it should be, and somebody has to put the index right.
    pub put_right: AtomicUsize,
}

/// What one writer publishes in one round, and how the tool answered.
pub(crate) struct Answer {
    writer: usize,
    run: Run,
}

impl Crowd {
    /// Makes a repository in which every writer has a function: the even ones in one file, the odd ones in a file each.
    pub(crate) fn new(bare: bool, rounds: usize) -> Arc<Crowd> {
        let writers = number("SEGEDIT_WRITERS", 20);
        let sandbox = Sandbox::unborn();
        let mut shared = String::new();
        for writer in 0..writers {
            let function = format!("def f{writer}():\n    return 'nobody'\n");
            if writer.is_multiple_of(2) {
                write!(shared, "{function}\n\n").unwrap();
            } else {
                sandbox.write(&format!("own/w{writer}.py"), function);
            }
        }
        sandbox.write("mine.txt", "old\n");
        sandbox.write("shared.py", shared.trim_end().to_owned() + "\n");
        sandbox.commit_all("first");
        // The dates of a sandbox are long past, and `git gc` forgets what is old.
        sandbox.git(&["config", "gc.reflogExpire", "never"]);
        sandbox.git(&["config", "gc.reflogExpireUnreachable", "never"]);
        sandbox.git(&["config", "gc.pruneExpire", "never"]);
        let sandbox = if bare { sandbox.copy_bare() } else { sandbox };
        // One in a folder of its own, which `git pack-refs` removes whenever it has emptied it.
        let branch = if bare { "team/main" } else { "main" };
        sandbox.git(&["branch", "--move", "main", branch]);
        Arc::new(Crowd {
            sandbox,
            branch,
            writers,
            rounds: number("SEGEDIT_ROUNDS", rounds),
            done: AtomicBool::new(false),
            committed: Mutex::default(),
            added: Mutex::default(),
            turn_of_gits_own: Mutex::default(),
            put_right: AtomicUsize::new(0),
        })
    }

    pub(crate) fn path(writer: usize) -> String {
        if writer.is_multiple_of(2) {
            "shared.py".to_owned()
        } else {
            format!("own/w{writer}.py")
        }
    }

    /// Publishes `round` in the place of what `writer` had there before.
    pub(crate) fn publish(&self, writer: usize, round: usize) -> Run {
        let address = format!("{}::f{writer}", Crowd::path(writer));
        let content = format!("return '{writer} in {round}'");
        let args = [
            "replace",
            &address,
            "--part",
            "body",
            "--content",
            &content,
            "--branch",
            self.branch,
        ];
        self.sandbox
            .segedit(&[&args[..], &["--format", "json", "--no-diff"]].concat())
    }

    /// Starts all writers at once, each a thread that runs one process after the other.
    pub(crate) fn start(self: &Arc<Crowd>) -> Receiver<Answer> {
        let (send, answers) = channel();
        for writer in 0..self.writers {
            let (crowd, send) = (Arc::clone(self), send.clone());
            std::thread::spawn(move || {
                for round in 0..crowd.rounds {
                    let mut run = crowd.publish(writer, round);
                    while run.out().contains("has staged changes") && crowd.git_commits() {
                        crowd.put_index_right(&Crowd::path(writer));
                        run = crowd.publish(writer, round);
                    }
                    let _ = send.send(Answer { writer, run });
                }
            });
        }
        answers
    }

    /// Says whether git commits beside.
    pub(crate) fn git_commits(&self) -> bool {
        !self.committed.lock().unwrap().is_empty()
    }

    pub(crate) fn put_index_right(&self, path: &str) {
        self.put_right.fetch_add(1, Relaxed);
        let _turn = self.turn_of_gits_own.lock().unwrap();
        self.insist(&["reset", "--quiet", "--", path]);
    }

    /// Does `act` over and over until the writers are done.
    pub(crate) fn beside(
        self: &Arc<Crowd>,
        pause: u64,
        act: impl Fn(&Crowd, usize) + Send + 'static,
    ) -> std::thread::JoinHandle<()> {
        let crowd = Arc::clone(self);
        std::thread::spawn(move || {
            for round in 0.. {
                if crowd.done.load(Relaxed) {
                    return;
                }
                act(&crowd, round);
                std::thread::sleep(Duration::from_millis(pause));
            }
        })
    }

    /// Runs git until it says yes or the writers are done: it gives up at once where something is locked or has moved.
    pub(crate) fn insist(&self, args: &[&str]) -> bool {
        while !self.done.load(Relaxed) {
            if self.sandbox.try_git(args).exit == 0 {
                return true;
            }
        }
        false
    }
}

pub(crate) fn pack_refs(crowd: &Crowd, _: usize) {
    crowd.sandbox.try_git(&["pack-refs", "--all"]);
}

pub(crate) fn collect_garbage(crowd: &Crowd, _: usize) {
    crowd.sandbox.try_git(&["gc", "--quiet"]);
}

pub(crate) fn add(crowd: &Crowd, round: usize) {
    let path = format!("added/{round}.txt");
    crowd.sandbox.write(&path, "added\n");
    let _turn = crowd.turn_of_gits_own.lock().unwrap();
    if crowd.insist(&["add", &path]) {
        crowd.added.lock().unwrap().insert(path);
    }
}

pub(crate) fn commit(crowd: &Crowd, round: usize) {
    let path = format!("committed/{round}.txt");
    crowd.sandbox.write(&path, "committed\n");
    let _turn = crowd.turn_of_gits_own.lock().unwrap();
    if crowd.insist(&["add", "-N", &path])
        && crowd.insist(&["commit", "--quiet", "-m", &path, "--only", "--", &path])
    {
        crowd.committed.lock().unwrap().insert(path);
    }
}

/// Waits for all answers and for what goes on beside; returns the ids of the batches that were published.
pub(crate) fn wait(
    crowd: &Crowd,
    answers: &Receiver<Answer>,
    loops: Vec<std::thread::JoinHandle<()>>,
) -> BTreeSet<String> {
    let batches = wait_where(crowd, answers, loops, |_| false);
    assert_eq!(
        batches.len(),
        crowd.writers * crowd.rounds,
        "every batch has an id of its own"
    );
    batches
}

/// Does the same where a writer may be refused with such an answer.
pub(crate) fn wait_where(
    crowd: &Crowd,
    answers: &Receiver<Answer>,
    loops: Vec<std::thread::JoinHandle<()>>,
    may_be_refused: impl Fn(&Run) -> bool,
) -> BTreeSet<String> {
    let expected = crowd.writers * crowd.rounds;
    let deadline = Instant::now() + PATIENCE * u32::try_from(expected).expect("a handful");
    let mut batches = BTreeSet::new();
    for heard in 0..expected {
        let left = deadline.saturating_duration_since(Instant::now());
        let Ok(Answer { writer, run }) = answers.recv_timeout(left) else {
            panic!(
                "{heard} of {expected} batches, then silence: somebody hangs\n{}",
                crowd.sandbox
            )
        };
        if may_be_refused(&run) {
            continue;
        }
        assert!(
            run.exit == 0,
            "writer {writer} was refused\n{run}\n{}",
            crowd.sandbox
        );
        let report = run.json();
        assert_eq!(report["status"], "published", "{run}");
        batches.insert(
            report["batch"]
                .as_str()
                .expect("a batch has an id")
                .to_owned(),
        );
    }
    crowd.done.store(true, Relaxed);
    for beside in loops {
        beside.join().expect("what goes on beside does not panic");
    }
    batches
}

/// Returns the batches that the branch's history does not have.
pub(crate) fn lost(crowd: &Crowd, batches: &BTreeSet<String>) -> Vec<String> {
    let format = "--format=%(trailers:key=Segedit-Batch,valueonly,separator=%x0A)";
    let told = crowd.sandbox.git(&["log", format, crowd.branch]);
    let there: BTreeSet<&str> = told.lines().collect();
    batches
        .iter()
        .filter(|batch| !there.contains(batch.as_str()))
        .cloned()
        .collect()
}

/// Checks that everybody's last word stands in the files, git finds nothing wrong, and nobody left a lock.
pub(crate) fn all_is_well(crowd: &Crowd, batches: &BTreeSet<String>, start: Instant) {
    let sandbox = &crowd.sandbox;
    let lost = lost(crowd, batches);
    let committed = crowd.committed.lock().unwrap().clone();
    println!(
        "{} writers, {} batches, {} commits by git, {} lost, {:.1} seconds",
        crowd.writers,
        batches.len(),
        committed.len(),
        lost.len(),
        start.elapsed().as_secs_f64()
    );
    assert!(
        lost.is_empty(),
        "published and not in the history: {lost:?}\n{sandbox}"
    );
    let subjects: BTreeSet<String> = sandbox
        .git(&["log", "--format=%s", crowd.branch])
        .lines()
        .map(str::to_owned)
        .collect();
    assert!(committed.is_subset(&subjects), "{sandbox}");
    let all = 1
        + batches.len()
        + subjects
            .iter()
            .filter(|subject| subject.starts_with("committed/"))
            .count();
    assert_eq!(
        sandbox.git(&["rev-list", "--count", crowd.branch]),
        all.to_string(),
        "{sandbox}"
    );
    for writer in 0..crowd.writers {
        let file = sandbox.git(&["show", &format!("{}:{}", crowd.branch, Crowd::path(writer))]);
        let last = format!(
            "def f{writer}():\n    return '{writer} in {}'",
            crowd.rounds - 1
        );
        assert!(
            file.contains(&last),
            "writer {writer}'s last word is missing\n{file}"
        );
    }
    sandbox.git(&["fsck", "--no-dangling", "--strict"]);
    let locks: Vec<String> = sandbox
        .digest()
        .into_keys()
        .filter(|name| name.ends_with(".lock"))
        .collect();
    assert!(locks.is_empty(), "left over: {locks:?}");
    let own = sandbox.git_folder().join("segedit");
    let mut left = Vec::new();
    walk(&own, &own, &mut |name, _| left.push(name.to_owned()));
    assert_eq!(
        left,
        ["cache/newest", "lock"],
        "only what keeps the queue stays"
    );
}

/// Leaves a file with something staged and something else unstaged.
pub(crate) fn half_staged(sandbox: &Sandbox) {
    sandbox.write("mine.txt", "staged\n");
    sandbox.git(&["add", "mine.txt"]);
    sandbox.write("mine.txt", "unstaged\n");
}

/// Checks that the index holds what was added meanwhile and what was staged before, and nothing else.
pub(crate) fn all_is_staged(crowd: &Crowd) {
    let sandbox = &crowd.sandbox;
    let added = crowd.added.lock().unwrap();
    println!("{} files added meanwhile", added.len());
    let mut expected: Vec<String> = added.iter().map(|path| format!("A  {path}")).collect();
    expected.push("MM mine.txt".to_owned());
    let told = String::from_utf8(
        sandbox.git_with_input(&["status", "--porcelain", "--untracked-files=no"], b""),
    )
    .unwrap();
    let mut found: Vec<String> = told.lines().map(str::to_owned).collect();
    // The last one may have been announced when the end came.
    found.retain(|line| !line.starts_with(" A committed/"));
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{sandbox}");
    assert_eq!(sandbox.git(&["show", ":mine.txt"]), "staged");
    assert_eq!(
        std::fs::read_to_string(sandbox.repo().join("mine.txt")).unwrap(),
        "unstaged\n"
    );
    no_gap_in_the_log(&sandbox.repo().join(".git/logs/refs/heads/main"));
}

/// Checks that every step of the branch began where the one before it ended.
pub(crate) fn no_gap_in_the_log(log: &Path) {
    let text = std::fs::read_to_string(log).expect("a branch that is checked out has a log");
    let steps: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| Some((line.get(..40)?, line.get(41..81)?)))
        .collect();
    for pair in steps.windows(2) {
        let [(_, end), (begin, _)] = pair else {
            continue;
        };
        assert_eq!(end, begin, "a gap in {}\n{text}", log.display());
    }
}
