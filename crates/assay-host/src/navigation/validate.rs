//! Walks every edge of a tree with few new starts, and says which do not lead where the tree says.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use assay_actions::Call;
use assay_daemon::{DaemonSettings, Sharing};
use assay_driver::Deadline;
use assay_protocol::{ANY_SCREEN, Action, ErrorCode, Failure, NavigationTree, RunFact, Secrets};
use assay_runner::{Attempt, LegHow, ScreenLeg, ScreenName, ScreenPlace, Screens, TestContext, TestSurface};
use assay_suite::load_in;
use serde::Serialize;

use super::login::log_in;
use super::screens::TreeScreens;
use super::trees::ProjectTrees;
use crate::devices::DeviceControl;
use crate::domains::policy_of;
use crate::host::Host;
use crate::job::Desk;
use crate::run::LentSurface;

const ENTRY_TIME: Duration = Duration::from_secs(30);
/// A link of every screen is broken if it fails on so many: some page may lack the menu.
const SCREENS_TO_TRY: usize = 3;

/// The request to check a tree against its application.
#[derive(Debug, Clone)]
pub struct ValidateSpec {
    pub folder: PathBuf,
    pub tree: Option<String>,
    /// Where the application is, if not where the project or the tree say.
    pub base_url: Option<String>,
    pub login: Vec<String>,
    pub time: Duration,
    pub browser: DaemonSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WayState {
    Works,
    Broken,
    /// No way led to where it begins.
    Unreached,
    /// It begins or ends on a protected screen, or needs another state of the login.
    LeftOut,
}

#[derive(Debug, Clone, Serialize)]
pub struct EdgeChecked {
    pub from: String,
    pub to: String,
    #[serde(rename = "do")]
    pub acts: Vec<String>,
    pub state: WayState,
    pub milliseconds: u64,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct ValidateReport {
    pub tree: String,
    pub edges: Vec<EdgeChecked>,
    /// How often an address had to be opened again.
    pub resets: usize,
    pub seconds: f64,
    /// Why it ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

impl ValidateReport {
    pub fn count(&self, state: WayState) -> usize {
        self.edges.iter().filter(|edge| edge.state == state).count()
    }
}

pub(crate) fn carry_out(host: &Host, spec: &ValidateSpec, desk: &Desk) -> Result<ValidateReport, Failure> {
    let context = &host.context;
    let browser = spec.browser.browser.engine.as_deref().unwrap_or(context.drivers.default_browser());
    DeviceControl::in_runtime_folder(&spec.browser.place.folder).check(&[browser], &context.owner)?;
    let loaded = ProjectTrees::around(&context.state, &spec.folder)?.load(spec.tree.as_deref())?;
    let project = load_in(&spec.folder, &[], &context.drivers.names(), &*context.variables).project;
    let base_url = spec.base_url.clone().or(project.base_url.clone()).or(loaded.file.tree.base_url.clone());
    let base_url = base_url.ok_or_else(|| {
        Failure::new(ErrorCode::Usage, "nothing says where the application is")
            .hint("assay tree validate --base-url http://127.0.0.1:8080")
    })?;
    let policy = policy_of(&project.policy);
    let coordinator = context.state.open_in(&spec.folder)?;
    let screens = TreeScreens::new(vec![loaded], Some(coordinator));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|err| {
        Failure::new(ErrorCode::Internal, format!("could not start the async runtime: {err}"))
    })?;
    let walked = runtime.block_on(async {
        let lender = host.lender();
        let mut settings = spec.browser.clone();
        settings.place.session = format!("validate-{}-{}", std::process::id(), host.next_browser());
        let driver = context.drivers.driver(&settings.browser)?;
        let lending = lender.lend(driver, settings, Sharing::Never, &policy);
        let Some(lease) = desk.unless_stopped(lending).await else { return Ok(None) };
        let mut surface: Box<dyn TestSurface> = Box::new(LentSurface { lease: lease?, endpoint: None });
        if !spec.login.is_empty() {
            // The sentences are those of an exploring, which begins at the tree's entry.
            let entry = entry_of(screens.tree(0), &base_url);
            let call = Call { deadline: Deadline::after(ENTRY_TIME), wait: false, policy: policy.clone() };
            surface.perform(&Action::Go { url: entry }, &call).await?;
            log_in(&mut *surface, &spec.login, &base_url, &policy, &context.variables).await?;
        }
        let checked = desk.unless_stopped(check(&mut *surface, &screens, &base_url, spec.time, desk)).await;
        surface.close().await;
        checked.transpose()
    })?;
    walked.ok_or_else(|| Failure::new(ErrorCode::Stopped, "checking the tree was stopped"))
}

/// Where an application is entered, by its tree.
fn entry_of(tree: &NavigationTree, base_url: &str) -> String {
    let screen = tree.entry.first().and_then(|name| tree.screen(name));
    let address = screen.and_then(|screen| screen.address.as_ref()).filter(|address| address.is_literal());
    let path = address.map_or_else(|| "/".to_string(), ToString::to_string);
    format!("{}/{}", base_url.trim_end_matches('/'), path.trim_start_matches('/'))
}

async fn check(
    surface: &mut dyn TestSurface,
    screens: &TreeScreens,
    base_url: &str,
    time: Duration,
    desk: &Desk,
) -> Result<ValidateReport, Failure> {
    const TREE: usize = 0;
    let started = Instant::now();
    let deadline = Deadline::after(time);
    let tree = screens.tree(TREE);
    let is_protected = |name: &str| tree.screen(name).is_some_and(|screen| screen.protected);
    let mut edges: Vec<EdgeChecked> = tree
        .ways()
        .map(|way| EdgeChecked {
            from: way.from.to_string(),
            to: way.to.to_string(),
            acts: way.acts.to_vec(),
            state: if is_protected(way.from) || is_protected(way.to) {
                WayState::LeftOut
            } else {
                WayState::Unreached
            },
            milliseconds: 0,
            why: String::new(),
        })
        .collect();
    let (selectors, secrets) = (BTreeMap::new(), Secrets::default());
    let told = RefCell::new(Vec::new());
    let tell = |fact: RunFact| told.borrow_mut().push(fact);
    let context = TestContext::new(&selectors, &secrets).at(Some(base_url.to_string()));
    let mut attempt = Attempt::new(surface, &tell, context);
    let mut at = ScreenPlace::default();
    let mut resets = 0;
    let mut hopeless: Vec<String> = Vec::new();
    // The screens on which a link of every screen was not found.
    let mut failed_on: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut stopped = None;
    loop {
        if deadline.is_past() {
            stopped = Some(format!("the time of {} s was used up", time.as_secs()));
            break;
        }
        told.borrow_mut().clear();
        let here = at.screen.clone();
        let has_failed = |number: usize, name: &str| {
            failed_on.get(&number).is_some_and(|on| on.iter().any(|one| one == name))
        };
        let begins_here = |number: usize, edge: &EdgeChecked| match edge.from.as_str() {
            ANY_SCREEN => here
                .as_ref()
                .is_some_and(|here| *here != edge.to && !is_part(tree, here) && !has_failed(number, here)),
            from => here.as_deref() == Some(from),
        };
        let is_open =
            |edge: &EdgeChecked| edge.state == WayState::Unreached && !hopeless.contains(&edge.from);
        let next = (0..edges.len()).find(|at| is_open(&edges[*at]) && begins_here(*at, &edges[*at]));
        if let Some(next) = next {
            let leg = ScreenLeg {
                from: here.clone(),
                to: edges[next].to.clone(),
                how: LegHow::Acts(edges[next].acts.clone()),
            };
            let end = attempt.walk_leg(screens, TREE, &leg, deadline).await?;
            let edge = &mut edges[next];
            edge.milliseconds = end.milliseconds;
            edge.state = match (&end.trouble, &end.unmet) {
                (None, _) => WayState::Works,
                (Some(_), Some(_)) => WayState::LeftOut,
                (Some(_), None) => WayState::Broken,
            };
            if edge.from == ANY_SCREEN && edge.state == WayState::Broken {
                let tried = failed_on.entry(next).or_default();
                tried.extend(here);
                let others = tree
                    .screens
                    .iter()
                    .filter(|screen| screen.name != edge.to && !is_part(tree, &screen.name));
                if tried.len() < SCREENS_TO_TRY.min(others.count()) {
                    edge.state = WayState::Unreached;
                }
            }
            let needs = |when: String| format!("{} is shown when {when}", edge.to);
            edge.why = end.unmet.map(needs).or(end.trouble).unwrap_or_default();
            at = end.place;
            continue;
        }
        // The nearest screen that has an edge left.
        let by_entry = |name: &&str| !tree.entry.iter().any(|entry| entry == name);
        let wanted = edges.iter().enumerate().filter(|(_, edge)| is_open(edge)).map(|(number, edge)| {
            if edge.from != ANY_SCREEN {
                return edge.from.clone();
            }
            let names = tree.screens.iter().map(|screen| screen.name.as_str());
            let fitting = names.filter(|name| {
                *name != edge.to
                    && !is_part(tree, name)
                    && !has_failed(number, name)
                    && !hopeless.iter().any(|one| one == name)
            });
            fitting.min_by_key(by_entry).unwrap_or_default().to_string()
        });
        let nearest = wanted
            .filter_map(|name| {
                let way = screens.way(TREE, at.screen.as_deref(), &name, &[])?;
                let opens = way.iter().filter(|leg| matches!(leg.how, LegHow::Open(_))).count();
                Some((opens, way.len(), name))
            })
            .min();
        let Some((opens, _, name)) = nearest else { break };
        resets += opens;
        let to = ScreenName { tree: TREE, name: name.clone() };
        let walk = attempt.walk_to(screens, &to, deadline.at_most(Duration::from_secs(60))).await?;
        at = walk.place;
        if !walk.arrived {
            desk.note(format!("{name} was not reached, so its edges were not walked"));
            hopeless.push(name);
        }
    }
    for (number, edge) in edges.iter_mut().enumerate().filter(|(_, edge)| edge.state == WayState::Unreached) {
        if failed_on.contains_key(&number) {
            // Nowhere else to try it.
            edge.state = WayState::Broken;
        } else if stopped.is_some() && !hopeless.contains(&edge.from) {
            edge.why = "not tried: the time was used up".to_string();
        } else {
            edge.why = format!("{} was not reached", edge.from);
        }
    }
    Ok(ValidateReport {
        tree: screens.tree_name(TREE).to_string(),
        edges,
        resets,
        seconds: started.elapsed().as_secs_f64(),
        stopped,
    })
}

/// A dialog or a tab: what every page has may lie behind it.
fn is_part(tree: &assay_protocol::NavigationTree, name: &str) -> bool {
    let Some(screen) = tree.screen(name) else { return false };
    screen.has.iter().any(|mark| matches!(mark.role.as_deref(), Some("dialog" | "alertdialog")))
}
