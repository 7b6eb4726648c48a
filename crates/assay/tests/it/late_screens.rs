//! Exploring an application whose pages get their content late: a page is looked at when it has come.

use std::time::Duration;

use assay_testkit::{Request, Response, Server};

use crate::context::Context;

/// Longer than `go` waits for the answers of a page.
const LATE: Duration = Duration::from_secs(6);

const SHELL: &str = "<!doctype html><title>Ledger</title><nav><a href=/>Overview</a> <a href=/holdings>Holdings</a></nav>\
    <main id=main></main><script>fetch('/data' + location.pathname).then(answer => answer.text())\
    .then(text => { main.innerHTML = text; });</script>";

fn ledger(request: &Request) -> Response {
    match request.path.as_str() {
        "/data/" => Response::text("<h1>Overview</h1><label>Year <input></label>"),
        "/data/holdings" => Response::text(
            "<h1>Holdings</h1><table><tr><th>Account</th></tr></table><a href=/currencies>By currency</a>",
        )
        .delay(LATE),
        "/data/currencies" => Response::text("<h1>Currencies</h1><button type=button>Convert</button>"),
        "/" | "/holdings" | "/currencies" => Response::html(SHELL.to_string()),
        _ => Response::status(404),
    }
}

#[test]
fn a_page_is_looked_at_when_its_late_content_has_come() {
    let (context, server) = (Context::new(), Server::start(ledger));
    let explored = |nth: usize| {
        let said = context.json(&["explore", &server.url("/"), "--name", "ledger"]);
        assert_eq!(said["ok"], true, "exploring {nth}: {said}");
        said["data"].clone()
    };
    let found = explored(1);
    let mut screens: Vec<String> = found["tree"]["screens"]
        .as_array()
        .unwrap()
        .iter()
        .map(|screen| format!("{} {}", screen["name"].as_str().unwrap(), screen["address"].as_str().unwrap()))
        .collect();
    screens.sort();
    assert_eq!(screens, ["Currencies /currencies", "Holdings /holdings", "Overview /"], "{found:#}");
    let again = explored(2);
    assert_eq!(again["written"], false, "{:#}", again["changes"]);
}
