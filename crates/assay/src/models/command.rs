//! `assay model test` and `assay model list`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use assay_host::{
    Cassette, ChosenModel, HostContext, ModelOptions, choose_model, connect_model, user_settings,
};
use assay_protocol::{ErrorCode, Failure, Format};
use assay_provider::key::{KeySources, find_key};
use assay_provider::{
    Budget, Event, Limits, ModelName, PriceList, RoundTrip, RoundTripError, SERVICES, Service, Terms,
    round_trip,
};
use assay_suite::load;
use serde_json::json;

use crate::command::Invocation;
use crate::environment::Environment;
use crate::{host, output};

/// A round trip takes seconds; a local model that has to be loaded first, a minute.
const TIME: Duration = Duration::from_secs(120);

#[derive(Debug, Clone, PartialEq)]
pub enum ModelOperation {
    /// One tool round trip.
    Test {
        model: Option<String>,
        cassette: Option<Cassette>,
    },
    List,
}

pub fn run(operation: &ModelOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(operation, environment, json) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn carry_out(operation: &ModelOperation, environment: &Environment, json: bool) -> Result<(), Failure> {
    let context = host::context(environment)?;
    let runtime = runtime()?;
    match operation {
        ModelOperation::Test { model, cassette } => {
            let named =
                ModelOptions { model: model.clone(), cassette: cassette.clone(), ..ModelOptions::default() };
            runtime.block_on(test(&context, &host::models(&named, environment)?, json))
        }
        ModelOperation::List => runtime.block_on(list(&context, json)),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::new(ErrorCode::Internal, format!("could not start the async runtime: {err}")))
}

/// The model of the command line, the environment, the user or the project around us.
fn chosen(context: &HostContext, options: &ModelOptions) -> Result<Option<ChosenModel>, Failure> {
    let project = load(&[], &context.drivers.names(), &*context.variables).project;
    choose_model(context, options, project.model.as_deref())
}

async fn test(context: &HostContext, options: &ModelOptions, json: bool) -> Result<(), Failure> {
    let Some(chosen) = chosen(context, options)? else {
        return Err(Failure::new(
            ErrorCode::Usage,
            "no model is configured: expected one as an argument, in DEFAULT_MODEL or in the settings, found none",
        )
        .hint("assay model list"));
    };
    let name =
        chosen.name.clone().map_err(|why| Failure::new(ErrorCode::Usage, why).hint("assay model list"))?;
    let (client, tape) = connect_model(context, &name, &chosen.user, options.cassette.as_ref()).await?;
    let client = client.map_err(|error| failed(&error.to_string(), error.hint()))?;
    let budget = Budget::new(Limits { calls: Some(8), ..Limits::default() });
    let terms = Terms { budget: &budget, deadline: Instant::now() + TIME };
    let mut lines = Vec::new();
    let mut listen = |event: Event| match event {
        Event::Retrying { .. } | Event::Pacing { .. } | Event::Note(_) => lines.push(event.to_string()),
        Event::CacheCreated { .. } | Event::CacheRead { .. } => lines.push(event.to_string()),
        Event::Text(_)
        | Event::Thinking(_)
        | Event::CallBegun { .. }
        | Event::Taken { .. }
        | Event::Used { .. } => {}
    };
    let trip = round_trip(&client, terms, &mut listen).await;
    for line in lines {
        output::tell(&format!("note: {line}"));
    }
    let trip = trip.map_err(|error| match &error {
        RoundTripError::Provider(inner) => failed(&inner.to_string(), inner.hint()),
        other => failed(&other.to_string(), None),
    })?;
    if let Some(tape) = tape {
        output::tell(&format!("note: {}", tape.finish()?));
    }
    tell(&name, &trip, json);
    Ok(())
}

fn failed(message: &str, hint: Option<String>) -> Failure {
    let failure = Failure::new(ErrorCode::ModelFailed, message);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn tell(name: &ModelName, trip: &RoundTrip, json: bool) {
    let milliseconds = |length: Duration| length.as_millis() as u64;
    if json {
        let data = json!({
            "provider": name.service.name,
            "model": trip.model,
            "first_piece_ms": trip.first_piece.map(milliseconds),
            "call_ms": milliseconds(trip.call),
            "whole_ms": milliseconds(trip.whole),
            "tokens": { "question": trip.usage.question(), "answer": trip.usage.output },
            "cost": trip.cost.map(|cost| cost.as_dollars()),
        });
        output::print_json(&json!({ "ok": true, "data": data }));
        return;
    }
    let first = trip.first_piece.map(|first| format!(", first words after {} ms", milliseconds(first)));
    let cost = trip.cost.map_or("price unknown".to_string(), |cost| cost.to_string());
    output::print_line(&format!(
        "{}/{} answers and calls tools: call after {} ms, whole round trip {} ms{}; {} input tokens, {} output tokens; {cost}",
        name.service.name,
        trip.model,
        milliseconds(trip.call),
        milliseconds(trip.whole),
        first.unwrap_or_default(),
        trip.usage.question(),
        trip.usage.output,
    ));
}

async fn list(context: &HostContext, json: bool) -> Result<(), Failure> {
    let prices = PriceList::built_in();
    let chosen = chosen(context, &ModelOptions::default())?;
    let mut services = Vec::new();
    for service in SERVICES {
        services.push((service, has_key(context, service).await));
    }
    let models = |service: &Service| -> Vec<&str> {
        let is_of = |name: &&str| ModelName::read(name).is_ok_and(|read| read.service.name == service.name);
        prices.models().filter(is_of).collect()
    };
    let (named, by) = match &chosen {
        Some(ChosenModel { name: Ok(name), by, .. }) => {
            (Some(format!("{}/{}", name.service.name, name.model)), *by)
        }
        Some(ChosenModel { name: Err(why), by, .. }) => (Some(why.clone()), *by),
        None => (None, ""),
    };
    if json {
        let providers: Vec<serde_json::Value> = services
            .iter()
            .map(|(service, key)| {
                json!({ "provider": service.name, "local": service.is_local, "key": key, "models": models(service) })
            })
            .collect();
        let data = json!({ "model": named, "by": by, "prices_dated": prices.dated, "providers": providers });
        output::print_json(&json!({ "ok": true, "data": data }));
        return Ok(());
    }
    output::print_line(&match named {
        Some(name) => format!("model: {name} (from {by})"),
        None => "model: none; name one with --model, DEFAULT_MODEL or `model:` in the settings".to_string(),
    });
    for (service, key) in &services {
        let key = match key {
            Some(source) => format!("key from {source}"),
            None if service.is_local => "needs no key".to_string(),
            None => format!("no key: set {}", service.key_variables[0]),
        };
        output::print_line(&format!("{}: {key}", service.name));
        let known = models(service);
        if !known.is_empty() {
            output::print_line(&format!("  prices as of {}: {}", prices.dated, known.join(", ")));
        }
    }
    Ok(())
}

/// Where the key comes from. A command is not run for a list: it may ask for a password.
async fn has_key(context: &HostContext, service: &Service) -> Option<String> {
    let variable = service
        .key_variables
        .iter()
        .find(|name| (context.variables)(name).is_some_and(|key| !key.trim().is_empty()));
    if let Some(variable) = variable {
        return Some(format!("`{variable}`"));
    }
    if user_settings(context).ok().is_some_and(|settings| settings.key_command.is_some()) {
        return Some("the `key_command` of your settings".to_string());
    }
    let sources = KeySources {
        environment: &|_| None,
        command: None,
        configuration_folder: context.configuration.clone(),
    };
    let found = find_key(service.name, service.key_variables, &sources).await;
    found.is_ok().then(|| "a file in your settings folder".to_string())
}
