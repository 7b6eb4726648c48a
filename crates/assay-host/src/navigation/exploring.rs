//! Explores an application and keeps what it found in a tree file.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use assay_actions::{Policy, weighty_words};
use assay_coordinator::Coordinator;
use assay_daemon::{DaemonSettings, Sharing};
use assay_navigation::{
    Budget, Comparison, Discoveries, Explorer, LeftOut, Robots, Rules, Seen, Task, joined, origin_of,
};
use assay_protocol::{ErrorCode, FactKind, Failure, LearnedFact, NavigationTree, Screen};
use assay_runner::TestSurface;
use assay_suite::{Project, TreeFile, load_in};
use serde_json::json;

use super::login::log_in;
use super::looking::Looker;
use super::robots::rules_of;
use super::trees::{ProjectTrees, problem_failure};
use crate::devices::DeviceControl;
use crate::domains::policy_of;
use crate::host::Host;
use crate::job::Desk;
use crate::run::LentSurface;
use crate::state::state_failure;

/// An exploring that was cut off longer ago is not gone on with: the application is another one by now.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// The request for an exploring.
#[derive(Debug, Clone)]
pub struct ExploreSpec {
    /// The working folder, an absolute path: it determines the project.
    pub folder: PathBuf,
    pub url: String,
    /// The name of the tree.
    pub name: Option<String>,
    pub depth: usize,
    pub screens: usize,
    pub time: Duration,
    /// Sentences that log in.
    pub login: Vec<String>,
    /// Do not go on with one that was cut off.
    pub is_fresh: bool,
    /// Remove screens that are gone from the file.
    pub prunes: bool,
    pub ignores_robots: bool,
    pub reads_by_post: bool,
    /// Compare with this tree, and write nothing.
    pub compare: Option<PathBuf>,
    pub browser: DaemonSettings,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct ExploreReport {
    pub tree: NavigationTree,
    /// How many screens were found now.
    pub found: usize,
    /// What it changed in the file, or what differs from the other tree.
    pub changes: Comparison,
    /// The file, as seen from the folder.
    pub file: PathBuf,
    pub is_new: bool,
    /// The file changed.
    pub is_written: bool,
    pub is_compared: bool,
    pub behind_login: Vec<String>,
    /// Sentences that log in were given.
    pub has_login: bool,
    pub left_out: Vec<LeftOut>,
    /// Why it ended before everything was seen.
    pub stopped: Option<String>,
    pub looks: usize,
    pub seconds: f64,
    pub is_resumed: bool,
}

pub(crate) fn carry_out(host: &Host, spec: &ExploreSpec, desk: &Desk) -> Result<ExploreReport, Failure> {
    let context = &host.context;
    let browser = spec.browser.browser.engine.as_deref().unwrap_or(context.drivers.default_browser());
    DeviceControl::in_runtime_folder(&spec.browser.place.folder).check(&[browser], &context.owner)?;
    let start = with_scheme(&spec.url);
    let origin = origin_of(&start).ok_or_else(|| {
        Failure::new(ErrorCode::Usage, format!("expected an address with a host, found `{}`", spec.url))
            .hint("assay explore http://127.0.0.1:8080/")
    })?;
    let project = load_in(&spec.folder, &[], &context.drivers.names(), &*context.variables).project;
    let trees = ProjectTrees::around(&context.state, &spec.folder)?;
    let (name, file) = chosen_file(&trees, spec, &project, &origin)?;
    let other = match &spec.compare {
        Some(path) => Some(
            TreeFile::load(&spec.folder.join(path), &spec.folder)
                .map_err(|problems| problem_failure(&problems))?,
        ),
        None => None,
    };
    let coordinator = context.state.open_in(&spec.folder)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|err| {
        Failure::new(ErrorCode::Internal, format!("could not start the async runtime: {err}"))
    })?;
    let started = Instant::now();
    let work = Work {
        host,
        spec,
        desk,
        coordinator: &coordinator,
        name: &name,
        start: &start,
        origin: &origin,
        policy: policy_of(&project.policy),
        known: file.as_ref().map(|file| &file.tree),
    };
    let Some((mut found, is_resumed)) = runtime.block_on(work.explore())? else {
        return Err(Failure::new(ErrorCode::Stopped, "exploring was stopped; nothing was written")
            .hint("the same command goes on where it was"));
    };
    found.tree.interface = project.suite.clone();
    let mut report = ExploreReport {
        found: found.tree.screens.len(),
        changes: Comparison::default(),
        file: trees.path_of(&name),
        is_new: file.is_none(),
        is_written: false,
        is_compared: other.is_some(),
        behind_login: found.behind_login.clone(),
        has_login: !spec.login.is_empty(),
        left_out: found.left_out.clone(),
        stopped: found.stopped.clone(),
        looks: found.looks,
        seconds: 0.0,
        is_resumed,
        tree: NavigationTree::default(),
    };
    if let Some(other) = other {
        let (_, mut changes) = joined(&other.tree, &found);
        if found.stopped.is_some() {
            changes.gone.clear();
        }
        report.changes = changes;
        report.tree = found.tree;
        coordinator.end_exploring(&name).map_err(state_failure)?;
        report.seconds = started.elapsed().as_secs_f64();
        return Ok(report);
    }
    write(&mut report, file, &found, spec, &trees, &name)?;
    let facts = facts_of(&found, &report.tree);
    coordinator.learn(&name, &facts).map_err(state_failure)?;
    coordinator.end_exploring(&name).map_err(state_failure)?;
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

fn write(
    report: &mut ExploreReport,
    file: Option<TreeFile>,
    found: &Discoveries,
    spec: &ExploreSpec,
    trees: &ProjectTrees,
    name: &str,
) -> Result<(), Failure> {
    let path = trees.path_of(name);
    let (mut file, tree) = match file {
        Some(file) => {
            let (mut tree, mut changes) = joined(&file.tree, found);
            if found.stopped.is_some() {
                // What was not looked at is not known to be gone.
                changes.gone.clear();
            }
            let is_protected = |name: &String| file.tree.screen(name).is_some_and(|screen| screen.protected);
            changes.gone.retain(|name| !is_protected(name));
            if spec.prunes {
                let is_gone = |name: &str| changes.gone.iter().any(|gone| gone == name);
                tree.screens.retain(|screen| !is_gone(&screen.name));
                tree.edges.retain(|edge| !is_gone(&edge.from) && !is_gone(&edge.to));
                tree.entry.retain(|name| !is_gone(name));
                for screen in &mut tree.screens {
                    if screen.within.as_deref().is_some_and(is_gone) {
                        screen.within = None;
                    }
                }
            }
            report.changes = changes;
            (file, tree)
        }
        None => (TreeFile::new(&path, NavigationTree::default()), found.tree.clone()),
    };
    report.is_written = file
        .save(&tree, &[])
        .map_err(|problem| Failure::new(ErrorCode::Io, super::problem_words(&problem)))?;
    report.file = file.path().strip_prefix(&spec.folder).unwrap_or(file.path()).to_path_buf();
    report.tree = tree;
    Ok(())
}

/// The facts, under the names that the screens have in the file.
fn facts_of(found: &Discoveries, tree: &NavigationTree) -> Vec<LearnedFact> {
    let name_of = |screen: &Screen| {
        let same =
            tree.screens.iter().find(|known| known.name == screen.name && known.address == screen.address);
        let same = same.or_else(|| {
            tree.screens.iter().find(|known| known.address == screen.address && known.has == screen.has)
        });
        same.map(|known| known.name.clone())
    };
    found
        .facts
        .iter()
        .filter_map(|fact| {
            let subject = name_of(found.tree.screen(&fact.subject)?)?;
            let is_own_name = fact.kind == FactKind::Label && fact.value == subject;
            (!is_own_name).then(|| LearnedFact { subject, ..fact.clone() })
        })
        .collect()
}

/// The tree that an exploring writes: the one that is named, the one of this application, or a new one.
fn chosen_file(
    trees: &ProjectTrees,
    spec: &ExploreSpec,
    project: &Project,
    origin: &str,
) -> Result<(String, Option<TreeFile>), Failure> {
    if let Some(name) = &spec.name {
        let is_plain = !name.is_empty()
            && !name.starts_with('.')
            && name.chars().all(|letter| letter.is_alphanumeric() || "-_.".contains(letter));
        if !is_plain {
            return Err(Failure::new(
                ErrorCode::Usage,
                format!("expected a name of letters, digits, `-` and `_` after --name, found `{name}`"),
            ));
        }
        let there = trees.path_of(name).exists();
        let file = if there { Some(trees.load(Some(name))?.file) } else { None };
        return Ok((name.clone(), file));
    }
    let (loaded, problems) = trees.load_all();
    if !problems.is_empty() {
        return Err(problem_failure(&problems));
    }
    let is_of_origin =
        |tree: &NavigationTree| tree.base_url.as_deref().and_then(origin_of).as_deref() == Some(origin);
    let is_of_project = project.base_url.as_deref().and_then(origin_of).as_deref() == Some(origin);
    let mut fitting = loaded.iter().filter(|loaded| is_of_origin(&loaded.file.tree));
    if let Some(known) = fitting.next() {
        return Ok((known.name.clone(), Some(known.file.clone())));
    }
    match loaded.as_slice() {
        // The same application somewhere else.
        [only] if is_of_project || is_local(origin) => Ok((only.name.clone(), Some(only.file.clone()))),
        _ => Ok((
            free_stem(&project.suite, &loaded.iter().map(|one| one.name.clone()).collect::<Vec<_>>()),
            None,
        )),
    }
}

fn is_local(origin: &str) -> bool {
    ["://127.", "://localhost", "://[::1]"].iter().any(|host| origin.contains(host))
}

fn free_stem(suite: &str, taken: &[String]) -> String {
    let stem: String = suite
        .to_lowercase()
        .chars()
        .map(|letter| if letter.is_alphanumeric() { letter } else { '-' })
        .collect::<String>()
        .split('-')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    let stem = if stem.is_empty() { "application".to_string() } else { stem };
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    std::iter::once(stem.clone()).chain(numbered).find(|stem| !taken.contains(stem)).unwrap_or(stem)
}

fn with_scheme(address: &str) -> String {
    if address.contains("://") { address.to_string() } else { format!("http://{address}") }
}

struct Work<'a> {
    host: &'a Host,
    spec: &'a ExploreSpec,
    desk: &'a Desk,
    coordinator: &'a Coordinator,
    name: &'a str,
    start: &'a str,
    origin: &'a str,
    policy: Policy,
    known: Option<&'a NavigationTree>,
}

impl Work<'_> {
    /// Nothing if it was stopped.
    async fn explore(&self) -> Result<Option<(Discoveries, bool)>, Failure> {
        let lender = self.host.lender();
        let mut settings = self.spec.browser.clone();
        settings.place.session = format!("explore-{}-{}", std::process::id(), self.host.next_browser());
        let driver = self.host.context.drivers.driver(&settings.browser)?;
        let (robots, note) = match self.spec.ignores_robots {
            true => (Robots::default(), None),
            false => rules_of(self.origin).await,
        };
        if let Some(note) = note {
            self.desk.note(note);
        }
        let lending = lender.lend(driver, settings, Sharing::Never, &self.policy);
        let Some(lease) = self.desk.unless_stopped(lending).await else { return Ok(None) };
        let mut surface: Box<dyn TestSurface> = Box::new(LentSurface { lease: lease?, endpoint: None });
        let explored = self.desk.unless_stopped(self.explore_with(&mut *surface, robots)).await;
        surface.close().await;
        explored.transpose()
    }

    async fn explore_with(
        &self,
        surface: &mut dyn TestSurface,
        robots: Robots,
    ) -> Result<(Discoveries, bool), Failure> {
        let mut looker = Looker::new(surface, self.policy.clone());
        looker.reads_by_post = self.spec.reads_by_post;
        let presses = looker.guard().await?;
        if !presses {
            self.desk
                .note("this browser cannot keep requests from being sent, so nothing but links is followed");
        }
        let rules = Rules {
            budget: Budget { screens: self.spec.screens, depth: self.spec.depth },
            robots,
            weighs: |label| {
                let said = weighty_words(label);
                said.pays || said.deletes
            },
            protected: self.known.map(protected_addresses).unwrap_or_default(),
            presses,
            logs_in: !self.spec.login.is_empty(),
        };
        let mut explorer = Explorer::new(self.start, rules);
        let (mut number, is_resumed) = self.resumed(&mut explorer, &mut looker).await?;
        let began = Instant::now();
        let mut told = Instant::now();
        loop {
            if began.elapsed() > self.spec.time {
                explorer.stop(&format!("the time of {} s was used up", self.spec.time.as_secs()));
            }
            let seen = match explorer.next_task() {
                Task::Done => break,
                Task::LogIn => {
                    self.log_in(&mut looker).await?;
                    Seen::LoggedIn
                }
                Task::Look { address, presses } => looker.look(&address, &presses).await?,
            };
            if number == 0
                && let Seen::Nothing { why } = &seen
            {
                return Err(Failure::new(ErrorCode::NavigationFailed, format!("{}: {why}", self.start)));
            }
            let body = serde_json::to_string(&seen).map_err(|err| {
                Failure::new(ErrorCode::Internal, format!("internal: a look cannot be written: {err}"))
            })?;
            self.coordinator.exploring_saw(self.name, number, &body).map_err(state_failure)?;
            explorer.seen(seen);
            number += 1;
            if told.elapsed() > Duration::from_secs(5) {
                told = Instant::now();
                self.desk.note(format!(
                    "{} screens after {number} looks, {} to go",
                    explorer.screens(),
                    explorer.waiting()
                ));
            }
        }
        let refused = looker.refused();
        if refused > 0 {
            let pages = if refused == 1 { "1 page".to_string() } else { format!("{refused} pages") };
            self.desk.note(format!(
                "{pages} sent requests that may write while opening, and these were refused; if the application reads \
                 that way (GraphQL), --reads-by-post lets them through while a page opens"
            ));
        }
        Ok((explorer.discoveries(), is_resumed))
    }

    /// Goes on with an exploring that was cut off, or begins one. Says how many looks there were already.
    async fn resumed(
        &self,
        explorer: &mut Explorer,
        looker: &mut Looker<'_>,
    ) -> Result<(usize, bool), Failure> {
        let about = json!({
            "url": self.start, "depth": self.spec.depth, "screens": self.spec.screens,
            "login": self.spec.login.len(), "robots": !self.spec.ignores_robots, "posts": self.spec.reads_by_post,
            "browser": self.spec.browser.browser.engine,
        })
        .to_string();
        let earlier = self.coordinator.unfinished_exploring(self.name).map_err(state_failure)?;
        let earlier = earlier.filter(|earlier| {
            let age = now_ms().saturating_sub(earlier.begun_at);
            !self.spec.is_fresh && earlier.about == about && u128::from(age) < STALE.as_millis()
        });
        let Some(earlier) = earlier.filter(|earlier| !earlier.looks.is_empty()) else {
            self.coordinator.begin_exploring(self.name, &about).map_err(state_failure)?;
            return Ok((0, false));
        };
        let mut number = 0;
        let mut was_logged_in = false;
        for look in &earlier.looks {
            let seen: Seen = serde_json::from_str(look).map_err(|err| {
                Failure::new(ErrorCode::Io, format!("the state of the exploring cannot be read: {err}"))
                    .hint("--fresh begins anew")
            })?;
            if explorer.next_task() == Task::Done {
                break;
            }
            was_logged_in |= seen == Seen::LoggedIn;
            explorer.seen(seen);
            number += 1;
        }
        self.desk
            .note(format!("going on where exploring was cut off, after {number} looks; --fresh begins anew"));
        if was_logged_in {
            self.log_in(looker).await?;
        }
        Ok((number, true))
    }

    async fn log_in(&self, looker: &mut Looker<'_>) -> Result<(), Failure> {
        looker.unguard().await?;
        // A login begins on the first page, as it does for people.
        looker.look(self.start, &[]).await?;
        looker.unguard().await?;
        let variables = &self.host.context.variables;
        log_in(looker.surface(), &self.spec.login, self.origin, &self.policy, variables).await?;
        looker.guard().await?;
        Ok(())
    }
}

fn protected_addresses(tree: &NavigationTree) -> Vec<assay_protocol::AddressPattern> {
    tree.screens
        .iter()
        .filter(|screen| screen.protected)
        .filter_map(|screen| screen.address.clone())
        .collect()
}

fn now_ms() -> u64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
