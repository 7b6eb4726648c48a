//! The mouse without a click, dragging and scrolling.

use assay_protocol::DropSide;

use crate::positions::is_side;
use crate::{Act, ElementKind, ScrollGoal, Target};

use super::super::claims;
use super::super::lexicon::words::DETERMINERS;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::verbs::Verb;
use super::{Acts, Misread, needed};

pub(super) fn hover(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let rest = rest.without_front(&["the", "mouse", "cursor", "pointer", "your"]);
    let rest = rest.without_front(&["over", "on", "onto", "above"]);
    Ok(vec![Act::Hover { target: needed(rest, Verb::Hover, nouns)? }])
}

pub(super) fn focus(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    Ok(vec![Act::Focus { target: needed(rest.without_front(&["on", "in", "into"]), Verb::Focus, nouns)? }])
}

/// "Move the mouse to X", "Move the slider to 40", "Move A to B".
pub(super) fn move_to(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let plain = rest.without_front(DETERMINERS);
    let is_mouse = plain.starts_any(&["mouse", "cursor", "pointer"]);
    if is_mouse || rest.starts_any(&["over"]) {
        let from = rest.find(&["over", "to", "onto", "on"]).map_or(rest.len(), |at| at + 1);
        return Ok(vec![Act::Hover { target: needed(rest.from(from), Verb::Hover, nouns)? }]);
    }
    if plain.starts_any(&["focus"]) || rest.starts_any(&["to"]) {
        return Err(Misread::new(Verb::Move, "it does not say what is moved where"));
    }
    drag(rest, nouns)
}

pub(super) fn drag(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    const ONTO: &[&str] = &["onto", "to", "into", "on", "over", "in"];
    const BESIDE: &[(&str, DropSide)] = &[
        ("below", DropSide::Below),
        ("under", DropSide::Below),
        ("underneath", DropSide::Below),
        ("after", DropSide::Below),
        ("behind", DropSide::Below),
        ("above", DropSide::Above),
        ("before", DropSide::Above),
    ];
    let mut side = DropSide::On;
    let (what, to) = match dropped(rest) {
        Some(parts) => parts,
        None => {
            let clear = rest.find_last(&["onto", "to", "into"]);
            let beside = BESIDE
                .iter()
                .filter_map(|(word, side)| rest.find_last(&[word]).map(|at| (at, *side)))
                .find(|(at, _)| clear.is_none() && *at > 0 && at + 1 < rest.len());
            side = beside.map_or(DropSide::On, |(_, side)| side);
            let at = beside.map(|(at, _)| at).or(clear).or_else(|| rest.find_last(ONTO)).filter(|at| *at > 0);
            let Some(at) = at else {
                return Err(Misread::new(Verb::Drag, "it does not say where it is dragged to"));
            };
            let before = rest.until(at);
            // "on to" and "in to" are one word.
            let before =
                if rest.word(at) == "to" { before.without_end(&["on", "in", "over"]) } else { before };
            (before, rest.from(at + 1))
        }
    };
    let what = needed(what, Verb::Drag, nouns)?;
    if what.kind == Some(ElementKind::Slider)
        || what.words.iter().any(|word| word == "handle" || word == "thumb")
    {
        return slide(what, to);
    }
    let to = needed(to.without_front(&["top"]), Verb::Drag, nouns)?;
    if is_side(&to) {
        return Err(Misread::new(Verb::Drag, format!("`{}` is not an element to drag it to", to.said)));
    }
    Ok(vec![Act::Drag { what: without_box(what), to: without_box(to), side }])
}

/// A box that is dragged is no field to write in.
fn without_box(target: Target) -> Target {
    let is_box = target.kind == Some(ElementKind::Field) && target.said.to_lowercase().contains("box");
    Target { kind: target.kind.filter(|_| !is_box), ..target }
}

fn slide(slider: Target, to: Phrase<'_>) -> Acts {
    let plain = to.without_front(DETERMINERS).without_front(&["value", "position"]);
    match plain.tokens {
        [value] if value.is_value() => {
            Ok(vec![Act::Enter { target: Some(slider), text: value.text.clone() }])
        }
        _ => Err(Misread::new(Verb::Drag, format!("`{}` is not a value for a slider", to.text()))),
    }
}

/// "A and drop it on B".
fn dropped<'a>(rest: Phrase<'a>) -> Option<(Phrase<'a>, Phrase<'a>)> {
    let at = rest.find(&["and", ","])?;
    let drop = rest.from(at).without_front(&["and", ",", "then"]);
    if !is_drop_of_drag(drop) {
        return None;
    }
    let drop = drop
        .from(1)
        .without_front(&["it", "them"])
        .without_front(&["on", "onto", "in", "into", "to", "over"]);
    Some((rest.until(at), drop))
}

/// The second half of a drag, which is no clause of its own.
pub(crate) fn is_drop_of_drag(phrase: Phrase<'_>) -> bool {
    phrase.starts_any(&["drop", "drops", "release"])
        && (matches!(phrase.word(1), "it" | "them")
            || phrase.get(1).is_some_and(|token| token.is_any(&["on", "onto", "in", "into"])))
}

pub(super) fn scroll(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    if let Some(at) = rest.find(&["until", "till"]) {
        let claim = claims::single(rest.from(at + 1), nouns)
            .ok_or_else(|| Misread::new(Verb::Scroll, "it does not say clearly what to scroll to"))?;
        return Ok(vec![Act::Scroll { to: ScrollGoal::Until(Box::new(claim)) }]);
    }
    let rest = rest.without_front(&["the"]);
    let rest = if rest.starts_any(&["page", "window"]) { rest.from(1) } else { rest };
    let is_up = rest.starts_any(&["up", "upwards", "upward"]);
    let after = rest.without_front(&["up", "down", "upwards", "downwards", "upward", "downward"]);
    let after =
        if after.len() > 1 || after.has("to") { after.without_front(&["all", "the", "way"]) } else { after };
    let has_direction = after.len() < rest.len();
    let place = after.without_front(&["to", "until", "into", "towards"]);
    let plain = place.without_front(DETERMINERS).without_front(&["very"]);
    let is_whole = |from: usize| {
        let of = plain.from(from);
        of.is_empty() || of.starts_any(&["of"]) && of.without_front(&["of", "the"]).is(&["page"])
    };
    if plain.is_empty() && has_direction || plain.is(&["page"]) {
        return Ok(vec![Act::Scroll { to: if is_up { ScrollGoal::Up } else { ScrollGoal::Down } }]);
    }
    if plain.starts_any(&["bottom", "end"]) && is_whole(1) {
        return Ok(vec![Act::Scroll { to: ScrollGoal::Bottom }]);
    }
    if plain.starts_any(&["top", "beginning", "start"]) && is_whole(1) {
        return Ok(vec![Act::Scroll { to: ScrollGoal::Top }]);
    }
    if after.starts_any(&["to"]) && matches!(after.word(1), "see" | "find" | "view") {
        let target = needed(after.from(2), Verb::Scroll, nouns)?;
        return Ok(vec![Act::Scroll { to: ScrollGoal::To(target) }]);
    }
    if let Some(at) = place.find_last(&["into"]).filter(|at| place.word(at + 1) == "view") {
        let target = needed(place.until(at), Verb::Scroll, nouns)?;
        return Ok(vec![Act::Scroll { to: ScrollGoal::To(target) }]);
    }
    if !after.starts_any(&["to", "into", "towards"]) {
        return Err(Misread::new(Verb::Scroll, format!("`{}` is not a place to scroll to", after.text())));
    }
    Ok(vec![Act::Scroll { to: ScrollGoal::To(needed(place, Verb::Scroll, nouns)?) }])
}
