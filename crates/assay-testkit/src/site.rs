//! The fixture site: pages that are hard to automate on purpose.
//!
//! Each page is one HTML file of `site/`, complete in itself. It records what
//! happened to it in `window.log` and shows that in `<output id="log">`. The
//! elements of all pages are listed in the README of this crate.

use std::time::Duration;

use crate::{Request, Response, Server, flows, json_string, percent_encode};

/// Serves the fixture site on a free port of 127.0.0.1. The same server under
/// the name `localhost` is the other origin that some pages embed.
pub fn fixture_site() -> Server {
    Server::start(answer)
}

/// The same, and `asked` is called with every request before it is answered.
pub fn watched_fixture_site(asked: impl Fn(&Request) + Send + Sync + 'static) -> Server {
    Server::start(move |request: &Request| {
        asked(request);
        answer(request)
    })
}

/// A page of the site that shows the same to everyone who opens it.
#[derive(Debug, Clone, Copy)]
pub struct FixturePage {
    pub path: &'static str,
    /// A text that the page shows once it has stopped changing by itself; empty when it shows all at once.
    pub settled: &'static str,
}

/// All pages that can be looked at as they are, for tests that compare what they see of them.
pub fn fixture_pages() -> Vec<FixturePage> {
    let generated = ["/", "/list", "/login", "/state", "/table", "/upload/done", "/welcome", "/spa/orders"];
    let paths = PAGES.iter().map(|(path, _)| *path).chain(generated);
    paths.map(|path| FixturePage { path, settled: settled(path) }).collect()
}

fn settled(path: &str) -> &'static str {
    match path {
        "/arriving" => "Order 17 was saved",
        "/delayed" => "disappeared",
        "/frames" => "Press late",
        "/frames/kinds" => "Answered after 400 ms",
        "/overlay" => "overlay gone",
        _ => "",
    }
}

/// Longer than any test would wait, so that a wrong number is not a hanging test.
const LONGEST_DELAY_MS: u64 = 120_000;

const RECORD: &str = include_str!("../site/record.js");
const PIXEL: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="16" height="16" fill="#369"/></svg>"##;

/// Path and content of the pages that are the same for every request.
const PAGES: &[(&str, &str)] = &[
    ("/animate", include_str!("../site/animate.html")),
    ("/arriving", include_str!("../site/arriving.html")),
    ("/canvas", include_str!("../site/canvas.html")),
    ("/clickable", include_str!("../site/clickable.html")),
    ("/crash", include_str!("../site/crash.html")),
    ("/delayed", include_str!("../site/delayed.html")),
    ("/dialogs", include_str!("../site/dialogs.html")),
    ("/dialogs/leave", include_str!("../site/dialogs-leave.html")),
    ("/dialogs/onload", include_str!("../site/dialogs-onload.html")),
    ("/download", include_str!("../site/download.html")),
    ("/drag", include_str!("../site/drag.html")),
    ("/editors", include_str!("../site/editors.html")),
    ("/errors", include_str!("../site/errors.html")),
    ("/forms", include_str!("../site/forms.html")),
    ("/frame", include_str!("../site/frame.html")),
    ("/frames", include_str!("../site/frames.html")),
    ("/frames/kinds", include_str!("../site/frames-kinds.html")),
    ("/frames/order", include_str!("../site/frames-order.html")),
    ("/grown", include_str!("../site/grown.html")),
    ("/hits", include_str!("../site/hits.html")),
    ("/hits/frame", include_str!("../site/hits-frame.html")),
    ("/inputs", include_str!("../site/inputs.html")),
    ("/keyboard", include_str!("../site/keyboard.html")),
    ("/late", include_str!("../site/late.html")),
    ("/modal", include_str!("../site/modal.html")),
    ("/mutate", include_str!("../site/mutate.html")),
    ("/names", include_str!("../site/names.html")),
    ("/overlay", include_str!("../site/overlay.html")),
    ("/parts", include_str!("../site/parts.html")),
    ("/pointer", include_str!("../site/pointer.html")),
    ("/popup", include_str!("../site/popup.html")),
    ("/popup/child", include_str!("../site/popup-child.html")),
    ("/popup/closing", include_str!("../site/popup-closing.html")),
    ("/presses", include_str!("../site/presses.html")),
    ("/replace", include_str!("../site/replace.html")),
    ("/rtl", include_str!("../site/rtl.html")),
    ("/scroll", include_str!("../site/scroll.html")),
    ("/sending", include_str!("../site/sending.html")),
    ("/shadow", include_str!("../site/shadow.html")),
    ("/spa", include_str!("../site/spa.html")),
    ("/upload", include_str!("../site/upload.html")),
    ("/wedge", include_str!("../site/wedge.html")),
    ("/widgets", include_str!("../site/widgets.html")),
    ("/zoom", include_str!("../site/zoom.html")),
];

fn answer(request: &Request) -> Response {
    if let Some((_, html)) = PAGES.iter().find(|(path, _)| *path == request.path) {
        return page(html).delay(delay_of(request));
    }
    if let Some(answer) = flows::answer(request) {
        return answer;
    }
    match request.path.as_str() {
        "/" => index(),
        "/table" => page(&include_str!("../site/table.html").replace("{{rows}}", &crew_rows())),
        "/list" => page(&include_str!("../site/list.html").replace("{{items}}", &store_items())),
        "/login" => login(request),
        "/welcome" => page(
            &include_str!("../site/welcome.html")
                .replace("{{name}}", &escape(request.param("name").unwrap_or("stranger"))),
        ),
        "/state" => state(request),
        "/status" => Response::html("<!doctype html><title>Trouble</title><h1>Trouble at the quay</h1>")
            .with_status(status_of(request)),
        "/alone" => page(include_str!("../site/alone.html"))
            .with_status(status_of(request))
            .header("Cross-Origin-Opener-Policy", "same-origin")
            .header("Cross-Origin-Embedder-Policy", "require-corp"),
        "/upload/done" => upload_done(request),
        "/download/report.csv" => {
            Response::bytes("text/csv", "ship,berth\nAurora,4\nMinke,7\n").attachment("report.csv")
        }
        "/download/slow.bin" => {
            Response::drip("application/octet-stream", vec![b'x'; 10_000], 10, Duration::from_millis(100))
                .attachment("slow.bin")
        }
        "/download/unicode" => Response::text("unusual\n").attachment("Überfahrt 船.txt"),
        "/slow" => {
            let ms = delay_of(request);
            page(&include_str!("../site/slow.html").replace("{{ms}}", &ms.as_millis().to_string())).delay(ms)
        }
        "/never" => Response::never(),
        "/redirect" => Response::redirect(request.param("to").unwrap_or("/")).with_status(302),
        "/api/slow" => {
            let ms = delay_of(request);
            Response::json(format!("{{\"ms\":{}}}", ms.as_millis())).delay(ms)
        }
        "/api/status" => Response::status(status_of(request)),
        "/api/echo" => echo(request),
        "/pixel.svg" => Response::bytes("image/svg+xml", PIXEL),
        // Browsers ask for it by themselves; a 404 would be noise in tests of errors.
        "/favicon.ico" => Response::status(204),
        // So that a reload after an in-page navigation works.
        path if path.starts_with("/spa/") => page(include_str!("../site/spa.html")),
        _ => Response::html("<!doctype html><title>Not found</title><h1>Not found</h1>").with_status(404),
    }
}

/// A page with the recorder in it.
pub(crate) fn page(html: &str) -> Response {
    Response::html(html.replace("<!-- record -->", &format!("<script>\n{RECORD}</script>")))
}

fn delay_of(request: &Request) -> Duration {
    Duration::from_millis(request.number("ms", 0).min(LONGEST_DELAY_MS))
}

fn status_of(request: &Request) -> u16 {
    u16::try_from(request.number("code", 200)).ok().filter(|code| (200..600).contains(code)).unwrap_or(400)
}

fn login(request: &Request) -> Response {
    let form = request.form();
    let asked = |name| form.get(name).unwrap_or_default();
    let message = match (request.method.as_str(), asked("email"), asked("password")) {
        ("POST", email, "secret123") if !email.is_empty() => {
            return Response::redirect(&format!("/welcome?name={}", percent_encode(email)));
        }
        ("POST", _, _) => "Wrong email or password",
        _ => "",
    };
    page(&include_str!("../site/login.html").replace("{{message}}", message))
}

/// Shows which cookies came with the request; `?set=NAME=VALUE` sets one that scripts cannot read.
fn state(request: &Request) -> Response {
    let sent = request.header("cookie").map(escape).unwrap_or_default();
    let page = page(&include_str!("../site/state.html").replace("{{cookies}}", &sent));
    match request.param("set") {
        Some(cookie) => page.header("Set-Cookie", &format!("{cookie}; Path=/; HttpOnly")),
        None => page,
    }
}

fn index() -> Response {
    let generated = [
        "/alone",
        "/list",
        "/login",
        "/state",
        "/status?code=503",
        "/table",
        "/welcome",
        "/slow?ms=500",
        "/redirect?to=/list",
        "/wedge?now=1",
        "/never",
        "/canvas/app",
        "/feed",
        "/injection",
        "/wiki",
        "/wizard",
    ];
    let paths = PAGES.iter().map(|(path, _)| *path).chain(generated);
    let items: String = paths.map(|path| format!("<li><a href=\"{path}\">{path}</a></li>\n")).collect();
    Response::html(format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Fixture site</title>\n\
         <h1>Fixture site</h1>\n<ul>\n{items}</ul>\n</html>\n"
    ))
}

fn crew_rows() -> String {
    let first = ["Ada", "Bram", "Clara", "Daan", "Elin", "Frits", "Greta", "Hugo", "Ines", "Jonas"];
    let last = ["Visser", "Lund", "Costa", "Moen", "Smit", "Berg", "Silva", "Dahl", "Prins", "Holm"];
    let role = ["Captain", "Mate", "Engineer", "Cook", "Deckhand"];
    let status = ["Active", "On leave", "Ashore"];
    let row = |n: usize| {
        let (given, family) = (first[(n - 1) % 10], last[(n - 1) / 10]);
        format!(
            "<tr id=\"row-{n}\"><td>{n}</td><td>{given} {family}</td><td>{}.{}@example.com</td><td>{}</td><td>{}</td>\
             <td><a id=\"view-{n}\" href=\"#row-{n}\">View</a> <button id=\"edit-{n}\" type=\"button\">Edit</button></td></tr>",
            given.to_lowercase(),
            family.to_lowercase(),
            role[n % role.len()],
            status[n % status.len()],
        )
    };
    (1..=100).map(row).collect::<Vec<_>>().join("\n")
}

fn store_items() -> String {
    let kind = ["Brass", "Linen", "Oak", "Slate", "Copper", "Woven", "Glazed", "Cedar", "Felt", "Enamel"];
    let thing = ["lantern", "basket", "kettle", "stool", "tray"];
    let item = |n: usize| {
        let name = format!("{} {}", kind[(n - 1) % 10], thing[(n - 1) / 10]);
        format!(
            "<li id=\"item-{n}\">{name} <button id=\"add-{n}\" type=\"button\">Add {}</button></li>",
            name.to_lowercase()
        )
    };
    (1..=50).map(item).collect::<Vec<_>>().join("\n")
}

fn upload_done(request: &Request) -> Response {
    let files: String = request
        .uploads()
        .iter()
        .filter(|file| !file.file_name.is_empty())
        .map(|file| {
            format!("<li>{}: {} ({} bytes)</li>", escape(&file.field), escape(&file.file_name), file.size())
        })
        .collect();
    let comment = request.form().get("comment").map(escape).unwrap_or_default();
    page(
        &include_str!("../site/upload-done.html")
            .replace("{{files}}", &files)
            .replace("{{comment}}", &comment),
    )
}

/// The request as JSON, for pages and tests that want to see what was really sent.
fn echo(request: &Request) -> Response {
    let object = |pairs: Vec<(&str, &str)>| {
        let pairs: Vec<String> = pairs
            .iter()
            .map(|(name, value)| format!("{}:{}", json_string(name), json_string(value)))
            .collect();
        format!("{{{}}}", pairs.join(","))
    };
    Response::json(format!(
        "{{\"method\":{},\"path\":{},\"query\":{},\"headers\":{},\"body\":{}}}",
        json_string(&request.method),
        json_string(&request.path),
        object(request.query.iter().collect()),
        object(request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()),
        json_string(&String::from_utf8_lossy(&request.body)),
    ))
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;

    fn get(path: &str, query: &str) -> (u16, String) {
        let request = Request {
            method: "GET".into(),
            path: path.into(),
            query: Params::parse(query),
            ..Request::default()
        };
        let response = answer(&request);
        let body = String::from_utf8(response.body().to_vec()).unwrap();
        (response.status, body)
    }

    #[test]
    fn every_page_records_what_happens_and_shows_it() {
        let generated =
            ["/table", "/list", "/login", "/state", "/welcome", "/slow", "/upload/done", "/spa/orders"];
        for path in PAGES.iter().map(|(path, _)| *path).chain(generated) {
            let (status, html) = get(path, "");
            assert_eq!(status, 200, "{path}");
            assert!(html.contains("window.log = []"), "{path} has no recorder");
            assert!(html.contains("<output id=\"log\">"), "{path} does not show its log");
            assert!(!html.contains("{{"), "{path} has a placeholder left");
        }
    }

    #[test]
    fn ids_are_unique_on_every_page() {
        for path in PAGES.iter().map(|(path, _)| *path).chain(["/table", "/list"]) {
            let html = get(path, "").1;
            // Only what the parser makes elements of: scripts may hold markup of shadow roots.
            let markup = html
                .split("<script>")
                .map(|part| part.split_once("</script>").map_or(part, |(_, rest)| rest));
            let markup: String = markup.collect();
            let mut ids: Vec<&str> =
                markup.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            let all = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), all, "{path}");
        }
    }

    #[test]
    fn the_long_pages_are_long() {
        assert_eq!(get("/table", "").1.matches("<tr id=").count(), 100);
        assert_eq!(get("/list", "").1.matches("<li id=").count(), 50);
    }

    #[test]
    fn any_status_can_be_asked_for() {
        assert_eq!(get("/api/status", "code=503").0, 503);
        assert_eq!(get("/api/status", "code=70000").0, 400);
        assert_eq!(get("/nowhere", "").0, 404);
        assert_eq!(get("/redirect", "to=%2Flist").0, 302);
    }

    #[test]
    fn the_echo_is_json() {
        let (_, body) = get("/api/echo", "a=%22x%22");
        assert_eq!(
            body,
            r#"{"method":"GET","path":"/api/echo","query":{"a":"\"x\""},"headers":{},"body":""}"#
        );
    }

    #[test]
    fn a_delay_is_bounded() {
        let request = Request { query: Params::parse("ms=99999999999"), ..Request::default() };
        assert_eq!(delay_of(&request), Duration::from_millis(LONGEST_DELAY_MS));
    }
}
