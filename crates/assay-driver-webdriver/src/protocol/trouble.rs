//! What can come instead of an answer.

/// The error codes that something depends on. The server's own word for the others is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Code {
    NoSuchWindow,
    NoSuchFrame,
    NoSuchElement,
    NoSuchAlert,
    StaleElement,
    UnexpectedAlert,
    ScriptTimeout,
    Timeout,
    InvalidSession,
    UnknownCommand,
    SessionNotCreated,
    JavaScript,
    /// The tab's process ended.
    Crashed,
    /// The document went while it was asked.
    Navigated,
    Other(String),
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The server answered with an error of WebDriver.
    #[error("{message}")]
    Refused {
        code: Code,
        message: String,
        /// The text of the dialog that is open.
        alert: Option<String>,
    },
    #[error("nothing listens there (connection refused)")]
    NothingListens,
    #[error("{0}")]
    Unreachable(String),
    /// Something answered that is not WebDriver.
    #[error("{status}{}", if start.is_empty() { String::new() } else { format!(": {start}") })]
    Foreign { status: String, start: String },
    #[error("no answer within the time allowed")]
    NoAnswer,
}

impl Code {
    pub fn of(error: &str, message: &str) -> Code {
        // ChromeDriver has no code of its own for these; its words are all there is.
        if message.contains("aborted by navigation") {
            return Code::Navigated;
        }
        if message.contains("tab crashed") {
            return Code::Crashed;
        }
        match error {
            "no such window" => Code::NoSuchWindow,
            "no such frame" => Code::NoSuchFrame,
            "no such element" => Code::NoSuchElement,
            "no such alert" => Code::NoSuchAlert,
            "stale element reference" | "detached shadow root" => Code::StaleElement,
            "unexpected alert open" => Code::UnexpectedAlert,
            "script timeout" => Code::ScriptTimeout,
            "timeout" => Code::Timeout,
            "invalid session id" => Code::InvalidSession,
            "unknown command" | "unknown method" | "unsupported operation" => Code::UnknownCommand,
            "session not created" => Code::SessionNotCreated,
            "javascript error" => Code::JavaScript,
            other => Code::Other(other.to_string()),
        }
    }
}
