//! A sign of life on standard error, for work that takes more than half a second. Home of indicatif.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Common, terminal};
use crate::diagnostic::shown;

/// How long the work may take before anything is shown: what ends sooner would only flicker.
const PATIENCE: Duration = Duration::from_millis(500);

/// What is shown while work goes on; taken away again when dropped.
pub(super) struct ProgressLine {
    thread: Option<JoinHandle<()>>,
}

/// What the work calls to say what it is doing.
type ReportWork = Box<dyn Fn(&str) + Send + Sync>;

/// What the work calls to say how much is done, and of how much.
type CountWork = Box<dyn Fn(usize, usize) + Send + Sync>;

impl ProgressLine {
    /// Starts to watch, and returns what the work calls to say what it is doing.
    pub(super) fn start(common: &Common) -> (ProgressLine, ReportWork) {
        if !is_wanted(common) {
            return (ProgressLine { thread: None }, Box::new(|_| {}));
        }
        let (sender, receiver): (Sender<String>, _) = mpsc::channel();
        let thread = std::thread::spawn(move || show(&receiver, Instant::now()));
        // The watcher ends when the work drops this, its only sender.
        let tell = move |doing: &str| {
            let _ = sender.send(shown(doing));
        };
        (
            ProgressLine {
                thread: Some(thread),
            },
            Box::new(tell),
        )
    }

    /// Starts to watch work that can be counted, `what` being the word for what is counted.
    pub(super) fn counting(common: &Common, what: &'static str) -> (ProgressLine, CountWork) {
        if !is_wanted(common) {
            return (ProgressLine { thread: None }, Box::new(|_, _| {}));
        }
        let (sender, receiver): (Sender<()>, _) = mpsc::channel();
        let count = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let watched = count.clone();
        let thread = std::thread::spawn(move || show_count(&receiver, &watched, what));
        let tell = move |done: usize, of: usize| {
            // The watcher ends when the work drops this, and with it the sender.
            let _held = &sender;
            count.0.fetch_max(done, Ordering::Relaxed);
            count.1.store(of, Ordering::Relaxed);
        };
        (
            ProgressLine {
                thread: Some(thread),
            },
            Box::new(tell),
        )
    }
}

fn is_wanted(common: &Common) -> bool {
    common.progress
        || !common.no_progress
            && !common.quiet
            && !common.is_for_programs()
            && terminal::is_watched()
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn show(receiver: &Receiver<String>, started: Instant) {
    let mut doing = "working".to_owned();
    loop {
        match receiver.recv_timeout(PATIENCE.saturating_sub(started.elapsed())) {
            Ok(next) => doing = next,
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
    // A spinner of the library's own making would be a bar without a word.
    let style = ProgressStyle::with_template("{spinner} {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        .with_style(style)
        .with_message(doing);
    spinner.enable_steady_tick(Duration::from_millis(100));
    while let Ok(next) = receiver.recv() {
        spinner.set_message(next);
    }
    spinner.finish_and_clear();
}

fn show_count(receiver: &Receiver<()>, count: &(AtomicUsize, AtomicUsize), what: &'static str) {
    const TICK: Duration = Duration::from_millis(100);
    let has_ended =
        |patience| receiver.recv_timeout(patience) == Err(RecvTimeoutError::Disconnected);
    if has_ended(PATIENCE) {
        return;
    }
    let style =
        ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} {msg}, {eta} to go")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr())
        .with_style(style)
        .with_message(what);
    while !has_ended(TICK) {
        let (done, of) = (
            count.0.load(Ordering::Relaxed),
            count.1.load(Ordering::Relaxed),
        );
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    }
    bar.finish_and_clear();
}
