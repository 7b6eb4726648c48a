//! The coverage of a project's requirements: its files, its tests and scripts, and their last results put together.

use std::collections::BTreeMap;
use std::path::Path;

use assay_coordinator::{PastResult, fingerprint};
use assay_coverage::{CoveredRequirement, LastResult, RequirementInput, TestEvidence, TestInput, judge};
use assay_protocol::Failure;
use assay_runner::Claimed;
use assay_suite::{Script, ScriptBody, load_in, load_scripts};

use crate::context::HostContext;
use crate::run::{ModelWish, plans_of, read_exact};
use crate::state::state_failure;

/// What was found.
#[derive(Debug, Default)]
pub struct ProjectCoverage {
    pub suite: String,
    pub requirements: Vec<CoveredRequirement>,
    /// Whether the project has requirements on file. Without them, only the codes that tests name are known.
    pub has_files: bool,
    /// The mistakes in its files, in words. What a broken file says does not count.
    pub problems: Vec<String>,
}

/// Looks at the project around `folder`. Runs nothing.
pub fn project_coverage(context: &HostContext, folder: &Path) -> Result<ProjectCoverage, Failure> {
    let names = context.drivers.names();
    let loaded = load_in(folder, &[], &names, &*context.variables);
    let scripts = load_scripts(folder, &names, &*context.variables);
    let mut problems: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
    for problem in scripts.problems.iter().map(ToString::to_string) {
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    let mut results = results_by_test(context, folder)?;
    let browsers = [context.drivers.default_browser().to_string()];
    let nobody = ModelWish { pilot: None, has_model: false };
    let mut tests = Vec::new();
    for test in &loaded.tests {
        let plans =
            plans_of(test, &browsers, &nobody, &mut Vec::new(), &|words: &str| read_exact(words, folder));
        let plan = match plans.as_ref().map(|plans| plans.first()) {
            Ok(Some(plan)) => plan,
            Ok(None) => continue,
            Err((_, message)) => {
                problems.push(message.clone());
                continue;
            }
        };
        tests.push(TestInput {
            id: test.id.clone(),
            name: test.name.clone(),
            file: test.file.display().to_string(),
            links: test.requirements.clone(),
            evidence: TestEvidence {
                fingerprint: plan.line.fingerprint.clone(),
                claims_nothing: plan.claimed() == Claimed::Nothing,
                results: results.remove(&test.id).unwrap_or_default(),
            },
        });
    }
    tests.extend(scripts.scripts.iter().map(|script| of_script(script, &mut results)));
    let on_file = loaded.requirements.on_file;
    let requirements: Vec<RequirementInput> = on_file
        .iter()
        .flatten()
        .map(|one| RequirementInput {
            requirement: one.requirement.clone(),
            file: one.file.display().to_string(),
        })
        .collect();
    Ok(ProjectCoverage {
        suite: loaded.project.suite,
        requirements: judge(&requirements, &tests),
        has_files: on_file.is_some(),
        problems,
    })
}

fn of_script(script: &Script, results: &mut BTreeMap<String, Vec<LastResult>>) -> TestInput {
    let id = script.id();
    TestInput {
        name: script.title.clone().unwrap_or_else(|| script.name.clone()),
        file: script.file.display().to_string(),
        links: script.requirements.clone(),
        evidence: TestEvidence {
            fingerprint: script_fingerprint(script),
            // What a program claims, its exit code says.
            claims_nothing: false,
            results: results.remove(&id).unwrap_or_default(),
        },
        id,
    }
}

/// The hash of all that a script is made of here: its file, and its program beside it.
pub(crate) fn script_fingerprint(script: &Script) -> Option<String> {
    let own = std::fs::read(&script.path).ok()?;
    let ScriptBody::Program(words) = &script.body else { return Some(fingerprint([own.as_slice()])) };
    let folder = script.path.parent().unwrap_or(Path::new(""));
    // Words that are files beside it are parts of it; a program of the system is not.
    let files: Vec<Vec<u8>> = words.iter().filter_map(|word| std::fs::read(folder.join(word)).ok()).collect();
    Some(fingerprint(std::iter::once(own.as_slice()).chain(files.iter().map(Vec::as_slice))))
}

fn results_by_test(
    context: &HostContext,
    folder: &Path,
) -> Result<BTreeMap<String, Vec<LastResult>>, Failure> {
    let mut by_test: BTreeMap<String, Vec<LastResult>> = BTreeMap::new();
    let Some(coordinator) = context.state.look_in(folder)? else { return Ok(by_test) };
    for result in coordinator.results_since(0).map_err(state_failure)? {
        let PastResult { task, test, verdict, fingerprint, at, .. } = result;
        by_test.entry(test).or_default().push(LastResult { run: task.0, verdict, fingerprint, at });
    }
    Ok(by_test)
}
