//! The lines of a trace: timed events as JSON, one per line.
//!
//! Events have the start of attempts and steps and the duration of commands. The
//! commands of a step are laid out one after the other from its beginning.

use assay_protocol::{CommandRecord, FailedRequest, Judgement};
use serde_json::{Value, json};

use crate::test_summary::{AttemptSummary, StepRecord, TestSummary};
use crate::time::rfc3339;

use super::Pictures;
use super::shots::{TraceShot, screencast_frame, screenshots};

pub struct Lines<'a> {
    pub trace: String,
    pub network: String,
    pictures: &'a Pictures,
    /// The moment that counts as zero, in milliseconds since 1970.
    zero: u64,
    calls: usize,
    pages: usize,
    /// The last screenshot: a step without its own was judged by it.
    shown: Option<String>,
}

/// The beginning of a test, a step or a command.
struct TraceAction<'a> {
    parent: Option<&'a str>,
    page: &'a str,
    start: u64,
    title: &'a str,
    /// Class and method, as Playwright would name them.
    kind: (&'a str, &'a str),
    params: Value,
}

impl<'a> Lines<'a> {
    pub fn of(tests: &[&TestSummary], title: &str, pictures: &'a Pictures) -> Self {
        let attempts = || tests.iter().flat_map(|test| &test.attempts);
        let zero = attempts().map(|attempt| attempt.started_at).min().unwrap_or_default();
        let mut lines = Lines {
            trace: String::new(),
            network: String::new(),
            pictures,
            zero,
            calls: 0,
            pages: 0,
            shown: None,
        };
        let browser = tests.first().map(|test| test.line.browser.as_str()).unwrap_or_default();
        let (width, height) = pictures.values().next().map_or((1280, 720), |it| (it.width, it.height));
        lines.tell(json!({
            "version": 8, "type": "context-options", "origin": "library", "browserName": browser,
            "platform": std::env::consts::OS, "wallTime": zero, "monotonicTime": 0, "title": title,
            "options": { "viewport": { "width": width, "height": height }, "deviceScaleFactor": 1 },
            "sdkLanguage": "javascript",
        }));
        for test in tests {
            for attempt in &test.attempts {
                lines.attempt(test, attempt);
            }
        }
        lines
    }

    fn attempt(&mut self, test: &TestSummary, attempt: &AttemptSummary) {
        self.pages += 1;
        self.shown = None;
        let page = format!("page@{}", self.pages);
        let call = self.next_call();
        let title = match test.attempts.len() {
            1 => test.line.name.clone(),
            _ => format!("{} (attempt {})", test.line.name, attempt.number),
        };
        let start = self.since_zero(attempt.started_at);
        let params = json!({ "id": test.line.id, "file": test.line.file });
        self.before(
            &call,
            &TraceAction { parent: None, page: &page, start, title: &title, kind: ("Test", "test"), params },
        );
        let mut end = start;
        for step in attempt.steps.iter().filter(|step| !step.text.is_empty() || !step.commands.is_empty()) {
            end = end.max(self.step(step, &call, &page));
        }
        for note in &attempt.notes {
            self.log(&call, end, note);
        }
        let reason = attempt.ending.as_ref().map_or("did not finish", |ending| ending.reason.as_str());
        let counts = test.last_attempt().is_some_and(|last| std::ptr::eq(last, attempt));
        if let Some(triage) = test.triage().filter(|_| counts) {
            self.log(&call, end, &triage.line());
        }
        let duration = attempt.ending.as_ref().map_or(0, |ending| ending.duration_ms);
        self.after(&call, end.max(start + duration), (!reason.is_empty()).then_some(reason), &[]);
    }

    /// Writes the step and returns its end time.
    fn step(&mut self, step: &StepRecord, parent: &str, page: &str) -> u64 {
        let call = self.next_call();
        let start = self.since_zero(step.started_at);
        let title = match step.text.is_empty() {
            true => step.place_words(),
            false => step.text.clone(),
        };
        let params = json!({ "place": step.place_words() });
        self.before(
            &call,
            &TraceAction { parent: Some(parent), page, start, title: &title, kind: ("Test", "step"), params },
        );
        let mut now = start;
        for command in &step.commands {
            now = self.command(command, &call, page, now);
        }
        let told = step.retries.iter().map(|(_, reason)| format!("retried: {reason}"));
        let told = told
            .chain(step.recoveries.iter().map(|it| format!("recovered (tier {}): {}", it.tier, it.reason)));
        for line in told.chain(step.notes.iter().cloned()) {
            self.log(&call, now, &line);
        }
        let ending = step.ending.as_ref();
        for judgement in ending.iter().flat_map(|ending| &ending.judgements) {
            self.log(&call, now, &judgement_words(judgement));
        }
        let end = now.max(start + ending.map_or(0, |ending| ending.duration_ms));
        let mut attachments = Vec::new();
        for name in &step.screenshots {
            let Some(picture) = self.pictures.get(name) else { continue };
            attachments
                .push(json!({ "name": "screenshot", "contentType": "image/png", "sha1": picture.resource }));
            if step.commands.iter().all(|command| command.after.as_ref() != Some(name)) {
                self.tell(screencast_frame(picture, page, now));
            }
            self.shown = Some(name.clone());
        }
        if let Some(ending) = ending.filter(|ending| !ending.judgements.is_empty()) {
            let shown = self.shown.as_ref().and_then(|name| self.pictures.get(name));
            let mark = ending.marks.first().map(|marked| marked.mark);
            let shot = TraceShot { call: &call, before: None, after: shown, mark, start, end };
            screenshots(&shot).into_iter().for_each(|line| self.tell(line));
        }
        let reason = ending.map_or("did not finish", |ending| ending.reason.as_str());
        self.after(&call, end, (!reason.is_empty()).then_some(reason), &attachments);
        end
    }

    fn command(&mut self, command: &CommandRecord, parent: &str, page: &str, start: u64) -> u64 {
        let call = self.next_call();
        let method = command.command.split_whitespace().next().unwrap_or("command");
        let params = json!({ "command": command.command });
        self.before(
            &call,
            &TraceAction {
                parent: Some(parent),
                page,
                start,
                title: &command.command,
                kind: ("Page", method),
                params,
            },
        );
        if !command.because.is_empty() {
            self.log(&call, start, &format!("{} chose it because {}", command.pilot, command.because));
        }
        let end = start + command.duration_ms;
        for line in command.outcome.lines() {
            self.log(&call, end, line);
        }
        let picture = |name: &Option<String>| name.as_ref().and_then(|name| self.pictures.get(name));
        let (before, after) = (picture(&command.before), picture(&command.after));
        let shot = TraceShot { call: &call, before, after, mark: command.target, start, end };
        screenshots(&shot).into_iter().for_each(|line| self.tell(line));
        if let Some(after) = after {
            self.tell(screencast_frame(after, page, end));
            self.shown.clone_from(&command.after);
        }
        for text in &command.console_errors {
            self.tell(json!({
                "type": "console", "time": end, "pageId": page, "messageType": "error", "text": text,
                "location": { "url": command.url.as_deref().unwrap_or_default(), "lineNumber": 0, "columnNumber": 0 },
            }));
        }
        for request in &command.failed_requests {
            self.request(request, page, start, command.duration_ms);
        }
        let reason = if command.ok { None } else { Some(command.outcome.as_str()) };
        self.after(&call, end, reason, &[]);
        end
    }

    fn request(&mut self, request: &FailedRequest, page: &str, start: u64, duration: u64) {
        let status: u16 = request
            .why
            .split(|it: char| !it.is_ascii_digit())
            .next()
            .and_then(|it| it.parse().ok())
            .unwrap_or(0);
        let entry = json!({ "type": "resource-snapshot", "snapshot": {
            "pageref": page, "_frameref": page, "_monotonicTime": start,
            "startedDateTime": rfc3339(self.zero + start), "time": duration,
            "request": { "method": request.method, "url": request.url, "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": [], "queryString": [], "headersSize": -1, "bodySize": -1 },
            "response": { "status": status, "statusText": request.why, "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": [], "content": { "size": -1, "mimeType": "x-unknown" }, "redirectURL": "",
                "headersSize": -1, "bodySize": -1, "_failureText": request.why },
            "cache": {}, "timings": { "send": -1, "wait": duration, "receive": -1 },
        } });
        self.network += &format!("{entry}\n");
    }

    fn before(&mut self, call: &str, action: &TraceAction) {
        let TraceAction { parent, page, start, title, kind: (class, method), params } = action;
        let mut line = json!({
            "type": "before", "callId": call, "startTime": start, "title": title, "class": class,
            "method": method, "params": params, "stepId": call, "pageId": page,
        });
        if let Some(parent) = parent {
            line["parentId"] = (*parent).into();
        }
        self.tell(line);
    }

    fn after(&mut self, call: &str, end: u64, error: Option<&str>, attachments: &[Value]) {
        let mut line = json!({ "type": "after", "callId": call, "endTime": end });
        if let Some(message) = error {
            line["error"] = json!({ "name": "Error", "message": message });
        }
        if !attachments.is_empty() {
            line["attachments"] = attachments.into();
        }
        self.tell(line);
    }

    fn log(&mut self, call: &str, time: u64, message: &str) {
        self.tell(json!({ "type": "log", "callId": call, "time": time, "message": message }));
    }

    fn tell(&mut self, line: Value) {
        self.trace += &format!("{line}\n");
    }

    fn next_call(&mut self) -> String {
        self.calls += 1;
        format!("call@{}", self.calls)
    }

    fn since_zero(&self, moment: u64) -> u64 {
        moment.saturating_sub(self.zero)
    }
}

fn judgement_words(judgement: &Judgement) -> String {
    let mut words = format!("{}: {}", judgement.verdict.name(), judgement.claim);
    if judgement.standing {
        words += " (already true before the action)";
    }
    for (label, value) in [("expected", &judgement.expected), ("found", &judgement.found)] {
        if let Some(value) = value {
            words += &format!("; {label} \"{value}\"");
        }
    }
    words
}
