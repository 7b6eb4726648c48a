//! How each provider's computer tool is declared, and what it wants back for a call.

use std::collections::BTreeMap;

use assay_prompt::harmless;
use assay_protocol::Scene;
use assay_provider::answer::{ComputerCall, SafetyCheck};
use assay_provider::conversation::{
    ComputerTool, Environment, Outcome, Part, Picture, SingleComputerVersion, Tab, ToolResult,
};
use assay_provider::formats::FormatName;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    OpenAi,
    /// Its toolset for computers, which knows points only.
    Anthropic,
    /// Its toolset for browsers, which also reads the page and names elements.
    AnthropicBrowser,
    Gemini,
}

/// What a step has no use for, or is not allowed.
const NOT_OF_A_STEP: [&str; 6] =
    ["new_tab", "close_tab", "read_console", "read_network", "file_upload", "javascript_exec"];

/// What came of one call.
#[derive(Debug, Default)]
pub(crate) struct ComputerCallOutcome {
    /// In words, where there is something to say.
    pub told: Option<String>,
    pub failed: bool,
    /// The model asked to see this: the view, or a part of it.
    pub asked_for: Option<Picture>,
    pub acknowledged: Vec<SafetyCheck>,
}

impl Dialect {
    pub fn of(format: FormatName) -> Option<Dialect> {
        match format {
            FormatName::Responses => Some(Dialect::OpenAi),
            FormatName::Anthropic => Some(Dialect::Anthropic),
            FormatName::Gemini => Some(Dialect::Gemini),
            FormatName::Chat => None,
        }
    }

    /// The same provider's tools for browsers, where it has such.
    pub fn of_browsers(self) -> Dialect {
        if self == Dialect::Anthropic { Dialect::AnthropicBrowser } else { self }
    }

    pub fn tool(self, model: &str, width: u32, height: u32) -> ComputerTool {
        match self {
            Dialect::OpenAi => ComputerTool::OpenAi { width, height, environment: Environment::Browser },
            Dialect::Anthropic => match single_version(model) {
                Some(version) => ComputerTool::AnthropicSingle { version, width, height },
                // It needs nothing but pixels.
                None => ComputerTool::AnthropicComputer { members: BTreeMap::new() },
            },
            Dialect::AnthropicBrowser => ComputerTool::AnthropicBrowser {
                members: NOT_OF_A_STEP.iter().map(|member| ((*member).to_string(), false)).collect(),
            },
            Dialect::Gemini => ComputerTool::Gemini {
                environment: Environment::Browser,
                // A browser that is open needs neither, and no test means a search engine.
                excluded: vec!["open_web_browser".to_string(), "search".to_string()],
                detects_injection: true,
            },
        }
    }

    /// The result of a call. `view` is the page as it is after it.
    pub fn result(
        self,
        call: &ComputerCall,
        came: ComputerCallOutcome,
        view: &Picture,
        scene: &Scene,
    ) -> ToolResult {
        let mut parts: Vec<Part> = came.told.into_iter().map(Part::Text).collect();
        match self {
            // Every call is answered by a picture; words follow it as the user's.
            Dialect::OpenAi | Dialect::Gemini => {
                let shown = came.asked_for.unwrap_or_else(|| view.clone());
                parts.push(Part::Picture(shown));
            }
            // A picture for who asked for one, words for an act.
            Dialect::Anthropic | Dialect::AnthropicBrowser if came.failed => {}
            Dialect::Anthropic | Dialect::AnthropicBrowser => match came.asked_for {
                Some(shown) => parts.push(Part::Picture(shown)),
                None if parts.is_empty() => parts.push(Part::Text("Done.".to_string())),
                None => {}
            },
        }
        let outcome = if came.failed { Outcome::Failed } else { Outcome::Done };
        ToolResult {
            call: call.call_ref(),
            outcome,
            parts,
            acknowledged: came.acknowledged,
            tabs: if self == Dialect::OpenAi { Vec::new() } else { tabs_of(scene) },
        }
    }
}

fn tabs_of(scene: &Scene) -> Vec<Tab> {
    let here = || Tab {
        id: "t1".to_string(),
        title: harmless(&scene.title),
        url: harmless(&scene.url),
        active: true,
    };
    if !scene.tabs.iter().any(|tab| tab.current) {
        return vec![here()];
    }
    let line = |tab: &assay_protocol::TabLine| Tab {
        id: tab.tab.clone(),
        title: harmless(if tab.current { &scene.title } else { &tab.title }),
        url: harmless(if tab.current { &scene.url } else { &tab.url }),
        active: tab.current,
    };
    scene.tabs.iter().map(line).collect()
}

/// Models from before the toolsets have a single tool, in one of two versions.
fn single_version(model: &str) -> Option<SingleComputerVersion> {
    let rest = model.strip_prefix("claude-")?;
    let numbers: Vec<u32> =
        rest.split(['-', '.']).filter_map(|part| part.parse().ok()).filter(|number| *number < 100).collect();
    match numbers.as_slice() {
        [0..=3, ..] => Some(SingleComputerVersion::V20250124),
        [4, minor, ..] if *minor >= 5 && rest.starts_with("opus") || *minor >= 6 => {
            Some(SingleComputerVersion::V20251124)
        }
        [4, ..] => Some(SingleComputerVersion::V20250124),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_models_have_the_single_tool() {
        let old = Some(SingleComputerVersion::V20250124);
        let newer = Some(SingleComputerVersion::V20251124);
        assert_eq!(single_version("claude-sonnet-5-5"), None);
        assert_eq!(single_version("claude-3-7-sonnet-20250219"), old);
        assert_eq!(single_version("claude-sonnet-4-20250514"), old);
        assert_eq!(single_version("claude-sonnet-4-5"), old);
        assert_eq!(single_version("claude-opus-4-5-20251101"), newer);
        assert_eq!(single_version("claude-sonnet-4-6"), newer);
        assert_eq!(single_version("my-own"), None);
    }
}
