//! The parts of WebKit's inspector and automation protocols that are used, as WebKit spells them.

use assay_driver::DriverError;
use assay_wire::Headers;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TargetCreated {
    pub target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TargetInfo {
    pub target_id: String,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub is_provisional: bool,
    #[serde(default)]
    pub is_paused: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TargetDestroyed {
    pub target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProvisionalCommitted {
    pub new_target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameInfo {
    pub id: String,
    #[serde(default)]
    pub parent_id: Option<String>,
    #[serde(default)]
    pub name: Option<String>,
    pub url: String,
}

#[derive(Deserialize)]
pub(crate) struct FrameNavigated {
    pub frame: FrameInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameEvent {
    pub frame_id: String,
    /// Seconds until a navigation that the page asked for.
    #[serde(default)]
    pub delay: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameTreeReply {
    pub frame_tree: FrameTree,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameTree {
    pub frame: FrameInfo,
    #[serde(default)]
    pub child_frames: Vec<FrameTree>,
}

#[derive(Deserialize)]
pub(crate) struct ContextCreated {
    pub context: ExecutionContext,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExecutionContext {
    pub id: i64,
    #[serde(rename = "type")]
    pub kind: String,
    pub frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestWillBeSent {
    pub request_id: String,
    pub frame_id: String,
    pub request: Request,
    #[serde(default, rename = "type")]
    pub kind: String,
    /// The answer that led here, if the request was redirected.
    #[serde(default)]
    pub redirect_response: Option<Response>,
}

#[derive(Deserialize)]
pub(crate) struct Request {
    pub url: String,
    pub method: String,
    #[serde(default, rename = "postData")]
    pub post_data: Option<String>,
    #[serde(default)]
    pub headers: Headers,
}

/// A request that waits for our word.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestIntercepted {
    pub request_id: String,
    pub request: Request,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseReceived {
    pub request_id: String,
    pub response: Response,
}

#[derive(Deserialize)]
pub(crate) struct Response {
    #[serde(default)]
    pub status: u16,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingEnded {
    pub request_id: String,
    #[serde(default)]
    pub error_text: String,
    #[serde(default)]
    pub canceled: bool,
}

#[derive(Deserialize)]
pub(crate) struct MessageAdded {
    pub message: ConsoleMessage,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConsoleMessage {
    pub source: String,
    pub level: String,
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    pub line: u32,
    #[serde(default)]
    pub parameters: Vec<RemoteObject>,
    #[serde(default)]
    pub stack_trace: Option<StackTrace>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTrace {
    #[serde(default)]
    pub call_frames: Vec<CallFrame>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFrame {
    pub url: String,
    pub line_number: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluated {
    pub result: RemoteObject,
    #[serde(default)]
    pub was_thrown: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemoteObject {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub subtype: Option<String>,
    #[serde(default)]
    pub class_name: Option<String>,
    #[serde(default)]
    pub value: Option<Value>,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub object_id: Option<String>,
    #[serde(default)]
    pub preview: Option<Preview>,
}

#[derive(Deserialize)]
pub(crate) struct Preview {
    #[serde(default)]
    pub subtype: Option<String>,
    #[serde(default)]
    pub properties: Vec<PropertyPreview>,
}

#[derive(Deserialize)]
pub(crate) struct PropertyPreview {
    pub name: String,
    #[serde(default)]
    pub value: String,
}

impl RemoteObject {
    /// As a console shows it.
    pub fn shown(&self) -> String {
        match (&self.value, &self.description, &self.preview) {
            (Some(Value::String(text)), _, _) => text.clone(),
            (_, Some(description), Some(preview)) if self.subtype.as_deref() != Some("error") => {
                preview.shown(description)
            }
            (_, Some(description), _) => description.clone(),
            (Some(value), None, _) => value.to_string(),
            (None, None, _) => self.kind.clone(),
        }
    }
}

impl Preview {
    fn shown(&self, description: &str) -> String {
        let list = self.subtype.as_deref() == Some("array");
        let parts: Vec<String> = self
            .properties
            .iter()
            .map(|part| if list { part.value.clone() } else { format!("{}: {}", part.name, part.value) })
            .collect();
        match (list, description) {
            (true, _) => format!("[{}]", parts.join(", ")),
            (false, "Object") => format!("{{{}}}", parts.join(", ")),
            (false, other) => other.to_string(),
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Contexts {
    pub contexts: Vec<BrowsingContext>,
}

#[derive(Deserialize)]
pub(crate) struct ContextReply {
    pub context: BrowsingContext,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BrowsingContext {
    pub handle: String,
    pub window_size: Size,
}

#[derive(Deserialize, Clone, Copy)]
pub(crate) struct Size {
    pub width: f64,
    pub height: f64,
}

#[derive(Deserialize)]
pub(crate) struct HandleReply {
    pub handle: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HandleEvent {
    pub browsing_context_handle: String,
}

#[derive(Deserialize)]
pub(crate) struct TextReply {
    pub result: String,
}

#[derive(Deserialize)]
pub(crate) struct YesOrNo {
    pub result: bool,
}

#[derive(Deserialize)]
pub(crate) struct MessageReply {
    pub message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Picture<'a> {
    #[serde(borrow, rename = "dataURL")]
    pub data_url: std::borrow::Cow<'a, str>,
}

/// What the id of an object says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObjectName {
    pub injected_script_id: i64,
}

#[derive(Deserialize)]
pub(crate) struct Cookies {
    pub cookies: Vec<Cookie>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cookie {
    pub name: String,
    pub value: String,
    pub domain: String,
    pub path: String,
    pub expires: f64,
    pub http_only: bool,
    pub secure: bool,
    pub session: bool,
    #[serde(default)]
    pub same_site: Option<String>,
}

/// An event that does not have the promised shape is passed over, not guessed at.
pub(crate) fn read<'a, T: Deserialize<'a>>(params: &'a RawValue) -> Option<T> {
    serde_json::from_str(params.get()).ok()
}

pub(crate) fn parse<'a, T: Deserialize<'a>>(reply: &'a RawValue) -> Result<T, DriverError> {
    serde_json::from_str(reply.get()).map_err(|err| DriverError::Refused {
        method: "a reply of the browser".to_string(),
        message: err.to_string(),
    })
}
