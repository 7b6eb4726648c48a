//! The tools of an agent, carried out by this program in the name of its user.

use std::cell::RefCell;
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use assay_agent::{Consent, ToolRunner};
use assay_coordinator::AgentSessionId;
use assay_protocol::Agreed;
use assay_tools::{CallSpec, Group, Picture, Program, Tool, ToolAnswer, call};
use serde_json::{Map, Value, json};

use crate::command::Invocation;
use crate::commands::DEFAULT_RESULTS;
use crate::environment::Environment;
use crate::output::tell;
use crate::own_program::OwnProgram;

pub struct AgentRunner<'a> {
    pub invocation: &'a Invocation,
    pub environment: &'a Environment,
    /// The user agrees to everything.
    pub is_agreed: bool,
    /// Somebody is there to be asked.
    pub can_ask: bool,
    /// The session whose turn this is; browsers that it opens are called after it, so that a process that goes on with it
    /// finds them.
    turn: Option<AgentSessionId>,
    driven: RefCell<Option<Driven>>,
}

/// The device that tools for pages and for navigation act on.
#[derive(Clone)]
struct Driven {
    device: String,
    session: String,
    /// The browser to open there; none for one that is open.
    browser: Option<String>,
}

impl<'a> AgentRunner<'a> {
    pub fn new(
        invocation: &'a Invocation,
        environment: &'a Environment,
        turn: Option<AgentSessionId>,
        is_agreed: bool,
        can_ask: bool,
    ) -> Self {
        AgentRunner { invocation, environment, is_agreed, can_ask, turn, driven: RefCell::new(None) }
    }

    /// What is said of a device decides where the browser tools act from now on.
    fn follow(&self, tool: &Tool, arguments: &Map<String, Value>, answer: &ToolAnswer) {
        let Some(device) = arguments.get("device").and_then(Value::as_str).filter(|_| !answer.is_error)
        else {
            return;
        };
        let session = assay_host::session_of_device(device).map(str::to_string);
        match tool.name {
            "take_control" => {
                let driven = match session {
                    Some(session) => Driven { device: device.to_string(), session, browser: None },
                    None => Driven {
                        device: device.to_string(),
                        session: match self.turn {
                            Some(turn) => format!("agent-turn{turn}-{device}"),
                            None => format!("agent-{}-{device}", std::process::id()),
                        },
                        browser: Some(device.to_string()),
                    },
                };
                *self.driven.borrow_mut() = Some(driven);
            }
            // To look at an open browser needs no control.
            "get_device_info" if self.driven.borrow().is_none() => {
                let driven =
                    session.map(|session| Driven { device: device.to_string(), session, browser: None });
                *self.driven.borrow_mut() = driven;
            }
            "release_control" => {
                self.let_go(device);
            }
            _ => {}
        }
    }

    /// Ends the browser that was opened for a device.
    fn let_go(&self, device: &str) {
        let driven = self.driven.borrow().clone().filter(|driven| driven.device == device);
        if let Some(driven) = driven {
            self.end(&driven);
            *self.driven.borrow_mut() = None;
        }
    }

    fn end(&self, driven: &Driven) {
        if driven.browser.is_some() {
            let program = OwnProgram::of_user(self.invocation, self.environment);
            let words = ["session", "stop", driven.session.as_str()].map(str::to_string);
            // It ends when it is idle anyway.
            let _ended =
                program.run_command(&Self::spec(&driven.session, &Agreed::Nothing, &|| false), &words);
        }
    }

    fn spec<'s>(session: &'s str, agreed: &'s Agreed, is_stopped: &'s dyn Fn() -> bool) -> CallSpec<'s> {
        const QUIET: &dyn Fn(&str) = &|_| {};
        const ALOUD: &dyn Fn(&str) = &|line| tell(&format!("  {line}"));
        let is_watched = std::io::stderr().is_terminal();
        CallSpec { session, agreed, tell: if is_watched { ALOUD } else { QUIET }, is_stopped }
    }

    /// A picture is kept beside the reports, so that an answer can name it.
    fn with_picture(&self, answer: ToolAnswer) -> ToolAnswer {
        let Some(picture) = &answer.picture else { return answer };
        match kept(picture, self.now_ms()) {
            Ok(file) => ToolAnswer { value: Some(json!({ "picture": file })), ..answer },
            Err(err) => {
                tell(&format!("note: the picture could not be kept: {err}"));
                answer
            }
        }
    }
}

fn kept(picture: &Picture, now: u64) -> std::io::Result<String> {
    let ending = picture.media_type.rsplit('/').next().unwrap_or("png");
    let file = format!("{DEFAULT_RESULTS}/agent/{now}.{ending}");
    std::fs::create_dir_all(Path::new(DEFAULT_RESULTS).join("agent"))?;
    std::fs::write(&file, &picture.bytes)?;
    Ok(file)
}

impl Drop for AgentRunner<'_> {
    fn drop(&mut self) {
        if let Some(driven) = self.driven.borrow_mut().take() {
            self.end(&driven);
        }
    }
}

impl ToolRunner for AgentRunner<'_> {
    fn call(
        &self,
        tool: &'static Tool,
        arguments: Map<String, Value>,
        agreed: &Agreed,
        is_stopped: &dyn Fn() -> bool,
    ) -> ToolAnswer {
        let acts_there = matches!(tool.group, Group::Browser | Group::Navigation);
        let driven = self.driven.borrow().clone().filter(|_| acts_there);
        let mut invocation = self.invocation.clone();
        let mut session = invocation.session.clone();
        if let Some(driven) = driven {
            session = driven.session;
            if let Some(browser) = driven.browser {
                invocation.browser.engine = Some(browser);
            }
        }
        let program = OwnProgram::of_user(&invocation, self.environment);
        let agreed = match agreed {
            Agreed::Nothing if self.is_agreed => Agreed::Everything,
            agreed => agreed.clone(),
        };
        let answer = call(tool, arguments.clone(), &program, &Self::spec(&session, &agreed, is_stopped));
        self.follow(tool, &arguments, &answer);
        self.with_picture(answer)
    }

    fn ask_consent(&self, question: &str) -> Consent {
        if self.is_agreed {
            return Consent::Given;
        }
        if !self.can_ask {
            return Consent::Nobody;
        }
        eprint!("{question} [y/N] ");
        // Without an answer it is no.
        let _shown = std::io::stderr().flush();
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(_) if matches!(line.trim().to_lowercase().as_str(), "y" | "yes") => Consent::Given,
            Ok(_) | Err(_) => Consent::Refused,
        }
    }

    fn now_ms(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_millis() as u64).unwrap_or_default()
    }

    fn remember(&self, tool: &'static Tool, arguments: &Map<String, Value>, answer: &ToolAnswer) {
        self.follow(tool, arguments, answer);
    }

    /// The report that a run of tests or of a script wrote.
    fn report(&self, answer: &Value) -> Option<String> {
        let run = answer.get("run").and_then(Value::as_str).unwrap_or_default();
        let places = [
            format!("{DEFAULT_RESULTS}/scripts/{run}/report.html"),
            format!("{DEFAULT_RESULTS}/report.html"),
        ];
        places.into_iter().find(|file| Path::new(file).is_file())
    }
}
