//! The table of users, and what its buttons ask for.

use assay_testkit::{Params, Response};

use crate::app::refuse;
use crate::page::{escape_early, framed};
use crate::people::{Person, ROLES};
use crate::state::Workspace;

pub fn answer(method: &str, path: &str, form: &Params, user: &str, workspace: &mut Workspace) -> Response {
    if method == "GET" && path == "/users" {
        return page(user, workspace);
    }
    let id: Option<u32> = form.get("id").and_then(|id| id.parse().ok());
    let Some(at) = workspace.people.iter().position(|person| Some(person.id) == id) else {
        return refuse(404, "There is no such user.");
    };
    match (method, path) {
        ("POST", "/api/people/delete") => drop(workspace.people.remove(at)),
        ("POST", "/api/people/suspend") => {
            workspace.people[at].suspended = form.get("suspended") == Some("true");
        }
        ("POST", "/api/people/role") => match form.get("role").filter(|role| ROLES.contains(role)) {
            Some(role) => workspace.people[at].role = role.to_owned(),
            None => return refuse(400, "There is no such role."),
        },
        _ => return refuse(405, "Not possible."),
    }
    Response::json("{\"done\":true}")
}

fn page(user: &str, workspace: &Workspace) -> Response {
    let rows: String = workspace.people.iter().map(row).collect();
    let roles: String = ROLES.iter().map(|role| format!("<option>{role}</option>")).collect();
    let content = include_str!("../site/users.html").replace("{{rows}}", &rows).replace("{{roles}}", &roles);
    Response::html(framed("Users", &content, "users", Some(user), workspace))
}

fn row(person: &Person) -> String {
    let (status, change) = match person.suspended {
        true => ("Suspended", "Activate"),
        false => ("Active", "Suspend"),
    };
    format!(
        "<tr data-id=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td>{status}</td><td>\
         <button type=\"button\" class=\"plain\" data-act=\"edit\">Edit</button> \
         <button type=\"button\" class=\"plain\" data-act=\"suspend\">{change}</button> \
         <button type=\"button\" class=\"plain\" data-act=\"delete\">Delete</button></td></tr>",
        person.id,
        escape_early(&person.name),
        escape_early(&person.email),
        escape_early(&person.role),
    )
}
