//! A request that changes something, as the server of a case noted it.

use std::fmt;

use crate::{Params, Request};

use super::fields::body_fields;

/// One request that is meant to change something: neither `GET`, `HEAD` nor `OPTIONS`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub method: String,
    pub path: String,
    pub query: Params,
    /// The fields of a form or the members of a JSON object, by name: their order is a matter of dress.
    pub fields: Params,
    /// What was answered.
    pub status: u16,
}

impl Received {
    /// What was asked for, without the values: `POST /orders?id name, city`. Two requests of the same shape
    /// have the same method and path, and the same names.
    pub fn shape(&self) -> String {
        let names = |params: &Params| params.iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
        let query =
            if self.query.is_empty() { String::new() } else { format!("?{}", names(&self.query).join("&")) };
        format!("{} {}{query} {}", self.method, self.path, names(&self.fields).join(", "))
            .trim_end()
            .to_owned()
    }

    pub(super) fn changes_something(request: &Request) -> bool {
        !matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }

    /// Notes a request, when it is one that changes something.
    pub(super) fn note(request: &Request, status: u16) -> Option<Received> {
        if !Self::changes_something(request) {
            return None;
        }
        Some(Received {
            method: request.method.clone(),
            path: request.path.clone(),
            query: request.query.clone(),
            fields: body_fields(request).sorted(),
            status,
        })
    }
}

/// One line: `POST /orders?id=7 name=Ada, city=Bergen`.
impl fmt::Display for Received {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = |params: &Params, between: &str| {
            let all: Vec<String> = params.iter().map(|(name, value)| format!("{name}={value}")).collect();
            all.join(between)
        };
        write!(formatter, "{} {}", self.method, self.path)?;
        if !self.query.is_empty() {
            write!(formatter, "?{}", pairs(&self.query, "&"))?;
        }
        if !self.fields.is_empty() {
            write!(formatter, " {}", pairs(&self.fields, ", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_told_with_and_without_its_values() {
        let request = Request {
            method: "POST".to_owned(),
            path: "/orders".to_owned(),
            query: Params::parse("id=7"),
            body: b"name=Ada&city=Bergen".to_vec(),
            ..Request::default()
        };
        let received = Received::note(&request, 200).unwrap();
        assert_eq!(received.to_string(), "POST /orders?id=7 city=Bergen, name=Ada");
        assert_eq!(received.shape(), "POST /orders?id city, name");
        assert_eq!(Received::note(&Request { method: "GET".to_owned(), ..request }, 200), None);
    }
}
