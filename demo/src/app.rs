//! Which request does what.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use assay_testkit::{Request, Response, Server, json_string};

use crate::page::{self, LoginNotice};
use crate::state::{HARBORS, Priority, State, Theme, Ticket};

const EMAIL: &str = "test@example.com";
const PASSWORD: &str = "secret123";

const SESSION: &str = "harbor_session";
/// Stays when the session ends: whoever comes back in the same browser finds the same tickets.
const WORKSPACE: &str = "harbor_workspace";

/// Serves the application on this port of 127.0.0.1, or on a free one when it is 0.
pub fn start(port: u16) -> io::Result<Server> {
    let app = App { state: Mutex::default() };
    Server::start_on(port, move |request| app.answer(request))
}

struct App {
    state: Mutex<State>,
}

/// Somebody who is logged in, and where their tickets are.
struct Visitor {
    session: String,
    user: String,
    workspace: String,
}

impl App {
    fn answer(&self, request: &Request) -> Response {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/style.css") => return Response::bytes("text/css", page::STYLE),
            ("GET", "/favicon.ico") => return Response::status(204),
            ("GET", "/login") => return self.login_page(request),
            ("POST", "/login") => return self.log_in(request),
            _ => {}
        }
        let Some(visitor) = self.visitor(request) else {
            return match request.path.starts_with("/api/") {
                true => refuse(401, "Log in first."),
                false => Response::redirect("/login"),
            };
        };
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/") => Response::redirect("/dashboard"),
            ("GET", "/dashboard") => self.dashboard(&visitor),
            ("GET", "/settings") => self.settings(&visitor, request),
            ("POST", "/settings") => self.save_settings(&visitor, request),
            ("POST", "/logout") => {
                self.state().log_out(&visitor.session);
                Response::redirect("/login?out").cookie(SESSION, "")
            }
            (method, path) => match path.strip_prefix("/api/tickets") {
                Some(rest) => self.tickets(method, rest, &visitor, request),
                None => Response::html(page::not_found()).with_status(404),
            },
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn visitor(&self, request: &Request) -> Option<Visitor> {
        let session = request.cookie(SESSION)?;
        let workspace = request.cookie(WORKSPACE)?;
        let state = self.state();
        let user = state.user(session)?;
        state.knows_workspace(workspace).then(|| Visitor {
            session: session.to_owned(),
            user: user.to_owned(),
            workspace: workspace.to_owned(),
        })
    }

    fn login_page(&self, request: &Request) -> Response {
        if self.visitor(request).is_some() {
            return Response::redirect("/dashboard");
        }
        let notice = if request.param("out").is_some() { LoginNotice::LoggedOut } else { LoginNotice::None };
        Response::html(page::login("", &notice))
    }

    fn log_in(&self, request: &Request) -> Response {
        let form = request.form();
        let email = form.get("email").unwrap_or_default().trim();
        let password = form.get("password").unwrap_or_default();
        if email.is_empty() || password.is_empty() {
            return Response::html(page::login(
                email,
                &LoginNotice::Error("Enter your email and your password."),
            ));
        }
        if !email.eq_ignore_ascii_case(EMAIL) || password != PASSWORD {
            return Response::html(page::login(email, &LoginNotice::Error("Wrong email or password.")));
        }
        let mut state = self.state();
        let session = state.log_in(EMAIL);
        let response = Response::redirect("/dashboard").cookie(SESSION, &session);
        match request.cookie(WORKSPACE).filter(|id| state.knows_workspace(id)) {
            Some(_) => response,
            None => response.cookie(WORKSPACE, &state.new_workspace()),
        }
    }

    fn dashboard(&self, visitor: &Visitor) -> Response {
        match self.state().workspace(&visitor.workspace) {
            Some(workspace) => Response::html(page::dashboard(&visitor.user, &workspace.settings)),
            None => Response::redirect("/login"),
        }
    }

    fn settings(&self, visitor: &Visitor, request: &Request) -> Response {
        let status = if request.param("saved").is_some() { "Settings saved." } else { "" };
        match self.state().workspace(&visitor.workspace) {
            Some(workspace) => Response::html(page::settings(&visitor.user, &workspace.settings, status)),
            None => Response::redirect("/login"),
        }
    }

    fn save_settings(&self, visitor: &Visitor, request: &Request) -> Response {
        let form = request.form();
        let mut state = self.state();
        if let Some(workspace) = state.workspace(&visitor.workspace) {
            let settings = &mut workspace.settings;
            let name: String = form.get("name").unwrap_or_default().trim().chars().take(40).collect();
            if !name.is_empty() {
                settings.display_name = name;
            }
            if let Some(harbor) = form.get("harbor").filter(|harbor| HARBORS.contains(harbor)) {
                settings.harbor = harbor.to_owned();
            }
            settings.theme = Theme::parse(form.get("theme").unwrap_or_default());
            settings.daily_summary = form.get("summary").is_some();
        }
        Response::redirect("/settings?saved")
    }

    fn tickets(&self, method: &str, rest: &str, visitor: &Visitor, request: &Request) -> Response {
        let mut state = self.state();
        let Some(workspace) = state.workspace(&visitor.workspace) else {
            return refuse(401, "Log in first.");
        };
        let form = request.form();
        match (method, rest.strip_prefix('/').unwrap_or(rest)) {
            ("GET", "") => {
                let all: Vec<String> = workspace.tickets.iter().map(ticket_json).collect();
                Response::json(format!("{{\"tickets\":[{}]}}", all.join(",")))
            }
            ("POST", "") => {
                let priority = Priority::parse(form.get("priority").unwrap_or_default());
                match workspace.add(form.get("title").unwrap_or_default(), priority) {
                    Ok(ticket) => Response::json(ticket_json(ticket)).with_status(201),
                    Err(refusal) => refuse(200, &refusal.0),
                }
            }
            ("POST", "clear") => Response::json(format!("{{\"removed\":{}}}", workspace.clear_completed())),
            ("POST", id) => match id.parse().ok().and_then(|id| workspace.ticket(id)) {
                Some(ticket) => {
                    ticket.done = form.get("done") == Some("true");
                    Response::json(ticket_json(ticket))
                }
                None => refuse(404, "This ticket is gone."),
            },
            ("DELETE", id) => match id.parse().ok().and_then(|id| workspace.delete(id)) {
                Some(ticket) => Response::json(ticket_json(&ticket)),
                None => refuse(404, "This ticket is gone."),
            },
            _ => refuse(405, "Not possible."),
        }
    }
}

fn ticket_json(ticket: &Ticket) -> String {
    let Ticket { id, title, priority, done } = ticket;
    let (title, priority) = (json_string(title), priority.name());
    format!("{{\"id\":{id},\"title\":{title},\"priority\":\"{priority}\",\"done\":{done}}}")
}

/// A sentence for the user. A title that will not do is an answer like any other, with status 200:
/// browsers report other statuses as errors on the console.
fn refuse(status: u16, sentence: &str) -> Response {
    Response::json(format!("{{\"error\":{}}}", json_string(sentence))).with_status(status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_testkit::Params;

    /// A browser's cookies, and the application it talks to.
    struct Browser<'a> {
        app: &'a App,
        cookies: Vec<(String, String)>,
    }

    impl Browser<'_> {
        /// The status, and where to or the beginning of what.
        fn send(&mut self, method: &str, address: &str, form: &str) -> (u16, String) {
            let (path, query) = address.split_once('?').unwrap_or((address, ""));
            let cookies: Vec<String> =
                self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let request = Request {
                method: method.to_owned(),
                path: path.to_owned(),
                query: Params::parse(query),
                headers: vec![("cookie".to_owned(), cookies.join("; "))],
                body: form.as_bytes().to_vec(),
            };
            let response = self.app.answer(&request);
            for line in response.headers().filter(|(name, _)| *name == "Set-Cookie").map(|(_, value)| value) {
                let pair = line.split(';').next().unwrap_or_default();
                let (name, value) = pair.split_once('=').unwrap();
                self.cookies.retain(|(known, _)| known != name);
                if !value.is_empty() {
                    self.cookies.push((name.to_owned(), value.to_owned()));
                }
            }
            let place =
                response.headers().find(|(name, _)| *name == "Location").map(|(_, value)| value.to_owned());
            let body = String::from_utf8_lossy(response.body()).into_owned();
            (response.status_code(), place.unwrap_or(body))
        }
    }

    fn app() -> App {
        App { state: Mutex::default() }
    }

    fn logged_in(app: &App) -> Browser<'_> {
        let mut browser = Browser { app, cookies: Vec::new() };
        let answer = browser.send("POST", "/login", "email=test%40example.com&password=secret123");
        assert_eq!(answer, (303, "/dashboard".to_owned()));
        browser
    }

    #[test]
    fn the_right_password_leads_to_the_dashboard() {
        let app = app();
        let (status, page) = logged_in(&app).send("GET", "/dashboard", "");
        assert_eq!(status, 200);
        assert!(
            page.contains("<title>Dashboard</title>") && page.contains(">Welcome, test@example.com</h1>")
        );
    }

    #[test]
    fn a_wrong_password_is_told() {
        let app = app();
        let mut browser = Browser { app: &app, cookies: Vec::new() };
        let (status, page) = browser.send("POST", "/login", "email=test%40example.com&password=x");
        assert_eq!(status, 200);
        assert!(page.contains("role=\"alert\">Wrong email or password.</p>"));
        assert!(page.contains("value=\"test@example.com\""));
        assert!(
            browser
                .send("POST", "/login", "email=&password=")
                .1
                .contains("Enter your email and your password.")
        );
    }

    #[test]
    fn without_a_session_every_page_is_the_login() {
        let app = app();
        let mut browser = Browser { app: &app, cookies: Vec::new() };
        for path in ["/", "/dashboard", "/settings", "/nowhere"] {
            assert_eq!(browser.send("GET", path, ""), (303, "/login".to_owned()));
        }
        assert_eq!(browser.send("GET", "/api/tickets", "").0, 401);
    }

    #[test]
    fn tickets_are_added_completed_and_deleted() {
        let app = app();
        let mut browser = logged_in(&app);
        let ticket = |done| format!(r#"{{"id":7,"title":"Paint \"it\"","priority":"high","done":{done}}}"#);
        assert_eq!(
            browser.send("POST", "/api/tickets", "title=Paint+%22it%22&priority=high"),
            (201, ticket("false"))
        );
        assert_eq!(browser.send("POST", "/api/tickets/7", "done=true"), (200, ticket("true")));
        assert!(browser.send("GET", "/api/tickets", "").1.contains(&ticket("true")));
        assert_eq!(browser.send("DELETE", "/api/tickets/7", ""), (200, ticket("true")));
        assert_eq!(browser.send("DELETE", "/api/tickets/7", "").0, 404);
        assert_eq!(browser.send("POST", "/api/tickets/clear", ""), (200, r#"{"removed":2}"#.to_owned()));
    }

    #[test]
    fn a_ticket_that_will_not_do_is_refused_with_a_sentence() {
        let app = app();
        let answer = logged_in(&app).send("POST", "/api/tickets", "title=");
        assert_eq!(answer, (200, r#"{"error":"Enter a title for the ticket."}"#.to_owned()));
    }

    #[test]
    fn tickets_stay_after_logging_out_and_belong_to_one_browser() {
        let app = app();
        let mut browser = logged_in(&app);
        browser.send("POST", "/api/tickets", "title=Mine");
        assert_eq!(browser.send("POST", "/logout", ""), (303, "/login?out".to_owned()));
        assert_eq!(browser.send("GET", "/dashboard", ""), (303, "/login".to_owned()));
        browser.send("POST", "/login", "email=test%40example.com&password=secret123");
        assert!(browser.send("GET", "/api/tickets", "").1.contains("Mine"));
        assert!(!logged_in(&app).send("GET", "/api/tickets", "").1.contains("Mine"));
    }

    #[test]
    fn settings_are_kept() {
        let app = app();
        let mut browser = logged_in(&app);
        let answer = browser.send("POST", "/settings", "name=Ada&harbor=Bergen&theme=dark");
        assert_eq!(answer, (303, "/settings?saved".to_owned()));
        let page = browser.send("GET", "/settings?saved", "").1;
        assert!(page.contains("data-theme=\"dark\"") && page.contains("value=\"Ada\""));
        assert!(page.contains("<option selected>Bergen</option>") && page.contains("Settings saved."));
    }
}
