//! What is known of a route before it is asked.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::query::read_query;
use crate::access::Role;
use crate::problem::Problem;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    Get,
    Post,
    Put,
    Delete,
}

impl Method {
    /// As OpenAPI writes it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Get => "get",
            Method::Post => "post",
            Method::Put => "put",
            Method::Delete => "delete",
        }
    }

    pub fn changes(self) -> bool {
        self != Method::Get
    }
}

/// The schema of a type, with what it refers to among the definitions of the generator.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

pub fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// What a route takes besides its path.
#[derive(Clone, Copy)]
pub enum BodyForm {
    None,
    Json(SchemaOf),
}

/// What a route answers with.
#[derive(Clone, Copy)]
pub enum AnswerForm {
    Json(SchemaOf),
    /// Server-sent events, each with data of this schema.
    Events(SchemaOf),
    /// A file, or a part of it.
    File,
    Text(&'static str),
    /// Any JSON document.
    Document,
}

/// No query, or no body.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub struct Nothing {}

/// An answer before it is sent.
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: ReplyBody,
}

pub enum ReplyBody {
    /// Kept with the key of its request, where it has one.
    Text(String),
    Stream(Body),
}

impl Reply {
    pub fn json<A: Serialize>(status: StatusCode, answer: &A) -> Result<Reply, Problem> {
        let text = serde_json::to_string(answer)
            .map_err(|err| Problem::internal(format!("the answer cannot be written: {err}")))?;
        Ok(Reply::text(status, "application/json", text))
    }

    pub fn text(status: StatusCode, media_type: &str, text: String) -> Reply {
        let mut headers = HeaderMap::new();
        if let Ok(media_type) = HeaderValue::from_str(media_type) {
            headers.insert(header::CONTENT_TYPE, media_type);
        }
        Reply { status, headers, body: ReplyBody::Text(text) }
    }

    pub fn stream(media_type: &'static str, body: Body) -> Reply {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        Reply { status: StatusCode::OK, headers, body: ReplyBody::Stream(body) }
    }

    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Reply {
        self.headers.insert(name, value);
        self
    }
}

/// Says who sent a request by the request itself.
pub type Proof = fn(&Asked) -> Result<String, Problem>;

type Work = Arc<dyn Fn(&Asked) -> Result<Reply, Problem> + Send + Sync>;

/// One method of one path.
#[derive(Clone)]
pub struct Route {
    pub method: Method,
    /// With `{name}` for a part, and `{*name}` for the rest of a path.
    pub path: &'static str,
    /// Unique among all routes.
    pub name: &'static str,
    pub title: &'static str,
    pub role: Role,
    pub query: Option<SchemaOf>,
    pub body: BodyForm,
    pub status: StatusCode,
    pub answer: AnswerForm,
    /// A key may not be given: the answer is a secret, or nothing is done.
    pub takes_key: bool,
    /// It has a body and changes nothing, so the audit log does not have it.
    pub asks_only: bool,
    /// It needs no token: the request proves who sent it.
    pub proof: Option<Proof>,
    pub(super) work: Work,
}

impl Route {
    /// Looks something up.
    pub fn get<Q, A>(
        path: &'static str,
        name: &'static str,
        title: &'static str,
        work: fn(&Asked, Q) -> Result<A, Problem>,
    ) -> Route
    where
        Q: DeserializeOwned + JsonSchema + 'static,
        A: Serialize + JsonSchema + 'static,
    {
        let work: Work =
            Arc::new(move |asked| Reply::json(StatusCode::OK, &work(asked, read_query(&asked.query)?)?));
        Route::new(Method::Get, path, name, title, Role::Read, work)
            .with_query(schema_of::<Q>)
            .answering(AnswerForm::Json(schema_of::<A>))
    }

    /// Changes something.
    pub fn write<B, A>(
        method: Method,
        path: &'static str,
        name: &'static str,
        title: &'static str,
        work: fn(&Asked, B) -> Result<A, Problem>,
    ) -> Route
    where
        B: DeserializeOwned + JsonSchema + 'static,
        A: Serialize + JsonSchema + 'static,
    {
        Route::write_as(method, path, name, title, StatusCode::OK, work)
    }

    pub fn write_as<B, A>(
        method: Method,
        path: &'static str,
        name: &'static str,
        title: &'static str,
        status: StatusCode,
        work: fn(&Asked, B) -> Result<A, Problem>,
    ) -> Route
    where
        B: DeserializeOwned + JsonSchema + 'static,
        A: Serialize + JsonSchema + 'static,
    {
        let work: Work = Arc::new(move |asked| Reply::json(status, &work(asked, asked.json()?)?));
        let mut route = Route::new(method, path, name, title, Role::Run, work)
            .answering(AnswerForm::Json(schema_of::<A>));
        route.status = status;
        route.body = BodyForm::Json(schema_of::<B>);
        route.takes_key = true;
        route
    }

    /// Answers with something else than one JSON value.
    pub fn raw<Q: DeserializeOwned + JsonSchema + 'static>(
        path: &'static str,
        name: &'static str,
        title: &'static str,
        answer: AnswerForm,
        work: fn(&Asked, Q) -> Result<Reply, Problem>,
    ) -> Route {
        let work: Work = Arc::new(move |asked| work(asked, read_query(&asked.query)?));
        Route::new(Method::Get, path, name, title, Role::Read, work)
            .with_query(schema_of::<Q>)
            .answering(answer)
    }

    fn new(
        method: Method,
        path: &'static str,
        name: &'static str,
        title: &'static str,
        role: Role,
        work: Work,
    ) -> Route {
        Route {
            method,
            path,
            name,
            title,
            role,
            query: None,
            body: BodyForm::None,
            status: StatusCode::OK,
            answer: AnswerForm::Document,
            takes_key: false,
            asks_only: false,
            proof: None,
            work,
        }
    }

    fn with_query(mut self, query: SchemaOf) -> Route {
        self.query = Some(query);
        self
    }

    fn answering(mut self, answer: AnswerForm) -> Route {
        self.answer = answer;
        self
    }

    pub fn by(mut self, method: Method) -> Route {
        self.method = method;
        self
    }

    pub fn for_role(mut self, role: Role) -> Route {
        self.role = role;
        self
    }

    /// Changes nothing and is not entered. Without a key: asked again, it says the same.
    pub fn asking_only(mut self) -> Route {
        self.asks_only = true;
        self.without_key()
    }

    pub fn without_key(mut self) -> Route {
        self.takes_key = false;
        self
    }

    pub fn proved_by(mut self, proof: Proof) -> Route {
        self.proof = Some(proof);
        self.role = Role::Read;
        self.takes_key = false;
        self
    }

    /// The names of the parts of its path.
    pub fn parts(&self) -> Vec<&'static str> {
        self.path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
            .map(|name| name.strip_prefix('*').unwrap_or(name))
            .collect()
    }

    /// The group of routes that it belongs to.
    pub fn group(&self) -> &'static str {
        let mut parts = self.path.split('/').filter(|part| !part.is_empty());
        match parts.next() {
            Some("server") => parts.next().unwrap_or("service"),
            _ => "service",
        }
    }
}
