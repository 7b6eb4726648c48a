//! A model that puts an incident into words after Guardian's work is done. What it says is a note, and nothing else.

use std::time::{Duration, Instant};

use assay_agent::AskedModel;
use assay_agent::incident::{note_of, question_about};
use assay_coordinator::{Coordinator, IncidentEntryKind};
use assay_host::{ChosenModel, ModelOptions, choose_model, connect_model, state_failure};
use assay_protocol::{ErrorCode, Failure, Secrets};
use assay_provider::{Budget, Event, Limits, Money, PriceList, Terms};
use assay_suite::AgentLimits;
use serde_json::json;

use crate::environment::Environment;
use crate::hidden::secrets_here;
use crate::{host, output};

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Explainer {
    model: AskedModel,
    budget: Budget,
    secrets: Secrets,
}

impl Explainer {
    /// The budget is the agent's, for all that this process asks.
    pub fn connect(
        model: &str,
        limits: &AgentLimits,
        environment: &Environment,
    ) -> Result<Explainer, Failure> {
        let context = host::context(environment)?;
        let said = ModelOptions { model: Some(model.to_string()), ..ModelOptions::default() };
        let models = host::models(&said, environment)?;
        let Some(ChosenModel { name, user, .. }) = choose_model(&context, &models, None)? else {
            return Err(Failure::new(ErrorCode::Usage, "no model is configured").hint("assay model list"));
        };
        let name = name.map_err(|why| Failure::new(ErrorCode::Usage, why).hint("assay model list"))?;
        let failed = |err: std::io::Error| {
            Failure::new(ErrorCode::Internal, format!("could not start the async runtime: {err}"))
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let (client, _no_tape) = runtime.block_on(connect_model(&context, &name, &user, None))?;
        let client = client.map_err(|error| Failure::new(ErrorCode::ModelFailed, error.to_string()))?;
        let secrets = secrets_here(environment)?;
        // A limit that nobody set by hand does not keep a model of unknown price from being used.
        let has_price = PriceList::built_in().of(&name.model, 1).is_some();
        let budget = Budget::new(Limits {
            tokens: Some(limits.tokens),
            money: has_price.then(|| Money::dollars(limits.money)),
            calls: None,
        });
        Ok(Explainer { model: AskedModel::new(Box::new(client)).map_err(failed)?, budget, secrets })
    }

    /// One question about an incident. A model that cannot be asked is said, and keeps nobody from the next alert.
    pub fn explain(
        &self,
        coordinator: &Coordinator,
        number: u64,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), Failure> {
        let (incident, entries) = coordinator.incident(number).map_err(state_failure)?;
        let question = question_about(&incident, &entries, &|text| self.secrets.mask(text));
        let terms = Terms { budget: &self.budget, deadline: Instant::now() + PATIENCE };
        let answer = match self.model.ask(&question, terms, &mut |_: Event| {}, is_stopped) {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(()),
            Err(error) => {
                output::tell(&format!(
                    "note: incident {number} is not explained: {}",
                    self.secrets.mask(&error.to_string())
                ));
                return Ok(());
            }
        };
        let text = answer.text();
        if self.secrets.are_in(&text) {
            output::tell(&format!(
                "note: the explanation of incident {number} held a secret value; it was discarded"
            ));
            return Ok(());
        }
        let model = self.model.full_name();
        if let Some(note) = note_of(&model, &text) {
            let body = json!({ "model": model });
            coordinator
                .enter_into_incident(number, IncidentEntryKind::Note, &note, &body)
                .map_err(state_failure)?;
        }
        Ok(())
    }
}
