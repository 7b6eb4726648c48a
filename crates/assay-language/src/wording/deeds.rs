//! What somebody did, as an act of a test.

use assay_protocol::{Action, MouseButton, Scene};

use super::phrase::{node_of, phrases, quoted};
use crate::{Decision, Hints, Intent, ground, read};

/// What somebody did to an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    Click,
    DoubleClick,
    RightClick,
    /// The field holds this text now. A reference such as `${PASSWORD}` stands for itself.
    Enter(String),
    Clear,
    Choose(Vec<String>),
    /// A checkbox, a switch.
    Check,
    Uncheck,
    /// Onto another element.
    Drag(String),
}

/// Sentences for it, the plainest first. Not all of them mean it: [`is_said_by`] tells.
pub fn wordings(deed: &Deed, reference: &str, scene: &Scene) -> Vec<String> {
    let Some(at) = node_of(reference, scene) else { return Vec::new() };
    let targets = phrases(at, scene);
    let is_switch = scene.nodes[at].role == "switch";
    match deed {
        Deed::Click => said("Click", &targets),
        Deed::DoubleClick => said("Double-click", &targets),
        Deed::RightClick => said("Right-click", &targets),
        Deed::Clear => said("Clear", &targets),
        Deed::Check if is_switch => said("Turn on", &targets),
        Deed::Uncheck if is_switch => said("Turn off", &targets),
        Deed::Check => said("Check", &targets),
        Deed::Uncheck => said("Uncheck", &targets),
        Deed::Enter(text) => match in_marks(text) {
            Some(text) => targets.iter().map(|target| format!("Enter {text} into {target}")).collect(),
            None => Vec::new(),
        },
        Deed::Choose(options) => {
            let options: Option<Vec<String>> = options.iter().map(|option| quoted(option)).collect();
            let Some(options) = options.filter(|options| !options.is_empty()) else { return Vec::new() };
            let options = options.join(" and ");
            targets.iter().map(|target| format!("Select {options} from {target}")).collect()
        }
        Deed::Drag(onto) => {
            let Some(onto) = node_of(onto, scene) else { return Vec::new() };
            let ends = phrases(onto, scene);
            let pairs = targets.iter().flat_map(|what| ends.iter().map(move |end| (what, end)));
            pairs.take(24).map(|(what, end)| format!("Drag {what} to {end}")).collect()
        }
    }
}

fn said(verb: &str, targets: &[String]) -> Vec<String> {
    targets.iter().map(|target| format!("{verb} {target}")).collect()
}

/// A text of any length that is entered; not one of several lines.
fn in_marks(text: &str) -> Option<String> {
    match (text.contains(['\n', '\r']), text.contains('"'), text.contains(['“', '”'])) {
        (true, ..) | (false, true, true) => None,
        (false, false, _) => Some(format!("\"{text}\"")),
        (false, true, false) => Some(format!("“{text}”")),
    }
}

/// Whether the sentence, on this page, is exactly this act on exactly this element.
pub fn is_said_by(sentence: &str, deed: &Deed, reference: &str, scene: &Scene, hints: &Hints) -> bool {
    let Ok(intents) = read(sentence, hints) else { return false };
    let [Intent::Act(act)] = intents.as_slice() else { return false };
    let Decision::Do(planned) = ground(act, scene, hints) else { return false };
    if planned.then.is_some() {
        return false;
    }
    let is_kind = match (&planned.action, deed) {
        (Action::Click { button, modifiers, .. }, Deed::Click | Deed::Check | Deed::Uncheck) => {
            *button == MouseButton::Left && modifiers.is_empty()
        }
        (Action::Click { button, .. }, Deed::RightClick) => *button == MouseButton::Right,
        (Action::Fill { text, .. } | Action::Type { target: Some(_), text }, Deed::Enter(entered)) => {
            text == entered
        }
        (Action::Select { options, .. }, Deed::Choose(chosen)) => options == chosen,
        (Action::Drag { to, .. }, Deed::Drag(onto)) => is_ref(&to.source, onto),
        (Action::Dblclick { .. }, Deed::DoubleClick)
        | (Action::Clear { .. }, Deed::Clear)
        | (Action::Check { .. }, Deed::Check)
        | (Action::Uncheck { .. }, Deed::Uncheck) => true,
        _ => false,
    };
    let mut action = planned.action;
    let selectors = action.selectors_mut();
    is_kind && selectors.first().is_some_and(|selector| is_ref(&selector.source, reference))
}

fn is_ref(source: &str, reference: &str) -> bool {
    source.trim_start_matches('@') == reference
}

#[cfg(test)]
mod tests {
    use assay_protocol::SceneNode;

    use super::*;

    fn node(parent: Option<usize>, reference: &str, role: &str, name: &str) -> SceneNode {
        SceneNode {
            parent,
            reference: (!reference.is_empty()).then(|| reference.to_string()),
            role: role.to_string(),
            name: name.to_string(),
            area: [10.0, 10.0, 80.0, 20.0],
            ..SceneNode::default()
        }
    }

    /// Two people in a table, each with a button `Edit`, and a form with one field.
    fn page() -> Scene {
        let mut field = node(None, "e9", "textbox", "Name");
        field.value = Some(String::new());
        let nodes = vec![
            node(None, "e1", "table", "People"),
            node(Some(0), "e2", "row", "Ada Edit"),
            node(Some(1), "", "cell", "Ada"),
            node(Some(2), "", "text", "Ada"),
            node(Some(1), "e4", "button", "Edit"),
            node(Some(0), "e5", "row", "Grace Edit"),
            node(Some(5), "", "cell", "Grace"),
            node(Some(6), "", "text", "Grace"),
            node(Some(5), "e7", "button", "Edit"),
            node(None, "e8", "button", "Save"),
            field,
        ];
        Scene { url: "http://x/".to_string(), view: [800.0, 600.0], nodes, ..Scene::default() }
    }

    #[track_caller]
    fn check(deed: &Deed, reference: &str, expected: Option<&str>) {
        let scene = page();
        let hints = Hints::default();
        let said = wordings(deed, reference, &scene);
        let found = said.iter().find(|words| is_said_by(words, deed, reference, &scene, &hints));
        assert_eq!(found.map(String::as_str), expected, "{said:?}");
    }

    #[test]
    fn the_plainest_sentence_that_means_only_that_element_is_taken() {
        check(&Deed::Click, "e8", Some("Click the \"Save\" button"));
        check(&Deed::Enter("Anna".to_string()), "e9", Some("Enter \"Anna\" into the \"Name\" field"));
        check(&Deed::Clear, "e9", Some("Clear the \"Name\" field"));
    }

    #[test]
    fn one_of_several_is_named_by_its_place() {
        check(&Deed::Click, "e4", Some("Click the \"Edit\" button in the row of \"Ada\""));
        check(&Deed::Click, "e7", Some("Click the \"Edit\" button in the row of \"Grace\""));
    }

    #[test]
    fn what_the_interpreter_understands_otherwise_is_no_wording() {
        let scene = page();
        let hints = Hints::default();
        assert!(!is_said_by("Click the \"Edit\" button", &Deed::Click, "e4", &scene, &hints));
        assert!(!is_said_by("Click the \"Save\" button", &Deed::Click, "e4", &scene, &hints));
        assert!(!is_said_by("Double-click \"Save\"", &Deed::Click, "e8", &scene, &hints));
        assert!(!is_said_by(
            "Enter \"Ann\" into \"Name\"",
            &Deed::Enter("Anna".into()),
            "e9",
            &scene,
            &hints
        ));
        check(&Deed::Enter("two\nlines".to_string()), "e9", None);
    }
}
