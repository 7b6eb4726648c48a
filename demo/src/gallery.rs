//! The gallery: one page for each kind of control that tests meet, with or without a defect.

use std::time::Duration;

use assay_testkit::{Request, Response};

use crate::app::refuse;
use crate::page::{self, escape_early, framed};
use crate::state::Workspace;

/// How long the server thinks before it refuses what the page has shown already.
const REFUSED_AFTER: Duration = Duration::from_millis(700);

struct Exhibit {
    path: &'static str,
    title: &'static str,
    content: &'static str,
}

macro_rules! exhibit {
    ($name:literal, $title:literal) => {
        Exhibit {
            path: $name,
            title: $title,
            content: include_str!(concat!("../site/gallery/", $name, ".html")),
        }
    };
}

const EXHIBITS: &[Exhibit] = &[
    exhibit!("tabs", "Tabs"),
    exhibit!("accordion", "Questions and answers"),
    exhibit!("menu", "Log book"),
    exhibit!("combobox", "Plan a trip"),
    exhibit!("drag", "Load the ship"),
    exhibit!("upload", "Hand in documents"),
    exhibit!("new-tab", "Tides"),
    exhibit!("tide-table", "Tide table"),
    exhibit!("frame", "Weather"),
    exhibit!("toasts", "Notice to sailors"),
    exhibit!("follow", "The Aurora"),
    exhibit!("delayed", "Crew list"),
    exhibit!("banner", "Newsletter"),
    exhibit!("counter", "Boat counter"),
    exhibit!("archive-door", "Archive"),
    exhibit!("lookalikes", "Berths"),
];

pub fn serves(path: &str) -> bool {
    path == "/gallery" || path.starts_with("/gallery/") || matches!(path, "/api/boats" | "/api/follow")
}

pub fn answer(request: &Request, user: Option<&str>, workspace: &mut Workspace) -> Response {
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/gallery") => index(user, workspace),
        ("GET", "/gallery/forecast") => Response::html(include_str!("../site/forecast.html")),
        // DEFECT: the archive is promised and never opens.
        ("GET", "/gallery/archive") => Response::html(page::error()).with_status(500),
        ("POST", "/gallery/upload") => exhibit("upload", &received(request), user, workspace),
        ("POST", "/api/boats") => {
            // DEFECT: the last boat is forgotten, which nobody sees before the page is loaded again.
            let boats: u32 = request.form().get("boats").and_then(|boats| boats.parse().ok()).unwrap_or(0);
            workspace.boats = boats.saturating_sub(1);
            Response::json("{\"done\":true}")
        }
        ("POST", "/api/follow") => {
            refuse(200, "Could not save. Your change was undone.").delay(REFUSED_AFTER)
        }
        ("GET", path) => match path.strip_prefix("/gallery/") {
            Some(name) => exhibit(name, "", user, workspace),
            None => Response::html(page::not_found()).with_status(404),
        },
        _ => refuse(405, "Not possible."),
    }
}

fn index(user: Option<&str>, workspace: &Workspace) -> Response {
    let links: String = EXHIBITS
        .iter()
        .map(|exhibit| format!("<li><a href=\"/gallery/{}\">{}</a></li>", exhibit.path, exhibit.title))
        .collect();
    let content = format!("<h1>Gallery</h1><ul class=\"card\" aria-label=\"Pages\">{links}</ul>");
    Response::html(framed("Gallery", &content, "gallery", user, workspace))
}

fn exhibit(name: &str, received: &str, user: Option<&str>, workspace: &Workspace) -> Response {
    let Some(exhibit) = EXHIBITS.iter().find(|exhibit| exhibit.path == name) else {
        return Response::html(page::not_found()).with_status(404);
    };
    let content = exhibit
        .content
        .replace("{{boats}}", &workspace.boats.to_string())
        .replace("{{received}}", &escape_early(received));
    Response::html(framed(exhibit.title, &content, "gallery", user, workspace))
}

fn received(request: &Request) -> String {
    match request.uploads().into_iter().find(|upload| !upload.file_name.is_empty()) {
        Some(upload) => format!("Received {} ({} bytes).", upload.file_name, upload.size()),
        None => "Choose a document first.".to_owned(),
    }
}
