//! Reports that a page shows. A report quotes pages that were tested, so it has an origin of its own: its pictures are
//! asked for by nobody that the service knows. The address of such a report holds a key that opens just its run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
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

/// More made pages are not held at once.
const MOST_MADE: usize = 8;

#[derive(Clone)]
struct Shown {
    folder: PathBuf,
    /// A page that is in no file, by its name: the folder has that of another run.
    made: Option<(String, Bytes)>,
    since: Instant,
}

#[derive(Default)]
pub struct ShownReports {
    open: Mutex<HashMap<String, Shown>>,
}

impl ShownReports {
    /// The address of a file in the folder of a run, or of a page that stands for it.
    pub fn open(&self, folder: PathBuf, file: &str, page: Option<String>) -> Result<String, Problem> {
        let key = random_key().map_err(|err| Problem::internal(err.to_string()))?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, shown| shown.since.elapsed() < LASTS);
        if open.len() >= MOST
            && let Some(oldest) = open.iter().min_by_key(|(_, shown)| shown.since).map(|(key, _)| key.clone())
        {
            open.remove(&oldest);
        }
        if page.is_some() && open.values().filter(|shown| shown.made.is_some()).count() >= MOST_MADE {
            let made = open.iter().filter(|(_, shown)| shown.made.is_some());
            if let Some(oldest) = made.min_by_key(|(_, shown)| shown.since).map(|(key, _)| key.clone()) {
                open.remove(&oldest);
            }
        }
        let made = page.map(|page| (file.to_string(), Bytes::from(page)));
        open.insert(key.clone(), Shown { folder, made, since: Instant::now() });
        Ok(format!("{PREFIX}{key}/{file}"))
    }

    fn find(&self, key: &str) -> Option<Shown> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.get(key).filter(|shown| shown.since.elapsed() < LASTS).cloned()
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
        let Some(shown) = self.find(key).filter(|_| *method == Method::GET) else {
            // A key is guessed like a token.
            return Some(Err(door.refuse(peer)));
        };
        Some(part_of(&shown, file))
    }
}

fn part_of(shown: &Shown, file: &str) -> Result<Response<Body>, Problem> {
    let nothing = || Problem::not_found(format!("the report has no part `{file}`"));
    let media_type = files::media_type(Path::new(file));
    if !media_type.starts_with("image/") && !media_type.starts_with("text/html") {
        return Err(nothing());
    }
    let (body, size) = match &shown.made {
        Some((name, page)) if name == file => (Body::from(page.clone()), page.len() as u64),
        _ => {
            let (opened, size) = files::open_below(&shown.folder, Path::new(file)).map_err(|_| nothing())?;
            let body = files::stream(opened, 0, size).map_err(|err| Problem::internal(err.to_string()))?;
            (body, size)
        }
    };
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
