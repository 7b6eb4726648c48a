//! The messages of WebDriver BiDi that are used here, as the specification has them.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
pub struct SessionNew {
    pub capabilities: Capabilities,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Capabilities {
    pub browser_name: String,
    #[serde(default)]
    pub browser_version: String,
}

#[derive(Deserialize)]
pub struct Tree {
    pub contexts: Vec<ContextInfo>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextInfo {
    pub context: String,
    #[serde(default)]
    pub parent: Option<String>,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub user_context: String,
    #[serde(default)]
    pub original_opener: Option<String>,
    #[serde(default)]
    pub children: Option<Vec<ContextInfo>>,
}

#[derive(Deserialize)]
pub struct ContextCreated {
    pub context: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserContext {
    pub user_context: String,
}

#[derive(Deserialize)]
pub struct NavigationInfo {
    pub context: String,
    #[serde(default)]
    pub url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptOpened {
    pub context: String,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub default_value: Option<String>,
}

#[derive(Deserialize)]
pub struct PromptClosed {
    pub context: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DownloadBegun {
    #[serde(default)]
    pub context: Option<String>,
    #[serde(default)]
    pub navigation: Option<String>,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub suggested_filename: String,
}

#[derive(Deserialize)]
pub struct DownloadEnded {
    #[serde(default)]
    pub navigation: Option<String>,
    #[serde(default)]
    pub url: String,
    pub status: String,
    #[serde(default)]
    pub filepath: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkEvent {
    /// The request waits for our word.
    #[serde(default)]
    pub is_blocked: bool,
    #[serde(default)]
    pub context: Option<String>,
    #[serde(default)]
    pub navigation: Option<String>,
    pub request: RequestData,
    #[serde(default)]
    pub response: Option<ResponseData>,
    #[serde(default)]
    pub error_text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestData {
    pub request: String,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub method: String,
    #[serde(default)]
    pub destination: Option<String>,
    #[serde(default)]
    pub initiator_type: Option<String>,
    #[serde(default)]
    pub headers: Vec<Header>,
}

impl RequestData {
    pub fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
        header.value.get("value")?.as_str()
    }
}

#[derive(Deserialize)]
pub struct Header {
    pub name: String,
    /// Text, or bytes as base64.
    #[serde(default)]
    pub value: Value,
}

/// A script that every new document runs.
#[derive(Deserialize)]
pub struct PreloadAdded {
    pub script: String,
}

#[derive(Deserialize)]
pub struct InterceptAdded {
    pub intercept: String,
}

#[derive(Deserialize)]
pub struct ResponseData {
    pub status: u16,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry {
    pub level: String,
    #[serde(default)]
    pub text: Option<String>,
    pub source: LogSource,
    #[serde(default)]
    pub args: Vec<Value>,
    #[serde(default)]
    pub stack_trace: Option<StackTrace>,
}

#[derive(Deserialize)]
pub struct LogSource {
    #[serde(default)]
    pub context: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackTrace {
    #[serde(default)]
    pub call_frames: Vec<CallFrame>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFrame {
    pub url: String,
    pub line_number: i64,
}

/// What `script.evaluate` and `script.callFunction` come to.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ScriptResult {
    Success {
        result: Value,
    },
    #[serde(rename_all = "camelCase")]
    Exception {
        exception_details: ExceptionDetails,
    },
}

#[derive(Deserialize)]
pub struct ExceptionDetails {
    #[serde(default)]
    pub text: String,
}

#[derive(Deserialize)]
pub struct Nodes {
    pub nodes: Vec<NodeInfo>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeInfo {
    pub shared_id: String,
    #[serde(default)]
    pub value: NodeProperties,
}

#[derive(Deserialize, Default)]
pub struct NodeProperties {
    #[serde(default)]
    pub attributes: HashMap<String, String>,
}

impl NodeInfo {
    /// What the element calls itself: its name, else its id.
    pub fn name(&self) -> Option<String> {
        let attribute = |name: &str| self.value.attributes.get(name).filter(|value| !value.is_empty());
        attribute("name").or_else(|| attribute("id")).cloned()
    }
}

#[derive(Deserialize)]
pub struct Encoded<'a> {
    #[serde(borrow)]
    pub data: std::borrow::Cow<'a, str>,
}

#[derive(Deserialize)]
pub struct Cookies {
    pub cookies: Vec<Cookie>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    pub name: String,
    pub value: CookieValue,
    pub domain: String,
    pub path: String,
    #[serde(default)]
    pub expiry: Option<f64>,
    #[serde(default)]
    pub http_only: bool,
    #[serde(default)]
    pub secure: bool,
    #[serde(default)]
    pub same_site: Option<String>,
}

#[derive(Deserialize)]
pub struct CookieValue {
    #[serde(rename = "type")]
    pub kind: String,
    pub value: String,
}

#[derive(Deserialize)]
pub struct Navigated {
    #[serde(default)]
    pub navigation: Option<String>,
}
