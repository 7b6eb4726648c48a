//! A project with agents, and a stand-in for the server of a model: what tests of agents begin with.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assay_testkit::models::{Api, Pieces, StandIn, Turn};
use serde_json::Value;

use crate::context::{Context, Said, said};

/// A trusted project with tests, scripts and a requirement, and a model to talk to.
pub struct Desk {
    pub context: Context,
    pub stand_in: StandIn,
}

const KEY: &str = "sk-ant-0123456789";

impl Desk {
    pub fn new() -> Desk {
        Desk::with(Api::Anthropic)
    }

    pub fn with(api: Api) -> Desk {
        let desk = Desk::prepared(api);
        desk.context.ok(&["trust"]);
        desk
    }

    pub fn untrusted() -> Desk {
        Desk::prepared(Api::Anthropic)
    }

    fn prepared(api: Api) -> Desk {
        let desk = Desk { context: Context::new(), stand_in: StandIn::start(api) };
        desk.stand_in.in_pieces(Pieces::Of(4096));
        let url = desk.context.url("");
        desk.write(
            "assay.yaml",
            &format!("suite: shop\nbase_url: {}\ntests: tests/*.yaml\n", url.trim_end_matches('/')),
        );
        desk.write(
            "tests/login.yaml",
            "test: Login page\nsteps:\n  - Go to /login\nexpected:\n  - I should see \"Log in\"\n",
        );
        desk.write(
            "tests/wrong.yaml",
            "test: Wrong page\nsteps:\n  - Go to /login\nexpected:\n  - I should see \"Checkout\"\n",
        );
        desk.write(
            "scripts/goto.yaml",
            "script: Goto\nrun: ./goto.sh\nparameters:\n  code: {type: integer, default: 0}\n",
        );
        desk.write(
            "scripts/goto.sh",
            "#!/bin/sh\necho run >> \"$HOME/runs.txt\"\nexit ${ASSAY_PARAM_CODE}\n",
        );
        desk.write(
            "requirements/shop.yaml",
            "- code: REQ-1\n  name: Log in\n  description: Users log in\n  priority: high\n",
        );
        desk
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.context.folder().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        if text.starts_with("#!") {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// A command with the stand-in as the server of the model.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.context.command(arguments);
        command
            .env("DEFAULT_MODEL", "anthropic/claude-sonnet-4-6")
            .env("ANTHROPIC_BASE_URL", self.stand_in.base())
            .env("ANTHROPIC_API_KEY", KEY)
            .env("ASSAY_RETRY_DELAY", "0");
        command
    }

    pub fn say(&self, arguments: &[&str]) -> Said {
        said(self.command(arguments))
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let said = self.say(&[arguments, &["--json"]].concat());
        serde_json::from_str(&said.out).unwrap_or_else(|err| panic!("{arguments:?}: {err}: {said:?}"))
    }

    pub fn loads(&self, skill: &str) -> &Desk {
        self.stand_in.next(Turn::text(&format!("LOAD SKILL {skill}")));
        self
    }

    pub fn calls(&self, tool: &str, arguments: Value) -> &Desk {
        self.stand_in.next(Turn::call(tool, arguments));
        self
    }

    pub fn answers(&self, text: &str) -> &Desk {
        self.stand_in.next(Turn::text(text));
        self
    }

    /// How often the script has run.
    pub fn runs(&self) -> usize {
        let text = std::fs::read_to_string(self.context.folder().join("runs.txt")).unwrap_or_default();
        text.lines().count()
    }

    /// The texts of the last request to the model.
    pub fn last_asked(&self) -> String {
        self.stand_in.asked().last().unwrap().text()
    }
}

pub fn start(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[track_caller]
pub fn await_that(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(120), "it did not come to pass");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The processes whose environment names the folder.
pub fn living(folder: &Path) -> Vec<u32> {
    let mark = format!("HOME={}", folder.display());
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).split('\0').any(|line| line == mark)
    })
    .collect()
}
