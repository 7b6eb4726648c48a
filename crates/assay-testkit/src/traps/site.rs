//! Serves a trap: its page, the files beside it, and its endpoints.

use std::collections::HashMap;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{Request, Response, Server};

use super::{EndpointAnswer, Trap};

/// Tells one visitor from another: each has its own row of answers.
const VISITOR: &str = "trap-visitor";

/// A server of its own for the trap. Every browser context gets the answers of endpoints from the first on.
pub fn serve_trap(trap: &Trap) -> Server {
    let trap = trap.clone();
    let visitors = AtomicU64::new(0);
    let given: Mutex<HashMap<(String, usize), usize>> = Mutex::default();
    Server::start(move |request| {
        let known = request.cookie(VISITOR).map(str::to_string);
        let visitor = known.clone().unwrap_or_else(|| visitors.fetch_add(1, Ordering::Relaxed).to_string());
        let response = match endpoint_of(&trap, request) {
            Some(index) => {
                let answers = &trap.page.endpoints[index].answers;
                let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
                let count = given.entry((visitor.clone(), index)).or_default();
                let answer = &answers[(*count).min(answers.len() - 1)];
                *count += 1;
                of_answer(answer)
            }
            None => page_or_file(&trap, request),
        };
        if known.is_some() { response } else { response.cookie(VISITOR, &visitor) }
    })
}

fn endpoint_of(trap: &Trap, request: &Request) -> Option<usize> {
    trap.page
        .endpoints
        .iter()
        .position(|endpoint| endpoint.method == request.method && path(&endpoint.path) == request.path)
}

fn of_answer(answer: &EndpointAnswer) -> Response {
    let response = Response::bytes(&answer.content_type, answer.body.clone()).with_status(answer.status);
    answer
        .headers
        .iter()
        .fold(response, |response, (name, value)| response.header(name, value))
        .delay(answer.delay)
}

fn page_or_file(trap: &Trap, request: &Request) -> Response {
    let page = &trap.page;
    if page.opened != page.at && request.path == path(&page.opened) {
        return Response::redirect(&page.at);
    }
    if request.path == path(&page.at) {
        let response = Response::html(page.html.clone()).with_status(page.status).delay(page.delay);
        return page.headers.iter().fold(response, |response, (name, value)| response.header(name, value));
    }
    let name = request.path.trim_start_matches('/');
    // Only files of the set itself, by their plain names.
    if name.is_empty() || name.contains(['/', '\\']) || name.ends_with(".txt") {
        return Response::status(404);
    }
    match fs::read(trap.folder.join(name)) {
        Ok(bytes) => Response::bytes(content_type(name), bytes),
        Err(_) => Response::status(404),
    }
}

/// Without the query and the fragment.
fn path(address: &str) -> &str {
    address.split(['?', '#']).next().unwrap_or_default()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" => "image/jpeg",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
