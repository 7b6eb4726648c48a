//! One test's way through the pages: the surface it has, what it has seen, and to whom it tells.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_actions::{Call, Policy, render_answer};
use assay_driver::Deadline;
use assay_language::{Hints, PlannedAction, Sureness, make_lasting};
use assay_protocol::{
    Action, Answer, CommandRecord, ErrorCode, Failure, LastingAct, LockedEntry, Part, Retry, RunFact, Scene,
    Secrets, Selector,
};

use crate::acting_slots::ActingSlot;
use crate::history::History;
use crate::listener::Listener;
use crate::locking::{ActInProgress, LockCursor, kind_of};
use crate::looks::Looks;
use crate::masking::MaskingListener;
use crate::picture::{LastPicture, PictureMoment, PictureUnderWay, Pictures};
use crate::pilots::{Judge, PassedByModel, Pilot, PilotTerms};
use crate::proving::{Observed, Trial};
use crate::test_surface::TestSurface;

/// The name under which something that is in the way is put aside: no part of the test.
pub(crate) const RECOVERY: &str = "recovery";

/// Who chose a command, and why.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommandChoice<'a> {
    pub pilot: &'a str,
    pub because: &'a str,
    /// How sure the choice of the element was, where one was chosen among others.
    pub sureness: Option<&'a Sureness>,
    /// It commits something: submits, pays, deletes.
    pub commits: bool,
}

impl<'a> CommandChoice<'a> {
    pub fn of(pilot: &'a str, planned: &'a PlannedAction) -> CommandChoice<'a> {
        CommandChoice {
            pilot,
            because: &planned.because,
            sureness: planned.sureness.as_ref(),
            commits: planned.commits,
        }
    }

    /// A command that commits nothing.
    pub fn harmless(pilot: &'a str, because: &'a str) -> CommandChoice<'a> {
        CommandChoice { pilot, because, sureness: None, commits: false }
    }
}

pub struct Attempt<'a> {
    pub surface: &'a mut dyn TestSurface,
    pub(crate) listener: MaskingListener<'a>,
    pub test: String,
    /// The number of the step under way, from 1.
    pub step: usize,
    pub(crate) part: Part,
    pub selectors: &'a BTreeMap<String, String>,
    pub base_url: Option<String>,
    pub(crate) secrets: &'a Secrets,
    pub pictures: Option<Pictures>,
    pub policy: Policy,
    /// Where the files that a test names lie.
    pub folder: PathBuf,
    /// A pause after each command, for those who watch.
    pub slow: Duration,
    /// The page was still asking the network for something when the last command was answered.
    pub(crate) busy: bool,
    /// Refs by which something in the way was closed: each once a test.
    pub(crate) put_aside: BTreeSet<String>,
    /// A command that commits something was begun and has not ended.
    pub(crate) committing: Option<String>,
    /// Keys of `selectors` that matched nothing, so that each is told once.
    pub(crate) stale: BTreeSet<String>,
    pub(crate) history: History,
    pub(crate) last_picture: LastPicture,
    pub(crate) last_look: Option<Rc<Scene>>,
    /// What was seen since the page was last acted on.
    pub(crate) looks: Looks,
    /// How many commands of the step under way were told.
    pub(crate) commands_of_step: usize,
    pub(crate) picture_under_way: Option<PictureUnderWay>,
    /// The lock of the test, where it has one.
    pub(crate) lock: Option<LockCursor>,
    /// What is resolved anew is written down: nothing is healed.
    pub(crate) is_locking: bool,
    /// What is being done for the act under way.
    pub(crate) act_in_progress: ActInProgress,
    /// What this attempt resolved so far.
    pub(crate) resolved: Vec<LockedEntry>,
    /// Acts of the step under way that are done.
    pub(crate) acts_done: usize,
    /// What is broken on purpose in this attempt.
    pub(crate) trial: Option<Trial>,
    /// Another attempt follows on the same surface.
    pub(crate) has_successor: bool,
    /// The place among those that act, where it may be given up as soon as only claims are left.
    pub(crate) slot: Option<ActingSlot>,
    /// What was done and claimed, where somebody wants to break it afterwards.
    pub(crate) observed: Option<Observed>,
    /// Something was healed in this attempt: from then on all effects must be of the kinds that are recorded.
    pub(crate) is_healed: bool,
    /// Those who are asked where the interpreter is not sure, in this order.
    pub pilots: Vec<Box<dyn Pilot>>,
    /// Who judges what the interpreter does not understand.
    pub judge: Option<Box<dyn Judge>>,
    /// Why somebody who could be asked is not there.
    pub absent: Option<String>,
    pub terms: PilotTerms,
    /// What the test has in quotation marks anywhere: what a pilot may type beside what the step says.
    pub values: Vec<String>,
    /// Who was asked and has not answered yet.
    pub(crate) waits_for: Option<&'static str>,
    /// What a judge found to hold in this attempt.
    pub(crate) passed_by_model: Vec<PassedByModel>,
    /// The action that was carried out last, as it was given to the surface.
    pub(crate) last_command: Option<Action>,
    /// How many questions to models the step under way has had.
    pub(crate) turns: Cell<usize>,
}

impl<'a> Attempt<'a> {
    pub fn new(
        surface: &'a mut dyn TestSurface,
        listener: &'a dyn Listener,
        selectors: &'a BTreeMap<String, String>,
        secrets: &'a Secrets,
    ) -> Attempt<'a> {
        Attempt {
            surface,
            listener: MaskingListener::new(listener, secrets),
            test: String::new(),
            step: 0,
            part: Part::Step,
            selectors,
            base_url: None,
            secrets,
            pictures: None,
            policy: Policy::default(),
            folder: PathBuf::from("."),
            slow: Duration::ZERO,
            busy: false,
            put_aside: BTreeSet::new(),
            committing: None,
            stale: BTreeSet::new(),
            history: History::default(),
            last_picture: LastPicture::default(),
            last_look: None,
            looks: Looks::default(),
            commands_of_step: 0,
            picture_under_way: None,
            lock: None,
            is_locking: false,
            act_in_progress: ActInProgress::default(),
            resolved: Vec::new(),
            acts_done: 0,
            trial: None,
            has_successor: false,
            slot: None,
            observed: None,
            is_healed: false,
            pilots: Vec::new(),
            judge: None,
            absent: None,
            terms: PilotTerms::default(),
            values: Vec::new(),
            waits_for: None,
            passed_by_model: Vec::new(),
            last_command: None,
            turns: Cell::new(0),
        }
    }

    /// Goes on to the next step.
    pub(crate) fn begin_step(&mut self) {
        self.step += 1;
        self.commands_of_step = 0;
        self.turns.set(0);
    }

    /// A call under the policy of this test.
    pub(crate) fn call_until(&self, deadline: Deadline) -> Call {
        Call { deadline, wait: false, policy: self.policy.clone() }
    }

    /// Everything that is seen now.
    pub(crate) async fn look(&mut self, deadline: Deadline) -> Result<Rc<Scene>, Failure> {
        // A look is quick; a page that does not answer it is stuck.
        let call = self.call_until(deadline.at_most(Duration::from_secs(10)));
        match self.surface.perform(&Action::Scene, &call).await? {
            Answer::Scene(scene) => {
                let scene = Rc::new(*scene);
                self.last_picture.looked(&scene);
                self.last_look = Some(Rc::clone(&scene));
                self.looks.looked(&scene);
                Ok(scene)
            }
            other => Err(Failure::new(
                ErrorCode::Internal,
                format!("a look at the page was answered with {other:?}"),
            )),
        }
    }

    /// The author's names without a look at the page: what sentences are read by.
    pub(crate) fn names(&self) -> Hints {
        let mut hints = Hints::default();
        for (key, held) in self.selectors {
            if is_address(held) {
                hints.pages.insert(key.clone(), held.clone());
            } else {
                hints.elements.insert(key.clone(), Vec::new());
            }
        }
        hints
    }

    /// The author's names, as far as the sentence has to do with them.
    pub(crate) async fn hints(&mut self, sentence: &str, deadline: Deadline) -> Hints {
        let said = sentence.to_lowercase();
        let mut hints = Hints::default();
        for (key, held) in self.selectors {
            let words = key.split(['_', '-', ' ', '.']).filter(|word| word.len() > 1);
            if !words.into_iter().any(|word| said.contains(&word.to_lowercase())) {
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
            let call = self.call_until(deadline.at_most(Duration::from_secs(2)));
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
        if self.stale.insert(key.to_string()) {
            self.note(format!("the hint `{key}` was not used: {why}"));
        }
    }

    /// Carries out one command and tells of it: before, where it changes the page, and after.
    pub(crate) async fn command(
        &mut self,
        action: &Action,
        chosen: CommandChoice<'_>,
        deadline: Deadline,
    ) -> Result<Answer, Failure> {
        let started = Instant::now();
        let call = self.call_until(deadline);
        self.last_command = Some(action.clone());
        let resolved = action;
        let action = &self.with_files_found(action);
        let command = action.command_line();
        let mut before = None;
        if action.changes_the_page() {
            self.picture_taken().await;
            before = self.last_picture.of_now();
            self.last_picture.outdate();
            self.looks.acted();
            self.listener.event(RunFact::CommandStarted {
                test: self.test.clone(),
                step: self.step,
                command: command.clone(),
                pilot: chosen.pilot.to_string(),
                commits: chosen.commits,
                lasting: self.lasting(action),
            });
            if let Some(trouble) = self.listener.trouble() {
                // What cannot be put on record is not done.
                return Err(trouble);
            }
        }
        self.break_at_act(action).await;
        self.committing = chosen.commits.then(|| command.clone());
        let result = self.surface.perform(action, &call).await;
        let is_unknown = matches!(&result, Err(failure) if failure.code.leaves_it_open());
        if !is_unknown {
            self.committing = None;
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
            target: self.pictures.as_ref().and_then(|_| self.surface.mark()),
            before,
            duration_ms: started.elapsed().as_millis() as u64,
            ..CommandRecord::default()
        };
        if let Ok(Answer::Effect(effect)) = &result {
            self.busy = !effect.still_busy.is_empty();
            let scene = self.history.last().unwrap_or_default();
            record.effect = kind_of(effect, &scene.url, self.base_url.as_deref());
            self.acts_done += 1;
            self.observe_act(action, effect, &scene);
            if chosen.pilot != RECOVERY {
                self.act_in_progress.acts.push(make_lasting(resolved, &scene));
                self.act_in_progress.effect.and_then(record.effect.clone());
                self.act_in_progress.commits |= chosen.commits;
            }
            record.url = effect.page.as_ref().map(|page| page.url.clone());
            record.console_errors = effect.console_errors.clone();
            record.failed_requests = effect.failed_requests.clone();
        }
        self.listener.event(RunFact::Command {
            test: self.test.clone(),
            step: self.step,
            record: Box::new(record),
        });
        self.commands_of_step += 1;
        if result.is_ok() && action.changes_the_page() {
            if !self.slow.is_zero() {
                tokio::time::sleep(self.slow).await;
            }
            self.take_picture(PictureMoment::AfterCommand, deadline);
        }
        result
    }

    /// Tells what the policy kept from being reached since this was done last.
    pub(crate) fn report_blocked(&mut self) {
        let blocked = self.surface.take_blocked();
        if !blocked.is_empty() {
            self.listener.event(RunFact::Blocked { test: self.test.clone(), step: self.step, blocked });
        }
    }

    /// The act so that another browser can carry it out.
    fn lasting(&self, action: &Action) -> Option<Box<LastingAct>> {
        let scene = self.history.last().unwrap_or_default();
        make_lasting(action, &scene).map(Box::new)
    }

    /// Files are named as seen from the test.
    fn with_files_found(&self, action: &Action) -> Action {
        match action {
            Action::Upload { target, files } => {
                let found = |file: &String| self.folder.join(file).display().to_string();
                Action::Upload { target: target.clone(), files: files.iter().map(found).collect() }
            }
            other => other.clone(),
        }
    }

    pub(crate) fn note(&self, text: impl Into<String>) {
        let (test, text) = (self.test.clone(), text.into());
        self.listener.event(RunFact::Note { test, step: Some(self.step), text });
    }

    pub(crate) fn retried(&self, retry: Retry, reason: &str) {
        let reason = reason.to_string();
        self.listener.event(RunFact::Retried { test: self.test.clone(), step: self.step, retry, reason });
    }

    pub(crate) fn recovered(&self, tier: u8, reason: &str) {
        self.listener.event(RunFact::Recovered {
            test: self.test.clone(),
            step: self.step,
            tier,
            reason: reason.to_string(),
        });
    }

    /// Text in which no secret can be read.
    pub(crate) fn mask(&self, text: &str) -> String {
        self.secrets.mask(text)
    }
}

/// More digits than two would pretend to know more than is known.
fn in_hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

pub(crate) fn is_address(held: &str) -> bool {
    held.contains("://") || (held.starts_with('/') && !held.starts_with("//"))
}
