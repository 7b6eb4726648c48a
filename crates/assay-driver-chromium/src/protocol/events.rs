//! Events. Fields that nobody reads are left out; unknown ones are ignored.

use assay_driver::field_names;
use assay_wire::Headers;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AttachedToTarget {
    pub session_id: String,
    pub target_info: TargetInfo,
    pub waiting_for_debugger: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TargetInfo {
    pub target_id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub url: String,
    #[serde(default)]
    pub opener_id: Option<String>,
    #[serde(default)]
    pub browser_context_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetachedFromTarget {
    pub session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExecutionContextCreated {
    pub context: ExecutionContext,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExecutionContext {
    pub unique_id: String,
    pub name: String,
    #[serde(default)]
    pub aux_data: ContextData,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ContextData {
    pub frame_id: String,
    pub is_default: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExecutionContextDestroyed {
    pub execution_context_unique_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameAttached {
    pub frame_id: String,
    pub parent_frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameDetached {
    pub frame_id: String,
    #[serde(default)]
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameNavigated {
    pub frame: FrameInfo,
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
    #[serde(default)]
    pub url_fragment: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameMoved {
    pub frame_id: String,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub disposition: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DialogOpening {
    pub message: String,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub default_prompt: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestWillBeSent {
    pub request_id: String,
    pub request: RequestInfo,
    #[serde(rename = "type", default)]
    pub kind: String,
    /// Empty for the script of a worker.
    #[serde(default)]
    pub loader_id: String,
    #[serde(default)]
    pub frame_id: Option<String>,
    /// The answer that led here, if the request was redirected.
    #[serde(default)]
    pub redirect_response: Option<ResponseInfo>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestInfo {
    pub url: String,
    pub method: String,
    #[serde(default)]
    pub post_data: Option<String>,
    #[serde(default)]
    pub has_post_data: bool,
}

impl RequestInfo {
    /// Names in what is sent. Of a body that is too large to be told nothing is known.
    pub fn fields(&self) -> Option<Vec<String>> {
        match &self.post_data {
            Some(body) => field_names(body),
            None if !self.has_post_data && self.method != "GET" => Some(Vec::new()),
            None => None,
        }
    }
}

/// A request that waits for our word.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestPaused {
    pub request_id: String,
    pub request: PausedRequest,
    #[serde(rename = "resourceType", default)]
    pub kind: String,
}

#[derive(Deserialize)]
pub(crate) struct PausedRequest {
    pub url: String,
    pub method: String,
    #[serde(default)]
    pub headers: Headers,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseReceived {
    pub request_id: String,
    pub response: ResponseInfo,
}

#[derive(Deserialize)]
pub(crate) struct ResponseInfo {
    pub status: u16,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingFinished {
    pub request_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingFailed {
    pub request_id: String,
    pub error_text: String,
    #[serde(default)]
    pub canceled: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConsoleApiCalled {
    #[serde(rename = "type")]
    pub kind: String,
    pub args: Vec<RemoteObject>,
    #[serde(default)]
    pub stack_trace: Option<StackTrace>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExceptionThrown {
    pub exception_details: ExceptionDetails,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExceptionDetails {
    pub text: String,
    #[serde(default)]
    pub exception: Option<RemoteObject>,
    #[serde(default)]
    pub stack_trace: Option<StackTrace>,
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    pub line_number: u32,
}

impl ExceptionDetails {
    /// The message without the stack, which is only noise for a reader of the page.
    pub fn message(&self) -> String {
        match self.exception.as_ref() {
            Some(RemoteObject { description: Some(description), .. }) => {
                description.lines().next().unwrap_or(description).to_string()
            }
            Some(object) => format!("{} {}", self.text, object.shown()),
            None => self.text.clone(),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTrace {
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
pub(crate) struct RemoteObject {
    #[serde(rename = "type", default)]
    pub kind: String,
    #[serde(default)]
    pub subtype: Option<String>,
    #[serde(default)]
    pub value: Option<Value>,
    #[serde(default)]
    pub unserializable_value: Option<String>,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub object_id: Option<String>,
}

impl RemoteObject {
    /// As a console shows it.
    pub fn shown(&self) -> String {
        match (&self.value, &self.unserializable_value, &self.description) {
            (Some(Value::String(text)), _, _) => text.clone(),
            (Some(value), _, _) => value.to_string(),
            (None, Some(text), _) => text.clone(),
            (None, None, Some(text)) => text.lines().next().unwrap_or(text).to_string(),
            (None, None, None) => self.subtype.clone().unwrap_or_else(|| self.kind.clone()),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadWillBegin {
    #[serde(default)]
    pub frame_id: String,
    pub guid: String,
    pub url: String,
    pub suggested_filename: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadProgress {
    pub guid: String,
    pub state: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DragIntercepted {
    pub data: Value,
}
