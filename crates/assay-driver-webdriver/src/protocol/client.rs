//! JSON over HTTP: one command, one answer.

use std::error::Error;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::CONTENT_TYPE;
use serde::Deserialize;
use serde_json::Value;

use super::{Address, Code, Trouble};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
    Delete,
}

#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    address: Address,
}

#[derive(Deserialize)]
struct Answer {
    value: Value,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: Option<RefusalData>,
}

#[derive(Deserialize)]
struct RefusalData {
    text: Option<String>,
}

impl Client {
    pub fn new(address: Address) -> Result<Client, Trouble> {
        assay_wire::install_tls_provider();
        let mut builder = reqwest::Client::builder();
        if address.is_loopback() {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|err| Trouble::Unreachable(reason(&err)))?;
        Ok(Client { http, address })
    }

    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Sends a command to a path below the server's address, and gives back the `value` of its answer.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        limit: Duration,
    ) -> Result<Value, Trouble> {
        let (status, text) = self.exchange(method, self.address.at(path), body, limit).await?;
        let foreign = || Trouble::Foreign { status: status.to_string(), start: beginning(&text) };
        let answer: Answer = serde_json::from_str(&text).map_err(|_| foreign())?;
        if status.is_success() {
            return Ok(answer.value);
        }
        let refusal: Refusal = serde_json::from_value(answer.value).map_err(|_| foreign())?;
        Err(Trouble::Refused {
            code: Code::of(&refusal.error, &refusal.message),
            message: in_one_line(&refusal.error, &refusal.message),
            alert: refusal.data.and_then(|data| data.text),
        })
    }

    /// The status and the text of what lies at a path, whatever it is.
    pub async fn look_at(&self, path: &str, limit: Duration) -> Result<(u16, String), Trouble> {
        let (status, text) = self.exchange(Method::Get, self.address.at(path), None, limit).await?;
        Ok((status.as_u16(), text))
    }

    async fn exchange(
        &self,
        method: Method,
        url: Url,
        body: Option<&Value>,
        limit: Duration,
    ) -> Result<(reqwest::StatusCode, String), Trouble> {
        let request = match method {
            Method::Get => self.http.get(url),
            Method::Delete => self.http.delete(url),
            // Grid takes no body whose character set is not named.
            Method::Post => self
                .http
                .post(url)
                .header(CONTENT_TYPE, "application/json; charset=utf-8")
                .body(body.map_or_else(|| "{}".to_string(), Value::to_string)),
        };
        let exchange = async {
            let response = request.send().await?;
            let status = response.status();
            Ok((status, response.text().await?))
        };
        match tokio::time::timeout(limit, exchange).await {
            Err(_) => Err(Trouble::NoAnswer),
            Ok(Err(err)) => Err(trouble(&err)),
            Ok(Ok(answer)) => Ok(answer),
        }
    }
}

fn trouble(err: &reqwest::Error) -> Trouble {
    let mut cause: Option<&(dyn Error + 'static)> = Some(err);
    while let Some(err) = cause {
        if let Some(io) = err.downcast_ref::<std::io::Error>()
            && io.kind() == std::io::ErrorKind::ConnectionRefused
        {
            return Trouble::NothingListens;
        }
        cause = err.source();
    }
    Trouble::Unreachable(reason(err))
}

/// The innermost cause: the layers above only say that something failed. It never has the address.
fn reason(err: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = err;
    while let Some(inner) = innermost.source() {
        innermost = inner;
    }
    innermost.to_string()
}

/// Drivers put a trace behind the first line of what they say.
fn in_one_line(error: &str, message: &str) -> String {
    let line = message.lines().next().unwrap_or_default().trim();
    match line {
        "" => error.to_string(),
        line if line.starts_with(error) => line.to_string(),
        line => format!("{error}: {line}"),
    }
}

fn beginning(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
