//! The archive: plain files in the form of tar (POSIX pax), with their checksums as the last file.
//!
//! Written so that `tar` and `sha256sum -c SHA256SUMS` understand it. Read strictly: only what the writer makes is taken,
//! which leaves no room for links, devices and names that lead elsewhere.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};

use ring::digest::{Context, SHA256};

use super::SUMS;

const BLOCK: usize = 512;
const PORTION: usize = 64 * 1024;

/// No name, and no list of checksums, is longer.
const LONGEST_NAME: usize = 1024;
const LONGEST_SUMS: u64 = 256 * 1024 * 1024;

pub struct ArchiveWriter<W> {
    out: W,
    sums: String,
    pub files: usize,
    pub bytes: u64,
}

impl<W: Write> ArchiveWriter<W> {
    pub fn new(out: W) -> ArchiveWriter<W> {
        ArchiveWriter { out, sums: String::new(), files: 0, bytes: 0 }
    }

    /// Adds so many bytes as a file of this name.
    pub fn add(&mut self, name: &str, size: u64, content: &mut dyn Read) -> io::Result<()> {
        let mut sum = Context::new(&SHA256);
        self.write_file(name, size, content, &mut sum)?;
        self.sums.push_str(&format!("{}  {name}\n", hex(sum)));
        self.files += 1;
        self.bytes += size;
        Ok(())
    }

    /// Without this end, a reader takes nothing of it.
    pub fn finish(mut self) -> io::Result<W> {
        let sums = std::mem::take(&mut self.sums);
        let mut sum = Context::new(&SHA256);
        self.write_file(SUMS, sums.len() as u64, &mut sums.as_bytes(), &mut sum)?;
        self.out.write_all(&[0; 2 * BLOCK])?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write_file(
        &mut self,
        name: &str,
        size: u64,
        content: &mut dyn Read,
        sum: &mut Context,
    ) -> io::Result<()> {
        let plain = name.len() <= 100 && name.is_ascii() && size < 0o777_7777_7777;
        if !plain {
            let more = pax_record("path", name) + &pax_record("size", &size.to_string());
            self.out.write_all(&header("assay-pax", more.len() as u64, b'x'))?;
            self.out.write_all(more.as_bytes())?;
            self.pad(more.len() as u64)?;
        }
        let short = if plain { name } else { "assay-long-name" };
        self.out.write_all(&header(short, if plain { size } else { 0 }, b'0'))?;
        let mut buffer = vec![0; PORTION];
        let mut left = size;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(PORTION).min(PORTION);
            let count = content.read(&mut buffer[..most])?;
            if count == 0 {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    format!("`{name}` became shorter while it was read"),
                ));
            }
            sum.update(&buffer[..count]);
            self.out.write_all(&buffer[..count])?;
            left -= count as u64;
        }
        self.pad(size)
    }

    fn pad(&mut self, size: u64) -> io::Result<()> {
        self.out.write_all(&[0; BLOCK][..padding(size)])
    }
}

/// What is wrong with an archive.
#[derive(Debug)]
pub enum ArchiveTrouble {
    /// It is no archive of ours, or one that somebody changed.
    Wrong(String),
    /// It ends too early.
    Truncated,
    Io(io::Error),
}

impl From<io::Error> for ArchiveTrouble {
    fn from(err: io::Error) -> ArchiveTrouble {
        match err.kind() {
            io::ErrorKind::UnexpectedEof => ArchiveTrouble::Truncated,
            _ => ArchiveTrouble::Io(err),
        }
    }
}

/// A file of an archive, before its content is read.
#[derive(Debug, PartialEq, Eq)]
pub struct ArchivedFile {
    pub name: String,
    pub size: u64,
}

pub struct ArchiveReader<R> {
    input: R,
    /// The sums of what was read, as the writer lists them.
    sums: String,
    names: BTreeSet<String>,
}

impl<R: Read> ArchiveReader<R> {
    pub fn new(input: R) -> ArchiveReader<R> {
        ArchiveReader { input, sums: String::new(), names: BTreeSet::new() }
    }

    /// The next file, whose content is to be copied then. None at the end, once all sums were found right.
    pub fn next(&mut self) -> Result<Option<ArchivedFile>, ArchiveTrouble> {
        let mut head = read_header(&self.block()?)?;
        if head.kind == b'x' {
            if head.size > 64 * 1024 {
                return Err(wrong("a name is too long"));
            }
            let text = self.text(head.size)?;
            let (name, size) = read_pax(&text).ok_or_else(|| wrong("a long name cannot be read"))?;
            head = read_header(&self.block()?)?;
            (head.name, head.size) = (name, size);
        }
        if head.kind != b'0' {
            return Err(wrong(&format!("`{}` is no plain file", head.name.escape_default())));
        }
        if head.name == SUMS {
            return self.check_end(head.size).map(|()| None);
        }
        check_name(&head.name)?;
        if !self.names.insert(head.name.clone()) {
            return Err(wrong(&format!("`{}` is in it twice", head.name)));
        }
        Ok(Some(ArchivedFile { name: head.name, size: head.size }))
    }

    /// Reads the content of the file that `next` has given.
    pub fn copy(&mut self, file: &ArchivedFile, out: &mut dyn Write) -> Result<(), ArchiveTrouble> {
        let mut sum = Context::new(&SHA256);
        let mut buffer = vec![0; PORTION];
        let mut left = file.size;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(PORTION).min(PORTION);
            self.input.read_exact(&mut buffer[..most])?;
            sum.update(&buffer[..most]);
            out.write_all(&buffer[..most]).map_err(ArchiveTrouble::Io)?;
            left -= most as u64;
        }
        self.skip_padding(file.size)?;
        self.sums.push_str(&format!("{}  {}\n", hex(sum), file.name));
        Ok(())
    }

    fn check_end(&mut self, size: u64) -> Result<(), ArchiveTrouble> {
        if size > LONGEST_SUMS {
            return Err(wrong("its list of checksums is too long"));
        }
        let said = self.text(size)?;
        if said != self.sums {
            let mut pairs = said.lines().zip(self.sums.lines());
            let differs = pairs.find(|(said, found)| said != found);
            let name =
                differs.and_then(|(_, found)| found.split_once("  ")).map_or("its end", |(_, name)| name);
            return Err(wrong(&format!("the checksum of {name} is another")));
        }
        let mut end = [1; 2 * BLOCK];
        self.input.read_exact(&mut end)?;
        if end.iter().any(|byte| *byte != 0) || self.input.read(&mut end)? != 0 {
            return Err(wrong("something follows its end"));
        }
        Ok(())
    }

    fn block(&mut self) -> Result<[u8; BLOCK], ArchiveTrouble> {
        let mut block = [0; BLOCK];
        self.input.read_exact(&mut block)?;
        Ok(block)
    }

    /// A short text with its padding.
    fn text(&mut self, size: u64) -> Result<String, ArchiveTrouble> {
        let mut bytes = Vec::new();
        // It may be shorter than it says, so no room is taken before it is there.
        (&mut self.input).take(size).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < size {
            return Err(ArchiveTrouble::Truncated);
        }
        self.skip_padding(size)?;
        String::from_utf8(bytes).map_err(|_| wrong("a part of it is no text"))
    }

    fn skip_padding(&mut self, size: u64) -> Result<(), ArchiveTrouble> {
        let mut rest = [0; BLOCK];
        Ok(self.input.read_exact(&mut rest[..padding(size)])?)
    }
}

struct Header {
    name: String,
    size: u64,
    kind: u8,
}

fn header(name: &str, size: u64, kind: u8) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, text: &[u8]| block[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, b"0000600\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

fn read_header(block: &[u8; BLOCK]) -> Result<Header, ArchiveTrouble> {
    let text = |from: usize, to: usize| -> Option<&str> {
        let field = &block[from..to];
        let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
        std::str::from_utf8(&field[..end]).ok().map(str::trim)
    };
    let number = |from: usize, to: usize| u64::from_str_radix(text(from, to)?, 8).ok();
    let strange = || wrong("it is no backup of assay, or it is damaged");
    if &block[257..262] != b"ustar" {
        return Err(strange());
    }
    let sum: u64 = block
        .iter()
        .enumerate()
        .map(|(at, byte)| if (148..156).contains(&at) { u64::from(b' ') } else { u64::from(*byte) })
        .sum();
    if number(148, 156) != Some(sum) {
        return Err(strange());
    }
    let name = text(0, 100).ok_or_else(strange)?.to_string();
    Ok(Header { name, size: number(124, 136).ok_or_else(strange)?, kind: block[156] })
}

/// `LENGTH KEY=VALUE\n`, where the length counts itself.
fn pax_record(key: &str, value: &str) -> String {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + 1;
    while length.to_string().len() + rest != length {
        length = length.to_string().len() + rest;
    }
    format!("{length} {key}={value}\n")
}

fn read_pax(text: &str) -> Option<(String, u64)> {
    let (mut name, mut size, mut rest) = (None, None, text);
    while !rest.is_empty() {
        let (length, _) = rest.split_once(' ')?;
        let record = rest.get(..length.parse().ok()?)?;
        let (key, value) = record.get(length.len() + 1..)?.strip_suffix('\n')?.split_once('=')?;
        match key {
            "path" => name = Some(value.to_string()),
            "size" => size = value.parse().ok(),
            _ => return None,
        }
        rest = &rest[record.len()..];
    }
    Some((name?, size?))
}

/// A name of a file below a folder, and nothing else.
pub fn check_name(name: &str) -> Result<(), ArchiveTrouble> {
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let is_fine = name.len() <= LONGEST_NAME
        && !name.contains('\\')
        && !name.chars().any(char::is_control)
        && name.split('/').all(is_plain);
    match is_fine {
        true => Ok(()),
        false => Err(wrong(&format!("`{}` is no name of a file below a folder", name.escape_debug()))),
    }
}

fn padding(size: u64) -> usize {
    // Less than a block.
    ((BLOCK as u64 - size % BLOCK as u64) % BLOCK as u64) as usize
}

fn wrong(what: &str) -> ArchiveTrouble {
    ArchiveTrouble::Wrong(what.to_string())
}

fn hex(sum: Context) -> String {
    sum.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
