//! Bytes in ASCII: as hexadecimal digits, as base64, with percent signs. Home of the crates that know how.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{
    AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode,
};

/// What a path keeps in a URI: the unreserved characters of RFC 3986, section 2.3, and `/`.
const IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// Returns bytes as hexadecimal digits, in lower case.
pub fn to_hexadecimal(bytes: &[u8]) -> String {
    faster_hex::hex_string(bytes)
}

/// Returns the bytes that hexadecimal digits of either case stand for; `None` where something else is among them, or their
/// number is odd.
pub fn from_hexadecimal(digits: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = vec![0; digits.len() / 2];
    let is_even = digits.len().is_multiple_of(2);
    (is_even && faster_hex::hex_decode(digits, &mut bytes).is_ok()).then_some(bytes)
}

/// Returns bytes in base64, with padding (RFC 4648, section 4).
pub fn to_base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Returns a path as a relative URI reference.
pub fn path_to_uri(path: &str) -> String {
    utf8_percent_encode(path, IN_PATHS).to_string()
}

/// Returns `text` with `%20` and the like turned into the bytes that they stand for; what is no such escape stays.
pub fn from_percent(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Returns `text` with blanks, and what is not ASCII, written as `%20` and the like.
pub fn to_percent(text: &str) -> String {
    const BLANKS: &AsciiSet = &CONTROLS.add(b' ');
    utf8_percent_encode(text, BLANKS).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(to_base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn hexadecimal_goes_both_ways() {
        assert_eq!(to_hexadecimal(&[0, 0x0f, 0xa0, 0xff]), "000fa0ff");
        assert_eq!(
            from_hexadecimal(b"000fA0ff"),
            Some(vec![0, 0x0f, 0xa0, 0xff])
        );
        assert_eq!(from_hexadecimal(b""), Some(Vec::new()));
        assert_eq!(from_hexadecimal(b"0"), None);
        assert_eq!(from_hexadecimal(b"0g"), None);
    }

    #[test]
    fn escapes_of_uris_stand_for_bytes() {
        assert_eq!(path_to_uri("a b/ü~-._.py"), "a%20b/%C3%BC~-._.py");
        assert_eq!(from_percent("a%20b/%c3%BC~"), "a b/ü~");
        assert_eq!(from_percent("100%, %g0, %2"), "100%, %g0, %2");
    }
}
