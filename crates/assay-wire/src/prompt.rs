//! A TCP stream that confirms at once what it has read.
//!
//! Firefox sends each message with Nagle's algorithm on: the second of two messages leaves only when the first is
//! confirmed, and the kernel confirms after 40 ms unless it has something to send. So every burst of events would
//! cost us 40 ms.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

pub struct PromptStream(TcpStream);

impl PromptStream {
    pub fn new(stream: TcpStream) -> io::Result<PromptStream> {
        stream.set_nodelay(true)?;
        stream.set_quickack(true)?;
        Ok(PromptStream(stream))
    }
}

impl AsyncRead for PromptStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = ready!(Pin::new(&mut self.0).poll_read(context, buffer));
        // The kernel forgets it after a while. Without it all is as right, only slower.
        let _slower_is_fine = self.0.set_quickack(true);
        Poll::Ready(read)
    }
}

impl AsyncWrite for PromptStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
