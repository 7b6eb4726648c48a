//! Writes `src/o200k.bin` from a vocabulary in the format of tiktoken.
//!
//! ```text
//! cargo run -p assay-tokens --example generate -- o200k_base.tiktoken crates/assay-tokens/src/o200k.bin
//! ```
//!
//! Each line of the input is a token in base64, a space and its rank.

use std::error::Error;
use std::fs;

#[path = "../src/layout.rs"]
mod layout;

use layout::{HEADER_STRIDE, LONGEST_TOKEN, RANK_BYTES, bucket_of};

/// About how many tokens a lookup compares when it finds nothing.
const TOKENS_PER_BUCKET: usize = 4;

struct Token {
    bytes: Vec<u8>,
    rank: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        return Err("expected two arguments: the vocabulary to read and the file to write".into());
    };
    let tokens = fs::read_to_string(input)?.lines().map(parse_line).collect::<Result<Vec<_>, _>>()?;
    let file = lay_out(&tokens)?;
    fs::write(output, &file)?;
    println!("{} tokens, {} bytes", tokens.len(), file.len());
    Ok(())
}

fn parse_line(line: &str) -> Result<Token, Box<dyn Error>> {
    let (base64, rank) = line.split_once(' ').ok_or_else(|| format!("expected `token rank`: `{line}`"))?;
    let bytes = decode_base64(base64).ok_or_else(|| format!("expected base64: `{base64}`"))?;
    let rank = rank.parse()?;
    if bytes.is_empty() || bytes.len() > LONGEST_TOKEN || rank >= 1 << (8 * RANK_BYTES) {
        return Err(format!("the layout has no place for `{line}`").into());
    }
    Ok(Token { bytes, rank })
}

fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut pending, mut pending_bits) = (0_u32, 0);
    for digit in text.trim_end_matches('=').bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        pending = pending << 6 | u32::from(value);
        pending_bits += 6;
        if pending_bits >= 8 {
            pending_bits -= 8;
            bytes.push((pending >> pending_bits) as u8);
        }
    }
    Some(bytes)
}

fn lay_out(tokens: &[Token]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut file = vec![0; LONGEST_TOKEN * HEADER_STRIDE];
    for length in 1..=LONGEST_TOKEN {
        let of_length: Vec<&Token> = tokens.iter().filter(|token| token.bytes.len() == length).collect();
        let buckets = u32::try_from(of_length.len().div_ceil(TOKENS_PER_BUCKET))?;
        let section = u32::try_from(file.len())?;
        let header = (length - 1) * HEADER_STRIDE;
        file[header..header + 4].copy_from_slice(&section.to_le_bytes());
        file[header + 4..header + 8].copy_from_slice(&buckets.to_le_bytes());
        if !of_length.is_empty() {
            write_section(&mut file, of_length, buckets)?;
        }
    }
    Ok(file)
}

fn write_section(file: &mut Vec<u8>, mut tokens: Vec<&Token>, buckets: u32) -> Result<(), Box<dyn Error>> {
    // Within a bucket the lower ranks come first, because they are asked for more often.
    tokens.sort_by_key(|token| (bucket_of(&token.bytes, buckets), token.rank));
    for bucket in 0..=buckets as usize {
        let first = tokens.partition_point(|token| bucket_of(&token.bytes, buckets) < bucket);
        file.extend(u16::try_from(first)?.to_le_bytes());
    }
    for token in tokens {
        file.extend(&token.bytes);
        file.extend(&token.rank.to_le_bytes()[..RANK_BYTES]);
    }
    Ok(())
}
