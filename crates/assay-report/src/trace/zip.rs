//! A zip archive with uncompressed entries. Screenshots do not shrink, so the rest
//! needs no compression either.

use std::io::{self, Write};

/// 1980-01-01: the same run always gives the same archive.
const DATE: u16 = 0x0021;
/// The version of the format that knows stored files.
const VERSION: u16 = 20;

pub struct Zip<W: Write> {
    output: W,
    written: u32,
    /// What stands at the end of the archive, one record for each entry.
    directory: Vec<u8>,
    entries: u16,
}

impl<W: Write> Zip<W> {
    pub fn new(output: W) -> Self {
        Zip { output, written: 0, directory: Vec::new(), entries: 0 }
    }

    pub fn put(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let too_large =
            || io::Error::new(io::ErrorKind::FileTooLarge, "the trace is too large for a zip archive");
        let size = u32::try_from(content.len()).map_err(|_| too_large())?;
        let name_size = u16::try_from(name.len()).map_err(|_| too_large())?;
        let mut facts = Vec::new();
        facts.extend(VERSION.to_le_bytes());
        // Bit 11: names are UTF-8. Then: stored, and the time of day.
        for number in [0x0800, 0, 0, DATE] {
            facts.extend(u16::to_le_bytes(number));
        }
        for number in [crc32fast::hash(content), size, size] {
            facts.extend(number.to_le_bytes());
        }
        // No extra fields.
        facts.extend(name_size.to_le_bytes());
        facts.extend(0_u16.to_le_bytes());

        self.directory.extend(*b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&facts);
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(self.written.to_le_bytes());
        self.directory.extend(name.as_bytes());

        self.output.write_all(b"PK\x03\x04")?;
        self.output.write_all(&facts)?;
        self.output.write_all(name.as_bytes())?;
        self.output.write_all(content)?;
        let length = 4 + facts.len() as u64 + name.len() as u64 + content.len() as u64;
        let written = u64::from(self.written) + length;
        self.written = u32::try_from(written).map_err(|_| too_large())?;
        self.entries = self.entries.checked_add(1).ok_or_else(too_large)?;
        Ok(())
    }

    pub fn finish(mut self) -> io::Result<W> {
        self.output.write_all(&self.directory)?;
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend(self.entries.to_le_bytes());
        end.extend(self.entries.to_le_bytes());
        end.extend((self.directory.len() as u32).to_le_bytes());
        end.extend(self.written.to_le_bytes());
        end.extend(0_u16.to_le_bytes());
        self.output.write_all(&end)?;
        Ok(self.output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_usual_one() {
        let mut zip = Zip::new(Vec::new());
        zip.put("digits", b"123456789").unwrap();
        let archive = zip.finish().unwrap();
        assert_eq!(archive[14..18], 0xcbf4_3926_u32.to_le_bytes());
    }
}
