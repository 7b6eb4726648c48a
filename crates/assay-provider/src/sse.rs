//! Server-sent events, put together from bytes that arrive in any pieces.

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseEvent {
    /// The name, `message` where the server gives none.
    pub name: String,
    pub data: String,
}

/// More than any answer of a model has. Whoever sends more is not sending events.
const LONGEST_EVENT: usize = 32 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is longer than {LONGEST_EVENT} bytes")]
pub struct EventTooLong;

/// Reads a stream. Lines may end with LF, CR or both, and any border of a piece may lie anywhere, also
/// inside a character.
#[derive(Debug, Default)]
pub struct SseReader {
    line: Vec<u8>,
    name: String,
    data: String,
    has_data: bool,
    after_carriage_return: bool,
    past_first_line: bool,
}

impl SseReader {
    /// The events that these bytes complete.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, EventTooLong> {
        let mut events = Vec::new();
        for &byte in bytes {
            let after_carriage_return = std::mem::take(&mut self.after_carriage_return);
            match byte {
                b'\n' if after_carriage_return => {}
                b'\n' => events.extend(self.end_line()),
                b'\r' => {
                    self.after_carriage_return = true;
                    events.extend(self.end_line());
                }
                _ => {
                    if self.line.len() + self.data.len() >= LONGEST_EVENT {
                        return Err(EventTooLong);
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let line = match std::mem::replace(&mut self.past_first_line, true) {
            true => &*text,
            false => text.strip_prefix('\u{feff}').unwrap_or(&text),
        };
        if line.is_empty() {
            return self.end_event();
        }
        // A line that begins with a colon is a comment: servers send them to keep the connection open.
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.name = value.to_string(),
            "data" => {
                if self.has_data {
                    self.data.push('\n');
                }
                self.data.push_str(value);
                self.has_data = true;
            }
            _ => {}
        }
        None
    }

    fn end_event(&mut self) -> Option<SseEvent> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        if !std::mem::take(&mut self.has_data) {
            return None;
        }
        let name = if name.is_empty() { "message".to_string() } else { name };
        Some(SseEvent { name, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "\u{feff}event: a\ndata: one\n\n: a comment\r\ndata:two\r\ndata: 2½\r\nid: 7\r\n\r\nevent: lost\n\ndata\n\ndata: {\"x\":\"é – 漢\"}\r\revent: cut\ndata: never ended\n";

    fn expected() -> Vec<(String, String)> {
        [("a", "one"), ("message", "two\n2½"), ("message", ""), ("message", "{\"x\":\"é – 漢\"}")]
            .map(|(name, data)| (name.to_string(), data.to_string()))
            .to_vec()
    }

    fn read_in_pieces(pieces: &[&[u8]]) -> Vec<(String, String)> {
        let mut reader = SseReader::default();
        let mut events = Vec::new();
        for piece in pieces {
            events.extend(reader.read(piece).unwrap().into_iter().map(|event| (event.name, event.data)));
        }
        events
    }

    #[test]
    fn a_stream_is_the_same_wherever_it_is_split() {
        let bytes = STREAM.as_bytes();
        assert_eq!(read_in_pieces(&[bytes]), expected());
        for at in 0..=bytes.len() {
            let (start, end) = bytes.split_at(at);
            assert_eq!(read_in_pieces(&[start, end]), expected(), "split at {at}");
        }
    }

    #[test]
    fn a_stream_is_the_same_byte_by_byte() {
        let pieces: Vec<&[u8]> = STREAM.as_bytes().chunks(1).collect();
        assert_eq!(read_in_pieces(&pieces), expected());
    }

    #[test]
    fn an_endless_event_is_refused() {
        let mut reader = SseReader::default();
        reader.read(b"data: ").unwrap();
        let piece = vec![b'x'; 1024 * 1024];
        let refused = (0..40).find_map(|_| reader.read(&piece).err());
        assert_eq!(refused, Some(EventTooLong));
    }
}
