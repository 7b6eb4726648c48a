//! What a run leaves behind, judged by others: xmllint, the schema of CTRF, axe, and Playwright's own viewer.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use assay_testkit::{Request, Response, Server};
use serde_json::Value;

use crate::context::Context;

/// A shop that lies about its price and complains in the console.
fn shop(request: &Request) -> Response {
    match request.path.as_str() {
        "/" => Response::html(
            r##"<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
            <label>Coupon <input name="coupon"></label>
            <button onclick="fetch('/price').catch(() => {}); console.error('no price for <b>this</b>'); out.textContent = 'Total 89 €'">Buy</button>
            <button>Delete</button> <button>Delete</button>
            <p id="out" role="status"></p>"##,
        ),
        "/price" => Response::status(500),
        _ => Response::status(404),
    }
}

/// A run of a few tests that end in each way, with all its files.
struct RunFiles {
    context: Context,
    _server: Server,
}

impl RunFiles {
    fn of_a_run() -> RunFiles {
        let (context, server) = (Context::new(), Server::start(shop));
        let folder = context.folder().join("tests");
        std::fs::create_dir_all(&folder).unwrap();
        let go = format!("steps:\n  - Navigate to {}\n", server.url("/"));
        let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
        let buy = "  - Enter \"HARBOR10\" in the Coupon field\n  - Click the \"Buy\" button\n";
        write(
            "buy.yaml",
            format!(
                "test: Buy a lantern\ntags: [quick]\n{go}{buy}expected:\n  - The text \"Total 89 €\" is shown\n"
            ),
        );
        write(
            "price.yaml",
            format!(
                "test: A coupon is taken off\n{go}{buy}expected:\n  - The text \"Total 80 €\" is shown\n"
            ),
        );
        write("which.yaml", format!("test: Delete <something>\n{go}  - Click the \"Delete\" button\n"));
        let files = RunFiles { context, _server: server };
        let said = files.context.run(&[
            "run",
            "tests",
            "--junit",
            "junit.xml",
            "--ctrf",
            "ctrf.json",
            "--html",
            "report.html",
            "--trace",
        ]);
        assert_eq!(said.code, 1, "{}\n{}", said.out, said.err);
        assert!(said.out.ends_with("3 tests: 1 passed, 1 failed, 1 inconclusive"), "{}", said.out);
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.context.folder().join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
}

/// A file of an installed package.
fn package(file: &str) -> PathBuf {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/node-packages/node_modules").join(file);
    assert!(path.exists(), "this test needs {}: run scripts/ensure-packages", path.display());
    path
}

fn schema(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assay-report/tests/schemas").join(name)
}

#[track_caller]
fn must_work(mut command: Command, needs: &str) -> String {
    let output = command.output().unwrap_or_else(|err| panic!("this test needs {needs}: {err}"));
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn junit_and_ctrf_are_as_their_schemas_say() {
    let files = RunFiles::of_a_run();
    let mut lint = Command::new("xmllint");
    lint.args(["--noout", "--schema"]).arg(schema("junit-10.xsd")).arg(files.path("junit.xml"));
    must_work(lint, "xmllint; run scripts/ensure-browser --all");

    let judge = "const [ajv, formats, schema, report] = process.argv.slice(1); const read = (path) => JSON.parse(require('fs').readFileSync(path, 'utf8'));
        const judge = new (require(ajv).default)({ strict: false, allErrors: true }); require(formats).default(judge);
        if (!judge.validate(read(schema), read(report))) { console.log(judge.errorsText()); process.exit(1); }";
    let mut validate = Command::new("node");
    validate.args(["-e", judge, "--"]).args([package("ajv"), package("ajv-formats")]);
    validate.args([schema("ctrf-0.0.schema.json"), files.path("ctrf.json")]);
    must_work(validate, "node; run scripts/ensure-browser --all");
    let report: Value = serde_json::from_str(&files.text("ctrf.json")).unwrap();
    let summary = &report["results"]["summary"];
    assert_eq!(
        (&summary["passed"], &summary["failed"]),
        (&1.into(), &2.into()),
        "what is not clear did not pass: {summary}"
    );
}

#[test]
fn every_act_shows_the_page_before_and_after_with_its_target() {
    let files = RunFiles::of_a_run();
    let report: Value = serde_json::from_str(&files.text("assay-results/report.json")).unwrap();
    let tests = report["tests"].as_array().unwrap();
    let of = |name: &str| tests.iter().find(|test| test["title"] == name).unwrap();
    let bought = of("Buy a lantern");
    let commands: Vec<&Value> = bought["steps"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|step| step["commands"].as_array().unwrap())
        .collect();
    assert_eq!(commands.len(), 3, "{commands:?}");
    // The first opens the page: there is none before it, and nothing it is aimed at.
    assert!(commands[0]["before"].is_null() && commands[0]["target"].is_null(), "{}", commands[0]);
    for pair in commands.windows(2) {
        assert_eq!(pair[0]["after"], pair[1]["before"], "what one led to is what the next began with");
    }
    for command in &commands[1..] {
        assert!(command["score"].as_f64().is_some_and(|score| (0.5..=1.0).contains(&score)), "{command}");
        let target = &command["target"];
        let number = |key: &str| target[key].as_i64().unwrap_or_else(|| panic!("{key} in {command}"));
        assert!(number("width") > 10 && number("height") > 10 && number("view_width") == 1280, "{target}");
        assert!(files.path("assay-results").join(command["after"].as_str().unwrap()).is_file());
    }
    let click = &commands[2]["target"];
    let inside = |at: &str, from: &str, length: &str| {
        let at = click[at].as_i64().unwrap() - click[from].as_i64().unwrap();
        (0..=click[length].as_i64().unwrap()).contains(&at)
    };
    assert!(inside("at_x", "x", "width") && inside("at_y", "y", "height"), "{click}");

    // What could be meant is marked too, and what the page complained of is kept.
    let events = files.text("assay-results/events.jsonl");
    let finished =
        events.lines().find(|line| line.contains("\"marks\"") && line.contains("inconclusive")).unwrap();
    let finished: Value = serde_json::from_str(finished).unwrap();
    assert_eq!(finished["marks"].as_array().unwrap().len(), 2, "{finished}");
    let ended =
        events.lines().find(|line| line.contains("test-finished") && line.contains("no price for")).unwrap();
    assert!(ended.contains("/price") && ended.contains("500"), "{ended}");
}

/// A page with axe in it, in the light or the dark.
fn with_axe(context: &Context, name: &str, scheme: &str) -> PathBuf {
    let axe = std::fs::read_to_string(package("axe-core/axe.min.js")).unwrap();
    let page = std::fs::read_to_string(context.folder().join(name)).unwrap();
    let (media, page_scheme) = ("(prefers-color-scheme: dark)", "color-scheme: light dark;");
    assert!(page.contains(media) && page.contains(page_scheme));
    let page = match scheme {
        "dark" => page.replace(media, "all").replace(page_scheme, "color-scheme: dark;"),
        _ => page.replace(media, "not all").replace(page_scheme, "color-scheme: light;"),
    };
    let path = context.folder().join(name).with_extension(format!("{scheme}.html"));
    std::fs::write(&path, page.replace("</body>", &format!("<script>{axe}</script></body>"))).unwrap();
    path
}

/// What axe holds against the page as it is now, where it is serious.
fn findings(context: &Context) -> Vec<String> {
    let ask = "axe.run(document, { resultTypes: ['violations'] }).then((found) => JSON.stringify(found.violations \
        .filter((it) => it.impact === 'serious' || it.impact === 'critical') \
        .map((it) => `${it.id}: ${it.nodes.slice(0, 3).map((node) => node.html + ' ' + node.failureSummary).join(' | ')}`)))";
    serde_json::from_str(&context.ok(&["eval", ask, "--timeout", "60000"])).unwrap()
}

/// Nobody is kept from reading the page as it is now.
#[track_caller]
fn must_be_readable(context: &Context, state: &str) {
    let found = findings(context);
    assert!(found.is_empty(), "{state}:\n{}", found.join("\n"));
    let fits = context.ok(&["eval", "document.documentElement.scrollWidth <= innerWidth"]);
    assert_eq!(fits, "true", "{state}: it must not scroll sideways");
}

const WIDTHS: [(&str, &str); 2] = [("1280", "800"), ("390", "844")];

#[test]
fn everybody_can_read_the_html_report() {
    let files = RunFiles::of_a_run();
    let context = &files.context;
    for scheme in ["light", "dark"] {
        let page = with_axe(context, "report.html", scheme);
        for (width, height) in WIDTHS {
            let check =
                |state: &str| must_be_readable(context, &format!("{state}, {scheme}, {width} px wide"));
            let open = |hash: &str| {
                context.ok(&["go", &format!("file://{}{hash}", page.display()), "--allow", "file"])
            };
            open("");
            context.ok(&["viewport", width, height]);
            check("the overview");
            open("#/test/price_coupon_taken_off");
            context.ok(&["wait", "--text", "What happened"]);
            context.ok(&["click", "Expand or collapse all"]);
            check("a test that failed");
            context.ok(&["eval", "document.querySelector('.pictures .thumb button').click()"]);
            context.ok(&["wait", "#viewer .framed"]);
            check("its pictures");
            open("#/test/which_delete_something");
            context.ok(&["wait", "--text", "Candidates"]);
            check("a test that is not clear");
        }
    }
    // The judge is awake.
    context.ok(&["eval", "document.querySelector('main').append(document.createElement('button')), 1"]);
    assert!(findings(context).iter().any(|finding| finding.starts_with("button-name")));
}

#[test]
fn everybody_can_judge_what_was_healed() {
    let context = Context::new();
    let site = |button: &'static str| {
        Server::start(move |request: &Request| match request.path.as_str() {
            "/" => Response::html(format!(
                "<!doctype html><html lang=en><title>Form</title><form method=post action=/sent>\
                 <label>Name <input name=who></label> <button>{button}</button></form>"
            )),
            _ => Response::html("<!doctype html><html lang=en><title>Sent</title><p>Thank you</p>"),
        })
    };
    let steps = "test: Send it\nsteps:\n  - Go to /\n  - Click the \"Send\" button\n";
    let expected = "expected:\n  - The text \"Thank you\" is shown\n";
    std::fs::write(context.folder().join("send.yaml"), format!("{steps}{expected}")).unwrap();
    for (button, more) in [("Send", "--lock"), ("Post", "--frozen")] {
        let server = site(button);
        let url = server.url("");
        let said = context.run(&["run", "send.yaml", "--base-url", url.trim_end_matches('/'), more]);
        assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    }
    context.ok(&["heal"]);
    for scheme in ["light", "dark"] {
        let page = with_axe(&context, "assay-results/heals.html", scheme);
        for (width, height) in WIDTHS {
            context.ok(&["go", &format!("file://{}", page.display()), "--allow", "file"]);
            context.ok(&["viewport", width, height]);
            let shown = context.ok(&["text"]);
            for part in
                ["1 change to review", "Click the \"Send\" button", "Score", "Margin", "POST /sent (who)"]
            {
                assert!(shown.contains(part), "{part} is not in\n{shown}");
            }
            let drawn =
                "[...document.querySelectorAll('.side img')].filter((it) => it.naturalWidth > 0).length";
            assert_eq!(context.ok(&["eval", drawn]), "4", "close by and whole, then and now");
            must_be_readable(&context, &format!("heals, {scheme}, {width} px wide"));
            context.ok(&["eval", "document.querySelector('.whole').click()"]);
            context.ok(&["wait", "#viewer .framed"]);
            must_be_readable(&context, &format!("both pictures, {scheme}, {width} px wide"));
        }
    }
}

/// Ended with the test, however it ends.
struct Viewer {
    process: Child,
    url: String,
}

impl Viewer {
    fn of(trace: &Path) -> Viewer {
        let mut process = Command::new("node")
            .arg(package("playwright-core/cli.js"))
            .args(["show-trace", "--host", "127.0.0.1", "--port", "0"])
            .arg(trace)
            .stdout(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .unwrap_or_else(|err| panic!("this test needs node; run scripts/ensure-browser --all: {err}"));
        let said = BufReader::new(process.stdout.take().unwrap());
        let url = said
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("Listening on ").map(str::to_owned));
        Viewer { url: url.expect("the viewer says where it listens"), process }
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ended = self.process.kill();
        let _reaped = self.process.wait();
    }
}

#[test]
fn the_viewer_of_playwright_shows_the_trace() {
    let files = RunFiles::of_a_run();
    let viewer = Viewer::of(&files.path("assay-results/trace.zip"));
    let context = &files.context;
    context.ok(&["go", &viewer.url]);
    for action in ["Buy a lantern", "A coupon is taken off", "Delete <something>"] {
        context.ok(&["wait", "--text", action, "--timeout", "30000"]);
    }
    // The last one is opened down to its act, which the viewer shows with a box where it was aimed.
    context.ok(&["click", "text=A coupon is taken off"]);
    context.ok(&["press", "ArrowRight"]);
    context.ok(&["click", "text=Click the \"Buy\" button", "--timeout", "30000"]);
    context.ok(&["press", "ArrowRight"]);
    context.ok(&["press", "ArrowDown"]);
    context.ok(&["wait", ".aria-mode-screenshot img", "--timeout", "30000"]);
    context.ok(&["wait", ".aria-mode-action-highlight", "--timeout", "30000"]);
    context.ok(&["wait", ".aria-mode-action-point", "--timeout", "30000"]);
}
