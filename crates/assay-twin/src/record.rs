//! Makes a recording of a run from its events and from what was seen after each step.

use std::collections::BTreeMap;

use assay_protocol::{NetworkLine, RunFact, Scene};

use crate::build::BuildAddress;
use crate::page::PageSeen;
use crate::recording::{EffectSeen, PictureSeen, Recording, RequestSeen, Seen, StepSeen, TestSeen};

/// What was seen when a step was over, as it came from the browser.
pub struct SightParts {
    pub test: String,
    /// 0 before the first step: only the requests count, which are of the time before.
    pub step: usize,
    pub scene: Result<Scene, String>,
    /// The page still changed.
    pub is_restless: bool,
    /// Milliseconds for which its requests were open after the step.
    pub open_for_ms: u64,
    /// The current tab and all requests of it so far.
    pub requests: Result<(String, Vec<NetworkLine>), String>,
    pub picture: Result<PictureSeen, String>,
}

/// Longer logs are cut by those who keep them, so their lines cannot be counted.
const LONGEST_LOG: usize = 500;

/// Collects one run. Events and sights come in the order in which they happened.
pub struct Recorder {
    own: BuildAddress,
    other: BuildAddress,
    tests: Vec<TestSeen>,
    /// Of steps that have begun, by test.
    open: BTreeMap<String, OpenStep>,
    logs: BTreeMap<(String, String), TabLog>,
}

#[derive(Default)]
struct OpenStep {
    effect: EffectSeen,
    begun: Option<(assay_protocol::Part, String)>,
    page: Option<Seen<PageSeen>>,
    requests: Option<Seen<Vec<RequestSeen>>>,
    picture: Option<Seen<PictureSeen>>,
    open_for_ms: u64,
}

/// The log of a tab as far as it was read.
#[derive(Default)]
struct TabLog {
    read: usize,
    /// Lines without an outcome yet: their place in the log, and the step and request they became.
    pending: Vec<(usize, usize, usize)>,
}

impl Recorder {
    /// `own` is the build of this run, `other` the one that it is compared with.
    pub fn new(own: BuildAddress, other: BuildAddress) -> Recorder {
        Recorder { own, other, tests: Vec::new(), open: BTreeMap::new(), logs: BTreeMap::new() }
    }

    pub fn finish(self) -> Recording {
        let mut tests = self.tests;
        tests.sort_by(|one, other| one.id.cmp(&other.id));
        Recording { tests }
    }

    pub fn event(&mut self, fact: &RunFact) {
        match fact {
            RunFact::RunStarted { tests, .. } => {
                self.tests.extend(tests.iter().map(|line| TestSeen {
                    id: line.id.clone(),
                    name: line.name.clone(),
                    file: line.file.clone(),
                    steps: Vec::new(),
                    verdict: None,
                    reason: String::new(),
                }));
            }
            RunFact::TestStarted { test, .. } => {
                if let Some(seen) = self.test(test) {
                    seen.steps.clear();
                }
                self.open.remove(test);
            }
            RunFact::StepStarted { test, part, text, .. } => {
                let begun = Some((*part, text.clone()));
                self.open.insert(test.clone(), OpenStep { begun, ..OpenStep::default() });
            }
            RunFact::Command { test, record, .. } => {
                let (own, open) = (&self.own, self.open.entry(test.clone()).or_default());
                let effect = &mut open.effect;
                effect.lands.extend(record.effect.lands.iter().map(|path| own.neutral_address(path)));
                effect.opens.extend(record.effect.opens.iter().cloned());
                for change in &record.effect.changes {
                    if !effect.changes.contains(change) {
                        effect.changes.push(change.clone());
                    }
                }
                effect.console_errors.extend(record.console_errors.iter().map(|line| own.neutral(line)));
            }
            RunFact::StepFinished { test, step, verdict, reason, duration_ms, .. } => {
                let open = self.open.remove(test).unwrap_or_default();
                let (part, text) = open.begun.unwrap_or((assay_protocol::Part::Step, String::new()));
                let none = || "the step was not looked at".to_string();
                let step = StepSeen {
                    number: *step,
                    part,
                    text,
                    verdict: *verdict,
                    reason: self.own.neutral(reason),
                    took_ms: *duration_ms + open.open_for_ms,
                    effect: open.effect,
                    page: open.page.unwrap_or_else(|| Seen::Unseen(none())),
                    requests: open.requests.unwrap_or_else(|| Seen::Unseen(none())),
                    picture: open.picture.unwrap_or_else(|| Seen::Unseen(none())),
                };
                if let Some(seen) = self.test(test) {
                    seen.steps.push(step);
                }
            }
            RunFact::TestFinished { test, verdict, reason, interrupted, .. } => {
                let reason = self.own.neutral(reason);
                if let Some(seen) = self.test(test) {
                    seen.verdict = (!interrupted).then_some(*verdict);
                    seen.reason = reason;
                }
            }
            _ => {}
        }
    }

    pub fn sight(&mut self, sight: SightParts) {
        let requests = self.requests(&sight);
        if sight.step == 0 {
            return;
        }
        let page = match &sight.scene {
            Ok(scene) => Seen::There(PageSeen::of(scene, &self.own, &self.other, sight.is_restless)),
            Err(why) => Seen::Unseen(self.own.neutral(why)),
        };
        let open = self.open.entry(sight.test).or_default();
        open.page = Some(page);
        open.open_for_ms = sight.open_for_ms;
        open.requests = Some(requests);
        open.picture = Some(match sight.picture {
            Ok(picture) => Seen::There(picture),
            Err(why) => Seen::Unseen(why),
        });
    }

    fn test(&mut self, id: &str) -> Option<&mut TestSeen> {
        self.tests.iter_mut().find(|test| test.id == id)
    }

    /// The requests since the last sight. Those that were pending then may have their outcome now.
    fn requests(&mut self, sight: &SightParts) -> Seen<Vec<RequestSeen>> {
        let (tab, lines) = match &sight.requests {
            Ok(log) => log,
            Err(why) => return Seen::Unseen(why.clone()),
        };
        let log = self.logs.entry((sight.test.clone(), tab.clone())).or_default();
        // A shorter log than before is a new one.
        if lines.len() < log.read {
            *log = TabLog::default();
        }
        if lines.len() >= LONGEST_LOG {
            log.read = lines.len();
            return Seen::Unseen(format!("the page has made more than {LONGEST_LOG} requests"));
        }
        let test = self.tests.iter_mut().find(|test| test.id == sight.test);
        if let Some(test) = test {
            log.pending.retain(|(line, step, at)| {
                let Some(outcome) = lines.get(*line).map(|line| &line.outcome) else { return false };
                let steps = test.steps.iter_mut().find(|seen| seen.number == *step);
                if let Some(StepSeen { requests: Seen::There(requests), .. }) = steps
                    && let Some(request) = requests.get_mut(*at)
                {
                    request.outcome.clone_from(outcome);
                }
                outcome == "pending"
            });
        }
        let mut requests = Vec::new();
        for (number, line) in lines.iter().enumerate().skip(log.read) {
            let Some(request) = request_of(line, &self.own) else { continue };
            if request.outcome == "pending" {
                log.pending.push((number, sight.step, requests.len()));
            }
            requests.push(request);
        }
        log.read = lines.len();
        Seen::There(requests)
    }
}

/// None for what the browser asks for on its own, and for what is no request to a server.
fn request_of(line: &NetworkLine, build: &BuildAddress) -> Option<RequestSeen> {
    let is_of_server = line.url.starts_with("http://") || line.url.starts_with("https://");
    let url = build.neutral(line.url.split('#').next().unwrap_or_default());
    let (path, query) = url.split_once('?').unwrap_or((&url, ""));
    if !is_of_server || path.ends_with("/favicon.ico") || line.method == "OPTIONS" {
        return None;
    }
    let query = query.split('&').filter(|pair| !pair.is_empty());
    Some(RequestSeen {
        method: line.method.clone(),
        path: path.to_string(),
        query: query
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                (name.to_string(), value.to_string())
            })
            .collect(),
        kind: line.kind.clone(),
        outcome: line.outcome.clone(),
        fields: line.fields.clone(),
    })
}

#[cfg(test)]
mod tests {
    use assay_protocol::{Part, Verdict};

    use super::*;

    fn line(url: &str, outcome: &str) -> NetworkLine {
        NetworkLine {
            method: "GET".to_string(),
            url: format!("http://127.0.0.1:1{url}"),
            kind: "fetch".to_string(),
            outcome: outcome.to_string(),
            failed: false,
            fields: None,
        }
    }

    fn sight(step: usize, tab: &str, lines: Vec<NetworkLine>) -> SightParts {
        SightParts {
            test: "t".to_string(),
            step,
            scene: Ok(Scene::default()),
            is_restless: false,
            open_for_ms: 0,
            requests: Ok((tab.to_string(), lines)),
            picture: Err("none".to_string()),
        }
    }

    #[test]
    fn each_step_has_its_own_requests_with_their_last_known_outcome() {
        let address = |port: &str| BuildAddress::parse(&format!("http://127.0.0.1:{port}")).unwrap();
        let mut recorder = Recorder::new(address("1"), address("2"));
        let line_of = assay_protocol::TestLine {
            id: "t".to_string(),
            name: "T".to_string(),
            file: "t.yaml".to_string(),
            browser: "chromium".to_string(),
            tags: Vec::new(),
            requirements: Vec::new(),
            links: Vec::new(),
            fingerprint: None,
            basis: Default::default(),
        };
        recorder.event(&RunFact::RunStarted {
            run: String::new(),
            suite: String::new(),
            tests: vec![line_of],
            workers: 1,
            strict: false,
        });
        recorder.sight(sight(0, "t1", vec![line("/before", "200")]));
        let logs = [
            (1, "t1", vec![line("/before", "200"), line("/a?x=1", "pending"), line("/favicon.ico", "404")]),
            (
                2,
                "t1",
                vec![
                    line("/before", "200"),
                    line("/a?x=1", "200"),
                    line("/favicon.ico", "404"),
                    line("/b", "500"),
                ],
            ),
            (3, "t2", vec![line("/popup", "200")]),
        ];
        for (step, tab, lines) in logs {
            let text = format!("Step {step}");
            recorder.event(&RunFact::StepStarted { test: "t".to_string(), step, part: Part::Step, text });
            recorder.sight(sight(step, tab, lines));
            recorder.event(&RunFact::StepFinished {
                test: "t".to_string(),
                step,
                verdict: Verdict::Passed,
                reason: String::new(),
                judgements: Vec::new(),
                marks: Vec::new(),
                duration_ms: 5,
                own_us: None,
            });
        }
        let recording = recorder.finish();
        let requests: Vec<Vec<String>> = recording.tests[0]
            .steps
            .iter()
            .map(|step| {
                let there = step.requests.there().unwrap().iter();
                there
                    .map(|request| format!("{} {:?} {}", request.path, request.query, request.outcome))
                    .collect()
            })
            .collect();
        assert_eq!(
            requests,
            [vec!["{app}/a [(\"x\", \"1\")] 200"], vec!["{app}/b [] 500"], vec!["{app}/popup [] 200"]]
        );
    }
}
