//! The controls of an attempt: a pilot's acts, checked against the rules and carried out like all others.

use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_actions::{Proposer, render_answer};
use assay_driver::Deadline;
use assay_language::shows_words;
use assay_protocol::{
    Action, Answer, Effect, ErrorCode, Failure, ModelCall, RawInput, SafetyEvent, Scene, SceneNode,
};

use super::controls::{Controls, NotPerformed, PageView, Performed};
use super::drawn_lists::is_native;
use super::raw::ElementAtPoint;
use super::reachable_sites::{ReachableSites, host_of};
use super::refusal::ActionRefusal;
use super::rules::ActionRules;
use super::turns::Turns;
use super::values::RevealedValues;
use crate::attempt::{Attempt, CommandChoice};
use crate::committing::may_commit;
use crate::points::looks_now;
use crate::test_context::is_address;
use crate::test_surface::LocalFuture;

/// The maximum length of an effect for a pilot.
const EFFECT_TOKENS: usize = 300;
/// The maximum time of one wait.
const WAIT_TIME: Duration = Duration::from_secs(15);
const PICTURE_TIME: Duration = Duration::from_secs(10);

/// One pilot at the controls, for one step.
pub(crate) struct GuardedControls<'w, 'a> {
    pub(super) attempt: &'w mut Attempt<'a>,
    pilot: &'static str,
    named: RevealedValues,
    home: ReachableSites,
    pub(super) deadline: Deadline,
    effects: Vec<String>,
    pub(super) turns: Turns,
    /// Names that no look has shown so far.
    pub unshown: Vec<String>,
    /// Why the step is over.
    pub stopped: Option<ActionRefusal>,
    pub safety: Vec<SafetyEvent>,
}

impl<'w, 'a> GuardedControls<'w, 'a> {
    pub fn new(
        attempt: &'w mut Attempt<'a>,
        pilot: &'static str,
        named: RevealedValues,
        sentence: &str,
        deadline: Deadline,
    ) -> GuardedControls<'w, 'a> {
        let named_by_test =
            attempt.context.selectors.values().filter(|held| is_address(held)).map(String::as_str);
        let mut hosts: Vec<String> =
            named_by_test.chain(attempt.context.base_url.as_deref()).filter_map(host_of).collect();
        hosts.extend(attempt.context.policy.allowed_domains.iter().flatten().cloned());
        if let Some(scene) = &attempt.state.last_look {
            hosts.extend(host_of(&scene.url));
        }
        let mut addresses: Vec<String> =
            attempt.context.sentences.iter().map(|(_, text)| text.to_lowercase()).collect();
        addresses.extend(
            attempt
                .context
                .selectors
                .values()
                .filter(|held| is_address(held))
                .map(|held| held.to_lowercase()),
        );
        addresses.extend(attempt.context.base_url.iter().map(|base| base.to_lowercase()));
        let home = ReachableSites { hosts, sentence: sentence.to_lowercase(), named: addresses };
        GuardedControls {
            attempt,
            pilot,
            named,
            home,
            deadline,
            effects: Vec::new(),
            turns: Turns::default(),
            unshown: Vec::new(),
            stopped: None,
            safety: Vec::new(),
        }
    }

    pub(super) async fn look_now(&mut self) -> Result<Rc<Scene>, Failure> {
        let scene = self.attempt.look(self.deadline).await?;
        self.look_for_secrets(&scene);
        self.unshown.retain(|name| !shows_name(&scene, name));
        if self.home.hosts.is_empty() {
            // The site on which a step begins is the site under test.
            self.home.hosts.extend(host_of(&scene.url));
        }
        Ok(scene)
    }

    pub(super) async fn carry_out(
        &mut self,
        action: &Action,
        because: &str,
    ) -> Result<Performed, NotPerformed> {
        if let Some(stopped) = &self.stopped {
            return Err(NotPerformed::Stopped(stopped.clone()));
        }
        if self.deadline.is_past() {
            return Err(self.refuse(ActionRefusal::OutOfTime));
        }
        let scene = self.look_now().await.map_err(NotPerformed::Failed)?;
        let permitted = match action {
            Action::Raw { input, place } if *place == Default::default() => {
                self.permit_raw(input, &scene).await?
            }
            other => {
                let rules = ActionRules { scene: &scene, named: &self.named, home: &self.home };
                rules.permit(other).map_err(|refusal| self.refuse(refusal))?
            }
        };
        if let Action::Select { target, options } = &permitted
            && let [option] = options.as_slice()
            && !is_native(&scene, target)
        {
            return Box::pin(self.choose_in_drawn_list(target, option, because)).await;
        }
        let action = self.attempt.context.with_whole_address(permitted);
        if action.changes_the_page() {
            self.attempt.state.history.acting(&scene);
        }
        let commits = may_commit(&action, Some(&scene));
        // To the policy, every proposal of a pilot comes from a model.
        let proposed_by = Proposer::Model;
        let chosen = CommandChoice { commits, proposed_by, ..CommandChoice::harmless(self.pilot, because) };
        // A model that waits for what never comes would use up the step.
        let deadline = match action {
            Action::Wait { .. } => self.deadline.at_most(WAIT_TIME),
            _ => self.deadline,
        };
        let answer = match self.attempt.command(&action, chosen, deadline).await {
            Ok(answer) => answer,
            // An act that may have happened is not repeated by anyone.
            Err(failure) if failure.code.leaves_it_open() => {
                let command = action.command_line();
                return Err(self.refuse(ActionRefusal::OutcomeUnknown { command }));
            }
            Err(failure) => return Err(NotPerformed::Failed(failure)),
        };
        let outcome = self.attempt.mask_for_guests(&render_answer(&answer, Some(EFFECT_TOKENS)).0);
        self.effects.push(outcome.clone());
        let Answer::Effect(effect) = &answer else { return Ok(Performed { outcome, changed: false }) };
        if let Some(host) = led_away(effect, &self.home) {
            return Err(self.refuse(ActionRefusal::LeftSite { host }));
        }
        let changed = effect.page.is_some()
            || effect.dialog.is_some()
            || !effect.changes.is_empty()
            || !effect.tabs.is_empty()
            || !effect.downloads.is_empty();
        Ok(Performed { outcome, changed })
    }

    /// Turns input at points into the form that is carried out.
    async fn permit_raw(&mut self, input: &RawInput, scene: &Scene) -> Result<Action, NotPerformed> {
        let mut under = Vec::new();
        for point in input.points() {
            let call = self.attempt.context.call_until(self.deadline.at_most(PICTURE_TIME));
            let seen = self.attempt.surface.perform(&Action::At { point }, &call).await;
            under.push(match seen.map_err(NotPerformed::Failed)? {
                Answer::At { elements, tag, text } => {
                    let called = elements.into_iter().map(|element| (element.reference, element.name));
                    ElementAtPoint { elements: called.collect(), tag, text }
                }
                other => {
                    let message = format!("internal: reading a point of the page returned {other:?}");
                    return Err(NotPerformed::Failed(Failure::new(ErrorCode::Internal, message)));
                }
            });
        }
        let rules = ActionRules { scene, named: &self.named, home: &self.home };
        let permitted = rules.permit_raw(input, &under).map_err(|refusal| self.refuse(refusal))?;
        let Action::Raw { input: inner, mut place } = permitted else { return Ok(permitted) };
        if let Some(point) = input.pressed().first() {
            let looks = looks_now(&mut *self.attempt.surface, input, scene, self.deadline).await;
            place.looks = looks.map_err(NotPerformed::Failed)?;
            self.note_unnamed(point.x, point.y);
        }
        Ok(Action::Raw { input: inner, place })
    }

    /// Pressing at a point that the page does not name is allowed, but recorded, because its effect is unknown.
    fn note_unnamed(&mut self, x: f64, y: f64) {
        const CODE: &str = "unnamed-target";
        if self.safety.iter().all(|event| event.code != CODE) {
            let message = format!("it pressed at {x}, {y}, where the page does not say what is there");
            self.safety.push(SafetyEvent { code: CODE.to_string(), message, allowed: true });
        }
    }

    fn refuse(&mut self, refusal: ActionRefusal) -> NotPerformed {
        let refusal = refusal.masked(|text| self.attempt.mask_for_guests(text));
        let message = refusal.to_string();
        if refusal.is_about_safety() {
            self.safety.push(SafetyEvent { code: refusal.code().to_string(), message, allowed: false });
        }
        if refusal.stops_the_step() {
            self.stopped = Some(refusal.clone());
            return NotPerformed::Stopped(refusal);
        }
        NotPerformed::Refused(refusal)
    }

    /// The part of the page that shows a secret in plain text.
    pub(super) fn readable_secret(&self, scene: &Scene) -> Option<String> {
        let hidden = self.attempt.hidden();
        let shows = |text: &str| hidden.are_in(text);
        let node = scene.nodes.iter().find(|node| {
            !node.is("offscreen") && (shows(&node.name) || node.value.as_deref().is_some_and(shows))
        })?;
        Some(format!("{} \"{}\"", node.role, self.attempt.mask_for_guests(&node.name)))
    }

    async fn take_view(&mut self) -> Result<PageView, Failure> {
        let scene = self.look_now().await?;
        // The secret cannot be painted over, so no pilot gets the screenshot.
        if let Some(secret) = self.readable_secret(&scene) {
            return Err(Failure::new(
                ErrorCode::BlockedByPolicy,
                format!("no screenshot was sent: it would show a secret, in {secret}"),
            ));
        }
        let taking = self.attempt.surface.picture(self.deadline.at_most(PICTURE_TIME))?;
        let png = taking.await?;
        let [width, _] = scene.view;
        let pixels = png_width(&png)
            .ok_or_else(|| Failure::new(ErrorCode::Internal, "the screenshot is not a PNG".to_string()))?;
        let scale = if width > 0.0 { f64::from(pixels) / width } else { 1.0 };
        Ok(PageView { png, view: scene.view, scale })
    }
}

/// Secrets of this length and more do not come about by chance.
const SHORTEST_TELLING: usize = 8;

impl Controls for GuardedControls<'_, '_> {
    fn look(&mut self) -> LocalFuture<'_, Result<Rc<Scene>, Failure>> {
        Box::pin(async {
            let scene = self.look_now().await?;
            Ok(self.attempt.scene_for_guests(scene))
        })
    }

    fn picture(&mut self) -> LocalFuture<'_, Result<PageView, Failure>> {
        Box::pin(self.take_view())
    }

    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        because: &'a str,
    ) -> LocalFuture<'a, Result<Performed, NotPerformed>> {
        Box::pin(async move {
            self.tell_late_turns().await;
            self.finish_picture().await;
            self.attempt.step.last_command = None;
            let begun = Instant::now();
            let performed = self.carry_out(action, because).await.map_err(|denied| match denied {
                NotPerformed::Failed(failure) => NotPerformed::Failed(Failure {
                    message: self.attempt.mask_for_guests(&failure.message),
                    ..failure
                }),
                refused => refused,
            });
            self.note_act(action, because, &performed, begun.elapsed());
            performed
        })
    }

    fn endpoint(&self) -> Option<String> {
        self.attempt.surface.endpoint()
    }

    fn effects(&self) -> Vec<String> {
        self.effects.clone()
    }

    fn asking(&mut self) -> LocalFuture<'_, ()> {
        Box::pin(self.end_turn())
    }

    fn called(&mut self, call: ModelCall) {
        self.begin_turn(call);
    }

    fn replied(&mut self, reply: &str) {
        self.note_reply(reply);
    }

    fn mask(&self, text: &str) -> String {
        self.attempt.mask_for_guests(text)
    }

    fn repeats_a_secret(&self, text: &str) -> bool {
        // A short secret occurs in many words by chance.
        self.attempt.hidden().with_at_least(SHORTEST_TELLING).are_in(text)
    }
}

/// Whether the page shows a name: in its texts, or as that of an icon or a tooltip.
fn shows_name(scene: &Scene, name: &str) -> bool {
    let is_hidden_name = |held: &str| held.to_lowercase().contains(&name.to_lowercase());
    let hidden = |node: &SceneNode| {
        ["title", "alt", "placeholder", "label", "icon"]
            .iter()
            .filter_map(|key| node.attribute(key))
            .any(is_hidden_name)
    };
    shows_words(scene, name)
        || scene
            .nodes
            .iter()
            .any(|node| hidden(node) || node.options.iter().any(|option| is_hidden_name(option)))
}

/// The host of a page or tab on another site to which an act led.
fn led_away(effect: &Effect, home: &ReachableSites) -> Option<String> {
    let page = effect.page.iter().map(|page| page.url.as_str());
    let tabs = effect.tabs.iter().map(|tab| tab.url.as_str());
    page.chain(tabs).find_map(|url| home.leaves_for(url))
}

/// From the head of a PNG.
fn png_width(png: &[u8]) -> Option<u32> {
    let four: [u8; 4] = png.get(16..20)?.try_into().ok()?;
    png.starts_with(b"\x89PNG").then(|| u32::from_be_bytes(four))
}
