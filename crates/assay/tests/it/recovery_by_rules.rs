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
        // A shop of its own that only sounds like a banner about cookies, and a button that comes late.
        "/bakery" => page(
            "Bakery",
            "<div class=cookie>Oat cookie <button onclick=\"this.parentNode.remove();out.textContent='Removed'\">×</button></div>\
             <p id=out></p><script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button onclick=\"done.textContent=\\'Paid\\'\">Checkout</button><p id=done></p>'), 1200)</script>",
        ),
        "/toast" => page(
            "Toast",
            "<button onclick=\"note.textContent='Saved'\">Save</button><button>Publish</button><div role=status id=note></div>",
        ),
        "/form" => page(
            "Form",
            "<label>Name <input id=name></label><label>Password <input id=pass></label>\
             <button onclick=\"out.textContent='Sent by ' + document.getElementById('name').value\">Save</button><p id=out></p>",
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
    assert!(recovered.contains("closed with \"Reject all\""), "{test:#}");
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
        "budget: limits on turns, tokens and money apply only to models, and this run uses none"
    );
}

#[test]
fn what_only_sounds_like_a_banner_is_not_touched() {
    let (context, server) = (Context::new(), Server::start(site));
    let buying = format!(
        "steps:\n  - Open {}\n  - Click the \"Checkout\" button\nexpected:\n  - The text \"Paid\" is shown\n  - The text \"Oat cookie\" is still shown\n",
        server.url("/bakery")
    );
    let (said, test) = run(&context, &buying);
    assert_eq!(test["status"], "passed", "{}", said.out);
    assert_eq!(test["recovered_tiers"].as_array().unwrap().len(), 0);
}

#[test]
fn a_message_of_an_earlier_step_proves_nothing() {
    let (context, server) = (Context::new(), Server::start(site));
    let steps = |acts: &str| {
        format!(
            "steps:\n  - Open {}\n{acts}expected:\n  - The message \"Saved\" is shown\n",
            server.url("/toast")
        )
    };
    let save = "  - Click the \"Save\" button\n";
    assert_eq!(run(&context, &steps(save)).1["status"], "passed");
    let (said, test) = run(&context, &steps(&format!("{save}  - Click the \"Publish\" button\n")));
    assert_eq!(test["status"], "inconclusive", "{}", said.out);
}

#[test]
fn a_claim_on_the_way_does_not_speak_for_what_is_expected() {
    let (context, server) = (Context::new(), Server::start(site));
    let hollow = format!(
        "steps:\n  - Open {}\n  - Verify the heading \"Toast\" is shown\n  - Click the \"Publish\" button\nexpected:\n  - The heading \"Toast\" is shown\n",
        server.url("/toast")
    );
    let (said, test) = run(&context, &hollow);
    assert_eq!(test["status"], "inconclusive", "{}", said.out);
    assert!(
        test["reason"].as_str().unwrap().contains("every claim was already true before"),
        "{}",
        test["reason"]
    );
}

#[test]
fn a_claim_behind_the_last_act_shows_what_it_has_changed() {
    let (context, server) = (Context::new(), Server::start(site));
    let test = |button: &str| {
        format!(
            "steps:\n  - Open {}\n  - Click the \"Save\" button\n  - Verify that \"Saved\" is shown\n{button}expected:\n  - The heading \"Toast\" is shown\n",
            server.url("/toast")
        )
    };
    let (said, shown) = run(&context, &test(""));
    assert_eq!(shown["status"], "passed", "{}", said.out);
    let (said, hollow) = run(&context, &test("  - Click the \"Publish\" button\n"));
    assert_eq!(hollow["status"], "inconclusive", "{}", said.out);
}

#[test]
fn an_exact_command_in_what_is_expected_is_a_question_with_an_answer() {
    let (context, server) = (Context::new(), Server::start(site));
    let expecting = |command: &str| {
        let text = format!(
            "steps:\n  - Open {}\n  - Click the \"Save\" button\nexpected:\n  - run: {command}\n",
            server.url("/toast")
        );
        run(&context, &text).1["status"].as_str().unwrap_or_default().to_string()
    };
    assert_eq!(expecting("is visible \"#note\""), "passed");
    assert_eq!(expecting("count \".nothing\""), "failed");
    assert_eq!(expecting("eval \"1 === 2\""), "failed");
    assert_eq!(expecting("click \"button\""), "inconclusive");
    assert_eq!(expecting("url"), "inconclusive");
}

#[test]
fn a_value_with_quotation_marks_stays_one_value() {
    let (context, server) = (Context::new(), Server::start(site));
    let text = format!(
        "variables:\n  odd: 'ab\" in the name field and click \"Save'\nsteps:\n  - Open {}\n  - Enter \"${{odd}}\" in the password field\n  - Enter \"Ada\" in the name field\n  - Click the \"Save\" button\nexpected:\n  - The text \"Sent by Ada\" is shown\n  - The password field contains \"${{odd}}\"\n",
        server.url("/form")
    );
    let (said, test) = run(&context, &text);
    assert_eq!(test["status"], "passed", "{}", said.out);
}

#[test]
fn an_order_that_may_have_been_placed_is_not_placed_again() {
    let orders = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&orders);
    let server = Server::start(move |request: &Request| match request.path.as_str() {
        "/" => page("Shop", "<form method=post action=/order><button>Place order</button></form>"),
        "/order" => {
            counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_secs(8));
            page("Thanks", "")
        }
        _ => Response::status(404),
    });
    let context = Context::new();
    let text = format!(
        "retries: 2\ntimeout:\n  step: 30s\n  test: 3s\nsteps:\n  - Open {}\n  - Click the \"Place order\" button\nexpected:\n  - The page is \"Thanks\"\n",
        server.url("/")
    );
    let (said, test) = run(&context, &text);
    assert_eq!(test["status"], "inconclusive", "{}", said.out);
    assert!(
        test["reason"]
            .as_str()
            .unwrap()
            .contains("may or may not have been carried out, and it commits something"),
        "{}",
        test["reason"]
    );
    assert_eq!(orders.load(std::sync::atomic::Ordering::SeqCst), 1);
}
