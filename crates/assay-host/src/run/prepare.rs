//! From files to plans: prepares a run without a browser.

use std::path::{Component, Path, PathBuf};

use assay_actions::{FileAccess, ProjectFiles, real_path};
use assay_protocol::{ErrorCode, Failure};
use assay_runner::Plan;
use assay_suite::{Loaded, Project, ReadyScript, TestCase, load_in};

use super::exact::read_exact;
use super::locks::{LockMode, Locks};
use super::plans::{self, ModelWish};
use super::preconditions::PreconditionMaker;
use super::spec::RunSpec;
use crate::context::HostContext;
use crate::models::{ChosenModel, choose_model};
use crate::wishes::ProjectWishes;

/// The tests of a run, ready to be carried out.
pub struct Prepared {
    pub plans: Vec<Plan>,
    /// Files that cannot be run, and why.
    pub rejected: Vec<(String, String)>,
    pub(crate) project: Project,
    /// The variables of the environment that the suite takes.
    environment: Vec<String>,
    /// The folders of its suites.
    folders: Vec<PathBuf>,
    pub(crate) makers: Vec<PreconditionMaker>,
    pub(super) locks: Locks,
    /// Tests name requirements, and the project has none on file.
    pub(super) unchecked_requirements: Option<String>,
    /// The model to ask, if any.
    pub(crate) model: Option<ChosenModel>,
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
    let mut locks = Locks::new(spec.locks, &spec.folder).of_draft(spec.draft_of.clone());
    let is_trusted = spec.trust || loaded.folders.iter().all(|folder| context.trusted.contains(folder));
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
            Ok(more) => all.extend(more.into_iter().map(|mut plan| {
                plan.policy.files = files_of(&test, &loaded, spec, is_trusted);
                locks.give(&test, plan)
            })),
            Err(problem) if rejected.contains(&problem) => {}
            Err(problem) => rejected.push(problem),
        }
    }
    if let Some(retries) = spec.retries {
        all.iter_mut().for_each(|plan| plan.retries = retries);
    }
    let plans = spec.choice.of(all, &spec.results)?;
    let has_requirements = loaded.requirements.on_file.is_some();
    let unchecked_requirements = if has_requirements { None } else { unchecked(&plans) };
    let Loaded { project, environment, folders, .. } = loaded;
    Ok(Prepared {
        plans,
        rejected,
        project,
        environment,
        folders,
        makers,
        locks,
        unchecked_requirements,
        model,
    })
}

/// The one test that a script of steps comes to. Nothing is replayed or locked.
pub(crate) fn prepare_script(
    context: &HostContext,
    spec: &RunSpec,
    ready: ReadyScript,
    test: &TestCase,
) -> Result<Prepared, Failure> {
    let model = choose_model(context, &spec.models, ready.project.model.as_deref())?;
    let wish = ModelWish { pilot: spec.models.pilot, has_model: model.is_some() };
    let mut test = test.clone();
    if let Some(base) = &spec.base_url {
        test.base_url = Some(base.clone());
    }
    let named = test.browsers.iter().map(|browser| browser.as_str().to_string()).collect();
    let browsers = browsers_of(context, spec, named);
    let mut makers = Vec::new();
    let read = |words: &str| read_exact(words, &spec.folder);
    let mut plans = plans::plans_of(&test, &browsers, &wish, &mut makers, &read)
        .map_err(|(_, message)| Failure::new(ErrorCode::Usage, message))?;
    let folder = ready.project.root.clone();
    let is_trusted = spec.trust || context.trusted.contains(&folder);
    for plan in &mut plans {
        plan.policy.files = FileAccess::Project(ProjectFiles {
            folder: folder.clone(),
            results: spec.results.clone(),
            is_trusted,
        });
    }
    Ok(Prepared {
        plans,
        rejected: Vec::new(),
        project: ready.project,
        environment: ready.environment,
        folders: vec![folder],
        makers,
        locks: Locks::new(LockMode::Ignore, &spec.folder),
        unchecked_requirements: None,
        model,
    })
}

/// One line about the requirements that nothing could be compared with.
fn unchecked(plans: &[Plan]) -> Option<String> {
    let mut codes: Vec<&str> =
        plans.iter().flat_map(|plan| &plan.line.requirements).map(String::as_str).collect();
    codes.sort_unstable();
    codes.dedup();
    let named = match codes.as_slice() {
        [] => return None,
        few @ ([_] | [_, _] | [_, _, _]) => few.join(", "),
        [first, second, third, more @ ..] => format!("{first}, {second}, {third} and {} more", more.len()),
    };
    Some(format!("{named}: not checked, because the project has no folder `requirements`"))
}

impl Prepared {
    /// The screens of the project's navigation trees, as sentences name them.
    pub fn screens(&self) -> Option<std::rc::Rc<dyn assay_runner::Screens>> {
        crate::navigation::screens_to_read(&self.project.root)
    }

    /// A project runs commands, takes variables of the environment, talks to other hosts, uses other files and asks its
    /// own model only where its user trusts it.
    pub(crate) fn check_trust(&self, context: &HostContext, spec: &RunSpec) -> Result<(), Failure> {
        let unknown = self.folders.iter().find(|folder| !context.trusted.contains(folder));
        let Some(folder) = unknown.filter(|_| !spec.trust) else { return Ok(()) };
        let mut wishes = ProjectWishes::of(&self.project, &self.environment, &self.plans, &self.makers);
        if !self.model.as_ref().is_some_and(ChosenModel::is_wish_of_project) {
            wishes.model.clear();
        }
        if wishes.is_empty() { Ok(()) } else { Err(wishes.refusal(folder)) }
    }

    /// Results in the project's folder stay there: a link that came with the project would lead them over other files.
    pub(super) fn check_results(&self, context: &HostContext, spec: &RunSpec) -> Result<(), Failure> {
        let root = &self.project.root;
        let named = lexical(&spec.results);
        let is_ours = real_path(&named).is_some_and(|real| real.starts_with(root));
        if !named.starts_with(root) || is_ours || spec.trust || context.trusted.contains(root) {
            return Ok(());
        }
        let message =
            format!("{} leads out of the project, but {} is not trusted", named.display(), root.display());
        Err(Failure::new(ErrorCode::BlockedByPolicy, message).hint(format!(
            "choose another folder with `--results FOLDER`, or assay trust {}",
            root.display()
        )))
    }
}

/// The absolute path as it is written, with `..` taken away and links left as they are.
fn lexical(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut plain = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// The files that a test may use: those of its suite and of the run.
fn files_of(test: &TestCase, loaded: &Loaded, spec: &RunSpec, is_trusted: bool) -> FileAccess {
    let own = loaded.folders.iter().filter(|folder| test.path.starts_with(folder));
    let folder = own.max_by_key(|folder| folder.components().count()).unwrap_or(&loaded.project.root);
    FileAccess::Project(ProjectFiles { folder: folder.clone(), results: spec.results.clone(), is_trusted })
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
