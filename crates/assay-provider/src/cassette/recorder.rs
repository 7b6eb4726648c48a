//! Writes down what goes over another transport.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::CassetteError;
use super::canonical::CanonicalRequest;
use super::exchange::{End, Exchange, FORM, Heading, Piece, kept_headers};
use crate::key::Key;
use crate::transport::{Body, HttpAnswer, HttpRequest, Reply, Transport, TransportError};

/// Records every exchange as soon as it ends, a line at a time: what a crash leaves is a shorter
/// cassette, not a broken one.
pub struct Recorder {
    inner: Arc<dyn Transport>,
    tape: Arc<Tape>,
}

struct Tape {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    file: File,
    written: usize,
    /// What must not be written down, in all its forms.
    kept_out: Vec<String>,
    /// The first thing that went wrong where nobody could be told.
    trouble: Option<CassetteError>,
}

impl Recorder {
    /// Begins a new cassette. One that is there is replaced: half an old one would replay old answers.
    pub fn create(path: &Path, inner: Arc<dyn Transport>) -> Result<Recorder, CassetteError> {
        let failed = |source| CassetteError::File { file: path.to_path_buf(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).open(path).map_err(failed)?;
        let heading = serde_json::json!(Heading { assay_cassette: FORM });
        writeln!(file, "{heading}").map_err(failed)?;
        let state = Mutex::new(State { file, written: 0, kept_out: Vec::new(), trouble: None });
        Ok(Recorder { inner, tape: Arc::new(Tape { path: path.to_path_buf(), state }) })
    }

    /// Texts that no answer may hold: one that does is not recorded, and the recording fails.
    pub fn keep_out(&self, texts: impl IntoIterator<Item = String>) {
        self.tape.state().kept_out.extend(texts.into_iter().filter(|text| !text.is_empty()));
    }

    /// How many exchanges were recorded, or what went wrong meanwhile.
    pub fn finish(&self) -> Result<usize, CassetteError> {
        let mut state = self.tape.state();
        if let Some(trouble) = state.trouble.take() {
            return Err(trouble);
        }
        state.file.sync_all().map_err(|source| self.tape.failed(source))?;
        Ok(state.written)
    }
}

impl Transport for Recorder {
    fn send(&self, request: HttpRequest) -> Reply<'_, Result<HttpAnswer, TransportError>> {
        Box::pin(async move {
            if let Some(trouble) = self.tape.state().trouble.take() {
                return Err(trouble.into());
            }
            let canonical = CanonicalRequest::of(&request);
            let key = request.credentials.as_ref().map(|(_, credentials)| credentials.key().clone());
            let answer = self.inner.send(request).await?;
            let exchange = Exchange {
                hash: canonical.hash,
                path: canonical.path,
                request: canonical.shown,
                status: answer.status,
                headers: kept_headers(&answer.headers),
                pieces: Vec::new(),
                end: End::Left,
            };
            let tape = Arc::clone(&self.tape);
            let body =
                Recording { inner: answer.body, exchange: Some(exchange), bytes: Vec::new(), key, tape };
            Ok(HttpAnswer { status: answer.status, headers: answer.headers, body: Box::new(body) })
        })
    }
}

impl Tape {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, source: std::io::Error) -> CassetteError {
        CassetteError::File { file: self.path.clone(), source }
    }

    fn write(&self, exchange: &Exchange) {
        let mut state = self.state();
        let line = serde_json::json!(exchange);
        match writeln!(state.file, "{line}") {
            Ok(()) => state.written += 1,
            Err(source) => drop(state.trouble.get_or_insert(self.failed(source))),
        }
    }
}

/// A body that is read and written down at once.
struct Recording {
    inner: Box<dyn Body>,
    exchange: Option<Exchange>,
    bytes: Vec<u8>,
    key: Option<Key>,
    tape: Arc<Tape>,
}

impl Body for Recording {
    fn next(&mut self) -> Reply<'_, Result<Option<Vec<u8>>, TransportError>> {
        Box::pin(async {
            let next = self.inner.next().await;
            match &next {
                Ok(Some(piece)) => {
                    if let Some(exchange) = &mut self.exchange {
                        exchange.pieces.push(Piece::of(piece));
                        self.bytes.extend_from_slice(piece);
                    }
                }
                Ok(None) => self.close(End::Whole),
                Err(_) => self.close(End::Cut),
            }
            next
        })
    }
}

impl Recording {
    fn close(&mut self, end: End) {
        let Some(mut exchange) = self.exchange.take() else { return };
        if self.key.as_ref().is_some_and(|key| key.is_in(&self.bytes)) {
            let trouble = CassetteError::KeyInAnswer { path: exchange.path };
            self.tape.state().trouble.get_or_insert(trouble);
            return;
        }
        let is_in = |text: &String| self.bytes.windows(text.len()).any(|window| window == text.as_bytes());
        if self.tape.state().kept_out.iter().any(is_in) {
            let trouble = CassetteError::SecretInAnswer { path: exchange.path };
            self.tape.state().trouble.get_or_insert(trouble);
            return;
        }
        exchange.end = end;
        self.tape.write(&exchange);
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.close(End::Left);
    }
}
