//! From the environment to the header, and nowhere else.

use std::path::PathBuf;

use assay_provider::key::KeySources;
use assay_provider::{Budget, Limits, ModelName, Provider, ProviderError, Silence, Terms};
use assay_testkit::models::{Api, StandIn};

use crate::test_bench::{SECRET, http, model_of, question};

#[tokio::test]
async fn a_model_is_found_by_name_and_its_key_by_variable() {
    for (api, variable, base, header, value) in [
        (Api::Anthropic, "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "x-api-key", SECRET.to_string()),
        (Api::Responses, "OPENAI_API_KEY", "OPENAI_BASE_URL", "authorization", format!("Bearer {SECRET}")),
        (Api::Gemini, "GEMINI_API_KEY", "GEMINI_BASE_URL", "x-goog-api-key", SECRET.to_string()),
        (Api::Chat, "ASSAY_MODEL_API_KEY", "OLLAMA_BASE_URL", "authorization", format!("Bearer {SECRET}")),
    ] {
        let stand_in = StandIn::start(api);
        let address = format!("{}/", stand_in.base());
        let model = model_of(api);
        let name = format!("{}/{}", model.service.name, model.model);
        let environment = |wanted: &str| match wanted {
            "DEFAULT_MODEL" => Some(name.clone()),
            _ if wanted == variable => Some(format!("{SECRET}\n")),
            _ if wanted == base => Some(address.clone()),
            _ => None,
        };
        let model = ModelName::from_environment(&environment).unwrap().unwrap();
        let sources = KeySources { environment: &environment, command: None, configuration_folder: None };
        let client = model.connect(&sources, http()).await.unwrap();
        let budget = Budget::new(Limits::default());
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
        client.ask(&question(), Terms { budget: &budget, deadline }, &mut Silence).await.unwrap();
        assert_eq!(stand_in.asked()[0].header(header), Some(value.as_str()));
    }
}

#[tokio::test]
async fn without_a_key_nothing_is_sent_but_to_a_server_of_ones_own() {
    let environment = |_: &str| None;
    let folder = Some(PathBuf::from("/nonexistent"));
    let sources = KeySources { environment: &environment, command: None, configuration_folder: folder };
    for api in Api::ALL {
        match (api, model_of(api).connect(&sources, http()).await) {
            (Api::Chat, outcome) => assert!(outcome.is_ok()),
            (_, Ok(_)) => panic!("{api:?} needs a key"),
            (_, Err(error)) => {
                assert!(matches!(error, ProviderError::Key(_)), "{error}");
                assert!(error.hint().unwrap().contains("_API_KEY"));
            }
        }
    }
}
