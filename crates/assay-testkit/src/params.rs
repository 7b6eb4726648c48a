//! Names and values as a browser sends them: a query string or a posted form.

/// Names with values, in the order in which they were sent. A name may occur
/// more than once, as in a form with a multiple select.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Params(Vec<(String, String)>);

impl Params {
    /// Reads `a=1&b=two+words&c=%C3%A9`. Never fails: what is not well encoded
    /// is kept as it came.
    pub fn parse(text: &str) -> Self {
        let pairs = text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (form_decode(name), form_decode(value))
        });
        Params(pairs.collect())
    }

    /// The first value with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// All values with this name.
    pub fn all(&self, name: &str) -> Vec<&str> {
        self.iter().filter(|(key, _)| *key == name).map(|(_, value)| value).collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same by name; values of one name keep their order.
    pub(crate) fn sorted(mut self) -> Self {
        self.0.sort_by(|one, other| one.0.cmp(&other.0));
        self
    }

    pub(crate) fn push(&mut self, name: String, value: String) {
        self.0.push((name, value));
    }
}

/// Encodes everything but letters, digits and `-._~`, for use in an address.
pub fn percent_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Undoes percent encoding. A `%` without two hexadecimal digits stays a `%`.
pub(crate) fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%').then(|| hex_pair(bytes.get(at + 1..at + 3)?)).flatten();
        out.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn form_decode(text: &str) -> String {
    percent_decode(&text.replace('+', " "))
}

fn hex_pair(digits: &[u8]) -> Option<u8> {
    let high = char::from(digits[0]).to_digit(16)?;
    let low = char::from(digits[1]).to_digit(16)?;
    u8::try_from(high * 16 + low).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        assert_eq!(Params::parse(text).iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn values_are_decoded() {
        check("a=1&b=two+words&c=%C3%A9%2B", &[("a", "1"), ("b", "two words"), ("c", "é+")]);
    }

    #[test]
    fn a_name_without_a_value_has_an_empty_one() {
        check("a&b=&&c", &[("a", ""), ("b", ""), ("c", "")]);
    }

    #[test]
    fn a_broken_escape_is_kept() {
        check("a=100%&b=%zz&c=%4", &[("a", "100%"), ("b", "%zz"), ("c", "%4")]);
    }

    #[test]
    fn a_repeated_name_keeps_all_values() {
        let params = Params::parse("x=1&y=2&x=3");
        assert_eq!((params.get("x"), params.all("x")), (Some("1"), vec!["1", "3"]));
    }

    #[test]
    fn encoding_and_decoding_are_inverse() {
        let text = "a b/c?d=é&😀%";
        assert_eq!(percent_decode(&percent_encode(text)), text);
    }
}
