//! Answers from a cassette, and from nothing else.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::canonical::CanonicalRequest;
use super::exchange::{End, Exchange, FORM, Heading};
use super::{CassetteError, Difference};
use crate::transport::{Body, HttpAnswer, HttpRequest, Reply, Transport, TransportError};

/// Replays a cassette. The same request gets its answers in the order in which they were recorded, so
/// that a refusal and the answer to the second try come back as they were.
#[derive(Debug)]
pub struct Player {
    path: PathBuf,
    exchanges: Vec<Exchange>,
    used: Mutex<Vec<bool>>,
}

impl Player {
    pub fn open(path: &Path) -> Result<Player, CassetteError> {
        let failed = |source| CassetteError::File { file: path.to_path_buf(), source };
        let text = std::fs::read_to_string(path).map_err(failed)?;
        let damaged = |line: usize, reason: String| CassetteError::Damaged {
            file: path.to_path_buf(),
            line: line + 1,
            reason,
        };
        let mut exchanges = Vec::new();
        let mut lines = text.split_inclusive('\n').enumerate();
        let heading = lines.next().map(|(_, line)| line).unwrap_or_default();
        let heading: Heading = serde_json::from_str(heading).map_err(|err| damaged(0, err.to_string()))?;
        if heading.assay_cassette != FORM {
            let found = heading.assay_cassette;
            return Err(CassetteError::OtherForm { file: path.to_path_buf(), found, known: FORM });
        }
        for (index, line) in lines {
            // The last line of a recording that crashed. What came before it is sound.
            if !line.ends_with('\n') {
                break;
            }
            let exchange: Exchange =
                serde_json::from_str(line).map_err(|err| damaged(index, err.to_string()))?;
            if exchange.pieces.iter().any(|piece| piece.bytes().is_none()) {
                return Err(damaged(index, "a chunk is not valid base64".to_string()));
            }
            exchanges.push(exchange);
        }
        let used = Mutex::new(vec![false; exchanges.len()]);
        Ok(Player { path: path.to_path_buf(), exchanges, used })
    }

    /// Exchanges that nobody asked for. A test that needs all of them can say so.
    pub fn left_over(&self) -> usize {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).iter().filter(|used| !**used).count()
    }

    fn find(&self, request: &HttpRequest) -> Result<&Exchange, CassetteError> {
        let asked = CanonicalRequest::of(request);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let matching = || (0..self.exchanges.len()).filter(|index| self.exchanges[*index].hash == asked.hash);
        if let Some(index) = matching().find(|index| !used[*index]) {
            used[index] = true;
            return Ok(&self.exchanges[index]);
        }
        let (file, path) = (self.path.clone(), asked.path.clone());
        let times = matching().count();
        if times > 0 {
            return Err(CassetteError::UsedUp { file, path, times });
        }
        let nearest = self
            .exchanges
            .iter()
            .filter(|exchange| exchange.path == asked.path)
            .filter_map(|exchange| Difference::between(&exchange.request, &asked.shown))
            .min_by_key(|difference| difference.places);
        Err(match nearest {
            Some(difference) => CassetteError::NotRecorded { file, path, difference: Box::new(difference) },
            None => CassetteError::NothingLike { file, path },
        })
    }
}

impl Transport for Player {
    fn send(&self, request: HttpRequest) -> Reply<'_, Result<HttpAnswer, TransportError>> {
        Box::pin(async move {
            let exchange = self.find(&request)?;
            let pieces = exchange.pieces.iter().filter_map(|piece| piece.bytes()).collect();
            Ok(HttpAnswer {
                status: exchange.status,
                headers: exchange.headers.clone(),
                body: Box::new(Replayed { pieces, end: exchange.end }),
            })
        })
    }
}

struct Replayed {
    pieces: VecDeque<Vec<u8>>,
    end: End,
}

impl Body for Replayed {
    fn next(&mut self) -> Reply<'_, Result<Option<Vec<u8>>, TransportError>> {
        Box::pin(async {
            match (self.pieces.pop_front(), self.end) {
                (Some(piece), _) => Ok(Some(piece)),
                (None, End::Cut) => Err(TransportError::Cut),
                (None, End::Whole | End::Left) => Ok(None),
            }
        })
    }
}
