//! `emulate` and `routes`: the environment of a test's pages from its start.
//!
//! Each entry becomes an action of the catalogue, built from the words of a command line, so files and commands accept
//! the same values.

use std::path::Path;

use assay_protocol::Action;
use assay_protocol::actions::UsageError;

use crate::keys;
use crate::mistake::Mistake;
use crate::node::{Node, Value};
use crate::reader::{Fields, Reader};
use crate::source::Text;

impl Reader<'_> {
    /// One action for each key, in the order of the list of keys: a device comes before what it would overwrite.
    pub fn emulate(&mut self, node: &Node) -> Vec<Action> {
        let Some(fields) = self.fields(node, &keys::names(keys::EMULATE), "a mapping of things to emulate")
        else {
            return Vec::new();
        };
        let mut actions = Vec::new();
        for (key, what) in [
            ("device", &["device"][..]),
            ("locale", &["locale"]),
            ("timezone", &["timezone"]),
            ("network", &["network"]),
            ("clock", &["clock", "install"]),
        ] {
            if let Some(node) = fields.get(key)
                && let Some(text) = self.text(node, "a value")
            {
                actions.extend(self.world_action(node, what, &[&text.value]));
            }
        }
        if let Some(node) = fields.get("offline")
            && let Some(on) = self.switch(node)
        {
            actions.extend(self.world_action(node, &["offline"], &[if on { "on" } else { "off" }]));
        }
        if let Some(node) = fields.get("geolocation") {
            actions.extend(self.geolocation(node));
        }
        actions.extend(self.media(&fields));
        actions
    }

    fn media(&mut self, fields: &Fields<'_>) -> Option<Action> {
        let mut words = Vec::new();
        let mut last = None;
        if let Some(node) = fields.get("color_scheme")
            && let Some(text) = self.text(node, "a colour scheme")
        {
            words.extend(["--color-scheme".to_string(), text.value]);
            last = Some(node);
        }
        if let Some(node) = fields.get("reduced_motion")
            && self.switch(node) == Some(true)
        {
            words.push("--reduced-motion".to_string());
            last = Some(node);
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.world_action(last?, &["media"], &words)
    }

    /// `40.4, -3.7`, or a list of both.
    fn geolocation(&mut self, node: &Node) -> Option<Action> {
        const EXPECTED: &str = "latitude and longitude, such as `40.4, -3.7`";
        let texts = match &node.value {
            Value::List(items) => items.iter().filter_map(|item| self.text(item, EXPECTED)).collect(),
            _ => self.texts(node, EXPECTED),
        };
        let parts: Vec<&str> = texts
            .iter()
            .flat_map(|text| text.value.split(','))
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        match parts.as_slice() {
            [latitude, longitude] => self.world_action(node, &["geolocation"], &[latitude, longitude]),
            _ => {
                self.expected(node, EXPECTED);
                None
            }
        }
    }

    /// Routes in the order of the file, and the files with their bodies; the last that matches a request answers it.
    pub fn routes(&mut self, node: &Node) -> (Vec<Action>, Vec<Text>) {
        let items = match &node.value {
            Value::List(items) => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let mut bodies = Vec::new();
        let routes = items.iter().filter_map(|item| self.route(item, &mut bodies)).collect();
        (routes, bodies)
    }

    fn route(&mut self, node: &Node, bodies: &mut Vec<Text>) -> Option<Action> {
        let fields = self.fields(node, &keys::names(keys::ROUTE), "a route: `url` and how it is answered")?;
        let Some(url) = fields.get("url") else {
            self.lacking(node, "`url`, the pattern of the addresses");
            return None;
        };
        let mut words = vec!["route".to_string(), self.text(url, "a pattern such as `**/api/cart`")?.value];
        for (key, flag) in
            [("status", "--status"), ("content_type", "--content-type"), ("method", "--method")]
        {
            if let Some(node) = fields.get(key) {
                words.extend([flag.to_string(), self.text(node, "a value")?.value]);
            }
        }
        if let Some(body) = fields.get("body") {
            let file = self.text(body, "a file with the body")?;
            let folder = self.source.path.parent().unwrap_or(Path::new("."));
            words.extend(["--body".to_string(), folder.join(&file.value).display().to_string()]);
            bodies.push(file);
        }
        if let Some(abort) = fields.get("abort")
            && self.switch(abort)?
        {
            words.push("--abort".to_string());
        }
        self.checked(node, Action::from_words(&words))
    }

    fn world_action(&mut self, node: &Node, what: &[&str], values: &[&str]) -> Option<Action> {
        let words: Vec<String> =
            std::iter::once(&"emulate").chain(what).chain(values).map(|word| (*word).to_string()).collect();
        self.checked(node, Action::from_words(&words))
    }

    fn checked(&mut self, node: &Node, action: Result<Action, UsageError>) -> Option<Action> {
        action
            .map_err(|error| {
                let (expected, found) = (error.expected(), error.found());
                self.problem(node.span, Mistake::Expected { expected, found, hint: None });
            })
            .ok()
    }

    pub(crate) fn switch(&mut self, node: &Node) -> Option<bool> {
        let text = self.scalar(node, "true or false")?;
        match text.value.trim() {
            "true" | "on" | "yes" => Some(true),
            "false" | "off" | "no" => Some(false),
            _ => {
                self.expected(node, "true or false");
                None
            }
        }
    }
}
