//! Browsers elsewhere: real driver programs, a real Selenium Grid, and addresses that are none of them.
//!
//! What is not installed is said and not tried; with `ASSAY_TEST_REMOTE=all` that is a failure.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::context::{Context, Said, said};

/// A browser elsewhere, and a context that uses it. The context is let go of first.
struct Remote {
    context: Context,
    address: String,
    capabilities: String,
    _servers: Vec<Server>,
}

/// A program in a group of its own, which ends with this value.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // Closing its input asks it to end; the group is what it may have left.
        drop(self.0.stdin.take());
        let until = Instant::now() + Duration::from_secs(if self.0.stdout.is_some() { 15 } else { 0 });
        while Instant::now() < until && matches!(self.0.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(50));
        }
        // SAFETY: a plain system call; the group was made for this process.
        unsafe {
            libc::killpg(self.0.id() as libc::pid_t, libc::SIGKILL);
        }
        let _ended = self.0.wait();
    }
}

fn start(command: &mut Command) -> Server {
    // SAFETY: prctl is async-signal-safe and takes no pointers here. Nothing is left when a test is killed.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            Ok(())
        });
    }
    Server(command.process_group(0).stderr(Stdio::null()).spawn().unwrap())
}

/// Drivers that are packages are installed by `make test`: without them nothing would be tried.
fn check_installed(program: &str, package: &str) {
    assert!(Path::new(program).exists(), "{program} is not installed (package {package})");
}

fn not_tried(why: &str) {
    assert!(std::env::var("ASSAY_TEST_REMOTE").as_deref() != Ok("all"), "{why}");
    eprintln!("NOT TRIED: {why}");
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn wait_for_port(port: u16) {
    let until = Instant::now() + Duration::from_secs(20);
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < until, "nothing came up on port {port}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn full_chromium() -> Option<&'static str> {
    ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"]
        .into_iter()
        .find(|path| Path::new(path).exists())
}

fn chrome_capabilities() -> String {
    serde_json::json!({
        "browserName": "chrome",
        "goog:chromeOptions": { "binary": full_chromium(), "args": ["--headless=new", "--no-sandbox"] },
    })
    .to_string()
}

impl Remote {
    /// ChromeDriver; `scheme` may ask for one protocol.
    fn chromedriver(scheme: &str) -> Remote {
        check_installed("/usr/bin/chromedriver", "chromium-driver");
        assert!(full_chromium().is_some(), "the full Chromium is not installed (package chromium)");
        let port = free_port();
        let server =
            start(Command::new("/usr/bin/chromedriver").arg(format!("--port={port}")).stdout(Stdio::null()));
        wait_for_port(port);
        Remote {
            context: Context::new(),
            address: format!("{scheme}127.0.0.1:{port}"),
            capabilities: chrome_capabilities(),
            _servers: vec![server],
        }
    }

    /// WebKit's driver, on a screen of its own.
    fn webkit() -> Remote {
        check_installed("/usr/bin/WebKitWebDriver", "webkit2gtk-driver");
        check_installed("/usr/bin/Xvfb", "xvfb");
        let arguments = ["-displayfd", "1", "-screen", "0", "1920x1200x24", "-nolisten", "tcp"];
        let mut screen = start(Command::new("/usr/bin/Xvfb").args(arguments).stdout(Stdio::piped()));
        let mut number = String::new();
        BufReader::new(screen.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let port = free_port();
        let server = start(
            Command::new("/usr/bin/WebKitWebDriver")
                .arg(format!("--port={port}"))
                .env("DISPLAY", format!(":{}", number.trim()))
                .stdout(Stdio::null()),
        );
        wait_for_port(port);
        Remote {
            context: Context::new(),
            address: format!("127.0.0.1:{port}"),
            capabilities: "{}".to_string(),
            _servers: vec![server, screen],
        }
    }

    /// A real hub with a real node, where they are installed: `scripts/grid --install-only`.
    fn grid(scheme: &str) -> Option<Remote> {
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scripts/grid");
        let mut command = Command::new(script);
        command.arg("--offline").stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Ok(folder) = std::env::var("ASSAY_TEST_GRID") {
            command.args(["--folder", &folder]);
        }
        let mut grid = start(&mut command);
        let mut address = String::new();
        let mut reader = BufReader::new(grid.0.stdout.take().unwrap());
        reader.read_line(&mut address).unwrap();
        if address.is_empty() {
            not_tried("a Selenium Grid is not installed: run scripts/grid --install-only");
            return None;
        }
        // Kept open as a sign that it ends by itself when its input closes.
        grid.0.stdout = Some(reader.into_inner());
        Some(Remote {
            context: Context::new(),
            address: format!("{scheme}{}/?browserName=chrome", address.trim().trim_start_matches("http://")),
            capabilities: "{}".to_string(),
            _servers: vec![grid],
        })
    }

    fn run(&self, arguments: &[&str]) -> Said {
        let mut command = self.context.command(arguments);
        command.env("ASSAY_CONNECT", &self.address).env("ASSAY_CAPABILITIES", &self.capabilities);
        said(command)
    }

    #[track_caller]
    fn ok(&self, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_eq!(said.code, 0, "assay {arguments:?} failed:\n{}\n{}", said.out, said.err);
        said.out
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_ne!(said.code, 0, "assay {arguments:?}:\n{}", said.out);
        said.err
    }

    #[track_caller]
    fn go(&self, path: &str) -> String {
        self.ok(&["go", &self.context.url(path)])
    }

    /// Checks that an answer has all these parts.
    #[track_caller]
    fn says(&self, arguments: &[&str], parts: &[&str]) {
        let out = self.ok(arguments);
        for part in parts {
            assert!(out.contains(part), "assay {arguments:?} lacks `{part}`:\n{out}");
        }
    }
}

/// Whether text can be typed into frames.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameTyping {
    Works,
    /// Known gap of WebKit's driver: keys do not reach the field of a frame that a script gave the focus.
    /// Expected to fail, so that we notice the day it works.
    Fails,
}

/// What every browser elsewhere must be able to do, however it is reached.
fn tour(remote: &Remote, frame_typing: FrameTyping) {
    remote.says(&["go", &remote.context.url("/forms")], &["Forms"]);
    remote.says(&["map"], &["textbox \"Full name\"", "combobox \"Country\"", "button \"Save\""]);
    remote.ok(&["fill", "Full name", "Ada Lövelace"]);
    assert_eq!(remote.ok(&["value", "Full name"]), "Ada Lövelace");
    remote.ok(&["fill", "Full name", "Grace"]);
    assert_eq!(remote.ok(&["value", "Full name"]), "Grace", "filling replaces what was there");
    remote.ok(&["check", "I accept the terms"]);
    remote.ok(&["is", "checked", "I accept the terms"]);

    remote.go("/dialogs");
    remote.says(&["click", "Show alert"], &["\"The tide is high\""]);
    assert!(remote.fails(&["map"]).contains("a dialog is open"));
    remote.says(&["dialog", "accept"], &["alert: undefined"]);
    remote.ok(&["click", "Ask to confirm"]);
    remote.says(&["dialog", "dismiss"], &["confirm: false"]);
    remote.ok(&["click", "Ask for a name"]);
    remote.says(&["dialog", "accept", "Grace"], &["prompt: Grace"]);
    remote.says(&["click", "Show two alerts"], &["First"]);
    remote.says(&["dialog", "accept"], &["Second"]);
    remote.says(&["dialog", "accept"], &["twice: closed"]);
    remote.says(&["click", "Show alert in 200 ms"], &["Late tide"]);
    remote.ok(&["dialog", "accept"]);

    remote.go("/popup");
    remote.says(&["click", "Open a window"], &["new tab t2", "/popup/child"]);
    remote.ok(&["tab-switch", "t2"]);
    remote.ok(&["tab-close"]);
    assert_eq!(remote.ok(&["tabs"]).lines().count(), 1);

    remote.go("/frames");
    remote.ok(&["wait", "button \"Press late\"", "--timeout", "10000"]);
    assert_eq!(remote.ok(&["frames"]).lines().count(), 6);
    for name in ["child", "inner", "cross", "late"] {
        remote.says(&["click", &format!("Press {name}")], &[&format!("Pressed {name}")]);
    }
    let filled = remote.run(&["fill", "Field inner", "x"]).code == 0;
    assert_eq!(filled, frame_typing == FrameTyping::Works, "typing into a frame");
    assert_eq!(remote.ok(&["value", "Field inner"]) == "x", filled);

    remote.go("/spa");
    remote.says(&["click", "link \"Orders\""], &["Orders", "/spa/orders"]);
    remote.says(&["back"], &["Home"]);
    remote.says(&["forward"], &["Orders"]);
    remote.ok(&["reload"]);
    assert_eq!(remote.ok(&["eval", "location.pathname"]), "/spa/orders");

    remote.go("/upload");
    std::fs::write(remote.context.folder().join("up.txt"), "hello\n").unwrap();
    remote.says(&["upload", "Picture", "up.txt"], &["up.txt:6"]);
    remote.ok(&["screenshot", "-o", "page.png"]);
    let picture = std::fs::read(remote.context.folder().join("page.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    remote.ok(&["screenshot", "h1", "-o", "h1.png"]);

    remote.says(&["go", &remote.context.url("/redirect?to=/list")], &["/list"]);
    let refused = remote.fails(&["go", &format!("http://127.0.0.1:{}/", free_port())]);
    assert!(refused.contains("did not load"), "{refused}");
    remote.go("/list");
    slow_link(remote);
}

/// A click that leads to a page which is long in coming is told with that page.
fn slow_link(remote: &Remote) {
    remote.ok(&["eval", "document.body.innerHTML = '<a href=\"/slow?ms=1200\">Go slowly</a>'; 1"]);
    remote.says(&["click", "Go slowly"], &["Slow page", "/slow?ms=1200"]);
}

/// What classic WebDriver has no words for.
fn gaps(remote: &Remote) {
    for (arguments, missing) in [
        (&["network"][..], "cannot report network requests"),
        (&["console"], "cannot report console messages"),
        (&["screenshot", "--full-page", "-o", "x.png"], "cannot take a screenshot of a whole page"),
        (&["screenshot", "-o", "x.jpg"], "cannot take JPEG screenshots"),
        (&["tab-new", "--isolated"], "cannot open isolated tabs"),
    ] {
        let said = remote.fails(arguments);
        assert!(said.contains(missing) && said.contains("over WebDriver"), "{arguments:?}: {said}");
    }
}

/// How many sessions a server has: none is left behind.
fn session_count(address: &str) -> usize {
    let mut command = Command::new("curl");
    command.args(["-s", "-m", "5", &format!("http://{address}/sessions")]);
    let told: serde_json::Value = serde_json::from_str(&said(command).out).unwrap();
    told["value"].as_array().map_or(0, Vec::len)
}

#[test]
fn classic_chromedriver_does_what_a_browser_must() {
    let remote = Remote::chromedriver("webdriver+http://");
    tour(&remote, FrameTyping::Works);
    gaps(&remote);
    remote.ok(&["pdf", "-o", "page.pdf"]);
    assert!(std::fs::read(remote.context.folder().join("page.pdf")).unwrap().starts_with(b"%PDF"));
    remote.go("/drag");
    remote.ok(&["viewport", "900", "600"]);
    assert_eq!(remote.ok(&["eval", "[innerWidth, innerHeight]"]), "[900,600]");
}

#[test]
fn the_last_tab_can_be_closed_without_losing_the_session() {
    let remote = Remote::chromedriver("webdriver+http://");
    remote.go("/list");
    remote.ok(&["tab-close"]);
    remote.says(&["tabs"], &["about:blank"]);
    assert_eq!(remote.ok(&["tabs"]).lines().count(), 1);
    remote.says(&["go", &remote.context.url("/forms")], &["Forms"]);
}

#[test]
fn a_session_is_given_back_when_it_is_let_go_of() {
    for scheme in ["webdriver+http://", "http://"] {
        let remote = Remote::chromedriver(scheme);
        let server = remote.address.rsplit('/').next().unwrap().to_string();
        remote.go("/list");
        assert_eq!(session_count(&server), 1, "{scheme}");
        remote.ok(&["session", "stop", "--all"]);
        assert_eq!(session_count(&server), 0, "{scheme}");
    }
}

#[test]
fn the_better_protocol_of_a_webdriver_server_is_used() {
    let remote = Remote::chromedriver("http://");
    remote.go("/errors");
    remote.ok(&["network"]);
    let status = remote.ok(&["daemon", "status"]);
    assert!(status.contains("Chrome/") && status.contains(" of http://127.0.0.1:"), "{status}");
}

#[test]
fn webkit_is_reached_through_its_own_driver() {
    let remote = Remote::webkit();
    tour(&remote, FrameTyping::Fails);
    gaps(&remote);
    assert!(remote.fails(&["pdf", "-o", "page.pdf"]).contains("cannot print"));
}

#[test]
fn a_selenium_grid_is_used_over_its_devtools_proxy() {
    let Some(remote) = Remote::grid("http://") else { return };
    tour(&remote, FrameTyping::Works);
    let status = remote.ok(&["daemon", "status"]);
    assert!(status.contains("Chrome/") && status.contains(" of http://127.0.0.1:"), "{status}");
    remote.ok(&["network"]);
    remote.ok(&["session", "stop", "--all"]);
    let classic = Remote {
        context: Context::new(),
        address: format!("webdriver+{}", remote.address),
        capabilities: "{}".to_string(),
        _servers: Vec::new(),
    };
    tour(&classic, FrameTyping::Works);
    gaps(&classic);
}

#[test]
fn what_is_no_browser_is_said_to_be_none() {
    let context = Context::new();
    let site = context.url("/");
    let said = context.fails(4, &["url", "--connect", &site]);
    assert!(said.contains("it speaks none of CDP, BiDi and WebDriver"), "{said}");
    assert!(said.contains("/json/version answers 404") && said.contains("/session answers 404"), "{said}");

    let closed = format!("http://127.0.0.1:{}", free_port());
    let said = context.fails(4, &["url", "--connect", &closed]);
    assert!(said.contains("nothing listens there"), "{said}");

    let said = context.fails(4, &["url", "--connect", "ftp://x"]);
    assert!(said.contains("expected http://host:port"), "{said}");

    let keyed = format!("webdriver+http://me:secret@127.0.0.1:{}", free_port());
    let said = context.fails(4, &["url", "--connect", &keyed]);
    assert!(said.contains("nothing listens there") && !said.contains("secret"), "{said}");
}

#[test]
fn a_protocol_that_is_not_there_is_not_pretended() {
    let remote = Remote::chromedriver("webdriver+http://");
    let context = Context::new();
    let (_, address) = remote.address.split_once("http://").unwrap();
    let mut command = context.command(&["url", "--connect", &format!("bidi+http://{address}")]);
    let refused = r#"{"webSocketUrl":false}"#;
    let said = said({
        command.env("ASSAY_CAPABILITIES", refused);
        command
    });
    assert_eq!(said.code, 4, "{said:?}");
    assert!(said.err.contains("could not connect"), "{said:?}");
    assert_eq!(session_count(address), 0);
}

#[test]
fn capabilities_must_be_a_json_object() {
    let context = Context::new();
    let mut command = context.command(&["url"]);
    command.env("ASSAY_CAPABILITIES", "[1]");
    let said = said(command);
    assert_eq!(said.code, 2, "{said:?}");
    assert!(said.err.contains("expected a JSON object in ASSAY_CAPABILITIES"), "{said:?}");
}

/// Nothing stands between a browser that assay did not start and the network.
#[test]
fn a_run_says_beforehand_where_its_policy_does_not_reach() {
    let remote = Remote::chromedriver("");
    let test = format!(
        "test: Leave\npolicy: {{allowed_domains: [127.0.0.1]}}\nsteps:\n  - Open {}\n  - Click the \"Go on at our partner\" link\n",
        remote.context.url("/injection")
    );
    std::fs::write(remote.context.folder().join("leave.yaml"), test).unwrap();
    let said = remote.run(&["run", "leave.yaml"]);
    assert!(
        said.err.contains("resources from them are not blocked: chromium was not started by assay"),
        "{said:?}"
    );
    assert!(said.out.contains("`localhost` may not be opened: the policy allows 127.0.0.1"), "{said:?}");
}
