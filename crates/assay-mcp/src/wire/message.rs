//! One message of a client, or the reason why it is none.

use rmcp::model::{
    CallToolRequest, ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcError, JsonRpcRequest, RequestId,
    ServerJsonRpcMessage,
};
use serde_json::{Map, Value};

/// Bytes that are no message, with the id if one could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    id: Option<RequestId>,
    error: ErrorData,
}

impl Refusal {
    pub fn too_long(longest: usize) -> Refusal {
        let message = format!("a message has at most {} MiB", longest / 1024 / 1024);
        Refusal { id: None, error: ErrorData::invalid_request(message, None) }
    }

    fn parse(why: String) -> Refusal {
        Refusal { id: None, error: ErrorData::parse_error(why, None) }
    }

    fn invalid(id: Option<RequestId>, why: impl Into<String>) -> Refusal {
        Refusal { id, error: ErrorData::invalid_request(why.into(), None) }
    }

    /// The answer.
    pub fn message(self) -> ServerJsonRpcMessage {
        ServerJsonRpcMessage::Error(JsonRpcError::new(self.id, self.error))
    }
}

/// Reads one message. Batches are of no revision that a client of today speaks.
pub fn read_client_message(bytes: &[u8]) -> Result<ClientJsonRpcMessage, Refusal> {
    if let Some(call) = tool_call(bytes) {
        return Ok(call);
    }
    let value: Value =
        serde_json::from_slice(bytes).map_err(|err| Refusal::parse(format!("this is not JSON: {err}")))?;
    let fields = match value {
        Value::Object(fields) => fields,
        Value::Array(_) => return Err(Refusal::invalid(None, "batches are not supported")),
        _ => return Err(Refusal::invalid(None, "a message is an object")),
    };
    let id = id_of(&fields)?;
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(Refusal::invalid(id, "expected `jsonrpc` to be `2.0`"));
    }
    serde_json::from_value(Value::Object(fields))
        .map_err(|_| Refusal::invalid(id, "this is neither a request, nor a notification, nor a response"))
}

/// A call of a tool, read as that: by far the most frequent message, and one that the SDK would try as twenty others.
/// None for everything that is not one without any doubt.
fn tool_call(bytes: &[u8]) -> Option<ClientJsonRpcMessage> {
    const METHOD: &[u8] = b"\"tools/call\"";
    bytes.windows(METHOD.len()).any(|part| part == METHOD).then_some(())?;
    let call: JsonRpcRequest<CallToolRequest> = serde_json::from_slice(bytes).ok()?;
    Some(ClientJsonRpcMessage::request(ClientRequest::CallToolRequest(call.request), call.id))
}

/// The id, which is absent in a notification and never null.
fn id_of(fields: &Map<String, Value>) -> Result<Option<RequestId>, Refusal> {
    let Some(id) = fields.get("id") else { return Ok(None) };
    let read = match id {
        Value::String(_) => serde_json::from_value(id.clone()).ok(),
        Value::Number(number) if number.is_i64() => serde_json::from_value(id.clone()).ok(),
        // An error may say that it belongs to nothing.
        Value::Null if fields.contains_key("error") => return Ok(None),
        _ => None,
    };
    read.map(Some).ok_or_else(|| Refusal::invalid(None, "an id is a string or an integer"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Value) {
        let refused = read_client_message(text.as_bytes()).unwrap_err().message();
        assert_eq!(serde_json::to_value(refused).unwrap(), expected);
    }

    fn refused(id: Value, why: &str) -> Value {
        let mut message = json!({"jsonrpc": "2.0", "error": {"code": -32600, "message": why}});
        if !id.is_null() {
            message["id"] = id;
        }
        message
    }

    #[test]
    fn what_is_no_message_is_refused_with_its_id_if_it_has_one() {
        check("[]", refused(Value::Null, "batches are not supported"));
        check("7", refused(Value::Null, "a message is an object"));
        check(r#"{"id": 3, "method": "ping"}"#, refused(json!(3), "expected `jsonrpc` to be `2.0`"));
        for id in ["null", "1.5", "{}", "true"] {
            let text = format!(r#"{{"jsonrpc": "2.0", "id": {id}, "method": "ping"}}"#);
            check(&text, refused(Value::Null, "an id is a string or an integer"));
        }
        check(
            r#"{"jsonrpc": "2.0", "id": "a", "method": 4}"#,
            refused(json!("a"), "this is neither a request, nor a notification, nor a response"),
        );
    }

    #[test]
    fn what_is_no_json_is_a_parse_error() {
        for text in ["", "{", "nope", &"[".repeat(10_000)] {
            let refused =
                serde_json::to_value(read_client_message(text.as_bytes()).unwrap_err().message()).unwrap();
            assert_eq!(refused["error"]["code"], -32700, "{refused}");
            assert!(refused.get("id").is_none());
        }
    }

    #[test]
    fn a_call_of_a_tool_is_read_as_the_sdk_reads_it() {
        for text in [
            r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "is", "arguments": {"state": "visible"}}}"#,
            r#"{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "go", "_meta": {"progressToken": 7}}}"#,
        ] {
            let direct = tool_call(text.as_bytes()).unwrap();
            let whole: ClientJsonRpcMessage = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_value(&direct).unwrap(), serde_json::to_value(&whole).unwrap());
            assert_eq!(format!("{direct:?}"), format!("{whole:?}"));
        }
        for text in [
            r#"{"jsonrpc": "2.0", "id": 1.5, "method": "tools/call", "params": {"name": "is"}}"#,
            r#"{"jsonrpc": "2.0", "id": null, "method": "tools/call", "params": {"name": "is"}}"#,
            r#"{"jsonrpc": "1.0", "id": 1, "method": "tools/call", "params": {"name": "is"}}"#,
            r#"{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "is"}}"#,
            r#"[{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "is"}}]"#,
            r#"{"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"method": "tools/call"}}"#,
        ] {
            assert!(tool_call(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn requests_notifications_and_answers_are_messages() {
        for text in [
            r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#,
            r#"{"jsonrpc": "2.0", "id": "x", "method": "some/thing", "params": {"a": 1}}"#,
            r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#,
            r#"{"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "no"}}"#,
        ] {
            assert!(read_client_message(text.as_bytes()).is_ok(), "{text}");
        }
    }
}
