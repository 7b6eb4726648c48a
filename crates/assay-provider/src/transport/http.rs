//! The real network.

use std::error::Error;
use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};

use super::{Body, Credentials, HttpAnswer, HttpRequest, Reply, Transport, TransportError};

/// A name that is not answered in this time is not going to be.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// Some providers turn away whoever does not say what it is.
const USER_AGENT: &str = concat!("assay/", env!("CARGO_PKG_VERSION"));

/// Clients are made when they are first needed: one that can speak TLS reads the certificates of the
/// machine, which takes longer than everything else at the start.
#[derive(Debug, Default)]
pub struct HttpTransport {
    /// Through the proxy of the environment, if it has one.
    outside: OnceLock<Client>,
    /// For servers on this machine, which no proxy can reach.
    inside: OnceLock<Client>,
}

impl HttpTransport {
    pub fn new() -> HttpTransport {
        HttpTransport::default()
    }

    fn client(&self, url: &Url) -> Result<&Client, TransportError> {
        let (place, proxied) = if is_loopback(url) { (&self.inside, false) } else { (&self.outside, true) };
        if let Some(client) = place.get() {
            return Ok(client);
        }
        // Ring, as everywhere in assay. If somebody was first, there is a provider, which is all that is wanted.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let mut builder =
            Client::builder().user_agent(USER_AGENT).redirect(Policy::none()).connect_timeout(CONNECT_LIMIT);
        if !proxied {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|err| TransportError::Unreachable { reason: reason(&err) })?;
        Ok(place.get_or_init(|| client))
    }

    async fn exchange(&self, request: HttpRequest) -> Result<HttpAnswer, TransportError> {
        let unusable = |what: &str| TransportError::Unreachable { reason: what.to_string() };
        let url: Url = format!("{}{}", request.base, request.path)
            .parse()
            .map_err(|_| unusable("the provider's address is not a valid URL"))?;
        let client = self.client(&url)?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in &request.headers {
            let value = HeaderValue::from_str(value).map_err(|_| unusable("a header cannot be sent"))?;
            headers.insert(*name, value);
        }
        if let Some((name, credentials)) = &request.credentials {
            let text = match credentials {
                Credentials::Plain(key) => key.expose().to_string(),
                Credentials::Bearer(key) => format!("Bearer {}", key.expose()),
            };
            let mut value = HeaderValue::from_str(&text).map_err(|_| unusable("the key cannot be sent"))?;
            // Keeps it out of every debug output below us.
            value.set_sensitive(true);
            headers.insert(*name, value);
        }
        let response = client.post(url).headers(headers).body(request.body).send().await.map_err(|err| {
            match err.is_connect() || err.is_builder() {
                true => TransportError::Unreachable { reason: reason(&err) },
                false => TransportError::Cut,
            }
        })?;
        let headers = response
            .headers()
            .iter()
            .filter_map(|(name, value)| Some((name.as_str().to_string(), value.to_str().ok()?.to_string())))
            .collect();
        Ok(HttpAnswer { status: response.status().as_u16(), headers, body: Box::new(Live(response)) })
    }
}

impl Transport for HttpTransport {
    fn send(&self, request: HttpRequest) -> Reply<'_, Result<HttpAnswer, TransportError>> {
        Box::pin(self.exchange(request))
    }
}

struct Live(reqwest::Response);

impl Body for Live {
    fn next(&mut self) -> Reply<'_, Result<Option<Vec<u8>>, TransportError>> {
        Box::pin(async {
            match self.0.chunk().await {
                Ok(piece) => Ok(piece.map(|piece| piece.to_vec())),
                Err(_) => Err(TransportError::Cut),
            }
        })
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The innermost cause: the outer ones only say that a request failed, and quote its address.
fn reason(err: &reqwest::Error) -> String {
    let mut cause: &dyn Error = err;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
