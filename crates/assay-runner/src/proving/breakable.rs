//! From what a test did to what is broken, one thing at a time.

use assay_actions::Fault;
use assay_driver::{NetworkFault, NetworkFaultKind, UrlShape};
use assay_protocol::{Arrangement, Part, RequestMade};

use super::observed::{Observed, ObservedAct};

/// One thing to break, and where.
#[derive(Debug, Clone)]
pub(crate) struct Break {
    pub step: usize,
    /// For people: `POST /save is answered with 500`.
    pub name: String,
    pub what: Breakage,
}

#[derive(Debug, Clone)]
pub(crate) enum Breakage {
    /// Requests of this step, and what becomes of them.
    Requests { fault: Fault, request: RequestMade, nth: usize },
    /// Texts, when the claims of this step are judged.
    Texts(Fault),
    /// What the act with this number is done to is disabled.
    Disabled { nth: usize },
    /// What the act with this number is done to does nothing.
    Deaf { nth: usize },
}

/// Paths of requests by which pages count, watch and ask their visitors: nothing hangs on them.
const TELEMETRY: &[&str] = &[
    "track",
    "tracking",
    "analytics",
    "telemetry",
    "metrics",
    "collect",
    "beacon",
    "pixel",
    "heartbeat",
    "presence",
    "rum",
    "consent",
    "cookie",
    "cookies",
    "gdpr",
];

/// All that is to be broken, and all that is not.
#[derive(Debug, Default)]
pub(crate) struct Breakable {
    pub breaks: Vec<Break>,
    /// What is left out, with the reason.
    pub left_out: Vec<String>,
    /// Why a test that catches every break is not proved by that.
    pub gap: Option<String>,
}

pub(crate) fn breakable(observed: &Observed) -> Breakable {
    let mut breaks: Vec<Break> = Vec::new();
    let mut left_out = Vec::new();
    let mut gap = None;
    let acts: Vec<&ObservedAct> = observed.acts.iter().filter(|act| act.part == Part::Step).collect();
    // What is also made while nothing is pressed is made by the clock, not by the test.
    let by_itself = |request: &RequestMade| {
        let idle = observed.acts.iter().filter(|act| !act.is_deliberate).flat_map(|act| &act.requests);
        idle.into_iter().any(|other| is_alike(other, request))
    };
    for act in &acts {
        let mut is_arranged = false;
        for request in act.requests.iter().filter(|request| changes_something(request)) {
            let of_others = reason_to_leave(request, act);
            let of_test = request.arranged.filter(|_| of_others.is_none()).map(in_words);
            is_arranged |= of_test.is_some();
            let reason = of_others
                .or(of_test)
                .or_else(|| by_itself(request).then(|| "the page repeats it on its own".to_string()));
            match reason {
                Some(reason) => {
                    let line = format!("{}: {reason}", shown(request));
                    if !left_out.contains(&line) {
                        left_out.push(line);
                    }
                }
                None => breaks.extend(of_request(request, act)),
            }
        }
        // The answer is the test's own; what leads to the request is the application's.
        match &act.pressed {
            Some(pressed) if is_arranged => breaks.push(deaf(act, pressed)),
            None if is_arranged && !observed.claims_texts_from(act.step) => {
                gap = gap.or_else(|| Some(no_fault_for(observed, act)));
            }
            _ => {}
        }
    }
    // The act that the claims are about: nobody else speaks for it where it sends nothing.
    let last = acts.iter().rev().find_map(|act| act.pressed.as_ref().map(|pressed| (act, pressed)));
    if let Some((last, pressed)) = last {
        breaks.push(Break {
            step: last.step,
            name: format!("{pressed} is disabled"),
            what: Breakage::Disabled { nth: last.nth },
        });
        if !last.requests.iter().any(changes_something) {
            breaks.push(deaf(last, pressed));
        }
    }
    for claim in observed.claims.iter().filter(|claim| !claim.texts.is_empty()) {
        let quoted: Vec<String> = claim.texts.iter().map(|text| format!("\"{text}\"")).collect();
        let (quoted, step) = (quoted.join(" and "), claim.step);
        let blank = Fault::Blank { texts: claim.texts.clone() };
        breaks.push(Break { step, name: format!("{quoted} is not shown"), what: Breakage::Texts(blank) });
        let pairs = claim.texts.iter().map(|text| (text.clone(), another(text))).collect();
        let name = format!("something else is shown instead of {quoted}");
        breaks.push(Break { step, name, what: Breakage::Texts(Fault::Swap { pairs }) });
    }
    let mut known: Vec<(usize, String)> = Vec::new();
    breaks.retain(|one| {
        let key = (one.step, one.name.clone());
        let is_new = !known.contains(&key);
        known.push(key);
        is_new
    });
    Breakable { breaks, left_out, gap }
}

fn deaf(act: &ObservedAct, pressed: &str) -> Break {
    Break { step: act.step, name: format!("{pressed} does nothing"), what: Breakage::Deaf { nth: act.nth } }
}

fn no_fault_for(observed: &Observed, act: &ObservedAct) -> String {
    match observed.claims.iter().find(|claim| claim.step >= act.step) {
        Some(claim) => format!("no fault could be injected for \"{}\"", claim.claim),
        None => format!("no fault could be injected at step {}", act.step),
    }
}

fn in_words(arranged: Arrangement) -> String {
    match arranged {
        Arrangement::Routed => "the test itself answers it".to_string(),
        Arrangement::Offline => "the test itself is offline".to_string(),
    }
}

fn of_request(request: &RequestMade, act: &ObservedAct) -> Vec<Break> {
    let Some(url) = UrlShape::any_query(&request.url) else { return Vec::new() };
    let ways = [
        (NetworkFaultKind::Fail, "does not reach the server"),
        (NetworkFaultKind::Refuse { status: 500 }, "is answered with 500"),
    ];
    ways.into_iter()
        .map(|(how, words)| Break {
            step: act.step,
            name: format!("{} {words}", shown(request)),
            what: Breakage::Requests {
                fault: Fault::Network(NetworkFault {
                    method: Some(request.method.clone()),
                    url: url.clone(),
                    // An application that tries again would hide the fault.
                    occurrence: 0,
                    how,
                }),
                request: request.clone(),
                nth: act.nth,
            },
        })
        .collect()
}

fn changes_something(request: &RequestMade) -> bool {
    !matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS")
}

/// Whether it is the same request, made another time.
pub(crate) fn is_alike(one: &RequestMade, other: &RequestMade) -> bool {
    one.method == other.method && path_of(&one.url) == path_of(&other.url)
}

fn reason_to_leave(request: &RequestMade, act: &ObservedAct) -> Option<String> {
    if request.is_beacon {
        return Some("a beacon, whose response is ignored".to_string());
    }
    if !act.is_deliberate {
        return Some("the page made it on its own, without any input".to_string());
    }
    if site_of(&request.url) != site_of(&act.page) {
        return Some("of another site".to_string());
    }
    let path = path_of(&request.url).to_lowercase();
    let is_telemetry = |part: &str| TELEMETRY.contains(&part);
    path.split(['/', '.', '_', '-'])
        .any(is_telemetry)
        .then(|| "it is about visitors, not about what the test does".to_string())
}

/// `POST /save`.
fn shown(request: &RequestMade) -> String {
    format!("{} {}", request.method, path_of(&request.url))
}

pub(crate) fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("/", |at| &rest[at..]);
    path.split(['?', '#']).next().unwrap_or(path)
}

/// The host without its port and its first parts: `api.shop.test` belongs to `shop.test`.
fn site_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    if host.chars().all(|letter| letter.is_ascii_digit() || letter == '.') {
        return host.to_string();
    }
    let parts: Vec<&str> = host.rsplit('.').take(2).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join(".")
}

/// A text of the same kind that is not the same: digits become other digits, letters other letters.
fn another(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '0'..='8' => char::from(letter as u8 + 1),
            '9' => '0',
            'a'..='y' | 'A'..='Y' => char::from(letter as u8 + 1),
            'z' => 'a',
            'Z' => 'A',
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::observed::ObservedClaim;
    use super::*;

    fn request(method: &str, url: &str, is_beacon: bool) -> RequestMade {
        let (method, url) = (method.to_string(), url.to_string());
        RequestMade { method, url, fields: None, is_beacon, arranged: None }
    }

    fn act(requests: Vec<RequestMade>) -> ObservedAct {
        ObservedAct {
            step: 3,
            part: Part::Step,
            nth: 1,
            pressed: Some("button \"Save\"".to_string()),
            values: Vec::new(),
            is_deliberate: true,
            requests,
            page: "http://127.0.0.1:8080/form".to_string(),
        }
    }

    fn routed() -> RequestMade {
        let arranged = Some(Arrangement::Routed);
        RequestMade { arranged, ..request("POST", "http://127.0.0.1:8080/save", false) }
    }

    fn claim(texts: &[&str]) -> ObservedClaim {
        ObservedClaim {
            step: 4,
            claim: "It is so".to_string(),
            texts: texts.iter().map(|text| (*text).to_string()).collect(),
            shown: 1,
            proves_little: false,
            took: Duration::ZERO,
        }
    }

    fn broken(act: ObservedAct, claims: Vec<ObservedClaim>) -> Breakable {
        breakable(&Observed { acts: vec![act], claims })
    }

    fn names(breaks: &[Break]) -> Vec<&str> {
        breaks.iter().map(|one| one.name.as_str()).collect()
    }

    #[test]
    fn what_changes_something_is_broken_and_what_counts_visitors_is_not() {
        let requests = vec![
            request("GET", "http://127.0.0.1:8080/list", false),
            request("POST", "http://127.0.0.1:9090/api/save?x=1", false),
            request("POST", "http://127.0.0.1:8080/track", false),
            request("POST", "http://127.0.0.1:8080/seen", true),
            request("POST", "https://stats.elsewhere.test/v1", false),
        ];
        let Breakable { breaks, left_out, .. } = broken(act(requests), Vec::new());
        assert_eq!(
            names(&breaks),
            [
                "POST /api/save does not reach the server",
                "POST /api/save is answered with 500",
                "button \"Save\" is disabled"
            ]
        );
        assert_eq!(left_out.len(), 3, "{left_out:?}");
    }

    #[test]
    fn a_press_that_sends_nothing_is_made_to_do_nothing() {
        let breaks = broken(act(Vec::new()), Vec::new()).breaks;
        assert_eq!(names(&breaks), ["button \"Save\" is disabled", "button \"Save\" does nothing"]);
    }

    #[test]
    fn what_the_test_arranges_is_left_out_and_what_leads_to_it_is_broken() {
        let Breakable { breaks, left_out, gap } = broken(act(vec![routed()]), vec![claim(&[])]);
        assert_eq!(names(&breaks), ["button \"Save\" does nothing", "button \"Save\" is disabled"]);
        assert_eq!(left_out, ["POST /save: the test itself answers it"]);
        assert_eq!(gap, None);
    }

    #[test]
    fn a_claim_for_which_nothing_is_left_to_break_is_a_gap() {
        let by_key = ObservedAct { pressed: None, ..act(vec![routed()]) };
        let found = broken(by_key.clone(), vec![claim(&[])]);
        assert!(found.breaks.is_empty(), "{:?}", found.breaks);
        assert_eq!(found.gap.as_deref(), Some("no fault could be injected for \"It is so\""));
        assert_eq!(broken(by_key, vec![claim(&["It failed"])]).gap, None);
    }

    #[test]
    fn another_text_is_of_the_same_kind() {
        assert_eq!(another("Order 19, Zoe"), "Psefs 20, Apf");
    }
}
