//! From what somebody does on a live page to sentences of a test. Each sentence is verified on the page before the act: the
//! interpreter means exactly that act on exactly that element by it. What is entered into a field for secrets is never
//! looked at.

use std::rc::Rc;
use std::time::Duration;

use assay_language::{Deed, exact_selectors, is_said_by, is_true_of, wordings};
use assay_protocol::{Action, Answer, MouseButton, RawInput, Scene, SceneNode, Selector};
use assay_runner::Attempt;

use super::hand::HandAct;
use super::view::{Recorded, RecordedKind};

const LOOK: Duration = Duration::from_secs(5);
/// More wordings of one act are not tried.
const MOST_WORDINGS: usize = 40;
/// What stands in a test for a value that must not be in it.
const SECRET: &str = "${PASSWORD}";

/// Text that goes into a field, until something else is done.
struct Typing {
    reference: String,
    before: Rc<Scene>,
}

#[derive(Default)]
pub struct Recorder {
    typing: Option<Typing>,
    count: u64,
}

impl Recorder {
    fn entry(&mut self, kind: RecordedKind, text: String, exact: bool) -> Recorded {
        self.count += 1;
        Recorded { number: self.count, kind, text, exact }
    }

    /// What has to be said before the act is done: text that was typed until now.
    pub async fn before(
        &mut self,
        act: &HandAct,
        scene: &Scene,
        attempt: &mut Attempt<'_>,
    ) -> Option<Recorded> {
        let goes_on = match act {
            HandAct::Type { .. } => {
                self.typing.as_ref().is_some_and(|typing| is_focused(&typing.reference, scene))
            }
            HandAct::Press { keys } => self.typing.is_some() && keys.iter().all(|key| edits(key)),
            HandAct::Fill { reference, .. } => {
                self.typing.as_ref().is_some_and(|typing| typing.reference == *reference)
            }
            act => act.is_passing(),
        };
        if goes_on { None } else { self.finish(attempt).await }
    }

    /// Says what was typed, if anything was.
    pub async fn finish(&mut self, attempt: &mut Attempt<'_>) -> Option<Recorded> {
        let Typing { reference, before } = self.typing.take()?;
        let now = attempt.see(LOOK).await.ok()?;
        let then = node_called(&reference, &before)?;
        let is_secret = is_secret(then);
        let deed = match node_called(&reference, &now) {
            _ if is_secret => Deed::Enter(SECRET.to_string()),
            Some(node) => match node.value.as_deref().unwrap_or_default() {
                value if Some(value) == then.value.as_deref() => return None,
                "" => Deed::Clear,
                value => Deed::Enter(value.to_string()),
            },
            None => {
                let what = format!("text in {}, which is gone from the page", called(then));
                return Some(self.entry(RecordedKind::Unsaid, what, false));
            }
        };
        Some(self.say(&deed, &reference, &before, attempt).await)
    }

    /// What the act is, as seen on the page before it. `target` is the element at its point.
    pub async fn of_act(
        &mut self,
        act: &HandAct,
        target: Option<&str>,
        scene: &Rc<Scene>,
        base_url: Option<&str>,
        attempt: &mut Attempt<'_>,
    ) -> Option<Recorded> {
        let plain = |words: &str| Some(words.to_string());
        let words = match act {
            act if act.is_passing() => return None,
            HandAct::Pointer { input: RawInput::Click { button, times, at, .. } } => {
                let Some(target) = target else {
                    let what = format!("a click at {:.0}, {:.0}, where no element is", at.x, at.y);
                    return Some(self.entry(RecordedKind::Unsaid, what, false));
                };
                let deed = match (button, times) {
                    (MouseButton::Right, _) => Deed::RightClick,
                    (_, 2) => Deed::DoubleClick,
                    _ => return self.of_click(target, scene, attempt).await,
                };
                return Some(self.say(&deed, target, scene, attempt).await);
            }
            HandAct::Click { reference } => return self.of_click(reference, scene, attempt).await,
            HandAct::Pointer { input: RawInput::Drag { through, .. } } => {
                let onto = match through.last() {
                    Some(end) => element_at(end.x, end.y, attempt).await,
                    None => None,
                };
                let Some((target, onto)) = target.zip(onto) else {
                    let what = "a drag between places that are no elements".to_string();
                    return Some(self.entry(RecordedKind::Unsaid, what, false));
                };
                return Some(self.say(&Deed::Drag(onto), target, scene, attempt).await);
            }
            HandAct::Pointer { .. } => return None,
            HandAct::Type { .. } => {
                self.begin_typing(scene);
                return None;
            }
            HandAct::Fill { reference, .. } => {
                let is_new = self.typing.as_ref().is_none_or(|typing| typing.reference != *reference);
                if is_new {
                    self.typing = Some(Typing { reference: reference.clone(), before: Rc::clone(scene) });
                }
                return None;
            }
            HandAct::Press { keys } if keys.iter().all(|key| edits(key)) => {
                self.begin_typing(scene);
                return None;
            }
            // The focus of the next act says the same.
            HandAct::Press { keys } if keys.iter().all(|key| key == "Tab" || key == "Shift+Tab") => {
                return None;
            }
            HandAct::Press { keys } => Some(format!("Press {}", keys.join(" and "))),
            HandAct::Choose { reference, options } => {
                let deed = Deed::Choose(options.clone());
                return Some(self.say(&deed, reference, scene, attempt).await);
            }
            HandAct::Go { url } => Some(format!("Go to {}", shortened(url, base_url))),
            HandAct::Back => plain("Go back"),
            HandAct::Forward => plain("Go forward"),
            HandAct::Reload => plain("Reload the page"),
            HandAct::SwitchTab { tab } => {
                let at = scene.tabs.iter().position(|known| known.tab == *tab)?;
                Some(format!("Switch to tab {}", at + 1))
            }
            HandAct::CloseTab { tab } => {
                let is_current = scene.tabs.iter().any(|known| known.tab == *tab && known.current);
                is_current.then(|| "Close the tab".to_string())
            }
            HandAct::AcceptDialog { text: Some(text) } => Some(format!("Enter \"{text}\" into the prompt")),
            HandAct::AcceptDialog { text: None } => plain("Accept the dialog"),
            HandAct::DismissDialog => plain("Dismiss the dialog"),
            HandAct::NewTab { .. } => None,
        };
        match words {
            Some(words) => Some(self.entry(RecordedKind::Act, words, false)),
            None => {
                let action = act.action().ok()?;
                Some(self.entry(RecordedKind::Act, action.command_line(), true))
            }
        }
    }

    async fn of_click(
        &mut self,
        target: &str,
        scene: &Rc<Scene>,
        attempt: &mut Attempt<'_>,
    ) -> Option<Recorded> {
        let node = node_called(target, scene)?;
        let deed = match node.role.as_str() {
            "checkbox" | "switch" if node.is("checked") => Deed::Uncheck,
            "checkbox" | "switch" => Deed::Check,
            // What is entered there says the rest.
            "textbox" | "searchbox" | "spinbutton" => return None,
            _ => Deed::Click,
        };
        Some(self.say(&deed, target, scene, attempt).await)
    }

    fn begin_typing(&mut self, scene: &Rc<Scene>) {
        let focused = scene.nodes.iter().find(|node| node.is("focused") && takes_text(node));
        let Some(reference) = focused.and_then(|node| node.reference.clone()) else { return };
        let is_new = self.typing.as_ref().is_none_or(|typing| typing.reference != reference);
        if is_new {
            self.typing = Some(Typing { reference, before: Rc::clone(scene) });
        }
    }

    /// The plainest sentence that is just this deed; a command with a selector where none is.
    async fn say(
        &mut self,
        deed: &Deed,
        reference: &str,
        scene: &Scene,
        attempt: &mut Attempt<'_>,
    ) -> Recorded {
        for words in wordings(deed, reference, scene).into_iter().take(MOST_WORDINGS) {
            // Names of the author may take a sentence elsewhere.
            let hints = attempt.hints_for(&words, LOOK).await;
            if is_said_by(&words, deed, reference, scene, &hints) {
                return self.entry(RecordedKind::Act, words, false);
            }
        }
        for selector in exact_selectors(reference, scene) {
            let Ok(target) = Selector::parse(&selector) else { continue };
            let question = Action::FindAll { target: target.clone(), limit: 2 };
            let Ok(Answer::Elements { elements, total: 1 }) = attempt.ask_surface(&question, LOOK).await
            else {
                continue;
            };
            if elements.first().is_some_and(|element| element.reference == reference)
                && let Some(command) = command_of(deed, target)
            {
                return self.entry(RecordedKind::Act, command, true);
            }
        }
        let what = node_called(reference, scene).map(called).unwrap_or_default();
        let what = format!("{} on {what}: no sentence means only this element", verb_of(deed));
        self.entry(RecordedKind::Unsaid, what, false)
    }

    /// A claim of the user, if it holds.
    pub async fn claim(&mut self, sentence: &str, attempt: &mut Attempt<'_>) -> Option<Recorded> {
        let scene = attempt.see(LOOK).await.ok()?;
        let hints = attempt.hints_for(sentence, LOOK).await;
        let holds = is_true_of(sentence, None, &scene, &hints);
        holds.then(|| self.entry(RecordedKind::Claim, sentence.to_string(), false))
    }
}

fn command_of(deed: &Deed, target: Selector) -> Option<String> {
    let action = match deed {
        Deed::Click => Action::Click { target, button: MouseButton::Left, modifiers: Vec::new() },
        Deed::RightClick => Action::Click { target, button: MouseButton::Right, modifiers: Vec::new() },
        Deed::DoubleClick => Action::Dblclick { target },
        Deed::Enter(text) => Action::Fill { target, text: text.clone() },
        Deed::Clear => Action::Clear { target },
        Deed::Choose(options) => Action::Select { target, options: options.clone() },
        Deed::Check => Action::Check { target },
        Deed::Uncheck => Action::Uncheck { target },
        Deed::Drag(_) => return None,
    };
    Some(action.command_line())
}

fn verb_of(deed: &Deed) -> &'static str {
    match deed {
        Deed::Click => "a click",
        Deed::DoubleClick => "a double-click",
        Deed::RightClick => "a right-click",
        Deed::Enter(_) | Deed::Clear => "text",
        Deed::Choose(_) => "a choice",
        Deed::Check | Deed::Uncheck => "a tick",
        Deed::Drag(_) => "a drag",
    }
}

/// The element that a point means: the nearest that can be used, or else the nearest.
pub async fn element_at(x: f64, y: f64, attempt: &mut Attempt<'_>) -> Option<String> {
    const USABLE: &[&str] = &[
        "button",
        "link",
        "textbox",
        "searchbox",
        "combobox",
        "listbox",
        "checkbox",
        "radio",
        "switch",
        "slider",
        "spinbutton",
        "tab",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "treeitem",
        "summary",
        "date",
        "time",
        "month",
        "week",
        "datetime",
        "color",
        "file",
        "clickable",
    ];
    let question = Action::At { point: assay_protocol::ViewPoint { x, y } };
    let Ok(Answer::At { elements, .. }) = attempt.ask_surface(&question, LOOK).await else { return None };
    let is_usable = |role: &str, states: &[String]| {
        USABLE.contains(&role) || states.iter().any(|state| state == "clickable")
    };
    let usable = elements.iter().find(|element| is_usable(&element.role, &element.states));
    usable.or(elements.first()).map(|element| element.reference.clone())
}

pub fn node_called<'s>(reference: &str, scene: &'s Scene) -> Option<&'s SceneNode> {
    scene.nodes.iter().find(|node| node.role != "text" && node.reference.as_deref() == Some(reference))
}

fn called(node: &SceneNode) -> String {
    if node.name.is_empty() { node.role.clone() } else { format!("{} \"{}\"", node.role, node.name) }
}

fn is_focused(reference: &str, scene: &Scene) -> bool {
    node_called(reference, scene).is_some_and(|node| node.is("focused"))
}

fn takes_text(node: &SceneNode) -> bool {
    matches!(
        node.role.as_str(),
        "textbox" | "searchbox" | "spinbutton" | "combobox" | "date" | "time" | "month" | "week" | "datetime"
    )
}

fn is_secret(node: &SceneNode) -> bool {
    node.is("secret") || node.attribute("type") == Some("password")
}

/// Keys that change the text of a field and nothing else.
fn edits(key: &str) -> bool {
    matches!(
        key,
        "Backspace"
            | "Delete"
            | "ArrowLeft"
            | "ArrowRight"
            | "Home"
            | "End"
            | "Control+a"
            | "Control+z"
            | "Shift"
    )
}

/// An address below the base address is a path.
fn shortened(url: &str, base_url: Option<&str>) -> String {
    let whole =
        if url.contains("://") || url.starts_with('/') { url.to_string() } else { format!("http://{url}") };
    let base = base_url.map(|base| base.trim_end_matches('/')).filter(|base| !base.is_empty());
    match base.and_then(|base| whole.strip_prefix(base)) {
        Some("") => "/".to_string(),
        Some(path) if path.starts_with('/') => path.to_string(),
        _ => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_the_application_is_a_path() {
        let base = Some("http://shop.test:8080/");
        assert_eq!(shortened("http://shop.test:8080/cart?x=1", base), "/cart?x=1");
        assert_eq!(shortened("http://shop.test:8080", base), "/");
        assert_eq!(shortened("http://shop.test:80801/cart", base), "http://shop.test:80801/cart");
        assert_eq!(shortened("shop.test/cart", None), "http://shop.test/cart");
        assert_eq!(shortened("/cart", base), "/cart");
    }

    #[test]
    fn sentences_without_an_element_are_read_as_what_was_done() {
        use assay_language::{Act, Hints, Intent, read};
        let check = |words: &str, is_it: &dyn Fn(&Act) -> bool| {
            let intents = read(words, &Hints::default()).unwrap();
            assert!(matches!(intents.as_slice(), [Intent::Act(act)] if is_it(act)), "{words}: {intents:?}");
        };
        check("Go to /cart?x=1", &|act| matches!(act, Act::Go { .. }));
        check("Go back", &|act| matches!(act, Act::Back));
        check("Go forward", &|act| matches!(act, Act::Forward));
        check("Reload the page", &|act| matches!(act, Act::Reload));
        check("Switch to tab 2", &|act| matches!(act, Act::SwitchTab { .. }));
        check("Close the tab", &|act| matches!(act, Act::CloseTab));
        check("Accept the dialog", &|act| matches!(act, Act::AnswerDialog { accept: true, .. }));
        check("Dismiss the dialog", &|act| matches!(act, Act::AnswerDialog { accept: false, .. }));
        check("Enter \"Ada\" into the prompt", &|act| matches!(act, Act::AnswerDialog { text: Some(_), .. }));
        check("Press Enter", &|act| matches!(act, Act::Press { .. }));
        check("Press Escape", &|act| matches!(act, Act::Press { .. }));
    }
}
