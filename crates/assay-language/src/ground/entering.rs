//! Acts of the keyboard: filling fields, submitting forms, logging in.

use assay_protocol::Action;

use crate::{Act, ClickKind, Decision, ElementKind, PlannedAction, Target};

use super::at_hand::content_word;
use super::evidence::Evidence;
use super::explain::{missing, unclear, unclear_among};
use super::find::{Candidate, Search, SearchResult, find};
use super::leftover::reverses;
use super::view::View;
use super::words::{fold, run_at, without_fillers, words_of};
use super::wrapping::is_part_of_date;
use super::{Grounding, done};

pub(crate) fn takes_text(view: &View, at: usize) -> f64 {
    match view.node(at).role.as_str() {
        "file" => 0.0,
        _ if view.node(at).is("readonly") => 0.85,
        "slider" | "listbox" | "color" => 0.95,
        _ if view.is_editable(at) => 1.0,
        _ => 0.0,
    }
}

fn takes_files(view: &View, at: usize) -> f64 {
    match view.node(at).role.as_str() {
        "file" => 1.0,
        "button" | "clickable" => 0.7,
        _ => 0.0,
    }
}

/// Names of buttons that send a form, the plainest first.
const SENDING: &[&str] = &[
    "submit",
    "send",
    "save",
    "log in",
    "login",
    "sign in",
    "sign up",
    "register",
    "create account",
    "search",
    "ok",
    "apply",
    "go",
    "confirm",
    "continue",
    "next",
    "done",
    "place order",
    "pay",
    "pay now",
    "subscribe",
    "update",
];

impl Grounding<'_> {
    pub(super) fn enter(&self, target: Option<&Target>, text: &str) -> Decision {
        let decision = self.enter_in_field(target, text);
        match (decision, target) {
            (decision @ Decision::Missing { .. }, Some(target)) => {
                self.on_drawn_slider(target, text).unwrap_or(decision)
            }
            (decision, _) => decision,
        }
    }

    fn enter_in_field(&self, target: Option<&Target>, text: &str) -> Decision {
        if let Some(field) = target.and_then(|target| self.filter_field(target)) {
            return self.enter_in_field(Some(&field), text);
        }
        let found = self.field_for(target, text).map(|(at, because)| match self.field_beside(at, text) {
            Some(field) => (field, because.and(format!("{} takes text", self.view.describe(field)))),
            None => (at, because),
        });
        done(found.and_then(|(at, because)| self.put(at, because, text)))
    }

    /// "The time filter": the field "Time", where nothing is called a filter.
    fn filter_field(&self, target: &Target) -> Option<Target> {
        let is_filter = target.words.len() > 1 && target.words.last().is_some_and(|word| word == "filter");
        if !is_filter
            || target.quoted.is_some()
            || !matches!(self.one(target, takes_text), Err(Decision::Missing { .. }))
        {
            return None;
        }
        let mut field = target.clone();
        field.words.pop();
        field.kind = Some(ElementKind::Field);
        let found = find(&self.search(takes_text), &field);
        matches!(found, SearchResult::One(found) if found.exact).then_some(field)
    }

    /// A row may have a list of functions beside the field: what the list does not offer goes into the only field.
    fn field_beside(&self, at: usize, text: &str) -> Option<usize> {
        let view = self.view;
        let node = view.node(at);
        let offers = node.options.iter().any(|option| fold(option) == fold(text));
        if node.options.is_empty()
            || !node.name.is_empty()
            || node.attribute("tag") == Some("input")
            || offers
        {
            return None;
        }
        let row = view.entry_of(at)?;
        let is_field =
            |inner: &usize| view.node(*inner).role == "textbox" && view.node(*inner).reference.is_some();
        let fields: Vec<usize> = view.inside(row).filter(is_field).collect();
        if let [only] = fields.as_slice() { Some(*only) } else { None }
    }

    pub(super) fn append(&self, target: Option<&Target>, text: &str) -> Decision {
        done(self.field_for(target, text).and_then(|(at, because)| {
            Ok((Action::Type { target: Some(self.selector(at)?), text: text.to_string() }, because))
        }))
    }

    pub(super) fn put(
        &self,
        at: usize,
        because: Evidence,
        text: &str,
    ) -> Result<(Action, Evidence), Decision> {
        let node = self.view.node(at);
        let target = self.selector(at)?;
        if node.options.is_empty() || node.attribute("tag") == Some("input") {
            return Ok((Action::Fill { target, text: text.to_string() }, because));
        }
        match node.options.iter().find(|option| fold(option) == fold(text)) {
            Some(option) => Ok((Action::Select { target, options: vec![option.clone()] }, because)),
            None => Err(missing(
                self.view,
                format!(
                    "{} offers no \"{text}\"; it offers: {}",
                    self.view.describe(at),
                    node.options.join(", ")
                ),
                &[at],
            )),
        }
    }

    /// The field that is meant; without a name the one with the focus, or the only one there is.
    fn field_for(&self, target: Option<&Target>, text: &str) -> Result<(usize, Evidence), Decision> {
        let view = self.view;
        if let Some(target) = target {
            if let Some(word) = content_word(target) {
                let found = self.field_of_content(target, &word);
                let is_plain = target.relations.is_empty() && target.said == "the value to enter";
                return match found {
                    Err(_) if is_plain => self.field_for(None, text),
                    found => found,
                };
            }
            let mut target = target.clone();
            // "the Email box" may be read as any kind of thing; only fields take text.
            if target.kind.is_some_and(|kind| !kind.takes_a_value()) {
                target.kind = None;
                if target.is_nameless() {
                    target.words = without_fillers(&words_of(&target.said));
                }
            }
            let found = match find(&self.search(takes_text), &target) {
                // Of several lists, the one that offers the value.
                SearchResult::Several(several) => {
                    let offers = |one: &&Candidate| {
                        view.node(one.at).options.iter().any(|option| fold(option) == fold(text))
                    };
                    let offering: Vec<&Candidate> = several.iter().filter(offers).collect();
                    match offering.as_slice() {
                        [only] => Ok((only.at, self.evidence(only))),
                        _ => Err(unclear(view, &target, &several)),
                    }
                }
                _ => self.one(&target, takes_text),
            };
            if let (Err(Decision::Missing { .. }), Some(at)) = (&found, self.holding(&target)) {
                return Ok((at, format!("{}: it holds that text", view.describe(at)).into()));
            }
            return found;
        }
        if let Some(found) = self.opened_editor() {
            return found;
        }
        if let Some(at) = view.focused().filter(|at| takes_text(view, *at) > 0.0) {
            return Ok((at, format!("{}: it has the focus", view.describe(at)).into()));
        }
        let fields: Vec<Candidate> = view
            .all()
            .filter(|at| view.node(*at).reference.is_some() && takes_text(view, *at) > 0.0)
            .filter(|at| view.modal().is_none_or(|modal| view.is_within(*at, modal)))
            .filter(|at| !view.node(*at).is("disabled") && !view.node(*at).is("readonly"))
            .filter(|at| !is_part_of_date(view, *at))
            .map(|at| Candidate::sure(at, 1.0, "it is the only field"))
            .collect();
        match fields.as_slice() {
            [only] => Ok((only.at, self.evidence(only))),
            [] => Err(missing(view, "there is no field on the page".to_string(), &[])),
            several => {
                let said = Target { said: "the field".to_string(), ..Target::default() };
                Err(unclear(view, &said, several))
            }
        }
    }

    /// `Replace the title "Draft" with …`: the only field that holds the text in quotation marks.
    fn holding(&self, target: &Target) -> Option<usize> {
        let view = self.view;
        let text = target.quoted.as_deref().filter(|_| target.relations.is_empty())?;
        let holds = |at: &usize| {
            let node = view.node(*at);
            node.reference.is_some()
                && takes_text(view, *at) > 0.0
                && node.attribute("type") != Some("password")
                && target.kind.is_none_or(|kind| super::kinds::fit(view, *at, kind) >= 0.75)
                && node.value.as_deref().is_some_and(|value| !value.is_empty() && fold(value) == fold(text))
        };
        let fields: Vec<usize> = view.all().filter(holds).collect();
        if let [only] = fields.as_slice() { Some(*only) } else { None }
    }

    pub(super) fn upload(&self, files: &[String], target: Option<&Target>) -> Decision {
        let view = self.view;
        let fields: Vec<usize> = view
            .all()
            .filter(|at| view.node(*at).role == "file" && view.node(*at).reference.is_some())
            .collect();
        let found = match (target, fields.as_slice()) {
            (Some(target), _) => {
                let mut target = target.clone();
                target.kind = None;
                match (self.one(&target, takes_files), fields.as_slice()) {
                    (Err(Decision::Missing { .. }), [only]) if target.quoted.is_none() => Ok((
                        *only,
                        format!("{}: it is the only place for files", view.describe(*only)).into(),
                    )),
                    (found, _) => found,
                }
            }
            (None, [only]) => {
                Ok((*only, format!("{}: it is the only place for files", view.describe(*only)).into()))
            }
            (None, _) => {
                let said = Target {
                    said: "the file field".to_string(),
                    kind: Some(ElementKind::FileField),
                    ..Target::default()
                };
                self.one(&said, takes_files)
            }
        };
        done(found.and_then(|(at, because)| {
            Ok((Action::Upload { target: self.selector(at)?, files: files.to_vec() }, because))
        }))
    }

    /// The button that sends the form: of the form that is named, else of the one that is being filled in.
    pub(super) fn submit(&self, target: Option<&Target>) -> Decision {
        let view = self.view;
        let form = match target {
            None => self.form_in_use(),
            Some(target) => {
                let containers = Search {
                    needs_ref: false,
                    usable: |view, at| match view.node(at).role.as_str() {
                        "form" | "search" | "dialog" | "alertdialog" => 1.0,
                        "region" | "group" | "generic" | "main" | "article" if view.has_children(at) => 0.8,
                        _ => 0.0,
                    },
                    ..self.search(super::clicking::clickable)
                };
                let mut named = target.clone();
                if named.kind != Some(ElementKind::Dialog) {
                    named.kind = Some(ElementKind::Form);
                }
                match find(&containers, &named) {
                    SearchResult::One(found) => Ok(Some(found.at)),
                    SearchResult::Several(several) => Err(unclear(view, target, &several)),
                    // Not a form, but perhaps the button itself: "submit the order".
                    SearchResult::None { .. } => {
                        let mut button = target.clone();
                        button.kind = None;
                        match find(&self.search(super::clicking::clickable), &button) {
                            SearchResult::One(found) if view.node(found.at).role == "button" => {
                                return self.sent(found.at, self.evidence(&found));
                            }
                            SearchResult::Several(several) => Err(unclear(view, target, &several)),
                            _ => self.form_in_use(),
                        }
                    }
                }
            }
        };
        match form {
            Ok(form) => self.send(form),
            Err(decision) => decision,
        }
    }

    fn sent(&self, at: usize, because: Evidence) -> Decision {
        match self.clicked(at, because, ClickKind::Single) {
            Decision::Do(planned) => Decision::Do(PlannedAction { commits: true, ..planned }),
            other => other,
        }
    }

    fn send(&self, form: Option<usize>) -> Decision {
        let view = self.view;
        // Without fields there is no form, and a button is just a button.
        if form.is_none() && !view.all().any(|at| view.is_editable(at) || takes_a_choice(view, at)) {
            return missing(view, "there is no form on the page".to_string(), &[]);
        }
        let within = |at: usize| form.is_none_or(|form| view.is_within(at, form));
        let buttons: Vec<usize> = view
            .all()
            .filter(|at| within(*at) && view.node(*at).role == "button" && view.node(*at).reference.is_some())
            .filter(|at| view.modal().is_none_or(|modal| view.is_within(*at, modal)))
            // A control that cancels or ends something does not submit it, whatever its type.
            .filter(|at| !reverses(&view.node(*at).name))
            .collect();
        let typed: Vec<usize> =
            buttons.iter().copied().filter(|at| view.node(*at).attribute("type") == Some("submit")).collect();
        let named = |places: &[usize]| -> Vec<usize> {
            places.iter().copied().filter(|at| super::clicking::is_one_of(view, *at, SENDING)).collect()
        };
        let choice = match (typed.len(), named(&typed), named(&buttons)) {
            (1, ..) => typed,
            (0, _, by_name) => by_name,
            (_, by_name, _) if by_name.len() == 1 => by_name,
            _ => typed,
        };
        let enabled: Vec<usize> =
            choice.iter().copied().filter(|at| !view.node(*at).is("disabled")).collect();
        let choice = if enabled.len() == 1 { enabled } else { choice };
        let target = Target { said: "the button that sends the form".to_string(), ..Target::default() };
        match choice.as_slice() {
            [only] => self.sent(*only, format!("{} sends the form", view.describe(*only)).into()),
            [] => {
                let field = view.focused().filter(|at| within(*at) && view.is_editable(*at)).or_else(|| {
                    let fields: Vec<usize> = view
                        .all()
                        .filter(|at| {
                            within(*at)
                                && form.is_some()
                                && view.is_editable(*at)
                                && view.node(*at).reference.is_some()
                        })
                        .collect();
                    (fields.len() == 1).then(|| fields[0])
                });
                match field.and_then(|at| Some((at, view.selector(at)?))) {
                    Some((at, selector)) => Decision::Do(PlannedAction {
                        action: Action::Press { keys: vec!["Enter".to_string()], target: Some(selector) },
                        because: format!("{}: the form has no button, Enter sends it", view.describe(at)),
                        sureness: None,
                        then: None,
                        commits: true,
                    }),
                    None => missing(view, "no button on the page sends a form".to_string(), &buttons),
                }
            }
            several => unclear_among(view, &target, several, "it sends a form"),
        }
    }

    /// The form with the focus; else the only one that holds something; else the only one.
    fn form_in_use(&self) -> Result<Option<usize>, Decision> {
        let view = self.view;
        let form_of = |at: usize| {
            view.scene
                .ancestors(at)
                .find(|around| matches!(view.node(*around).role.as_str(), "form" | "search"))
        };
        if let Some(focused) = view.focused().filter(|at| view.is_editable(*at))
            && let Some(form) = form_of(focused)
        {
            return Ok(Some(form));
        }
        let forms: Vec<usize> = view
            .all()
            .filter(|at| matches!(view.node(*at).role.as_str(), "form" | "search"))
            .filter(|at| view.modal().is_none_or(|modal| view.is_within(*at, modal)))
            .collect();
        let filled: Vec<usize> = forms
            .iter()
            .copied()
            .filter(|form| {
                view.inside(*form).any(|at| {
                    let node = view.node(at);
                    matches!(node.role.as_str(), "textbox" | "searchbox")
                        && node.value.as_deref().is_some_and(|value| !value.is_empty())
                })
            })
            .collect();
        match (filled.as_slice(), forms.as_slice()) {
            ([only], _) | (_, [only]) => Ok(Some(*only)),
            (_, []) => Ok(None),
            (_, several) => {
                let several: Vec<Candidate> =
                    several.iter().map(|at| Candidate::sure(*at, 1.0, "a form")).collect();
                let target = Target { said: "the form".to_string(), ..Target::default() };
                Err(unclear(view, &target, &several))
            }
        }
    }

    /// Field by field, with the page looked at again between; a password that was not said is not made up.
    pub(super) fn log_in(&self, user: &str, password: Option<&str>) -> Decision {
        let view = self.view;
        let words = |words: &[&str], kind| Target {
            said: format!("the {} field", words.join(" ")),
            words: words.iter().map(|word| (*word).to_string()).collect(),
            kind: Some(kind),
            ..Target::default()
        };
        let secrets: Vec<usize> = view
            .all()
            .filter(|at| {
                view.node(*at).reference.is_some()
                    && super::kinds::fit(view, *at, ElementKind::PasswordField) >= 0.9
            })
            .collect();
        if let Some(decision) = self.asks_to_register(&secrets) {
            return decision;
        }
        let send = Act::Submit { target: None };
        let enter_password = |text: &str| Act::Enter {
            target: Some(Target { words: Vec::new(), ..words(&["password"], ElementKind::PasswordField) }),
            text: text.to_string(),
        };
        if secrets.len() > 1 {
            let several: Vec<Candidate> =
                secrets.iter().map(|at| Candidate::sure(*at, 1.0, "a password field")).collect();
            return unclear(view, &words(&["password"], ElementKind::PasswordField), &several);
        }
        // `Sign in with "x"` on a page that asks for nothing but a password.
        if let ([secret], None) = (secrets.as_slice(), password) {
            let takes_a_name =
                |at: usize| at != *secret && takes_text(view, at) > 0.0 && view.node(at).role == "textbox";
            if !view.all().any(takes_a_name) {
                return self.sequence(&[enter_password(user), send]);
            }
        }
        let rest = match (secrets.is_empty(), password) {
            (false, None) => {
                return Decision::Unclear {
                    why: "the page asks for a password, but the step gives none".to_string(),
                    candidates: view.lines(secrets),
                    clearer: format!("Log in as \"{user}\" with password \"…\""),
                };
            }
            (false, Some(password)) => vec![enter_password(password), send.clone()],
            (true, Some(password)) => vec![send.clone(), enter_password(password), send.clone()],
            (true, None) => vec![send.clone()],
        };
        if user.is_empty() {
            return match (secrets.as_slice(), password) {
                ([_], Some(password)) => self.sequence(&[enter_password(password), send]),
                _ => missing(view, "the page has no password field".to_string(), &[]),
            };
        }
        let user_words: &[&str] = if user.contains('@') { &["email"] } else { &["username"] };
        let mut found = self.one(&words(user_words, ElementKind::Field), takes_text);
        if found.is_err() {
            let other: &[&str] = if user.contains('@') { &["username"] } else { &["email"] };
            found = self.one(&words(other, ElementKind::Field), takes_text).or(found);
        }
        // No name helps: the field right before the password's.
        if let (Err(Decision::Missing { .. }), [secret]) = (&found, secrets.as_slice()) {
            let before =
                (0..*secret).rev().find(|at| takes_text(view, *at) > 0.0 && view.node(*at).role == "textbox");
            if let Some(at) = before {
                found = Ok((at, format!("{}: it comes before the password field", view.describe(at)).into()));
            }
        }
        let decision = done(found.and_then(|(at, because)| self.put(at, because, user)));
        match decision {
            Decision::Do(planned) => {
                Decision::Do(PlannedAction { then: Some(Act::Sequence(rest)), ..planned })
            }
            Decision::Missing { nearest, .. } => Decision::Missing {
                why: "the page has no field for a user name or an e-mail address".to_string(),
                nearest,
            },
            other => other,
        }
    }
}

impl Grounding<'_> {
    /// A form with a password is one to log in with, unless the button that sends it makes a new account.
    fn asks_to_register(&self, secrets: &[usize]) -> Option<Decision> {
        const REGISTERING: &[&str] =
            &["register", "registration", "sign up", "signup", "create account", "create an account", "join"];
        const LOGGING_IN: &[&str] = &["log in", "login", "sign in", "signin", "log on", "logon"];
        let view = self.view;
        let form = secrets.first().and_then(|secret| {
            view.scene.ancestors(*secret).find(|around| view.node(*around).role == "form")
        });
        let buttons: Vec<usize> = view
            .all()
            .filter(|at| view.node(*at).role == "button" && form.is_none_or(|form| view.is_within(*at, form)))
            .collect();
        let says = |at: usize, names: &[&str]| {
            let words = words_of(&view.node(at).name);
            names.iter().any(|name| run_at(&words_of(name), &words).is_some())
        };
        let registering = buttons.iter().copied().find(|at| says(*at, REGISTERING))?;
        if buttons.iter().any(|at| says(*at, LOGGING_IN)) {
            return None;
        }
        Some(Decision::Unclear {
            why: format!("{} creates an account instead of logging in", view.describe(registering)),
            candidates: view.lines([registering]),
            clearer: "go to the login page, or fill in the fields one by one".to_string(),
        })
    }
}

fn takes_a_choice(view: &View, at: usize) -> bool {
    matches!(view.node(at).role.as_str(), "checkbox" | "radio" | "switch" | "form" | "search")
}
