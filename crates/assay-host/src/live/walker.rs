//! Between two steps: waits for what comes next, lets the page be used by hand, and shows it to those who watch.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use assay_actions::render_answer;
use assay_language::{claims_about, claims_at, is_true_of};
use assay_protocol::{
    Action, Answer, CommandRecord, ErrorCode, Failure, MouseButton, Part, RawInput, RunFact, Scene, Secrets,
    Verdict,
};
use assay_runner::{Attempt, Listener, LocalFuture, NextStep, Plan, PlanStep, StepBody, StepEnd, Stepper};
use tokio::sync::{Mutex, mpsc};

use super::desk::Desk;
use super::hand::{HandAct, HandDone, ListChoice};
use super::page::Order;
use super::part::{PartDone, WitnessChair};
use super::recorder::{Recorder, element_at, node_called};
use super::steps::StepList;
use super::surface::Lens;
use super::view::{
    Candidate, LiveDialog, LiveElement, LiveLog, LiveStep, LiveTab, PageStatus, Recorded, StepOutcome,
};

/// A page that nobody looks at and uses for so long ends.
const UNUSED: Duration = Duration::from_secs(10 * 60);
/// After something was done, the page is looked at often for a while.
const LIVELY: Duration = Duration::from_secs(4);
const OFTEN: Duration = Duration::from_millis(200);
const SELDOM: Duration = Duration::from_millis(800);
const ASLEEP: Duration = Duration::from_secs(30);

const LOOK: Duration = Duration::from_secs(5);
const HAND: Duration = Duration::from_secs(30);
/// More elements are no list that anybody reads.
const MOST_ELEMENTS: usize = 500;
const MOST_LINES: usize = 200;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Paused,
    /// Takes this one step.
    One,
    Going,
}

pub struct Walker<'p> {
    pub plan: &'p Plan,
    pub desk: Arc<Desk>,
    pub orders: Mutex<mpsc::UnboundedReceiver<Order>>,
    list: RefCell<StepList>,
    recorder: Mutex<Recorder>,
    lens: RefCell<Lens>,
    secrets: RefCell<Secrets>,
    /// What was told of the step under way.
    told: RefCell<Vec<RunFact>>,
    began: Cell<Instant>,
    mode: Cell<Mode>,
    lively_until: Cell<Instant>,
    /// The elements of the last step that was not clear: where they are, the next look says.
    unplaced: RefCell<Vec<Candidate>>,
    is_seen: Cell<bool>,
    chair: WitnessChair,
}

impl Listener for Walker<'_> {
    fn event(&self, fact: RunFact) {
        self.told.borrow_mut().push(fact);
    }

    fn trouble(&self) -> Option<Failure> {
        None
    }
}

impl Stepper for Walker<'_> {
    fn arrived(&self, end: &StepEnd) {
        if end.verdict != Verdict::Passed {
            let note = self.masked(&format!("the test could not begin: {}", end.reason));
            self.desk.change(|view| view.note = note);
        }
    }

    fn next<'s, 'a: 's>(&'s self, attempt: &'s mut Attempt<'a>) -> LocalFuture<'s, NextStep> {
        Box::pin(self.await_next(attempt))
    }

    fn taken(&self, end: &StepEnd) {
        let outcome = self.outcome_of(end);
        let has_passed = outcome.verdict == "passed";
        *self.unplaced.borrow_mut() = outcome.candidates.clone();
        self.list.borrow_mut().ended(outcome);
        if !has_passed || self.mode.get() == Mode::One {
            self.mode.set(Mode::Paused);
        }
        self.show_steps();
    }

    fn concluded(&self, end: &StepEnd) {
        let outcome = self.outcome_of(end);
        self.desk.change(|view| view.conclusion = Some(outcome));
    }
}

impl<'p> Walker<'p> {
    pub fn new(
        plan: &'p Plan,
        desk: Arc<Desk>,
        orders: mpsc::UnboundedReceiver<Order>,
        list: StepList,
        lens: Lens,
        chair: WitnessChair,
        is_going: bool,
    ) -> Walker<'p> {
        let walker = Walker {
            plan,
            desk,
            orders: Mutex::new(orders),
            list: RefCell::new(list),
            recorder: Mutex::default(),
            lens: RefCell::new(lens),
            secrets: RefCell::new(plan.secrets.clone()),
            told: RefCell::default(),
            began: Cell::new(Instant::now()),
            mode: Cell::new(if is_going { Mode::Going } else { Mode::Paused }),
            lively_until: Cell::new(Instant::now() + LIVELY),
            unplaced: RefCell::default(),
            is_seen: Cell::new(false),
            chair,
        };
        walker.show_steps();
        walker
    }

    fn masked(&self, text: &str) -> String {
        self.secrets.borrow().mask(text)
    }

    fn show_steps(&self) {
        let list = self.list.borrow();
        let steps = list.shown(&|text| self.masked(text));
        let next = list.next();
        self.desk.change(|view| {
            view.steps = steps;
            view.next = next;
        });
    }

    async fn await_next(&self, attempt: &mut Attempt<'_>) -> NextStep {
        if let Some(next) = self.goes_on(attempt).await {
            return next;
        }
        // What a step has changed is to be seen at once.
        self.is_seen.set(false);
        self.desk.change(|view| view.status = PageStatus::Paused);
        self.lively();
        let mut orders = self.orders.lock().await;
        loop {
            let is_watched = self.desk.is_watched();
            let tick = match (is_watched, Instant::now() < self.lively_until.get()) {
                (true, true) => OFTEN,
                (true, false) => SELDOM,
                (false, _) => ASLEEP,
            };
            tokio::select! {
                biased;
                order = orders.recv() => {
                    let Some(order) = order else { return NextStep::End };
                    self.desk.used();
                    self.lively();
                    self.carry_out(order, attempt).await;
                    if self.mode.get() != Mode::Paused
                        && let Some(next) = self.goes_on(attempt).await
                    {
                        return next;
                    }
                }
                () = self.desk.looked.notified() => {}
                () = tokio::time::sleep(tick) => {
                    if !is_watched && self.desk.unused_for() > UNUSED {
                        let note = "nobody looked at the page for ten minutes".to_string();
                        self.desk.change(|view| view.note = note);
                        return NextStep::End;
                    }
                }
            }
            if self.desk.is_watched()
                && let Err(failure) = self.show(attempt).await
                && failure.code == ErrorCode::BrowserLost
            {
                let note = self.masked(&failure.message);
                self.desk.change(|view| view.note = note);
                return NextStep::End;
            }
        }
    }

    fn lively(&self) {
        self.lively_until.set(Instant::now() + LIVELY);
    }

    /// The next step, where it is to be taken now.
    async fn goes_on(&self, attempt: &mut Attempt<'_>) -> Option<NextStep> {
        let mode = self.mode.get();
        if mode == Mode::Paused {
            return None;
        }
        if mode == Mode::Going && self.desk.takes_pause() {
            self.mode.set(Mode::Paused);
            return None;
        }
        let (step, stops_here, all_passed) = {
            let list = self.list.borrow();
            (list.next_step(), list.stops_here(), list.all_passed())
        };
        let is_first = self.told.borrow().is_empty();
        let Some(step) = step else {
            self.mode.set(Mode::Paused);
            if self.desk.view().conclusion.is_some() {
                return None;
            }
            if all_passed {
                return Some(NextStep::Conclude);
            }
            let reason = "not every step was carried out as it is written".to_string();
            let outcome =
                StepOutcome { verdict: "inconclusive".to_string(), reason, ..StepOutcome::default() };
            self.desk.change(|view| view.conclusion = Some(outcome));
            return None;
        };
        if mode == Mode::Going && stops_here && !is_first {
            self.mode.set(Mode::Paused);
            return None;
        }
        // Its elements, before it changes the page.
        let _seen_or_not = if self.desk.is_watched() { self.show(attempt).await } else { Ok(()) };
        self.begin();
        Some(NextStep::Take(Box::new(step)))
    }

    fn begin(&self) {
        self.told.borrow_mut().clear();
        self.began.set(Instant::now());
        self.desk.change(|view| {
            view.status = PageStatus::Running;
            view.note.clear();
            view.tried = None;
            view.conclusion = None;
        });
    }

    async fn carry_out(&self, order: Order, attempt: &mut Attempt<'_>) {
        match order {
            Order::Next => self.mode.set(Mode::One),
            Order::GoOn => {
                self.mode.set(Mode::Going);
                // A stop at which it stands does not hold it again.
                self.told.borrow_mut().clear();
            }
            Order::Skip => {
                let reason = "it was left out".to_string();
                let outcome =
                    StepOutcome { verdict: "skipped".to_string(), reason, ..StepOutcome::default() };
                self.list.borrow_mut().ended(outcome);
                self.show_steps();
            }
            Order::StopAt(lines) => self.list.borrow_mut().stop_at(lines),
            Order::Edit { steps, secrets } => {
                self.secrets.borrow_mut().merge(&secrets);
                self.list.borrow_mut().edit(steps);
                self.desk.change(|view| view.conclusion = None);
                self.show_steps();
            }
            Order::Try { step, secrets, answer } => {
                self.secrets.borrow_mut().merge(&secrets);
                let tried = self.try_step(&step, attempt).await;
                let _unread = answer.send(tried);
            }
            Order::Part { step, secrets, coordinator, task, answer } => {
                self.secrets.borrow_mut().merge(&secrets);
                let seen = attempt.see(LOOK).await.ok().map(|scene| (*scene).clone());
                self.chair.take(coordinator, task, self.secrets.borrow().clone(), seen);
                let done = self.carry_out_part(&step, attempt).await;
                self.chair.leave();
                let _unread = answer.send(done);
            }
            Order::Look { answer } => {
                let _unread = answer.send(attempt.see(LOOK).await.map(|scene| (*scene).clone()));
            }
            Order::Hand { act, is_recorded, answer } => {
                let done = self.by_hand(&act, is_recorded, attempt).await;
                let _unread = answer.send(done);
            }
            Order::Check { at, answer } => {
                let _unread = answer.send(self.claims(&at, attempt).await);
            }
            Order::Claim { sentence, answer } => {
                let mut recorder = self.recorder.lock().await;
                let typed = recorder.finish(attempt).await;
                let claim = recorder.claim(&sentence, attempt).await;
                drop(recorder);
                typed.into_iter().for_each(|entry| self.record(entry));
                let held = claim.is_some();
                claim.into_iter().for_each(|entry| self.record(entry));
                let _unread = answer.send(held);
            }
            Order::EndRecording { answer } => {
                let typed = self.recorder.lock().await.finish(attempt).await;
                typed.into_iter().for_each(|entry| self.record(entry));
                let _unread = answer.send(());
            }
            Order::Elements { answer } => {
                let _unread = answer.send(attempt.see(LOOK).await.map(|scene| self.elements(&scene)));
            }
            Order::Log { answer } => {
                let _unread = answer.send(self.log(attempt).await);
            }
        }
    }

    async fn carry_out_part(&self, step: &PlanStep, attempt: &mut Attempt<'_>) -> PartDone {
        self.begin();
        let end = attempt.try_step(self.plan, step).await;
        let done = PartDone::of(&end, &self.told.borrow(), &self.outcome_of(&end));
        self.is_seen.set(false);
        self.desk.change(|view| view.status = PageStatus::Paused);
        done
    }

    async fn try_step(&self, step: &PlanStep, attempt: &mut Attempt<'_>) -> StepOutcome {
        self.begin();
        let end = attempt.try_step(self.plan, step).await;
        let mut outcome = self.outcome_of(&end);
        if let Ok(scene) = attempt.see(LOOK).await {
            place(&mut outcome.candidates, &scene);
        }
        let shown = outcome.clone();
        let text = self.masked(&step.text);
        self.desk.change(|view| {
            view.status = PageStatus::Paused;
            view.tried = Some(LiveStep { part: "step".to_string(), text, line: 0, outcome: Some(shown) });
        });
        outcome
    }

    async fn by_hand(
        &self,
        act: &HandAct,
        is_recorded: bool,
        attempt: &mut Attempt<'_>,
    ) -> Result<HandDone, Failure> {
        let action = self.with_whole_address(act.action()?);
        if act.is_passing() {
            attempt.ask_surface(&action, HAND).await?;
            return Ok(HandDone::default());
        }
        let scene = attempt.see(LOOK).await?;
        let target = match act {
            HandAct::Pointer { input: RawInput::Click { at, .. } | RawInput::Drag { at, .. } }
                if scene.dialog.is_none() =>
            {
                element_at(at.x, at.y, attempt).await
            }
            _ => None,
        };
        let pressed = match act {
            HandAct::Pointer { input: RawInput::Click { button: MouseButton::Left, .. } } => {
                target.as_deref()
            }
            HandAct::Click { reference } => Some(reference.as_str()),
            _ => None,
        };
        if let Some(choice) = pressed.and_then(|target| list_of(target, &scene)) {
            return Ok(HandDone { choice: Some(choice), ..HandDone::default() });
        }
        if pressed.and_then(|target| node_called(target, &scene)).is_some_and(|node| node.role == "file") {
            let message = "the browser would ask for a file of this machine, which a picture cannot show";
            return Err(Failure::new(ErrorCode::Unsupported, message)
                .hint("try a sentence instead: Upload \"report.pdf\" to the \"File\" field"));
        }
        if is_recorded {
            let base = self.plan.base_url.as_deref();
            let mut recorder = self.recorder.lock().await;
            let typed = recorder.before(act, &scene, attempt).await;
            let entry = recorder.of_act(act, target.as_deref(), &scene, base, attempt).await;
            drop(recorder);
            typed.into_iter().chain(entry).for_each(|entry| self.record(entry));
        }
        let answer = attempt.by_hand(&action, HAND).await?;
        let text = render_answer(&answer, None).0;
        self.desk.change(|view| view.note.clear());
        Ok(HandDone { text: self.masked(&text), choice: None })
    }

    /// What is entered in the address line may be a path of the application.
    fn with_whole_address(&self, action: Action) -> Action {
        match (action, self.plan.base_url.as_deref()) {
            (Action::Go { url }, Some(base)) if url.starts_with('/') => {
                Action::Go { url: format!("{}{url}", base.trim_end_matches('/')) }
            }
            (action, _) => action,
        }
    }

    fn record(&self, entry: Recorded) {
        if entry.kind != super::view::RecordedKind::Unsaid {
            let text = as_step(&entry);
            let part = self.list.borrow().part_here();
            let part = if part == Part::Setup { Part::Setup } else { Part::Step };
            let what = StepBody::Sentence(text.clone());
            self.list.borrow_mut().recorded(PlanStep { part, text, what, timeout: None });
        }
        self.show_steps();
        self.desk.change(|view| view.recorded.push(entry));
    }

    /// Claims about what is at a place, which hold now.
    async fn claims(&self, at: &CheckPlace, attempt: &mut Attempt<'_>) -> Result<Vec<String>, Failure> {
        let scene = attempt.see(LOOK).await?;
        let (reference, point) = match at {
            CheckPlace::Element(reference) => (Some(reference.clone()), None),
            CheckPlace::Point(x, y) => (element_at(*x, *y, attempt).await, Some((*x, *y))),
        };
        let texts = point.map(|(x, y)| claims_at(x, y, &scene)).unwrap_or_default();
        let about = reference.as_deref().map(|reference| claims_about(reference, &scene)).unwrap_or_default();
        let mut held: Vec<String> = Vec::new();
        for sentence in about.into_iter().chain(texts) {
            let hints = attempt.hints_for(&sentence, LOOK).await;
            if !held.contains(&sentence) && is_true_of(&sentence, reference.as_deref(), &scene, &hints) {
                held.push(sentence);
            }
        }
        Ok(held)
    }

    fn elements(&self, scene: &Scene) -> Vec<LiveElement> {
        let is_told = |at: &usize| {
            let node = &scene.nodes[*at];
            let is_text =
                node.role == "text" && !scene.ancestors(*at).any(|above| says_it(scene, above, *at));
            let is_element = node.role != "text"
                && node.reference.is_some()
                && (node.role != "generic" || node.is("clickable"));
            is_text
                || (is_element
                    && (!node.name.is_empty() || node.value.is_some() || !is_frame_only(&node.role)))
        };
        (0..scene.nodes.len())
            .filter(is_told)
            .take(MOST_ELEMENTS)
            .map(|at| {
                let node = &scene.nodes[at];
                LiveElement {
                    reference: node.reference.clone().filter(|_| node.role != "text"),
                    role: node.role.clone(),
                    name: self.masked(&node.name),
                    value: node.value.as_deref().map(|value| self.masked(value)),
                    states: node.states.clone(),
                    options: node.options.clone(),
                    area: node.area,
                }
            })
            .collect()
    }

    async fn log(&self, attempt: &mut Attempt<'_>) -> Result<LiveLog, Failure> {
        let mut log = LiveLog::default();
        if let Answer::Console { lines } =
            attempt.ask_surface(&Action::Console { clear: false }, LOOK).await?
        {
            log.console =
                lines.iter().map(|line| self.masked(&format!("{}: {}", line.level, line.text))).collect();
        }
        let network = Action::Network { failed: false, clear: false };
        if let Answer::Network { requests } = attempt.ask_surface(&network, LOOK).await? {
            let line = |one: &assay_protocol::NetworkLine| {
                self.masked(&format!("{} {} {}", one.outcome, one.method, one.url))
            };
            log.network = requests.iter().map(line).collect();
        }
        for lines in [&mut log.console, &mut log.network] {
            lines.drain(..lines.len().saturating_sub(MOST_LINES));
        }
        Ok(log)
    }

    /// A picture for those who watch, and what else is to be seen where it is another one.
    async fn show(&self, attempt: &mut Attempt<'_>) -> Result<(), Failure> {
        let (question, file) = self.lens.borrow().question();
        let answer = attempt.ask_surface(&question, LOOK).await;
        let is_new = self.lens.borrow_mut().developed(&answer, &file, &self.desk);
        let is_hindered = match &answer {
            Ok(_) => false,
            Err(failure) if failure.code == ErrorCode::BrowserLost => return Err(failure.clone()),
            Err(_) => true,
        };
        let has_dialog = self.desk.view().dialog.is_some();
        let is_unplaced = !self.unplaced.borrow().is_empty();
        if !is_new && is_hindered == has_dialog && self.is_seen.get() && !is_unplaced {
            return Ok(());
        }
        let scene = attempt.see(LOOK).await?;
        self.is_seen.set(true);
        if is_unplaced {
            let mut candidates = std::mem::take(&mut *self.unplaced.borrow_mut());
            place(&mut candidates, &scene);
            if let Some(outcome) = self.list.borrow_mut().last_outcome() {
                outcome.candidates = candidates;
            }
            self.show_steps();
        }
        self.show_scene(&scene);
        Ok(())
    }

    fn show_scene(&self, scene: &Rc<Scene>) {
        let dialog = scene.dialog.as_ref().map(|dialog| LiveDialog {
            kind: dialog.kind.clone(),
            message: self.masked(&dialog.message),
            default: dialog.default.as_deref().map(|text| self.masked(text)),
        });
        let tabs = scene.tabs.iter().map(|tab| LiveTab {
            tab: tab.tab.clone(),
            title: self.masked(&tab.title),
            url: self.masked(&tab.url),
            current: tab.current,
        });
        let tabs = tabs.collect();
        let (url, title) = (self.masked(&scene.url), self.masked(&scene.title));
        self.desk.change(|view| {
            view.dialog = dialog;
            view.tabs = tabs;
            view.url = url;
            view.title = title;
            // Behind a dialog nothing is measured.
            if scene.view[0] > 0.0 {
                view.view = scene.view;
            }
        });
    }

    fn outcome_of(&self, end: &StepEnd) -> StepOutcome {
        let mut did: Vec<String> = self.told.borrow().iter().filter_map(line_of).collect();
        let judged = end.judgements.iter().filter(|judgement| !judgement.claim.is_empty());
        did.extend(judged.map(|judgement| format!("{}: {}", judgement.verdict.name(), judgement.reason)));
        let doubtful = end.judgements.iter().filter(|judgement| judgement.claim.is_empty());
        let mut candidates: Vec<Candidate> = Vec::new();
        for element in doubtful.flat_map(|judgement| &judgement.elements) {
            // An element and its text are one.
            if candidates.iter().all(|known| known.reference != element.reference) {
                candidates.push(Candidate {
                    reference: element.reference.clone(),
                    role: element.role.clone(),
                    name: self.masked(&element.name),
                    area: None,
                });
            }
        }
        StepOutcome {
            verdict: end.verdict.name().to_string(),
            reason: self.masked(&end.reason),
            did: did.iter().map(|line| self.masked(line)).collect(),
            candidates,
            took_ms: self.began.get().elapsed().as_millis() as u64,
        }
    }
}

/// A claim among the steps says that it is one.
fn as_step(entry: &Recorded) -> String {
    if entry.kind != super::view::RecordedKind::Claim {
        return entry.text.clone();
    }
    let mut rest = entry.text.chars();
    let begins_plainly = ["The ", "A ", "An "].iter().any(|word| entry.text.starts_with(word));
    match rest.next().filter(|_| begins_plainly) {
        Some(first) => format!("Verify that {}{}", first.to_lowercase(), rest.as_str()),
        None => format!("Verify that {}", entry.text),
    }
}

/// Where something is checked.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckPlace {
    Element(String),
    Point(f64, f64),
}

fn line_of(fact: &RunFact) -> Option<String> {
    match fact {
        RunFact::Command { record, .. } if record.ok => {
            let CommandRecord { command, because, outcome, .. } = &**record;
            let outcome = if outcome.is_empty() { String::new() } else { format!("\n{outcome}") };
            Some(format!("{command} · {because}{outcome}"))
        }
        RunFact::Healed { healing, .. } => {
            let changed = healing.found.iter().map(|found| {
                format!(
                    "{} \"{}\" is now {} \"{}\"",
                    found.was.role, found.was.name, found.now.role, found.now.name
                )
            });
            let changed: Vec<String> = changed.collect();
            Some(match changed.is_empty() {
                true => "healed: done in another way, with the recorded effect".to_string(),
                false => format!("healed: {}", changed.join(", ")),
            })
        }
        RunFact::LockMissed { reason, .. } => Some(format!("worked out anew: {reason}")),
        RunFact::Recovered { reason, .. } => Some(format!("recovered: {reason}")),
        RunFact::Note { text, .. } => Some(format!("note: {text}")),
        RunFact::Blocked { blocked, .. } => {
            Some(blocked.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        _ => None,
    }
}

/// Where the candidates are. Those out of view have no box.
fn place(candidates: &mut [Candidate], scene: &Scene) {
    for candidate in candidates {
        let node = node_called(&candidate.reference, scene);
        candidate.area = node.filter(|node| !node.is("offscreen")).map(|node| node.area);
    }
}

/// A list that the browser would open outside of the page.
fn list_of(reference: &str, scene: &Scene) -> Option<ListChoice> {
    let node = node_called(reference, scene)?;
    let is_native =
        node.attribute("tag") == Some("select") && !node.options.is_empty() && !node.is("disabled");
    // One that shows its entries is clicked like any other part of the page.
    (is_native && node.role == "combobox").then(|| ListChoice {
        reference: reference.to_string(),
        name: node.name.clone(),
        options: node.options.clone(),
        chosen: node.value.clone(),
    })
}

/// Whether an element around a text is listed under that text already.
fn says_it(scene: &Scene, around: usize, text: usize) -> bool {
    let node = &scene.nodes[around];
    node.reference.is_some() && !is_frame_only(&node.role) && node.name.contains(&scene.nodes[text].name)
}

/// Roles that only hold other things.
fn is_frame_only(role: &str) -> bool {
    matches!(
        role,
        "generic"
            | "list"
            | "listitem"
            | "table"
            | "rowgroup"
            | "row"
            | "cell"
            | "gridcell"
            | "group"
            | "region"
            | "main"
            | "banner"
            | "contentinfo"
            | "navigation"
            | "form"
            | "article"
            | "complementary"
            | "paragraph"
    )
}
