//! The description of the routes.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::context::{Home, Running};

/// Every reference of the document leads somewhere.
fn check_references(at: &Value, document: &Value) {
    match at {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                let path = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference}"));
                assert!(document.pointer(path).is_some(), "{reference} leads nowhere");
            }
            fields.values().for_each(|value| check_references(value, document));
        }
        Value::Array(items) => items.iter().for_each(|value| check_references(value, document)),
        _ => {}
    }
}

#[test]
fn every_route_that_is_described_is_served() {
    let home = Home::new();
    let service = Running::start(&home);
    let document = service.get("/openapi.json");
    assert_eq!(document["openapi"], "3.1.0");
    check_references(&document, &document);
    let mut names = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(names.insert(operation["operationId"].as_str().unwrap().to_string()), "{operation}");
            let named = path.matches('{').count();
            let parameters = operation["parameters"].as_array().unwrap();
            assert_eq!(parameters.iter().filter(|one| one["in"] == "path").count(), named, "{path}");
            if path == "/server/agent/api-key" {
                continue;
            }
            // A body that no route takes: what is served says so, what is not there says that.
            let asked = path.replace(['{', '}'], "");
            let answer = service.ask(&method.to_uppercase(), &asked, &[], "[]");
            assert_ne!(answer.status, 405, "{method} {path}");
            assert!(
                answer.status != 404 || !answer.text().contains("there is nothing at"),
                "{method} {path}"
            );
        }
    }
    assert!(names.len() > 40, "{names:?}");
}

#[test]
fn a_validator_of_somebody_else_finds_the_document_valid() {
    let home = Home::new();
    let document = home.0.join("openapi.json");
    std::fs::write(&document, assay_server::document("1").to_string()).unwrap();
    let packages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/server-python");
    let said = std::process::Command::new("python3")
        .env("PYTHONPATH", packages)
        .args(["-m", "openapi_spec_validator", "--schema", "3.1.0"])
        .arg(&document)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&said.stdout).into_owned() + &String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{text}\nhint: scripts/ensure-packages installs the validator");
}
