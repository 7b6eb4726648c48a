//! Results of commands.

use serde::Deserialize;

use super::{ExceptionDetails, FrameInfo, RemoteObject};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Version {
    pub product: String,
    #[serde(rename = "userAgent", default)]
    pub user_agent: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TargetCreated {
    pub target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContextCreated {
    pub browser_context_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluated {
    pub result: RemoteObject,
    #[serde(default)]
    pub exception_details: Option<ExceptionDetails>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WorldCreated {
    pub execution_context_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Navigated {
    #[serde(default)]
    pub loader_id: Option<String>,
    #[serde(default)]
    pub error_text: Option<String>,
    #[serde(default)]
    pub is_download: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct History {
    pub current_index: i32,
    pub entries: Vec<HistoryEntry>,
}

#[derive(Deserialize)]
pub(crate) struct HistoryEntry {
    pub id: i64,
}

#[derive(Deserialize)]
pub(crate) struct Encoded<'a> {
    #[serde(borrow)]
    pub data: std::borrow::Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LayoutMetrics {
    pub css_content_size: Size,
}

#[derive(Deserialize)]
pub(crate) struct Size {
    pub width: f64,
    pub height: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameOwner {
    pub backend_node_id: i64,
}

#[derive(Deserialize)]
pub(crate) struct BoxModelReply {
    pub model: BoxModel,
}

#[derive(Deserialize)]
pub(crate) struct BoxModel {
    pub content: Vec<f64>,
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
pub(crate) struct Cookies {
    pub cookies: Vec<assay_protocol::CookieInfo>,
}
