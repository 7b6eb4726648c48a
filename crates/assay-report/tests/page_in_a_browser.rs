//! The HTML report as a browser shows it: from disk, without a server.

use std::path::{Path, PathBuf};
use std::process::Command;

use assay_protocol::{Judgement, LastPage, Part, RunEvent, RunFact, TestLine, Verdict};
use assay_report::{HtmlOptions, PicturesInHtml, Summary, write_html_report};

const EVIL: &str =
    "</script><img src=x onerror=\"document.title='ran'\"><script>document.title='ran'</script>";

/// The same places that assay looks in: crates/assay-driver-chromium/src/find.rs.
const BROWSERS: &[&str] = &[
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chrome-headless-shell",
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
];

fn browser() -> PathBuf {
    let named = std::env::var_os("ASSAY_CHROMIUM").map(PathBuf::from);
    let known = BROWSERS.iter().map(PathBuf::from).find(|path| path.exists());
    named.or(known).expect("this test needs Chromium: run `scripts/ensure-browser`")
}

/// What the browser makes of the page, as markup.
fn shown(page: &Path, hash: &str) -> String {
    let profile = page.with_file_name("profile");
    let output = Command::new(browser())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=3000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}{hash}", page.display()))
        .output()
        .expect("the browser starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let dom = String::from_utf8(output.stdout).expect("the page is text");
    // Without our own data and scripts, in which all words occur anyway.
    let (page, _) = dom.split_once("<script type=\"application/json\"").expect("the data of the run");
    page.to_owned()
}

fn events() -> Vec<RunEvent> {
    let line = TestLine {
        id: "evil".into(),
        name: EVIL.into(),
        file: "tests/evil.yaml".into(),
        browser: "chromium".into(),
        tags: vec![EVIL.into()],
        requirements: Vec::new(),
        links: Vec::new(),
        fingerprint: None,
        basis: Default::default(),
    };
    let judgement = Judgement {
        claim: EVIL.into(),
        verdict: Verdict::Failed,
        standing: false,
        may_stand: false,
        reason: EVIL.into(),
        expected: Some("Account expired".into()),
        found: Some(EVIL.into()),
        elements: Vec::new(),
    };
    let test = || "evil".to_owned();
    let facts = vec![
        RunFact::RunStarted {
            run: "r1".into(),
            suite: EVIL.into(),
            tests: vec![line],
            workers: 1,
            strict: false,
        },
        RunFact::TestStarted { test: test(), attempt: 1, worker: 0 },
        RunFact::StepStarted { test: test(), step: 1, part: Part::Expected, text: EVIL.into() },
        RunFact::StepFinished {
            test: test(),
            step: 1,
            verdict: Verdict::Failed,
            reason: EVIL.into(),
            judgements: vec![judgement],
            marks: Vec::new(),
            duration_ms: 40,
            own_us: None,
        },
        RunFact::TestFinished {
            test: test(),
            attempt: 1,
            verdict: Verdict::Failed,
            reason: EVIL.into(),
            flaky: false,
            will_retry: false,
            interrupted: false,
            claims_nothing: false,
            last_page: Some(LastPage { url: EVIL.into(), text: EVIL.into(), ..LastPage::default() }),
            duration_ms: 50,
        },
        RunFact::RunFinished { interrupted: false, duration_ms: 60 },
    ];
    facts.into_iter().enumerate().map(|(at, what)| RunEvent { at: at as u64, what }).collect()
}

#[test]
fn what_pages_and_tests_say_is_shown_and_never_run() {
    let folder = std::env::temp_dir().join(format!("assay-report-browser-{}", std::process::id()));
    let page = folder.join("report.html");
    let options = HtmlOptions { run_folder: folder.clone(), pictures: PicturesInHtml::Linked };
    write_html_report(&Summary::of(&events()), &options, &page).unwrap();

    let overview = shown(&page, "");
    assert!(overview.contains("No test passed"), "{overview}");
    assert!(overview.contains("Product defect"), "{overview}");

    let test = shown(&page, "#/test/evil");
    assert!(test.contains("Account expired"), "{test}");
    for dom in [&overview, &test] {
        let name = "&lt;/script&gt;&lt;img src=x onerror=";
        assert!(dom.contains(name), "{dom}");
        assert!(!dom.contains("<title>ran</title>") && !dom.contains("<img"), "{dom}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
