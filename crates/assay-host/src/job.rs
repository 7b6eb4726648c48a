//! Work on its own thread: its news, a way to stop it, and its result.

use std::future::Future;

use assay_protocol::{ErrorCode, Failure, RunEvent};
use tokio::sync::{mpsc, oneshot, watch};

/// News of a job while it works.
#[derive(Debug, Clone)]
pub enum News {
    /// Something happened in a run. It is on record already.
    Event(Box<RunEvent>),
    /// It happened before the run was resumed.
    Earlier(Box<RunEvent>),
    /// Something that the user of the run should know, and that is no event of it.
    Note(String),
    /// Something could not be saved, and the run continues without it.
    Warning(String),
    /// The last event is out; reports are being written.
    Over,
}

/// Work that was started. Dropping it does not stop the work.
pub struct Job<T> {
    /// Ends when the work has ended.
    pub news: mpsc::UnboundedReceiver<News>,
    stop: watch::Sender<bool>,
    end: oneshot::Receiver<Result<T, Failure>>,
}

impl<T> Job<T> {
    /// Asks the work to end: tests that act are cut off and torn down, no other is begun, and a plan writes nothing. The
    /// end comes by [`Job::wait`].
    pub fn stop(&self) {
        let _nobody_listens_at_the_end = self.stop.send(true);
    }

    /// The end of the work. Callable from any runtime.
    pub async fn wait(self) -> Result<T, Failure> {
        self.end.await.unwrap_or_else(|_| Err(crashed()))
    }

    /// Waits for the end of the work on this thread, which no runtime may need meanwhile.
    pub(crate) fn wait_here(self) {
        // What came of it was told as news, or by other means.
        let _ended = self.end.blocking_recv();
    }

    /// The end of work that is a part of other work: it is stopped with that one. Nobody hears its news.
    pub(crate) async fn wait_as_part_of(mut self, desk: &Desk) -> Result<T, Failure> {
        let over = async { while self.news.recv().await.is_some() {} };
        if desk.unless_stopped(over).await.is_none() {
            self.stop();
        }
        self.wait().await
    }
}

/// The worker's side of a job.
#[derive(Clone)]
pub(crate) struct Desk {
    news: mpsc::UnboundedSender<News>,
    stop: watch::Receiver<bool>,
}

impl Desk {
    /// Of work that nobody follows or stops.
    #[cfg(test)]
    pub fn unheard() -> Desk {
        Desk { news: mpsc::unbounded_channel().0, stop: watch::channel(false).1 }
    }

    pub fn post(&self, news: News) {
        // A caller that dropped its job does not want to know.
        let _unheard = self.news.send(news);
    }

    pub fn note(&self, text: impl Into<String>) {
        self.post(News::Note(text.into()));
    }

    pub fn warn(&self, text: impl Into<String>) {
        self.post(News::Warning(text.into()));
    }

    /// Whether the caller asked the work to end.
    pub fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }

    /// The result of `work`; nothing if the caller asks to end first. Unfinished work is dropped then.
    pub async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.stopped() => None,
            done = work => Some(done),
        }
    }

    /// Returns when the caller asks the work to end; never returns otherwise.
    pub async fn stopped(&self) {
        let mut stop = self.stop.clone();
        if stop.wait_for(|stop| *stop).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Starts work on a separate thread, because a run is not `Send`.
pub(crate) fn start<T: Send + 'static>(
    name: &str,
    work: impl FnOnce(Desk) -> Result<T, Failure> + Send + 'static,
) -> Result<Job<T>, Failure> {
    let (news_sender, news) = mpsc::unbounded_channel();
    let (stop, stop_receiver) = watch::channel(false);
    let (end_sender, end) = oneshot::channel();
    let desk = Desk { news: news_sender, stop: stop_receiver };
    std::thread::Builder::new()
        .name(name.to_string())
        .spawn(move || {
            let result = work(desk);
            let _nobody_waits = end_sender.send(result);
        })
        .map_err(|err| Failure::new(ErrorCode::Internal, format!("could not start a thread: {err}")))?;
    Ok(Job { news, stop, end })
}

fn crashed() -> Failure {
    Failure::new(ErrorCode::Internal, "the work ended without a result")
}
