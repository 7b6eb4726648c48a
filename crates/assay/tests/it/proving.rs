//! `assay prove`: tests that stay green whatever is broken are called hollow, and no other is.

use assay_testkit::corpora::{CaseSite, ProofCase, Strength, proof_cases};
use assay_testkit::{Request, Response, Server};

use crate::context::Context;

/// A part of the corpus, proved: the report, and what was printed.
fn proved(strength: Strength, more: &[&str]) -> (Vec<(ProofCase, CaseSite)>, serde_json::Value, String) {
    let context = Context::new();
    let folder = context.folder().join("tests");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(context.folder().join("assay.yaml"), "timeout:\n  step: 4s\n").unwrap();
    let cases: Vec<(ProofCase, CaseSite)> = proof_cases()
        .unwrap()
        .into_iter()
        .filter(|case| case.strength == strength)
        .map(|case| {
            let site = case.serve();
            let test = case.test_at(site.url("").trim_end_matches('/'));
            std::fs::write(folder.join(format!("{}.yaml", case.name)), test).unwrap();
            (case, site)
        })
        .collect();
    let said = context.run(&[&["prove", "tests", "--workers", "4", "--no-screenshots"], more].concat());
    let report = context.folder().join("assay-results/report.json");
    let report = std::fs::read_to_string(report).unwrap_or_else(|_| panic!("{}\n{}", said.out, said.err));
    (cases, serde_json::from_str(&report).unwrap(), said.out)
}

fn proof_of<'a>(report: &'a serde_json::Value, case: &ProofCase) -> &'a serde_json::Value {
    let file = format!("tests/{}.yaml", case.name);
    let tests = report["tests"].as_array().unwrap();
    let test = tests.iter().find(|test| test["file"] == file.as_str());
    &test.unwrap_or_else(|| panic!("{file} was not run"))["proof"]
}

#[test]
fn hollow_tests_are_found() {
    let (cases, report, said) = proved(Strength::Hollow, &[]);
    let overlooked: Vec<String> = cases
        .iter()
        .filter(|(case, _)| proof_of(&report, case)["judgement"] != "hollow")
        .map(|(case, _)| format!("{}: {}", case.name, proof_of(&report, case)))
        .collect();
    println!("{} of {} hollow tests found\n{said}", cases.len() - overlooked.len(), cases.len());
    assert!(cases.len() >= 20 && overlooked.len() * 20 <= cases.len(), "{}\n{said}", overlooked.join("\n"));
    assert!(report["proofs"]["kill_rate"].as_f64().unwrap() < 100.0, "{}", report["proofs"]);
    // Each says which fault it missed, and what should have caught it.
    for (case, _) in &cases {
        let faults = proof_of(&report, case)["faults"].as_array().unwrap().clone();
        let missed = faults.iter().filter(|fault| fault["outcome"] == "missed");
        assert!(missed.clone().all(|fault| fault["fault"].as_str().is_some_and(|name| !name.is_empty())));
    }
}

#[test]
fn no_sound_test_is_called_hollow() {
    let (cases, report, said) = proved(Strength::Sound, &[]);
    let slandered: Vec<String> = cases
        .iter()
        .filter(|(case, _)| proof_of(&report, case)["judgement"] == "hollow")
        .map(|(case, _)| format!("{}: {}", case.name, proof_of(&report, case)))
        .collect();
    let proved = cases.iter().filter(|(case, _)| proof_of(&report, case)["judgement"] == "proved").count();
    println!("{proved} of {} sound tests proved\n{said}", cases.len());
    assert!(slandered.is_empty(), "{}\n{said}", slandered.join("\n"));
    // Those that delete or count pass only once on the same data: of them nothing can be shown.
    assert!(cases.len() >= 20 && proved * 10 >= cases.len() * 8, "{said}");
}

/// Adds to a cart by a click or by Enter, and says so when that does not work, however it does not work.
const SHOP: &str = "<!doctype html><title>Shop</title><h1>Shop</h1>
<button id=show>Open the cart</button>
<form id=cart hidden><label>Lamp <input id=lamp></label> <button type=button id=add>Add</button></form>
<p id=out></p>
<script>
    const send = async () => {
        out.textContent = 'Adding';
        const answer = await fetch('/api/cart', { method: 'POST', body: lamp.value }).catch(() => null);
        out.textContent = answer && answer.ok ? await answer.text() : 'The lamp was not added';
    };
    show.onclick = () => { cart.hidden = false; };
    add.onclick = send;
    cart.onsubmit = (event) => { event.preventDefault(); send(); };
</script>";

/// The proof of a test of the shop with these steps.
fn proof_of_steps(engine: &str, steps: &[&str], expected: &str) -> serde_json::Value {
    let shop = Server::start(|request: &Request| match request.path.as_str() {
        "/" => Response::html(SHOP),
        "/api/cart" => Response::bytes("text/plain", "One lamp in the cart"),
        _ => Response::status(404),
    });
    let context = Context::new();
    let steps: String = steps.iter().map(|step| format!("  - '{step}'\n")).collect();
    let base = shop.url("");
    let test = format!("test: Shop\nbase_url: {base}\nsteps:\n{steps}expected:\n  - '{expected}'\n");
    std::fs::write(context.folder().join("assay.yaml"), "timeout:\n  step: 4s\n").unwrap();
    std::fs::write(context.folder().join("shop.yaml"), test).unwrap();
    let said = context.run(&["prove", "shop.yaml", "--browser", engine, "--no-screenshots"]);
    let report = std::fs::read_to_string(context.folder().join("assay-results/report.json"));
    let report = report.unwrap_or_else(|_| panic!("{}\n{}", said.out, said.err));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["tests"][0]["status"], "passed", "{}\n{}", said.out, said.err);
    report["tests"][0]["proof"].clone()
}

fn faults(proof: &serde_json::Value, outcome: &str) -> Vec<String> {
    let faults = proof["faults"].as_array().unwrap().iter().filter(|fault| fault["outcome"] == outcome);
    faults.map(|fault| fault["fault"].as_str().unwrap().to_string()).collect()
}

const ROUTED: &str = "POST /api/cart: the test itself answers it";
const OFFLINE: &str = "POST /api/cart: the test itself is offline";

#[test]
fn a_failure_that_the_test_arranges_is_not_broken_once_more() {
    let status = "The request to /api/cart fails with 500";
    let abort = "Requests to /api/cart are aborted";
    for (engine, arranged) in
        [("chromium", status), ("chromium", abort), ("firefox", status), ("webkit", status)]
    {
        let steps = ["Go to /", "Click \"Open the cart\"", arranged, "Click \"Add\""];
        let proof = proof_of_steps(engine, &steps, "The text \"The lamp was not added\" is shown");
        assert_eq!(proof["judgement"], "proved", "{engine}: {proof:#}");
        assert_eq!(proof["left_out"][0], ROUTED, "{engine}: {proof:#}");
        // It is proved by what is left: the control and the text.
        let caught = faults(&proof, "caught");
        assert!(caught.contains(&"button \"Add\" does nothing".to_string()), "{engine}: {caught:?}");
    }
}

#[test]
fn a_request_made_offline_is_not_broken() {
    for engine in ["chromium", "firefox"] {
        let steps = ["Go to /", "Click \"Open the cart\"", "Go offline", "Click \"Add\""];
        let proof = proof_of_steps(engine, &steps, "The text \"The lamp was not added\" is shown");
        assert_eq!(proof["judgement"], "proved", "{engine}: {proof:#}");
        assert_eq!(proof["left_out"][0], OFFLINE, "{engine}: {proof:#}");
    }
}

#[test]
fn a_request_that_works_again_is_broken() {
    let steps = [
        "Go to /",
        "Click \"Open the cart\"",
        "The request to /api/cart fails with 500",
        "Click \"Add\"",
        "The text \"The lamp was not added\" is shown",
        "Requests to /api/cart work again",
        "Click \"Add\"",
    ];
    let proof = proof_of_steps("chromium", &steps, "The text \"One lamp in the cart\" is shown");
    assert_eq!(proof["judgement"], "proved", "{proof:#}");
    let caught = faults(&proof, "caught");
    assert!(caught.contains(&"POST /api/cart is answered with 500".to_string()), "{caught:?}");
}

#[test]
fn a_test_that_arranges_a_failure_and_expects_nothing_of_it_stays_hollow() {
    let arranged = "The request to /api/cart fails with 500";
    let steps = ["Go to /", "Click \"Open the cart\"", arranged, "Click \"Add\""];
    let proof = proof_of_steps("chromium", &steps, "The \"Lamp\" field is visible");
    assert_eq!(proof["judgement"], "hollow", "{proof:#}");
    assert_eq!(faults(&proof, "missed"), ["button \"Add\" does nothing"], "{proof:#}");
}

#[test]
fn where_nothing_is_left_to_break_nothing_is_proved() {
    let steps = [
        "Go to /",
        "Click \"Open the cart\"",
        "The request to /api/cart fails with 500",
        "Enter \"Oak\" in the \"Lamp\" field",
        "Press Enter",
    ];
    let proof = proof_of_steps("chromium", &steps, "The \"Lamp\" field is visible");
    assert_eq!(proof["judgement"], "open", "{proof:#}");
    assert_eq!(proof["left_out"][0], ROUTED, "{proof:#}");
}
