//! `Stream`: what a program writes, read by a thread of its own and kept within bounds.
//!
//! Invariant: it is read to its end however much there is, so that no program waits for us, and of that never more is
//! kept than the bounds allow. What was read can be had while the thread still waits: a pipe that somebody keeps open keeps
//! nobody here.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// What a program wrote, within bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CapturedOutput {
    /// The bytes, whatever they are.
    pub bytes: Vec<u8>,
    /// Something was left out, or may have been.
    pub cut: bool,
}

/// How much is kept of a stream: its beginning, and its end.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub head: usize,
    /// 0 for a stream that machines read: it gets no line that says what was left out.
    pub tail: usize,
}

/// What machines read is worth nothing in parts, so it is kept whole as far as it goes.
pub(super) const OUTPUT: Bounds = Bounds {
    head: 16 << 20,
    tail: 0,
};
/// People look at how a complaint begins and how it ends.
pub(super) const COMPLAINTS: Bounds = Bounds {
    head: 128 << 10,
    tail: 128 << 10,
};

/// A stream that is being read.
pub(super) struct Stream(Arc<Mutex<CapturedStream>>);

/// What is kept of a stream.
struct CapturedStream {
    bounds: Bounds,
    head: Vec<u8>,
    /// The last bytes, at most twice as many as wanted, so that taking off the rest costs little.
    tail: Vec<u8>,
    left_out: u64,
    ended: bool,
}

impl Stream {
    /// Reads `pipe` in a thread of its own and says so when it has ended.
    pub(super) fn read<P: Read + Send + 'static>(
        pipe: P,
        bounds: Bounds,
        ended: impl FnOnce() + Send + 'static,
    ) -> io::Result<Stream> {
        let kept = CapturedStream {
            bounds,
            head: Vec::new(),
            tail: Vec::new(),
            left_out: 0,
            ended: false,
        };
        let stream = Stream(Arc::new(Mutex::new(kept)));
        let shared = Stream(Arc::clone(&stream.0));
        thread::Builder::new().spawn(move || {
            shared.fill(pipe);
            ended();
        })?;
        Ok(stream)
    }

    /// Returns what was read so far; `cut` also when there may be more to come.
    pub(super) fn take(&self) -> CapturedOutput {
        let mut kept = self.kept();
        let mut bytes = std::mem::take(&mut kept.head);
        let tail = std::mem::take(&mut kept.tail);
        let surplus = tail.len().saturating_sub(kept.bounds.tail);
        let left_out = kept.left_out + surplus as u64;
        if left_out > 0 && kept.bounds.tail > 0 {
            let line_end = if bytes.ends_with(b"\n") { "" } else { "\n" };
            bytes.extend(format!("{line_end}… {left_out} bytes left out …\n").into_bytes());
        }
        bytes.extend(&tail[surplus..]);
        CapturedOutput {
            bytes,
            cut: left_out > 0 || !kept.ended,
        }
    }

    /// Says whether it was read to its end.
    pub(super) fn has_ended(&self) -> bool {
        self.kept().ended
    }

    fn fill(&self, mut pipe: impl Read) {
        let mut chunk = vec![0; 64 << 10];
        loop {
            match pipe.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => self.kept().push(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
        self.kept().ended = true;
    }

    fn kept(&self) -> MutexGuard<'_, CapturedStream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CapturedStream {
    fn push(&mut self, bytes: &[u8]) {
        let room = self.bounds.head - self.head.len();
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(rest);
        if self.tail.len() > 2 * self.bounds.tail {
            let surplus = self.tail.len() - self.bounds.tail;
            self.tail.drain(..surplus);
            self.left_out += surplus as u64;
        }
    }
}

/// Writes `input` from a thread of its own, then closes the pipe. A program that does not want its input closes it first, which
/// is no failure of ours.
pub(super) fn feed_input<P: Write + Send + 'static>(mut pipe: P, input: Vec<u8>) -> io::Result<()> {
    thread::Builder::new()
        .spawn(move || pipe.write_all(&input))
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what is kept of `chunks`, of which the head keeps 4 bytes and the tail as many as said.
    #[track_caller]
    fn check(chunks: &[&str], tail: usize, expected: &str, cut: bool) {
        let bounds = Bounds { head: 4, tail };
        let kept = CapturedStream {
            bounds,
            head: Vec::new(),
            tail: Vec::new(),
            left_out: 0,
            ended: true,
        };
        let stream = Stream(Arc::new(Mutex::new(kept)));
        for chunk in chunks {
            stream.kept().push(chunk.as_bytes());
        }
        let captured = stream.take();
        assert_eq!(
            (
                String::from_utf8(captured.bytes).unwrap().as_str(),
                captured.cut
            ),
            (expected, cut)
        );
    }

    #[test]
    fn what_is_within_bounds_is_whole() {
        check(&[], 3, "", false);
        check(&["abcd"], 0, "abcd", false);
        check(&["ab", "cd", "efg"], 3, "abcdefg", false);
    }

    #[test]
    fn what_is_not_loses_its_middle() {
        check(&["abcdefgh"], 3, "abcd\n… 1 bytes left out …\nfgh", true);
        check(
            &["abc\n", "d", "e", "f", "g", "h", "i", "j", "k"],
            3,
            "abc\n… 5 bytes left out …\nijk",
            true,
        );
        check(&["abcdefgh", "i"], 0, "abcd", true);
    }
}
