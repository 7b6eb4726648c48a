//! Signing in with a token. A browser that is refused a page gets a form with the refusal, and that form is all it gets.

use std::sync::Arc;

use assay_coordinator::NewAuditEntry;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use ring::digest::{SHA256, digest};

use crate::access::{Peer, only};
use crate::problem::Problem;
use crate::route::read_query;
use crate::service::Service;

const PAGE: &str = include_str!("sign_in.html");
const STYLE: &str = include_str!("sign_in.css");

const SIGN_IN: &str = "/sign-in";
const SIGN_OUT: &str = "/sign-out";

/// A form has a token and an address.
const LONGEST: usize = 8 * 1024;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    token: String,
    /// The page that was asked for.
    #[serde(default)]
    to: String,
}

/// Whether a browser opens a page, rather than a program asking a route.
pub fn wants_page(method: &Method, headers: &HeaderMap) -> bool {
    let accepted = only(headers, header::ACCEPT).ok().flatten().unwrap_or_default();
    *method == Method::GET && accepted.split(',').any(|kind| kind.trim().starts_with("text/html"))
}

/// A refusal that can be answered with a token.
pub fn refusal_page(to: &str, why: Option<&str>) -> Response<Body> {
    let to = if is_page(to) { to } else { "/" };
    let why =
        why.map(|why| format!("<p class=\"bad\" role=\"alert\">{}</p>", escaped(why))).unwrap_or_default();
    let page = PAGE.replace("@@WHY@@", &why).replace("@@TO@@", &escaped(to)).replace("@@STYLE@@", STYLE);
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        BASE64_STANDARD.encode(digest(&SHA256, STYLE.as_bytes()))
    );
    let mut response = Response::new(Body::from(page));
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    // Without a referrer, the browser would send the form without its origin.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Whether a request is a form that signs in or out.
pub fn is_form(request: &Request) -> bool {
    *request.method() == Method::POST && [SIGN_IN, SIGN_OUT].contains(&request.uri().path())
}

/// Signs in or out. The guard has read host and origin.
pub async fn answer_form(
    service: &Arc<Service>,
    peer: &Peer,
    request: Request,
) -> Result<Response<Body>, Problem> {
    if !request.headers().contains_key(header::ORIGIN) {
        return Err(Problem::forbidden("only a page of this service signs in or out"));
    }
    if request.uri().path() == SIGN_OUT {
        return Ok(go_to("/", &service.pages.sign_out(request.headers())));
    }
    sign_in(service, peer, request).await
}

async fn sign_in(service: &Arc<Service>, peer: &Peer, request: Request) -> Result<Response<Body>, Problem> {
    let too_long = || Problem::usage("expected a token");
    let reading =
        tokio::time::timeout(service.options.limits.reading, to_bytes(request.into_body(), LONGEST));
    let body = reading.await.map_err(|_| too_long())?.map_err(|_| too_long())?;
    let form: Form = read_query(std::str::from_utf8(&body).map_err(|_| too_long())?)?;
    let (held, peer) = (Arc::clone(service), peer.clone());
    let done = tokio::task::spawn_blocking(move || {
        let token = match held.door().token(form.token.trim(), &peer) {
            Ok(token) => token,
            Err(problem) if problem.status == StatusCode::UNAUTHORIZED => {
                return Ok(refusal_page(&form.to, Some("No such token.")));
            }
            Err(problem) => return Err(problem),
        };
        let who = format!("token {}", token.name);
        let entry =
            NewAuditEntry { who: &who, peer: &peer.address.to_string(), method: "post", path: SIGN_IN };
        let entry = held.coordinator.enter_audit(&entry)?;
        let cookie =
            held.pages.sign_in(token, peer.address.ip()).map_err(|err| Problem::internal(err.to_string()))?;
        held.coordinator.finish_audit(entry, StatusCode::SEE_OTHER.as_u16())?;
        Ok(go_to(if is_page(&form.to) { &form.to } else { "/" }, &cookie))
    });
    done.await.map_err(|err| Problem::internal(err.to_string()))?
}

fn go_to(path: &str, cookie: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    for (name, value) in [(header::LOCATION, path), (header::SET_COOKIE, cookie)] {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    }
    response
}

/// A page of the console: nothing leads to another host.
fn is_page(path: &str) -> bool {
    let is_plain = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    is_plain && (path == "/" || path == "/console" || path.starts_with("/console/"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_console_are_gone_back_to() {
        for page in ["/", "/console", "/console/runs?status=paused"] {
            assert!(is_page(page), "{page}");
        }
        for other in
            ["//evil.example", "/\\evil.example", "https://evil.example", "/server/runs", "", "/console/\nx"]
        {
            assert!(!is_page(other), "{other}");
        }
    }
}
