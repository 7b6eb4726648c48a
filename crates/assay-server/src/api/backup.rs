//! A backup of the project over HTTP, while everything goes on.

use std::io::{self, Write};

use assay_host::{BackupOrder, PreparedBackup};
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use futures_util::stream;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::access::Role;
use crate::problem::Problem;
use crate::route::{AnswerForm, Asked, Method, Reply, Route};

/// How much is sent at once, and how many of these wait for a slow client.
const PORTION: usize = 64 * 1024;
const WAITING: usize = 8;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BackupQuery {
    /// `false` leaves out reports, pictures and other files of runs.
    results: Option<bool>,
}

pub fn routes() -> Vec<Route> {
    vec![
        // A key would keep the answer, and that is all there is.
        Route::raw(
            "/server/backup",
            "make_backup",
            "Send a backup of what is on record",
            AnswerForm::File,
            make,
        )
        .by(Method::Post)
        .for_role(Role::Admin)
        .without_key(),
    ]
}

fn make(asked: &Asked, query: BackupQuery) -> Result<Reply, Problem> {
    let service = &asked.service;
    let place = service.place_for_call()?;
    let seams = &service.seams;
    let loaded =
        assay_suite::load_in(&seams.folder, &[], &seams.context.drivers.names(), &*seams.context.variables);
    let order = BackupOrder {
        coordinator: &service.coordinator,
        root: &service.root,
        project: &loaded.project.suite,
        assay: seams.version,
        with_results: query.results.unwrap_or(true),
        // Nobody gets secrets over the network.
        secrets: None,
    };
    let prepared = PreparedBackup::take(&order)?;
    let name = format!("assay-backup-{}.tar", prepared.info().created_at / 1000);
    drop(place);
    let (sender, receiver) = channel(WAITING);
    let held = std::sync::Arc::clone(service);
    let by = asked.caller.name.clone();
    tokio::task::spawn_blocking(move || {
        let mut out = io::BufWriter::with_capacity(PORTION, ToClient { sender });
        let written = prepared.write(&mut out);
        match (written, out.flush()) {
            (Ok(report), Ok(())) => held.log.info(
                "backup.made",
                &[("by", json!(by)), ("files", json!(report.files)), ("bytes", json!(report.bytes))],
            ),
            (Err(_), _) | (_, Err(_)) => {
                // Without its end, the client does not take it for a backup.
                let sender = out.into_parts().0.sender;
                let _gone = sender.blocking_send(Err(io::Error::other("the backup broke off")));
                held.log.error("backup.broken_off", &[("by", json!(by))]);
            }
        }
    });
    let mut reply = Reply::stream("application/x-tar", Body::from_stream(parts(receiver)));
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        reply = reply.with(header::CONTENT_DISPOSITION, value);
    }
    Ok(reply)
}

fn parts(receiver: Receiver<io::Result<Bytes>>) -> impl futures_util::Stream<Item = io::Result<Bytes>> {
    stream::unfold(receiver, |mut receiver| async move { receiver.recv().await.map(|part| (part, receiver)) })
}

/// Waits for a client that is slow, and ends when it is gone.
struct ToClient {
    sender: Sender<io::Result<Bytes>>,
}

impl Write for ToClient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.sender.blocking_send(Ok(Bytes::copy_from_slice(bytes)));
        sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
