//! One attempt at one test: looks and commands, which are the only recorded access to its surface.
//!
//! [`TestContext`] holds what never changes, `AttemptState` what the attempt collects, `StepState` what belongs to the
//! current step. The files beside it add the acts, claims, locks, pilots and screenshots of an attempt.

use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_actions::{Proposer, render_answer};
use assay_driver::Deadline;
use assay_language::{Hints, PlannedAction, Sureness, make_lasting};
use assay_protocol::{
    Action, Answer, CommandRecord, Effect, ErrorCode, Failure, LastingAct, Part, Retry, RunFact, Scene,
    Selector,
};

use crate::attempt_state::{AttemptState, StepState};
use crate::listener::Listener;
use crate::locking::kind_of;
use crate::masking::MaskingListener;
use crate::passwords::typed_secret;
use crate::picture::PictureMoment;
use crate::pilots::AvailablePilots;
use crate::test_context::{TestContext, is_address};
use crate::test_surface::TestSurface;

/// The name for commands that remove an obstacle: they are not part of the test.
pub(crate) const RECOVERY: &str = "recovery";

/// How many windows may close, one after the other, while one look is taken.
const MOST_CLOSED: usize = 4;

/// Who chose a command, and why.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommandChoice<'a> {
    pub pilot: &'a str,
    pub because: &'a str,
    /// The certainty of the choice, if the element was chosen among others.
    pub sureness: Option<&'a Sureness>,
    /// It commits something: submits, pays, deletes.
    pub commits: bool,
    /// Who proposed it, for the policy.
    pub proposed_by: Proposer,
}

impl<'a> CommandChoice<'a> {
    pub fn of(pilot: &'a str, planned: &'a PlannedAction) -> CommandChoice<'a> {
        CommandChoice {
            pilot,
            because: &planned.because,
            sureness: planned.sureness.as_ref(),
            commits: planned.commits,
            proposed_by: Proposer::Author,
        }
    }

    /// A command that commits nothing.
    pub fn harmless(pilot: &'a str, because: &'a str) -> CommandChoice<'a> {
        CommandChoice { pilot, because, sureness: None, commits: false, proposed_by: Proposer::Author }
    }
}

/// One attempt at one test: its browser, its listener and its state.
pub struct Attempt<'a> {
    pub(crate) surface: &'a mut dyn TestSurface,
    pub(crate) listener: MaskingListener<'a>,
    pub(crate) context: TestContext<'a>,
    pub(crate) state: AttemptState,
    pub(crate) step: StepState,
}

impl<'a> Attempt<'a> {
    pub fn new(
        surface: &'a mut dyn TestSurface,
        listener: &'a dyn Listener,
        context: TestContext<'a>,
    ) -> Attempt<'a> {
        Attempt {
            surface,
            listener: MaskingListener::new(listener, context.secrets),
            context,
            state: AttemptState::default(),
            step: StepState::new(0, Part::Step),
        }
    }

    /// Adds the pilots for steps that the interpreter is not sure of.
    #[must_use]
    pub fn with_pilots(mut self, available: AvailablePilots) -> Attempt<'a> {
        self.state.available = available;
        self
    }

    /// Goes on to the next step.
    pub(crate) fn begin_step(&mut self, part: Part) {
        self.step = StepState::new(self.step.number + 1, part);
    }

    /// Everything that is visible now.
    pub(crate) async fn look(&mut self, deadline: Deadline) -> Result<Rc<Scene>, Failure> {
        // A look is quick; a page that does not answer is stuck.
        let call = self.context.call_until(deadline.at_most(Duration::from_secs(10)));
        let mut answer = self.surface.perform(&Action::Scene, &call).await;
        // A window that closes itself while it is looked at leaves its opener in front. Acts do not follow by themselves:
        // they are worked out anew from what this look shows.
        for _ in 0..MOST_CLOSED {
            if !matches!(&answer, Err(failure) if failure.code == ErrorCode::TabClosed) {
                break;
            }
            answer = self.surface.perform(&Action::Scene, &call).await;
        }
        match answer? {
            Answer::Scene(scene) => {
                let scene = Rc::new(*scene);
                self.state.last_picture.looked(&scene);
                self.state.last_look = Some(Rc::clone(&scene));
                self.state.looks.looked(&scene);
                Ok(scene)
            }
            other => Err(Failure::new(
                ErrorCode::Internal,
                format!("internal: reading the page returned {other:?}"),
            )),
        }
    }

    /// The author's names, as far as the sentence has to do with them.
    pub(crate) async fn hints(&mut self, sentence: &str, deadline: Deadline) -> Hints {
        let sentence = sentence.to_lowercase();
        let acted = self.state.last_look.as_ref().and_then(|now| self.state.history.act_on(now));
        let mut hints = Hints { acted, before: self.state.history.ends(), ..Hints::default() };
        for (key, held) in self.context.selectors {
            let words = key.split(['_', '-', ' ', '.']).filter(|word| word.len() > 1);
            if !words.into_iter().any(|word| sentence.contains(&word.to_lowercase())) {
                continue;
            }
            if is_address(held) {
                hints.pages.insert(key.clone(), held.clone());
                continue;
            }
            let Ok(target) = Selector::parse(held) else {
                self.note_stale(key, "it cannot be read");
                continue;
            };
            let call = self.context.call_until(deadline.at_most(Duration::from_secs(2)));
            let found = self.surface.perform(&Action::FindAll { target, limit: 3 }, &call).await;
            let refs: Vec<String> = match found {
                Ok(Answer::Elements { elements, .. }) => {
                    elements.into_iter().map(|element| element.reference).collect()
                }
                // A stale hint is ignored; the sentence itself must do.
                _ => Vec::new(),
            };
            if refs.is_empty() {
                self.note_stale(key, "nothing on the page matches it");
            }
            hints.elements.insert(key.clone(), refs);
        }
        hints
    }

    fn note_stale(&mut self, key: &str, why: &str) {
        if self.state.stale.insert(key.to_string()) {
            self.note(format!("the hint `{key}` was not used: {why}"));
        }
    }

    /// Carries out one command and reports it: afterwards, and if it changes the page, also before.
    pub(crate) async fn command(
        &mut self,
        action: &Action,
        chosen: CommandChoice<'_>,
        deadline: Deadline,
    ) -> Result<Answer, Failure> {
        let started = Instant::now();
        let mut call = self.context.call_until(deadline);
        call.policy.proposed_by = chosen.proposed_by;
        self.step.last_command = Some(action.clone());
        let resolved = action;
        let action = &self.context.with_files_found(action);
        let command = action.command_line();
        let mut before = None;
        if action.changes_the_page() {
            self.picture_taken().await;
            before = self.state.last_picture.of_now();
            self.state.last_picture.outdate();
            self.state.looks.acted();
            self.listener.event(RunFact::CommandStarted {
                test: self.context.test.clone(),
                step: self.step.number,
                command: command.clone(),
                pilot: chosen.pilot.to_string(),
                commits: chosen.commits,
                lasting: self.lasting(action),
            });
            if let Some(trouble) = self.listener.trouble() {
                // A command that cannot be recorded is not carried out.
                return Err(trouble);
            }
        }
        if let Some(trial) = &mut self.state.trial {
            trial.break_at_act(&self.step, action, &mut *self.surface).await;
        }
        self.state.committing = chosen.commits.then(|| command.clone());
        let result = self.surface.perform(action, &call).await;
        let is_unknown = matches!(&result, Err(failure) if failure.code.leaves_it_open());
        if !is_unknown {
            self.state.committing = None;
        }
        let outcome = match &result {
            Ok(answer) => render_answer(answer, Some(60)).0,
            Err(failure) => failure.message.clone(),
        };
        let mut record = CommandRecord {
            command,
            pilot: chosen.pilot.to_string(),
            because: chosen.because.to_string(),
            score: chosen.sureness.map(|sureness| in_hundredths(sureness.score)),
            margin: chosen.sureness.and_then(|sureness| sureness.margin).map(in_hundredths),
            runner_up: chosen.sureness.and_then(|sureness| sureness.runner_up.clone()),
            ok: result.is_ok(),
            outcome,
            code: result.as_ref().err().map(|failure| failure.code),
            commits: chosen.commits,
            target: self.context.pictures.as_ref().and_then(|_| self.surface.mark()),
            before,
            duration_ms: started.elapsed().as_millis() as u64,
            ..CommandRecord::default()
        };
        if matches!(action, Action::TabSwitch { .. }) || action.changes_the_page() {
            self.state.new_tab = None;
        }
        if action.changes_the_page() {
            self.state.acted_at = Some(Instant::now());
            let seen = self.state.last_look.as_ref();
            if let Some(secret) = seen.and_then(|scene| typed_secret(action, scene)) {
                self.state.typed_secrets.add(secret);
            }
        }
        if let Ok(Answer::Effect(effect)) = &result {
            self.state.busy = !effect.still_busy.is_empty();
            self.note_effect(effect);
            let scene = self.state.history.last().unwrap_or_default();
            record.effect = kind_of(effect, &scene.url, self.context.base_url.as_deref());
            self.step.acts_done += 1;
            if let Some(observed) = &mut self.state.observed {
                observed.observe_act(&self.step, action, effect, &scene);
            }
            if chosen.pilot != RECOVERY {
                self.state.history.acted(resolved);
                self.step.act_in_progress.acts.push(make_lasting(resolved, &scene));
                self.step.act_in_progress.effect.and_then(record.effect.clone());
                self.step.act_in_progress.commits |= chosen.commits;
            }
            record.url = effect.page.as_ref().map(|page| page.url.clone());
            record.console_errors = effect.console_errors.clone();
            record.failed_requests = effect.failed_requests.clone();
        }
        self.listener.event(RunFact::Command {
            test: self.context.test.clone(),
            step: self.step.number,
            record: Box::new(record),
        });
        self.step.commands += 1;
        if result.is_ok() && action.changes_the_page() {
            if !self.context.slow.is_zero() {
                tokio::time::sleep(self.context.slow).await;
            }
            self.take_picture(PictureMoment::AfterCommand, deadline);
        }
        result
    }

    /// What the claims behind an act have to know of it.
    fn note_effect(&mut self, effect: &Effect) {
        self.state.acted_in_vain = effect.page.is_none()
            && effect.changes.is_empty()
            && effect.dialog.is_none()
            && effect.tabs.is_empty()
            && effect.downloads.is_empty();
        if let Some(opened) = effect.tabs.last() {
            self.state.new_tab = Some(opened.tab.clone());
        }
        if let Some(page) = &effect.page {
            self.state.error_status = page.status.filter(|status| *status >= 400);
        }
        self.state.failed_requests = effect.failed_requests.iter().map(|failed| failed.url.clone()).collect();
    }

    /// Reports the requests that the policy has blocked since the last call.
    pub(crate) fn report_blocked(&mut self) {
        let blocked = self.surface.take_blocked();
        if !blocked.is_empty() {
            self.listener.event(RunFact::Blocked {
                test: self.context.test.clone(),
                step: self.step.number,
                blocked,
            });
        }
    }

    /// The act in a form that another browser can carry out.
    fn lasting(&self, action: &Action) -> Option<Box<LastingAct>> {
        let scene = self.state.history.last().unwrap_or_default();
        make_lasting(action, &scene).map(Box::new)
    }

    pub(crate) fn note(&self, text: impl Into<String>) {
        let (test, text) = (self.context.test.clone(), text.into());
        self.listener.event(RunFact::Note { test, step: Some(self.step.number), text });
    }

    pub(crate) fn retried(&self, retry: Retry, reason: &str) {
        let reason = reason.to_string();
        self.listener.event(RunFact::Retried {
            test: self.context.test.clone(),
            step: self.step.number,
            retry,
            reason,
        });
    }

    pub(crate) fn recovered(&self, tier: u8, reason: &str) {
        self.listener.event(RunFact::Recovered {
            test: self.context.test.clone(),
            step: self.step.number,
            tier,
            reason: reason.to_string(),
        });
    }
}

/// More digits than two would pretend to know more than is known.
fn in_hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
