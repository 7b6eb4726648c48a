//! Callers, resources, prompts and completions as types of the SDK.

use rmcp::model::{
    ClientCapabilities, CompleteRequestParams, CompletionInfo, Implementation, Prompt as WirePrompt,
    PromptArgument as WireArgument, Reference, Resource as WireResource, ResourceTemplate as WireTemplate,
};

use crate::seam::{
    Abilities, CacheScope, Caller, CallerId, Completion, CompletionOf, CompletionQuestion, Era, Prompt,
    Resource, ResourceTemplate,
};

pub fn caller(
    (id, principal): (CallerId, &str),
    era: Era,
    lasts: bool,
    about: Option<Implementation>,
    capabilities: Option<&ClientCapabilities>,
) -> Caller {
    let (name, version) = about.map(|about| (about.name, about.version)).unwrap_or_default();
    let abilities = capabilities.map(abilities).unwrap_or_default();
    Caller { id, principal: principal.to_string(), name, version, era, lasts, abilities }
}

/// A client that declares elicitation and no mode of it means forms.
fn abilities(capabilities: &ClientCapabilities) -> Abilities {
    let elicitation = capabilities.elicitation.as_ref();
    Abilities {
        form: elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none()),
        link: elicitation.is_some_and(|modes| modes.url.is_some()),
        sample: capabilities.sampling.is_some(),
        roots: capabilities.roots.is_some(),
        tasks: capabilities.supports_tasks(),
    }
}

pub fn cache_scope(scope: CacheScope) -> rmcp::model::CacheScope {
    match scope {
        CacheScope::Public => rmcp::model::CacheScope::Public,
        CacheScope::Private => rmcp::model::CacheScope::Private,
    }
}

pub fn resource(resource: Resource) -> WireResource {
    let mut wire = WireResource::new(resource.uri, resource.name);
    wire.title = resource.title;
    wire.description = resource.description;
    wire.mime_type = resource.mime_type;
    wire.size = resource.size;
    wire
}

pub fn resource_template(template: ResourceTemplate) -> WireTemplate {
    let mut wire = WireTemplate::new(template.uri_template, template.name);
    wire.title = template.title;
    wire.description = template.description;
    wire.mime_type = template.mime_type;
    wire
}

pub fn prompt(prompt: Prompt) -> WirePrompt {
    let arguments = prompt.arguments.into_iter().map(|argument| {
        let mut wire = WireArgument::new(argument.name).with_required(argument.required);
        wire.description = argument.description;
        wire
    });
    let arguments: Vec<WireArgument> = arguments.collect();
    let mut wire =
        WirePrompt::new(prompt.name, prompt.description, (!arguments.is_empty()).then_some(arguments));
    wire.title = prompt.title;
    wire
}

/// `None` for a reference of a kind that is not known.
pub fn completion_question(params: CompleteRequestParams) -> Option<CompletionQuestion> {
    let of = match params.r#ref {
        Reference::Prompt(prompt) => CompletionOf::Prompt(prompt.name),
        Reference::Resource(template) => CompletionOf::Template(template.uri),
        _ => return None,
    };
    let known = params.context.and_then(|context| context.arguments).unwrap_or_default();
    Some(CompletionQuestion {
        of,
        argument: params.argument.name,
        typed: params.argument.value,
        known: known.into_iter().collect(),
    })
}

pub fn completion(completion: Completion) -> CompletionInfo {
    let all = completion.values.len();
    let mut info = CompletionInfo::default();
    info.values = completion.values;
    info.values.truncate(CompletionInfo::MAX_VALUES);
    info.has_more = Some(info.values.len() < all);
    info.total = u32::try_from(all).ok();
    info
}
