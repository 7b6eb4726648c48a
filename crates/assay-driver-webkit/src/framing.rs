//! How messages are cut out of the inspector's stream: a length, an order of bytes, a name and a body.

use crate::gvariant::Malformed;

const LITTLE_ENDIAN: u8 = 1;
const HEADER: usize = 5;
/// Nothing the browser says is as long; what claims to be is not a frame.
const NO_FRAME: usize = 1 << 30;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Framed<'a> {
    pub name: &'a str,
    pub body: &'a [u8],
    /// Of the whole frame.
    pub length: usize,
}

pub(crate) fn frame(name: &str, body: &[u8]) -> Vec<u8> {
    let length = name.len() + 1 + body.len();
    let mut bytes = Vec::with_capacity(HEADER + length);
    bytes.extend_from_slice(&(length as u32).to_be_bytes());
    bytes.push(LITTLE_ENDIAN);
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(0);
    bytes.extend_from_slice(body);
    bytes
}

/// What a stream of frames begins with.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NextFrame<'a> {
    Whole(Framed<'a>),
    /// A frame of this length, with its header, that is too long to be kept.
    TooLong(usize),
    Part,
}

pub(crate) fn next_frame(bytes: &[u8], longest: usize) -> Result<NextFrame<'_>, Malformed> {
    let Some(header) = bytes.first_chunk::<HEADER>() else { return Ok(NextFrame::Part) };
    let length = u32::from_be_bytes([header[0], header[1], header[2], header[3]]) as usize;
    if length > NO_FRAME || header[4] & LITTLE_ENDIAN == 0 {
        return Err(Malformed);
    }
    if length > longest {
        return Ok(NextFrame::TooLong(HEADER + length));
    }
    let Some(frame) = bytes.get(HEADER..HEADER + length) else { return Ok(NextFrame::Part) };
    let end = frame.iter().position(|byte| *byte == 0).ok_or(Malformed)?;
    let name = std::str::from_utf8(&frame[..end]).map_err(|_| Malformed)?;
    Ok(NextFrame::Whole(Framed { name, body: &frame[end + 1..], length: HEADER + length }))
}

/// A frame that is passed over: only its end is kept, because replies say there whose they are.
pub(crate) struct Tail {
    length: usize,
    left: usize,
    end: Vec<u8>,
}

/// Enough for an id, and what stands behind it.
const KEPT_OF_TAIL: usize = 64;

impl Tail {
    pub fn of(length: usize) -> Tail {
        Tail { length, left: length, end: Vec::new() }
    }

    /// Passes over the bytes of this frame at the beginning of `bytes`, and returns how many they are.
    pub fn pass(&mut self, bytes: &[u8]) -> usize {
        let own = &bytes[..bytes.len().min(self.left)];
        self.left -= own.len();
        self.end.extend_from_slice(&own[own.len().saturating_sub(KEPT_OF_TAIL)..]);
        self.end.drain(..self.end.len().saturating_sub(KEPT_OF_TAIL));
        own.len()
    }

    pub fn is_over(&self) -> bool {
        self.left == 0
    }

    pub fn length(&self) -> usize {
        self.length
    }

    /// The last bytes so far.
    pub fn end(&self) -> &[u8] {
        &self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_when_it_is_all_there() {
        let bytes = [frame("Setup", b"abc"), frame("More", b"")].concat();
        let whole = |name, body: &'static [u8], length| Ok(NextFrame::Whole(Framed { name, body, length }));
        assert_eq!(next_frame(&bytes, 100), whole("Setup", b"abc", 14));
        assert_eq!(next_frame(&bytes[14..], 100), whole("More", b"", 10));
        for length in 0..14 {
            assert_eq!(next_frame(&bytes[..length], 100), Ok(NextFrame::Part));
        }
    }

    #[test]
    fn what_is_no_frame_is_an_error() {
        for noise in [&b"GET / HTTP/1.1\r\n"[..], b"\0\0\0\x03\x01abc", b"\0\0\0\x03\0ab\0"] {
            assert_eq!(next_frame(noise, 100), Err(Malformed));
        }
    }

    #[test]
    fn of_a_frame_that_is_too_long_only_the_end_is_kept() {
        let mut bytes = frame("SendMessageToFrontend", &[b'x'; 500]);
        let end = bytes.len();
        bytes.extend_from_slice(b"next");
        assert_eq!(next_frame(&bytes[..HEADER], 100), Ok(NextFrame::TooLong(end)));
        let mut tail = Tail::of(end);
        let mut passed = 0;
        for piece in bytes.chunks(37) {
            passed += tail.pass(piece);
        }
        assert!(tail.is_over());
        assert_eq!((passed, tail.length(), tail.end()), (end, end, &[b'x'; KEPT_OF_TAIL][..]));
    }
}
