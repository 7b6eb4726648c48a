//! Tests as a file: YAML that our own reader takes, and comments for whoever reads it first.

use crate::draft::{Draft, DraftTrial};

/// One file with tests that belong together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sheet {
    /// The name of the file, without its ending.
    pub stem: String,
    pub drafts: Vec<Draft>,
    /// What cannot be known by looking: each a question, and the test it would become.
    pub open: Vec<(String, Draft)>,
}

/// The text of the file. `base_url` is written into each test, so that a file can stand by itself.
pub fn write_sheet(sheet: &Sheet, base_url: Option<&str>) -> String {
    let mut text = String::new();
    for draft in &sheet.drafts {
        if !text.is_empty() {
            text.push_str("---\n");
        }
        text.push_str(&one(draft, base_url));
    }
    for (question, draft) in &sheet.open {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!(
            "# TODO: {question}\n# Write the answer under `expected` and uncomment the test:\n# ---\n"
        ));
        for line in one(draft, base_url).lines() {
            text.push_str(format!("# {line}").trim_end());
            text.push('\n');
        }
    }
    text
}

fn one(draft: &Draft, base_url: Option<&str>) -> String {
    let mut text = String::new();
    for remark in &draft.remarks {
        text.push_str(&format!("# {}\n", crate::words::one_line(remark)));
    }
    if draft.trial == DraftTrial::Sends && draft.tags.iter().any(|tag| tag == "untried") {
        text.push_str(
            "# Not tried yet: it clicks a button that may submit something. Run it where that is safe.\n",
        );
    }
    text.push_str(&format!("test: {}\n", scalar(&draft.name)));
    if let Some(base) = base_url {
        text.push_str(&format!("base_url: {}\n", scalar(base)));
    }
    for (key, values) in
        [("tags", &draft.tags), ("requirements", &draft.requirements), ("secrets", &draft.secrets)]
    {
        if !values.is_empty() {
            let values: Vec<String> = values.iter().map(|value| in_brackets(value)).collect();
            text.push_str(&format!("{key}: [{}]\n", values.join(", ")));
        }
    }
    for (key, sentences) in
        [("preconditions", &draft.preconditions), ("steps", &draft.steps), ("expected", &draft.expected)]
    {
        if !sentences.is_empty() {
            text.push_str(&format!("{key}:\n"));
            for sentence in sentences {
                text.push_str(&format!("  - {}\n", scalar(sentence)));
            }
        }
    }
    text
}

/// As it is where YAML reads it so, else in quotation marks.
fn scalar(text: &str) -> String {
    let begins_plainly = text.starts_with(|first: char| first.is_alphabetic() || first == '/');
    let is_word = matches!(
        text.to_lowercase().as_str(),
        "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
    );
    let is_odd = text.contains(": ") || text.contains(" #") || text.ends_with(':') || text.ends_with(' ');
    if begins_plainly && !is_word && !is_odd && !text.chars().any(char::is_control) {
        return text.to_string();
    }
    serde_json::Value::String(text.to_string()).to_string()
}

/// Between brackets, more letters mean something.
fn in_brackets(text: &str) -> String {
    let is_plain = text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
    if is_plain && scalar(text) == text {
        text.to_string()
    } else {
        serde_json::Value::String(text.to_string()).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> Draft {
        Draft {
            name: "Login: it works".to_string(),
            tags: vec!["planned".to_string(), "a, b".to_string()],
            secrets: vec!["APP_PASSWORD".to_string()],
            steps: vec![
                "Go to /login".to_string(),
                "Enter \"${APP_PASSWORD}\" in the \"Password\" field".to_string(),
            ],
            expected: vec!["The text \"Hi: you # there\" is shown".to_string()],
            remarks: vec!["Two\nlines".to_string()],
            ..Draft::default()
        }
    }

    #[test]
    fn what_yaml_would_read_otherwise_is_quoted() {
        let sheet = Sheet { stem: "login".to_string(), drafts: vec![draft()], open: Vec::new() };
        assert_eq!(
            write_sheet(&sheet, Some("http://127.0.0.1:80")),
            "# Two lines\ntest: \"Login: it works\"\nbase_url: http://127.0.0.1:80\ntags: [planned, \"a, b\"]\n\
             secrets: [APP_PASSWORD]\nsteps:\n  - Go to /login\n  - Enter \"${APP_PASSWORD}\" in the \"Password\" field\n\
             expected:\n  - \"The text \\\"Hi: you # there\\\" is shown\"\n"
        );
    }

    #[test]
    fn what_is_not_known_is_a_comment_and_no_test() {
        let open = vec![("What is shown then?".to_string(), draft())];
        let text = write_sheet(&Sheet { stem: "x".to_string(), drafts: Vec::new(), open }, None);
        assert!(text.lines().all(|line| line.is_empty() || line.starts_with('#')), "{text}");
        assert!(text.starts_with("# TODO: What is shown then?\n"), "{text}");
    }
}
