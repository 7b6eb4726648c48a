//! Routes: each with its schemas, its role and its work, so that serving, checking and describing cannot disagree.

mod answering;
mod asked;
mod keyed;
mod query;
mod shape;

pub(crate) use answering::{Question, ask, serve, whole_body};
pub(crate) use asked::Asked;
pub(crate) use query::read_query;
pub(crate) use shape::{AnswerForm, BodyForm, Method, Nothing, Reply, Route, SchemaOf, schema_of};
