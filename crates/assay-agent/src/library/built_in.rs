//! The agents and skills that come with assay. Their files are examples for those of projects.

macro_rules! texts {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../", $folder, "/", $name, ".yaml")))),*]
    };
}

/// Names and texts.
pub fn built_in_agent_texts() -> &'static [(&'static str, &'static str)] {
    texts!("agents": "assistant", "monitor", "analyzer")
}

/// Names and texts, in the order of lists.
pub fn built_in_skill_texts() -> &'static [(&'static str, &'static str)] {
    texts!("skills/agents":
        "run-script",
        "run-testcase",
        "list-resources",
        "device-status",
        "explore-mobile",
        "explore-web",
        "explore-stb",
        "create-testcase",
        "manage-requirements",
        "incident-response",
        "health-check",
        "alert-triage",
        "validate-result",
        "detect-false-positive",
        "generate-report",
    )
}
