//! The requests of a step, compared: by method and path, with their status, the names and values of the query and the
//! names of the fields that were sent. Requests run side by side, so their order is not compared.

use crate::finding::{Aspect, Change, Finding, Place};
use crate::recording::RequestSeen;
use crate::shape::{PartKind, Piece, Shape};

/// What a page loads may come from a cache, so it counts once, however often it is asked for.
const RESOURCE: &str = "resource";
const PENDING: &str = "pending";

pub(crate) fn compare_requests(old: &[RequestSeen], new: &[RequestSeen]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut new_left: Vec<&RequestSeen> = new.iter().collect();
    let mut old_left: Vec<&RequestSeen> = Vec::new();
    let mut pairs: Vec<(&RequestSeen, &RequestSeen)> = Vec::new();
    for one in old {
        // The most alike first: the same outcome and query before the same path.
        let best = (0..new_left.len()).filter(|at| key_of(new_left[*at]) == key_of(one)).max_by_key(|at| {
            let other = new_left[*at];
            (other.query == one.query, other.outcome == one.outcome, std::cmp::Reverse(*at))
        });
        match best {
            Some(at) => pairs.push((one, new_left.remove(at))),
            None => old_left.push(one),
        }
    }
    // A path with the number of a record is another one each time, and still the same request.
    old_left.retain(|one| {
        let Some(at) = new_left.iter().position(|other| is_like(one, other)) else { return true };
        pairs.push((one, new_left.remove(at)));
        false
    });
    for (one, other) in pairs {
        differences(&mut findings, one, other);
    }
    let is_made =
        |all: &[RequestSeen], request: &RequestSeen| all.iter().any(|other| key_of(other) == key_of(request));
    for (left, all, change) in [(&old_left, new, Change::Missing), (&new_left, old, Change::Extra)] {
        let mut said: Vec<(&str, &str)> = Vec::new();
        for request in left.iter() {
            let again = is_made(all, request);
            if request.kind == RESOURCE && (again || said.contains(&key_of(request))) {
                continue;
            }
            said.push(key_of(request));
            // One more or less of what both sides ask for is another matter than something that only one asks for.
            let part = if again { "times" } else { "entries" };
            let place = place_of(request, part);
            let words = words_of(request);
            findings.push(match change {
                Change::Missing => Finding::new(Aspect::Requests, change, place, &words, ""),
                _ => Finding::new(Aspect::Requests, change, place, "", &words),
            });
        }
    }
    findings
}

fn key_of(request: &RequestSeen) -> (&str, &str) {
    (&request.method, &request.path)
}

fn is_like(one: &RequestSeen, other: &RequestSeen) -> bool {
    let parts = |request: &RequestSeen| request.path.split('/').count();
    one.method == other.method && one.kind == other.kind && parts(one) == parts(other) && {
        let shape = Shape::of(&one.path, &other.path);
        !shape.pieces().iter().any(|piece| matches!(piece, Piece::Varies(PartKind::Text | PartKind::Word)))
    }
}

fn differences(findings: &mut Vec<Finding>, old: &RequestSeen, new: &RequestSeen) {
    let mut said = |part: &str, shown: &str, one: &str, other: &str| {
        if one != other {
            let place = place_of(old, part);
            let place = Place { shown: format!("{shown} {}", place.shown), ..place };
            findings.push(Finding::new(Aspect::Requests, Change::Said, place, one, other));
        }
    };
    said("path", "path of", &old.path, &new.path);
    if old.outcome != PENDING && new.outcome != PENDING {
        said("status", "status of", status_of(old), status_of(new));
    }
    let names = |request: &RequestSeen| {
        let mut names: Vec<&str> = request.query.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.join(", ")
    };
    said("query", "names in the address of", &names(old), &names(new));
    for (name, value) in &old.query {
        if let Some((_, other)) = new.query.iter().find(|(other, _)| other == name) {
            said(&format!("query:{name}"), &format!("`{name}` in the address of"), value, other);
        }
    }
    if let (Some(one), Some(other)) = (&old.fields, &new.fields) {
        said("fields", "fields sent with", &one.join(", "), &other.join(", "));
    }
}

/// A copy from the cache is as good as what it is a copy of.
fn status_of(request: &RequestSeen) -> &str {
    match request.outcome.as_str() {
        "304" if request.kind == RESOURCE => "200",
        // A page that goes on to the next one leaves what it was loading.
        "cancelled" if request.kind == RESOURCE => "200",
        other => other,
    }
}

fn words_of(request: &RequestSeen) -> String {
    let query: Vec<String> = request.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let fields = match &request.fields {
        Some(fields) if !fields.is_empty() => format!(" ({})", fields.join(", ")),
        _ => String::new(),
    };
    format!("{} {}{query}{fields} → {}", request.method, request.path, request.outcome)
}

fn place_of(request: &RequestSeen, part: &str) -> Place {
    let key = format!("{} {}#{part}", request.method, open_path(&request.path));
    Place {
        page: String::new(),
        new_key: key.clone(),
        key,
        shown: format!(
            "{} {}",
            request.method,
            request.path.strip_prefix(crate::APP).unwrap_or(&request.path)
        ),
    }
}

/// With numbers of records left open, so that the place is the same one next time.
fn open_path(path: &str) -> String {
    let is_record = |part: &str| {
        let digits = part.chars().filter(char::is_ascii_digit).count();
        digits > 0 && (digits == part.len() || (part.len() >= 8 && digits >= 2))
    };
    path.split('/').map(|part| if is_record(part) { "*" } else { part }).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `POST /login?next=1 (email) 200 fetch`
    fn request(line: &str) -> RequestSeen {
        let (method, rest) = line.split_once(' ').unwrap();
        let (rest, kind) = rest.rsplit_once(' ').unwrap();
        let (rest, outcome) = rest.rsplit_once(' ').unwrap();
        let (address, fields) = match rest.split_once(" (") {
            Some((address, fields)) => {
                (address, Some(fields.trim_end_matches(')').split(", ").map(str::to_string).collect()))
            }
            None => (rest, None),
        };
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let query = query.split('&').filter_map(|pair| pair.split_once('='));
        RequestSeen {
            method: method.to_string(),
            path: format!("{{app}}{path}"),
            query: query.map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            kind: kind.to_string(),
            outcome: outcome.to_string(),
            fields,
        }
    }

    #[track_caller]
    fn check(old: &[&str], new: &[&str], expected: &[&str]) {
        let all = |lines: &[&str]| lines.iter().map(|line| request(line)).collect::<Vec<_>>();
        let words: Vec<String> = compare_requests(&all(old), &all(new)).iter().map(Finding::words).collect();
        assert_eq!(words, expected);
    }

    #[test]
    fn the_same_requests_in_another_order_are_the_same() {
        check(&["GET /a 200 fetch", "GET /b 200 fetch"], &["GET /b 200 fetch", "GET /a 200 fetch"], &[]);
        check(&["GET /a.css 200 resource", "GET /a.css 200 resource"], &["GET /a.css 304 resource"], &[]);
        check(&["GET /a pending fetch"], &["GET /a 200 fetch"], &[]);
    }

    #[test]
    fn a_missing_request_is_found() {
        check(
            &["GET /a 200 fetch", "POST /log (what) 204 fetch"],
            &["GET /a 200 fetch"],
            &["POST /log: missing: `POST {app}/log (what) → 204`"],
        );
        check(
            &["GET /a 200 fetch", "GET /a 200 fetch"],
            &["GET /a 200 fetch"],
            &["GET /a: missing: `GET {app}/a → 200`"],
        );
        check(
            &[],
            &["GET /x.js 200 resource", "GET /x.js 200 resource"],
            &["GET /x.js: new: `GET {app}/x.js → 200`"],
        );
    }

    #[test]
    fn another_status_is_found() {
        check(&["POST /save 200 fetch"], &["POST /save 500 fetch"], &["status of POST /save: `200` → `500`"]);
    }

    #[test]
    fn another_query_and_other_fields_are_found() {
        check(
            &["GET /shop?sort=price 200 document"],
            &["GET /shop?sort=name 200 document"],
            &["`sort` in the address of GET /shop: `price` → `name`"],
        );
        check(
            &["GET /shop?sort=price 200 document"],
            &["GET /shop 200 document"],
            &["names in the address of GET /shop: `sort` → nothing"],
        );
        check(
            &["POST /login (email, password) 303 document"],
            &["POST /login (email) 303 document"],
            &["fields sent with POST /login: `email, password` → `email`"],
        );
    }

    #[test]
    fn a_record_with_another_number_is_the_same_request() {
        check(
            &["GET /orders/1041 200 fetch"],
            &["GET /orders/1042 200 fetch"],
            &["path of GET /orders/1041: `{app}/orders/1041` → `{app}/orders/1042`"],
        );
        check(
            &["GET /orders 200 fetch"],
            &["GET /users 200 fetch"],
            &["GET /orders: missing: `GET {app}/orders → 200`", "GET /users: new: `GET {app}/users → 200`"],
        );
    }
}
