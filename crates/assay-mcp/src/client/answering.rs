//! What a server may ask its client: forms, if there is a user to fill them in.

use std::sync::Arc;

use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ErrorData, FormElicitationCapability, Implementation, ProtocolVersion,
};
use rmcp::service::RequestContext;
use rmcp::{ClientHandler, RoleClient};
use serde_json::Value;

use crate::seam::{Answer, Question, Reply};

/// Who answers the questions of a server.
pub trait User: Send + Sync {
    fn answer(&self, question: Question) -> Reply<'_, Answer>;
}

/// The client as the server sees it.
#[derive(Clone)]
pub struct Answering {
    pub name: String,
    pub version: String,
    pub user: Option<Arc<dyn User>>,
}

impl ClientHandler for Answering {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = self
            .user
            .is_some()
            .then(|| ElicitationCapability::new().with_form(FormElicitationCapability::new()));
        ClientConfig::new(capabilities, Implementation::new(self.name.clone(), self.version.clone()))
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let refused = || ErrorData::invalid_params("this client fills in forms only", None);
        let (Some(user), ElicitRequestParams::FormElicitationParams { message, requested_schema, .. }) =
            (&self.user, request)
        else {
            return Err(refused());
        };
        let Ok(Value::Object(schema)) = serde_json::to_value(requested_schema) else { return Err(refused()) };
        Ok(match user.answer(Question::Form { message, schema }).await {
            Answer::Given(content) => ElicitResult::new(ElicitationAction::Accept).with_content(content),
            Answer::Declined => ElicitResult::new(ElicitationAction::Decline),
            Answer::Dismissed => ElicitResult::new(ElicitationAction::Cancel),
        })
    }
}
