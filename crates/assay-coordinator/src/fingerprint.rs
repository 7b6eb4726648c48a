//! Fingerprints that distinguish the states of a test file.

/// A hash of everything that a test was made of, in order: its file, the files it uses, its row of data.
///
/// It is FNV-1a with 64 bits: the same on every machine and with every version of Rust, which the hash of
/// the standard library is not. It detects changes; it does not protect against attacks.
pub fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        let length = (part.len() as u64).to_le_bytes();
        for byte in part.iter().chain(&length) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn it_never_changes_for_the_same_test_and_always_for_another() {
        let one = fingerprint([b"test: Login".as_slice(), b"row 1"]);
        assert_eq!(one, "a42f347625554b8f");
        assert_ne!(one, fingerprint([b"test: Login".as_slice(), b"row 2"]));
        assert_ne!(one, fingerprint([b"test: Loginr".as_slice(), b"ow 1"]));
    }
}
