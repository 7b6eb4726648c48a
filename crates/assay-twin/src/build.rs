//! One build of the application, by its address: what differs between two builds only by where they run.

/// The text that takes the place of a build's address.
pub const APP: &str = "{app}";

/// The address of a build, in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildAddress {
    /// With the port, as in `127.0.0.1:8080`.
    host: String,
    /// The path below which the application lies, without a slash at its end; often empty.
    path: String,
}

const SCHEMES: [&str; 4] = ["http://", "https://", "ws://", "wss://"];

impl BuildAddress {
    /// None for a text that is no address of the web.
    pub fn parse(url: &str) -> Option<BuildAddress> {
        let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (host, rest) = rest.split_at(end);
        let path = rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        (!host.is_empty()).then(|| BuildAddress { host: host.to_lowercase(), path: path.to_string() })
    }

    /// Whether an address leads to this build.
    pub fn is_at(&self, url: &str) -> bool {
        BuildAddress::parse(url).is_some_and(|other| other.host == self.host)
    }

    /// The text without the address of this build, so that it can be compared with that of another one.
    pub fn neutral(&self, text: &str) -> String {
        let mut said = text.to_string();
        for scheme in SCHEMES {
            let encoded = scheme.replace(':', "%3A").replace('/', "%2F");
            for (prefix, host) in
                [(scheme.to_string(), self.host.clone()), (encoded, self.host.replace(':', "%3A"))]
            {
                said = replace_whole(&said, &format!("{prefix}{host}{}", self.path));
                said = replace_whole(&said, &format!("{prefix}{host}"));
            }
        }
        if self.host.contains([':', '.']) {
            said = replace_whole(&said, &self.host);
        }
        said
    }

    /// The same for an address that may be a path only.
    pub fn neutral_address(&self, address: &str) -> String {
        match address.strip_prefix(&self.path) {
            Some(rest) if !self.path.is_empty() && (rest.is_empty() || rest.starts_with('/')) => {
                format!("{APP}{rest}")
            }
            _ => self.neutral(address),
        }
    }
}

/// Replaces where no letter or digit follows: `127.0.0.1:80` is no part of `127.0.0.1:8080`.
fn replace_whole(text: &str, what: &str) -> String {
    if !text.contains(what) {
        return text.to_string();
    }
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(what) {
        let (before, found) = rest.split_at(at);
        let after = &found[what.len()..];
        said.push_str(before);
        let goes_on = after.chars().next().is_some_and(|next| next.is_alphanumeric() || next == '-');
        said.push_str(if goes_on { what } else { APP });
        rest = after;
    }
    said.push_str(rest);
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(build: &str, text: &str, expected: &str) {
        assert_eq!(BuildAddress::parse(build).unwrap().neutral(text), expected);
    }

    #[test]
    fn the_address_of_the_build_is_taken_out_of_texts() {
        check("http://127.0.0.1:8001", "http://127.0.0.1:8001/cart?x=1", "{app}/cart?x=1");
        check(
            "http://127.0.0.1:8001/",
            "see 127.0.0.1:8001 or ws://127.0.0.1:8001/live",
            "see {app} or {app}/live",
        );
        check("http://127.0.0.1:80", "http://127.0.0.1:8080/", "http://127.0.0.1:8080/");
        check(
            "http://127.0.0.1:8001",
            "/login?to=http%3A%2F%2F127.0.0.1%3A8001%2Fcart",
            "/login?to={app}%2Fcart",
        );
        check("http://shop.test/v1", "http://shop.test/v1/cart", "{app}/cart");
    }

    #[test]
    fn a_path_below_the_build_is_its_own() {
        let build = BuildAddress::parse("http://shop.test/v1/").unwrap();
        assert_eq!(build.neutral_address("/v1/cart"), "{app}/cart");
        assert_eq!(build.neutral_address("/v10/cart"), "/v10/cart");
        assert!(build.is_at("http://shop.test/other") && !build.is_at("http://shop.test:81/v1"));
        assert_eq!(BuildAddress::parse("ftp://x"), None);
    }
}
