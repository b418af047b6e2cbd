//! Objects as zlib streams, on all processors where one is large.

use std::cell::Cell;

use flate2::{Compress, Compression, FlushCompress, Status};
use zlib_rs::adler32::{adler32, adler32_combine};

use crate::parallel;

/// Deflates one object after the other: what zlib sets up for it costs more than a small object.
pub(super) struct Deflater {
    pub(super) level: Compression,
    state: Option<Compress>,
}

thread_local! {
    /// That of the last deflater of this thread, for the next one: a commit and its entry in the history are written one after the
    /// other.
    static SPARE: Cell<Option<(Compression, Compress)>> = const { Cell::new(None) };
}

impl Drop for Deflater {
    fn drop(&mut self) {
        if let Some(state) = self.state.take() {
            // Where the thread ends, nobody needs it.
            let _ = SPARE.try_with(|spare| spare.set(Some((self.level, state))));
        }
    }
}

impl Deflater {
    pub(super) fn new(level: Compression) -> Deflater {
        Deflater { level, state: None }
    }

    /// Returns what to deflate the next object with, set up as for the first.
    fn ready(&mut self) -> &mut Compress {
        if self.state.is_none() {
            let spare = SPARE.try_with(Cell::take).ok().flatten();
            self.state = spare
                .filter(|(level, _)| *level == self.level)
                .map(|(_, state)| state);
        }
        let level = self.level;
        match &mut self.state {
            Some(state) => {
                state.reset();
                state
            }
            none => none.insert(Compress::new(level, true)),
        }
    }

    /// Returns the `pieces`, one after the other, as one zlib stream.
    pub(super) fn deflated(&mut self, pieces: &[&[u8]]) -> std::io::Result<Vec<u8>> {
        let state = self.ready();
        let mut out = Vec::with_capacity(bound(pieces.iter().map(|piece| piece.len()).sum()));
        for (number, piece) in pieces.iter().enumerate() {
            let is_last = number + 1 == pieces.len();
            feed(
                state,
                piece,
                if is_last {
                    FlushCompress::Finish
                } else {
                    FlushCompress::None
                },
                &mut out,
            )?;
        }
        Ok(out)
    }
}

/// Returns `head` and `body`, one after the other, as one zlib stream, its pieces deflated on all processors. Each but the last
/// ends on a whole byte, so that they can stand behind one another (RFC 1950 and 1951; pigz does the same).
pub(super) fn deflated_apart(
    level: Compression,
    head: &[u8],
    body: &[u8],
) -> std::io::Result<Vec<u8>> {
    /// So much takes longer to deflate than a thread to begin.
    const LEAST: usize = 128 << 10;
    /// Deflate, a window of 32 KiB, and no word on how hard it was tried.
    const HEADER: [u8; 2] = [0x78, 0x01];
    let pieces: Vec<&[u8]> = body
        .chunks(body.len().div_ceil(parallel::width()).max(LEAST))
        .collect();
    let last = pieces.len().saturating_sub(1);
    let deflated = |(number, piece): (usize, &[u8])| {
        let mut state = Compress::new(level, false);
        let mut out = Vec::with_capacity(bound(head.len() + piece.len()));
        if number == 0 {
            feed(&mut state, head, FlushCompress::None, &mut out)?;
        }
        feed(
            &mut state,
            piece,
            if number == last {
                FlushCompress::Finish
            } else {
                FlushCompress::Sync
            },
            &mut out,
        )?;
        Ok((out, adler32(1, piece), piece.len() as u64))
    };
    let deflated: std::io::Result<Vec<_>> =
        parallel::each(pieces.into_iter().enumerate().collect(), deflated)
            .into_iter()
            .collect();
    let mut stream = HEADER.to_vec();
    let mut checksum = adler32(1, head);
    for (bytes, of_piece, length) in deflated? {
        stream.extend(bytes);
        checksum = adler32_combine(checksum, of_piece, length);
    }
    stream.extend(checksum.to_be_bytes());
    Ok(stream)
}

/// Returns how long what is deflated becomes at most, as zlib's `compressBound` reckons, so that `feed` goes round once.
fn bound(length: usize) -> usize {
    length + length / 1000 + 64
}

/// Deflates `piece` to the end of `out`.
fn feed(
    state: &mut Compress,
    piece: &[u8],
    flush: FlushCompress,
    out: &mut Vec<u8>,
) -> std::io::Result<()> {
    let start = state.total_in();
    loop {
        let taken = usize::try_from(state.total_in() - start).unwrap_or(piece.len());
        let rest = piece.get(taken..).unwrap_or_default();
        if rest.is_empty() && flush == FlushCompress::None {
            return Ok(());
        }
        match state.compress_vec(rest, out, flush)? {
            Status::StreamEnd => return Ok(()),
            // All of a flush is out when there is room left behind it.
            Status::Ok | Status::BufError
                if flush == FlushCompress::Sync && out.len() < out.capacity() =>
            {
                return Ok(());
            }
            Status::Ok | Status::BufError => out.reserve(rest.len() / 2 + 64),
        }
    }
}
