//! Tests written from a page, a goal or a document.
//!
//! Free work comes first: questions found by rules, then pages, then a small question to a model, then the tests. Every
//! written test was parsed by our own reader and, if it could be tried without harm, has passed.

mod look;
mod place;
mod report;
mod trial;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assay_actions::Policy;
use assay_daemon::{BrowserLender, DaemonSettings, Sharing};
use assay_navigation::path_of;
use assay_planner::{
    Brief, Draft, Exclusion, GivenAnswer, PageSeen, PlanRequest, Planner, PlannerError, Refused, Sheet,
    Sources, file_stem, propose, read_answers, review, spoken, triage,
};
use assay_protocol::{ErrorCode, Failure};
use assay_provider::{Budget, Limits, Provider, Spent};
use assay_runner::TestSurface;
use assay_suite::{Project, ProjectRequirements, load_in};

use crate::devices::DeviceControl;
use crate::host::Host;
use crate::job::Desk;
use crate::models::{self, ChosenModel, ModelOptions};
use crate::run::LentSurface;
use crate::scratch::Scratch;
use crate::wishes::ProjectWishes;

pub use report::{PlanOutcome, PlanReport, WrittenFile, cost_words};

/// For all questions to a model together: a long plan takes minutes.
const TIME: Duration = Duration::from_secs(600);
/// Two for the scope and two for the tests are all that is ever asked.
const MOST_CALLS: u64 = 4;

/// The request for a plan.
#[derive(Debug, Clone)]
pub struct PlanSpec {
    /// The working folder, an absolute path: it determines the project.
    pub folder: PathBuf,
    pub goal: Option<String>,
    pub url: Option<String>,
    /// A file with requirements.
    pub requirements: Option<PathBuf>,
    pub explore: bool,
    /// Where the tests are written.
    pub out: PathBuf,
    /// Answers to questions of an earlier plan, one a line.
    pub answers: String,
    pub answers_file: Option<PathBuf>,
    /// Go on although the model has questions; what depends on them is left out.
    pub goes_on: bool,
    /// Replace files that are there.
    pub forces: bool,
    /// Run the tests that may send something, too.
    pub tries: bool,
    pub models: ModelOptions,
    /// Where the browser lives that looks at the pages, and how it is started.
    pub browser: DaemonSettings,
}

pub(crate) fn carry_out(host: &Host, options: &PlanSpec, desk: &Desk) -> Result<PlanReport, Failure> {
    let browser = options.browser.browser.engine.as_deref().unwrap_or(host.context.drivers.default_browser());
    DeviceControl::in_runtime_folder(&options.browser.place.folder).check(&[browser], &host.context.owner)?;
    let loaded = load_in(&options.folder, &[], &host.context.drivers.names(), &*host.context.variables);
    let project = loaded.project;
    let is_trusted = host.context.trusted.contains(&project.root);
    let order = order_of(options, &project)?;
    let is_told = options.url.is_some() || order.answer("address").is_some();
    // The address of the project may hold values of the environment.
    if order.address.is_some() && !is_told && !loaded.environment.is_empty() && !is_trusted {
        let wishes = ProjectWishes { environment: loaded.environment, ..ProjectWishes::default() };
        return Err(wishes.refusal(&project.root));
    }
    let is_by_rules = order.goal.is_none() && order.document.is_none();
    if is_by_rules && order.address.is_none() {
        return Err(Failure::new(ErrorCode::Usage, "expected a goal, --requirements or --url, found none")
            .hint("assay plan --url http://127.0.0.1:8080/"));
    }
    let mut told = PlanReport::new(&options.out.display().to_string());
    told.scope = triage(&order);
    if told.scope.blocking().next().is_some() {
        told.outcome = PlanOutcome::Asks;
        return Ok(told);
    }
    // A name that cannot be read is a mistake of now; a browser need not be started for it.
    let chosen = models::choose_model(&host.context, &options.models, project.model.as_deref())?;
    let way = match (chosen, &order) {
        (_, PlanRequest { goal: None, document: None, .. }) => Way::ByPages,
        (Some(chosen), _) => Way::ByModel(chosen),
        (None, PlanRequest { goal: Some(goal), document: None, address: Some(address), .. }) => {
            let start = path_of(address);
            Way::BySentences(spoken(goal, start).map_err(|why| no_model(&format!("; {why}")))?)
        }
        (None, _) => return Err(no_model("")),
    };
    let looks = is_by_rules || options.explore;
    let lender = looks.then(|| host.lender());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|err| {
        Failure::new(ErrorCode::Internal, format!("could not start the async runtime: {err}"))
    })?;
    let mut pages = Vec::new();
    if let (Some(lender), Some(address)) = (&lender, &order.address) {
        let depth = if options.explore { look::Depth::Site } else { look::Depth::Page };
        match runtime.block_on(pages_of(host, lender, address, depth, &options.browser, desk))? {
            Some(seen) => {
                told.scope.excluded.extend(seen.excluded);
                pages = seen.pages;
            }
            None => return Ok(told.stopped()),
        }
    }
    drop(lender);
    let is_by_rules = !matches!(way, Way::ByModel(_));
    let sheets = match way {
        Way::ByPages => by_rules(&pages, &mut told),
        Way::BySentences(sheet) => by_sentences(sheet, &order, &mut told),
        Way::ByModel(chosen) => {
            let existing = existing_names(host, &options.out);
            let brief = Writing { options, order: &order, pages: &pages, existing: &existing };
            match runtime.block_on(by_model(host, &brief, &chosen, &mut told, desk))? {
                Some(sheets) => sheets,
                None => return Ok(told),
            }
        }
    };
    let sheets = with_known_codes(sheets, &loaded.requirements, desk);
    let base_url = base_of(&pages, &order)?;
    let tried = if is_by_rules || options.tries {
        let kinds = if options.tries { trial::Kinds::All } else { trial::Kinds::Harmless };
        let secrets = if is_trusted { trial::SecretUse::Allowed } else { trial::SecretUse::Never };
        let trial = trial::Trial { kinds, secrets, base_url: &base_url };
        runtime.block_on(trial::run(host, &sheets, &trial, &options.browser, desk))?
    } else {
        trial::read_only_by_us(host, &sheets, &base_url)?
    };
    // What tests that were cut off came to says nothing about them.
    if desk.is_stopped() {
        return Ok(told.stopped());
    }
    let keep = if is_by_rules { trial::Keep::Green } else { trial::Keep::Readable };
    let sheets = trial::sort(sheets, &tried, keep, &mut told);
    let is_of_project =
        project.base_url.as_deref().map(|base| base.trim_end_matches('/')) == Some(base_url.as_str());
    let written_base = (!is_of_project).then_some(base_url.as_str());
    let overwriting = if options.forces { place::Overwriting::Allowed } else { place::Overwriting::Never };
    place::write(&sheets, written_base, &options.out, overwriting, &mut told)?;
    Ok(told)
}

/// Where the project keeps its requirements on file, a test that names another code could not be read.
fn with_known_codes(mut sheets: Vec<Sheet>, known: &ProjectRequirements, desk: &Desk) -> Vec<Sheet> {
    if known.on_file.is_none() {
        return sheets;
    }
    let mut unknown: Vec<String> = Vec::new();
    for draft in sheets.iter_mut().flat_map(|sheet| &mut sheet.drafts) {
        draft.requirements.retain(|code| {
            let is_known = known.find(code).is_some();
            if !is_known && !unknown.contains(code) {
                unknown.push(code.clone());
            }
            is_known
        });
    }
    if !unknown.is_empty() {
        let codes = unknown.join(", ");
        desk.note(format!("{codes}: not among the requirements of the project, so no test names it"));
    }
    sheets
}

/// The goal, from all its possible sources.
fn order_of(options: &PlanSpec, project: &Project) -> Result<PlanRequest, Failure> {
    let file = |path: &Path, what: &str| {
        std::fs::read_to_string(path).map_err(|err| {
            Failure::new(ErrorCode::Usage, format!("could not read {what} from {}: {err}", path.display()))
        })
    };
    let mut answers: Vec<GivenAnswer> = read_answers(&options.answers);
    if let Some(path) = &options.answers_file {
        answers.extend(read_answers(&file(path, "answers")?));
    }
    let document = options.requirements.as_deref().map(|path| file(path, "requirements")).transpose()?;
    if let (Some(document), Some(path)) = (&document, &options.requirements)
        && document.trim().is_empty()
    {
        return Err(Failure::new(
            ErrorCode::Usage,
            format!("expected requirements in {}, found nothing", path.display()),
        ));
    }
    let mut order = PlanRequest { goal: options.goal.clone(), document, address: None, answers };
    let address = options
        .url
        .clone()
        .or_else(|| order.answer("address").map(str::to_string))
        .or_else(|| project.base_url.clone());
    order.address = address.map(|address| with_scheme(&address));
    // The answer to the question about the goal is the goal.
    if let Some(said) = order.answer("goal").map(str::to_string) {
        order.goal = Some(said);
    }
    Ok(order)
}

fn with_scheme(address: &str) -> String {
    if address.contains("://") { address.to_string() } else { format!("http://{address}") }
}

/// Where paths of the tests begin: the site of the first page, or of the address.
fn base_of(pages: &[PageSeen], order: &PlanRequest) -> Result<String, Failure> {
    let address =
        pages.first().map(|page| page.scene.url.as_str()).or(order.address.as_deref()).unwrap_or_default();
    let origin = address.split_once("://").and_then(|(scheme, rest)| {
        let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
        Some(format!("{scheme}://{host}"))
    });
    origin.ok_or_else(|| {
        Failure::new(ErrorCode::Usage, format!("expected an address with a host, found `{address}`"))
    })
}

/// Where tests come from.
enum Way {
    /// From what the pages say of themselves.
    ByPages,
    /// The goal spells a test out.
    BySentences(Sheet),
    ByModel(ChosenModel),
}

fn no_model(why: &str) -> Failure {
    let message = format!("planning from a goal or a document needs a model, and none is configured{why}");
    Failure::new(ErrorCode::Usage, message).hint(
        "name one with --model or DEFAULT_MODEL, say the goal in sentences that end in what must be seen, or plan from a page: \
         assay plan --url ADDRESS",
    )
}

/// Opens pages in a separate browser, and closes it at the end. Returns nothing if it was stopped.
async fn pages_of(
    host: &Host,
    lender: &BrowserLender,
    address: &str,
    depth: look::Depth,
    browser: &DaemonSettings,
    desk: &Desk,
) -> Result<Option<look::PagesSeen>, Failure> {
    let mut settings = browser.clone();
    settings.place.session = format!("plan-{}-{}", std::process::id(), host.next_browser());
    // Downloads of a page are discarded with this folder.
    let scratch = Scratch::make(&host.context.temporary, "plan")?;
    settings.place.downloads = scratch.folder.join("downloads");
    let driver = host.context.drivers.driver(&settings.browser)?;
    let policy = Policy::default();
    let lending = lender.lend(driver, settings, Sharing::Never, &policy);
    let Some(lease) = desk.unless_stopped(lending).await else { return Ok(None) };
    let mut surface: Box<dyn TestSurface> = Box::new(LentSurface { lease: lease?, endpoint: None });
    let seen = desk.unless_stopped(look::look(&mut *surface, address, depth)).await;
    surface.close().await;
    seen.transpose()
}

/// Proposals by rules from the pages. They are reviewed like a model's.
fn by_rules(pages: &[PageSeen], told: &mut PlanReport) -> Vec<Sheet> {
    let proposals = propose(pages);
    told.scope.excluded.extend(proposals.excluded);
    told.scope.questions.extend(proposals.questions);
    let site = pages.first().map(|page| page.scene.url.clone()).unwrap_or_default();
    let sources = Sources { site, ..Sources::default() };
    let mut sheets = proposals.sheets;
    for sheet in &mut sheets {
        sheet.drafts.retain(|draft| {
            let faults = review(draft, &sources);
            let whys: Vec<String> = faults.iter().map(ToString::to_string).collect();
            told.scope
                .excluded
                .extend((!whys.is_empty()).then(|| Exclusion::new(&draft.name, whys.join("; "))));
            faults.is_empty()
        });
    }
    sheets
}

/// The test that the goal spells out, unless something speaks against it.
fn by_sentences(mut sheet: Sheet, order: &PlanRequest, told: &mut PlanReport) -> Vec<Sheet> {
    let site = order.address.clone().unwrap_or_default();
    let sources = Sources { said: order.said(), site, ..Sources::default() };
    sheet.drafts.retain(|draft| {
        let why: Vec<String> = review(draft, &sources).iter().map(ToString::to_string).collect();
        if !why.is_empty() {
            told.refused.push(Refused { name: draft.name.clone(), why: why.clone() });
        }
        why.is_empty()
    });
    vec![sheet]
}

/// The request to a model for tests.
struct Writing<'a> {
    options: &'a PlanSpec,
    order: &'a PlanRequest,
    pages: &'a [PageSeen],
    existing: &'a [String],
}

/// The model's tests; nothing when it has questions that must be answered first, or was stopped.
async fn by_model(
    host: &Host,
    writing: &Writing<'_>,
    chosen: &ChosenModel,
    told: &mut PlanReport,
    desk: &Desk,
) -> Result<Option<Vec<Sheet>>, Failure> {
    let options = writing.options;
    let name =
        chosen.name.clone().map_err(|why| Failure::new(ErrorCode::Usage, why).hint("assay model list"))?;
    let connecting =
        models::connect_model(&host.context, &name, &chosen.user, options.models.cassette.as_ref());
    let Some(connected) = desk.unless_stopped(connecting).await else {
        told.outcome = PlanOutcome::Stopped;
        return Ok(None);
    };
    let (client, tape) = connected?;
    let client = client.map_err(|error| model_failed(error.to_string(), error.hint()))?;
    let said = options.models.limits.unwrap_or_else(|| models::limits_of(&chosen.user));
    let limits = Limits { calls: Some(said.calls.map_or(MOST_CALLS, |calls| calls.min(MOST_CALLS))), ..said };
    let provider: std::sync::Arc<dyn Provider> = std::sync::Arc::new(client);
    let planner = Planner { provider, budget: Budget::new(limits), deadline: Instant::now() + TIME };
    let is_verbose = options.models.verbose;
    let mut tell = |line: String| {
        if is_verbose {
            desk.note(line);
        }
    };
    let sheets = desk.unless_stopped(ask(writing, &planner, told, &mut tell)).await;
    told.spent = Some(planner.budget.spent());
    told.model = Some(format!("{}/{}", planner.provider.name(), planner.provider.model()));
    if let Some(tape) = tape {
        desk.note(tape.finish()?);
    }
    match sheets {
        Some(sheets) => sheets.map_err(|error| planner_failed(error, planner.budget.spent())),
        None => {
            told.outcome = PlanOutcome::Stopped;
            Ok(None)
        }
    }
}

async fn ask(
    writing: &Writing<'_>,
    planner: &Planner,
    told: &mut PlanReport,
    tell: &mut (dyn FnMut(String) + Send),
) -> Result<Option<Vec<Sheet>>, PlannerError> {
    let Writing { order, pages, existing, .. } = *writing;
    let found = planner.scope(Brief { order, scope: &told.scope, pages, existing }, tell).await?;
    told.scope.join(found);
    // A model may ask again what was answered.
    told.scope.questions.retain(|question| order.answer(&question.id).is_none());
    if told.scope.blocking().next().is_some() && !writing.options.goes_on {
        told.outcome = PlanOutcome::Asks;
        return Ok(None);
    }
    let sources = Sources {
        said: order.said(),
        seen: pages.iter().map(look::all_text).collect::<Vec<_>>().join("\n"),
        site: order.address.clone().unwrap_or_default(),
    };
    let written = planner.write(Brief { order, scope: &told.scope, pages, existing }, &sources, tell).await?;
    told.refused = written.refused;
    let mut sheets: Vec<Sheet> = Vec::new();
    for draft in written.drafts {
        let stem = free_stem(&draft, &sheets);
        sheets.push(Sheet { stem, drafts: vec![with_tag(draft, "planned")], open: Vec::new() });
    }
    Ok(Some(sheets))
}

fn free_stem(draft: &Draft, sheets: &[Sheet]) -> String {
    let stem = file_stem(&draft.name);
    let is_taken = |stem: &str| sheets.iter().any(|sheet| sheet.stem == stem);
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    std::iter::once(stem.clone()).chain(numbered).find(|stem| !is_taken(stem)).unwrap_or(stem)
}

fn with_tag(mut draft: Draft, tag: &str) -> Draft {
    if !draft.tags.iter().any(|known| known == tag) {
        draft.tags.insert(0, tag.to_string());
    }
    draft
}

/// Names of the tests in the output folder, so a model does not write them again.
fn existing_names(host: &Host, out: &Path) -> Vec<String> {
    if !out.is_dir() {
        return Vec::new();
    }
    let placeholder = |_: &str| Some("placeholder".to_string());
    load_in(out, &[], &host.context.drivers.names(), &placeholder)
        .tests
        .into_iter()
        .map(|test| test.name)
        .collect()
}

fn model_failed(message: String, hint: Option<String>) -> Failure {
    let failure = Failure::new(ErrorCode::ModelFailed, message);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn planner_failed(error: PlannerError, spent: Spent) -> Failure {
    let failure = match &error {
        PlannerError::Provider(inner) => model_failed(inner.to_string(), inner.hint()),
        PlannerError::TooLong { .. } => Failure::new(ErrorCode::Usage, error.to_string())
            .hint("split the document and plan each part separately"),
        PlannerError::Refused(_) | PlannerError::Unusable(_) => model_failed(error.to_string(), None),
    };
    failure.detail(format!("nothing was written; {}", cost_words(&spent)))
}
