//! Lines of a stream: read up to a length, written whole.

use std::io;
use std::sync::Arc;

use serde::Serialize;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    Whole(Vec<u8>),
    /// A line that was longer than allowed. Its bytes are gone; the next line is whole again.
    TooLong,
    /// The stream has ended. Bytes behind the last line end are no message.
    End,
}

/// Reads lines and never keeps more than one of the allowed length.
#[derive(Debug)]
pub struct LineReader<R> {
    stream: BufReader<R>,
    /// Of the line that is being read. A read that is given up half-way goes on here.
    line: Vec<u8>,
    is_skipping: bool,
    longest: usize,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub fn new(stream: R, longest: usize) -> LineReader<R> {
        LineReader { stream: BufReader::new(stream), line: Vec::new(), is_skipping: false, longest }
    }

    /// The next line without its end. May be dropped while it waits: nothing is lost.
    pub async fn next(&mut self) -> io::Result<Line> {
        loop {
            let bytes = self.stream.fill_buf().await?;
            if bytes.is_empty() {
                return Ok(Line::End);
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if !self.is_skipping {
                if self.line.len() + part.len() > self.longest {
                    self.line = Vec::new();
                    self.is_skipping = true;
                } else {
                    self.line.extend_from_slice(part);
                }
            }
            let taken = part.len() + usize::from(end.is_some());
            self.stream.consume(taken);
            if end.is_some() {
                let was_skipping = std::mem::take(&mut self.is_skipping);
                let mut line = std::mem::take(&mut self.line);
                if was_skipping {
                    return Ok(Line::TooLong);
                }
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return Ok(Line::Whole(line));
            }
        }
    }
}

/// Writes messages as lines, one after the other. Clones write to the same stream.
#[derive(Debug)]
pub struct LineWriter<W>(Arc<Mutex<Option<W>>>);

impl<W> Clone for LineWriter<W> {
    fn clone(&self) -> LineWriter<W> {
        LineWriter(self.0.clone())
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> LineWriter<W> {
    pub fn new(stream: W) -> LineWriter<W> {
        LineWriter(Arc::new(Mutex::new(Some(stream))))
    }

    pub fn send<T: Serialize + 'static>(
        &self,
        message: &T,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static + use<T, W> {
        let line = serde_json::to_vec(message).map(|mut line| {
            line.push(b'\n');
            line
        });
        let stream = self.0.clone();
        async move {
            let mut stream = stream.lock().await;
            let Some(stream) = stream.as_mut() else {
                return Err(io::Error::new(io::ErrorKind::NotConnected, "the stream is closed"));
            };
            stream.write_all(&line?).await?;
            stream.flush().await
        }
    }

    pub async fn close(&self) -> io::Result<()> {
        match self.0.lock().await.take() {
            Some(mut stream) => stream.shutdown().await,
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(text: &[u8], longest: usize) -> Vec<Line> {
        let mut reader = LineReader::new(text, longest);
        let mut lines = Vec::new();
        loop {
            match reader.next().await.unwrap() {
                Line::End => return lines,
                line => lines.push(line),
            }
        }
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_skipped_and_the_next_is_whole() {
        let expected = [Line::Whole(b"ab".to_vec()), Line::TooLong, Line::Whole(b"c".to_vec())];
        assert_eq!(lines(b"ab\r\nabcdef\nc\nrest", 4).await, expected);
    }

    #[tokio::test]
    async fn a_line_longer_than_every_buffer_is_not_kept() {
        let mut text = vec![b'x'; 100_000];
        text.extend_from_slice(b"\nok\n");
        assert_eq!(lines(&text, 10).await, [Line::TooLong, Line::Whole(b"ok".to_vec())]);
    }
}
