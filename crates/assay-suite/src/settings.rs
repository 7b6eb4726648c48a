//! Readers for the settings that tests and projects share.

use std::sync::Arc;

use assay_protocol::Action;

use crate::keys;
use crate::mistake::Mistake;
use crate::node::{Node, Value};
use crate::options::{
    BrowserName, ClipboardSetting, PilotChoice, PolicySettings, TestBudget, TimeoutSettings, ViewportSetting,
};
use crate::reader::{Fields, Naming, Reader, is_name};
use crate::source::Text;

/// The settings of both files.
#[derive(Debug, Clone, Default)]
pub(crate) struct TestSettings {
    pub base_url: Option<Text>,
    pub browsers: Vec<BrowserName>,
    pub viewport: Option<ViewportSetting>,
    pub emulate: Vec<Action>,
    pub routes: Vec<Action>,
    /// The files in `routes`, as they are written.
    pub route_bodies: Vec<Text>,
    pub timeouts: TimeoutSettings,
    pub pilot: Option<PilotChoice>,
    pub retries: Option<u32>,
    pub budget: TestBudget,
    pub policy: PolicySettings,
    pub selectors: Vec<(Text, Text)>,
    pub variables: Vec<(Text, Text)>,
    pub secrets: Vec<SecretDraft>,
}

/// A secret as a file declares it: a name, and the variable of the environment that holds the value.
#[derive(Debug, Clone)]
pub(crate) struct SecretDraft {
    pub name: String,
    pub variable: String,
    pub place: Text,
}

impl Reader<'_> {
    /// `browser` is what the key is called in the file at hand.
    pub fn settings(&mut self, fields: &Fields<'_>, browser: &str) -> TestSettings {
        let mut settings = TestSettings::default();
        if let Some(node) = fields.get("base_url") {
            settings.base_url = self.text(node, "an address");
        }
        if let Some(node) = fields.get(browser) {
            settings.browsers = self.browsers(node);
        }
        if let Some(node) = fields.get("viewport") {
            settings.viewport = self.viewport(node);
        }
        if let Some(node) = fields.get("emulate") {
            settings.emulate = self.emulate(node);
        }
        if let Some(node) = fields.get("routes") {
            (settings.routes, settings.route_bodies) = self.routes(node);
        }
        if let Some(node) = fields.get("timeout") {
            settings.timeouts = self.timeouts(node);
        }
        if let Some(node) = fields.get("pilot") {
            settings.pilot = self.one_of(node, "pilot", &PilotChoice::ALL);
        }
        if let Some(node) = fields.get("retries") {
            settings.retries = self.whole_number(node, 0, 100).and_then(|number| u32::try_from(number).ok());
        }
        if let Some(node) = fields.get("budget") {
            settings.budget = self.budget(node);
        }
        if let Some(node) = fields.get("policy") {
            settings.policy = self.policy(node);
        }
        if let Some(node) = fields.get("selectors") {
            settings.selectors = self.named_texts(node, Naming::Free, "a mapping of selectors");
        }
        if let Some(node) = fields.get("variables") {
            settings.variables = self.named_texts(node, Naming::Replaceable, "a mapping of names to values");
        }
        if let Some(node) = fields.get("secrets") {
            settings.secrets = self.secrets(node);
        }
        settings
    }

    fn browsers(&mut self, node: &Node) -> Vec<BrowserName> {
        let nodes = match &node.value {
            Value::List(items) if !items.is_empty() => items.as_slice(),
            Value::List(_) => {
                self.expected(node, "a browser or a list of browsers");
                &[]
            }
            Value::Scalar { .. } | Value::Map(_) => std::slice::from_ref(node),
        };
        let mut browsers = Vec::new();
        for node in nodes {
            let known: Vec<(&str, &str)> = self.browsers.iter().map(|name| (*name, *name)).collect();
            if let Some(browser) = self.one_of(node, "browser", &known).map(BrowserName::known)
                && !browsers.contains(&browser)
            {
                browsers.push(browser);
            }
        }
        browsers
    }

    fn viewport(&mut self, node: &Node) -> Option<ViewportSetting> {
        const EXPECTED: &str = "a size such as `1280x720`, or `width` and `height`";
        const MOST: u64 = 16384;
        let size = |number: u64| u32::try_from(number).ok();
        if let Value::Map(_) = &node.value {
            let fields = self.fields(node, &keys::names(keys::VIEWPORT), EXPECTED)?;
            let (Some(width), Some(height)) = (fields.get("width"), fields.get("height")) else {
                self.lacking(node, EXPECTED);
                return None;
            };
            let width = self.whole_number(width, 1, MOST);
            let height = self.whole_number(height, 1, MOST);
            let scale = match fields.get("scale") {
                Some(node) => self.amount(node, "a scale above 0, up to 10").filter(|scale| {
                    let fits = *scale <= 10.0;
                    if !fits {
                        self.expected(node, "a scale above 0, up to 10");
                    }
                    fits
                })?,
                None => 1.0,
            };
            return Some(ViewportSetting { width: size(width?)?, height: size(height?)?, scale });
        }
        let text = self.text(node, EXPECTED)?;
        let sides = text.value.split_once(['x', '×']).and_then(|(width, height)| {
            let side = |text: &str| {
                text.trim().parse::<u64>().ok().filter(|side| (1..=MOST).contains(side)).and_then(size)
            };
            Some((side(width)?, side(height)?))
        });
        match sides {
            Some((width, height)) => Some(ViewportSetting { width, height, scale: 1.0 }),
            None => {
                self.expected(node, EXPECTED);
                None
            }
        }
    }

    fn timeouts(&mut self, node: &Node) -> TimeoutSettings {
        let Value::Map(_) = &node.value else {
            return TimeoutSettings { step: None, test: self.duration(node) };
        };
        let Some(fields) = self.fields(node, &keys::names(keys::TIMEOUT), "a mapping of times") else {
            return TimeoutSettings::default();
        };
        TimeoutSettings {
            step: fields.get("step").and_then(|node| self.duration(node)),
            test: fields.get("test").and_then(|node| self.duration(node)),
        }
    }

    pub fn budget(&mut self, node: &Node) -> TestBudget {
        let Some(fields) = self.fields(node, &keys::names(keys::BUDGET), "a mapping of limits") else {
            return TestBudget::default();
        };
        let mut count = |name: &str| {
            fields
                .get(name)
                .and_then(|node| self.whole_number(node, 1, 1_000_000))
                .and_then(|number| u32::try_from(number).ok())
        };
        TestBudget {
            turns: count("turns"),
            actions: count("actions"),
            seconds: fields.get("seconds").and_then(|node| self.duration(node)),
            tokens: fields.get("tokens").and_then(|node| self.whole_number(node, 1, 1_000_000_000_000)),
            money: fields.get("money").and_then(|node| self.amount(node, "an amount above 0")),
        }
    }

    fn policy(&mut self, node: &Node) -> PolicySettings {
        let Some(fields) = self.fields(node, &keys::names(keys::POLICY), "a mapping of rules") else {
            return PolicySettings::default();
        };
        let mut list = |name: &str, expected: &str| {
            fields
                .get(name)
                .map(|node| self.texts(node, expected).into_iter().map(|text| text.value).collect::<Vec<_>>())
        };
        PolicySettings {
            allowed_domains: list("allowed_domains", "a domain"),
            blocked_domains: list("blocked_domains", "a domain").unwrap_or_default(),
            allowed_keys: list("allowed_keys", "a key").unwrap_or_default(),
            blocked_keys: list("blocked_keys", "a key").unwrap_or_default(),
            allowed_safety_checks: list("allowed_safety_checks", "a code").unwrap_or_default(),
            clipboard: fields
                .get("clipboard")
                .and_then(|node| self.one_of(node, "clipboard setting", &ClipboardSetting::ALL)),
        }
    }

    fn secrets(&mut self, node: &Node) -> Vec<SecretDraft> {
        match &node.value {
            Value::List(items) => items.iter().filter_map(|item| self.secret_name(item)).collect(),
            _ => {
                let entries = self.entries(node, "a mapping of secrets, or a list of names");
                entries.iter().filter_map(|(key, value)| self.secret_reference(key, value)).collect()
            }
        }
    }

    fn secret_name(&mut self, node: &Node) -> Option<SecretDraft> {
        let text = self.text(node, "the name of a secret")?;
        if !is_name(&text.value) {
            // It may well be the secret itself, so it is not repeated in the message.
            let mistake = Mistake::SecretInFile { secret: "PASSWORD".to_string() };
            self.problem(node.span, mistake);
            return None;
        }
        Some(SecretDraft { name: text.value.clone(), variable: text.value.clone(), place: text })
    }

    fn secret_reference(&mut self, key: &crate::node::Key, value: &Node) -> Option<SecretDraft> {
        let name = self.name(key, Naming::Replaceable)?;
        let reference = match &value.value {
            Value::Scalar { text, .. } => {
                text.trim().strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).filter(|v| is_name(v))
            }
            Value::List(_) | Value::Map(_) => None,
        };
        let Some(variable) = reference else {
            self.problem(value.span, Mistake::SecretInFile { secret: name.value });
            return None;
        };
        Some(SecretDraft {
            name: name.value,
            variable: variable.to_string(),
            place: Text { value: variable.to_string(), span: value.span, source: Arc::clone(&self.source) },
        })
    }
}
