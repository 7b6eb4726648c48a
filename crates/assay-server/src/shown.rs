//! Reports that a page shows. A report quotes pages that were tested, so it has an origin of its own: its pictures are
//! asked for by nobody that the service knows. The address of such a report holds a key that opens just its run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{HeaderValue, Method, Response, header};

use crate::access::{Door, Peer, random_key};
use crate::api::SANDBOX;
use crate::files;
use crate::problem::Problem;

/// A page asks for another address after that.
const LASTS: Duration = Duration::from_secs(3600);

/// More are not open at once. The oldest gives way.
const MOST: usize = 256;

pub const PREFIX: &str = "/shown/";

struct Shown {
    folder: PathBuf,
    since: Instant,
}

#[derive(Default)]
pub struct ShownReports {
    open: Mutex<HashMap<String, Shown>>,
}

impl ShownReports {
    /// The address of a file in the folder of a run.
    pub fn open(&self, folder: PathBuf, file: &str) -> Result<String, Problem> {
        let key = random_key().map_err(|err| Problem::internal(err.to_string()))?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, shown| shown.since.elapsed() < LASTS);
        if open.len() >= MOST
            && let Some(oldest) = open.iter().min_by_key(|(_, shown)| shown.since).map(|(key, _)| key.clone())
        {
            open.remove(&oldest);
        }
        open.insert(key.clone(), Shown { folder, since: Instant::now() });
        Ok(format!("{PREFIX}{key}/{file}"))
    }

    fn folder(&self, key: &str) -> Option<PathBuf> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.get(key).filter(|shown| shown.since.elapsed() < LASTS).map(|shown| shown.folder.clone())
    }

    /// The answer to a request for a part of a shown report; none for other requests.
    pub fn answer(
        &self,
        method: &Method,
        path: &str,
        peer: &Peer,
        door: Door<'_>,
    ) -> Option<Result<Response<Body>, Problem>> {
        let (key, file) = path.strip_prefix(PREFIX)?.split_once('/')?;
        let Some(folder) = self.folder(key).filter(|_| *method == Method::GET) else {
            // A key is guessed like a token.
            return Some(Err(door.refuse(peer)));
        };
        Some(part_of(&folder, file))
    }
}

fn part_of(folder: &Path, file: &str) -> Result<Response<Body>, Problem> {
    let nothing = || Problem::not_found(format!("the report has no part `{file}`"));
    let media_type = files::media_type(Path::new(file));
    if !media_type.starts_with("image/") && !media_type.starts_with("text/html") {
        return Err(nothing());
    }
    let (opened, size) = files::open_below(folder, Path::new(file)).map_err(|_| nothing())?;
    let body = files::stream(opened, 0, size).map_err(|err| Problem::internal(err.to_string()))?;
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_SECURITY_POLICY, SANDBOX),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
        (header::CACHE_CONTROL, "private, max-age=3600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(size));
    Ok(response)
}
