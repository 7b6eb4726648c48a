//! The engines that are tested, and sessions of each.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use assay_testkit::conformance::{Hands, Reply};

use crate::context::{Context, said};

/// The engines whose maps are compared, the first with the others.
pub const ACTIVE: &[&str] = &["chromium", "firefox", "webkit"];

#[derive(Clone, Copy, PartialEq)]
pub enum Window {
    None,
    /// On a display of its own that nobody sees.
    Shown,
}

/// One session of one engine.
pub struct Session {
    engine: &'static str,
    window: Option<Display>,
    pub context: Context,
}

impl Session {
    /// Starts the browser; an engine that is not installed fails here, with what to install.
    pub fn start(engine: &'static str, window: Window) -> Session {
        let window = (window == Window::Shown).then(Display::start);
        let session = Session { engine, window, context: Context::new() };
        let opened = session.run(&["go", &session.context.url("/crash")]);
        if opened.exit != 0 {
            let setup = session.run(&["setup", "--dry-run", "--browser", engine]);
            panic!(
                "{engine} does not start: {}\nto install what it needs: assay setup --browser {engine}\n{}",
                opened.stderr, setup.stdout
            );
        }
        session
    }

    pub fn run(&self, words: &[&str]) -> Reply {
        let said = said(self.command(words));
        Reply { exit: said.code, stdout: said.out, stderr: said.err }
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = self.context.command(words);
        command.env("ASSAY_BROWSER", self.engine);
        if let Some(display) = &self.window {
            command.env("DISPLAY", &display.name).env("ASSAY_HEADLESS", "0");
        }
        command
    }

    /// Standard output of a command that must work.
    #[track_caller]
    pub fn ok(&self, words: &[&str]) -> String {
        let reply = self.run(words);
        assert_eq!(reply.exit, 0, "{}: assay {words:?}:\n{}\n{}", self.engine, reply.stdout, reply.stderr);
        reply.stdout
    }
}

impl Hands for Session {
    fn act(&mut self, words: &[&str]) -> Reply {
        self.run(words)
    }

    fn folder(&self) -> &Path {
        self.context.folder()
    }

    fn renew(&mut self) {
        self.run(&["close"]);
    }
}

/// A display for windows that nobody has to see.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn start() -> Display {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|err| panic!("Xvfb does not start: {err}; apt install xvfb"));
        let mut number = String::new();
        let mut output = std::io::BufReader::new(server.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut output, &mut number).unwrap();
        Display { server, name: format!(":{}", number.trim()) }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The browser goes before its display.
        self.run(&["session", "stop", "--all"]);
        if let Some(display) = &mut self.window {
            let _gone_already = display.server.kill();
            let _reaped = display.server.wait();
        }
    }
}
