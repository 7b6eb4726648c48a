//! The files of the console. They hold no data, and are served to those who may ask the routes behind them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use ring::digest::{SHA256, digest};

use crate::access::only;
use crate::problem::Problem;

struct Asset {
    media_type: &'static str,
    bytes: &'static [u8],
    etag: String,
}

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../../../../console/", $name)) as &'static [u8])),*]
    };
}

const FILES: &[(&str, &[u8])] = files![
    "app/api/client.js"
    "app/api/follow.js"
    "app/api/paths.js"
    "app/api/problem.js"
    "app/atlas/approval.js"
    "app/atlas/conversation.js"
    "app/atlas/entries.js"
    "app/charts/confirmed.js"
    "app/charts/days.js"
    "app/charts/figure.js"
    "app/charts/share.js"
    "app/charts/strip.js"
    "app/charts/trend.js"
    "app/editor/draft.js"
    "app/editor/meanings.js"
    "app/editor/new-test.js"
    "app/editor/step-row.js"
    "app/editor/stepping.js"
    "app/editor/text-area.js"
    "app/graph/drawing.js"
    "app/graph/layout.js"
    "app/graph/ways.js"
    "app/live/atlas-panel.js"
    "app/live/bar.js"
    "app/live/elements.js"
    "app/live/live-page.js"
    "app/live/log.js"
    "app/live/picture.js"
    "app/live/remote.js"
    "app/live/task-box.js"
    "app/live/yaml-steps.js"
    "app/main.js"
    "app/pages/atlas.js"
    "app/pages/audit.js"
    "app/pages/bin.js"
    "app/pages/conversation.js"
    "app/pages/devices.js"
    "app/pages/flaky.js"
    "app/pages/heals.js"
    "app/pages/home.js"
    "app/pages/incident.js"
    "app/pages/incidents.js"
    "app/pages/live.js"
    "app/pages/navigation.js"
    "app/pages/requirements.js"
    "app/pages/run.js"
    "app/pages/runs.js"
    "app/pages/schedules.js"
    "app/pages/settings.js"
    "app/pages/test.js"
    "app/pages/tests.js"
    "app/pages/webhooks.js"
    "app/runs/actions.js"
    "app/runs/console-lines.js"
    "app/runs/film.js"
    "app/runs/progress.js"
    "app/runs/report.js"
    "app/runs/rows.js"
    "app/runs/starting.js"
    "app/runs/story.js"
    "app/runs/test-details.js"
    "app/runs/tests-view.js"
    "app/runs/workers.js"
    "app/schedules/new-schedule.js"
    "app/sections.js"
    "app/shell/caller.js"
    "app/shell/dialog.js"
    "app/shell/early.js"
    "app/shell/keys.js"
    "app/shell/navigation.js"
    "app/shell/router.js"
    "app/shell/said.js"
    "app/shell/theme-first.js"
    "app/shell/theme.js"
    "app/shell/tools.js"
    "app/view/copy.js"
    "app/view/element.js"
    "app/view/heal-picture.js"
    "app/view/long-list.js"
    "app/view/mark.js"
    "app/view/parts.js"
    "app/view/prose.js"
    "app/view/time.js"
    "app/view/trouble.js"
    "index.html"
    "mark.svg"
    "style/base.css"
    "style/live.css"
    "style/pages.css"
    "style/parts.css"
    "style/shell.css"
];

static ASSETS: LazyLock<BTreeMap<&'static str, Asset>> = LazyLock::new(|| {
    FILES
        .iter()
        .map(|&(name, bytes)| (name, Asset { media_type: media_type(name), bytes, etag: etag_of(bytes) }))
        .collect()
});

/// What the page may do: use what this service serves, and nothing else. No script and no style is in its text.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

const INDEX: &str = "index.html";

pub fn routes<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    router
        .route("/", get(|headers: HeaderMap| async move { answer(INDEX, &headers) }))
        .route("/console", get(|headers: HeaderMap| async move { answer(INDEX, &headers) }))
        .route(
            "/console/{*path}",
            get(|path: Result<Path<String>, PathRejection>, headers: HeaderMap| async move {
                match path {
                    Ok(Path(path)) => answer(&path, &headers),
                    Err(_) => Problem::usage("the path is not encoded as it should be").into_response(),
                }
            }),
        )
}

/// Every page has the same text; its scripts read the address.
fn answer(path: &str, headers: &HeaderMap) -> Response<Body> {
    let is_file = path.starts_with("app/") || path.starts_with("style/") || ASSETS.contains_key(path);
    let asset = if is_file { ASSETS.get(path) } else { ASSETS.get(INDEX) };
    let Some(asset) = asset else {
        return Problem::not_found(format!("the console has no file `{path}`")).into_response();
    };
    let known = only(headers, header::IF_NONE_MATCH).ok().flatten().unwrap_or_default();
    let is_known = known.split(',').any(|tag| tag.trim() == asset.etag);
    let mut response = Response::new(if is_known { Body::empty() } else { Body::from(asset.bytes) });
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let answered = response.headers_mut();
    answered.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type));
    answered.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    answered.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    // Without a referrer, the browser would send forms of the page without their origin.
    answered.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    if let Ok(etag) = HeaderValue::from_str(&asset.etag) {
        answered.insert(header::ETAG, etag);
    }
    response
}

fn etag_of(bytes: &[u8]) -> String {
    let hash: String =
        digest(&SHA256, bytes).as_ref().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hash}\"")
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Write;
    use std::path::Path;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn below(folder: &Path, at: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(at).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                below(folder, &path, found);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().display().to_string());
            }
        }
    }

    #[test]
    fn every_file_of_the_console_is_in_the_binary() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../console").canonicalize().unwrap();
        let mut found = BTreeSet::new();
        below(&folder, &folder, &mut found);
        found.retain(|name| !name.starts_with("tests/"));
        let embedded: BTreeSet<String> = FILES.iter().map(|(name, _)| (*name).to_string()).collect();
        assert_eq!(embedded, found);
    }

    /// What a script of the console imports before it runs.
    fn imports_of(name: &str, found: &mut BTreeSet<String>) {
        if !found.insert(name.to_string()) {
            return;
        }
        let (_, bytes) =
            FILES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no {name}"));
        let imports = std::str::from_utf8(bytes).unwrap().lines().filter(|line| line.starts_with("import "));
        for path in imports.filter_map(|line| line.split('\'').nth(1)) {
            let mut parts: Vec<&str> = name.split('/').collect();
            parts.pop();
            for part in path.split('/') {
                match part {
                    "." => {}
                    ".." => drop(parts.pop()),
                    part => parts.push(part),
                }
            }
            imports_of(&parts.join("/"), found);
        }
    }

    #[test]
    fn the_page_asks_at_once_for_all_that_home_needs() {
        let mut needed = BTreeSet::new();
        imports_of("app/main.js", &mut needed);
        imports_of("app/pages/home.js", &mut needed);
        needed.remove("app/main.js");
        let (_, index) = FILES.iter().find(|(name, _)| *name == INDEX).unwrap();
        let links = std::str::from_utf8(index).unwrap().lines();
        let asked: BTreeSet<String> = links
            .filter_map(|line| line.strip_prefix("<link rel=\"modulepreload\" href=\"/console/"))
            .map(|rest| rest.trim_end_matches("\">").to_string())
            .collect();
        assert_eq!(asked, needed);
    }

    #[test]
    fn the_console_is_small() {
        let size: usize = FILES.iter().map(|(_, bytes)| compressed(bytes)).sum();
        assert!(size <= 200 * 1024, "{size} bytes: it should load at once on any line");
    }

    fn compressed(bytes: &[u8]) -> usize {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap().len()
    }

    #[test]
    fn the_console_reaches_no_other_host() {
        for (name, bytes) in FILES {
            let text = std::str::from_utf8(bytes).unwrap().replace("http://www.w3.org/2000/svg", "");
            for foreign in
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", " style=\""]
            {
                assert!(!text.contains(foreign), "{name} has {foreign}");
            }
            let addresses = text.matches("http://").count() + text.matches("https://").count();
            let examples = text.matches("http://127.0.0.1").count();
            assert_eq!(addresses, examples, "{name} names another host");
        }
    }
}
