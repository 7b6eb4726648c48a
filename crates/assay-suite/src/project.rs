//! The project file, `assay.yaml`: the shared settings of a suite.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::case::ShellCommand;
use crate::keys;
use crate::mistake::Mistake;
use crate::node::{Node, Value};
use crate::options::{
    BrowserName, PilotChoice, PolicySettings, TestBudget, TimeoutSettings, ViewportSetting,
};
use crate::pattern::Pattern;
use crate::problem::Problems;
use crate::reader::{Naming, Reader};
use crate::settings::TestSettings;
use crate::source::{Source, Text};
use crate::step_draft::StepDraft;
use crate::yaml;

/// The settings of a suite. Tests already contain them; they are here for the caller that starts the run.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// The folder of the suite, with every link resolved.
    pub root: PathBuf,
    /// The project file as it is shown, when there is one.
    pub file: Option<PathBuf>,
    /// The name of the suite; that of its folder unless the project says otherwise.
    pub suite: String,
    pub base_url: Option<String>,
    /// Empty when the project does not say.
    pub browsers: Vec<BrowserName>,
    pub workers: Option<usize>,
    /// A test without an expectation is no pass.
    pub strict: bool,
    pub start: Vec<ServerStart>,
    pub timeouts: TimeoutSettings,
    pub retries: u32,
    pub pilot: PilotChoice,
    pub viewport: Option<ViewportSetting>,
    pub budget: TestBudget,
    /// The model to ask, where the user names none.
    pub model: Option<String>,
    pub recovery: RecoverySettings,
    pub policy: PolicySettings,
    /// Patterns of what to run when a folder is given.
    pub tests: Vec<String>,
    pub exclude: Vec<String>,
    pub(crate) precondition_commands: Vec<String>,
}

impl Project {
    /// Every command that a run of this suite could start, as written in the file, in order and each once. The caller must
    /// check for trust before running them.
    pub fn commands(&self) -> Vec<String> {
        let all = self.start.iter().map(|start| &start.command.command).chain(&self.precondition_commands);
        let servers = self.recovery.mcp.iter().map(|server| server.command.join(" "));
        let mut commands: Vec<String> = Vec::new();
        for command in all.cloned().chain(servers) {
            if !commands.contains(&command) {
                commands.push(command);
            }
        }
        commands
    }
}

/// The recovery settings for unclear steps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecoverySettings {
    /// From 1 to 3; all by default.
    pub tiers: Option<u8>,
    pub mcp: Option<McpCommand>,
}

/// An MCP server that is started to be asked about a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpCommand {
    /// The program and its arguments. It is run without a shell, in the folder of the suite.
    pub command: Vec<String>,
    /// Tools that read, beside those that are known.
    pub tools: Vec<String>,
}

/// A server to start, and to wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerStart {
    pub command: ShellCommand,
    /// It answers when the server is ready.
    pub url: String,
    pub timeout: Option<Duration>,
    /// Inside the suite, with every link resolved.
    pub cwd: PathBuf,
}

/// The project file as it is written: checked, names not yet replaced.
#[derive(Debug, Default)]
pub(crate) struct ProjectDraft {
    pub suite: Option<Text>,
    pub settings: TestSettings,
    pub workers: Option<usize>,
    pub strict: bool,
    pub model: Option<Text>,
    pub recovery: RecoverySettings,
    pub start: Vec<StartDraft>,
    pub makers: Vec<PreconditionRule>,
    /// Steps by name, for `use`.
    pub steps: Vec<(Text, Vec<StepDraft>)>,
    pub tests: Option<Vec<Text>>,
    pub exclude: Vec<Text>,
}

#[derive(Debug)]
pub(crate) struct StartDraft {
    pub command: Text,
    pub url: Text,
    pub timeout: Option<Duration>,
    pub cwd: Option<Text>,
}

/// How facts of one kind are made true.
#[derive(Debug)]
pub(crate) struct PreconditionRule {
    pub text: String,
    pub pattern: Pattern,
    pub way: WayDraft,
}

#[derive(Debug)]
pub(crate) enum WayDraft {
    Command(Text),
    Request(RequestDraft),
    Steps(Vec<StepDraft>),
}

#[derive(Debug)]
pub(crate) struct RequestDraft {
    pub method: &'static str,
    pub url: Text,
    pub headers: Vec<(Text, Text)>,
    pub body: Option<BodyDraft>,
    pub expect: Vec<u16>,
}

#[derive(Debug)]
pub(crate) enum BodyDraft {
    Text(Text),
    Json(Arc<Source>, Node),
}

/// Reads a project file. Adds mistakes to `problems`.
pub(crate) fn read_project(source: &Arc<Source>, browsers: &[&str], problems: &mut Problems) -> ProjectDraft {
    let documents = yaml::documents(source, problems);
    let mut reader = Reader { source: Arc::clone(source), problems, browsers };
    if let Some(second) = documents.get(1) {
        let mistake = Mistake::Expected {
            expected: "one document in the project file".to_string(),
            found: "several".to_string(),
            hint: None,
        };
        reader.problem(second.span, mistake);
    }
    // An empty file says nothing, and marks the folder of the suite.
    documents.first().and_then(|document| reader.project(document)).unwrap_or_default()
}

impl Reader<'_> {
    fn project(&mut self, node: &Node) -> Option<ProjectDraft> {
        let fields = self.fields(node, &keys::names(keys::PROJECT), "a mapping of settings")?;
        let mut draft =
            ProjectDraft { settings: self.settings(&fields, "browsers"), ..ProjectDraft::default() };
        if let Some(node) = fields.get("suite") {
            draft.suite = self.text(node, "the name of the suite");
        }
        if let Some(node) = fields.get("workers") {
            draft.workers = self.whole_number(node, 1, 256).and_then(|number| usize::try_from(number).ok());
        }
        if let Some(node) = fields.get("strict") {
            draft.strict = self.switch(node).unwrap_or_default();
        }
        if let Some(node) = fields.get("model") {
            draft.model = self.text(node, "a model such as `anthropic/claude-sonnet-5-5`");
        }
        if let Some(node) = fields.get("recovery") {
            draft.recovery = self.recovery(node).unwrap_or_default();
        }
        if let Some(node) = fields.get("start") {
            draft.start = match &node.value {
                Value::List(items) => items.iter().filter_map(|item| self.start(item)).collect(),
                _ => self.start(node).into_iter().collect(),
            };
        }
        if let Some(node) = fields.get("preconditions") {
            let items = self.list(node, "a list of preconditions");
            draft.makers = items.iter().filter_map(|item| self.maker(item)).collect();
        }
        if let Some(node) = fields.get("steps") {
            for (key, value) in self.entries(node, "a mapping of names to lists of steps") {
                let name = self.name(key, Naming::Free);
                let steps = self.steps(value);
                draft.steps.extend(name.map(|name| (name, steps)));
            }
        }
        if let Some(node) = fields.get("tests") {
            draft.tests = Some(self.texts(node, "a pattern such as `tests/**/*.yaml`"));
        }
        if let Some(node) = fields.get("exclude") {
            draft.exclude = self.texts(node, "a pattern such as `drafts/**`");
        }
        Some(draft)
    }

    fn recovery(&mut self, node: &Node) -> Option<RecoverySettings> {
        let fields = self.fields(node, &keys::names(keys::RECOVERY), "`tiers` and `mcp`")?;
        let tiers = fields.get("tiers").and_then(|node| self.whole_number(node, 1, 3));
        let mcp = fields.get("mcp").and_then(|node| self.mcp(node));
        Some(RecoverySettings { tiers: tiers.and_then(|number| u8::try_from(number).ok()), mcp })
    }

    fn mcp(&mut self, node: &Node) -> Option<McpCommand> {
        const EXPECTED: &str = "`command`: a program and its arguments";
        let fields = self.fields(node, &keys::names(keys::MCP), EXPECTED)?;
        let Some(command) = fields.get("command") else {
            self.lacking(node, EXPECTED);
            return None;
        };
        let plain = |texts: Vec<Text>| texts.into_iter().map(|text| text.value).collect::<Vec<_>>();
        let command = plain(self.texts(command, "a program, or an argument"));
        let tools = fields.get("tools").map(|node| plain(self.texts(node, "the name of a tool")));
        (!command.is_empty()).then(|| McpCommand { command, tools: tools.unwrap_or_default() })
    }

    fn start(&mut self, node: &Node) -> Option<StartDraft> {
        const EXPECTED: &str = "`command` and `url`";
        let fields = self.fields(node, &keys::names(keys::START), EXPECTED)?;
        let (Some(command), Some(url)) = (fields.get("command"), fields.get("url")) else {
            self.lacking(node, EXPECTED);
            return None;
        };
        let command = self.text(command, "a command");
        let url = self.text(url, "an address that answers when the server is ready");
        let timeout = fields.get("timeout").and_then(|node| self.duration(node));
        let cwd = fields.get("cwd").and_then(|node| self.text(node, "a folder inside the suite"));
        Some(StartDraft { command: command?, url: url?, timeout, cwd })
    }

    fn maker(&mut self, node: &Node) -> Option<PreconditionRule> {
        const FORMS: &[&str] = &["run", "request", "steps"];
        const EXPECTED: &str = "`match` with one of `run`, `request`, `steps`";
        let fields = self.fields(node, &keys::names(keys::PRECONDITION), EXPECTED)?;
        let present: Vec<String> =
            FORMS.iter().filter(|form| fields.get(form).is_some()).map(|form| format!("`{form}`")).collect();
        if present.len() > 1 {
            let expected = FORMS.iter().map(|form| format!("`{form}`")).collect::<Vec<_>>().join(", ");
            self.problem(node.span, Mistake::NotOne { expected, found: present.join(", ") });
            return None;
        }
        let Some(pattern_node) = fields.get("match").filter(|_| present.len() == 1) else {
            self.lacking(node, EXPECTED);
            return None;
        };
        let text = self.sentence(pattern_node, "a pattern", None);
        let pattern = text.as_ref().and_then(|text| match Pattern::parse(&text.value) {
            Ok(pattern) => Some(pattern),
            Err(found) => {
                let mistake = Mistake::Expected {
                    expected: "a sentence with placeholders such as `{name}`".to_string(),
                    found,
                    hint: None,
                };
                self.problem(pattern_node.span, mistake);
                None
            }
        });
        let way = if let Some(node) = fields.get("run") {
            self.text(node, "a command").map(WayDraft::Command)
        } else if let Some(node) = fields.get("request") {
            self.request(node).map(WayDraft::Request)
        } else {
            fields.get("steps").map(|node| WayDraft::Steps(self.steps(node)))
        };
        Some(PreconditionRule { text: text?.value, pattern: pattern?, way: way? })
    }

    fn request(&mut self, node: &Node) -> Option<RequestDraft> {
        const EXPECTED: &str = "a request with `url`";
        let fields = self.fields(node, &keys::names(keys::REQUEST), EXPECTED)?;
        let Some(url) = fields.get("url") else {
            self.lacking(node, EXPECTED);
            return None;
        };
        let url = self.text(url, "an address");
        let methods: Vec<(&'static str, &'static str)> = keys::METHODS.iter().map(|m| (*m, *m)).collect();
        let method = match fields.get("method") {
            Some(node) => self.one_of(node, "method", &methods),
            None => Some("POST"),
        };
        let headers = match fields.get("headers") {
            Some(node) => self.named_texts(node, Naming::Free, "a mapping of headers"),
            None => Vec::new(),
        };
        let body = match (fields.get("body"), fields.get("json")) {
            (Some(_), Some(_)) => {
                let mistake =
                    Mistake::NotOne { expected: "`body`, `json`".to_string(), found: "both".to_string() };
                self.problem(node.span, mistake);
                None
            }
            (Some(body), None) => self.scalar(body, "text").map(BodyDraft::Text),
            (None, Some(json)) => Some(BodyDraft::Json(Arc::clone(&self.source), json.clone())),
            (None, None) => None,
        };
        let expect = match fields.get("expect") {
            Some(node) => self.statuses(node),
            None => Vec::new(),
        };
        Some(RequestDraft { method: method?, url: url?, headers, body, expect })
    }

    fn statuses(&mut self, node: &Node) -> Vec<u16> {
        let nodes = match &node.value {
            Value::List(items) => items.as_slice(),
            Value::Scalar { .. } | Value::Map(_) => std::slice::from_ref(node),
        };
        let statuses = nodes.iter().filter_map(|node| self.whole_number(node, 100, 599));
        statuses.filter_map(|status| u16::try_from(status).ok()).collect()
    }
}
