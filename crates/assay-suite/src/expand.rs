//! Turns written tests into tests that are ready to run.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use assay_protocol::{Action, Part, RequirementLink, Secrets};

use crate::case::{Instruction, TestCase, TestStep, WrittenPrecondition};
use crate::data::{self, DataDraft, Row};
use crate::files::{self, Root};
use crate::mistake::Mistake;
use crate::names::{self, Names, Parameters, Resolved};
use crate::problem::{Problem, Problems};
use crate::project::ProjectDraft;
use crate::requirements::{LinkDraft, RequirementCodes};
use crate::settings::TestSettings;
use crate::slug;
use crate::source::Text;
use crate::step_draft::{StepDraft, StepWhat};
use crate::surroundings::Surroundings;
use crate::test_file::{self, TestDraft};

pub(crate) const MAX_STEPS: usize = 10_000;

/// Works out the tests of one suite, and remembers what they read on the way.
pub(crate) struct Expander<'a> {
    pub root: &'a Root,
    pub here: Option<&'a Path>,
    pub project: &'a ProjectDraft,
    /// The browsers that a file may name.
    pub browsers: &'a [&'a str],
    pub environment: &'a Surroundings<'a>,
    /// The requirements that tests may refer to.
    pub requirements: &'a RequirementCodes,
    pub problems: Problems,
    /// Files that some test takes steps or rows from.
    pub used_files: BTreeSet<PathBuf>,
    pub data_files: BTreeSet<PathBuf>,
    /// None for an unusable file; its problems were reported.
    files: HashMap<PathBuf, Option<Rc<Vec<TestDraft>>>>,
    steps_left: usize,
    has_too_many: bool,
}

impl<'a> Expander<'a> {
    pub fn new(
        root: &'a Root,
        here: Option<&'a Path>,
        project: &'a ProjectDraft,
        browsers: &'a [&'a str],
        environment: &'a Surroundings<'a>,
        requirements: &'a RequirementCodes,
    ) -> Self {
        Expander {
            root,
            here,
            project,
            browsers,
            environment,
            requirements,
            problems: Problems::default(),
            used_files: BTreeSet::new(),
            data_files: BTreeSet::new(),
            files: HashMap::new(),
            steps_left: MAX_STEPS,
            has_too_many: false,
        }
    }

    /// All tests of a file, one for each row of data. Ids are not yet unique.
    pub fn file(&mut self, drafts: &[TestDraft]) -> Vec<TestCase> {
        self.steps_left = MAX_STEPS;
        self.has_too_many = false;
        drafts.iter().flat_map(|draft| self.test(draft)).collect()
    }

    /// The test that a script with these values comes to.
    pub fn script(&mut self, draft: &TestDraft, values: BTreeMap<String, Resolved>) -> Option<TestCase> {
        let names = Names::new(&draft.settings, &self.project.settings, self.environment);
        for secret in &draft.settings.secrets {
            if let Err(mistake) = names::reveal(secret, self.environment) {
                self.problems.push(Problem::in_text(&secret.place, mistake));
            }
        }
        self.check_route_bodies(&draft.settings);
        self.case(draft, &names.with_row(values), None)
    }

    /// The name, the tags and the links of a draft.
    pub fn labels(&mut self, draft: &TestDraft) -> (Option<String>, Vec<String>, Vec<RequirementLink>) {
        let names = Names::new(&draft.settings, &self.project.settings, self.environment);
        let mut secrets = Secrets::default();
        let mut plain = Plain { names: &names, problems: &mut self.problems, secrets: &mut secrets };
        let name = draft.name.as_ref().and_then(|name| plain.masked(name));
        let tags = draft.tags.iter().filter_map(|text| plain.masked(text)).collect();
        let links =
            draft.requirements.iter().filter_map(|link| plain.link(link, self.requirements)).collect();
        (name, tags, links)
    }

    fn test(&mut self, draft: &TestDraft) -> Vec<TestCase> {
        let names = Names::new(&draft.settings, &self.project.settings, self.environment);
        for secret in &draft.settings.secrets {
            if let Err(mistake) = names::reveal(secret, self.environment) {
                self.problems.push(Problem::in_text(&secret.place, mistake));
            }
        }
        self.check_route_bodies(&draft.settings);
        let Some(rows) = self.rows(draft) else {
            return self.case(draft, &names, None).into_iter().collect();
        };
        let before = self.problems.len();
        let mut cases = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let values = self.row_values(row, &names);
            cases.extend(self.case(draft, &names.with_row(values), Some(index + 1)));
            // The other rows would say the same again.
            if self.problems.len() > before {
                break;
            }
        }
        cases
    }

    /// The files that answer requests are files of the suite.
    pub fn check_route_bodies(&mut self, settings: &TestSettings) {
        for body in &settings.route_bodies {
            let folder = body.source.path.parent().unwrap_or(Path::new(""));
            if let Err(mistake @ Mistake::LeadsOut { .. }) = self.root.inside(folder, &body.value) {
                self.problems.push(Problem::in_text(body, mistake));
            }
        }
    }

    fn rows(&mut self, draft: &TestDraft) -> Option<Vec<Row>> {
        let file = match draft.data.as_ref()? {
            DataDraft::Rows(rows) => return Some(rows.clone()),
            DataDraft::File(file) => file,
        };
        let folder = draft.source.path.parent().unwrap_or(Path::new(""));
        let path = match self.root.inside(folder, &file.value) {
            Ok(path) => path,
            Err(mistake) => {
                self.problems.push(Problem::in_text(file, mistake));
                return Some(Vec::new());
            }
        };
        self.data_files.insert(path.clone());
        match files::read(&path, files::shown(&path, self.here)) {
            Ok(source) => Some(data::read_rows(&source, &mut self.problems)),
            Err(problem) => {
                self.problems.push(*problem);
                Some(Vec::new())
            }
        }
    }

    fn row_values(&mut self, row: &Row, names: &Names<'_>) -> BTreeMap<String, Resolved> {
        let none = Parameters::default();
        row.iter()
            .filter_map(|(name, value)| {
                Some((name.value.clone(), names.resolve(value, &none, &mut self.problems)?))
            })
            .collect()
    }

    fn case(&mut self, draft: &TestDraft, names: &Names<'_>, row: Option<usize>) -> Option<TestCase> {
        let (own, shared) = (&draft.settings, &self.project.settings);
        let stem = draft.source.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let stem = stem.unwrap_or_default();
        // All that are declared and set, used by a step or not: a page may show any of them.
        let declared = shared.secrets.iter().chain(&own.secrets);
        let mut secrets = Secrets::default();
        for secret in declared.filter_map(|secret| names::reveal(secret, self.environment).ok()) {
            secrets.merge(&secret.secrets);
        }
        let mut plain = Plain { names, problems: &mut self.problems, secrets: &mut secrets };
        let name = match &draft.name {
            Some(name) => plain.masked(name)?,
            None => stem.clone(),
        };
        let tags = draft.tags.iter().filter_map(|text| plain.masked(text)).collect();
        let requirements =
            draft.requirements.iter().filter_map(|link| plain.link(link, self.requirements)).collect();
        let base_url = own.base_url.as_ref().or(shared.base_url.as_ref()).and_then(|url| plain.text(url));
        let device = draft.device.as_ref().and_then(|text| plain.text(text));
        let platform = draft.platform.as_ref().and_then(|text| plain.text(text));
        let mut selectors = BTreeMap::new();
        for (name, value) in shared.selectors.iter().chain(&own.selectors) {
            // The test's own replaces the project's, which is then not even looked at.
            let is_replaced = own
                .selectors
                .iter()
                .any(|(other, _)| other.value == name.value && !std::ptr::eq(other, name));
            if !is_replaced && let Some(value) = plain.text(value) {
                selectors.insert(name.value.clone(), value);
            }
        }
        let suffix = row.map(|row| format!(" [{row}]")).unwrap_or_default();
        // The test's own size stands above a device that the project names.
        let own_view: Vec<Action> = own
            .viewport
            .filter(|_| !shared.emulate.is_empty())
            .map(|view| Action::Viewport { width: view.width, height: view.height, scale: view.scale })
            .into_iter()
            .collect();
        let mut case = TestCase {
            id: slug::id(&stem, draft.name.as_ref().map(|name| name.value.as_str())) + &suffix,
            name,
            title: draft.name.as_ref().map(|name| name.value.clone()),
            file: draft.source.shown.clone(),
            path: draft.source.path.clone(),
            line: draft.span.position.line,
            row,
            tags,
            requirements,
            base_url,
            browsers: if own.browsers.is_empty() { shared.browsers.clone() } else { own.browsers.clone() },
            device,
            platform,
            viewport: own.viewport.or(shared.viewport),
            // Those of the test come last, and so take precedence.
            world: [&shared.emulate, &own_view, &own.emulate, &shared.routes, &own.routes]
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
            timeouts: own.timeouts.or(shared.timeouts),
            pilot: own.pilot.or(shared.pilot).unwrap_or_default(),
            retries: own.retries.or(shared.retries).unwrap_or(0),
            budget: own.budget.or(shared.budget),
            policy: own.policy.clone().or(&shared.policy),
            standing: draft.standing,
            preconditions: Vec::new(),
            setup: Vec::new(),
            steps: Vec::new(),
            expected: Vec::new(),
            teardown: Vec::new(),
            selectors,
            secrets,
        };
        case.preconditions =
            draft.preconditions.iter().filter_map(|fact| self.precondition(fact, names)).collect();
        for (part, drafts, steps) in [
            (Part::Setup, &draft.setup, &mut case.setup),
            (Part::Step, &draft.steps, &mut case.steps),
            (Part::Expected, &draft.expected, &mut case.expected),
            (Part::Teardown, &draft.teardown, &mut case.teardown),
        ] {
            let trail = &mut vec![self.root.relative(&draft.source.path)];
            self.steps(drafts, part, names, &Parameters::default(), trail, steps);
        }
        collect_secrets(&mut case);
        Some(case)
    }

    fn precondition(&mut self, fact: &Text, names: &Names<'_>) -> Option<WrittenPrecondition> {
        let resolved = names.resolve(fact, &Parameters::default(), &mut self.problems)?;
        let way = self.way(fact, &resolved, names)?;
        let sentence = StepDraft { what: StepWhat::Sentence(fact.clone()), timeout: None };
        Some(WrittenPrecondition { step: step(&sentence, Part::Precondition, resolved), way })
    }

    /// Appends the steps that the drafts come to. `trail` names the steps that are being used, outermost first.
    pub(crate) fn steps(
        &mut self,
        drafts: &[StepDraft],
        part: Part,
        names: &Names<'_>,
        parameters: &Parameters,
        trail: &mut Vec<String>,
        steps: &mut Vec<TestStep>,
    ) {
        for draft in drafts {
            // It was reported once; counting the rest could take forever.
            if self.has_too_many {
                return;
            }
            let text = match &draft.what {
                StepWhat::Sentence(text) | StepWhat::Command(text) => text,
                StepWhat::Use { name, with } => {
                    self.use_steps(name, with, Reuse { part, names, parameters, draft }, trail, steps);
                    continue;
                }
            };
            if self.steps_left == 0 {
                self.has_too_many = true;
                self.problems.push(Problem::in_text(text, Mistake::TooManySteps { limit: MAX_STEPS }));
                return;
            }
            self.steps_left -= 1;
            if let Some(resolved) = names.resolve_step(text, parameters, &mut self.problems) {
                steps.push(step(draft, part, resolved));
            }
        }
    }

    /// The tests of a file that is used, read once.
    pub(crate) fn used_file(&mut self, path: &Path) -> Option<Rc<Vec<TestDraft>>> {
        self.used_files.insert(path.to_path_buf());
        if let Some(known) = self.files.get(path) {
            return known.clone();
        }
        let before = self.problems.len();
        let drafts = match files::read(path, files::shown(path, self.here)) {
            Ok(source) => test_file::read_tests(&source, self.browsers, &mut self.problems),
            Err(problem) => {
                self.problems.push(*problem);
                Vec::new()
            }
        };
        let known = (self.problems.len() == before).then(|| Rc::new(drafts));
        self.files.insert(path.to_path_buf(), known.clone());
        known
    }
}

/// How steps are used: where, and with which names.
#[derive(Clone, Copy)]
pub(crate) struct Reuse<'r> {
    pub part: Part,
    pub names: &'r Names<'r>,
    pub parameters: &'r Parameters,
    pub draft: &'r StepDraft,
}

fn step(draft: &StepDraft, part: Part, resolved: Resolved) -> TestStep {
    let place = draft.text();
    TestStep {
        part,
        instruction: match &draft.what {
            StepWhat::Command(_) => Instruction::Command(resolved.text),
            StepWhat::Sentence(_) | StepWhat::Use { .. } => Instruction::Sentence(resolved.text),
        },
        file: place.source.shown.clone(),
        position: place.span.position,
        secrets: resolved.secrets,
        timeout: draft.timeout,
    }
}

/// Replaces names in the texts of a test that are no steps.
struct Plain<'p, 'n> {
    names: &'p Names<'n>,
    problems: &'p mut Problems,
    secrets: &'p mut Secrets,
}

impl Plain<'_, '_> {
    fn resolve(&mut self, text: &Text) -> Option<Resolved> {
        let resolved = self.names.resolve(text, &Parameters::default(), self.problems)?;
        self.secrets.merge(&resolved.secrets);
        Some(resolved)
    }

    fn text(&mut self, text: &Text) -> Option<String> {
        Some(self.resolve(text)?.text)
    }

    /// A link with the name of its requirement; nothing for one that is a mistake.
    fn link(&mut self, link: &LinkDraft, known: &RequirementCodes) -> Option<RequirementLink> {
        let code = self.masked(&link.code)?;
        if let Some(mistake) = known.mistake(&code) {
            self.problems.push(Problem::in_text(&link.code, mistake));
            return None;
        }
        let name = known.name(&code).cloned();
        Some(RequirementLink { code, name, coverage: link.coverage })
    }

    /// For what every report shows.
    fn masked(&mut self, text: &Text) -> Option<String> {
        let resolved = self.resolve(text)?;
        Some(resolved.secrets.mask(&resolved.text))
    }
}

fn collect_secrets(case: &mut TestCase) {
    let mut secrets = std::mem::take(&mut case.secrets);
    let parts = [&case.setup, &case.steps, &case.expected, &case.teardown];
    parts.into_iter().flatten().for_each(|step| secrets.merge(&step.secrets));
    for precondition in &case.preconditions {
        secrets.merge(&precondition.step.secrets);
        secrets.merge(&precondition.way.secrets());
    }
    case.secrets = secrets;
}

/// A test without settings, for things that belong to the project alone.
pub(crate) fn no_settings() -> &'static TestSettings {
    static NONE: std::sync::OnceLock<TestSettings> = std::sync::OnceLock::new();
    NONE.get_or_init(TestSettings::default)
}
