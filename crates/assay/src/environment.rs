//! Every environment variable that assay reads, in one place.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use assay_daemon::Keeper;
use assay_protocol::{Agreed, ErrorCode, Failure, GuestLimits, RequestedBy};

use crate::engines::{ENGINES, Engine};

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// (name, meaning), for the help and the reference.
pub const VARIABLES: &[(&str, &str)] = &[
    ("ASSAY_SESSION", "session name, as --session"),
    ("ASSAY_HEADLESS", "1: no window (the default); 0: a window; as --headless and --headed"),
    ("ASSAY_MODE", "daemon or oneshot; oneshot is the default when CI is set"),
    ("ASSAY_ONESHOT", "1: a fresh browser for each command, nothing left behind"),
    ("ASSAY_BROWSER", "chromium, firefox or webkit, as --browser"),
    ("ASSAY_CHROMIUM", "the program to start as Chromium, as --browser-path"),
    ("ASSAY_FIREFOX", "the program to start as Firefox"),
    ("ASSAY_WEBKIT", "the program to start as WebKit"),
    ("ASSAY_CONNECT", "address of a running browser, as --connect"),
    ("ASSAY_CAPABILITIES", "WebDriver capabilities for --connect: a JSON object, or @FILE that holds one"),
    (
        "ASSAY_TIMEOUT",
        "time limit of a command in milliseconds, as --timeout but without waiting for targets",
    ),
    ("ASSAY_BUDGET", "maximum tokens in an answer, as --budget"),
    ("ASSAY_ALLOW", "address schemes beyond http and https, separated by commas, as --allow"),
    ("ASSAY_RUNTIME_DIR", "folder for sockets and locks (default: the user's runtime folder)"),
    (
        "ASSAY_OWNER",
        "your name towards others who control devices; without it that of USER, which `assay device` uses",
    ),
    (
        "ASSAY_ALLOW_DESTRUCTIVE",
        "0: acts that pay, delete or run code in a page are refused; 1: `assay mcp` allows them, as --allow-destructive",
    ),
    ("ASSAY_GUEST", "limits for a guest as JSON; `assay mcp` sets it for its own commands"),
    (
        "ASSAY_KEEPER",
        "process whose end ends the browsers that are opened; `assay mcp` sets it for its own commands",
    ),
    ("ASSAY_DOWNLOADS", "folder for downloads"),
    (
        "ASSAY_STATE",
        "folder for the state of a project: journal, locks, history (default: .assay in the project)",
    ),
    (
        "DEFAULT_MODEL",
        "model to ask when the interpreter is unsure, as --model; for example anthropic/claude-sonnet-5-5",
    ),
    (
        "ANTHROPIC_API_KEY",
        "key for Anthropic; likewise OPENAI_API_KEY, GEMINI_API_KEY, and ASSAY_MODEL_API_KEY for local servers",
    ),
    (
        "ANTHROPIC_BASE_URL",
        "address of Anthropic; likewise OPENAI_, GEMINI_, OLLAMA_, LMSTUDIO_, VLLM_, LLAMACPP_BASE_URL",
    ),
    (
        "ASSAY_ACTIONS_USE_COMPUTER_TOOL",
        "false: the computer-use pilot uses the grid instead of the provider's computer tool; browser: it uses Anthropic's browser tools (default true)",
    ),
    ("ASSAY_CASSETTE", "record:FILE or replay:FILE, as --cassette"),
    ("ASSAY_TRUST", "1: trust every project, as --trust and `assay trust`"),
    ("ASSAY_IDLE", "seconds after which an unused daemon stops (default 1800)"),
    ("CI", "set: oneshot is the default, and the output has no progress line"),
    ("NO_COLOR", "set: no colours in the output"),
    ("GITHUB_ACTIONS", "true: `run` prints annotations, and writes a summary to GITHUB_STEP_SUMMARY"),
    ("XDG_CONFIG_HOME", "folder of the user's settings, keys and trusted folders (default: ~/.config)"),
    ("XDG_RUNTIME_DIR", "the user's runtime folder; sockets and locks go into its folder assay"),
    ("ASSAY_MCP_TOKEN", "secret that clients of `assay mcp --http` send as a bearer token"),
    ("TMPDIR", "folder for temporary files (default: /tmp)"),
    ("DISPLAY", "where windows are shown; likewise WAYLAND_DISPLAY, but not for WebKit"),
    ("LANG", "language of WebKit, unless LC_ALL or LC_MESSAGES name one (default: en_US.UTF-8)"),
    ("WEBKIT_SKIA_ENABLE_CPU_RENDERING", "how WebKit paints (default: 1 on a virtual display)"),
];

#[derive(Debug, Default, Clone)]
pub struct Environment {
    pub session: Option<String>,
    pub headless: Option<bool>,
    pub oneshot: bool,
    pub engine: Option<String>,
    /// The programs of the engines, by their variables.
    pub programs: Vec<(&'static str, String)>,
    pub connect: Option<String>,
    /// A JSON object.
    pub capabilities: Option<String>,
    pub timeout_ms: Option<String>,
    pub budget: Option<String>,
    pub allow: Vec<String>,
    /// The name under which devices are controlled.
    pub owner: String,
    /// Acts that pay, delete or run code are allowed.
    pub allows_destructive: bool,
    /// For whom this process works, if it is a guest of ours.
    pub guest: Option<RequestedBy>,
    /// The process that browsers end with, if they do not outlive it.
    pub keeper: Option<Keeper>,
    /// The same was said of servers.
    allows_guests: bool,
    pub runtime: Option<PathBuf>,
    pub user_runtime: Option<PathBuf>,
    pub downloads: Option<PathBuf>,
    pub state: Option<PathBuf>,
    pub idle_seconds: u64,
    /// Where windows are shown: the variable and its value.
    pub display: Option<String>,
    /// Nobody watches.
    pub is_ci: bool,
    pub no_color: Option<String>,
    pub default_model: Option<String>,
    pub cassette: Option<String>,
    pub computer_tool: Option<String>,
    /// What clients of `assay mcp --http` have to send.
    pub mcp_token: Option<String>,
    /// Every folder is trusted.
    pub trusts_all: bool,
    /// Where what is temporary goes.
    pub temporary: PathBuf,
    pub home: Option<PathBuf>,
    /// Where programs keep their settings, if it is not `~/.config`.
    pub user_configuration: Option<PathBuf>,
    /// The user's own settings: `~/.config/assay`.
    pub configuration: Option<PathBuf>,
    /// Set on GitHub: where the summary of the step is written, if anywhere.
    pub github: Option<GithubActions>,
}

/// What GitHub says of the step that we run in.
#[derive(Debug, Clone)]
pub struct GithubActions {
    pub step_summary: Option<PathBuf>,
}

const IDLE_SECONDS: u64 = 30 * 60;

impl Environment {
    pub fn read() -> Result<Environment, Failure> {
        let text = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let switch =
            |name: &str| text(name).map(|value| !matches!(value.as_str(), "0" | "false" | "no" | "off"));
        let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = path("HOME");
        let mode = text("ASSAY_MODE");
        let oneshot = match (switch("ASSAY_ONESHOT"), mode.as_deref()) {
            (Some(oneshot), _) => oneshot,
            (None, Some("oneshot")) => true,
            (None, Some("daemon")) => false,
            (None, Some(other)) => {
                return Err(Failure::new(
                    ErrorCode::Usage,
                    format!("expected daemon or oneshot in ASSAY_MODE, found `{other}`"),
                ));
            }
            (None, None) => switch("CI").unwrap_or(false),
        };
        let idle_seconds = match text("ASSAY_IDLE") {
            Some(value) => value.parse().map_err(|_| {
                Failure::new(
                    ErrorCode::Usage,
                    format!("expected a number of seconds in ASSAY_IDLE, found `{value}`"),
                )
            })?,
            None => IDLE_SECONDS,
        };
        Ok(Environment {
            session: text("ASSAY_SESSION"),
            headless: switch("ASSAY_HEADLESS"),
            oneshot,
            is_ci: switch("CI").unwrap_or(false),
            engine: text("ASSAY_BROWSER"),
            programs: ENGINES
                .iter()
                .filter_map(|engine| Some((engine.variable, text(engine.variable)?)))
                .collect(),
            connect: text("ASSAY_CONNECT"),
            capabilities: text("ASSAY_CAPABILITIES").map(|given| read_capabilities(&given)).transpose()?,
            timeout_ms: text("ASSAY_TIMEOUT"),
            budget: text("ASSAY_BUDGET"),
            allow: text("ASSAY_ALLOW")
                .map(|list| list.split(',').map(|scheme| scheme.trim().to_lowercase()).collect())
                .unwrap_or_default(),
            owner: text("ASSAY_OWNER")
                .or_else(|| text("USER"))
                .or_else(|| text("LOGNAME"))
                .unwrap_or_else(user_number),
            allows_destructive: switch("ASSAY_ALLOW_DESTRUCTIVE").unwrap_or(true),
            guest: text("ASSAY_GUEST").map(|given| read_guest(&given)).transpose()?,
            keeper: text("ASSAY_KEEPER").map(|given| read_keeper(&given)).transpose()?,
            allows_guests: switch("ASSAY_ALLOW_DESTRUCTIVE").unwrap_or(false),
            runtime: text("ASSAY_RUNTIME_DIR").map(PathBuf::from),
            user_runtime: text("XDG_RUNTIME_DIR").map(PathBuf::from),
            downloads: text("ASSAY_DOWNLOADS").map(PathBuf::from),
            state: text("ASSAY_STATE").map(PathBuf::from),
            idle_seconds,
            display: ["WAYLAND_DISPLAY", "DISPLAY"]
                .iter()
                .find_map(|name| Some(format!("{name}={}", text(name)?))),
            no_color: std::env::var("NO_COLOR").ok(),
            default_model: text("DEFAULT_MODEL").filter(|name| !name.trim().is_empty()),
            cassette: text("ASSAY_CASSETTE").filter(|said| !said.trim().is_empty()),
            computer_tool: text("ASSAY_ACTIONS_USE_COMPUTER_TOOL"),
            mcp_token: text("ASSAY_MCP_TOKEN").filter(|token| !token.trim().is_empty()),
            trusts_all: text("ASSAY_TRUST").is_some_and(|value| value == "1" || value == "true"),
            temporary: std::env::temp_dir(),
            home: home.clone(),
            user_configuration: path("XDG_CONFIG_HOME").filter(|path| path.is_absolute()),
            configuration: path("XDG_CONFIG_HOME")
                .filter(|path| path.is_absolute())
                .or_else(|| home.map(|home| home.join(".config")))
                .map(|folder| folder.join("assay")),
            github: (text("GITHUB_ACTIONS").as_deref() == Some("true"))
                .then(|| GithubActions { step_summary: path("GITHUB_STEP_SUMMARY") }),
        })
    }

    /// Values of variables that are called like secrets. A suite may take some of them, also one that cannot be read.
    pub fn likely_secrets() -> Vec<String> {
        const WORDS: [&str; 6] = ["TOKEN", "PASSWORD", "PASSWD", "SECRET", "API_KEY", "CREDENTIAL"];
        // A shorter value occurs in many words by chance.
        let is_one =
            |name: &str, value: &str| value.len() >= 8 && WORDS.iter().any(|word| name.contains(word));
        let named = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?.to_uppercase(), value.into_string().ok()?))
        });
        named.filter(|(name, value)| is_one(name, value)).map(|(_, value)| value).collect()
    }

    /// Any variable: tests, and keys and addresses of models, refer to them by name.
    pub fn variable(name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

fn read_guest(given: &str) -> Result<RequestedBy, Failure> {
    serde_json::from_str(given).map_err(|err| {
        Failure::new(
            ErrorCode::Usage,
            format!("expected the limits of a guest in ASSAY_GUEST, found something else: {err}"),
        )
    })
}

fn read_keeper(given: &str) -> Result<Keeper, Failure> {
    given
        .parse()
        .map_err(|err| Failure::new(ErrorCode::Usage, format!("{err} in ASSAY_KEEPER, found `{given}`")))
}

fn user_number() -> String {
    // SAFETY: a plain system call.
    format!("uid-{}", unsafe { libc::geteuid() })
}

fn read_capabilities(given: &str) -> Result<String, Failure> {
    let text = match given.strip_prefix('@') {
        None => given.to_string(),
        Some(path) => std::fs::read_to_string(path).map_err(|err| {
            Failure::new(ErrorCode::Usage, format!("could not read {path} from ASSAY_CAPABILITIES: {err}"))
        })?,
    };
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&text) {
        Ok(_) => Ok(text),
        Err(err) => Err(Failure::new(
            ErrorCode::Usage,
            format!("expected a JSON object in ASSAY_CAPABILITIES, found something else: {err}"),
        )
        .hint(r#"ASSAY_CAPABILITIES='{"browserName":"firefox"}', or @capabilities.json"#)),
    }
}

impl Environment {
    /// Whether guests have to ask before they pay, delete or run code.
    pub fn asks_for_consent(&self) -> bool {
        !self.allows_guests
    }

    /// Who stands behind the requests of this process.
    pub fn requested_by(&self) -> RequestedBy {
        if let Some(guest) = &self.guest {
            return guest.clone();
        }
        let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/nonexistent"));
        let guest = (!self.allows_destructive).then(|| GuestLimits {
            agreed: Agreed::Nothing,
            folder: folder.display().to_string(),
            pictures: folder.display().to_string(),
            is_trusted: self.trusts_all,
        });
        RequestedBy {
            owner: self.owner.clone(),
            controls: None,
            guest,
            project: Some(folder.display().to_string()),
        }
    }

    /// The program that a variable names for this engine.
    pub fn program(&self, engine: &Engine) -> Option<&str> {
        self.programs.iter().find(|(variable, _)| *variable == engine.variable).map(|(_, path)| path.as_str())
    }
}

/// The screen of X that windows are shown on.
pub fn display() -> Option<OsString> {
    std::env::var_os("DISPLAY").filter(|name| !name.is_empty())
}

/// The locale of messages, by the first of its variables that says anything.
pub fn language() -> Option<String> {
    let named = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(named)
}

/// Whether the user has said how WebKit is to paint.
pub fn is_painting_chosen() -> bool {
    std::env::var_os("WEBKIT_SKIA_ENABLE_CPU_RENDERING").is_some()
}

/// The program that runs, also after another one was installed in its place.
const SELF: &str = "/proc/self/exe";

/// A command that runs this very program.
pub fn this_program() -> std::io::Result<std::process::Command> {
    use std::os::unix::process::CommandExt;
    let path = std::env::current_exe()?;
    if !std::path::Path::new(SELF).exists() {
        return Ok(std::process::Command::new(path));
    }
    let mut command = std::process::Command::new(SELF);
    command.arg0(path);
    Ok(command)
}

/// The version and the file it came from, so that a daemon of an earlier build is noticed after an upgrade.
pub fn build() -> String {
    use std::os::unix::fs::MetadataExt;
    // The file of a running program stays the same.
    static BUILD: OnceLock<String> = OnceLock::new();
    let read = || {
        let file = std::fs::metadata(SELF).or_else(|_| std::env::current_exe().and_then(std::fs::metadata));
        file.map_or_else(
            |_| VERSION.to_string(),
            |file| format!("{VERSION}+{:x}.{:x}", file.mtime(), file.size()),
        )
    };
    BUILD.get_or_init(read).clone()
}
