//! A request without its values, by which two runs can be compared.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A request without its values: `POST /login (email, password)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RequestShape {
    pub method: String,
    /// With the host only where it is another one than the page's. A part that differs from run to run is `*`.
    pub path: String,
    /// Names in the address.
    pub query: Vec<String>,
    /// Names in what was sent; none where the browser does not tell.
    pub fields: Option<Vec<String>>,
}

impl RequestShape {
    pub fn changes_something(&self) -> bool {
        !matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }

    pub(crate) fn is_made_by(&self, made: &RequestShape) -> bool {
        let fields_agree = match (&self.fields, &made.fields) {
            (None, _) => true,
            (Some(then), Some(now)) => then == now,
            (Some(_), None) => false,
        };
        self.method == made.method
            && paths_agree(&self.path, &made.path)
            && self.query == made.query
            && fields_agree
    }

    /// The same request as it may be made another time: parts of the path that differ are left open.
    pub fn opened_for(&self, other: &RequestShape) -> Option<RequestShape> {
        let alike = self.method == other.method && self.query == other.query && self.fields == other.fields;
        if !alike || !same_but_for_numbers(&self.path, &other.path) {
            return None;
        }
        let parts: Vec<&str> = self
            .path
            .split('/')
            .zip(other.path.split('/'))
            .map(|(one, other)| if one == other { one } else { "*" })
            .collect();
        Some(RequestShape { path: parts.join("/"), ..self.clone() })
    }
}

fn paths_agree(then: &str, now: &str) -> bool {
    let (then, now): (Vec<&str>, Vec<&str>) = (then.split('/').collect(), now.split('/').collect());
    then.len() == now.len() && then.iter().zip(&now).all(|(one, other)| one == other || *one == "*")
}

/// Whether two paths differ only in parts that look like numbers of records.
pub(crate) fn same_but_for_numbers(one: &str, other: &str) -> bool {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.split('/').collect(), other.split('/').collect());
    one.len() == other.len()
        && one
            .iter()
            .zip(&other)
            .all(|(one, other)| one == other || (is_record_number(one) && is_record_number(other)))
}

/// A number, or a mixture of letters and digits as machines give out.
pub fn is_record_number(part: &str) -> bool {
    let digits = part.chars().filter(char::is_ascii_digit).count();
    part == "*"
        || (digits > 0 && part.chars().all(|letter| letter.is_ascii_digit()))
        || (part.len() >= 8
            && digits >= 2
            && part.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-'))
}

impl fmt::Display for RequestShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)?;
        if !self.query.is_empty() {
            write!(f, "?{}", self.query.join("&"))?;
        }
        if let Some(fields) = &self.fields {
            write!(f, " ({})", fields.join(", "))?;
        }
        Ok(())
    }
}

/// A text that is no request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoRequestShape(String);

impl fmt::Display for NoRequestShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a request like `POST /login (email, password)`, found `{}`", self.0)
    }
}

impl std::error::Error for NoRequestShape {}

impl FromStr for RequestShape {
    type Err = NoRequestShape;

    fn from_str(text: &str) -> Result<RequestShape, NoRequestShape> {
        let none = || NoRequestShape(text.to_string());
        let (method, rest) = text.split_once(' ').ok_or_else(none)?;
        let (address, fields) = match rest.split_once(" (") {
            Some((address, fields)) => (address, Some(fields.strip_suffix(')').ok_or_else(none)?)),
            None => (rest, None),
        };
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        if method.is_empty() || path.is_empty() || path.contains(' ') {
            return Err(none());
        }
        let listed = |text: &str, mark: &str| -> Vec<String> {
            text.split(mark).filter(|part| !part.is_empty()).map(str::to_string).collect()
        };
        Ok(RequestShape {
            method: method.to_string(),
            path: path.to_string(),
            query: listed(query, "&"),
            fields: fields.map(|fields| listed(fields, ", ")),
        })
    }
}

impl TryFrom<String> for RequestShape {
    type Error = NoRequestShape;

    fn try_from(text: String) -> Result<RequestShape, NoRequestShape> {
        text.parse()
    }
}

impl From<RequestShape> for String {
    fn from(shape: RequestShape) -> String {
        shape.to_string()
    }
}
