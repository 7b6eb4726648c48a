//! A checksum for each row of the journal, to recognise a damaged one.
//!
//! SQLite detects a malformed page, but not a flipped bit inside a text.

/// CRC-32 as in zip and PNG (reflected, polynomial 0xEDB88320) over all parts, each with its length,
/// so that a letter cannot wander from one part to the next unseen.
pub(crate) fn crc32(parts: &[&[u8]]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    for part in parts {
        sum.update(&(part.len() as u64).to_le_bytes());
        sum.update(part);
    }
    sum.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Journals keep these sums: another one would call every older row damaged.
    #[test]
    fn sums_stay_as_they_are_in_journals() {
        assert_eq!(crc32(&[b"command", b"click"]), 0x9512_01A4);
        assert_eq!(crc32(&[b"123456789"]), 0x85A4_58E8);
    }

    #[test]
    fn one_bit_makes_another_sum() {
        let whole = crc32(&[b"command", b"click"]);
        assert_ne!(whole, crc32(&[b"command", b"clicj"]));
        assert_ne!(whole, crc32(&[b"commandc", b"lick"]));
        assert_eq!(whole, crc32(&[b"command", b"click"]));
    }
}
