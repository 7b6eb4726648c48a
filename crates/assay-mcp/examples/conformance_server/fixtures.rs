//! The service: a list of tools by name, each with what it does.

use std::collections::BTreeMap;

use assay_mcp::{
    About, CacheHint, CacheScope, Call, CallerId, Changes, Completion, CompletionQuestion, Contents, Hints,
    Offers, Prompt, PromptReply, Reply, RequestError, Resource, ResourceTemplate, Service, Tool, ToolResult,
};
use serde_json::{Map, Value, json};

use crate::observing::Observed;
use crate::{asking, library, observing, telling};

/// What a tool does.
pub type Answer<'a> = Reply<'a, Result<ToolResult, RequestError>>;
pub type Run = for<'a> fn(&'a Fixtures, &'a Map<String, Value>, &'a Call) -> Answer<'a>;

/// A tool: its name, its arguments with whether they are required, and what it does.
pub struct Fixture {
    pub name: &'static str,
    pub description: &'static str,
    pub arguments: &'static [&'static str],
    pub run: Run,
}

#[derive(Default)]
pub struct Fixtures {
    pub changes: Changes,
    pub observed: Observed,
}

fn all() -> impl Iterator<Item = &'static Fixture> {
    telling::TOOLS.iter().chain(asking::TOOLS).chain(observing::TOOLS)
}

fn schema(fixture: &Fixture) -> Map<String, Value> {
    match fixture.name {
        telling::SCHEMA_TOOL => return telling::schema_2020_12(),
        telling::HEADER_TOOL => return telling::header_schema(),
        _ => {}
    }
    let properties: BTreeMap<&str, Value> =
        fixture.arguments.iter().map(|name| (*name, json!({"type": "string"}))).collect();
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": fixture.arguments,
        "additionalProperties": false,
    });
    match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

impl Service for Fixtures {
    fn about(&self) -> About {
        let mut about = About::new("assay-conformance", "Conformance fixtures", env!("CARGO_PKG_VERSION"));
        about.instructions = Some("These tools do what the conformance tests expect.".to_string());
        about.offers = Offers { resources: true, prompts: true, completion: true, logging: true };
        about.cache = CacheHint { milliseconds: 60_000, scope: CacheScope::Public };
        about
    }

    fn changes(&self) -> Option<&Changes> {
        Some(&self.changes)
    }

    fn tools(&self) -> Vec<Tool> {
        let tool = |fixture: &Fixture| Tool {
            name: fixture.name.to_string(),
            title: fixture.name.replace('_', " "),
            description: fixture.description.to_string(),
            input_schema: schema(fixture),
            output_schema: (fixture.name == telling::STRUCTURED_TOOL).then(telling::structured_schema),
            hints: Hints { read_only: true, destructive: false, idempotent: true, open_world: false },
        };
        all().map(tool).collect()
    }

    fn call_tool<'a>(&'a self, name: &'a str, arguments: Map<String, Value>, call: &'a Call) -> Answer<'a> {
        Box::pin(async move {
            let fixture = all().find(|fixture| fixture.name == name);
            let fixture = fixture.ok_or_else(|| RequestError::UnknownTool(name.to_string()))?;
            if let Some(missing) = fixture.arguments.iter().find(|name| !arguments.contains_key(**name)) {
                return Ok(ToolResult::error(format!("`{name}` needs `{missing}`")));
            }
            (fixture.run)(self, &arguments, call).await
        })
    }

    fn resources(&self) -> Reply<'_, Result<Vec<Resource>, RequestError>> {
        Box::pin(async { Ok(library::resources()) })
    }

    fn resource_templates(&self) -> Vec<ResourceTemplate> {
        library::templates()
    }

    fn read_resource<'a>(
        &'a self,
        uri: &'a str,
        _call: &'a Call,
    ) -> Reply<'a, Result<Vec<Contents>, RequestError>> {
        Box::pin(async move { library::read(uri) })
    }

    fn prompts(&self) -> Vec<Prompt> {
        library::prompts()
    }

    fn get_prompt<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        call: &'a Call,
    ) -> Reply<'a, Result<PromptReply, RequestError>> {
        Box::pin(async move { library::prompt(name, &arguments, call).await })
    }

    fn complete(&self, question: CompletionQuestion) -> Reply<'_, Result<Completion, RequestError>> {
        let values = ["paris", "park", "party"].iter().filter(|value| value.starts_with(&question.typed));
        let values = values.map(|value| (*value).to_string()).collect();
        Box::pin(async move { Ok(Completion { values }) })
    }

    fn caller_gone<'a>(&'a self, caller: &'a CallerId) -> Reply<'a, ()> {
        Box::pin(async move { self.observed.gone(caller) })
    }
}
