//! The layout of `o200k.bin`, shared by the lookup and by `examples/generate.rs`.
//!
//! Tokens are grouped by their length, so that neither lengths nor offsets have to
//! be stored, and within a length by the bucket of their hash:
//!
//! ```text
//! file     header, then one section for each length 1..=LONGEST_TOKEN
//! header   for each length: start of its section (u32), number of its buckets (u32)
//! section  for each bucket: index of its first entry (u16); the number of entries (u16);
//!          then the entries, bucket after bucket
//! entry    the bytes of the token, its rank (u24)
//! ```
//!
//! All numbers are little-endian. A lookup reads the header, one place of the index
//! and one short run of entries.

/// The length of the longest token, in bytes.
pub const LONGEST_TOKEN: usize = 128;

/// How many bytes the header has for one length.
pub const HEADER_STRIDE: usize = 8;

/// How many bytes the rank takes at the end of an entry.
pub const RANK_BYTES: usize = 3;

/// In which of `buckets` buckets a token belongs.
pub fn bucket_of(token: &[u8], buckets: u32) -> usize {
    // The high half of the product is an even spread without a division.
    ((u64::from(hash(token)) * u64::from(buckets)) >> 32) as usize
}

fn hash(token: &[u8]) -> u32 {
    const ODD_AND_IRREGULAR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = 0_u64;
    for chunk in token.chunks(8) {
        let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        state = (state ^ word).wrapping_mul(ODD_AND_IRREGULAR);
        state ^= state >> 32;
    }
    (state.wrapping_mul(ODD_AND_IRREGULAR) >> 32) as u32
}
