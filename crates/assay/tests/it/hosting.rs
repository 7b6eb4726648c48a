//! Runs in a program of somebody else: an async one with several threads, and no terminal.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assay_daemon::{DaemonSettings, Guard, SessionPaths};
use assay_driver::{
    Browser, BrowserInfo, Capability, ContextId, Deadline, Driver, DriverError, EventSink, LaunchOptions,
    Reply, SurfaceId,
};
use assay_driver_chromium::ChromiumDriver;
use assay_host::{
    Drivers, Host, HostContext, Job, LockMode, ModelOptions, News, PlanOutcome, PlanSpec, ProjectServers,
    RunEnd, RunSpec, StartCommand, StateFolder, TestChoice, TrustedFolders, WantedReports,
};
use assay_pilot::ComputerToolUse;
use assay_protocol::{BrowserSettings, ErrorCode, Failure, Part, RunEvent, RunFact, Verdict};
use assay_provider::transport::HttpTransport;
use assay_testkit::{Request, Response, Server};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::context::Context;

/// This driver and no other.
struct Only(Arc<dyn Driver>);

impl Drivers for Only {
    fn names(&self) -> Vec<&str> {
        vec!["chromium"]
    }

    fn default_browser(&self) -> &str {
        "chromium"
    }

    fn driver(&self, _: &BrowserSettings) -> Result<Arc<dyn Driver>, Failure> {
        Ok(Arc::clone(&self.0))
    }
}

fn host(context: &Context) -> Host {
    host_with(context, Arc::new(ChromiumDriver))
}

fn host_with(context: &Context, driver: Arc<dyn Driver>) -> Host {
    let parts = HostContext {
        drivers: Arc::new(Only(driver)),
        transport: Arc::new(HttpTransport::new()),
        computer_tool: ComputerToolUse::Never,
        variables: Arc::new(|_: &str| None),
        state: StateFolder::default(),
        temporary: temporary_folder(context),
        configuration: None,
        default_model: None,
        owner: String::new(),
        trusted: TrustedFolders::default(),
    };
    // The process has threads: the guard is a program of its own.
    let guard = Guard::start(Path::new(env!("CARGO_BIN_EXE_assay"))).unwrap();
    std::fs::create_dir_all(runtime_folder(context)).unwrap();
    std::fs::create_dir_all(temporary_folder(context)).unwrap();
    Host::new(parts, guard)
}

fn runtime_folder(context: &Context) -> PathBuf {
    context.folder().join("r")
}

fn temporary_folder(context: &Context) -> PathBuf {
    context.folder().join("tmp")
}

/// A project with one test in a folder of its own, and how it is run.
fn project(context: &Context, name: &str, test: &str) -> RunSpec {
    let folder = context.folder().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("assay.yaml"), format!("suite: {name}\n")).unwrap();
    std::fs::write(folder.join("test.yaml"), test).unwrap();
    RunSpec {
        name: None,
        paths: Vec::new(),
        choice: TestChoice::default(),
        workers: Some(1),
        own_browser: false,
        fail_fast: false,
        strict: false,
        locks: LockMode::Read,
        draft_of: None,
        proves: false,
        slow: Duration::ZERO,
        retries: None,
        browsers: Vec::new(),
        base_url: None,
        reports: WantedReports::default(),
        results: folder.join("results"),
        pictures: false,
        trust: false,
        models: ModelOptions::default(),
        session: "default".to_string(),
        browser: browser_settings(context),
        start: StartCommand { arguments: vec!["run".to_string()], folder: folder.clone() },
        folder,
        resuming: None,
        witness: None,
        servers: ProjectServers::Started,
    }
}

fn browser_settings(context: &Context) -> DaemonSettings {
    let runtime = runtime_folder(context);
    DaemonSettings {
        place: SessionPaths {
            session: String::new(),
            folder: runtime.clone(),
            profiles: runtime,
            downloads: context.folder().join("downloads"),
        },
        browser: BrowserSettings::default(),
        build: "test".to_string(),
        idle_seconds: 0,
        keeper: None,
    }
}

/// Tests by rules, from one page.
fn plan_of(context: &Context, url: String, out: PathBuf) -> PlanSpec {
    PlanSpec {
        folder: context.folder().to_path_buf(),
        goal: None,
        url: Some(url),
        requirements: None,
        explore: false,
        out,
        answers: String::new(),
        answers_file: None,
        goes_on: false,
        forces: false,
        tries: false,
        models: ModelOptions::default(),
        browser: browser_settings(context),
    }
}

/// Nothing of any browser is left: no file, no profile, no process.
#[track_caller]
fn assert_nothing_is_left(context: &Context) {
    let folder = runtime_folder(context);
    for folder in [&folder, &temporary_folder(context)] {
        let left: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().collect();
        assert!(left.is_empty(), "{left:?}");
    }
    let folder = folder.display().to_string();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("cmdline")).ok());
    let running: Vec<String> = lines.filter(|line| line.contains(&folder)).collect();
    assert!(running.is_empty(), "{running:?}");
}

/// Follows a run to its end; `stop_at` says at which event it is stopped.
async fn follow(
    mut job: Job<RunEnd>,
    stop_at: impl Fn(&RunEvent) -> bool,
) -> (Vec<RunFact>, Result<RunEnd, Failure>) {
    let mut facts = Vec::new();
    while let Some(news) = job.news.recv().await {
        if let News::Event(event) = news {
            if stop_at(&event) {
                job.stop();
            }
            facts.push(event.what);
        }
    }
    (facts, job.wait().await)
}

/// A page with a button, and the paths that were asked for.
fn site() -> (Server, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let server = Server::start(move |request: &Request| {
        log.lock().unwrap().push(request.path.clone());
        Response::html(
            "<!doctype html><title>Page</title><h1>Page</h1>\
             <button onclick=\"out.textContent='Pressed'\">Press me</button><p id=out></p>",
        )
    });
    (server, asked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_runs_go_side_by_side_and_one_is_stopped_with_its_teardown() {
    let context = Context::new();
    let (server, asked) = site();
    let host = host(&context);
    let quick = format!(
        "test: Quick\nsteps:\n  - Open {}\n  - Click the \"Press me\" button\nexpected:\n  - The text \"Pressed\" is shown\n",
        server.url("/quick")
    );
    let slow = format!(
        "test: Slow\nsteps:\n  - Open {}\n  - Wait 60 seconds\n  - Click the \"Press me\" button\nteardown:\n  - Open {}\n",
        server.url("/slow"),
        server.url("/torn-down")
    );
    let slow_job = host.start(project(&context, "slow", &slow)).unwrap();
    let quick_job = host.start(project(&context, "quick", &quick)).unwrap();
    let is_second_step = |event: &RunEvent| matches!(&event.what, RunFact::StepStarted { part: Part::Step, text, .. } if text.starts_with("Wait"));
    let ((slow_facts, slow_end), (quick_facts, quick_end)) =
        tokio::time::timeout(Duration::from_secs(50), async {
            tokio::join!(follow(slow_job, is_second_step), follow(quick_job, |_| false))
        })
        .await
        .expect("the stopped run does not wait for its step");

    let quick_end = quick_end.unwrap();
    assert_eq!(quick_end.exit_code, 0, "{quick_facts:?}");
    assert_eq!(quick_end.summary.tests[0].verdict(), Some(Verdict::Passed));
    let slow_end = slow_end.unwrap();
    assert_ne!(slow_end.exit_code, 0);
    assert!(
        slow_facts.iter().any(|fact| matches!(fact, RunFact::RunFinished { interrupted: true, .. })),
        "{slow_facts:?}"
    );
    // It was torn down, and did nothing else after it was stopped.
    assert!(asked.lock().unwrap().iter().any(|path| path == "/torn-down"), "{asked:?}\n{slow_facts:?}");
    let is_of = |facts: &[RunFact], name: &str| {
        facts.iter().all(|fact| match fact {
            RunFact::TestStarted { test, .. } | RunFact::StepStarted { test, .. } => test.starts_with(name),
            _ => true,
        })
    };
    let id = |end: &RunEnd| end.summary.tests[0].line.id.clone();
    assert!(is_of(&slow_facts, &id(&slow_end)) && is_of(&quick_facts, &id(&quick_end)));
    assert_ne!(slow_end.summary.suite, quick_end.summary.suite);
    assert_nothing_is_left(&context);
}

/// A page that is answered so many times, and then no more; whoever asks in vain is announced.
fn site_that_falls_silent(answers: usize) -> (Server, UnboundedReceiver<()>) {
    let (announce, asked_in_vain) = tokio::sync::mpsc::unbounded_channel();
    let asked = AtomicUsize::new(0);
    let server = Server::start(move |request: &Request| {
        if request.path != "/" {
            return Response::status(404);
        }
        if asked.fetch_add(1, Ordering::SeqCst) < answers {
            return Response::html("<!doctype html><title>Page</title><h1>Page</h1><p>Some words</p>");
        }
        let _nobody_may_wait = announce.send(());
        Response::never()
    });
    (server, asked_in_vain)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_is_stopped_while_it_looks_and_while_it_tries_its_tests() {
    let context = Context::new();
    let host = host(&context);
    // The first request is the look at the page, the second that of a test which is tried.
    for answers in [0, 1] {
        let (server, mut asked_in_vain) = site_that_falls_silent(answers);
        let out = context.folder().join("planned");
        let job = host.plan(plan_of(&context, server.url("/"), out.clone())).unwrap();
        asked_in_vain.recv().await.unwrap();
        job.stop();
        let report = job.wait().await.unwrap();
        assert_eq!(report.outcome, PlanOutcome::Stopped, "{report:?}");
        assert_eq!(report.failure().unwrap().code, ErrorCode::Stopped);
        assert!(!out.exists(), "nothing is written");
        assert_nothing_is_left(&context);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_that_was_stopped_before_it_began_asks_for_no_page() {
    let context = Context::new();
    let (server, mut asked_in_vain) = site_that_falls_silent(0);
    let job = host(&context).plan(plan_of(&context, server.url("/"), context.folder().join("planned")));
    let job = job.unwrap();
    job.stop();
    let report = job.wait().await.unwrap();
    assert_eq!(report.outcome, PlanOutcome::Stopped, "{report:?}");
    assert!(asked_in_vain.try_recv().is_err());
    assert_nothing_is_left(&context);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mistake_in_a_run_is_its_end_and_harms_no_other() {
    let context = Context::new();
    let host = host(&context);
    let mut spec = project(&context, "wrong", "test: Wrong\nsteps:\n  - Open http://127.0.0.1:1/\n");
    spec.paths = vec![PathBuf::from("no-such-file.yaml")];
    let (facts, end) = follow(host.start(spec).unwrap(), |_| false).await;
    assert_eq!((facts.len(), end.unwrap_err().code), (0, ErrorCode::Usage));
    // The folder of a run in the same process is not that of the process.
    let spec = project(&context, "unreadable", "test: [\n");
    let (_, end) = follow(host.start(spec).unwrap(), |_| false).await;
    let end = end.unwrap();
    assert_eq!((end.exit_code, end.summary.rejected[0].file.as_str()), (2, "test.yaml"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_refused_a_results_folder_that_another_run_writes_to() {
    let context = Context::new();
    let (server, _) = site();
    let host = host(&context);
    let slow = format!("test: Slow\nsteps:\n  - Open {}\n  - Wait 60 seconds\n", server.url("/"));
    let quick = format!("test: Quick\nsteps:\n  - Open {}\n", server.url("/"));
    let first = project(&context, "first", &slow);
    let results = first.results.clone();
    let in_the_same_folder = || RunSpec { results: results.clone(), ..project(&context, "second", &quick) };
    let mut job = host.start(first).unwrap();
    while let Some(news) = job.news.recv().await {
        if matches!(&news, News::Event(event) if matches!(event.what, RunFact::StepStarted { .. })) {
            break;
        }
    }
    let (facts, refused) = follow(host.start(in_the_same_folder()).unwrap(), |_| false).await;
    let refused = refused.unwrap_err();
    assert_eq!((refused.code, facts.len()), (ErrorCode::ResultsBusy, 0), "{refused:?}");
    assert!(refused.message.contains(&results.display().to_string()), "{refused:?}");
    assert!(refused.hint.is_some_and(|hint| hint.contains("--results")));
    job.stop();
    let first = job.wait().await.unwrap();
    assert_eq!(first.summary.suite, "first", "the journal is its own");
    assert!(first.summary.ending.is_some_and(|ending| ending.interrupted));
    // What was refused left no trace; the folder is free again.
    let (_, second) = follow(host.start(in_the_same_folder()).unwrap(), |_| false).await;
    let second = second.unwrap();
    assert_eq!((second.exit_code, second.summary.suite.as_str()), (0, "second"));
    let coordinator = StateFolder::default().find_in(&context.folder().join("second")).unwrap();
    assert_eq!(coordinator.runs().unwrap().len(), 1);
}

/// Chromium that does not close when it is asked to.
struct Stubborn;

struct StubbornBrowser(Arc<dyn Browser>);

impl Driver for Stubborn {
    fn name(&self) -> &'static str {
        ChromiumDriver.name()
    }

    fn capabilities(&self) -> &'static [Capability] {
        ChromiumDriver.capabilities()
    }

    fn find(&self, program: Option<&Path>, headless: bool) -> Result<PathBuf, DriverError> {
        ChromiumDriver.find(program, headless)
    }

    fn launch(
        &self,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move {
            let browser = ChromiumDriver.launch(options, sink, deadline).await?;
            Ok(Arc::new(StubbornBrowser(browser)) as Arc<dyn Browser>)
        })
    }

    fn connect(
        &self,
        _: String,
        _: LaunchOptions,
        _: Arc<dyn EventSink>,
        _: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        unreachable!("nobody attaches to it")
    }
}

impl Browser for StubbornBrowser {
    fn info(&self) -> BrowserInfo {
        self.0.info()
    }

    fn capabilities(&self) -> &'static [Capability] {
        self.0.capabilities()
    }

    fn open(&self, context: Option<ContextId>, deadline: Deadline) -> Reply<'_, SurfaceId> {
        self.0.open(context, deadline)
    }

    fn opens_at(&self) -> bool {
        self.0.opens_at()
    }

    fn open_at(&self, context: Option<ContextId>, url: String, deadline: Deadline) -> Reply<'_, SurfaceId> {
        self.0.open_at(context, url, deadline)
    }

    fn open_context(&self, deadline: Deadline) -> Reply<'_, ContextId> {
        self.0.open_context(deadline)
    }

    fn close_context(&self, context: ContextId, deadline: Deadline) -> Reply<'_, ()> {
        self.0.close_context(context, deadline)
    }

    fn close(&self, _: Deadline) -> Reply<'_, ()> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_counts_while_the_browser_of_a_run_closes() {
    let context = Context::new();
    let (server, _) = site();
    let host = host_with(&context, Arc::new(Stubborn));
    let quick = format!("test: Quick\nsteps:\n  - Open {}\n", server.url("/"));
    let mut job = host.start(project(&context, "quick", &quick)).unwrap();
    let end = tokio::time::timeout(Duration::from_secs(50), async {
        while let Some(news) = job.news.recv().await {
            if matches!(news, News::Over) {
                job.stop();
            }
        }
        job.wait().await.unwrap()
    });
    let end = end.await.expect("nobody waits for a browser that does not close");
    assert_eq!(end.summary.tests[0].verdict(), Some(Verdict::Passed));
    assert_eq!(end.exit_code, 130);
    assert_nothing_is_left(&context);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_file_is_named_as_seen_from_the_folder_of_its_run() {
    let context = Context::new();
    let (server, _) = site();
    let test = format!("test: Locked\nsteps:\n  - Open {}\n", server.url("/"));
    let spec = project(&context, "locked", &test);
    std::fs::write(spec.folder.join("test.lock.yaml"), "version: [\n").unwrap();
    let mut job = host(&context).start(spec).unwrap();
    let mut notes = Vec::new();
    while let Some(news) = job.news.recv().await {
        if let News::Note(note) = news {
            notes.push(note);
        }
    }
    assert_eq!(job.wait().await.unwrap().exit_code, 0);
    assert!(notes.iter().any(|note| note.starts_with("nothing is replayed: test.lock.yaml:")), "{notes:?}");
}
