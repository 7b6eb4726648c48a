//! Messages as a browser keeps them itself, instead of text that it turns into them and back.
//!
//! Of CBOR this is the part that is spoken over pipes: maps and arrays without a length, each in an envelope that tells how
//! long it is; whole numbers of 32 bits, others as doubles; text as UTF-8, or as UTF-16 in a string of bytes; files as a
//! string of bytes behind a tag. Knows nothing of what messages say.

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

const ENVELOPE: [u8; 3] = [0xd8, 0x18, 0x5a];
/// The mark of an envelope, and the length of what is in it.
const HEADER: usize = 7;
const FILE: u8 = 0xd6;
const ARRAY: u8 = 0x9f;
const MAP: u8 = 0xbf;
const END: u8 = 0xff;
const FALSE: u8 = 0xf4;
const TRUE: u8 = 0xf5;
const NULL: u8 = 0xf6;
const DOUBLE: u8 = 0xfb;
/// The first three bits of a byte say what it begins.
const POSITIVE: u8 = 0;
const NEGATIVE: u8 = 1 << 5;
const BYTES: u8 = 2 << 5;
const TEXT: u8 = 3 << 5;

/// Deeper than a script's value is when a browser gives it away (1,000). What is deeper is not read.
const DEPTH: usize = 1100;

pub(crate) fn write(value: &Value) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    put(value, &mut out);
    out
}

fn put(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.push(NULL),
        Value::Bool(is_true) => out.push(if *is_true { TRUE } else { FALSE }),
        Value::Number(number) => put_number(number.as_f64().unwrap_or_default(), out),
        Value::String(text) => put_text(text, out),
        Value::Array(values) => put_envelope(out, |out| {
            out.push(ARRAY);
            values.iter().for_each(|value| put(value, out));
            out.push(END);
        }),
        Value::Object(entries) => put_envelope(out, |out| {
            out.push(MAP);
            for (name, value) in entries {
                put_text(name, out);
                put(value, out);
            }
            out.push(END);
        }),
    }
}

/// Whole numbers as such, even those of a double: where one is wanted, no other is taken.
fn put_number(number: f64, out: &mut Vec<u8>) {
    let whole = number as i32;
    if f64::from(whole) != number {
        out.push(DOUBLE);
        out.extend_from_slice(&number.to_be_bytes());
    } else if whole < 0 {
        put_length(NEGATIVE, !whole as u32, out);
    } else {
        put_length(POSITIVE, whole as u32, out);
    }
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    put_length(TEXT, text.len() as u32, out);
    out.extend_from_slice(text.as_bytes());
}

fn put_length(kind: u8, length: u32, out: &mut Vec<u8>) {
    match length {
        0..24 => out.push(kind | length as u8),
        24..0x100 => out.extend_from_slice(&[kind | 24, length as u8]),
        0x100..0x1_0000 => {
            out.push(kind | 25);
            out.extend_from_slice(&(length as u16).to_be_bytes());
        }
        _ => {
            out.push(kind | 26);
            out.extend_from_slice(&length.to_be_bytes());
        }
    }
}

fn put_envelope(out: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(&ENVELOPE);
    let at = out.len();
    out.extend_from_slice(&[0; 4]);
    fill(out);
    let length = (out.len() - at - 4) as u32;
    out[at..at + 4].copy_from_slice(&length.to_be_bytes());
}

/// What lies at the beginning of a stream of messages.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// A whole message of this length.
    Message(usize),
    /// The beginning of a message of this length, with its id: it is too long to be kept.
    TooLong(usize),
    Part,
    /// Something else, after which nothing can be told apart.
    Noise,
}

/// The id of a reply stands within so many bytes.
const ID_WITHIN: usize = HEADER + 16;

pub(crate) fn first(stream: &[u8], longest: usize) -> First {
    let known = stream.len().min(ENVELOPE.len());
    if stream[..known] != ENVELOPE[..known] {
        return First::Noise;
    }
    let Some(length) = stream.get(3..HEADER).and_then(|length| length.try_into().ok()) else {
        return First::Part;
    };
    let whole = HEADER + u32::from_be_bytes(length) as usize;
    match stream.len() {
        there if whole > longest && there >= whole.min(ID_WITHIN) => First::TooLong(whole),
        there if whole > longest || there < whole => First::Part,
        _ => First::Message(whole),
    }
}

/// A message as text. None for one that is broken.
pub(crate) fn read(message: &[u8]) -> Option<Vec<u8>> {
    let mut reader = Reader { rest: message, out: Vec::with_capacity(message.len() * 2) };
    reader.value(0)?;
    reader.rest.is_empty().then_some(reader.out)
}

/// The id that a message begins with, if it begins with one. Serves for messages that cannot be read.
pub(crate) fn id(message: &[u8]) -> Option<u64> {
    let rest = message.get(HEADER..)?.strip_prefix(&[MAP, TEXT | 2, b'i', b'd'])?;
    let mut reader = Reader { rest, out: Vec::new() };
    let first = reader.byte().filter(|first| first & 0xe0 == POSITIVE)?;
    reader.length(first).map(|id| id as u64)
}

struct Reader<'a> {
    rest: &'a [u8],
    out: Vec<u8>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    fn length(&mut self, first: u8) -> Option<usize> {
        match first & 0x1f {
            small @ 0..24 => Some(small.into()),
            24 => self.byte().map(usize::from),
            25 => self.take(2)?.try_into().ok().map(|bytes| u16::from_be_bytes(bytes).into()),
            26 => self.take(4)?.try_into().ok().map(|bytes| u32::from_be_bytes(bytes) as usize),
            _ => None,
        }
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        let mut first = self.byte()?;
        if first == ENVELOPE[0] {
            // The lengths of envelopes are for who wants to skip them.
            self.take(HEADER - 1).filter(|header| header[..2] == ENVELOPE[1..])?;
            first = self.byte().filter(|first| matches!(*first, ARRAY | MAP))?;
        }
        match first {
            FALSE => self.out.extend_from_slice(b"false"),
            TRUE => self.out.extend_from_slice(b"true"),
            NULL => self.out.extend_from_slice(b"null"),
            DOUBLE => {
                let number = f64::from_be_bytes(self.take(8)?.try_into().ok()?);
                self.number(number)?;
            }
            ARRAY => self.array(depth)?,
            MAP => self.map(depth)?,
            FILE => {
                let kind = self.byte().filter(|kind| kind & 0xe0 == BYTES)?;
                let length = self.length(kind)?;
                let file = BASE64_STANDARD.encode(self.take(length)?);
                self.text(&file)?;
            }
            _ => self.plain(first)?,
        }
        Some(())
    }

    fn plain(&mut self, first: u8) -> Option<()> {
        let length = self.length(first)?;
        match first & 0xe0 {
            POSITIVE => write!(self.out, "{length}").ok(),
            NEGATIVE => write!(self.out, "{}", -1 - i64::try_from(length).ok()?).ok(),
            TEXT => {
                let text = String::from_utf8_lossy(self.take(length)?);
                self.text(&text)
            }
            BYTES => {
                let units =
                    self.take(length)?.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
                let text: String = char::decode_utf16(units)
                    .map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect();
                self.text(&text)
            }
            _ => None,
        }
    }

    /// Whole numbers are written as such: those who read them may want no others.
    fn number(&mut self, number: f64) -> Option<()> {
        let is_whole = number.fract() == 0.0 && number.abs() < 2f64.powi(63);
        if is_whole {
            write!(self.out, "{}", number as i64).ok()
        } else {
            serde_json::to_writer(&mut self.out, &number).ok()
        }
    }

    fn text(&mut self, text: &str) -> Option<()> {
        serde_json::to_writer(&mut self.out, text).ok()
    }

    fn array(&mut self, depth: usize) -> Option<()> {
        self.listed(*b"[]", |reader| reader.value(depth + 1))
    }

    fn map(&mut self, depth: usize) -> Option<()> {
        self.listed(*b"{}", |reader| {
            let name = reader.byte().filter(|first| matches!(first & 0xe0, TEXT | BYTES))?;
            reader.plain(name)?;
            reader.out.push(b':');
            reader.value(depth + 1)
        })
    }

    /// All items up to the end of what is listed, with commas between them.
    fn listed(&mut self, brackets: [u8; 2], item: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        self.out.push(brackets[0]);
        let mut is_first = true;
        while !self.ended()? {
            if !std::mem::take(&mut is_first) {
                self.out.push(b',');
            }
            item(self)?;
        }
        self.out.push(brackets[1]);
        Some(())
    }

    fn ended(&mut self) -> Option<bool> {
        let is_over = *self.rest.first()? == END;
        if is_over {
            self.rest = &self.rest[1..];
        }
        Some(is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn there_and_back(value: &Value) -> Value {
        let written = write(value);
        assert_eq!(first(&written, usize::MAX), First::Message(written.len()));
        serde_json::from_slice(&read(&written).unwrap()).unwrap()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let message = json!({
            "id": 7, "method": "Runtime.evaluate", "sessionId": "F00",
            "params": {
                "numbers": [0, 23, 24, 255, 256, 65535, 65536, 2_147_483_647, -1, -24, -25, -2_147_483_648_i64, 0.5],
                "text": ["", "\"\\\n\u{1}", "Größe \u{1f6a2}", "x".repeat(70_000)],
                "others": [true, false, null, {}, []],
            },
        });
        assert_eq!(there_and_back(&message), message);
        // What does not fit into 32 bits is a double, and whole all the same.
        let large = json!({ "at": [1_794_850_591_469_u64, 1_u64 << 60, -9e15 as i64, f64::MAX, 5e-324] });
        assert_eq!(there_and_back(&large), large);
        // What is whole is written as such, whatever it was kept in.
        assert_eq!(write(&json!([800.0, -1.0, -0.0])), write(&json!([800, -1, 0])));
    }

    #[test]
    fn what_only_the_browser_writes_is_read() {
        let body = |inside: &[u8]| {
            let mut bytes = ENVELOPE.to_vec();
            bytes.extend_from_slice(&(inside.len() as u32).to_be_bytes());
            bytes.extend_from_slice(inside);
            bytes
        };
        let text = |inside: &[u8]| read(&body(inside)).map(|read| String::from_utf8(read).unwrap());
        let utf16 = [ARRAY, BYTES | 6, 0x3d, 0xd8, 0xa2, 0xde, 0x00, 0xd8, END];
        assert_eq!(text(&utf16).as_deref(), Some("[\"\u{1f6a2}\u{fffd}\"]"));
        assert_eq!(text(&[ARRAY, FILE, BYTES | 3, 1, 2, 3, END]).as_deref(), Some(r#"["AQID"]"#));
        for (number, wanted) in
            [(1280.0, "[1280]"), (-0.0, "[0]"), (f64::NAN, "[null]"), (f64::MAX, "[1.7976931348623157e+308]")]
        {
            let mut inside = vec![ARRAY, DOUBLE];
            inside.extend_from_slice(&f64::to_be_bytes(number));
            inside.push(END);
            assert_eq!(text(&inside).as_deref(), Some(wanted));
        }
        let broken: [&[u8]; 4] =
            [&[ARRAY], &[MAP, POSITIVE, TRUE, END], &[ARRAY, TEXT | 9, b'x', END], &[TRUE, TRUE]];
        for broken in broken {
            assert_eq!(text(broken), None, "{broken:?}");
        }
    }

    #[test]
    fn a_message_too_deep_to_be_read_is_known_by_its_id() {
        let nested = |levels: usize| {
            let inside = (0..levels).fold(json!([]), |inside, _| json!([inside]));
            write(&json!({ "id": 300, "result": inside }))
        };
        assert!(read(&nested(1000)).is_some());
        let too_deep = nested(1200);
        assert_eq!(read(&too_deep), None);
        assert_eq!(id(&too_deep), Some(300));
        assert_eq!(id(&write(&json!({ "method": "Page.loaded" }))), None);
        // Nor does anything overflow that is deeper by far, in envelopes or without.
        for level in [&[ARRAY][..], &write(&json!([]))[..=HEADER]] {
            assert_eq!(read(&level.repeat(100_000)), None);
        }
    }

    #[test]
    fn a_stream_is_cut_where_messages_end() {
        let mut stream = write(&json!({ "id": 1 }));
        let length = stream.len();
        let first = |stream: &[u8]| first(stream, 1000);
        assert_eq!(first(&stream[..0]), First::Part);
        assert_eq!(first(&stream[..5]), First::Part);
        assert_eq!(first(&stream[..length - 1]), First::Part);
        stream.extend_from_slice(b"more");
        assert_eq!(first(&stream), First::Message(length));
        assert_eq!(first(b"{\"id\":1}"), First::Noise);
    }

    #[test]
    fn a_message_that_is_too_long_is_known_by_its_beginning() {
        let stream = write(&json!({ "id": 70_000, "result": "x".repeat(2000) }));
        assert_eq!(first(&stream, 5000), First::Message(stream.len()));
        assert_eq!(first(&stream[..HEADER + 4], 1000), First::Part);
        let beginning = &stream[..ID_WITHIN];
        assert_eq!(first(beginning, 1000), First::TooLong(stream.len()));
        assert_eq!(id(beginning), Some(70_000));
    }
}
