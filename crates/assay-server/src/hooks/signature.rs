//! Signatures of webhooks. All comparisons take as long for a wrong value as for the right one.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::digest::{SHA256, digest};
use ring::hmac;
use subtle::ConstantTimeEq;

/// How a secret begins that stands for bytes.
const ENCODED: &str = "whsec_";

/// The signature of a message as Standard Webhooks have it: over its name, its time in seconds and its body.
pub fn sign(secret: &str, id: &str, timestamp: u64, body: &[u8]) -> String {
    let tag = hmac::sign(&standard_key(secret), &signed(id, &timestamp.to_string(), body));
    format!("v1,{}", STANDARD.encode(tag.as_ref()))
}

/// `said` may have several signatures, separated by spaces: secrets are changed one after the other.
pub fn is_signed(secret: &str, id: &str, timestamp: &str, body: &[u8], said: &str) -> bool {
    let (key, signed) = (standard_key(secret), signed(id, timestamp, body));
    said.split(' ')
        .filter_map(|one| one.strip_prefix("v1,"))
        .any(|one| STANDARD.decode(one).is_ok_and(|tag| hmac::verify(&key, &signed, &tag).is_ok()))
}

/// As GitHub signs: `sha256=` and hexadecimal digits, over the body alone.
pub fn is_signed_by_github(secret: &str, body: &[u8], said: &str) -> bool {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = said.strip_prefix("sha256=").and_then(bytes_of);
    tag.is_some_and(|tag| hmac::verify(&key, body, &tag).is_ok())
}

/// As GitLab shows that it knows the secret: it sends it.
pub fn is_secret(secret: &str, said: &str) -> bool {
    let hash = |text: &str| digest(&SHA256, text.as_bytes());
    hash(secret).as_ref().ct_eq(hash(said).as_ref()).into()
}

/// What tells one body from another.
pub fn digest_of(body: &[u8]) -> String {
    digest(&SHA256, body).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn standard_key(secret: &str) -> hmac::Key {
    let decoded = secret.strip_prefix(ENCODED).and_then(|encoded| STANDARD.decode(encoded).ok());
    hmac::Key::new(hmac::HMAC_SHA256, decoded.as_deref().unwrap_or(secret.as_bytes()))
}

fn signed(id: &str, timestamp: &str, body: &[u8]) -> Vec<u8> {
    [id.as_bytes(), b".", timestamp.as_bytes(), b".", body].concat()
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification, https://www.standardwebhooks.com.
    #[test]
    fn standard_webhooks_are_signed_as_everybody_signs_them() {
        let (secret, id) = ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek");
        let body = br#"{"test": 2432232314}"#;
        let said = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(sign(secret, id, 1_614_265_330, body), said);
        let check = |said: &str| is_signed(secret, id, "1614265330", body, said);
        assert!(check(said) && check(&format!("v2,x v1,AAAA {said}")));
        for wrong in ["", "v1,", "v1,AAAA", &said[3..], &format!("v2,{}", &said[3..])] {
            assert!(!check(wrong), "{wrong}");
        }
        assert!(!is_signed(secret, "another", "1614265330", body, said));
        assert!(!is_signed(secret, id, "1614265331", body, said));
        assert!(!is_signed(secret, id, "1614265330", b"{}", said));
        assert!(!is_signed("another secret", id, "1614265330", body, said));
    }

    /// The example of GitHub's documentation.
    #[test]
    fn github_signs_the_body() {
        let check = |said: &str| is_signed_by_github("It's a Secret to Everybody", b"Hello, World!", said);
        let digits = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        assert!(check(&format!("sha256={digits}")));
        for wrong in [digits, "sha256=", "sha256=75", &format!("sha256={}", &digits[..63]), "sha256=zz"] {
            assert!(!check(wrong), "{wrong}");
        }
    }

    #[test]
    fn gitlab_sends_the_secret() {
        assert!(is_secret("a long secret", "a long secret"));
        assert!(!is_secret("a long secret", "a long secre") && !is_secret("a long secret", ""));
    }
}
