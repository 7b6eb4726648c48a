//! Serves one version of the site of a case, and notes what it was asked to change.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Received;
use super::answers::{Rule, Said};
use super::fields::body_fields;
use super::memory::Memory;
use super::pages::Pages;
use super::template::{Escape, Source};
use crate::{Params, Request, Response, Server};

/// Everything that makes a site: pages, answers and what is there at the beginning.
#[derive(Debug, Clone, Default)]
pub struct SiteVersion {
    pages: Pages,
    rules: Vec<Rule>,
    data: Memory,
    faults: Vec<Fault>,
}

/// What goes wrong on purpose in a version of a site.
#[derive(Debug, Clone)]
enum Fault {
    RequestFails { method: String, path: String },
    AllFailBut { harmless: Vec<(String, String)> },
    ControlDeaf { name: String },
}

impl SiteVersion {
    pub(super) fn new(pages: Pages, rules: Vec<Rule>, data: Memory) -> SiteVersion {
        SiteVersion { pages, rules, data, faults: Vec::new() }
    }

    /// The paths of all pages.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.pages.keys().map(String::as_str)
    }

    /// A page as it is shown first, before anything was asked for.
    pub fn shown(&self, path: &str) -> String {
        let response = Stage::new(self.clone()).page(path, &Params::default());
        String::from_utf8_lossy(response.body()).into_owned()
    }

    /// How many answers are there beside the pages.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// The same site, where this request changes nothing and is answered by 500.
    #[must_use]
    pub fn with_failing_request(mut self, method: &str, path: &str) -> SiteVersion {
        self.faults.push(Fault::RequestFails { method: method.to_owned(), path: path.to_owned() });
        self
    }

    /// The same site, where no request changes anything and all are answered by 500, but for the harmless ones.
    #[must_use]
    pub fn with_all_failing_but(mut self, harmless: &[(String, String)]) -> SiteVersion {
        self.faults.push(Fault::AllFailBut { harmless: harmless.to_vec() });
        self
    }

    /// The same site, where buttons and links of this name do not hear a click.
    #[must_use]
    pub fn with_deaf_control(mut self, name: &str) -> SiteVersion {
        self.faults.push(Fault::ControlDeaf { name: name.to_owned() });
        self
    }

    /// Serves the site on a free port of 127.0.0.1.
    pub fn serve(self) -> CaseSite {
        self.serve_on(0).expect("a free loopback port can always be bound")
    }

    /// Serves the site on this port of 127.0.0.1, or on a free one when it is 0.
    pub fn serve_on(self, port: u16) -> io::Result<CaseSite> {
        let stage = Arc::new(Mutex::new(Stage::new(self)));
        let server = Server::start_on(port, {
            let stage = Arc::clone(&stage);
            move |request| lock(&stage).answer(request)
        })?;
        Ok(CaseSite { server, stage })
    }
}

/// A site that is served. It stops when this is dropped.
pub struct CaseSite {
    server: Server,
    stage: Arc<Mutex<Stage>>,
}

impl CaseSite {
    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    pub fn server(&self) -> &Server {
        &self.server
    }

    /// All requests so far that were meant to change something, in the order in which they came.
    pub fn received(&self) -> Vec<Received> {
        lock(&self.stage).received.clone()
    }

    /// Puts another version in the place of this one, at the same address. What was kept and noted is forgotten.
    pub fn deploy(&self, version: SiteVersion) {
        *lock(&self.stage) = Stage::new(version);
    }
}

fn lock(stage: &Mutex<Stage>) -> MutexGuard<'_, Stage> {
    stage.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Stage {
    version: SiteVersion,
    kept: Memory,
    received: Vec<Received>,
}

impl Stage {
    fn new(version: SiteVersion) -> Stage {
        Stage { kept: version.data.clone(), version, received: Vec::new() }
    }

    fn answer(&mut self, request: &Request) -> Response {
        let response = if self.fails(request) { Response::status(500) } else { self.respond(request) };
        self.received.extend(Received::note(request, response.status_code()));
        response
    }

    fn fails(&self, request: &Request) -> bool {
        self.version.faults.iter().any(|fault| match fault {
            Fault::RequestFails { method, path } => *method == request.method && *path == request.path,
            Fault::AllFailBut { harmless } => {
                let known =
                    |(method, path): &(String, String)| *method == request.method && *path == request.path;
                Received::changes_something(request) && !harmless.iter().any(known)
            }
            Fault::ControlDeaf { .. } => false,
        })
    }

    fn respond(&mut self, request: &Request) -> Response {
        for rule in &self.version.rules {
            let Some(sent) = rule.captures(request).map(|captures| all_fields(captures, request)) else {
                continue;
            };
            if !rule.fits(&Source { sent: &sent, kept: &self.kept }) {
                continue;
            }
            return match rule.carry_out(&sent, &mut self.kept) {
                Said::Answer(response) => response,
                Said::Page { path, status } => self.page(&path, &sent).with_status(status),
            };
        }
        match request.method.as_str() {
            // Every browser asks for it, and a 404 would stand in the console of every page.
            "GET" if request.path == "/favicon.ico" => Response::status(204),
            "GET" => self.page(&request.path, &all_fields(Params::default(), request)),
            _ => Response::status(404),
        }
    }

    fn page(&self, path: &str, sent: &Params) -> Response {
        let Some(page) = self.version.pages.get(path) else {
            return Response::html("<!doctype html>\n<title>Not found</title>\n<h1>Page not found</h1>\n")
                .with_status(404);
        };
        let mut html = page.fill(&Source { sent, kept: &self.kept }, Escape::Html);
        for fault in &self.version.faults {
            if let Fault::ControlDeaf { name } = fault {
                html.push_str(&deafening(name));
            }
        }
        Response::html(html)
    }
}

/// A script that keeps clicks from the controls of this name.
fn deafening(name: &str) -> String {
    let name = crate::json_string(name);
    format!(
        "<script>\nfor (const kind of ['click', 'submit']) addEventListener(kind, event => {{\n\
         const path = event.submitter ? [event.submitter] : event.composedPath();\n\
         const named = node => [node.innerText, node.value, node.ariaLabel].some(text => text?.trim() === {name});\n\
         if (path.some(node => node.matches?.('a, button, input, [role]') && named(node))) {{\n\
         event.preventDefault(); event.stopImmediatePropagation();\n}}\n}}, true);\n</script>\n"
    )
}

/// What the path, the query and the body say, in this order.
fn all_fields(mut fields: Params, request: &Request) -> Params {
    let body = body_fields(request);
    for (name, value) in request.query.iter().chain(body.iter()) {
        fields.push(name.to_owned(), value.to_owned());
    }
    fields
}

#[cfg(test)]
#[path = "site_tests.rs"]
mod tests;
