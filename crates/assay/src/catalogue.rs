//! All verbs in one table: names, arguments, flags, help and an example. The parser, the help, the
//! reference and the completions are made from it.

/// A flag of a verb, or one that every verb takes.
pub struct Flag {
    pub name: &'static str,
    pub short: Option<char>,
    /// The value's name; None for a switch.
    pub value: Option<&'static str>,
    pub help: &'static str,
    /// Whether it may be given several times; then there is a line each.
    pub repeats: bool,
}

pub struct Verb {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// As shown in the help: `TARGET TEXT`, `[TARGET]`, `FILE...`.
    pub arguments: &'static str,
    pub flags: &'static [Flag],
    pub summary: &'static str,
    pub example: &'static str,
    pub group: Group,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Go,
    Look,
    Act,
    Wait,
    Record,
    Tabs,
    State,
    Run,
}

impl Group {
    pub const ALL: &'static [Group] = &[
        Group::Go,
        Group::Look,
        Group::Act,
        Group::Wait,
        Group::Record,
        Group::Tabs,
        Group::State,
        Group::Run,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Group::Go => "Go",
            Group::Look => "Look",
            Group::Act => "Act",
            Group::Wait => "Wait",
            Group::Record => "Record",
            Group::Tabs => "Tabs and frames",
            Group::State => "State",
            Group::Run => "Run assay",
        }
    }
}

const fn switch(name: &'static str, help: &'static str) -> Flag {
    Flag { name, short: None, value: None, help, repeats: false }
}

const fn value(name: &'static str, value: &'static str, help: &'static str) -> Flag {
    Flag { name, short: None, value: Some(value), help, repeats: false }
}

/// One that may be given several times.
const fn values(name: &'static str, value: &'static str, help: &'static str) -> Flag {
    Flag { name, short: None, value: Some(value), help, repeats: true }
}

const OUTPUT: Flag =
    Flag { name: "output", short: Some('o'), value: Some("FILE"), help: "file to write", repeats: false };

pub const GLOBAL_FLAGS: &[Flag] = &[
    switch("json", "typed data instead of text"),
    Flag {
        name: "session",
        short: Some('s'),
        value: Some("NAME"),
        help: "which browser (default: default)",
        repeats: false,
    },
    value("timeout", "MS", "most time the command may take; targets that are not there yet are waited for"),
    value("budget", "N", "most tokens of the answer"),
    switch("headed", "show a window"),
    switch("headless", "no window (the default)"),
    value("browser", "NAME", "chromium (the default), firefox or webkit"),
    value("browser-path", "FILE", "the browser program to start"),
    value(
        "connect",
        "ADDRESS",
        "use a browser elsewhere: ws://…, http://host:port or a port; CDP, BiDi or WebDriver",
    ),
    value("allow", "SCHEME", "also open addresses of this scheme, for example file"),
    Flag { name: "help", short: Some('h'), value: None, help: "help for the verb", repeats: false },
];

const fn verb(
    group: Group,
    name: &'static str,
    arguments: &'static str,
    summary: &'static str,
    example: &'static str,
) -> Verb {
    Verb { name, aliases: &[], arguments, flags: &[], summary, example, group }
}

impl Verb {
    const fn also(mut self, aliases: &'static [&'static str]) -> Verb {
        self.aliases = aliases;
        self
    }

    const fn with(mut self, flags: &'static [Flag]) -> Verb {
        self.flags = flags;
        self
    }
}

pub const VERBS: &[Verb] = &[
    verb(
        Group::Go,
        "go",
        "ADDRESS",
        "Open an address and wait until the page is there",
        "assay go http://127.0.0.1:8080/login",
    )
    .also(&["navigate", "open", "goto"]),
    verb(Group::Go, "back", "", "Go back in the history", "assay back"),
    verb(Group::Go, "forward", "", "Go forward in the history", "assay forward"),
    verb(Group::Go, "reload", "", "Load the page again", "assay reload"),
    verb(
        Group::Look,
        "map",
        "[TARGET]",
        "List what can be acted on, with refs; tables and lists a line a row",
        "assay map",
    )
    .also(&["snapshot"])
    .with(&[switch("all", "plain text as well")]),
    verb(
        Group::Look,
        "scene",
        "",
        "Everything that is seen, as JSON: what sentences are judged by",
        "assay scene",
    ),
    verb(Group::Look, "diff", "", "What changed since the last map", "assay diff"),
    verb(Group::Look, "find", "TARGET", "The one element that matches", "assay find \"Log in\""),
    verb(Group::Look, "find-all", "TARGET", "All elements that match", "assay find-all button")
        .with(&[value("limit", "N", "most elements to list (default 50)")]),
    verb(Group::Look, "count", "TARGET", "How many elements match", "assay count \"li.product\""),
    verb(Group::Look, "text", "[TARGET]", "The text of the page or of an element", "assay text h1"),
    verb(Group::Look, "html", "[TARGET]", "The HTML of the page or of an element", "assay html form"),
    verb(Group::Look, "value", "TARGET", "What a field holds", "assay value \"Email\""),
    verb(Group::Look, "attr", "TARGET NAME", "An attribute of an element", "assay attr e4 href"),
    verb(
        Group::Look,
        "is",
        "STATE TARGET",
        "visible, hidden, enabled, disabled, checked, unchecked or editable; exit code 0 or 1",
        "assay is visible \"Log in\"",
    ),
    verb(Group::Look, "url", "", "The address of the page", "assay url"),
    verb(Group::Look, "title", "", "The title of the page", "assay title"),
    verb(
        Group::Look,
        "eval",
        "EXPRESSION",
        "Run JavaScript in the page; - reads it from standard input",
        "assay eval \"document.title\"",
    ),
    verb(Group::Look, "console", "", "What the page logged", "assay console")
        .with(&[switch("clear", "forget it afterwards")]),
    verb(Group::Look, "network", "", "What the page requested", "assay network --failed")
        .with(&[switch("failed", "only what failed"), switch("clear", "forget it afterwards")]),
    verb(Group::Look, "at", "X Y", "What lies at a point of the view", "assay at 140 150"),
    verb(Group::Act, "click", "TARGET", "Click an element", "assay click \"Log in\"").with(&[
        value("button", "NAME", "left, middle or right"),
        value("hold", "KEYS", "keys held meanwhile: Control, Shift, Alt, Meta, joined by +"),
    ]),
    verb(Group::Act, "dblclick", "TARGET", "Double-click an element", "assay dblclick e7"),
    verb(
        Group::Act,
        "fill",
        "TARGET TEXT",
        "Replace what a field holds",
        "assay fill \"Email\" test@example.com",
    ),
    verb(
        Group::Act,
        "type",
        "[TARGET] TEXT",
        "Type key by key, after what is there; without TARGET into what has the focus",
        "assay type e3 \" and more\"",
    ),
    verb(Group::Act, "clear", "TARGET", "Empty a field", "assay clear e3"),
    verb(Group::Act, "press", "KEY...", "Press keys: Enter, Control+a, ArrowDown, F5", "assay press Enter")
        .also(&["keys"])
        .with(&[value("on", "TARGET", "focus this element first")]),
    verb(
        Group::Act,
        "select",
        "TARGET OPTION...",
        "Choose options of a list by label or value",
        "assay select \"Country\" Belgium",
    ),
    verb(
        Group::Act,
        "check",
        "TARGET",
        "Tick a checkbox, radio button or switch",
        "assay check \"Keep me signed in\"",
    ),
    verb(Group::Act, "uncheck", "TARGET", "Untick a checkbox or switch", "assay uncheck \"Newsletter\""),
    verb(Group::Act, "hover", "TARGET", "Move the pointer over an element", "assay hover \"Products\""),
    verb(Group::Act, "focus", "TARGET", "Give an element the focus", "assay focus \"Search\""),
    verb(
        Group::Act,
        "scroll",
        "WHERE [PIXELS]",
        "up, down, left or right by the wheel; top, bottom, or to a TARGET",
        "assay scroll down 600",
    )
    .with(&[value("over", "TARGET", "turn the wheel over this element")]),
    verb(Group::Act, "drag", "FROM TO", "Drag one element onto another", "assay drag \"Task 1\" \"Done\""),
    verb(
        Group::Act,
        "raw",
        "click|move|drag|scroll|type ...",
        "Give input at a point of the view, for canvases: click X Y, drag X Y X Y, scroll X Y BY_X BY_Y, type TEXT",
        "assay raw click 140 150",
    )
    .with(&[
        value("button", "NAME", "left, middle or right"),
        value("times", "N", "click so often: 1, 2 or 3"),
        value("hold", "KEYS", "keys held meanwhile: Control, Shift, Alt, Meta, joined by +"),
        value("within", "TARGET", "count from the corner of this element"),
    ]),
    verb(
        Group::Act,
        "upload",
        "TARGET FILE...",
        "Give files to a file input",
        "assay upload \"Attachment\" report.pdf",
    ),
    verb(
        Group::Act,
        "dialog",
        "[accept [TEXT] | dismiss]",
        "Answer an alert, confirm or prompt; alone, show it",
        "assay dialog accept",
    ),
    verb(
        Group::Wait,
        "wait",
        "[TARGET]",
        "Wait until something holds (30 s unless --timeout)",
        "assay wait \".spinner\" --state hidden --timeout 60000",
    )
    .with(&[
        value("state", "STATE", "visible (default), hidden, attached, detached or enabled"),
        value("text", "TEXT", "until the page shows this text"),
        value("url", "PART", "until the address contains this; * stands for anything"),
        switch("gone", "until the element or text is gone"),
    ]),
    verb(
        Group::Record,
        "screenshot",
        "[TARGET]",
        "Take a picture: .png, .jpg or .webp",
        "assay screenshot -o page.png --annotate",
    )
    .with(&[
        OUTPUT,
        switch("full-page", "the whole page, not only what is visible"),
        switch("annotate", "draw refs over what can be acted on"),
    ]),
    verb(Group::Record, "pdf", "", "Print the page", "assay pdf -o page.pdf").with(&[OUTPUT]),
    verb(
        Group::Record,
        "highlight",
        "TARGET",
        "Draw a frame around an element for three seconds",
        "assay highlight e5",
    ),
    verb(Group::Tabs, "tabs", "", "List the tabs", "assay tabs"),
    verb(
        Group::Tabs,
        "tab-new",
        "[ADDRESS]",
        "Open a tab and make it current",
        "assay tab-new http://127.0.0.1:8080/",
    )
    .with(&[switch("isolated", "with cookies and storage of its own")]),
    verb(Group::Tabs, "tab-switch", "TAB", "Make a tab current", "assay tab-switch t2"),
    verb(Group::Tabs, "tab-close", "[TAB]", "Close a tab", "assay tab-close t2"),
    verb(Group::Tabs, "frames", "", "List the frames of the page", "assay frames"),
    verb(
        Group::Tabs,
        "viewport",
        "WIDTH HEIGHT",
        "Set the size of the view",
        "assay viewport 390 844 --scale 3",
    )
    .with(&[value("scale", "N", "device pixels per pixel (default 1)")]),
    verb(Group::State, "cookies", "[set NAME VALUE | clear]", "List, set or clear cookies", "assay cookies"),
    verb(
        Group::State,
        "storage",
        "save FILE | load FILE",
        "Save or restore cookies and local storage",
        "assay storage save login.json",
    ),
    verb(
        Group::Act,
        "do",
        "SENTENCE",
        "Carry out or judge one sentence of plain language; exit code 0 done, 1 no, 3 unclear",
        "assay do \"Enter ada@example.com in the email field and click Log in\"",
    ),
    verb(
        Group::Run,
        "run",
        "[PATH...]",
        "Run tests written in plain language: files or folders",
        "assay run tests/ --workers 4",
    )
    .with(&[
        switch("list", "only list the tests"),
        switch("dry-run", "only tell what each sentence would mean, without a browser"),
        value("grep", "TEXT", "tests whose id, name or file holds this"),
        value("tag", "TAGS", "tests with one of these tags, joined by commas; !tag for those without"),
        value("shard", "N/M", "the Nth of M parts of the suite"),
        switch("last-failed", "only what did not pass in the last run"),
        value("repeat", "N", "each test so many times"),
        value("workers", "N", "tests side by side (default: by cores and memory)"),
        value("isolation", "HOW", "context (default), or browser: a process of its own for each test"),
        switch("fail-fast", "begin no more tests after the first that does not pass"),
        value("retries", "N", "another try for a test that fails; a pass is then marked flaky"),
        switch("lock", "write what passes into lock files beside the tests"),
        switch("frozen", "never write a lock file (the default in CI)"),
        switch("no-lock", "work everything out anew, as if there were no lock files"),
        value("model", "NAME", "the model to ask where the interpreter is not sure: anthropic/claude-sonnet-5-5"),
        value("pilot", "WHO", "who decides: auto (default), replay, builtin, model, computer-use or grid"),
        value("budget", "LIMITS", "what the run may spend on models: 0.50 in dollars, 20000tokens, 30calls"),
        value("cassette", "HOW:FILE", "record:FILE keeps what models answer, replay:FILE asks nobody else"),
        switch("verbose", "tell of every question to a model"),
        value("slow-mo", "MS", "a pause after each command, to watch"),
        value("base-url", "ADDRESS", "the application's address, instead of what the files say"),
        value("results", "FOLDER", "for reports, pictures and failures (default assay-results)"),
        value("json-report", "FILE", "the JSON report, here as well"),
        value("html", "FILE", "the HTML report, here as well, with its pictures in it"),
        value("junit", "FILE", "a JUnit XML report"),
        value("ctrf", "FILE", "a CTRF report"),
        switch("trace", "trace.zip among the results, for Playwright's viewer"),
        switch("no-screenshots", "take no pictures of changes"),
        switch("trust", "run the project's commands although its folder is not trusted"),
    ]),
    verb(
        Group::Run,
        "plan",
        "[GOAL]",
        "Write tests: by rules from a page, or by a model from a goal or a document; questions come first (exit code 3)",
        "assay plan --url http://127.0.0.1:8080/ --out tests",
    )
    .with(&[
        value("url", "ADDRESS", "the page or application to test (default: base_url of the project)"),
        value("requirements", "FILE", "a document that says what the application should do"),
        switch("explore", "open the pages that the first one links to as well: only looked at, nothing is sent"),
        value("out", "FOLDER", "for the test files (default tests)"),
        values("answer", "TEXT", "an answer to a question of the last call: \"id: text\"; may be given several times"),
        value("answers", "FILE", "answers, one a line"),
        switch("yes", "go on although the model has questions: what depends on them is left out"),
        switch("force", "replace files that are there"),
        switch("try", "also run the tests that press a button which may send something"),
        value("model", "NAME", "the model that plans: anthropic/claude-sonnet-5-5"),
        value("budget", "LIMITS", "what the plan may spend on the model: 0.50 in dollars, 20000tokens, 2calls"),
        value("cassette", "HOW:FILE", "record:FILE keeps what the model answers, replay:FILE asks nobody else"),
        switch("verbose", "tell of every wait and every cached question"),
    ]),
    verb(
        Group::Run,
        "resume",
        "[RUN]",
        "Go on with a run that was cut off: the newest, or by its number or name",
        "assay resume --steps",
    )
    .with(&[switch(
        "steps",
        "go on at the step that a test had come to, instead of beginning the test anew",
    )]),
    verb(
        Group::Run,
        "prove",
        "[TEST|PATH...]",
        "Break one thing at a time and see whether tests that pass notice: requests, texts, controls",
        "assay prove login_valid_credentials",
    )
    .with(&[
        switch("all", "all tests of the suite"),
        value("grep", "TEXT", "tests whose id, name or file holds this"),
        value("tag", "TAGS", "tests with one of these tags, joined by commas; !tag for those without"),
        value("shard", "N/M", "the Nth of M parts of the suite"),
        value("workers", "N", "tests side by side (default: by cores and memory)"),
        value("isolation", "HOW", "context (default), or browser: a process of its own for each test"),
        value("base-url", "ADDRESS", "the application's address, instead of what the files say"),
        value("results", "FOLDER", "for reports, pictures and failures (default assay-results)"),
        value("json-report", "FILE", "the JSON report, here as well"),
        value("html", "FILE", "the HTML report, here as well, with its pictures in it"),
        switch("no-lock", "work everything out anew, as if there were no lock files"),
        switch("no-screenshots", "take no pictures of changes"),
        switch("trust", "run the project's commands although its folder is not trusted"),
    ]),
    verb(
        Group::Run,
        "heal",
        "[TEST...]",
        "What the last run found changed on pages and healed: both pictures, old and new, and into the lock files with --apply",
        "assay heal --apply",
    )
    .with(&[
        switch("apply", "write the changes into the lock files"),
        value("run", "RUN", "of this run, by its number or name, instead of the newest"),
    ]),
    verb(
        Group::Run,
        "report",
        "list|show|open [RUN]",
        "The runs on record: all of them, one told again, or its HTML page",
        "assay report open",
    ),
    verb(
        Group::Run,
        "task",
        "start|status|pause|resume|stop|export|list|send|follow [WHAT]",
        "A goal in a session, with every act on record; it can go on after a crash",
        "assay task start \"Order a lamp\"",
    ),
    verb(
        Group::Run,
        "history",
        "TEST",
        "The last results of a test",
        "assay history login_valid_credentials",
    )
    .with(&[value("limit", "N", "how many (default 20)")]),
    verb(
        Group::Run,
        "flaky",
        "",
        "Tests that end now so and now so although nobody changed them: how often, since when, at which step",
        "assay flaky --days 30",
    )
    .with(&[value("days", "N", "only the last so many days")]),
    verb(
        Group::Run,
        "stats",
        "",
        "All runs in figures: results, durations, the slowest, the most failing",
        "assay stats",
    )
    .with(&[value("days", "N", "only the last so many days")]),
    verb(
        Group::Run,
        "gc",
        "",
        "Remove old runs from the record, with their results, unless a report that is kept needs them",
        "assay gc --keep-runs 50 --keep-days 30",
    )
    .with(&[
        value("keep-runs", "N", "keep the newest so many"),
        value("keep-days", "N", "keep those of the last so many days"),
    ]),
    verb(Group::Run, "init", "[FOLDER]", "Make an example project that runs", "assay init shop-tests"),
    verb(Group::Run, "schema", "", "The JSON Schema of test files, for editors", "assay schema --project")
        .with(&[switch("project", "that of the project file")]),
    verb(
        Group::Run,
        "trust",
        "[FOLDER]",
        "Allow the commands of a project: servers to start, preconditions",
        "assay trust .",
    ),
    verb(
        Group::Run,
        "batch",
        "",
        "Run commands from standard input, one a line, one reply each",
        "printf 'go 127.0.0.1:8080/login\\nclick \"Log in\"\\n' | assay batch",
    )
    .with(&[switch("bail", "stop at the first that fails")]),
    verb(
        Group::Run,
        "daemon",
        "start | status | stop",
        "The background process of the session",
        "assay daemon status",
    ),
    verb(Group::Run, "session", "list | stop [NAME]", "Sessions and their browsers", "assay session list")
        .with(&[switch("all", "stop: every session")]),
    verb(Group::Run, "close", "", "Stop the session's daemon and browser", "assay close").also(&["quit"]),
    verb(
        Group::Run,
        "model",
        "test [NAME] | list",
        "Ask a model one small question, or list providers, keys and prices",
        "assay model test ollama/qwen3",
    )
    .with(&[value("cassette", "HOW:FILE", "record:FILE keeps what the model answers, replay:FILE asks nobody else")]),
    verb(
        Group::Run,
        "doctor",
        "",
        "Check browser, sandbox, fonts, display, sockets and leftovers",
        "assay doctor",
    ),
    verb(Group::Run, "setup", "", "Install the browser and what it needs", "assay setup --browser firefox")
        .with(&[switch("all", "for all browsers"), switch("dry-run", "only show the commands")]),
    verb(
        Group::Run,
        "skill",
        "list | show NAME | install",
        "Texts that teach coding agents to use assay",
        "assay skill install",
    )
    .with(&[
        value(
            "agent",
            "NAME",
            "install: claude, codex, cursor, gemini, copilot, opencode, amp, windsurf, goose or all",
        ),
        switch("user", "install: for the user instead of the project"),
    ]),
    verb(Group::Run, "completions", "SHELL", "Completions for bash, zsh or fish", "assay completions bash"),
    verb(
        Group::Run,
        "reference",
        "[engines|sentences]",
        "All verbs, what each browser can do, or the sentences of tests, as Markdown",
        "assay reference",
    ),
];

pub fn find_verb(name: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|verb| verb.name == name || verb.aliases.contains(&name))
}

/// The verbs nearest to a word that is none.
pub fn nearest_verbs(word: &str) -> Vec<&'static str> {
    let mut scored: Vec<(f64, &'static str)> = VERBS
        .iter()
        .flat_map(|verb| std::iter::once(verb.name).chain(verb.aliases.iter().copied()))
        .map(|name| (strsim::jaro_winkler(word, name), name))
        .filter(|(score, _)| *score > 0.75)
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}
