//! The few shapes of GLib's serialised values that the inspector's socket uses.
//!
//! Everything is little-endian and aligned as GLib wants it. Whatever arrives is taken as untrusted: what
//! does not fit is an error, never a panic.

/// A page or the automation session, as the browser lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    pub id: u64,
    pub kind: String,
    pub url: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the browser sent an unreadable message")]
pub(crate) struct Malformed;

/// `(sa{sv})` with an empty dictionary.
pub(crate) fn session_request(session: &str) -> Vec<u8> {
    let mut bytes = text(session);
    let end = bytes.len();
    bytes.resize(end.next_multiple_of(8), 0);
    // Of a text this short the offset always fits one byte.
    bytes.push(end as u8);
    bytes
}

/// `(tt)`
pub(crate) fn numbers(one: u64, two: u64) -> Vec<u8> {
    [one.to_le_bytes(), two.to_le_bytes()].concat()
}

/// `(tts)`
pub(crate) fn message(one: u64, two: u64, content: &str) -> Vec<u8> {
    let mut bytes = numbers(one, two);
    bytes.extend_from_slice(&text(content));
    bytes
}

fn text(content: &str) -> Vec<u8> {
    let mut bytes = content.as_bytes().to_vec();
    bytes.push(0);
    bytes
}

/// `(tts)`: the target and the text.
pub(crate) fn read_message(bytes: &[u8]) -> Result<(u64, &str), Malformed> {
    let target = number(bytes, 8)?;
    Ok((target, first_text(bytes.get(16..).ok_or(Malformed)?)?.0))
}

/// `(ss)`
pub(crate) fn read_texts(bytes: &[u8]) -> Result<(String, String), Malformed> {
    let (one, rest) = first_text(bytes)?;
    let (two, _) = first_text(rest)?;
    Ok((one.to_string(), two.to_string()))
}

/// `(ta(tsssb))`: the connection's number, then what there is.
pub(crate) fn read_list(bytes: &[u8]) -> Result<(u64, Vec<Listed>), Malformed> {
    let connection = number(bytes, 0)?;
    let array = bytes.get(8..).ok_or(Malformed)?;
    let mut listed = Vec::new();
    let mut start = 0_usize;
    for end in element_ends(array)? {
        start = start.next_multiple_of(8);
        let element = array.get(start..end).ok_or(Malformed)?;
        listed.push(read_listed(element)?);
        start = end;
    }
    Ok((connection, listed))
}

fn read_listed(element: &[u8]) -> Result<Listed, Malformed> {
    let id = number(element, 0)?;
    let (kind, rest) = first_text(element.get(8..).ok_or(Malformed)?)?;
    let (_name, rest) = first_text(rest)?;
    let (url, _) = first_text(rest)?;
    Ok(Listed { id, kind: kind.to_string(), url: url.to_string() })
}

/// An array of elements without a fixed size ends in a table of where each ends. The size of its entries
/// depends on the size of the whole, and its last entry is where the table itself begins.
fn element_ends(array: &[u8]) -> Result<Vec<usize>, Malformed> {
    if array.is_empty() {
        return Ok(Vec::new());
    }
    let width = match array.len() {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    };
    let entry = |at: usize| -> Result<usize, Malformed> {
        let bytes = array.get(at..at + width).ok_or(Malformed)?;
        Ok(bytes.iter().rev().fold(0, |value, byte| value << 8 | usize::from(*byte)))
    };
    let table = entry(array.len().checked_sub(width).ok_or(Malformed)?)?;
    let length = array.len().checked_sub(table).ok_or(Malformed)?;
    if length == 0 || length % width != 0 {
        return Err(Malformed);
    }
    (table..array.len()).step_by(width).map(entry).collect()
}

fn number(bytes: &[u8], at: usize) -> Result<u64, Malformed> {
    let eight = bytes.get(at..at + 8).and_then(|slice| slice.try_into().ok()).ok_or(Malformed)?;
    Ok(u64::from_le_bytes(eight))
}

fn first_text(bytes: &[u8]) -> Result<(&str, &[u8]), Malformed> {
    let end = bytes.iter().position(|byte| *byte == 0).ok_or(Malformed)?;
    let content = std::str::from_utf8(&bytes[..end]).map_err(|_| Malformed)?;
    Ok((content, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(connection: u64, targets: &[(u64, &str, &str, &str)], width: usize) -> Vec<u8> {
        let mut array = Vec::new();
        let mut ends = Vec::new();
        for (id, kind, name, url) in targets {
            array.resize(array.len().next_multiple_of(8), 0);
            let start = array.len();
            array.extend_from_slice(&id.to_le_bytes());
            let mut offsets = Vec::new();
            for part in [kind, name, url] {
                array.extend_from_slice(&text(part));
                offsets.push(array.len() - start);
            }
            array.push(1);
            for offset in offsets.iter().rev() {
                array.extend_from_slice(&offset.to_le_bytes()[..1]);
            }
            ends.push(array.len());
        }
        for end in ends {
            array.extend_from_slice(&end.to_le_bytes()[..width]);
        }
        [connection.to_le_bytes().to_vec(), array].concat()
    }

    #[test]
    fn a_session_is_asked_for_with_an_empty_dictionary() {
        let bytes = session_request("0123456789");
        assert_eq!(&bytes[..11], b"0123456789\0");
        assert_eq!(bytes.len(), 17);
        assert_eq!(bytes[16], 11);
    }

    #[test]
    fn a_message_comes_back_as_it_was_sent() {
        let bytes = message(3, 9, "{\"id\":1}");
        assert_eq!(read_message(&bytes), Ok((9, "{\"id\":1}")));
    }

    #[test]
    fn a_short_list_has_offsets_of_one_byte() {
        let bytes = list(7, &[(1, "WebPage", "", "about:blank"), (2, "Automation", "x", "null")], 1);
        let (connection, listed) = read_list(&bytes).unwrap();
        assert_eq!(connection, 7);
        assert_eq!(listed[0], Listed { id: 1, kind: "WebPage".into(), url: "about:blank".into() });
        assert_eq!((listed[1].id, listed[1].kind.as_str()), (2, "Automation"));
    }

    #[test]
    fn a_long_list_has_offsets_of_two_bytes() {
        let url = format!("http://127.0.0.1/{}", "a".repeat(90));
        let targets: Vec<(u64, &str, &str, &str)> =
            (1..5).map(|id| (id, "WebPage", "", url.as_str())).collect();
        let (_, listed) = read_list(&list(1, &targets, 2)).unwrap();
        assert_eq!(listed.iter().map(|target| target.id).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(listed[3].url, url);
    }

    #[test]
    fn an_empty_list_is_one() {
        assert_eq!(read_list(&5_u64.to_le_bytes()), Ok((5, Vec::new())));
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let good = list(7, &[(1, "WebPage", "", "about:blank")], 1);
        for length in 0..good.len() {
            // Every cut is either refused or read as something shorter; none may panic.
            let _ = read_list(&good[..length]);
        }
        for at in 0..good.len() {
            for value in [0, 1, 7, 127, 255] {
                let mut bad = good.clone();
                bad[at] = value;
                let _ = read_list(&bad);
                let _ = read_message(&bad);
                let _ = read_texts(&bad);
            }
        }
        assert_eq!(read_list(b"1234"), Err(Malformed));
        assert_eq!(read_message(&numbers(1, 2)), Err(Malformed));
        assert_eq!(read_message(&[numbers(1, 2), vec![0xff, 0]].concat()), Err(Malformed));
    }
}
