//! What a run does about trouble on the way: pages that lead away, things that lie in the way, elements that are drawn
//! anew under one's hands.

use assay_testkit::{Request, Response, Server};

use crate::context::{Context, Said};

fn page(title: &str, body: &str) -> Response {
    Response::html(format!("<!doctype html><title>{title}</title><h1>{title}</h1>{body}"))
}

fn site(request: &Request) -> Response {
    let shop = "<button onclick=\"out.textContent='Bought'\">Buy</button><p id=out></p>";
    match request.path.as_str() {
        "/away" => {
            let port = request.header("host").and_then(|host| host.rsplit(':').next()).unwrap_or("80");
            page("Away", &format!("<a href='http://localhost:{port}/shop'>Go to the partner</a>"))
        }
        "/shop" => page("Shop", shop),
        // Comes late, lies over everything, and asks about cookies.
        "/banner" => page(
            "Banner",
            &format!(
                "{shop}<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', \
                 '<div class=cookie-consent style=\"position:fixed;inset:0;background:#fff\">We use cookies \
                 <button onclick=\"this.parentNode.remove()\">Reject all</button></div>'), 0)</script>"
            ),
        ),
        // Lies over everything, and is about something else: nobody may close it unasked.
        "/dialog" => page(
            "Dialog",
            &format!(
                "{shop}<div role=dialog aria-label='Your session ends' style='position:fixed;inset:0;background:#fff'>\
                 Your session ends <button onclick='this.parentNode.remove()'>Close</button></div>"
            ),
        ),
        // Goes away by itself.
        "/loading" => page(
            "Loading",
            &format!(
                "{shop}<div class=spinner role=progressbar aria-label='Loading prices' \
                 style='position:fixed;inset:0;background:#fff'></div>\
                 <script>setTimeout(() => document.querySelector('.spinner').remove(), 1500)</script>"
            ),
        ),
        _ => Response::status(404),
    }
}

/// Runs one test with these lines after its name.
fn run(context: &Context, rest: &str) -> (Said, serde_json::Value) {
    std::fs::write(context.folder().join("test.yaml"), format!("test: Trouble\n{rest}")).unwrap();
    let said = context.run(&["run", "test.yaml"]);
    let report = std::fs::read_to_string(context.folder().join("assay-results/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    (said, report["tests"][0].clone())
}

fn buying(server: &Server, path: &str) -> String {
    format!(
        "steps:\n  - Open {}\n  - Click the \"Buy\" button\nexpected:\n  - The text \"Bought\" is shown\n",
        server.url(path)
    )
}

#[test]
fn a_page_outside_the_allowed_domains_is_refused() {
    let (context, server) = (Context::new(), Server::start(site));
    let policy = "policy:\n  allowed_domains: [127.0.0.1]\n";
    let direct = format!("{policy}steps:\n  - Open http://localhost:1/shop\n  - Click the \"Buy\" button\n");
    let (said, test) = run(&context, &direct);
    assert_eq!(test["status"], "failed", "{}", said.out);
    assert_eq!(test["reason"], "`localhost` may not be opened: the policy allows 127.0.0.1");
    let by_link = format!(
        "{policy}steps:\n  - Open {}\n  - Click the \"Go to the partner\" link\nexpected:\n  - The page is \"Shop\"\n",
        server.url("/away")
    );
    let (said, test) = run(&context, &by_link);
    assert_eq!(test["status"], "failed", "{}", said.out);
    assert_eq!(test["reason"], "`localhost` may not be opened: the policy allows 127.0.0.1");
    assert_eq!(test["page_url"], "about:blank");
    let allowed = by_link.replace("[127.0.0.1]", "[127.0.0.1, localhost]");
    assert_eq!(run(&context, &allowed).1["status"], "passed");
    let blocked = by_link.replace("allowed_domains: [127.0.0.1]", "blocked_domains: [localhost]");
    let (_, test) = run(&context, &blocked);
    assert_eq!(test["reason"], "`localhost` may not be opened: the policy blocks `localhost`");
}

#[test]
fn a_banner_about_cookies_is_closed_and_told() {
    let (context, server) = (Context::new(), Server::start(site));
    let (said, test) = run(&context, &buying(&server, "/banner"));
    assert_eq!(test["status"], "passed", "{}", said.out);
    let recovered = test["steps"][1]["recovered"][0]["reason"].as_str().unwrap_or_default();
    assert!(recovered.contains("closed by \"Reject all\""), "{test:#}");
}

#[test]
fn any_other_dialog_is_left_open_and_named() {
    let (context, server) = (Context::new(), Server::start(site));
    let (said, test) = run(&context, &buying(&server, "/dialog"));
    assert_ne!(test["status"], "passed", "{}", said.out);
    assert!(test["reason"].as_str().unwrap_or_default().contains("Your session ends"), "{}", test["reason"]);
}

#[test]
fn what_is_loading_is_waited_for() {
    let (context, server) = (Context::new(), Server::start(site));
    let (said, test) = run(&context, &buying(&server, "/loading"));
    assert_eq!(test["status"], "passed", "{}", said.out);
}

#[test]
fn a_budget_of_seconds_ends_a_test() {
    let (context, server) = (Context::new(), Server::start(site));
    let patient = format!(
        "budget:\n  seconds: 1\n  tokens: 1000\nsteps:\n  - Open {}\n  - Wait 30 seconds\n",
        server.url("/shop")
    );
    let (said, test) = run(&context, &patient);
    assert_eq!(test["status"], "failed", "{}", said.out);
    assert_eq!(test["reason"], "the test took longer than 1 s");
    assert_eq!(
        test["notes"][0],
        "budget: turns, tokens and money are spent by models only, and none is asked"
    );
}
