//! `Board`: what runs now and for how long, told to whoever wants to show it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often it is told, as long as something runs.
const EVERY: Duration = Duration::from_millis(100);

/// Who is told.
pub(super) type Told<'p> = &'p (dyn Fn(&str) + Send + Sync);

/// What runs now.
pub(super) struct Board<'p> {
    told: Told<'p>,
    lines: Mutex<Lines>,
}

#[derive(Default)]
struct Lines {
    /// In the order in which they started.
    running: Vec<Line>,
    started: usize,
    last: Option<Instant>,
}

struct Line {
    number: usize,
    name: String,
    since: Instant,
}

/// A job's line on the board, taken off when dropped.
pub(super) struct Entry<'b, 'p> {
    board: &'b Board<'p>,
    number: usize,
}

impl<'p> Board<'p> {
    /// Returns an empty one.
    pub(super) fn new(told: Told<'p>) -> Board<'p> {
        Board {
            told,
            lines: Mutex::default(),
        }
    }

    /// Writes a job down as running from now on.
    pub(super) fn enter(&self, name: &str) -> Entry<'_, 'p> {
        let mut lines = self.lines();
        lines.started += 1;
        let number = lines.started;
        lines.running.push(Line {
            number,
            name: name.to_owned(),
            since: Instant::now(),
        });
        Entry {
            board: self,
            number,
        }
    }

    /// Tells what runs, unless that was told a moment ago.
    pub(super) fn tell(&self) {
        let mut lines = self.lines();
        let now = Instant::now();
        if lines
            .last
            .is_some_and(|last| now.duration_since(last) < EVERY)
        {
            return;
        }
        lines.last = Some(now);
        let words = words(&lines.running, now);
        // Whoever is told may take its time; the jobs do not wait for it.
        drop(lines);
        (self.told)(&words);
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Entry<'_, '_> {
    fn drop(&mut self) {
        self.board
            .lines()
            .running
            .retain(|line| line.number != self.number);
    }
}

/// "running ruff 1.2 s, mypy 3.4 s".
fn words(running: &[Line], now: Instant) -> String {
    let seconds = |line: &Line| now.duration_since(line.since).as_secs_f64();
    let each: Vec<String> = running
        .iter()
        .map(|line| format!("{} {:.1} s", line.name, seconds(line)))
        .collect();
    format!("running {}", each.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_stand_in_the_order_of_their_start() {
        let said = Mutex::new(Vec::new());
        let told = |words: &str| said.lock().unwrap().push(words.to_owned());
        let board = Board::new(&told);
        let first = board.enter("ruff");
        let _second = board.enter("mypy");
        board.tell();
        board.tell();
        drop(first);
        let _third = board.enter("ruff");
        std::thread::sleep(EVERY);
        board.tell();
        assert_eq!(
            *said.lock().unwrap(),
            [
                "running ruff 0.0 s, mypy 0.0 s",
                "running mypy 0.1 s, ruff 0.1 s"
            ]
        );
    }
}
