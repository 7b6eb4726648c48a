//! What waits to be written to a browser: never more than a browser that does not read may cost us in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use assay_driver::DriverError;
use tokio::sync::mpsc;

/// The longest message that is read, and the most that waits to be written, in bytes. Pictures and documents of large
/// pages come in one message, and are far below it.
pub const LONGEST_MESSAGE: usize = 256 << 20;

/// Where messages are put; the [`OutboxQueue`] hands them to who writes them.
pub struct Outbox {
    sender: mpsc::UnboundedSender<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
    most: usize,
}

pub struct OutboxQueue {
    receiver: mpsc::UnboundedReceiver<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
    /// Bytes that were handed out and may not be written yet.
    handed_out: usize,
}

/// Why a message was not put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotSent {
    /// With the message, so many bytes would wait.
    TooMuch { waiting: usize, most: usize },
    /// Nobody writes any more.
    Over,
}

impl NotSent {
    pub fn into_error(self, method: String) -> DriverError {
        match self {
            NotSent::Over => DriverError::Lost,
            NotSent::TooMuch { waiting, most } => DriverError::Refused {
                method,
                message: format!(
                    "{} would wait to be sent to the browser, and at most {} may",
                    size_words(waiting),
                    size_words(most)
                ),
            },
        }
    }
}

/// An empty outbox, in which at most `most` bytes may wait.
pub fn outbox(most: usize) -> (Outbox, OutboxQueue) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let queue = OutboxQueue { receiver, waiting: Arc::clone(&waiting), handed_out: 0 };
    (Outbox { sender, waiting, most }, queue)
}

impl Outbox {
    pub fn put(&self, message: Vec<u8>) -> Result<(), NotSent> {
        let length = message.len();
        let waiting = self.waiting.fetch_add(length, Ordering::AcqRel) + length;
        let put = match waiting > self.most {
            true => Err(NotSent::TooMuch { waiting, most: self.most }),
            false => self.sender.send(message).map_err(|_| NotSent::Over),
        };
        if put.is_err() {
            self.waiting.fetch_sub(length, Ordering::AcqRel);
        }
        put
    }
}

impl OutboxQueue {
    /// The next message. What was handed out before counts as written. None when nothing more can come.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        self.written();
        let message = self.receiver.recv().await?;
        self.handed_out = message.len();
        Some(message)
    }

    /// All messages that wait, in one piece.
    pub async fn next_together(&mut self) -> Option<Vec<u8>> {
        let mut all = self.next().await?;
        while let Ok(more) = self.receiver.try_recv() {
            all.extend_from_slice(&more);
        }
        self.handed_out = all.len();
        Some(all)
    }

    fn written(&mut self) {
        self.waiting.fetch_sub(std::mem::take(&mut self.handed_out), Ordering::AcqRel);
    }
}

/// `256 MiB`, or `64 bytes` for what is less than one.
pub fn size_words(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_waits_is_limited_until_it_is_written() {
        let (outbox, mut queue) = outbox(10);
        outbox.put(vec![1; 6]).unwrap();
        assert_eq!(outbox.put(vec![2; 5]), Err(NotSent::TooMuch { waiting: 11, most: 10 }));
        outbox.put(vec![3; 4]).unwrap();
        assert_eq!(queue.next().await, Some(vec![1; 6]));
        // Handed out is not written yet.
        assert_eq!(outbox.put(vec![4; 1]), Err(NotSent::TooMuch { waiting: 11, most: 10 }));
        assert_eq!(queue.next().await, Some(vec![3; 4]));
        outbox.put(vec![5; 3]).unwrap();
        outbox.put(vec![6; 3]).unwrap();
        assert_eq!(queue.next_together().await, Some([[5; 3], [6; 3]].concat()));
        drop(queue);
        assert_eq!(outbox.put(vec![7; 1]), Err(NotSent::Over));
    }

    #[test]
    fn a_message_that_is_not_sent_says_why() {
        let told = NotSent::TooMuch { waiting: 300 << 20, most: LONGEST_MESSAGE };
        assert_eq!(
            told.into_error("Page.navigate".to_string()).to_string(),
            "Page.navigate was refused: 300 MiB would wait to be sent to the browser, and at most 256 MiB may"
        );
    }
}
