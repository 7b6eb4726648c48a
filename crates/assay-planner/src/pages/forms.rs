//! Forms of a page: what they ask for, by their own attributes, and the tests that follow from it.

use assay_protocol::SceneNode;

use super::seen::{FieldRules, PageSeen};
use super::{Proposals, path_words};
use crate::draft::{Draft, DraftTrial};
use crate::names::{file_stem, is_plain_name};
use crate::scope::{Exclusion, OpenQuestion};
use crate::sheet::Sheet;

/// Longer texts are no help to a reader of the test.
const LONGEST_TYPED: usize = 120;
/// So many fields of a form become tests; of the others it is said that they do not.
const MOST_FIELDS: usize = 40;
/// So many claims are one test.
const MOST_CLAIMS: usize = 12;

/// A form, or the fields of a page that belong to none.
pub(super) struct Form<'p> {
    name: String,
    fields: Vec<Field<'p>>,
    /// The one button that sends it, if there is one that can be named.
    button: Option<&'p str>,
    is_checked: bool,
}

struct Field<'p> {
    node: &'p SceneNode,
    name: &'p str,
    /// "field", "checkbox", "dropdown": the word by which a sentence means it.
    kind: &'static str,
    rules: FieldRules,
}

pub(super) fn forms_of(page: &PageSeen) -> Vec<Form<'_>> {
    let scene = &page.scene;
    let form_of =
        |at: usize| scene.ancestors(at).find(|above| scene.nodes[*above].attribute("tag") == Some("form"));
    let mut forms = Vec::new();
    let mut roots: Vec<Option<usize>> = Vec::new();
    for at in 0..scene.nodes.len() {
        let root = form_of(at);
        if kind_of(&scene.nodes[at]).is_some() && !roots.contains(&root) {
            roots.push(root);
        }
    }
    for root in roots {
        let inside = || (0..scene.nodes.len()).filter(|at| form_of(*at) == root).map(|at| &scene.nodes[at]);
        let fields: Vec<Field<'_>> = inside().filter_map(|node| field_of(page, node)).collect();
        let buttons: Vec<&str> = inside()
            .filter(|node| {
                node.role == "button" && node.attributes.contains_key("submits") && !node.is("disabled")
            })
            .map(|node| node.name.trim())
            .collect();
        let button = match buttons.as_slice() {
            [only] if is_plain_name(only) && is_alone(page, "button", only) => Some(*only),
            _ => None,
        };
        let own = root.map(|root| &scene.nodes[root]);
        let is_checked = own.is_some_and(|form| {
            form.reference.as_ref().is_none_or(|reference| !page.unchecked_forms.contains(reference))
        });
        let said = own.map(|form| form.name.trim()).filter(|name| is_plain_name(name));
        let name = match (said, button) {
            (Some(name), _) => name.to_string(),
            (None, Some(button)) => button.to_string(),
            (None, None) => path_words(page),
        };
        if !fields.is_empty() {
            forms.push(Form { name, fields, button, is_checked });
        }
    }
    forms
}

/// The word for what can be filled in.
fn kind_of(node: &SceneNode) -> Option<&'static str> {
    match node.role.as_str() {
        "textbox" | "searchbox" | "spinbutton" => Some("field"),
        "combobox" | "listbox" if node.attribute("tag") == Some("select") => Some("dropdown"),
        "combobox" => Some("field"),
        "checkbox" => Some("checkbox"),
        _ => None,
    }
}

/// A field that a sentence can mean: seen, named, and the only one called so.
fn field_of<'p>(page: &'p PageSeen, node: &'p SceneNode) -> Option<Field<'p>> {
    let kind = kind_of(node)?;
    let name = node.name.trim();
    let is_open = !node.is("disabled") && !node.is("readonly") && !node.is("covered");
    let is_meant = is_plain_name(name) && is_alone(page, kind, name);
    (is_open && is_meant).then(|| Field { node, name, kind, rules: page.rules(node) })
}

fn is_alone(page: &PageSeen, kind: &str, name: &str) -> bool {
    let is_like = |node: &&SceneNode| {
        let same_kind = if kind == "button" { node.role == "button" } else { kind_of(node).is_some() };
        same_kind && node.name.trim().eq_ignore_ascii_case(name)
    };
    page.scene.nodes.iter().filter(is_like).count() == 1
}

impl Field<'_> {
    fn is_typed(&self) -> bool {
        self.kind == "field" && !self.node.is("secret") && self.node.attribute("tag") != Some("select")
    }

    fn is_empty(&self) -> bool {
        self.node.value.as_deref().is_none_or(|value| value.trim().is_empty())
    }

    fn meant(&self) -> String {
        format!("the \"{}\" {}", self.name, self.kind)
    }

    fn kind_said(&self) -> &str {
        self.node.attribute("type").unwrap_or_default()
    }
}

impl Form<'_> {
    /// By which the same form on another page is known.
    pub(super) fn likeness(&self) -> String {
        let names: Vec<&str> = self.fields.iter().map(|field| field.name).collect();
        format!("{}|{}|{}", self.name, names.join("|"), self.button.unwrap_or_default())
    }

    pub(super) fn sheet(&self, page: &PageSeen, proposals: &mut Proposals, stems: &mut Vec<String>) -> Sheet {
        let mut stem = file_stem(&format!("form {}", self.name));
        let mut number = 1;
        while stems.contains(&stem) {
            number += 1;
            stem = format!("{}-{number}", file_stem(&format!("form {}", self.name)));
        }
        stems.push(stem.clone());
        let mut sheet = Sheet { stem, ..Sheet::default() };
        sheet.drafts.extend(self.is_there(page));
        for field in self.fields.iter().skip(MOST_FIELDS) {
            let why = format!("a plan covers at most {MOST_FIELDS} fields per form");
            proposals.excluded.push(Exclusion::new(field.meant(), why));
        }
        for field in self.fields.iter().take(MOST_FIELDS).filter(|field| field.is_typed()) {
            sheet.drafts.extend(self.rules_of(field, page, proposals));
        }
        match (self.button, self.refused(page)) {
            (Some(_), Some(refused)) => sheet.drafts.push(refused),
            (None, _) => proposals.excluded.push(Exclusion::new(
                format!("submitting the form {}", self.name),
                "it has no submit button with a unique name",
            )),
            (Some(_), None) => {}
        }
        if let Some(button) = self.button {
            let question = format!(
                "What should appear after {} is filled in correctly and \"{button}\" is clicked?",
                self.called()
            );
            proposals.questions.push(OpenQuestion {
                id: sheet.stem.clone(),
                text: question.clone(),
                why: "only someone who knows the application can answer".to_string(),
                is_blocking: false,
            });
            sheet.open.push((question, self.sent(page, button)));
        }
        sheet
    }

    fn called(&self) -> String {
        format!("the form \"{}\"", self.name)
    }

    fn draft(&self, page: &PageSeen, name: String) -> Draft {
        Draft {
            name,
            tags: vec!["planned".to_string(), "form".to_string()],
            steps: vec![format!("Go to {}", page.path())],
            ..Draft::default()
        }
    }

    /// All that it asks for is there, and what it needs is marked as needed. A long form is several tests.
    fn is_there(&self, page: &PageSeen) -> Vec<Draft> {
        let mut claims = Vec::new();
        for field in self.fields.iter().take(MOST_FIELDS) {
            claims.push(format!("{} is shown", sentence_case(&field.meant())));
            if field.node.is("required") {
                claims.push(format!("{} is required", sentence_case(&field.meant())));
            }
        }
        claims.extend(self.button.map(|button| format!("The \"{button}\" button is enabled")));
        let parts = claims.chunks(MOST_CLAIMS).zip(1..);
        let draft = |(claims, part): (&[String], usize)| {
            let which = if part == 1 { String::new() } else { format!(", part {part}") };
            let mut draft = self.draft(page, format!("The form {} is complete{which}", self.name));
            draft.expected = claims.to_vec();
            draft
        };
        parts.map(draft).collect()
    }

    /// What a field refuses by its own attributes, seen without anything being sent.
    fn rules_of(&self, field: &Field<'_>, page: &PageSeen, proposals: &mut Proposals) -> Vec<Draft> {
        let meant = field.meant();
        let invalid = format!("{} is invalid", sentence_case(&meant));
        let refuses = |what: &str, text: &str| {
            let mut draft = self.draft(page, format!("{} refuses {what}", field.name));
            draft.steps.push(format!("Enter \"{text}\" in {meant}"));
            draft.steps.push("Press Tab".to_string());
            draft.expected.push(invalid.clone());
            draft
        };
        let mut drafts = Vec::new();
        if field.node.is("required") && field.is_empty() {
            let mut draft = self.draft(page, format!("{} must not be empty", field.name));
            draft.steps.push(format!("Enter \"1\" in {meant}"));
            draft.steps.push(format!("Clear {meant}"));
            draft.steps.push("Press Tab".to_string());
            draft.expected.push(invalid.clone());
            drafts.push(draft);
        }
        match field.kind_said() {
            "email" => drafts.push(refuses("an invalid email address", "no address")),
            "url" => drafts.push(refuses("an invalid web address", "no address")),
            "number" => {
                if let Some(most) = field.rules.most {
                    drafts.push(refuses(&format!("more than {most}"), &(most + 1.0).to_string()));
                }
                if let Some(least) = field.rules.least {
                    drafts.push(refuses(&format!("less than {least}"), &(least - 1.0).to_string()));
                }
            }
            _ => {}
        }
        if let Some(shortest) = field.rules.shortest.filter(|shortest| (2..=LONGEST_TYPED).contains(shortest))
        {
            drafts.push(refuses(&format!("fewer than {shortest} characters"), &"a".repeat(shortest - 1)));
        }
        match field.rules.longest {
            Some(longest) if (1..=LONGEST_TYPED).contains(&longest) && field.kind_said() != "email" => {
                let mut draft =
                    self.draft(page, format!("{} accepts at most {longest} characters", field.name));
                draft.steps.push(format!("Enter \"{}\" in {meant}", "a".repeat(longest + 1)));
                draft.expected.push(format!("The value of {meant} is \"{}\"", "a".repeat(longest)));
                drafts.push(draft);
            }
            Some(longest) if longest > LONGEST_TYPED => proposals.excluded.push(Exclusion::new(
                format!("the maximum length of {meant}"),
                format!("a text of {longest} characters would make the test unreadable"),
            )),
            _ => {}
        }
        drafts
    }

    /// The browser itself keeps back a form in which something needed is missing.
    fn refused(&self, page: &PageSeen) -> Option<Draft> {
        let needed = self.fields.iter().find(|field| field.node.is("required") && field.is_empty())?;
        let button = self.button.filter(|_| self.is_checked)?;
        let mut draft = self.draft(page, format!("{} without {} is refused", self.name, needed.name));
        draft.steps.push(format!("Click the \"{button}\" button"));
        draft.expected.push(format!("{} is invalid", sentence_case(&needed.meant())));
        draft.trial = DraftTrial::Sends;
        Some(draft)
    }

    /// What would be done to send it, without a word on what follows.
    fn sent(&self, page: &PageSeen, button: &str) -> Draft {
        let mut draft = self.draft(page, format!("{} is sent", self.name));
        // Who has a password has an account, and accounts are not made up.
        let has_account = self.fields.iter().any(|field| field.kind_said() == "password");
        for field in self.fields.iter().take(MOST_FIELDS) {
            let meant = field.meant();
            draft.steps.push(match (field.kind, field.kind_said()) {
                ("checkbox", _) if field.node.is("required") => format!("Check {meant}"),
                ("checkbox", _) => continue,
                ("dropdown", _) => match field.node.options.iter().rev().find(|option| is_plain_name(option))
                {
                    Some(option) => format!("Select \"{option}\" in {meant}"),
                    None => continue,
                },
                (_, "password") => {
                    draft.secrets.push("APP_PASSWORD".to_string());
                    format!("Enter \"${{APP_PASSWORD}}\" in {meant}")
                }
                (_, "email" | "text" | "")
                    if has_account && !draft.secrets.iter().any(|name| name == "APP_USER") =>
                {
                    draft.secrets.push("APP_USER".to_string());
                    format!("Enter \"${{APP_USER}}\" in {meant}")
                }
                (_, "email") => format!("Enter \"ada@example.com\" in {meant}"),
                (_, "number") => format!("Enter \"{}\" in {meant}", field.rules.least.unwrap_or(1.0)),
                (_, "url") => format!("Enter \"https://example.com/\" in {meant}"),
                (_, "date") => format!("Enter \"2030-01-31\" in {meant}"),
                (_, "time") => format!("Enter \"10:30\" in {meant}"),
                _ => format!("Enter \"…\" in {meant}"),
            });
        }
        draft.steps.push(format!("Click the \"{button}\" button"));
        draft.expected.push("…".to_string());
        draft.secrets.dedup();
        draft.trial = DraftTrial::Sends;
        draft
    }
}

fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
