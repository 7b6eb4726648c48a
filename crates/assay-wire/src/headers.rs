//! The headers of a request, as inspector protocols write them.

use std::collections::HashMap;

use serde::Deserialize;

/// Headers as an object of names and values. Engines keep the letters of a name as the page wrote them.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Headers(HashMap<String, String>);

impl Headers {
    /// The value of a header, whatever the case of its name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let same = |(known, _): &(&String, &String)| known.eq_ignore_ascii_case(name);
        self.0.iter().find(same).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_found_in_any_case() {
        let headers: Headers = serde_json::from_str(r#"{"Content-type":"text/plain"}"#).unwrap();
        assert_eq!(headers.get("content-type"), Some("text/plain"));
        assert_eq!(headers.get("accept"), None);
    }
}
