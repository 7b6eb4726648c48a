//! What a program writes, kept in files with its secrets masked.

use std::io::Write;
use std::path::Path;

use assay_protocol::Secrets;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// More is read, so that the program can go on, and not kept.
const MOST: u64 = 16 * 1024 * 1024;
/// A line without an end is passed on in parts.
const LONGEST_LINE: usize = 64 * 1024;

/// What was written to one stream.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub lines: usize,
    /// The last line that says something.
    pub last: String,
    pub is_cut: bool,
}

/// Keeps a stream to its end. What is in the file is masked line by line, at any moment.
pub(super) async fn keep(
    stream: impl AsyncRead + Unpin,
    file: &Path,
    secrets: &Secrets,
) -> std::io::Result<Log> {
    let mut kept = std::fs::File::create(file)?;
    let (mut reader, mut log, mut size) = (BufReader::new(stream), Log::default(), 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        if !next_line(&mut reader, &mut line).await? {
            break;
        }
        let masked = masked(&line, secrets);
        log.lines += 1;
        let text = String::from_utf8_lossy(&masked);
        if !text.trim().is_empty() {
            log.last = text.trim().chars().take(300).collect();
        }
        size += masked.len() as u64;
        if size > MOST {
            log.is_cut = true;
        } else {
            kept.write_all(&masked)?;
        }
    }
    drop(kept);
    // A secret of several lines is seen in the whole only.
    if !secrets.is_empty() {
        let whole = std::fs::read(file)?;
        let masked = self::masked(&whole, secrets);
        if masked != whole {
            std::fs::write(file, masked)?;
        }
    }
    Ok(log)
}

fn masked(bytes: &[u8], secrets: &Secrets) -> Vec<u8> {
    if secrets.is_empty() {
        return bytes.to_vec();
    }
    secrets.mask(&String::from_utf8_lossy(bytes)).into_bytes()
}

/// The next line with its end, or a part of one that is too long. False at the end of the stream.
async fn next_line(
    reader: &mut BufReader<impl AsyncRead + Unpin>,
    line: &mut Vec<u8>,
) -> std::io::Result<bool> {
    while line.len() < LONGEST_LINE {
        let read = reader.fill_buf().await?;
        if read.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = read.iter().position(|byte| *byte == b'\n').map_or(read.len(), |end| end + 1);
        line.extend_from_slice(&read[..end]);
        reader.consume(end);
        if line.ends_with(b"\n") {
            return Ok(true);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn kept(text: &[u8], secrets: &[&str]) -> (String, Log) {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let file = std::env::temp_dir().join(format!("assay-log-{}-{number}", std::process::id()));
        let log = keep(text, &file, &Secrets::from_iter(secrets.iter().copied())).await.unwrap();
        let kept = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        std::fs::remove_file(file).unwrap();
        (kept, log)
    }

    #[tokio::test]
    async fn secrets_are_masked_over_lines_too() {
        let (text, log) = kept(b"key hush-hush\nand one\ntwo\n\n", &["hush-hush", "one\ntwo"]).await;
        assert_eq!(text, "key \u{2022}\u{2022}\u{2022}\nand \u{2022}\u{2022}\u{2022}\n\n");
        assert_eq!((log.lines, log.last.as_str()), (4, "two"));
    }

    #[tokio::test]
    async fn a_long_line_and_bytes_that_are_no_text_are_kept() {
        let long = vec![b'x'; 3 * LONGEST_LINE];
        assert_eq!(kept(&long, &[]).await.0.len(), long.len());
        assert_eq!(kept(b"a\xffb", &[]).await.0, "a\u{fffd}b");
    }
}
