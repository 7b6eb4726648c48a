//! The description of all routes as OpenAPI 3.1, made from the table that serves them.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::api::routes;
use crate::problem::{MEDIA_TYPE, ProblemBody};
use crate::route::{AnswerForm, BodyForm, Route, SchemaOf, schema_of};

/// The document. `version` is that of assay.
pub fn document(version: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = SchemaGenerator::new(settings);
    let problem = schema_of::<ProblemBody>(&mut generator);
    let mut paths: Map<String, Value> = Map::new();
    let mut groups: Vec<&'static str> = Vec::new();
    for route in routes() {
        if !groups.contains(&route.group()) {
            groups.push(route.group());
        }
        let operation = operation(&route, &problem, &mut generator);
        let path = paths.entry(path_of(&route)).or_insert_with(|| json!({}));
        path[route.method.name()] = operation;
    }
    let schemas = generator.take_definitions(true);
    let tags: Vec<Value> = groups.iter().map(|group| json!({ "name": group })).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "assay",
            "version": version,
            "description": "Tests in plain language on real browsers. Without a token only programs of the same user \
                            on the same machine are let in.",
            "license": { "name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "token": [] }, {}],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "assay serve token makes one" },
            },
        },
    })
}

/// `{*path}` stands for the rest of a path, which OpenAPI cannot say.
fn path_of(route: &Route) -> String {
    route.path.replace("{*", "{")
}

fn operation(route: &Route, problem: &Schema, generator: &mut SchemaGenerator) -> Value {
    let mut parameters: Vec<Value> = route
        .parts()
        .into_iter()
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect();
    if let Some(query) = route.query {
        parameters.extend(query_parameters(query));
    }
    if route.takes_key {
        parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "description": "A request that is sent again with the same key is carried out once.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 200 },
        }));
    }
    if let AnswerForm::Events(_) = route.answer {
        parameters.push(json!({
            "name": "Last-Event-ID",
            "in": "header",
            "description": "The number of the last event that is known.",
            "schema": { "type": "integer" },
        }));
    }
    let refusal = json!({
        "description": "The request was refused, or failed.",
        "content": { MEDIA_TYPE: { "schema": problem } },
    });
    let needs = match route.proof {
        Some(_) => "Needs no token: the signature says who sends it.".to_string(),
        None => format!("Needs the role `{}`.", route.role.name()),
    };
    let mut operation = json!({
        "operationId": route.name,
        "summary": route.title,
        "tags": [route.group()],
        "description": needs,
        "parameters": parameters,
        "responses": { route.status.as_str(): answer_of(route, generator), "default": refusal },
    });
    if route.proof.is_some() {
        operation["security"] = json!([{}]);
    }
    if let BodyForm::Json(schema) = route.body {
        operation["requestBody"] =
            json!({ "content": { "application/json": { "schema": schema(generator) } } });
    }
    operation
}

/// Each field of the type of a query is a parameter.
fn query_parameters(query: SchemaOf) -> Vec<Value> {
    // On its own: a query is no schema of the document.
    let mut generator =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
    let schema = query(&mut generator);
    let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    properties
        .into_iter()
        .map(|(name, mut schema)| {
            let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
            let is_required = required.contains(&Value::String(name.clone()));
            let mut parameter =
                json!({ "name": name, "in": "query", "required": is_required, "schema": schema });
            if let Some(description) = description {
                parameter["description"] = description;
            }
            parameter
        })
        .collect()
}

fn answer_of(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let (media_type, schema) = match route.answer {
        AnswerForm::Json(schema) => ("application/json", json!(schema(generator))),
        AnswerForm::Events(schema) => {
            // What is said of one event stands beside the stream that holds them.
            let event = schema(generator);
            let description = format!(
                "Server-sent events: `id` is a number, `event` is `run`, and `data` is JSON of this schema: {}",
                serde_json::to_string(&event).unwrap_or_default()
            );
            ("text/event-stream", json!({ "type": "string", "description": description }))
        }
        AnswerForm::File => ("application/octet-stream", json!({})),
        AnswerForm::Text(media_type) => (media_type, json!({ "type": "string" })),
        AnswerForm::Document => ("application/json", json!({ "type": "object" })),
    };
    json!({ "description": route.title, "content": { media_type: { "schema": schema } } })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn routes_and_document_have_the_same_operations() {
        let document = document("1");
        let described: BTreeSet<(String, String)> = document["paths"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(path, methods)| {
                methods.as_object().unwrap().keys().map(|method| (path.clone(), method.clone()))
            })
            .collect();
        let served: BTreeSet<(String, String)> =
            routes().iter().map(|route| (path_of(route), route.method.name().to_string())).collect();
        assert_eq!(described, served);
        assert_eq!(served.len(), routes().len(), "no route stands in the way of another");
    }

    #[test]
    fn a_signature_takes_the_place_of_a_token_at_one_path() {
        let proved: Vec<&str> =
            routes().iter().filter(|route| route.proof.is_some()).map(|route| route.path).collect();
        assert_eq!(proved, ["/server/hooks/{hook}"]);
        assert!(crate::hooks::is_delivery(&axum::http::Method::POST, "/server/hooks/ci"));
        for path in ["/server/hooks/", "/server/hooks", "/server/hooks/a/b", "/server/runs", "/"] {
            assert!(!crate::hooks::is_delivery(&axum::http::Method::POST, path), "{path}");
        }
        assert!(!crate::hooks::is_delivery(&axum::http::Method::GET, "/server/hooks/ci"));
    }

    #[test]
    fn names_are_unique_and_writes_need_a_role() {
        let routes = routes();
        let names: BTreeSet<&str> = routes.iter().map(|route| route.name).collect();
        assert_eq!(names.len(), routes.len());
        for route in routes.iter().filter(|route| route.method.changes()) {
            let is_for_readers = route.role == crate::access::Role::Read;
            let is_known = route.name == "call_tool" || route.proof.is_some();
            assert!(!is_for_readers || is_known, "{} lets readers write", route.name);
        }
    }
}
