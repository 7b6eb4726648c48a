//! Keys of model services: kept in files that only their owner reads, and never given back.

use assay_protocol::{ErrorCode, Failure};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::Role;
use crate::private_files;
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};

/// No key is longer.
const LONGEST: usize = 8 * 1024;

/// Deliberately without `Debug` and `Serialize`: a key goes into its file and nowhere else.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewKey {
    /// anthropic without it.
    #[serde(default = "usual")]
    provider: String,
    api_key: String,
}

fn usual() -> String {
    "anthropic".to_string()
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ModelKey")]
struct KeyView {
    provider: String,
    /// Whether a key is kept. The key itself is never shown.
    is_set: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Keys {
    items: Vec<KeyView>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/agent/api-key", "list_api_keys", "Say for which services a key is kept", list),
        // With a key, the request would be kept and compared: no copy of a secret is worth that.
        Route::write(
            Method::Post,
            "/server/agent/api-key",
            "save_api_key",
            "Keep the key of a model service",
            save,
        )
        .for_role(Role::Admin)
        .without_key(),
    ]
}

fn folder(asked: &Asked) -> Result<std::path::PathBuf, Problem> {
    let configuration = asked.service.seams.context.configuration.as_ref();
    let folder = configuration.ok_or_else(|| {
        Problem::from(Failure::new(ErrorCode::Usage, "expected HOME or XDG_CONFIG_HOME, found neither"))
    })?;
    Ok(folder.join("keys"))
}

fn list(asked: &Asked, _: Nothing) -> Result<Keys, Problem> {
    let folder = folder(asked)?;
    let services = asked.service.seams.model_services.iter();
    let items = services.map(|name| KeyView { provider: name.clone(), is_set: folder.join(name).is_file() });
    Ok(Keys { items: items.collect() })
}

fn save(asked: &Asked, new: NewKey) -> Result<KeyView, Problem> {
    let services = &asked.service.seams.model_services;
    if !services.contains(&new.provider) {
        let known = services.join(", ");
        return Err(Problem::usage(format!(
            "expected one of {known} as `provider`, found `{}`",
            new.provider
        )));
    }
    let key = new.api_key.trim();
    if key.is_empty() || key.len() > LONGEST || key.chars().any(|letter| letter.is_control() || letter == ' ')
    {
        return Err(Problem::usage("`api_key` is none: expected one word"));
    }
    private_files::keep(&folder(asked)?, &new.provider, key).map_err(|err| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "io", format!("the key could not be kept: {err}"))
    })?;
    Ok(KeyView { provider: new.provider, is_set: true })
}
