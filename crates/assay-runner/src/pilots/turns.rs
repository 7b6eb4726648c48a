//! The record of pilots' turns: the answer, the attempted acts, their outcomes, and a screenshot of the page at that
//! moment. The controls write it, so every pilot has one.

use std::path::Path;
use std::time::{Duration, Instant};

use assay_protocol::{
    ActOutcome, Action, MarkedPicture, ModelCall, PilotTurn, RunFact, SafetyEvent, Scene, TurnAct,
};
use tokio::task::JoinHandle;

use super::controls::{NotPerformed, Performed};
use super::guarded_controls::GuardedControls;
use crate::attempt::Attempt;
use crate::evidence::mark_of;
use crate::picture::keep;

/// The maximum wait for a screenshot.
const PICTURE_TIME: Duration = Duration::from_secs(5);
/// The maximum length of a name on a screenshot.
const LONGEST_NAME: usize = 60;
/// The maximum length of a recorded message to a model.
const LONGEST_REPLY: usize = 300;

/// The turns of one pilot in one step.
#[derive(Default)]
pub(crate) struct Turns {
    open: Option<OpenTurn>,
    /// Turns that are over but not reported yet, because the next question was answered first.
    late: Vec<OpenTurn>,
}

struct OpenTurn {
    number: usize,
    pilot: String,
    begun: Instant,
    acts: Vec<TurnAct>,
    told: Option<String>,
    safety: Vec<SafetyEvent>,
    /// The number of earlier safety concerns.
    doubts_before: usize,
    shot: TurnPicture,
    /// A look at the page followed the start of the screenshot, so its readable text is known.
    is_looked_at: bool,
}

/// The screenshot of a turn.
enum TurnPicture {
    /// Screenshots are off.
    Unwanted,
    UnderWay(JoinHandle<Result<Vec<u8>, String>>),
    Taken(Vec<u8>),
    Missing(String),
}

impl GuardedControls<'_, '_> {
    /// A question was answered. Later acts follow from the answer.
    pub(super) fn begin_turn(&mut self, call: ModelCall) {
        let open = self.turns.open.take();
        self.turns.late.extend(open.map(|turn| self.with_doubts(turn)));
        let pilot = call.pilot.clone();
        let number = self.attempt.tell_call(call);
        let shot = self.begin_picture();
        self.turns.open = Some(OpenTurn {
            number,
            pilot,
            begun: Instant::now(),
            acts: Vec::new(),
            told: None,
            safety: Vec::new(),
            doubts_before: self.safety.len(),
            shot,
            is_looked_at: false,
        });
    }

    /// Ends the current turn and reports it.
    pub(super) async fn end_turn(&mut self) {
        self.tell_late_turns().await;
        let has_secrets = !self.attempt.hidden().is_empty();
        let is_open = self.turns.open.as_ref().is_some_and(|turn| !turn.is_looked_at && turn.shot.is_there());
        if is_open && has_secrets {
            // Only a look can show whether a secret is readable. If the look fails, there is no screenshot either.
            let _looked = self.look_now().await;
        }
        self.finish_picture().await;
        if let Some(turn) = self.turns.open.take() {
            let turn = self.with_doubts(turn);
            self.tell_turn(turn, has_secrets).await;
        }
    }

    pub(super) async fn tell_late_turns(&mut self) {
        let has_secrets = !self.attempt.hidden().is_empty();
        for turn in std::mem::take(&mut self.turns.late) {
            self.tell_turn(turn, has_secrets).await;
        }
    }

    fn with_doubts(&self, turn: OpenTurn) -> OpenTurn {
        OpenTurn { safety: self.safety[turn.doubts_before..].to_vec(), ..turn }
    }

    fn begin_picture(&mut self) -> TurnPicture {
        if self.attempt.context.pictures.is_none() {
            return TurnPicture::Unwanted;
        }
        if let Some(scene) = self.attempt.state.last_look.clone()
            && let Some(secret) = self.readable_secret(&scene)
        {
            return TurnPicture::Missing(secret_words(&secret));
        }
        match self.attempt.surface.picture(self.deadline.at_most(PICTURE_TIME)) {
            Ok(taking) => TurnPicture::UnderWay(tokio::task::spawn_local(async move {
                taking.await.map_err(|failure| failure.message)
            })),
            Err(failure) => TurnPicture::Missing(failure.message),
        }
    }

    /// The first look after a screenshot shows which text is readable on it.
    pub(super) fn look_for_secrets(&mut self, scene: &Scene) {
        let secret = self.readable_secret(scene);
        let Some(turn) = self.turns.open.as_mut().filter(|turn| !turn.is_looked_at) else { return };
        turn.is_looked_at = true;
        if let Some(secret) = secret {
            turn.shot = TurnPicture::Missing(secret_words(&secret));
        }
    }

    /// Waits for the current screenshot: nothing may change the page before it is taken.
    pub(super) async fn finish_picture(&mut self) {
        if let Some(turn) = self.turns.open.as_mut() {
            turn.shot.finish().await;
        }
    }

    /// An act that a pilot requested, with its outcome.
    pub(super) fn note_act(
        &mut self,
        action: &Action,
        because: &str,
        performed: &Result<Performed, NotPerformed>,
        took: Duration,
    ) {
        if self.turns.open.is_none() {
            return;
        }
        // There was no look since the act, so this is the page it was aimed at.
        let scene = self.attempt.state.last_look.clone().unwrap_or_default();
        // A point may have become an element: then the act on that element counts.
        let carried_out = self.attempt.step.last_command.take();
        let reached_the_page = carried_out.is_some();
        let meant = carried_out.as_ref().unwrap_or(action);
        let aimed =
            self.attempt.surface.mark().filter(|mark| reached_the_page && mark.on == MarkedPicture::Before);
        let target = aimed.or_else(|| mark_of(&target_of(meant)?, &scene));
        let (outcome, told, code) = match performed {
            Ok(performed) => (ActOutcome::Done, performed.outcome.clone(), None),
            Err(NotPerformed::Failed(failure)) => {
                (ActOutcome::Failed, failure.message.clone(), Some(failure.code.name()))
            }
            Err(NotPerformed::Refused(refusal)) => {
                (ActOutcome::Refused, refusal.to_string(), Some(refusal.code()))
            }
            Err(NotPerformed::Stopped(refusal)) => {
                (ActOutcome::Stopped, refusal.to_string(), Some(refusal.code()))
            }
        };
        let act = TurnAct {
            action: serde_json::to_value(action).unwrap_or_default(),
            label: label_of(meant, &scene),
            because: because.to_string(),
            outcome,
            told,
            code: code.map(str::to_string),
            target,
            duration_ms: took.as_millis() as u64,
        };
        if let Some(turn) = self.turns.open.as_mut() {
            turn.acts.push(act);
        }
    }

    /// The outcome of an answer without an act. Acts that were not done carry their own reasons.
    pub(super) fn note_reply(&mut self, reply: &str) {
        // Mask before cutting: half of a secret would not be recognised.
        let reply = shortened_to(&self.attempt.mask_for_guests(reply), LONGEST_REPLY);
        if let Some(turn) = self.turns.open.as_mut()
            && turn.acts.last().is_none_or(|act| act.outcome == ActOutcome::Done)
        {
            turn.told = Some(reply);
        }
    }

    async fn tell_turn(&mut self, mut turn: OpenTurn, has_secrets: bool) {
        turn.shot.finish().await;
        if has_secrets && !turn.is_looked_at && turn.shot.is_there() {
            turn.shot = TurnPicture::Missing("it may show a secret".to_string());
        }
        let (mut picture, mut no_picture) = (None, None);
        match (turn.shot, self.attempt.context.pictures.as_ref()) {
            (TurnPicture::Taken(bytes), Some(pictures)) => match kept(bytes, &pictures.folder).await {
                Some(path) => picture = Some(path),
                None => no_picture = Some("it could not be written".to_string()),
            },
            (TurnPicture::Missing(why), _) => no_picture = Some(why),
            (TurnPicture::Taken(_) | TurnPicture::UnderWay(_) | TurnPicture::Unwanted, _) => {}
        }
        self.attempt.tell_turn(PilotTurn {
            turn: turn.number,
            pilot: turn.pilot,
            acts: turn.acts,
            told: turn.told,
            safety: turn.safety,
            picture,
            no_picture,
            duration_ms: turn.begun.elapsed().as_millis() as u64,
        });
    }
}

impl TurnPicture {
    fn is_there(&self) -> bool {
        matches!(self, TurnPicture::UnderWay(_) | TurnPicture::Taken(_))
    }

    async fn finish(&mut self) {
        if let TurnPicture::UnderWay(taking) = self {
            *self = match taking.await {
                Ok(Ok(bytes)) => TurnPicture::Taken(bytes),
                Ok(Err(why)) => TurnPicture::Missing(why),
                Err(_) => TurnPicture::Missing("it was not taken to its end".to_string()),
            };
        }
    }
}

impl Attempt<'_> {
    /// Returns the number of the question in its step, from 1.
    fn tell_call(&self, call: ModelCall) -> usize {
        self.listener.event(RunFact::ModelCalled {
            test: self.context.test.clone(),
            step: self.step.number,
            call: Box::new(call),
        });
        self.step.turns.set(self.step.turns.get() + 1);
        self.step.turns.get()
    }

    /// A judge only accepts or rejects an answer, so its turn is over at once.
    pub(crate) fn tell_judge_turn(&self, call: ModelCall) {
        let pilot = call.pilot.clone();
        let turn = self.tell_call(call);
        self.tell_turn(PilotTurn { turn, pilot, ..PilotTurn::default() });
    }

    fn tell_turn(&self, turn: PilotTurn) {
        let turn = Box::new(turn);
        self.listener.event(RunFact::TurnEnded {
            test: self.context.test.clone(),
            step: self.step.number,
            turn,
        });
    }
}

async fn kept(bytes: Vec<u8>, folder: &Path) -> Option<String> {
    let folder = folder.to_path_buf();
    tokio::task::spawn_blocking(move || keep(&bytes, &folder)).await.ok().flatten()
}

fn secret_words(secret: &str) -> String {
    format!("a secret can be read in {secret}")
}

/// The ref that an action names first.
fn target_of(action: &Action) -> Option<String> {
    let mut action = action.clone();
    action.selectors_mut().first().map(|selector| selector.source.clone())
}

/// The act in a few words, as a person looking at the page would put it.
fn label_of(action: &Action, scene: &Scene) -> String {
    let verb = action.verb();
    let node = target_of(action).and_then(|reference| {
        scene.nodes.iter().find(|node| node.reference.as_deref() == Some(reference.as_str()))
    });
    let about = match (node, action) {
        (Some(node), _) if node.name.trim().is_empty() => node.role.clone(),
        (Some(node), _) => format!("\"{}\"", shortened(node.name.trim())),
        (None, Action::Press { keys, .. }) => keys.join(" "),
        (None, Action::Go { url }) => shortened(url),
        (None, Action::TabSwitch { tab }) => tab.clone(),
        (None, _) => return shortened(&action.command_line()),
    };
    format!("{verb} {about}").trim_end().to_string()
}

fn shortened(text: &str) -> String {
    shortened_to(text, LONGEST_NAME)
}

fn shortened_to(text: &str, most: usize) -> String {
    let one_line = assay_protocol::in_one_line(text);
    match one_line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::{MouseButton, SceneNode, Selector};

    #[test]
    fn an_act_is_told_by_the_name_of_its_element() {
        let node = |reference: &str, name: &str| SceneNode {
            reference: Some(reference.to_string()),
            role: "button".to_string(),
            name: name.to_string(),
            ..SceneNode::default()
        };
        let scene = Scene { nodes: vec![node("e1", "Save\n all"), node("e2", "")], ..Scene::default() };
        let click = |reference: &str| Action::Click {
            target: Selector::parse(reference).expect("a ref"),
            button: MouseButton::Left,
            modifiers: Vec::new(),
        };
        assert_eq!(label_of(&click("e1"), &scene), "click \"Save all\"");
        assert_eq!(label_of(&click("e2"), &scene), "click button");
        assert_eq!(label_of(&click("e9"), &scene), "click \"e9\"");
        let press = Action::Press { keys: vec!["Tab".to_string(), "Enter".to_string()], target: None };
        assert_eq!(label_of(&press, &scene), "press Tab Enter");
        assert_eq!(label_of(&Action::Reload, &scene), "reload");
    }
}
