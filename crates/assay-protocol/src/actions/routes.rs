//! Requests that are answered in the server's place.

use super::arguments::Arguments;
use super::entry::{ActionEntry, ActionProperty, syntax};
use super::parameters::ParameterVisitor;
use super::syntax::{Flag, Group};
use super::usage_error::UsageError;
use crate::{Action, RouteReply};

pub(super) const ROUTE: ActionEntry = ActionEntry::acts(
    syntax(
        Group::State,
        "route",
        "PATTERN",
        "Answer requests in the server's place: with a status, a body, or a broken connection",
        "assay route '**/api/cart' --status 500",
    ),
    read_route,
)
.flags(&[
    Flag::value("status", "CODE", "HTTP status of the answer (default 200)"),
    Flag::value("body", "FILE", "file with the body of the answer"),
    Flag::value("content-type", "TYPE", "type of the body (default: by the name of the file)"),
    Flag::switch("abort", "break the connection instead"),
    Flag::value("method", "NAME", "only requests with this method, for example POST"),
])
.needs("Routes")
.is(&[ActionProperty::NeedsNoPage]);

pub(super) const ROUTES: ActionEntry = ActionEntry::reads(
    syntax(Group::State, "routes", "", "List the routes, and how often each answered", "assay routes"),
    |_| Ok(Action::Routes),
)
.needs("Routes")
.is(&[ActionProperty::NeedsNoPage]);

pub(super) const UNROUTE: ActionEntry = ActionEntry::acts(
    syntax(
        Group::State,
        "unroute",
        "[PATTERN]",
        "Let requests through again: those of one route, or all",
        "assay unroute '**/api/cart'",
    ),
    |words| Ok(Action::Unroute { pattern: words.optional_text(0) }),
)
.needs("Routes")
.is(&[ActionProperty::NeedsNoPage]);

fn read_route(words: &Arguments<'_>) -> Result<Action, UsageError> {
    let status = match words.number("status")? {
        None => 200,
        Some(status @ 200..=599) => status as u16,
        Some(other) => {
            return Err(UsageError::wrong_value(
                "a status from 200 to 599 after --status",
                other.to_string(),
            ));
        }
    };
    let body = words.flag("body").map(str::to_string);
    let content_type = words.flag("content-type").map(str::to_string);
    let reply = match words.has("abort") {
        false => RouteReply::Answer { status, body, content_type },
        true if words.has("status") || body.is_some() || content_type.is_some() => {
            return Err(UsageError::wrong_value("--abort alone", "an answer beside it"));
        }
        true => RouteReply::Abort,
    };
    if words.at(0).trim().is_empty() {
        return Err(words.wrong_word("a pattern such as **/api/cart"));
    }
    let method = words.flag("method").map(str::to_uppercase);
    Ok(Action::Route { pattern: words.text(0), method, reply })
}

pub(super) fn route<'a>(
    to: &mut dyn ParameterVisitor<'a>,
    pattern: &str,
    method: Option<&str>,
    reply: &'a mut RouteReply,
) {
    to.quoted(pattern);
    match reply {
        RouteReply::Answer { status, body, content_type } => {
            to.flag("status", &status.to_string());
            if let Some(body) = body {
                to.path_flag("body", body);
            }
            if let Some(content_type) = content_type {
                to.flag("content-type", content_type);
            }
        }
        RouteReply::Abort => to.switch("abort"),
    }
    if let Some(method) = method {
        to.flag("method", method);
    }
}
