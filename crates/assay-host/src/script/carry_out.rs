//! One run of a script, from its first check to its reports.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use assay_coordinator::{RunOpening, this_process};
use assay_protocol::{
    CommandRecord, ErrorCode, Failure, LockName, MaskText, Part, RunEvent, RunFact, TestLine, Verdict,
};
use assay_report::exit_code;
use assay_runner::EventLog;
use assay_suite::{ProgramCall, ReadyScript, ScriptWork, TestCase, ready_script};

use super::process::{self, ProgramEnd, ProgramOutcome, STDERR, STDOUT};
use super::spec::ScriptSpec;
use super::trouble::script_failure;
use crate::coverage::script_fingerprint;
use crate::devices::{DeviceControl, LOCAL};
use crate::host::Host;
use crate::job::{Desk, News};
use crate::run::{
    ClaimedRun, HeldResults, LockMode, ProjectServers, RunEnd, RunRecorder, RunSpec, StartCommand,
    TestChoice, carry_out_prepared, orphan_words, prepare_script, recorder_of, run_name, write_reports,
};
use crate::state::state_failure;
use crate::wishes::ProjectWishes;

/// How long a program may take if nobody says.
const USUAL_TIME: Duration = Duration::from_secs(600);
/// In the folder of a run's results.
const ARTIFACTS: &str = "artifacts";
/// More artifacts are counted, not named.
const NAMED_ARTIFACTS: usize = 20;

pub(crate) fn carry_out(host: &Host, spec: ScriptSpec, desk: &Desk) -> Result<RunEnd, Failure> {
    let context = &host.context;
    let names = context.drivers.names();
    let ready = ready_script(&spec.folder, &spec.name, &spec.parameters, &names, &*context.variables)
        .map_err(script_failure)?;
    if let Some(device) = &spec.device {
        DeviceControl::in_runtime_folder(&spec.browser.place.folder).check(&[device], &context.owner)?;
    }
    let spec = ScriptSpec { start: masked(spec.start, &ready.work), ..spec };
    let run = run_name(host.next_run());
    let results = spec.results.join("scripts").join(&run);
    match &ready.work {
        ScriptWork::Steps(test) => {
            let test = (**test).clone();
            of_steps(host, spec, ready, &test, results, desk)
        }
        ScriptWork::Program(call) => {
            let call = call.clone();
            check_trust(host, &spec, &ready, &call)?;
            Program { host, spec, ready, call, run, results }.perform(desk)
        }
    }
}

/// The command line goes on record and is shown to other processes: without the values of secrets.
fn masked(start: StartCommand, work: &ScriptWork) -> StartCommand {
    let secrets = match work {
        ScriptWork::Program(call) => &call.secrets,
        ScriptWork::Steps(test) => &test.secrets,
    };
    let arguments = start.arguments.iter().map(|word| secrets.mask(word)).collect();
    StartCommand { arguments, ..start }
}

/// Steps run as those of a test do.
fn of_steps(
    host: &Host,
    spec: ScriptSpec,
    ready: ReadyScript,
    test: &TestCase,
    results: PathBuf,
    desk: &Desk,
) -> Result<RunEnd, Failure> {
    let mut test = test.clone();
    if let Some(time) = spec.timeout {
        test.timeouts.test = Some(time);
    }
    let browsers = match &spec.device {
        Some(device) if host.context.drivers.names().contains(&device.as_str()) => vec![device.clone()],
        Some(device) => {
            let message = format!("a script of steps runs in a browser of its own, not in `{device}`");
            return Err(Failure::new(ErrorCode::Usage, message)
                .hint(format!("devices: {}", host.context.drivers.names().join(", "))));
        }
        None => Vec::new(),
    };
    // A name of its own: a run of tests may be under way in the session.
    let session = format!("script-{}-{}", std::process::id(), now());
    let run = RunSpec {
        name: None,
        folder: spec.folder,
        paths: Vec::new(),
        choice: TestChoice { repeat: 1, ..TestChoice::default() },
        workers: Some(1),
        own_browser: false,
        fail_fast: false,
        strict: false,
        locks: LockMode::Ignore,
        draft_of: None,
        proves: false,
        slow: Duration::ZERO,
        retries: None,
        browsers,
        base_url: spec.base_url,
        reports: spec.reports,
        results,
        pictures: true,
        trust: spec.trust,
        models: spec.models,
        session,
        browser: spec.browser,
        start: spec.start,
        resuming: None,
        servers: ProjectServers::Started,
        witness: None,
    };
    let prepared = prepare_script(&host.context, &run, ready, &test)?;
    carry_out_prepared(host, run, prepared, desk)
}

/// A script is code: it runs only where its user trusts the project.
fn check_trust(
    host: &Host,
    spec: &ScriptSpec,
    ready: &ReadyScript,
    call: &ProgramCall,
) -> Result<(), Failure> {
    let root = &ready.project.root;
    if spec.trust || host.context.trusted.contains(root) {
        return Ok(());
    }
    let wishes = ProjectWishes {
        commands: vec![shown(call, root)],
        environment: ready.environment.clone(),
        ..ProjectWishes::default()
    };
    Err(wishes.refusal(root))
}

/// The command for people, with its program as seen from the project.
fn shown(call: &ProgramCall, root: &Path) -> String {
    let program = call.program.strip_prefix(root).unwrap_or(&call.program).display().to_string();
    let words = std::iter::once(program).chain(call.arguments.iter().cloned());
    let words: Vec<String> = words.map(|word| call.secrets.mask(&word)).collect();
    words.join(" ")
}

struct Program<'h> {
    host: &'h Host,
    spec: ScriptSpec,
    ready: ReadyScript,
    call: ProgramCall,
    run: String,
    results: PathBuf,
}

impl Program<'_> {
    fn perform(self, desk: &Desk) -> Result<RunEnd, Failure> {
        let context = &self.host.context;
        let coordinator = context.state.open_for(&self.ready.project, &self.spec.folder)?;
        for task in coordinator.pause_orphans().map_err(state_failure)? {
            desk.note(orphan_words(&task));
        }
        let owner = this_process(&self.spec.start.command_line()).map_err(state_failure)?;
        // Of its own: a script may start runs of tests, which take the session.
        let lock = LockName::Session(format!("script-{}", self.run));
        let lease = coordinator.acquire(&lock, &owner).map_err(state_failure)?;
        let _results = HeldResults::take(&self.results)?;
        let opening = RunOpening {
            run: self.run.clone(),
            suite: self.ready.project.suite.clone(),
            results: self.results.clone(),
            order: serde_json::to_value(&self.spec.start).unwrap_or_default(),
            owner,
        };
        let claimed = ClaimedRun::begin(coordinator, lease, &opening)?;
        let recorder = recorder_of(&self.results, claimed, &[], desk)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|err| {
            Failure::new(ErrorCode::Io, format!("could not start the async runtime: {err}"))
        })?;
        runtime.block_on(self.record(&recorder, desk))?;
        let RunRecorder { trouble, claimed, .. } = recorder;
        desk.post(News::Over);
        let root = self.ready.project.root.clone();
        let (summary, written) = write_reports(&self.results, &self.spec.reports, &root, claimed)?;
        if let Some(trouble) = trouble.into_inner() {
            return Err(trouble);
        }
        written?;
        let exit_code = if desk.is_stopped() { ErrorCode::Stopped.exit_code() } else { exit_code(&summary) };
        Ok(RunEnd { summary, results: self.results, root, exit_code })
    }

    /// Runs the program, with everything that happens on record first.
    async fn record(&self, recorder: &RunRecorder, desk: &Desk) -> Result<(), Failure> {
        let script = &self.ready.script;
        let test = script.id();
        let tell = |mut what: RunFact| {
            what.mask_text(&self.call.secrets);
            recorder.event(RunEvent { at: now(), what });
        };
        let command = shown(&self.call, &self.ready.project.root);
        tell(RunFact::RunStarted {
            run: self.run.clone(),
            suite: self.ready.project.suite.clone(),
            tests: vec![self.line()],
            workers: 1,
            strict: false,
        });
        tell(RunFact::TestStarted { test: test.clone(), attempt: 1, worker: 0 });
        tell(RunFact::StepStarted {
            test: test.clone(),
            step: 1,
            part: Part::Step,
            text: format!("Run {command}"),
        });
        // It may change anything: it is never run again silently.
        tell(RunFact::CommandStarted {
            test: test.clone(),
            step: 1,
            command: command.clone(),
            pilot: "exact".to_string(),
            commits: true,
            lasting: None,
        });
        if let Some(trouble) = recorder.trouble() {
            return Err(trouble);
        }
        let outcome = self.run_program(recorder, desk).await?;
        let duration_ms = outcome.duration.as_millis() as u64;
        let (verdict, reason) = self.verdict_of(&outcome);
        tell(RunFact::Command {
            test: test.clone(),
            step: 1,
            record: Box::new(CommandRecord {
                command,
                pilot: "exact".to_string(),
                ok: verdict == Verdict::Passed,
                outcome: end_words(&outcome.end),
                commits: true,
                duration_ms,
                ..CommandRecord::default()
            }),
        });
        for text in self.notes(&outcome) {
            tell(RunFact::Note { test: test.clone(), step: Some(1), text });
        }
        tell(RunFact::StepFinished {
            test: test.clone(),
            step: 1,
            verdict,
            reason: reason.clone(),
            judgements: Vec::new(),
            marks: Vec::new(),
            duration_ms,
            own_us: None,
        });
        let interrupted = outcome.end == ProgramEnd::Stopped;
        tell(RunFact::TestFinished {
            test,
            attempt: 1,
            verdict,
            reason,
            flaky: false,
            will_retry: false,
            interrupted,
            claims_nothing: false,
            last_page: None,
            duration_ms,
        });
        tell(RunFact::RunFinished { interrupted, duration_ms });
        Ok(())
    }

    async fn run_program(&self, recorder: &RunRecorder, desk: &Desk) -> Result<ProgramOutcome, Failure> {
        let artifacts = self.results.join(ARTIFACTS);
        let failed = |err: std::io::Error| {
            Failure::new(ErrorCode::Io, format!("could not keep what the script writes: {err}"))
        };
        std::fs::create_dir_all(&artifacts).map_err(failed)?;
        let artifacts = artifacts.canonicalize().map_err(failed)?;
        let time = self.time();
        let stopped = async {
            tokio::select! {
                () = desk.stopped() => {}
                status = recorder.claimed.until_told_to_end() => {
                    desk.note(format!("the script was {}", status.name()));
                }
            }
        };
        let lender = self.host.lender();
        process::run(&self.call, &self.variables(&artifacts), &self.results, time, &lender, stopped)
            .await
            .map_err(failed)
    }

    fn time(&self) -> Duration {
        self.spec.timeout.or(self.ready.script.timeout).unwrap_or(USUAL_TIME)
    }

    fn line(&self) -> TestLine {
        let script = &self.ready.script;
        TestLine {
            id: script.id(),
            name: script.title.clone().unwrap_or_else(|| script.name.clone()),
            file: script.file.display().to_string(),
            browser: String::new(),
            tags: script.tags.clone(),
            requirements: script.requirements.iter().map(|link| link.code.clone()).collect(),
            links: script.requirements.clone(),
            fingerprint: script_fingerprint(script),
            basis: Default::default(),
        }
    }

    /// What a script may want to know, beside its parameters.
    fn variables(&self, artifacts: &Path) -> Vec<(String, String)> {
        let project = &self.ready.project;
        let mut variables = vec![
            ("ASSAY_ARTIFACTS".to_string(), artifacts.display().to_string()),
            ("ASSAY_SCRIPT".to_string(), self.ready.script.name.clone()),
            ("ASSAY_PROJECT".to_string(), project.root.display().to_string()),
            ("ASSAY_HOST".to_string(), LOCAL.to_string()),
        ];
        let base_url = self.spec.base_url.as_ref().or(project.base_url.as_ref());
        variables.extend(base_url.map(|url| ("ASSAY_BASE_URL".to_string(), url.clone())));
        if let Some(device) = &self.spec.device {
            variables.push(("ASSAY_DEVICE".to_string(), device.clone()));
            // Commands of ours that the script starts work with that device.
            variables.push(match device.strip_prefix("session:") {
                Some(session) => ("ASSAY_SESSION".to_string(), session.to_string()),
                None => ("ASSAY_BROWSER".to_string(), device.clone()),
            });
        }
        variables
    }

    fn verdict_of(&self, outcome: &ProgramOutcome) -> (Verdict, String) {
        let last = [&outcome.err.last, &outcome.out.last].into_iter().find(|line| !line.is_empty());
        let said = last.map(|line| format!(": {line}")).unwrap_or_default();
        match &outcome.end {
            ProgramEnd::Exited(0) => (Verdict::Passed, String::new()),
            ProgramEnd::Exited(_) => (Verdict::Failed, format!("{}{said}", end_words(&outcome.end))),
            ProgramEnd::TimedOut => {
                let seconds = self.time().as_secs_f64();
                (Verdict::Error, format!("the script did not finish within {seconds} s, and was ended"))
            }
            ProgramEnd::Signalled(_) | ProgramEnd::Stopped | ProgramEnd::NotStarted(_) => {
                (Verdict::Error, end_words(&outcome.end))
            }
        }
    }

    /// Where its output and its artifacts are, relative to the folder of the run.
    fn notes(&self, outcome: &ProgramOutcome) -> Vec<String> {
        let mut notes = Vec::new();
        for (file, log) in [(STDOUT, &outcome.out), (STDERR, &outcome.err)] {
            let cut = if log.is_cut { ", cut off" } else { "" };
            match log.lines {
                0 => {}
                1 => notes.push(format!("{file}: 1 line{cut}")),
                lines => notes.push(format!("{file}: {lines} lines{cut}")),
            }
        }
        if !outcome.out.last.is_empty() {
            notes.push(format!("last line: {}", outcome.out.last));
        }
        let mut artifacts = Vec::new();
        files_in(&self.results.join(ARTIFACTS), ARTIFACTS, &mut artifacts);
        artifacts.sort();
        let more = artifacts.len().saturating_sub(NAMED_ARTIFACTS);
        artifacts.truncate(NAMED_ARTIFACTS);
        notes.extend(artifacts.into_iter().map(|path| format!("artifact: {path}")));
        if more > 0 {
            notes.push(format!("and {more} more artifacts"));
        }
        let values: Vec<String> =
            self.ready.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !values.is_empty() {
            notes.push(format!("parameters: {}", values.join(", ")));
        }
        notes
    }
}

/// The files below a folder, by their paths. Links are named, not followed.
fn files_in(folder: &Path, named: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{named}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            files_in(&entry.path(), &name, found);
        } else {
            found.push(name);
        }
    }
}

fn end_words(end: &ProgramEnd) -> String {
    match end {
        ProgramEnd::Exited(code) => format!("exit code {code}"),
        ProgramEnd::Signalled(signal) => format!("ended by signal {signal}"),
        ProgramEnd::TimedOut => "ended, because its time was up".to_string(),
        ProgramEnd::Stopped => "stopped".to_string(),
        ProgramEnd::NotStarted(reason) => format!("could not be started: {reason}"),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
