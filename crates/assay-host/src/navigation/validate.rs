//! Walks every edge of a tree with few new starts, and says which do not lead where the tree says.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use assay_daemon::{DaemonSettings, Sharing};
use assay_driver::Deadline;
use assay_protocol::{ANY_SCREEN, ErrorCode, Failure, RunFact, Secrets};
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
            log_in(&mut *surface, &spec.login, &base_url, &policy, &context.variables).await?;
        }
        let checked = desk.unless_stopped(check(&mut *surface, &screens, &base_url, spec.time, desk)).await;
        surface.close().await;
        checked.transpose()
    })?;
    walked.ok_or_else(|| Failure::new(ErrorCode::Stopped, "checking the tree was stopped"))
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
    let mut stopped = None;
    loop {
        if deadline.is_past() {
            stopped = Some(format!("the time of {} s was used up", time.as_secs()));
            break;
        }
        told.borrow_mut().clear();
        let here = at.screen.clone();
        let begins_here = |edge: &EdgeChecked| match edge.from.as_str() {
            ANY_SCREEN => here.as_ref().is_some_and(|here| *here != edge.to && !is_part(tree, here)),
            from => here.as_deref() == Some(from),
        };
        let is_open =
            |edge: &EdgeChecked| edge.state == WayState::Unreached && !hopeless.contains(&edge.from);
        if let Some(next) = edges.iter().position(|edge| is_open(edge) && begins_here(edge)) {
            let leg = ScreenLeg {
                from: here,
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
            let needs = |when: String| format!("{} is shown when {when}", edge.to);
            edge.why = end.unmet.map(needs).or(end.trouble).unwrap_or_default();
            at = end.place;
            continue;
        }
        // The nearest screen that has an edge left.
        let wanted = edges.iter().filter(|edge| is_open(edge)).map(|edge| match edge.from.as_str() {
            ANY_SCREEN => tree
                .screens
                .iter()
                .find(|screen| screen.name != edge.to && !is_part(tree, &screen.name))
                .map_or(String::new(), |screen| screen.name.clone()),
            from => from.to_string(),
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
    for edge in edges.iter_mut().filter(|edge| edge.state == WayState::Unreached) {
        edge.why = format!("{} was not reached", edge.from);
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
