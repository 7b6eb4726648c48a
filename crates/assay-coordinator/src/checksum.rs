//! A checksum for each row of the journal, so that a damaged one is recognised.
//!
//! SQLite notices a page that makes no sense. A flipped bit inside a text makes sense to it.

/// CRC-32 as in zip and PNG (reflected, polynomial 0xEDB88320) over all parts, each with its length,
/// so that a letter cannot wander from one part to the next unseen.
pub(crate) fn crc32(parts: &[&[u8]]) -> u32 {
    let mut register = u32::MAX;
    for part in parts {
        let length = (part.len() as u64).to_le_bytes();
        for byte in length.iter().chain(part.iter()) {
            register = TABLE[usize::from((register as u8) ^ byte)] ^ (register >> 8);
        }
    }
    !register
}

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { (value >> 1) ^ 0xEDB8_8320 } else { value >> 1 };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_well_known_one() {
        assert_eq!((TABLE[1], TABLE[255]), (0x7707_3096, 0x2D02_EF8D));
    }

    #[test]
    fn one_bit_makes_another_sum() {
        let whole = crc32(&[b"command", b"click"]);
        assert_ne!(whole, crc32(&[b"command", b"clicj"]));
        assert_ne!(whole, crc32(&[b"commandc", b"lick"]));
        assert_eq!(whole, crc32(&[b"command", b"click"]));
    }
}
