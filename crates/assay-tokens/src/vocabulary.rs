//! The o200k_base vocabulary, looked up where it lies in the binary.
//!
//! Knows the layout of `o200k.bin`. Does not know what the ranks are used for.

use crate::layout::{HEADER_STRIDE, LONGEST_TOKEN, RANK_BYTES, bucket_of};

static VOCABULARY: &[u8] = include_bytes!("o200k.bin");

/// The rank of the token with exactly these bytes, if there is one.
///
/// A lower rank is merged earlier.
pub fn rank_of(token: &[u8]) -> Option<u32> {
    if token.is_empty() || token.len() > LONGEST_TOKEN {
        return None;
    }
    let header = (token.len() - 1) * HEADER_STRIDE;
    let section = u32_at(header) as usize;
    let buckets = u32_at(header + 4);
    if buckets == 0 {
        return None;
    }
    let index = section + 2 * bucket_of(token, buckets);
    let entries = section + 2 * (buckets as usize + 1);
    let stride = token.len() + RANK_BYTES;
    let bucket = entries + stride * u16_at(index)..entries + stride * u16_at(index + 2);
    // Most entries of a bucket differ in the first byte already, which saves a call of
    // the general comparison.
    let mut entries_of_bucket = VOCABULARY[bucket].chunks_exact(stride);
    let entry = entries_of_bucket.find(|entry| entry[0] == token[0] && entry.starts_with(token))?;
    let rank = &entry[token.len()..];
    Some(u32::from_le_bytes([rank[0], rank[1], rank[2], 0]))
}

fn u16_at(at: usize) -> usize {
    usize::from(u16::from_le_bytes([VOCABULARY[at], VOCABULARY[at + 1]]))
}

fn u32_at(at: usize) -> u32 {
    u32::from_le_bytes([VOCABULARY[at], VOCABULARY[at + 1], VOCABULARY[at + 2], VOCABULARY[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_single_byte_is_a_token() {
        assert!((0..=u8::MAX).all(|byte| rank_of(&[byte]).is_some()));
    }

    #[test]
    fn tokens_have_the_ranks_of_the_published_vocabulary() {
        assert_eq!(rank_of(b"!"), Some(0));
        assert_eq!(rank_of(b" the"), Some(290));
        assert_eq!(rank_of(b" "), Some(220));
        assert_eq!(rank_of(&[b' '; 128]), Some(72_056));
    }

    #[test]
    fn what_is_not_a_token_has_no_rank() {
        assert_eq!(rank_of(b""), None);
        assert_eq!(rank_of(b"qzxqzxqz"), None);
        assert_eq!(rank_of(&[b' '; 127]), None);
        assert_eq!(rank_of(&[b' '; 129]), None);
    }

    #[test]
    fn the_file_holds_every_rank_once() {
        let mut seen = vec![false; 199_998];
        for length in 1..=LONGEST_TOKEN {
            let header = (length - 1) * HEADER_STRIDE;
            let (section, buckets) = (u32_at(header) as usize, u32_at(header + 4) as usize);
            if buckets == 0 {
                continue;
            }
            let entries = section + 2 * (buckets + 1);
            let end = entries + (length + RANK_BYTES) * u16_at(section + 2 * buckets);
            for entry in VOCABULARY[entries..end].chunks_exact(length + RANK_BYTES) {
                let rank = rank_of(&entry[..length]).unwrap() as usize;
                assert!(!std::mem::replace(&mut seen[rank], true), "rank {rank} appears twice");
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
}
