//! A follower as a stream of server-sent events.

use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream;
use tokio_util::sync::CancellationToken;

use super::feed::{FeedEvent, Follower};

/// A line that says that the stream lives, for what is between client and service.
const ALIVE_EVERY: Duration = Duration::from_secs(15);

/// `id` is the number of the event, to be sent back as `Last-Event-ID`. The stream ends with `end`, when the run is over or
/// left as it is; or without it, when the service stops.
pub fn stream(follower: Follower, stop: CancellationToken) -> Body {
    let state = Some((follower, stop));
    let parts = stream::unfold(state, |state| async move {
        let (mut follower, stop) = state?;
        tokio::select! {
            () = stop.cancelled() => None,
            () = tokio::time::sleep(ALIVE_EVERY) => Some((Bytes::from_static(b": alive\n\n"), Some((follower, stop)))),
            event = follower.next() => Some(match event {
                Some(event) => (said(&event), Some((follower, stop))),
                None => (Bytes::from_static(b"event: end\ndata: {}\n\n"), None),
            }),
        }
    });
    Body::from_stream(futures_util::StreamExt::map(parts, Ok::<_, std::convert::Infallible>))
}

fn said(event: &FeedEvent) -> Bytes {
    // JSON has no line breaks outside of texts, and none inside.
    Bytes::from(format!("id: {}\nevent: run\ndata: {}\n\n", event.number, event.json))
}
