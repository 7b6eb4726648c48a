//! From files to plans: prepares a run without a browser.

use std::path::Path;

use assay_protocol::{ErrorCode, Failure};
use assay_runner::Plan;
use assay_suite::{Loaded, Project, load_in};

use super::exact::read_exact;
use super::locks::Locks;
use super::plans::{self, ModelWish};
use super::preconditions::PreconditionMaker;
use super::spec::RunSpec;
use crate::context::HostContext;
use crate::models::{ChosenModel, choose_model};

/// The tests of a run, ready to be carried out.
pub struct Prepared {
    pub plans: Vec<Plan>,
    /// Files that cannot be run, and why.
    pub rejected: Vec<(String, String)>,
    pub(super) project: Project,
    pub(super) makers: Vec<PreconditionMaker>,
    pub(super) locks: Locks,
    /// The model to ask, if any.
    pub(super) model: Option<ChosenModel>,
}

/// Reads the suite and makes a plan for each test in each browser.
pub fn prepare(context: &HostContext, spec: &RunSpec) -> Result<Prepared, Failure> {
    let loaded = load_suite(context, spec)?;
    let model = choose_model(context, &spec.models, loaded.project.model.as_deref())?;
    let wish = ModelWish { pilot: spec.models.pilot, has_model: model.is_some() };
    let mut rejected: Vec<(String, String)> = loaded
        .problems
        .iter()
        .map(|problem| (problem.file.display().to_string(), problem.to_string()))
        .collect();
    let mut makers = Vec::new();
    let mut all = Vec::new();
    let mut locks = Locks::new(spec.locks, &spec.folder);
    for test in &loaded.tests {
        let mut test = test.clone();
        if let Some(base) = &spec.base_url {
            test.base_url = Some(base.clone());
        }
        let named = test.browsers.iter().map(|browser| browser.as_str().to_string()).collect();
        let browsers = browsers_of(context, spec, named);
        match plans::plans_of(&test, &browsers, &wish, &mut makers, &|words: &str| {
            read_exact(words, &spec.folder)
        }) {
            Ok(more) => all.extend(more.into_iter().map(|plan| locks.give(&test, plan))),
            Err(problem) if rejected.contains(&problem) => {}
            Err(problem) => rejected.push(problem),
        }
    }
    if let Some(retries) = spec.retries {
        all.iter_mut().for_each(|plan| plan.retries = retries);
    }
    let plans = spec.choice.of(all, &spec.results)?;
    Ok(Prepared { plans, rejected, project: loaded.project, makers, locks, model })
}

impl Prepared {
    /// A project runs commands only where its user trusts it.
    pub(super) fn check_trust(&self, context: &HostContext, spec: &RunSpec) -> Result<(), Failure> {
        let commands = self.project.commands();
        let root: &Path = &self.project.root;
        if commands.is_empty() || spec.trust || context.trusted.contains(root) {
            return Ok(());
        }
        let mut failure = Failure::new(
            ErrorCode::BlockedByPolicy,
            format!("the project runs commands, but {} is not trusted", root.display()),
        );
        for command in commands {
            failure = failure.detail(format!("it would run: {command}"));
        }
        Err(failure.hint(format!("assay trust {}", root.display())))
    }
}

fn load_suite(context: &HostContext, spec: &RunSpec) -> Result<Loaded, Failure> {
    for path in &spec.paths {
        if !spec.folder.join(path).exists() {
            return Err(Failure::new(
                ErrorCode::Usage,
                format!("expected a test file or a folder at {}, found nothing", path.display()),
            )
            .hint("assay init creates an example project"));
        }
    }
    Ok(load_in(&spec.folder, &spec.paths, &context.drivers.names(), &*context.variables))
}

fn browsers_of(context: &HostContext, spec: &RunSpec, named: Vec<String>) -> Vec<String> {
    if !spec.browsers.is_empty() {
        return spec.browsers.clone();
    }
    if !named.is_empty() {
        return named;
    }
    vec![context.drivers.default_browser().to_string()]
}
