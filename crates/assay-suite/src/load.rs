//! Loads files and folders into a project, its tests and all mistakes.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use assay_protocol::Secrets;

use crate::case::TestCase;
use crate::expand::{Expander, no_settings};
use crate::files::{self, FileChoice, Root};
use crate::mistake::Mistake;
use crate::names::{Names, Parameters, reveal};
use crate::problem::{Problem, Problems};
use crate::project::{self, Project, ProjectDraft, ServerStart, WayDraft};
use crate::requirements::{ProjectRequirements, RequirementCodes, read_folder};
use crate::search::is_shared;
use crate::settings::SecretDraft;
use crate::surroundings::Surroundings;
use crate::test_file::{self, TestDraft};
use crate::way::shell_text;

/// The result of loading.
#[derive(Debug, Default)]
pub struct Loaded {
    pub project: Project,
    /// Ready to run, in the order of their files. No test of a broken file is here, and none at all when the project
    /// file is broken: with half of its settings a test could pass wrongly.
    pub tests: Vec<TestCase>,
    pub problems: Vec<Problem>,
    /// The variables of the environment that the suite takes, in order. The caller must check for trust before their
    /// values go anywhere.
    pub environment: Vec<String>,
    /// The folders of the suites, with every link resolved: that of the project, or one for each path without a project.
    pub folders: Vec<PathBuf>,
    /// What is in `requirements/`. Its mistakes are among `problems`.
    pub requirements: ProjectRequirements,
    /// The values of all secrets that the files name, also those of tests with mistakes: to hide them.
    pub secrets: Secrets,
}

/// Reads tests as [`load_in`] does, seen from the current folder.
pub fn load(paths: &[PathBuf], browsers: &[&str], environment: &dyn Fn(&str) -> Option<String>) -> Loaded {
    load_in(Path::new("."), paths, browsers, environment)
}

/// The settings of the project to which `here` belongs, without its tests. Its mistakes are told by [`load_in`].
pub fn project_of(here: &Path, browsers: &[&str], environment: &dyn Fn(&str) -> Option<String>) -> Project {
    let home = environment("HOME").map(PathBuf::from);
    let Ok(here) = fs::canonicalize(here) else { return Project::default() };
    let root = Root::of(&here, home.as_deref());
    if root.project.is_some() && is_shared(&root.folder) {
        return Project::default();
    }
    let mut problems = Problems::default();
    let source =
        root.project.as_ref().and_then(|path| files::read(path, files::shown(path, Some(&here))).ok());
    let draft =
        source.map(|source| project::read_project(&source, browsers, &mut problems)).unwrap_or_default();
    finish_project(&root, &draft, Some(&here), browsers, &Surroundings::new(environment), &mut problems)
}

/// Reads tests from files and folders, all of one project; without any, from `here`, from which relative paths are seen
/// and files are named. `browsers` are the names that a file may ask for; `environment` gives the value of a variable of
/// the environment, and with `HOME` the folder above which no project is looked for.
///
/// In a folder, a file that others take rows from is no test, nor is one without a `test` line that others take steps
/// from. A file that is named is always one.
pub fn load_in(
    here: &Path,
    paths: &[PathBuf],
    browsers: &[&str],
    environment: &dyn Fn(&str) -> Option<String>,
) -> Loaded {
    let home = environment("HOME").map(PathBuf::from);
    let home = home.as_deref();
    // What is only hidden is not taken.
    let hidden = &Surroundings::new(environment);
    let environment = &Surroundings::new(environment);
    let seen_from = here;
    let here = fs::canonicalize(here).ok();
    let here = here.as_deref();
    let mut problems = Vec::new();
    let mut given = Vec::new();
    let whole = [PathBuf::from(".")];
    for path in if paths.is_empty() { &whole } else { paths } {
        match fs::canonicalize(seen_from.join(path)) {
            Ok(real) => given.push(real),
            Err(_) => problems.push(Problem::of_file(path.clone(), Mistake::NoSuchPath)),
        }
    }
    let Some(root) = given.first().map(|first| Root::of(first, home)) else {
        return Loaded { problems, ..Loaded::default() };
    };
    if let Some(path) = root.project.as_ref().filter(|_| is_shared(&root.folder)) {
        // Anybody could have put it there. Without it, the tests would be other tests.
        let mistake = Mistake::SharedFolder { folder: root.folder.display().to_string() };
        problems.push(Problem::of_file(files::shown(path, here), mistake));
        return Loaded { problems, folders: vec![root.folder], ..Loaded::default() };
    }
    let mut draft = ProjectDraft::default();
    let mut project_problems = Problems::default();
    if let Some(path) = &root.project {
        match files::read(path, files::shown(path, here)) {
            Ok(source) => draft = project::read_project(&source, browsers, &mut project_problems),
            Err(problem) => project_problems.push(*problem),
        }
    }
    let project = finish_project(&root, &draft, here, browsers, environment, &mut project_problems);
    let is_project_broken = !project_problems.is_empty();
    problems.extend(project_problems.into_vec());

    let suite =
        SuiteChoice { root: &root, project: &project, has_patterns: draft.tests.is_some(), here, home };
    let (files, own_roots) = collect(&given, &suite, &mut problems);
    let own_requirements: Vec<ProjectRequirements> =
        own_roots.iter().map(|root| read_folder(root, here)).collect();
    let suites: Vec<OwnSuite<'_>> = own_roots
        .iter()
        .zip(&own_requirements)
        .map(|(root, requirements)| OwnSuite { root, codes: RequirementCodes::of(requirements) })
        .collect();
    let mut outcomes = expand_all(&files, &suites, &draft, here, browsers, environment);
    let own = outcomes.iter().flat_map(|outcome| &outcome.secrets);
    let secrets = values_of(draft.settings.secrets.iter().chain(own), hidden);
    if is_project_broken {
        // A test without half of its settings cannot be judged; syntax errors are errors anyway.
        for outcome in &mut outcomes {
            outcome.problems.clear();
            outcome.tests.clear();
        }
    }
    let mut tests = gather(outcomes, &mut problems);
    make_unique(&mut tests);
    drop(suites);
    let requirements = ProjectRequirements::all_of(own_requirements);
    problems.extend(requirements.problems.clone());
    tidy(&mut problems);
    let folders = own_roots.into_iter().map(|root| root.folder).collect();
    Loaded { project, tests, problems, environment: environment.taken(), folders, requirements, secrets }
}

fn values_of<'d>(declared: impl Iterator<Item = &'d SecretDraft>, environment: &Surroundings<'_>) -> Secrets {
    let mut secrets = Secrets::default();
    for value in declared.filter_map(|secret| reveal(secret, environment).ok()) {
        secrets.merge(&value.secrets);
    }
    secrets
}

/// What the files of a suite are chosen by.
struct SuiteChoice<'a> {
    root: &'a Root,
    project: &'a Project,
    /// The project names its tests by patterns.
    has_patterns: bool,
    here: Option<&'a Path>,
    home: Option<&'a Path>,
}

/// A file to read, and whether the user named it.
struct TestFile {
    path: PathBuf,
    is_named: bool,
    /// Which of the roots it belongs to.
    root: usize,
}

fn collect(
    given: &[PathBuf],
    suite: &SuiteChoice<'_>,
    problems: &mut Vec<Problem>,
) -> (Vec<TestFile>, Vec<Root>) {
    let SuiteChoice { root, project, has_patterns, here, home } = *suite;
    let mut found: Vec<TestFile> = Vec::new();
    let mut known: HashMap<PathBuf, usize> = HashMap::new();
    let mut roots = vec![root.clone()];
    for path in given {
        let own = Root::of(path, home);
        if own.project != root.project {
            let first = files::shown(&given[0], here).display().to_string();
            problems.push(Problem::of_file(files::shown(path, here), Mistake::OtherProject { first }));
            continue;
        }
        // Without a project, each path is a separate suite.
        let root_index = roots.iter().position(|known| *known == own).unwrap_or_else(|| {
            roots.push(own.clone());
            roots.len() - 1
        });
        // The project file stands for its folder.
        let path = if own.project.as_ref() == Some(path) { &own.folder } else { path };
        let files = if path.is_dir() {
            let patterns = has_patterns.then_some(project.tests.as_slice());
            let choice = FileChoice { root: &own, tests: patterns, exclude: &project.exclude, here };
            files::test_files(path, &choice, problems)
        } else {
            vec![path.clone()]
        };
        for file in files {
            let is_named = file == *path;
            match known.get(&file) {
                Some(index) => found[*index].is_named |= is_named,
                None => {
                    known.insert(file.clone(), found.len());
                    found.push(TestFile { path: file, is_named, root: root_index });
                }
            }
        }
    }
    (found, roots)
}

/// The folder of a suite and the requirements that its tests may refer to.
struct OwnSuite<'a> {
    root: &'a Root,
    codes: RequirementCodes,
}

/// The result of one file.
struct Outcome<'f> {
    file: &'f TestFile,
    has_title: bool,
    /// Others take rows from it.
    is_data: bool,
    /// Others take steps from it.
    is_used: bool,
    read_problems: Problems,
    problems: Problems,
    tests: Vec<TestCase>,
    /// The secrets that it declares.
    secrets: Vec<SecretDraft>,
}

fn expand_all<'f>(
    files: &'f [TestFile],
    suites: &[OwnSuite<'_>],
    project: &ProjectDraft,
    here: Option<&Path>,
    browsers: &[&str],
    environment: &Surroundings<'_>,
) -> Vec<Outcome<'f>> {
    let mut outcomes: Vec<Outcome<'f>> = Vec::new();
    for (index, suite) in suites.iter().enumerate() {
        let mut expander = Expander::new(suite.root, here, project, browsers, environment, &suite.codes);
        let from = outcomes.len();
        for file in files.iter().filter(|file| file.root == index) {
            outcomes.push(read_file(file, &mut expander, here));
        }
        for outcome in &mut outcomes[from..] {
            outcome.is_data = expander.data_files.contains(&outcome.file.path);
            outcome.is_used = expander.used_files.contains(&outcome.file.path);
        }
    }
    outcomes
}

fn gather(outcomes: Vec<Outcome<'_>>, problems: &mut Vec<Problem>) -> Vec<TestCase> {
    let mut tests = Vec::new();
    for outcome in outcomes {
        let is_part = outcome.is_data || (outcome.is_used && !outcome.has_title);
        let is_test = outcome.file.is_named || !is_part;
        if is_test && outcome.read_problems.is_empty() && outcome.problems.is_empty() {
            tests.extend(outcome.tests);
        }
        if is_test || !outcome.is_data {
            problems.extend(outcome.read_problems.into_vec());
        }
        if is_test {
            problems.extend(outcome.problems.into_vec());
        }
    }
    tests
}

fn read_file<'f>(file: &'f TestFile, expander: &mut Expander<'_>, here: Option<&Path>) -> Outcome<'f> {
    let mut outcome = Outcome {
        file,
        has_title: false,
        is_data: false,
        is_used: false,
        read_problems: Problems::default(),
        problems: Problems::default(),
        tests: Vec::new(),
        secrets: Vec::new(),
    };
    let drafts: Vec<TestDraft> = match files::read(&file.path, files::shown(&file.path, here)) {
        Ok(source) => test_file::read_tests(&source, expander.browsers, &mut outcome.read_problems),
        Err(problem) => {
            outcome.read_problems.push(*problem);
            Vec::new()
        }
    };
    outcome.secrets = drafts.iter().flat_map(|draft| draft.settings.secrets.clone()).collect();
    outcome.has_title = drafts.iter().any(|draft| draft.name.is_some());
    outcome.tests = expander.file(&drafts);
    outcome.problems = std::mem::take(&mut expander.problems);
    outcome
}

pub(crate) fn finish_project(
    root: &Root,
    draft: &ProjectDraft,
    here: Option<&Path>,
    browsers: &[&str],
    environment: &Surroundings<'_>,
    problems: &mut Problems,
) -> Project {
    let settings = &draft.settings;
    let names = Names::new(no_settings(), settings, environment);
    let none = Parameters::default();
    let folder_name = root.folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let no_codes = RequirementCodes::default();
    let mut expander = Expander::new(root, here, draft, browsers, environment, &no_codes);
    let mut start = Vec::new();
    for server in &draft.start {
        let command = expander.shell_command(&server.command, &names, &none);
        let url = names.resolve(&server.url, &none, problems);
        let cwd = match &server.cwd {
            None => Some(root.folder.clone()),
            Some(cwd) => match root.inside(&root.folder, &cwd.value) {
                Ok(path) => Some(path),
                Err(mistake) => {
                    problems.push(Problem::in_text(cwd, mistake));
                    None
                }
            },
        };
        if let (Some(command), Some(url), Some(cwd)) = (command, url, cwd) {
            start.push(ServerStart { command, url: url.text, timeout: server.timeout, cwd });
        }
    }
    expander.check_route_bodies(settings);
    expander.problems.into_vec().into_iter().for_each(|problem| problems.push(problem));
    let base_url = settings.base_url.as_ref().and_then(|url| names.resolve(url, &none, problems));
    let texts = |texts: &[crate::source::Text]| texts.iter().map(|text| text.value.clone()).collect();
    Project {
        root: root.folder.clone(),
        file: root.project.as_deref().map(|path| files::shown(path, here)),
        suite: draft.suite.as_ref().map(|suite| suite.value.clone()).or(folder_name).unwrap_or_default(),
        base_url: base_url.map(|url| url.text),
        browsers: settings.browsers.clone(),
        workers: draft.workers,
        strict: draft.strict,
        start,
        timeouts: settings.timeouts,
        retries: settings.retries.unwrap_or(0),
        pilot: settings.pilot.unwrap_or_default(),
        viewport: settings.viewport,
        budget: settings.budget,
        model: draft.model.as_ref().map(|model| model.value.clone()),
        recovery: draft.recovery.clone(),
        policy: settings.policy.clone(),
        tests: draft.tests.as_deref().map(texts).unwrap_or_default(),
        exclude: texts(&draft.exclude),
        precondition_commands: draft
            .makers
            .iter()
            .filter_map(|maker| match &maker.way {
                WayDraft::Command(command) => Some(shell_text(&command.value)),
                WayDraft::Request(_) | WayDraft::Steps(_) => None,
            })
            .collect(),
    }
}

/// A second test of the same name gets a number, before the row of data if there is one.
fn make_unique(tests: &mut [TestCase]) {
    let mut taken: HashSet<String> = HashSet::new();
    for test in tests {
        let suffix = test.row.map(|row| format!(" [{row}]")).unwrap_or_default();
        let base = test.id.strip_suffix(&suffix).unwrap_or(&test.id).to_string();
        let mut number = 1;
        while !taken.insert(test.id.clone()) {
            number += 1;
            test.id = format!("{base}_{number}{suffix}");
        }
    }
}

/// In the order of files and lines, each once: a mistake in a file that many use is met many times.
fn tidy(problems: &mut Vec<Problem>) {
    problems.sort_by(|one, other| (&one.file, one.position).cmp(&(&other.file, other.position)));
    let mut told = HashSet::new();
    problems.retain(|problem| told.insert(problem.to_string()));
}
