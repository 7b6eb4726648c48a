//! What every test gets: a folder, a daemon and a browser of its own, and the fixture site.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use assay_testkit::Server;

pub struct Context {
    folder: PathBuf,
    pub site: Server,
}

/// What a command said.
#[derive(Debug)]
pub struct Said {
    pub out: String,
    pub err: String,
    pub code: i32,
}

static COUNT: AtomicU32 = AtomicU32::new(0);

impl Context {
    pub fn new() -> Context {
        // Short, because sockets have short paths.
        let name = format!("at-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Context { folder, site: assay_testkit::fixture_site() }
    }

    /// A context whose page is open already.
    pub fn on(path: &str) -> Context {
        let context = Context::new();
        context.go(path);
        context
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn url(&self, path: &str) -> String {
        self.site.url(path)
    }

    /// The command, with nothing of the caller's environment that could change it.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        for (name, _) in std::env::vars() {
            let is_of_models =
                name == "DEFAULT_MODEL" || name.ends_with("_API_KEY") || name.ends_with("_BASE_URL");
            if is_of_models
                || name.starts_with("ASSAY_")
                || name == "CI"
                || name == "DISPLAY"
                || name == "WAYLAND_DISPLAY"
            {
                command.env_remove(name);
            }
        }
        command
            .args(arguments)
            .env("ASSAY_RUNTIME_DIR", self.folder.join("r"))
            .env("ASSAY_STATE", self.folder.join("state"))
            .env("HOME", &self.folder)
            .current_dir(&self.folder)
            .stdin(Stdio::null());
        // For a look at how far another engine gets: TEST_BROWSER=firefox cargo nextest run.
        if let Ok(engine) = std::env::var("TEST_BROWSER") {
            command.env("ASSAY_BROWSER", engine);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Said {
        said(self.command(arguments))
    }

    /// Standard output of a command that must work.
    #[track_caller]
    pub fn ok(&self, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_eq!(said.code, 0, "assay {arguments:?} failed:\n{}\n{}", said.out, said.err);
        said.out
    }

    /// Standard error and exit code of a command that must not work.
    #[track_caller]
    pub fn fails(&self, code: i32, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_eq!(said.code, code, "assay {arguments:?}:\n{}\n{}", said.out, said.err);
        said.err
    }

    #[track_caller]
    pub fn go(&self, path: &str) -> String {
        self.ok(&["go", &self.url(path)])
    }

    /// What the page recorded, in order.
    #[track_caller]
    pub fn log(&self) -> Vec<String> {
        serde_json::from_str(&self.ok(&["eval", "JSON.stringify(window.log)"])).unwrap()
    }

    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let said = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_str(&said.out).unwrap_or_else(|err| panic!("{arguments:?}: {err}: {said:?}"))
    }
}

pub fn said(mut command: Command) -> Said {
    let output = command.output().unwrap();
    Said {
        out: String::from_utf8_lossy(&output.stdout).trim_end().to_string(),
        err: String::from_utf8_lossy(&output.stderr).trim_end().to_string(),
        code: output.status.code().unwrap_or(-1),
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.run(&["session", "stop", "--all"]);
        let _removed = std::fs::remove_dir_all(&self.folder);
    }
}
