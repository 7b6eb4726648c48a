//! The providers that assay knows, as data: a name, an address, a format, a key.

use std::sync::Arc;

use crate::client::{ClientParts, ModelClient};
use crate::error::ProviderError;
use crate::formats::{Anthropic, AnthropicVersion, Chat, ChatProfile, Format, Gemini, Responses, State};
use crate::key::{Key, KeySources, find_key};
use crate::transport::{Credentials, Transport};

/// A provider. One that differs only by its address is a row of [`SERVICES`], not code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Service {
    /// Before the slash of a model's full name, and the name of the file of its key.
    pub name: &'static str,
    pub base: &'static str,
    /// A variable that overrules the address, as the provider's own tools read it.
    pub base_variable: &'static str,
    pub key_variables: &'static [&'static str],
    /// Whether it answers without a key, and whether it costs nothing: a server of one's own.
    pub is_local: bool,
    kind: ServiceKind,
    /// How its models' names begin, where that tells them apart.
    model_prefixes: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ServiceKind {
    Anthropic,
    OpenAi,
    Gemini,
    Chat,
}

const fn local(name: &'static str, base: &'static str, base_variable: &'static str) -> Service {
    Service {
        name,
        base,
        base_variable,
        key_variables: &["ASSAY_MODEL_API_KEY"],
        is_local: true,
        kind: ServiceKind::Chat,
        model_prefixes: &[],
    }
}

pub const SERVICES: &[Service] = &[
    Service {
        name: "anthropic",
        base: "https://api.anthropic.com",
        base_variable: "ANTHROPIC_BASE_URL",
        key_variables: &["ANTHROPIC_API_KEY"],
        is_local: false,
        kind: ServiceKind::Anthropic,
        model_prefixes: &["claude-"],
    },
    Service {
        name: "openai",
        base: "https://api.openai.com/v1",
        base_variable: "OPENAI_BASE_URL",
        key_variables: &["OPENAI_API_KEY"],
        is_local: false,
        kind: ServiceKind::OpenAi,
        model_prefixes: &["gpt-", "o1", "o3", "o4-", "computer-use-preview"],
    },
    Service {
        name: "gemini",
        base: "https://generativelanguage.googleapis.com",
        base_variable: "GEMINI_BASE_URL",
        key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        is_local: false,
        kind: ServiceKind::Gemini,
        model_prefixes: &["gemini-"],
    },
    local("ollama", "http://localhost:11434/v1", "OLLAMA_BASE_URL"),
    local("lmstudio", "http://localhost:1234/v1", "LMSTUDIO_BASE_URL"),
    local("vllm", "http://localhost:8000/v1", "VLLM_BASE_URL"),
    local("llamacpp", "http://localhost:8080/v1", "LLAMACPP_BASE_URL"),
];

/// Which model of whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName {
    pub service: &'static Service,
    pub model: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a model as `PROVIDER/MODEL`, found `{name}`{}", nearest_words(.nearest.as_deref()))]
pub struct UnknownService {
    pub name: String,
    pub nearest: Option<String>,
}

fn nearest_words(nearest: Option<&str>) -> String {
    nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default()
}

impl ModelName {
    /// `anthropic/claude-sonnet-5-5`, `ollama/qwen3-vl:8b`, or `gpt-5.5` where the name tells whose it is.
    pub fn read(name: &str) -> Result<ModelName, UnknownService> {
        let name = name.trim();
        if let Some((before, model)) = name.split_once('/')
            && let Some(service) = SERVICES.iter().find(|service| service.name == before)
            && !model.is_empty()
        {
            return Ok(ModelName { service, model: model.to_string() });
        }
        let by_prefix = SERVICES
            .iter()
            .find(|service| service.model_prefixes.iter().any(|prefix| name.starts_with(prefix)));
        if let Some(service) = by_prefix {
            return Ok(ModelName { service, model: name.to_string() });
        }
        let (before, model) = name.split_once('/').unwrap_or(("", name));
        let nearest = SERVICES
            .iter()
            .map(|service| (strsim::damerau_levenshtein(service.name, before), service.name))
            .min()
            .filter(|(distance, _)| *distance <= 3 && !before.is_empty())
            .map(|(_, name)| format!("{name}/{model}"));
        Err(UnknownService { name: name.to_string(), nearest })
    }

    /// The model of `DEFAULT_MODEL`, if that is set.
    pub fn from_environment(
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Result<ModelName, UnknownService>> {
        let name = environment("DEFAULT_MODEL").filter(|name| !name.trim().is_empty())?;
        Some(ModelName::read(&name))
    }

    /// A client for the model: finds the address and the key.
    pub async fn connect(
        &self,
        sources: &KeySources<'_>,
        transport: Arc<dyn Transport>,
    ) -> Result<ModelClient, ProviderError> {
        let service = self.service;
        let key = match find_key(service.name, service.key_variables, sources).await {
            Ok(key) => Some(key),
            Err(crate::key::KeyError::Missing { .. }) if service.is_local => None,
            Err(error) => return Err(error.into()),
        };
        let base = (sources.environment)(service.base_variable).filter(|base| !base.trim().is_empty());
        Ok(ModelClient::new(self.parts(base.as_deref(), key, transport)))
    }

    /// What a client for the model needs; without an address, the provider's own.
    pub fn parts(&self, base: Option<&str>, key: Option<Key>, transport: Arc<dyn Transport>) -> ClientParts {
        let service = self.service;
        let format: Box<dyn Format> = match service.kind {
            ServiceKind::Anthropic => Box::new(Anthropic { version: AnthropicVersion::V20261021 }),
            ServiceKind::OpenAi => Box::new(Responses { state: State::Ours }),
            ServiceKind::Gemini => Box::new(Gemini),
            ServiceKind::Chat => Box::new(Chat { profile: ChatProfile::PORTABLE }),
        };
        let credentials = key.map(|key| match service.kind {
            ServiceKind::Anthropic => ("x-api-key", Credentials::Plain(key)),
            ServiceKind::Gemini => ("x-goog-api-key", Credentials::Plain(key)),
            ServiceKind::OpenAi | ServiceKind::Chat => ("authorization", Credentials::Bearer(key)),
        });
        ClientParts {
            name: service.name.to_string(),
            model: self.model.clone(),
            format,
            base: base.unwrap_or(service.base).trim().trim_end_matches('/').to_string(),
            credentials,
            transport,
            is_free: service.is_local,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &str) {
        let actual = match ModelName::read(name) {
            Ok(read) => format!("{} {}", read.service.name, read.model),
            Err(error) => error.to_string(),
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn a_name_tells_whose_model_it_is() {
        check("anthropic/claude-sonnet-5-5", "anthropic claude-sonnet-5-5");
        check("claude-sonnet-5-5", "anthropic claude-sonnet-5-5");
        check("gpt-5.5", "openai gpt-5.5");
        check("computer-use-preview-2025-03-11", "openai computer-use-preview-2025-03-11");
        check("gemini-3.5-flash", "gemini gemini-3.5-flash");
        check("ollama/qwen3-vl:8b", "ollama qwen3-vl:8b");
        check("vllm/Qwen/Qwen3-VL", "vllm Qwen/Qwen3-VL");
    }

    #[test]
    fn a_name_that_does_not_is_refused_with_the_nearest() {
        check("qwen3", "expected a model as `PROVIDER/MODEL`, found `qwen3`");
        check(
            "olama/qwen3",
            "expected a model as `PROVIDER/MODEL`, found `olama/qwen3`; did you mean `ollama/qwen3`?",
        );
    }
}
