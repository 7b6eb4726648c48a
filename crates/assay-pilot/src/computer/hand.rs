//! From what a model wants done on a screen to commands. What has no command is said to the model; nothing is guessed.

use std::time::Duration;

use assay_prompt::{fenced, harmless, shortened};
use assay_protocol::{Action, MouseButton, RawInput, RawPlace, Scene, ViewPoint};
use assay_provider::answer::{
    Chord, ComputerAction as Wish, ComputerButton, Navigation, PointerTarget, ScrollBy, TabAct,
};

use super::by_ref;
use crate::vision::View;

/// One notch of a wheel, as browsers scroll.
const NOTCH: f64 = 100.0;
/// As long as things usually take.
const USUAL_WAIT: Duration = Duration::from_millis(1500);
const LONGEST_WAIT: Duration = Duration::from_secs(10);
const MOST_TIMES: u32 = 50;

/// One thing to be done for a wish.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum HandAction {
    Act(Action),
    Pause(Duration),
    /// Show the view.
    Show,
    /// Show a part of the view, by pixels of the shown picture.
    ShowPart {
        left: f64,
        top: f64,
        right: f64,
        bottom: f64,
    },
    Say(String),
}

/// Where the pointer is, as far as this step moved it, and what it holds. A button that is down is only known here: the
/// way of it is dragged when it is let go, so that no button ever stays down.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hand {
    at: Option<ViewPoint>,
    way: Option<Vec<ViewPoint>>,
}

impl Hand {
    /// What is to be done, in order, or why that cannot be.
    pub fn planned_actions(
        &mut self,
        wish: &Wish,
        view: &View,
        scene: &Scene,
    ) -> Result<Vec<HandAction>, String> {
        let one = |planned: HandAction| Ok(vec![planned]);
        match wish {
            Wish::Click { at: PointerTarget::Ref(reference), button, times, modifiers } => {
                let node = by_ref::node(reference, scene)?;
                one(HandAction::Act(by_ref::clicked(node, mouse_button(*button), *times, held(modifiers)?)?))
            }
            Wish::Move { to: PointerTarget::Ref(reference), modifiers } => {
                nothing_held(modifiers, "moving the pointer")?;
                one(HandAction::Act(by_ref::hovered(by_ref::node(reference, scene)?)?))
            }
            Wish::Drag { path, modifiers }
                if path.iter().all(|place| matches!(place, PointerTarget::Ref(_))) =>
            {
                nothing_held(modifiers, "dragging")?;
                match path.as_slice() {
                    [PointerTarget::Ref(from), PointerTarget::Ref(to)] => one(HandAction::Act(
                        by_ref::dragged(by_ref::node(from, scene)?, by_ref::node(to, scene)?)?,
                    )),
                    _ => Err("expected two elements to drag between".to_string()),
                }
            }
            Wish::ScrollTo { target: PointerTarget::Ref(reference) } => {
                one(HandAction::Act(by_ref::scrolled_to(by_ref::node(reference, scene)?)?))
            }
            Wish::SetValue { target: PointerTarget::Ref(reference), value } => {
                one(HandAction::Act(by_ref::set(by_ref::node(reference, scene)?, value)?))
            }
            Wish::Read(wanted) => one(HandAction::Say(by_ref::read(wanted, scene)?)),
            Wish::Click { button: ComputerButton::Back, .. } => one(HandAction::Act(Action::Back)),
            Wish::Click { button: ComputerButton::Forward, .. } => one(HandAction::Act(Action::Forward)),
            Wish::Click { at, button, times, modifiers } => {
                let at = self.goes_to(at, view)?;
                let button = mouse_button(*button);
                one(raw(RawInput::Click { at, button, times: *times, modifiers: held(modifiers)? }))
            }
            Wish::Drag { path, modifiers } => {
                nothing_held(modifiers, "dragging")?;
                let points = path.iter().map(|place| self.goes_to(place, view));
                dragged(points.collect::<Result<Vec<_>, _>>()?)
            }
            Wish::Move { to, modifiers } => {
                nothing_held(modifiers, "moving the pointer")?;
                let at = self.goes_to(to, view)?;
                match &mut self.way {
                    Some(way) => {
                        way.push(at);
                        Ok(Vec::new())
                    }
                    None => one(raw(RawInput::Move { at })),
                }
            }
            Wish::PointerDown { at } => {
                let at = self.goes_to(at, view)?;
                self.way = Some(vec![at]);
                Ok(Vec::new())
            }
            Wish::PointerUp { at } => {
                let mut way = self.way.take().ok_or("no button is down")?;
                let at = self.goes_to(at, view)?;
                if way.last() != Some(&at) {
                    way.push(at);
                }
                match way.as_slice() {
                    [at] => one(raw(RawInput::Click {
                        at: *at,
                        button: MouseButton::Left,
                        times: 1,
                        modifiers: Vec::new(),
                    })),
                    _ => dragged(way),
                }
            }
            Wish::Scroll { at, by, modifiers } => {
                nothing_held(modifiers, "scrolling")?;
                let at = self.goes_to(at, view)?;
                let (by_x, by_y) = pixels(by, view);
                one(raw(RawInput::Scroll { at, by_x, by_y }))
            }
            Wish::Type { text, at, clears_first, presses_enter } => {
                let mut planned_actions = Vec::new();
                if let Some(place) = at {
                    let at = self.goes_to(place, view)?;
                    let (button, modifiers) = (MouseButton::Left, Vec::new());
                    planned_actions.push(raw(RawInput::Click { at, button, times: 1, modifiers }));
                }
                if *clears_first {
                    planned_actions.push(press(&["Control+a"]));
                    planned_actions.push(press(&["Delete"]));
                }
                planned_actions.extend(typed(text));
                if *presses_enter {
                    planned_actions.push(press(&["Enter"]));
                }
                Ok(planned_actions)
            }
            Wish::Keypress { chords, times } => {
                let keys: Vec<String> = chords.iter().map(chord).collect::<Result<_, _>>()?;
                if keys.is_empty() || *times == 0 {
                    return Err("no key was named".to_string());
                }
                let keys = (0..*times.min(&MOST_TIMES)).flat_map(|_| keys.clone()).collect();
                one(HandAction::Act(Action::Press { keys, target: None }))
            }
            Wish::HoldKeys { .. } | Wish::KeyDown { .. } | Wish::KeyUp { .. } => {
                Err("keys cannot be held down by themselves; press a chord instead".to_string())
            }
            Wish::Wait { length } => one(HandAction::Pause(length.unwrap_or(USUAL_WAIT).min(LONGEST_WAIT))),
            Wish::Screenshot => one(HandAction::Show),
            Wish::Zoom { left, top, right, bottom } => one(HandAction::ShowPart {
                left: *left as f64,
                top: *top as f64,
                right: *right as f64,
                bottom: *bottom as f64,
            }),
            Wish::PointerPosition => {
                let at = self.at.unwrap_or(middle(view));
                let (across, down) = view.length(1.0, 1.0);
                one(HandAction::Say(format!("X={},Y={}", (at.x / across).floor(), (at.y / down).floor())))
            }
            Wish::Navigate(Navigation::To(url)) => one(HandAction::Act(Action::Go { url: url.clone() })),
            Wish::Navigate(Navigation::Back) => one(HandAction::Act(Action::Back)),
            Wish::Navigate(Navigation::Forward) => one(HandAction::Act(Action::Forward)),
            Wish::Navigate(Navigation::Reload) => one(HandAction::Act(Action::Reload)),
            Wish::Navigate(Navigation::Search) => Err("there is no search page in a test".to_string()),
            Wish::Tab(TabAct::Switch(tab)) => one(HandAction::Act(Action::TabSwitch { tab: tab.clone() })),
            Wish::Tab(TabAct::List) => one(HandAction::Say(tabs(scene))),
            Wish::Tab(TabAct::New | TabAct::Close(_)) => {
                Err("tabs are neither opened nor closed in a step".to_string())
            }
            Wish::ScrollTo { .. } => Err("expected the ref of an element to scroll to".to_string()),
            Wish::SetValue { .. } => Err("expected the ref of a field to set".to_string()),
            Wish::Upload { .. } | Wish::RunScript { .. } => {
                Err("files and scripts are not for this step".to_string())
            }
            Wish::Unknown { raw, why } => {
                let raw = shortened(&harmless(&raw.to_string()), 200);
                Err(format!("this is not understood ({why}): {raw}"))
            }
        }
    }

    fn goes_to(&mut self, place: &PointerTarget, view: &View) -> Result<ViewPoint, String> {
        let at = match place {
            PointerTarget::Pointer => self.at.unwrap_or(middle(view)),
            PointerTarget::Ref(reference) => {
                return Err(format!("`{reference}` is unknown: name a point of the picture"));
            }
            place => {
                let point = place.in_picture(view.shown.width(), view.shown.height());
                let (x, y) = point.ok_or("a point of the picture was expected")?;
                view.point(x, y)?
            }
        };
        self.at = Some(at);
        Ok(at)
    }
}

fn mouse_button(button: ComputerButton) -> MouseButton {
    match button {
        ComputerButton::Right => MouseButton::Right,
        ComputerButton::Middle => MouseButton::Middle,
        ComputerButton::Left | ComputerButton::Back | ComputerButton::Forward => MouseButton::Left,
    }
}

fn raw(input: RawInput) -> HandAction {
    HandAction::Act(Action::Raw { input, place: RawPlace::default() })
}

fn press(keys: &[&str]) -> HandAction {
    HandAction::Act(Action::Press { keys: keys.iter().map(|key| (*key).to_string()).collect(), target: None })
}

fn dragged(points: Vec<ViewPoint>) -> Result<Vec<HandAction>, String> {
    match points.as_slice() {
        [at, through @ ..] if !through.is_empty() => {
            Ok(vec![raw(RawInput::Drag { at: *at, through: through.to_vec() })])
        }
        _ => Err("expected two points to drag between".to_string()),
    }
}

/// A text with its line ends and tabs as the keys that they are.
fn typed(text: &str) -> Vec<HandAction> {
    let mut planned_actions = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\t']) {
        if at > 0 {
            planned_actions.push(raw(RawInput::Type { text: rest[..at].trim_end_matches('\r').to_string() }));
        }
        planned_actions.push(press(if rest[at..].starts_with('\n') { &["Enter"] } else { &["Tab"] }));
        rest = &rest[at + 1..];
    }
    if !rest.is_empty() {
        planned_actions.push(raw(RawInput::Type { text: rest.to_string() }));
    }
    planned_actions
}

fn middle(view: &View) -> ViewPoint {
    ViewPoint { x: view.size[0] / 2.0, y: view.size[1] / 2.0 }
}

fn pixels(by: &ScrollBy, view: &View) -> (f64, f64) {
    match by {
        ScrollBy::Pixels { x, y } => view.length(*x, *y),
        ScrollBy::Notches { x, y } => (x * NOTCH, y * NOTCH),
        ScrollBy::Thousandths { x, y } => (x / 1000.0 * view.size[0], y / 1000.0 * view.size[1]),
        ScrollBy::Pages { x, y } => (x * view.size[0] * 0.9, y * view.size[1] * 0.9),
    }
}

fn held(keys: &Chord) -> Result<Vec<String>, String> {
    let is_held = |key: &String| matches!(key.as_str(), "Control" | "Shift" | "Alt" | "Meta");
    match keys.0.iter().find(|key| !is_held(key)) {
        Some(other) => Err(format!("`{other}` cannot be held while clicking")),
        None => Ok(keys.0.clone()),
    }
}

fn nothing_held(keys: &Chord, doing: &str) -> Result<(), String> {
    if keys.0.is_empty() { Ok(()) } else { Err(format!("keys cannot be held while {doing}")) }
}

/// `Control+a`, in the spelling of `press`.
fn chord(chord: &Chord) -> Result<String, String> {
    let named: Vec<&str> = chord.0.iter().map(|key| if key == " " { "Space" } else { key }).collect();
    if named.is_empty() { Err("no key was named".to_string()) } else { Ok(named.join("+")) }
}

fn tabs(scene: &Scene) -> String {
    let line = |tab: &assay_protocol::TabLine| {
        let here = if tab.current { " (this one)" } else { "" };
        format!("{} {}{here}", harmless(&tab.tab), harmless(&tab.url))
    };
    fenced("tabs", &scene.tabs.iter().map(line).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
#[path = "hand_tests.rs"]
mod tests;
