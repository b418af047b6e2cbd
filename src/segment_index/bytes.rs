//! Numbers and words as bytes, and back. What is read may be anybody's: whatever makes no sense is `None`.

use crate::text::Digest;

/// Bytes that are being written.
#[derive(Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    /// Puts in one byte.
    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Puts in a number, a small one in few bytes.
    pub(super) fn number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push((number & 0x7f) as u8);
    }

    /// Puts in bytes and how many they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    /// Puts in 32 bits.
    pub(super) fn word(&mut self, word: u32) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    /// Puts in 64 bits.
    pub(super) fn long(&mut self, long: u64) {
        self.0.extend_from_slice(&long.to_le_bytes());
    }

    /// Returns what was put in.
    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Bytes that are being read.
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Reader<'a> {
        Reader(bytes)
    }

    /// Takes one byte.
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// Takes a number.
    pub(super) fn number(&mut self) -> Option<usize> {
        let mut number = 0usize;
        for shift in (0..usize::BITS).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Takes as many bytes as they say.
    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.take(length)
    }

    /// Takes bytes that are text.
    pub(super) fn text(&mut self) -> Option<String> {
        std::str::from_utf8(self.bytes()?).ok().map(str::to_owned)
    }

    /// Takes so many bytes.
    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// Takes 64 bits.
    pub(super) fn long(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    /// Says whether everything was taken.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns `payload` with a digest of it and of the `place` where it belongs, ahead of it.
pub(super) fn sealed(place: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(payload.len() + 8);
    bytes.extend_from_slice(&seal(place, payload).to_le_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

/// Returns what `sealed` sealed, if it is still that and stands where it belongs.
pub(super) fn unsealed(place: u64, bytes: &[u8]) -> Option<&[u8]> {
    let (written, payload) = bytes.split_at_checked(8)?;
    (u64::from_le_bytes(written.try_into().ok()?) == seal(place, payload)).then_some(payload)
}

fn seal(place: u64, payload: &[u8]) -> u64 {
    let mut digest = Digest::default();
    digest.number(place);
    digest.text(payload);
    digest.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let numbers = [
            0,
            1,
            127,
            128,
            16_383,
            16_384,
            u32::MAX as usize,
            usize::MAX,
        ];
        let mut writer = Writer::default();
        numbers.iter().for_each(|&number| writer.number(number));
        writer.bytes("bläh".as_bytes());
        writer.long(u64::MAX - 1);
        let bytes = writer.finish();
        let mut reader = Reader::of(&bytes);
        for number in numbers {
            assert_eq!(reader.number(), Some(number));
        }
        assert_eq!(reader.text().as_deref(), Some("bläh"));
        assert_eq!(reader.long(), Some(u64::MAX - 1));
        assert!(reader.is_empty());
        assert_eq!(
            (reader.byte(), reader.number(), reader.text()),
            (None, None, None)
        );
    }

    #[test]
    fn numbers_without_an_end_and_lengths_past_it_are_nothing() {
        assert_eq!(Reader::of(&[0xff; 30]).number(), None);
        assert_eq!(Reader::of(&[200, 1, b'a']).bytes(), None);
        assert_eq!(Reader::of(&[2, 0xff, 0xfe]).text(), None);
    }

    #[test]
    fn a_seal_holds_for_its_bytes_and_its_place() {
        let bytes = sealed(7, b"payload");
        assert_eq!(unsealed(7, &bytes), Some(&b"payload"[..]));
        assert_eq!(unsealed(8, &bytes), None);
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 4;
            assert_eq!(unsealed(7, &flipped), None, "{at}");
            assert_eq!(unsealed(7, &bytes[..at]), None, "{at}");
        }
    }
}
