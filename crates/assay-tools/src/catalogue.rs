//! All tools, by name.

use std::sync::LazyLock;

use crate::profile::Profile;
use crate::tool::Tool;
use crate::{browser, command_line, devices, navigation, requirements, scripts, suite, test_files};

/// Every tool, in the order of lists. Schemas take milliseconds to derive, so they are derived once.
pub fn catalogue() -> &'static [Tool] {
    static CATALOGUE: LazyLock<Vec<Tool>> = LazyLock::new(|| {
        let all = browser::tools().chain(suite::tools()).chain(test_files::tools());
        let all = all.chain(requirements::tools()).chain(scripts::tools());
        let all = all.chain(navigation::tools()).chain(devices::tools());
        all.chain([command_line::tool()]).collect()
    });
    &CATALOGUE
}

/// The tools of a profile, in the order of the catalogue.
pub fn tools_of(profile: Profile) -> Vec<&'static Tool> {
    catalogue().iter().filter(|tool| profile.holds(tool)).collect()
}

/// A tool by its name. Clients may write `_` for `-`.
pub fn find_tool(name: &str) -> Option<&'static Tool> {
    let plain = |name: &str| name.replace('-', "_");
    catalogue().iter().find(|tool| plain(tool.name) == plain(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_whole_contract() {
        let all = catalogue();
        for tool in all {
            let words = tool.description.split_whitespace().count();
            assert!((3..=20).contains(&words), "{}: {words} words", tool.name);
            assert!(!tool.title.is_empty(), "{}", tool.name);
            let is_line = tool.group == crate::Group::CommandLine;
            assert!(is_line || !tool.description.contains("--"), "{} speaks of flags", tool.name);
            assert_eq!(tool.input["type"], "object", "{}", tool.name);
            let fits = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
            assert!(tool.name.len() <= 64 && tool.name.chars().all(fits), "{}", tool.name);
            assert!(!(tool.effects.reads_only && tool.effects.destroys), "{}", tool.name);
            let speaks_in_text = matches!(tool.group, crate::Group::Browser | crate::Group::CommandLine);
            let output = tool.output.as_ref().map(|schema| &schema["type"]);
            assert_eq!(output.is_none(), speaks_in_text, "{}", tool.name);
            assert!(output.is_none_or(|kind| kind == "object"), "{}", tool.name);
        }
        let mut names: Vec<String> = all.iter().map(|tool| tool.name.replace('-', "_")).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len(), "two tools have one name");
    }

    #[test]
    fn profiles_hold_what_they_name() {
        assert_eq!(tools_of(Profile::Cli).len(), 1);
        assert_eq!(tools_of(Profile::All).len() + 1, catalogue().len());
        let names = |profile| tools_of(profile).iter().map(|tool| tool.name).collect::<Vec<_>>();
        assert!(names(Profile::Browser).contains(&"click"));
        assert!(names(Profile::Tests).contains(&"execute_testcase"));
        assert!(!names(Profile::Browser).contains(&"execute_testcase"));
        for profile in [Profile::Browser, Profile::Tests, Profile::Agents] {
            let known = |name: &&&str| names(Profile::All).contains(*name);
            assert_eq!(
                names(profile).iter().filter(known).count(),
                names(profile).len(),
                "{}",
                profile.name()
            );
        }
        let agents = names(Profile::Agents);
        let named = crate::profile::FOR_AGENTS;
        assert!(named.iter().all(|name| agents.contains(name)), "{agents:?}");
    }
}
