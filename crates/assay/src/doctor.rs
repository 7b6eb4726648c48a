//! `doctor`: checks the surroundings and names the command that mends each trouble.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use assay_daemon::{find_leftovers, run_once};
use assay_protocol::{Action, Ask, Format, Outcome, PROTOCOL_VERSION, Request};
use assay_wire::Package;

use crate::command::Invocation;
use crate::connect::{free_space, oneshot_settings, runtime_folder, settings};
use crate::engines::{ENGINES, Engine, driver, engine};
use crate::environment::{Environment, build};
use crate::output::{print_failure, print_json, print_line};
use crate::setup::has_fonts;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Health {
    Good,
    /// Works, but something is worth knowing.
    Note,
    Bad,
}

struct Finding {
    subject: &'static str,
    health: Health,
    text: String,
    fix: Option<String>,
}

fn good(subject: &'static str, text: impl Into<String>) -> Finding {
    Finding { subject, health: Health::Good, text: text.into(), fix: None }
}

fn note(subject: &'static str, text: impl Into<String>, fix: Option<String>) -> Finding {
    Finding { subject, health: Health::Note, text: text.into(), fix }
}

fn bad(subject: &'static str, text: impl Into<String>, fix: impl Into<String>) -> Finding {
    Finding { subject, health: Health::Bad, text: text.into(), fix: Some(fix.into()) }
}

pub fn run(invocation: &Invocation, environment: &Environment) -> ExitCode {
    let asked = match engine(invocation.browser.engine.as_deref()) {
        Ok(engine) => engine,
        Err(failure) => return print_failure(&failure, invocation.format == Format::Json),
    };
    let mut findings: Vec<Finding> =
        ENGINES.iter().map(|engine| browser(engine, engine.name == asked.name, environment)).collect();
    findings.push(sandbox());
    findings.push(fonts());
    findings.push(display(environment));
    findings.extend(sockets(invocation, environment));
    findings.push(memory());
    findings.push(start(invocation, environment));
    let broken = findings.iter().any(|finding| finding.health == Health::Bad);
    if invocation.format == Format::Json {
        let list: Vec<serde_json::Value> = findings
            .iter()
            .map(|finding| {
                let health = match finding.health {
                    Health::Good => "ok",
                    Health::Note => "note",
                    Health::Bad => "broken",
                };
                serde_json::json!({ "subject": finding.subject, "health": health, "text": finding.text, "fix": finding.fix })
            })
            .collect();
        print_json(&serde_json::json!({ "ok": !broken, "data": { "findings": list } }));
    } else {
        for finding in &findings {
            let mark = match finding.health {
                Health::Good => "ok  ",
                Health::Note => "note",
                Health::Bad => "BAD ",
            };
            print_line(&format!("{mark} {:<9} {}", finding.subject, finding.text));
            if let Some(fix) = &finding.fix {
                print_line(&format!("     {:<9} run: {fix}", ""));
            }
        }
    }
    if broken { ExitCode::from(4) } else { ExitCode::SUCCESS }
}

/// Only the engine that would be used must be there; of the others it is worth knowing.
fn browser(engine: &Engine, asked: bool, environment: &Environment) -> Finding {
    let named = environment.program(engine);
    let driver = (engine.driver)();
    let found = match driver.find(named.map(Path::new), true) {
        Ok(found) => found,
        Err(_) if named.is_some() => {
            let text =
                format!("{} names {}, which is not a program", engine.variable, named.unwrap_or_default());
            return bad(engine.name, text, format!("unset {}", engine.variable));
        }
        Err(err) => {
            let fix = format!("assay setup --browser {}", engine.name);
            return if asked {
                bad(engine.name, err.to_string(), fix)
            } else {
                note(engine.name, "not installed", Some(fix))
            };
        }
    };
    let missing = if named.is_some() { Vec::new() } else { (engine.missing)() };
    let lacking: Vec<&str> = missing.iter().filter_map(Package::name_here).collect();
    if lacking.is_empty() {
        good(engine.name, format!("{}{}", found.display(), version_of(&found)))
    } else {
        let text = format!("{}{}; {} is missing", found.display(), version_of(&found), lacking.join(" "));
        note(engine.name, text, Some(format!("assay setup --browser {}", engine.name)))
    }
}

fn version_of(program: &Path) -> String {
    Command::new(program)
        .arg("--version")
        .stderr(Stdio::null())
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string())
        .ok()
        .filter(|version| !version.is_empty())
        .map(|version| format!(" ({version})"))
        .unwrap_or_default()
}

fn sandbox() -> Finding {
    // SAFETY: a plain system call.
    if unsafe { libc::geteuid() } == 0 {
        return note(
            "sandbox",
            "off, because you are root; open only pages you trust, or use another user",
            None,
        );
    }
    let namespaces = std::fs::read_to_string("/proc/sys/kernel/unprivileged_userns_clone")
        .map_or(true, |text| text.trim() != "0");
    let restricted = std::fs::read_to_string("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
        .is_ok_and(|text| text.trim() == "1");
    if namespaces && !restricted {
        good("sandbox", "user namespaces are available")
    } else if restricted {
        note(
            "sandbox",
            "user namespaces are restricted by AppArmor; a packaged browser has its own rule",
            None,
        )
    } else {
        bad("sandbox", "user namespaces are switched off", "sudo sysctl kernel.unprivileged_userns_clone=1")
    }
}

fn fonts() -> Finding {
    if has_fonts() {
        good("fonts", "installed")
    } else {
        bad("fonts", "none: pages would have no text", "assay setup")
    }
}

fn display(environment: &Environment) -> Finding {
    match &environment.display {
        Some(display) => good("display", display.clone()),
        None => {
            note("display", "none: only --headed needs one", Some("xvfb-run assay --headed …".to_string()))
        }
    }
}

fn sockets(invocation: &Invocation, environment: &Environment) -> Vec<Finding> {
    let folder = match runtime_folder(environment) {
        Ok(folder) => folder,
        Err(failure) => return vec![bad("sockets", failure.message, failure.hint.unwrap_or_default())],
    };
    let mut findings = Vec::new();
    match folder.socket(&invocation.session) {
        Ok(_) => findings.push(good("sockets", format!("{} is private", folder.path().display()))),
        Err(failure) => findings.push(bad("sockets", failure.message, failure.hint.unwrap_or_default())),
    }
    let leftovers = match settings(invocation, environment, &folder) {
        Ok(settings) => find_leftovers(&settings.place),
        Err(failure) => {
            findings.push(bad("display", failure.message, failure.hint.unwrap_or_default()));
            return findings;
        }
    };
    findings.push(if leftovers.is_empty() {
        good("leftovers", "none")
    } else {
        let names: Vec<&str> = leftovers.iter().map(|leftover| leftover.session.as_str()).collect();
        note(
            "leftovers",
            format!("from crashed sessions: {}; the next start removes them", names.join(", ")),
            Some("assay daemon start".to_string()),
        )
    });
    findings
}

fn memory() -> Finding {
    const LITTLE: u64 = 512 * 1024 * 1024;
    match free_space(std::path::Path::new("/dev/shm")) {
        Some(free) if free > LITTLE => good("memory", format!("/dev/shm has {} MB free", free / 1024 / 1024)),
        Some(free) => note(
            "memory",
            format!("/dev/shm has only {} MB free: profiles go to the disk", free / 1024 / 1024),
            None,
        ),
        None => note("memory", "there is no /dev/shm: profiles go to the disk", None),
    }
}

/// The proof: a browser is started, a page opened, and nothing left.
fn start(invocation: &Invocation, environment: &Environment) -> Finding {
    let begun = Instant::now();
    let settings = match oneshot_settings(invocation, environment) {
        Ok(settings) => settings,
        Err(failure) => return bad("start", failure.message, failure.hint.unwrap_or_default()),
    };
    let request = Request {
        version: PROTOCOL_VERSION,
        build: build(),
        ask: Ask::Act(Action::Eval { expression: "6 * 7".to_string() }),
        deadline_ms: 15_000,
        wait: false,
        budget: None,
        format: Format::Text,
        browser: Default::default(),
        allow: Vec::new(),
        by: Default::default(),
    };
    let mut answer = None;
    let driver = match driver(&invocation.browser) {
        Ok(driver) => driver,
        Err(failure) => return bad("start", failure.message, failure.hint.unwrap_or_default()),
    };
    let ran = run_once(driver, settings, [request], |reply| {
        answer = Some(reply.outcome);
        true
    });
    match (ran, answer) {
        (Ok(()), Some(Outcome::Text { text, .. })) if text == "42" => {
            good("start", format!("started, used and closed a browser in {} ms", begun.elapsed().as_millis()))
        }
        (Err(failure), _) | (Ok(()), Some(Outcome::Failed(failure))) => bad(
            "start",
            failure.to_text().replace('\n', "; "),
            failure.hint.unwrap_or_else(|| "assay setup".to_string()),
        ),
        (Ok(()), _) => bad("start", "the browser did not answer as expected", "assay setup"),
    }
}
