//! Every key of the files, with its purpose. Both the readers and the schema use this list, so the suggestions of an
//! editor always match what the readers accept.

use assay_protocol::{CoverageKind, Priority, RequirementStatus};
use serde_json::{Value, json};

use crate::scripts::ParameterKind;

pub(crate) struct KeyRow {
    pub name: &'static str,
    pub about: &'static str,
    shape: Shape,
}

/// The form of a key's value.
enum Shape {
    Fixed(fn() -> Value),
    /// One of the browsers there are, or a list of them.
    Browsers,
}

const fn key(name: &'static str, about: &'static str, schema: fn() -> Value) -> KeyRow {
    KeyRow { name, about, shape: Shape::Fixed(schema) }
}

const fn browser_key(name: &'static str, about: &'static str) -> KeyRow {
    KeyRow { name, about, shape: Shape::Browsers }
}

pub(crate) fn names(rows: &'static [KeyRow]) -> Vec<&'static str> {
    rows.iter().map(|row| row.name).collect()
}

/// The keys of a test.
pub(crate) const TEST: &[KeyRow] = &[
    key("test", "What the test checks, in one line.", text),
    key(
        "preconditions",
        "Facts that must hold before the test. The project file can define how to make them true.",
        sentences,
    ),
    key("steps", "The actions, in order: sentences, exact commands, or steps from another file.", steps),
    key("expected", "What must be true afterwards: sentences or exact checks.", expectations),
    key(
        "selectors",
        "Hints: names for pages and elements. A stale hint is ignored with a note.",
        texts_by_name,
    ),
    key("base_url", "The base address of relative addresses.", text),
    key("tags", "Labels for selecting tests.", text_or_texts),
    key(
        "requirements",
        "The requirements that this test covers: codes, or codes with `full`, `partial` or `negative`.",
        requirement_links,
    ),
    browser_key("browser", "The browser, or a list of browsers."),
    key("device", "The device to run on.", text),
    key("platform", "The platform to run on.", text),
    key("viewport", "The size of the page: `1280x720`, or width, height and scale.", viewport),
    key("emulate", "What pages believe: device, language, place, network, time.", || object(EMULATE, &[])),
    key("routes", "Requests that are answered in the server's place.", routes),
    key("timeout", "The time limit of the test, or separate limits `step` and `test`.", timeouts),
    key("pilot", "The pilot that decides what a sentence does.", pilot),
    key("retries", "How many times to retry a failed test.", || whole_number(0, 100)),
    key(
        "variables",
        "The values that replace `${name}`. In a value, `${NAME}` may be a variable of the environment.",
        texts_by_name,
    ),
    key("secrets", "Names that refer to environment variables; their values are masked everywhere.", secrets),
    key("setup", "Steps to run before the test.", steps),
    key("teardown", "Steps to run after the test, whatever its outcome.", steps),
    key(
        "data",
        "Rows of values: the test runs once for each row. A list, or a file (.csv, .json, .yaml).",
        data,
    ),
    key("budget", "What models may use in this test.", || object(BUDGET, &[])),
    key("policy", "What this test may access.", || object(POLICY, &[])),
    key(
        "standing",
        "`allowed`: the test may pass even if all its claims were true from the start.",
        || json!({ "enum": ["allowed"] }),
    ),
];

/// What pages are made to believe.
pub(crate) const EMULATE: &[KeyRow] = &[
    key("device", "A device by its name: viewport, pixel ratio, touch and user agent.", text),
    key(
        "color_scheme",
        "`light`, `dark` or `no-preference`.",
        || json!({ "enum": ["light", "dark", "no-preference"] }),
    ),
    key("reduced_motion", "`true`: the user prefers reduced motion.", || json!({ "type": "boolean" })),
    key("locale", "A language tag such as `de-DE`.", text),
    key("timezone", "A time zone such as `Europe/Madrid`.", text),
    key(
        "geolocation",
        "Latitude and longitude, such as `40.4, -3.7`.",
        || json!({ "anyOf": [text(), { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 }] }),
    ),
    key("offline", "`true`: no request gets through.", || json!({ "type": "boolean" })),
    key("network", "A network profile: `slow-3g`, `fast-3g` or `4g`.", text),
    key("clock", "The moment at which the clock of the pages begins, such as `2027-03-01`.", text),
];

/// Requests that are answered in the server's place.
pub(crate) const ROUTE: &[KeyRow] = &[
    key("url", "The addresses: `*` stands for anything but a slash, `**` for anything.", text),
    key("method", "Only requests with this method.", text),
    key("status", "The HTTP status of the answer; 200 by default.", || whole_number(200, 599)),
    key("body", "A file with the body of the answer, beside the test file.", text),
    key("content_type", "The type of the body; by default that of the file.", text),
    key("abort", "`true`: the connection breaks.", || json!({ "type": "boolean" })),
];

/// How far a step is looked into.
pub(crate) const RECOVERY: &[KeyRow] = &[
    key(
        "tiers",
        "1: no further; 2: with a screenshot of the page; 3: with everything known about it.",
        || whole_number(1, 3),
    ),
    key("mcp", "An MCP server that can provide more about a page.", || object(MCP, &["command"])),
];

/// A server that is attached to the browser.
pub(crate) const MCP: &[KeyRow] = &[
    key(
        "command",
        "The program and its arguments; `{endpoint}` stands for the address of the browser.",
        text_or_texts,
    ),
    key("tools", "Read-only tools, in addition to the known ones.", text_or_texts),
];

/// The keys of the project file.
pub(crate) const PROJECT: &[KeyRow] = &[
    key("suite", "The name of the suite.", text),
    key("base_url", "The base address of relative addresses.", text),
    browser_key("browsers", "The browsers to run each test on."),
    key("workers", "How many tests run at the same time.", || whole_number(1, 256)),
    key(
        "strict",
        "`true`: a test without an expectation is no pass (exit code 3).",
        || json!({ "type": "boolean" }),
    ),
    key("start", "Servers to start and wait for before the tests.", || {
        one_or_list(object(START, &["command", "url"]))
    }),
    key(
        "preconditions",
        "How to make facts true.",
        || json!({ "type": "array", "items": object(PRECONDITION, &["match"]) }),
    ),
    key("selectors", "Names for pages and elements, for all tests.", texts_by_name),
    key(
        "steps",
        "Named lists of steps, for `use`.",
        || json!({ "type": "object", "additionalProperties": steps() }),
    ),
    key("policy", "What the tests may access.", || object(POLICY, &[])),
    key("budget", "What models may use in each test.", || object(BUDGET, &[])),
    key("recovery", "How far to look into a step that is not clear.", || object(RECOVERY, &[])),
    key(
        "model",
        "The model to ask when the interpreter is not sure, such as `anthropic/claude-sonnet-5-5`. The user's own setting \
         takes precedence; addresses and keys come only from the user.",
        text,
    ),
    key(
        "variables",
        "The values that replace `${name}`. In a value, `${NAME}` may be a variable of the environment.",
        texts_by_name,
    ),
    key("secrets", "Names that refer to environment variables; their values are masked everywhere.", secrets),
    key("timeout", "The time limit of each test, or separate limits `step` and `test`.", timeouts),
    key("retries", "How many times to retry a failed test.", || whole_number(0, 100)),
    key("pilot", "The pilot that decides what a sentence does.", pilot),
    key("viewport", "The size of the page: `1280x720`, or width, height and scale.", viewport),
    key("emulate", "What pages of all tests believe: device, language, place, network, time.", || {
        object(EMULATE, &[])
    }),
    key("routes", "Requests of all tests that are answered in the server's place.", routes),
    key(
        "tests",
        "Which files to run when a folder is given: patterns such as `tests/**/*.yaml`.",
        text_or_texts,
    ),
    key("exclude", "Which files to leave out: patterns such as `drafts/**`.", text_or_texts),
];

/// The keys of a requirement.
pub(crate) const REQUIREMENT: &[KeyRow] = &[
    key("code", "Unique in the project, such as `REQ-12`: tests refer to it.", text),
    key("name", "What it is about, in a few words.", text),
    key("description", "What the application should do.", text),
    key("priority", "`critical`, `high`, `medium` or `low`.", || words(&Priority::ALL)),
    key("category", "What it belongs to, such as `checkout`.", text),
    key("status", "`draft`, `approved`, `implemented`, or `retired`: a retired one needs no test.", || {
        words(&RequirementStatus::ALL)
    }),
    key("acceptance_criteria", "What must be so for it to count as done.", text_or_texts),
];

/// The keys of a script that is a list of steps, beside those of a test.
pub(crate) const STEPS_SCRIPT: &[KeyRow] = &[
    key("script", "What the script does, in one line.", text),
    key("description", "More about it.", text),
    key("parameters", "The values that it takes, by name; `${name}` stands for one.", parameters),
];

/// The keys of a script that is a program.
pub(crate) const PROGRAM_SCRIPT: &[KeyRow] = &[
    key("script", "What the script does, in one line.", text),
    key("description", "More about it.", text),
    key(
        "run",
        "The program beside this file, or a list of words; no shell reads them. It runs only in a trusted folder.",
        text_or_texts,
    ),
    key("parameters", "The values that it takes, by name.", parameters),
    key("timeout", "How long it may take.", duration),
    key("tags", "Labels.", text_or_texts),
    key("requirements", "The requirements that it covers.", requirement_links),
    key("variables", "The values that replace `${name}`.", texts_by_name),
    key("secrets", "Names that refer to environment variables; their values are masked everywhere.", secrets),
];

pub(crate) const PARAMETER: &[KeyRow] = &[
    key("type", "`text` (default), `integer`, `number` or `boolean`.", || words(&ParameterKind::ALL)),
    key("required", "`true`: it has to be given.", || json!({ "type": "boolean" })),
    key("default", "The value without one.", text),
    key("description", "What it is for.", text),
    key("allowed", "The only values that it may have.", || json!({ "type": "array", "items": text() })),
    key(
        "secret",
        "`true`: its value is masked everywhere, and passed in the environment only.",
        || json!({ "type": "boolean" }),
    ),
];

/// The keys of the user's own settings.
pub(crate) const USER: &[KeyRow] = &[
    key("model", "The model to ask when the interpreter is not sure.", text),
    key("key_command", "A command that prints the API key.", text),
    key("pictures", "`false`: the model takes no pictures.", || json!({ "type": "boolean" })),
    key("budget", "What a run may spend on models.", || object(BUDGET, &[])),
    key(
        "cache",
        "How long the prompt of an agent stays in the provider's cache.",
        || json!({ "enum": ["5m", "1h"] }),
    ),
];

pub(crate) const STEP: &[KeyRow] = &[
    key("step", "The action, as a sentence.", text),
    key("run", "An exact command, as typed after `assay`.", text),
    key("use", "The name of a list of steps in the project file, or of another file.", text),
    key("with", "The values for `${name}` in those steps.", texts_by_name),
    key("timeout", "How long this step may take.", duration),
];

pub(crate) const EXPECTATION: &[KeyRow] = &[
    key("claim", "What must be true, as a sentence.", text),
    key("run", "An exact check, as typed after `assay`.", text),
    key("timeout", "How long it may take to become true.", duration),
];

pub(crate) const TIMEOUT: &[KeyRow] = &[
    key("step", "How long each step may take.", duration),
    key("test", "How long the whole test may take.", duration),
];

pub(crate) const VIEWPORT: &[KeyRow] = &[
    key("width", "In CSS pixels.", || whole_number(1, 16384)),
    key("height", "In CSS pixels.", || whole_number(1, 16384)),
    key("scale", "Device pixels per CSS pixel.", amount),
];

pub(crate) const BUDGET: &[KeyRow] = &[
    key("turns", "The number of model answers.", || whole_number(1, 1_000_000)),
    key("actions", "The number of actions per step of a model that works from screenshots.", || {
        whole_number(1, 1_000_000)
    }),
    key("seconds", "Time spent with a model.", duration),
    key("tokens", "Input and output tokens.", || whole_number(1, 1_000_000_000_000)),
    key("money", "Cost, in the currency of the provider.", amount),
];

pub(crate) const POLICY: &[KeyRow] = &[
    key("allowed_domains", "The only domains that may be reached.", text_or_texts),
    key("blocked_domains", "Domains that may not be reached.", text_or_texts),
    key("allowed_keys", "Keys that may be pressed even though they lead out of the page.", text_or_texts),
    key("blocked_keys", "Keys that may not be pressed.", text_or_texts),
    key("clipboard", "What the test may do with the clipboard.", clipboard),
    key(
        "allowed_safety_checks",
        "Codes of a provider's safety checks that do not stop a step.",
        text_or_texts,
    ),
];

pub(crate) const START: &[KeyRow] = &[
    key("command", "The command to start. It runs only in a trusted folder.", text),
    key("url", "The address that answers when the server is ready.", text),
    key("timeout", "How long the server may take to be ready.", duration),
    key("cwd", "The folder to start it in, inside the suite.", text),
];

/// The keys of an agent.
pub(crate) const AGENT: &[KeyRow] = &[
    key("agent", "The name of the agent, as commands take it.", text),
    key("nickname", "What people call it.", text),
    key("description", "What it does.", text),
    key("selectable", "`true`: people can talk to it.", || json!({ "type": "boolean" })),
    key("default", "`true`: it answers where nobody names an agent.", || json!({ "type": "boolean" })),
    key("triggers", "The events that wake it.", || list_of(object(AGENT_TRIGGER, &["event"]))),
    key("skills", "The skills that it may load.", || list_of(text())),
    key("config", "Its settings.", || object(AGENT_CONFIG, &[])),
    key("suggestions", "Requests that a person could begin with.", || list_of(text())),
];

pub(crate) const AGENT_TRIGGER: &[KeyRow] = &[
    key("event", "The name of an event, such as `alert.app_crash`.", text),
    key("priority", "Which event comes first.", || words(&assay_protocol::EventPriority::ALL)),
];

pub(crate) const AGENT_CONFIG: &[KeyRow] = &[
    key("enabled", "`false`: it does nothing.", || json!({ "type": "boolean" })),
    key("max_parallel_tasks", "How many tasks it works on at the same time.", || whole_number(1, 64)),
    key("timeout_seconds", "How long one turn may take.", || whole_number(1, 86_400)),
    key("budget", "What a conversation may use of a model.", || object(AGENT_BUDGET, &[])),
    key("approval_required_for", "Calls that a person has to agree to.", || {
        list_of(words(&crate::Approval::ALL))
    }),
];

pub(crate) const AGENT_BUDGET: &[KeyRow] = &[
    key("tokens", "Tokens at most.", || whole_number(1, u64::from(u32::MAX))),
    key("money", "Dollars at most.", amount),
    key("turns", "Calls of a model in one turn at most.", || whole_number(1, 10_000)),
];

/// The keys of a skill of an agent.
pub(crate) const SKILL: &[KeyRow] = &[
    key("name", "The name of the skill.", text),
    key("version", "Its version, such as `1.0.0`.", text),
    key("description", "What it does; agents choose by it.", text),
    key("triggers", "Phrases that call for it.", || list_of(text())),
    key("system_prompt", "What a model should know of its work.", text),
    key("tools", "Two to eight tools.", || list_of(text())),
    key("platform", "The kind of device that it works on.", || {
        let names: Vec<&str> = crate::SkillPlatform::ALL.iter().map(|(name, _)| *name).collect();
        json!({ "anyOf": [{ "enum": names }, { "type": "null" }] })
    }),
    key("requires_device", "`true`: such a device has to be registered.", || json!({ "type": "boolean" })),
    key("timeout_seconds", "How long its work may take.", || whole_number(1, 86_400)),
    key(
        "slots",
        "What its workflow takes from a request.",
        || json!({ "type": "object", "additionalProperties": object(SKILL_SLOT, &["kind"]) }),
    ),
    key("workflow", "The calls that it makes without a model, in order.", || {
        list_of(object(SKILL_STEP, &["tool"]))
    }),
    key(
        "answer",
        "What it says at the end: a text, or a list of parts.",
        || json!({ "anyOf": [text(), list_of(json!({ "anyOf": [text(), object(SKILL_ANSWER, &["say"])] }))] }),
    ),
];

pub(crate) const SKILL_SLOT: &[KeyRow] = &[
    key("kind", "What the value is the name of, or what it looks like.", || words(&crate::SlotKind::ALL)),
    key(
        "required",
        "`true`, or the case in which a value is needed.",
        || json!({ "anyOf": [{ "type": "boolean" }, conditions()] }),
    ),
    key("many", "`true`: there may be several values.", || json!({ "type": "boolean" })),
    key(
        "values",
        "The values of a choice, each with the words that mean it.",
        || json!({ "type": "object", "additionalProperties": { "anyOf": [text_or_texts(), { "type": "null" }] } }),
    ),
    key("default", "The value where a request gives none.", text),
    key("after", "Words that stand before the value.", text_or_texts),
    key("ask", "The question for it.", text),
];

pub(crate) const SKILL_STEP: &[KeyRow] = &[
    key("tool", "One of the skill's tools.", text),
    key(
        "with",
        "Its arguments; `{name}` stands for a slot or a part of an earlier answer.",
        || json!({ "type": "object" }),
    ),
    key("when", "The case in which the call is made.", conditions),
    key("each", "A list: the call is made for each of its values, `{item}`.", text),
    key("needs", "What has to be there for the call.", text),
    key("otherwise", "The answer where it is not.", text),
    key("may_fail", "`true`: a failure does not end the work.", || json!({ "type": "boolean" })),
    key("always", "`true`: it is done even where an earlier call failed.", || json!({ "type": "boolean" })),
];

pub(crate) const SKILL_ANSWER: &[KeyRow] = &[
    key("say", "The text, with placeholders.", text),
    key("when", "The case in which it is said.", conditions),
    key("each", "A list: the text is said for each of its entries, `{item}`.", text),
    key("only", "Entries with these values only.", texts_by_name),
    key("none", "What is said of an empty list.", text),
];

pub(crate) const PRECONDITION: &[KeyRow] = &[
    key("match", "The fact, with `{name}` for each part that varies.", text),
    key("run", "A command that makes it true. It runs only in a trusted folder.", text),
    key("request", "A request that makes it true.", || object(REQUEST, &["url"])),
    key("steps", "Steps that make it true.", steps),
];

pub(crate) const REQUEST: &[KeyRow] = &[
    key("method", "`POST` by default.", || json!({ "enum": METHODS })),
    key("url", "The address; a relative one begins with `base_url`.", text),
    key("headers", "Headers by name.", texts_by_name),
    key("body", "The body as text.", text),
    key("json", "The body as JSON.", || json!({})),
    key("expect", "The expected status, or a list of statuses; any 2xx by default.", || {
        one_or_list(whole_number(100, 599))
    }),
];

pub(crate) const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// A mapping with these keys and no others.
pub(crate) fn object(rows: &[KeyRow], required: &[&str]) -> Value {
    object_with(&[], rows, required)
}

/// The same where a key may name one of `browsers`.
pub(crate) fn object_with(browsers: &[&str], rows: &[KeyRow], required: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> = rows
        .iter()
        .map(|row| {
            let mut schema = match row.shape {
                Shape::Fixed(schema) => schema(),
                Shape::Browsers => one_or_list(json!({ "enum": browsers })),
            };
            if let Value::Object(fields) = &mut schema {
                fields.insert("description".to_string(), json!(row.about));
            }
            (row.name.to_string(), schema)
        })
        .collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn text() -> Value {
    json!({ "type": ["string", "number", "boolean"] })
}

fn sentence() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

fn sentences() -> Value {
    json!({ "type": "array", "items": sentence() })
}

fn text_or_texts() -> Value {
    one_or_list(text())
}

fn texts_by_name() -> Value {
    json!({ "type": "object", "additionalProperties": text() })
}

fn one_or_list(schema: Value) -> Value {
    json!({ "anyOf": [schema, { "type": "array", "items": schema }] })
}

fn list_of(schema: Value) -> Value {
    json!({ "type": "array", "items": schema })
}

/// Slots with the values that they must have.
fn conditions() -> Value {
    json!({ "type": "object", "additionalProperties": text_or_texts() })
}

fn parameters() -> Value {
    json!({ "type": "object", "additionalProperties": { "anyOf": [object(PARAMETER, &[]), { "type": "null" }] } })
}

/// One of a closed list.
fn words<T>(all: &[(&'static str, T)]) -> Value {
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    json!({ "enum": names })
}

/// Codes, or codes with how much of each is shown.
fn requirement_links() -> Value {
    let with_kind = json!({ "type": "object", "additionalProperties": words(&CoverageKind::ALL) });
    one_or_list(json!({ "anyOf": [text(), with_kind] }))
}

fn whole_number(least: u64, most: u64) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most })
}

fn amount() -> Value {
    json!({ "type": "number", "exclusiveMinimum": 0 })
}

fn duration() -> Value {
    json!({ "anyOf": [
        { "type": "number", "exclusiveMinimum": 0 },
        { "type": "string", "pattern": "^ *[0-9.]+ *(ms|s|sec|m|min|h)? *$" },
    ] })
}

fn steps() -> Value {
    json!({ "type": "array", "items": { "anyOf": [sentence(), { "$ref": "#/$defs/step" }] } })
}

fn expectations() -> Value {
    json!({ "type": "array", "items": { "anyOf": [sentence(), { "$ref": "#/$defs/expectation" }] } })
}

fn pilot() -> Value {
    let names: Vec<&str> = crate::PilotChoice::ALL.iter().map(|(name, _)| *name).collect();
    json!({ "enum": names })
}

fn clipboard() -> Value {
    let names: Vec<&str> = crate::ClipboardSetting::ALL.iter().map(|(name, _)| *name).collect();
    json!({ "enum": names })
}

fn routes() -> Value {
    one_or_list(object(ROUTE, &["url"]))
}

fn viewport() -> Value {
    json!({ "anyOf": [
        { "type": "string", "pattern": "^[0-9]+x[0-9]+$" },
        object(VIEWPORT, &["width", "height"]),
    ] })
}

fn timeouts() -> Value {
    json!({ "anyOf": [duration(), object(TIMEOUT, &[])] })
}

fn secrets() -> Value {
    json!({ "anyOf": [
        { "type": "object", "additionalProperties": { "type": "string", "pattern": "^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$" } },
        { "type": "array", "items": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" } },
    ] })
}

fn data() -> Value {
    json!({ "anyOf": [
        { "type": "array", "items": texts_by_name() },
        { "type": "string", "pattern": "\\.(csv|json|yaml|yml)$" },
    ] })
}
