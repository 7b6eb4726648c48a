//! Two descriptions of an element side by side: each property, then and now.

use std::collections::BTreeSet;

use assay_protocol::Signature;
use serde::Serialize;

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct SignatureRow {
    pub label: String,
    pub was: String,
    pub now: String,
}

/// All that is said of either, what people look for first at the top.
pub fn signature_rows(was: &Signature, now: &Signature) -> Vec<SignatureRow> {
    let row = |label: &str, was: String, now: String| SignatureRow { label: label.to_owned(), was, now };
    let mut rows = vec![
        row("role", was.role.clone(), now.role.clone()),
        row("name", was.name.clone(), now.name.clone()),
    ];
    let marks: BTreeSet<&String> = was.marks.keys().chain(now.marks.keys()).collect();
    for mark in marks {
        let of = |signature: &Signature| signature.marks.get(mark).cloned().unwrap_or_default();
        rows.push(row(mark_words(mark), of(was), of(now)));
    }
    let joined = |parts: &[String], by: &str| {
        let said: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        said.join(by)
    };
    rows.push(row("inside", joined(&was.within, " in "), joined(&now.within, " in ")));
    rows.push(row("beside", joined(&was.near, " … "), joined(&now.near, " … ")));
    rows.push(row("position among elements of the same name", place(was.place), place(now.place)));
    rows.push(row("position among elements of the same kind", place(was.kind), place(now.kind)));
    rows.retain(|row| !row.was.is_empty() || !row.now.is_empty());
    rows
}

fn place((number, of): (usize, usize)) -> String {
    if of == 0 { String::new() } else { format!("{number} of {of}") }
}

fn mark_words(mark: &str) -> &str {
    match mark {
        "testid" => "test id",
        "href" => "link target",
        "sends" => "form submits to",
        "submits" => "submits",
        "carries" => "submitted with it",
        "choice" => "option value",
        "name" => "submitted as",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_one_of_them_has_is_told_too() {
        let button = |name: &str, id: &str| Signature {
            role: "button".into(),
            name: name.into(),
            marks: [("id".to_owned(), id.to_owned())].into_iter().filter(|(_, id)| !id.is_empty()).collect(),
            place: (1, 1),
            ..Signature::default()
        };
        let rows = signature_rows(&button("Save", "save"), &button("Keep", ""));
        let told: Vec<(&str, &str, &str)> =
            rows.iter().map(|row| (row.label.as_str(), row.was.as_str(), row.now.as_str())).collect();
        assert_eq!(
            told,
            [
                ("role", "button", "button"),
                ("name", "Save", "Keep"),
                ("id", "save", ""),
                ("position among elements of the same name", "1 of 1", "1 of 1"),
            ]
        );
    }
}
