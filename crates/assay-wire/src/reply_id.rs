//! Finds the call that an unreadable reply belongs to. The caller then fails at once, without waiting for its deadline.

/// The id of a reply whose JSON is broken. Events have none.
///
/// The search walks the members of the outermost object and skips their contents. If the broken part hides the id, the
/// end of the message may still hold it.
pub fn reply_id(message: &[u8]) -> Option<u64> {
    Members { rest: message }.id().or_else(|| id_at_end(message))
}

/// The id of a message that ends in it: `…,"id":4}`. Serves where only the end of a message is known.
pub fn id_at_end(message: &[u8]) -> Option<u64> {
    let before_brace = message.trim_ascii_end().strip_suffix(b"}")?;
    let digits = before_brace.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (name, digits) = before_brace.split_at(before_brace.len() - digits);
    name.ends_with(b"\"id\":").then(|| number(digits))?
}

struct Members<'a> {
    rest: &'a [u8],
}

impl Members<'_> {
    fn id(&mut self) -> Option<u64> {
        self.byte(b'{')?;
        loop {
            let is_id = self.text()? == b"id";
            self.byte(b':')?;
            if is_id {
                self.rest = self.rest.trim_ascii_start();
                let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                return number(&self.rest[..digits]);
            }
            self.pass_value()?;
        }
    }

    fn byte(&mut self, wanted: u8) -> Option<()> {
        self.rest = self.rest.trim_ascii_start().strip_prefix(&[wanted])?;
        Some(())
    }

    /// What stands between quotation marks, as it is written.
    fn text(&mut self) -> Option<&[u8]> {
        self.byte(b'"')?;
        let whole = self.rest;
        let mut at = 0;
        loop {
            match whole.get(at)? {
                b'\\' => at += 2,
                b'"' => break,
                _ => at += 1,
            }
        }
        self.rest = &whole[at + 1..];
        Some(&whole[..at])
    }

    /// Goes behind the comma that ends this value. None where the object ends.
    fn pass_value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match *self.rest.first()? {
                b'"' => {
                    self.text()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.checked_sub(1)?,
                b',' if depth == 0 => return self.byte(b','),
                _ => {}
            }
            self.rest = &self.rest[1..];
        }
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: Option<u64>) {
        assert!(serde_json::from_str::<serde_json::Value>(message).is_err(), "{message} can be read");
        assert_eq!(reply_id(message.as_bytes()), expected, "{message}");
    }

    #[test]
    fn the_id_of_a_broken_reply_is_found_wherever_it_stands() {
        check(r#"{"id":7,"result":{"value":nonsense}}"#, Some(7));
        check(r#"{"type":"success", "id" : 12 , "result":{"a":[1,2"#, Some(12));
        check(r#"{"result":{"text":"\q","list":[{"id":3}, {}]},"id":4}"#, Some(4));
        check(r#"{"result":{"text":"}]\",","x":01},"id":5}"#, Some(5));
        // What is broken hides where the value ends, but not the end of the message.
        check("{\"result\":{\"text\":\"never closed},\"id\":6}", Some(6));
    }

    #[test]
    fn no_other_number_is_taken_for_the_id_of_a_reply() {
        check(r#"{"method":"Page.loaded","params":{"id":8,"text":nonsense}}"#, None);
        check(r#"{"method":"Log","params":{"text":"\"id\":9}",x}}"#, None);
        check(r#"{"id":"4","result":nonsense}"#, None);
        check(r#"{"id":99999999999999999999999,"result":nonsense}"#, None);
        for noise in ["", "{", "}", "[1,2", "{\"", "\"id\":1", "{\"id\"", "{\"id\":", "{\"a\\"] {
            check(noise, None);
        }
    }

    #[test]
    fn the_end_of_a_message_is_enough() {
        assert_eq!(id_at_end(br#"rest of a picture"},"id":31}"#), Some(31));
        assert_eq!(id_at_end(br#""params":{"id":31}}"#), None);
        assert_eq!(id_at_end(b""), None);
    }
}
