//! A job followed to its end: its news as they come, and what an interrupt does.

use assay_host::{Job, News};
use assay_protocol::{ErrorCode, Failure};
use tokio::signal::unix::{SignalKind, signal};

/// Hands all news to `tell` until the job has ended. An interrupt stops the job; a second one leaves it where it is.
pub fn follow<T>(mut job: Job<T>, mut tell: impl FnMut(News) -> Result<(), Failure>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not start the async runtime: {err}")))?;
    let end = runtime.block_on(async {
        let mut interrupts = signal(SignalKind::interrupt())
            .map_err(|err| Failure::new(ErrorCode::Io, format!("could not listen for interrupts: {err}")))?;
        let mut is_stopped = false;
        loop {
            let news = tokio::select! {
                news = job.news.recv() => news,
                _ = interrupts.recv() => {
                    if is_stopped {
                        return Err(Failure::new(ErrorCode::Stopped, "interrupted a second time; clean-up was cut short"));
                    }
                    is_stopped = true;
                    job.stop();
                    continue;
                }
            };
            let Some(news) = news else { break };
            tell(news)?;
        }
        job.wait().await
    });
    // Nothing listens from here on: an interrupt ends this process, as it does any program.
    // SAFETY: a plain system call that sets a signal's disposition.
    unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
    end
}
