//! A connection that says when everything written to it has gone out.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::pace::Pace;

/// Who wants to know of the flushes of one connection: the session whose websocket it became.
#[derive(Clone, Default)]
pub struct Flushes(Arc<Mutex<Weak<Pace>>>);

impl Flushes {
    pub fn tell(&self, pace: &Arc<Pace>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(pace);
    }

    fn flushed(&self) {
        let pace = self.0.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        if let Some(pace) = pace {
            pace.refill();
        }
    }
}

pub struct Watched<S> {
    pub stream: S,
    pub flushes: Flushes,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_flush(context);
        if let Poll::Ready(Ok(())) = done {
            self.flushes.flushed();
        }
        done
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
