//! What a model wanted on a screen, in a few words for a line of a report.

use assay_protocol::Action;
use assay_provider::answer::{ComputerAction as Wish, ComputerButton, ComputerCall, PointerTarget};

pub(crate) fn in_few_words(call: &ComputerCall) -> String {
    let words: Vec<String> = call.actions.iter().map(of_wish).collect();
    if words.is_empty() { call.name.clone() } else { words.join(", ") }
}

fn of_wish(wish: &Wish) -> String {
    match wish {
        Wish::Click { at, button, times, .. } => {
            let button = match button {
                ComputerButton::Left => "click",
                ComputerButton::Right => "right-click",
                ComputerButton::Middle => "middle-click",
                ComputerButton::Back => Action::Back.verb(),
                ComputerButton::Forward => Action::Forward.verb(),
            };
            let times = if *times > 1 { format!(" {times} times") } else { String::new() };
            format!("{button} {}{times}", of_place(at))
        }
        Wish::Drag { path, .. } => {
            format!("drag {}", path.iter().map(of_place).collect::<Vec<_>>().join(" to "))
        }
        Wish::Move { to, .. } => format!("move to {}", of_place(to)),
        Wish::Scroll { at, .. } => format!("scroll at {}", of_place(at)),
        Wish::Type { text, .. } => format!("type {text:?}"),
        Wish::Keypress { chords, .. } => {
            let keys: Vec<String> = chords.iter().map(|chord| chord.0.join("+")).collect();
            format!("press {}", keys.join(" "))
        }
        Wish::Wait { .. } => "wait".to_string(),
        Wish::Screenshot => "look".to_string(),
        Wish::Zoom { .. } => "look closer".to_string(),
        Wish::Unknown { why, .. } => format!("something unknown ({why})"),
        other => {
            // Rare ones, by the name of their kind.
            let told = format!("{other:?}");
            told.split([' ', '(', '{']).next().unwrap_or_default().to_lowercase()
        }
    }
}

fn of_place(place: &PointerTarget) -> String {
    match place {
        PointerTarget::Pixel { x, y } => format!("{x},{y}"),
        PointerTarget::Thousandth { x, y } => format!("{x:.0},{y:.0} of 1000"),
        PointerTarget::Ref(reference) => reference.clone(),
        PointerTarget::Pointer => "where it is".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_provider::answer::{Chord, Navigation};

    #[test]
    fn wishes_are_told_in_a_few_words() {
        let none = || Chord(Vec::new());
        let at = PointerTarget::Pixel { x: 140, y: 150 };
        let actions = vec![
            Wish::Click { at, button: ComputerButton::Left, times: 2, modifiers: none() },
            Wish::Type { text: "whale".to_string(), at: None, clears_first: false, presses_enter: false },
            Wish::Navigate(Navigation::Back),
            Wish::PointerPosition,
        ];
        let call = ComputerCall {
            id: "1".to_string(),
            name: "computer".to_string(),
            toolset: None,
            actions,
            pending_safety_checks: Vec::new(),
            tab: None,
            intent: None,
        };
        assert_eq!(in_few_words(&call), "click 140,150 2 times, type \"whale\", navigate, pointerposition");
    }
}
