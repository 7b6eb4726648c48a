//! Requirements: files, links, tables from elsewhere, coverage before and after runs.

use std::path::PathBuf;

use assay_testkit::{Request, Response, Server};

use crate::context::{Context, Said};

/// A project without anything that has to be trusted.
struct Desk {
    context: Context,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Desk {
        let desk = Desk { context: Context::new() };
        desk.write("assay.yaml", "suite: shop\n");
        files.iter().for_each(|(path, text)| desk.write(path, text));
        desk
    }

    fn path(&self, path: &str) -> PathBuf {
        self.context.folder().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }

    fn say(&self, line: &[&str]) -> Said {
        self.context.run(line)
    }

    #[track_caller]
    fn ok(&self, line: &[&str]) -> String {
        self.context.ok(line)
    }
}

const TEST: &str = "# The till\ntest: Coupon # short\ntags: [shop]\nsteps:\n  - Go to /cart # first\nexpected:\n  - The text \"Sum\" is shown\n";

fn two() -> Desk {
    Desk::new(&[
        (
            "requirements/shop.yaml",
            "# Agreed in May\n- code: REQ-12 # the big one\n  name: checkout with a coupon\n  priority: high\n\n- code: REQ-13\n  name: refund\n",
        ),
        ("tests/till.yaml", TEST),
    ])
}

#[test]
fn a_requirement_is_created_changed_and_shown() {
    let desk = Desk::new(&[]);
    let said = desk.ok(&[
        "requirement",
        "create",
        "REQ-1",
        "pay by card",
        "--priority",
        "high",
        "--criterion",
        "A receipt is shown",
    ]);
    assert_eq!(said, "created: REQ-1\nwritten: requirements/requirements.yaml");
    assert_eq!(
        desk.text("requirements/requirements.yaml"),
        "- code: REQ-1\n  name: pay by card\n  priority: high\n  acceptance_criteria:\n    - A receipt is shown\n"
    );
    desk.ok(&["requirement", "create", "REQ-2", "refund: all of it"]);
    desk.ok(&["requirement", "update", "REQ-1", "--status", "implemented"]);
    assert_eq!(
        desk.text("requirements/requirements.yaml"),
        "- code: REQ-1\n  name: pay by card\n  priority: high\n  status: implemented\n  acceptance_criteria:\n    - A receipt is shown\n\
         - code: REQ-2\n  name: \"refund: all of it\"\n"
    );
    assert_eq!(
        desk.ok(&["requirement", "list"]),
        "REQ-1  pay by card  (high, implemented)\nREQ-2  refund: all of it\n2 requirements"
    );
    assert_eq!(
        desk.ok(&["requirement", "list", "--priority", "high"]),
        "REQ-1  pay by card  (high, implemented)\n1 requirement"
    );
    let again = desk.context.fails(2, &["requirement", "create", "REQ-1", "again"]);
    assert!(
        again.contains("`REQ-1` exists already (\"pay by card\"), in requirements/requirements.yaml:1"),
        "{again}"
    );
    let unknown = desk.context.fails(2, &["requirement", "show", "REQ-22"]);
    assert!(unknown.contains("did you mean `REQ-2`?"), "{unknown}");
    let outside = desk.context.fails(2, &["requirement", "create", "REQ-3", "x", "--file", "tests/x.yaml"]);
    assert!(outside.contains("expected a YAML file in"), "{outside}");
    assert_eq!(desk.say(&["requirement", "create", "REQ-3", "x", "--priority", "urgent"]).code, 2);
}

#[test]
fn links_are_written_into_the_test_and_nothing_else_changes() {
    let desk = two();
    assert_eq!(
        desk.ok(&["requirement", "link", "REQ-12", "till_coupon", "--as", "partial"]),
        "till_coupon: linked to REQ-12 (partial) in tests/till.yaml"
    );
    let linked = desk.text("tests/till.yaml");
    assert_eq!(linked, TEST.replace("tags: [shop]\n", "tags: [shop]\nrequirements: {REQ-12: partial}\n"));
    assert_eq!(
        desk.ok(&["requirement", "link", "REQ-12", "Coupon", "--as", "partial"]),
        "till_coupon: linked to REQ-12 already"
    );
    assert_eq!(desk.text("tests/till.yaml"), linked);
    assert_eq!(desk.ok(&["requirement", "of", "tests/till.yaml"]), "REQ-12 checkout with a coupon (partial)");
    let shown = desk.ok(&["requirement", "show", "REQ-12"]);
    assert!(shown.contains("coverage: partial, 1 test, never run"), "{shown}");
    let wrong = desk.context.fails(2, &["requirement", "link", "REQ-14", "till_coupon"]);
    assert!(wrong.contains("there is no requirement `REQ-14`\nhint: did you mean `REQ-1"), "{wrong}");
    let nobody = desk.context.fails(2, &["requirement", "link", "REQ-12", "till_coupn"]);
    assert!(nobody.contains("did you mean till_coupon?"), "{nobody}");
    desk.ok(&["requirement", "unlink", "REQ-12", "till_coupon"]);
    assert_eq!(desk.text("tests/till.yaml"), TEST);
}

#[test]
fn an_unknown_code_is_a_mistake_with_the_folder_and_a_note_without() {
    let desk = two();
    let with_code = TEST.replace("tags: [shop]\n", "requirements:\n  - REQ-21\n");
    desk.write("tests/till.yaml", &with_code);
    let said = desk.say(&["run", "--list"]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("tests/till.yaml:4:5: unknown requirement `REQ-21`\n  4 | - REQ-21\n    |   ^^^^^^ did you mean `REQ-12`?"),
        "{}",
        said.err
    );
    std::fs::remove_dir_all(desk.path("requirements")).unwrap();
    assert_eq!(desk.ok(&["run", "--list"]), "till_coupon  tests/till.yaml\n1 test");
    let coverage = desk.say(&["coverage"]);
    assert!(coverage.out.starts_with("REQ-21 (not on file)  full  1 test, never run"), "{}", coverage.out);
}

#[test]
fn mistakes_in_files_are_named_with_their_places() {
    let desk = Desk::new(&[
        ("requirements/a.yaml", "- code: R-1\n  nme: Pay\n- code: R-2\n  name: Go\n  priority: hihg\n"),
        ("requirements/b.yaml", "code: R-2\nname: Again\n"),
    ]);
    let said = desk.context.fails(2, &["requirement", "list"]);
    for part in [
        "requirements/a.yaml:2:3: unknown key `nme`",
        "did you mean `name`?",
        "requirements/a.yaml:5:13: unknown priority `hihg`",
        "did you mean `high`?",
        "the requirement `R-2` is already in requirements/a.yaml:3",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn tables_of_spreadsheets_and_documents_are_imported() {
    let desk = two();
    // As a spreadsheet in a country with decimal commas exports it.
    let export = "\u{feff}Shop requirements;;;;\r\n;;;;\r\nReq. ID;Title;Acceptance criteria;Prio;Owner\r\n\
                  REQ-13;refund;\"- In full\r\n- Within \"\"14\"\" days; no fee\";Must;Ann\r\n;;;;\r\nREQ-20;Größe, Farbe;;low;\r\n";
    desk.write("export.csv", export);
    let before = desk.text("requirements/shop.yaml");
    let dry = desk.ok(&["requirement", "import", "export.csv", "--dry-run"]);
    assert!(dry.contains("would be created: REQ-20\nwould be updated: REQ-13"), "{dry}");
    assert_eq!(desk.text("requirements/shop.yaml"), before);
    let said = desk.say(&["requirement", "import", "export.csv"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.err.contains("left out: the column `Owner`"), "{}", said.err);
    assert_eq!(
        desk.text("requirements/shop.yaml"),
        format!(
            "{before}  priority: critical\n  acceptance_criteria:\n    - In full\n    - \"Within \\\"14\\\" days; no fee\"\n"
        )
    );
    assert_eq!(
        desk.text("requirements/requirements.yaml"),
        "- code: REQ-20\n  name: \"Größe, Farbe\"\n  priority: low\n"
    );
    assert_eq!(
        desk.ok(&["requirement", "import", "export.csv"]),
        "all 2 requirements are as they were; nothing changed"
    );
    desk.write("doc.md", "# List\n\n| Key | Summary |\n| --- | --- |\n| `REQ-30` | [Ship](http://x) |\n");
    assert!(desk.ok(&["requirement", "import", "doc.md"]).contains("created: REQ-30"));
    desk.write("bad.csv", "Code,Name,Priority\nREQ-40,Good,low\nREQ-41,Bad,soon\n,Nameless,low\n");
    let refused = desk.context.fails(2, &["requirement", "import", "bad.csv"]);
    assert!(refused.contains("bad.csv: line 3: unknown priority `soon`"), "{refused}");
    assert!(refused.contains("bad.csv: line 4: expected a code, found nothing"), "{refused}");
    assert!(!desk.text("requirements/requirements.yaml").contains("REQ-40"));
}

fn till(request: &Request) -> Response {
    match request.path.as_str() {
        "/" => Response::html(
            "<title>Till</title><h1>Till</h1><button onclick=\"out.textContent='Sum: 3'\">Pay</button><p id=out></p>",
        ),
        _ => Response::status(404),
    }
}

#[test]
fn coverage_follows_the_last_run_and_never_claims_more() {
    let server = Server::start(till);
    let desk = two();
    let test = |name: &str, links: &str, claim: &str| {
        format!(
            "test: {name}\nrequirements: {links}\nsteps:\n  - Go to {}\n  - Click the \"Pay\" button\n{claim}",
            server.url("/")
        )
    };
    let good = "expected:\n  - The text \"Sum: 3\" is shown\n";
    desk.write("tests/till.yaml", &test("Coupon", "REQ-12", good));
    desk.write("tests/part.yaml", &test("Part", "[REQ-12: partial]", ""));
    desk.write(
        "tests/wrong.yaml",
        &test("Wrong", "[REQ-13: negative]", "expected:\n  - The text \"Sum: 4\" is shown\n"),
    );
    assert_eq!(desk.say(&["coverage"]).code, 3, "nothing was run yet");
    let run = desk.say(&["run"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("requirements: REQ-13 refund (negative)"), "{}", run.out);
    let said = desk.say(&["coverage", "--html", "matrix.html"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert_eq!(
        said.out,
        "REQ-12 checkout with a coupon  full           2 tests: 1 passed without an expectation; 1 passed\n\
         REQ-13 refund                  negative only  1 test, last run failed\n\
         2 requirements: 1 full (0 shown by the last run), 1 negative only, 1 with a failing test"
    );
    let page = desk.text("matrix.html");
    assert!(page.contains("checkout with a coupon") && page.contains("till_coupon: full, passed"), "{page}");
    let uncovered = desk.say(&["coverage", "--uncovered"]);
    assert_eq!(
        (uncovered.code, uncovered.out.starts_with("REQ-13 refund  negative only")),
        (3, true),
        "{uncovered:?}"
    );
    // The red test is gone, the hollow one claims something, and both have run.
    std::fs::remove_file(desk.path("tests/wrong.yaml")).unwrap();
    desk.write("tests/part.yaml", &test("Part", "[REQ-12: partial]", good));
    assert_eq!(desk.say(&["run", "tests/part.yaml"]).code, 0);
    desk.write("requirements/shop.yaml", "- code: REQ-12\n  name: checkout with a coupon\n");
    let shown = desk.say(&["coverage"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert!(
        shown.out.contains("REQ-12 checkout with a coupon  full  2 tests, last run passed"),
        "{}",
        shown.out
    );
    // A test that changed since shows nothing.
    desk.write("tests/part.yaml", &test("Part", "[REQ-12: partial]", &good.replace("3", "5")));
    let stale = desk.say(&["coverage"]);
    assert_eq!(stale.code, 3, "{stale:?}");
    assert!(stale.out.contains("2 tests: 1 passed, but changed since; 1 passed"), "{}", stale.out);
}

#[test]
fn reports_name_the_requirements_of_red_tests() {
    let desk = two();
    // Nothing answers there: the test breaks without a browser having to show much.
    let text = TEST
        .replace("tags: [shop]", "requirements: [REQ-12: partial]")
        .replace("/cart", "http://127.0.0.1:1/cart");
    desk.write("tests/till.yaml", &text);
    let run = desk.say(&["run", "--junit", "j.xml", "--ctrf", "c.json"]);
    assert_ne!(run.code, 0, "{run:?}");
    assert!(run.out.contains("requirements: REQ-12 checkout with a coupon (partial)"), "{}", run.out);
    let report: serde_json::Value = serde_json::from_str(&desk.text("assay-results/report.json")).unwrap();
    let test = &report["tests"][0];
    assert_eq!(test["requirements"], serde_json::json!(["REQ-12"]));
    assert_eq!(
        test["requirement_links"],
        serde_json::json!([{ "code": "REQ-12", "name": "checkout with a coupon", "coverage": "partial" }])
    );
    let junit = desk.text("j.xml");
    assert!(junit.contains("requirements: REQ-12 checkout with a coupon (partial)"), "{junit}");
    let ctrf: serde_json::Value = serde_json::from_str(&desk.text("c.json")).unwrap();
    assert_eq!(ctrf["results"]["tests"][0]["labels"]["requirements"], serde_json::json!(["REQ-12"]));
    assert!(desk.text("assay-results/report.html").contains("REQ-12 checkout with a coupon (partial)"));
}

#[test]
fn agents_have_the_same_as_tools() {
    let desk = two();
    let call = |tool: &str, arguments: &str| -> serde_json::Value {
        let said = desk.context.json(&["tool", tool, arguments]);
        assert_eq!(said["ok"], true, "{tool}: {said}");
        said["data"]["value"].clone()
    };
    call("create_requirement", r#"{"code": "REQ-14", "name": "ship", "priority": "low"}"#);
    let listed = call("list_requirements", "{}");
    assert_eq!(listed["requirements"].as_array().unwrap().len(), 3);
    call("update_requirement", r#"{"code": "REQ-14", "acceptance_criteria": ["A", "B"]}"#);
    let linked = call(
        "link_testcase_to_requirement",
        r#"{"requirement": "REQ-14", "testcase": "till_coupon", "coverage": "negative"}"#,
    );
    assert_eq!((&linked["changed"], &linked["file"]), (&true.into(), &"tests/till.yaml".into()));
    let one = call("get_requirement", r#"{"code": "REQ-14"}"#);
    assert_eq!(one["acceptance_criteria"], serde_json::json!(["A", "B"]));
    assert_eq!(
        (&one["coverage"], &one["tests"][0]["standing"]),
        (&"negative-only".into(), &"never-run".into())
    );
    let of = call("get_testcase_requirements", r#"{"testcase": "till_coupon"}"#);
    assert_eq!(of["requirements"][0]["coverage"], "negative");
    let summary = call("get_coverage_summary", "{}");
    assert_eq!((&summary["totals"]["requirements"], &summary["totals"]["none"]), (&3.into(), &2.into()));
    assert_eq!(call("get_uncovered_requirements", "{}")["requirements"].as_array().unwrap().len(), 3);
    call("unlink_testcase_from_requirement", r#"{"requirement": "REQ-14", "testcase": "till_coupon"}"#);
    assert_eq!(desk.text("tests/till.yaml"), TEST);
}
