//! Which request does what.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use assay_testkit::{Request, Response, Server, json_string};

use crate::accounts::{Entrance, Standing};
use crate::fields::fields;
use crate::page::{self, LoginNotice};
use crate::state::{HARBORS, Priority, State, Theme, Ticket};
use crate::{gallery, shop_pages, users_page};

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
            ("POST", "/api/users") => return self.make_account(request),
            ("POST", "/api/reset") => return self.reset(request),
            _ => {}
        }
        if let Some(response) = self.open_to_all(request) {
            return response;
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
            (method, path) if path == "/users" || path.starts_with("/api/people/") => {
                match self.state().workspace(&visitor.workspace) {
                    Some(workspace) => {
                        users_page::answer(method, path, &request.form(), &visitor.user, workspace)
                    }
                    None => Response::redirect("/login"),
                }
            }
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
        let mut state = self.state();
        let refused = |sentence| Response::html(page::login(email, &LoginNotice::Error(sentence)));
        let user = match state.accounts.enter(email, password) {
            Entrance::Open(user) => user,
            Entrance::WrongEmailOrPassword => return refused("Wrong email or password."),
            Entrance::Expired => return refused("Account expired. Ask the harbor office to renew it."),
            Entrance::Locked => return refused("Account locked. Ask the harbor office to open it."),
        };
        let session = state.log_in(&user);
        let response = Response::redirect("/dashboard").cookie(SESSION, &session);
        match request.cookie(WORKSPACE).filter(|id| state.knows_workspace(id)) {
            Some(_) => response,
            None => response.cookie(WORKSPACE, &state.new_workspace()),
        }
    }

    /// Makes an account from outside, so that a test can say who exists. Fields
    /// `email`, `password` and `status` (`active`, `expired`, `locked`), as a form or as JSON.
    fn make_account(&self, request: &Request) -> Response {
        let Some(fields) = fields(request) else { return refuse(400, "The body is not a flat JSON object.") };
        let get = |name: &str| {
            fields
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, value)| value.as_str())
                .unwrap_or_default()
        };
        let (email, password) = (get("email").trim(), get("password"));
        let Some(standing) = Standing::parse(get("status")) else {
            return refuse(400, "The status is active, expired or locked.");
        };
        if email.is_empty() || password.is_empty() {
            return refuse(400, "An email and a password are needed.");
        }
        match self.state().accounts.put(email, password, standing) {
            true => Response::json(format!("{{\"email\":{}}}", json_string(email))).with_status(201),
            false => refuse(409, "There are too many accounts."),
        }
    }

    /// From a browser: its own workspace is as new, and nobody else notices. From
    /// outside: the whole application is.
    fn reset(&self, request: &Request) -> Response {
        let mut state = self.state();
        match request.cookie(WORKSPACE).and_then(|id| state.workspace(id)) {
            Some(workspace) => *workspace = Default::default(),
            None => state.reset(),
        }
        Response::json("{\"reset\":true}")
    }

    /// The shop and the gallery need no login, only a workspace of the browser's own.
    fn open_to_all(&self, request: &Request) -> Option<Response> {
        let user = self.visitor(request).map(|visitor| visitor.user);
        let mut state = self.state();
        let known = request.cookie(WORKSPACE).filter(|id| state.knows_workspace(id)).map(str::to_owned);
        if !shop_pages::serves(&request.path) && !gallery::serves(&request.path) {
            return None;
        }
        let id = known.clone().unwrap_or_else(|| state.new_workspace());
        let workspace = state.workspace(&id)?;
        let response = match shop_pages::serves(&request.path) {
            true => shop_pages::answer(request, user.as_deref(), workspace),
            false => gallery::answer(request, user.as_deref(), workspace),
        };
        Some(if known.is_none() { response.cookie(WORKSPACE, &id) } else { response })
    }

    fn dashboard(&self, visitor: &Visitor) -> Response {
        match self.state().workspace(&visitor.workspace) {
            Some(workspace) => Response::html(page::dashboard(&visitor.user, workspace)),
            None => Response::redirect("/login"),
        }
    }

    fn settings(&self, visitor: &Visitor, request: &Request) -> Response {
        let status = if request.param("saved").is_some() { "Settings saved." } else { "" };
        match self.state().workspace(&visitor.workspace) {
            Some(workspace) => Response::html(page::settings(&visitor.user, workspace, status)),
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
            settings.push = form.get("push").is_some();
            if let Some(volume) = form.get("foghorn").and_then(|volume| volume.parse().ok()) {
                settings.foghorn = std::cmp::min(volume, 100);
            }
            if let Some(day) = form.get("inspection") {
                settings.inspection = day.chars().take(10).collect();
            }
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
pub fn refuse(status: u16, sentence: &str) -> Response {
    Response::json(format!("{{\"error\":{}}}", json_string(sentence))).with_status(status)
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
