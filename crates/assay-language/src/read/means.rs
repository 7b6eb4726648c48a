//! What an act is done with: "by clicking the icon", "with the check mark".

use crate::{Act, ClickKind, ElementKind, Intent, Nearness, Relation, Target};

use super::acts::Misread;
use super::acts::verbs::{self, Verb};
use super::lexicon::inflection::Inflection;
use super::noun::Nouns;
use super::phrase::Phrase;

/// "Open the cart by clicking the icon": the aim, and the click that is done.
pub(crate) fn by_doing(rest: Phrase<'_>) -> Option<(Phrase<'_>, Phrase<'_>)> {
    let at = rest.find_last(&["by"]).filter(|at| *at > 0)?;
    let doing = rest.from(at + 1);
    let is_act =
        verbs::verb(&rest.words()).is_some_and(|found| !matches!(found.verb, Verb::Verify | Verb::Wait));
    let is_gerund = verbs::verb(&doing.words()).is_some_and(|found| found.form == Inflection::Gerund);
    (is_act && is_gerund).then_some((rest.until(at), doing))
}

/// "Remove the lamp by clicking the x button": of several x buttons, the one that stands with the lamp.
pub(crate) fn aimed(
    mut own: Vec<Intent>,
    aim: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Result<Vec<Intent>, Misread> {
    let Some(found) = verbs::verb(&aim.words()) else { return Ok(own) };
    let object = aim.from(found.length).trimmed().without_front(&["into", "to"]);
    // "Add a new task by …": nothing that is there already.
    if object.is_empty() || object.starts_any(&["a", "an", "another"]) {
        return Ok(own);
    }
    let Some(about) = nouns.target(object) else {
        let why = format!("`{}` is not the name of one thing; leave it out", object.text());
        return Err(Misread::new(found.verb, why));
    };
    let is_one_of_many = about.kind.is_none_or(ElementKind::is_entry);
    let is_picked = found.verb == Verb::Delete || found.verb == Verb::Named;
    let is_pointed_at = about.quoted.is_some() || about.ordinal.is_some();
    if !is_one_of_many || !(is_picked || is_pointed_at) {
        return Ok(own);
    }
    let is_same = |target: &Target| target.quoted == about.quoted && target.words == about.words;
    match own.as_mut_slice() {
        [Intent::Act(Act::Click { target, .. })] if is_same(target) => {}
        [Intent::Act(Act::Click { target, .. })] if target.relations.is_empty() => {
            target.relations.push(Relation { how: Nearness::SameRow, to: about });
        }
        _ => {
            let why = format!("say where it is done, such as `in the row of {}`", object.text());
            return Err(Misread::new(found.verb, why));
        }
    }
    Ok(own)
}

/// "Save the note with the check mark": the control that does it.
pub(crate) fn with_control(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Act> {
    /// Pictures that are pressed.
    const DRAWN: &[&str] = &["tick", "mark", "checkmark"];
    /// Verbs that name an aim and not a way to reach it.
    const AIMS: &[&str] = &["save", "confirm", "submit", "apply"];
    let at = rest.find_last(&["with", "using", "via"]).filter(|at| *at > 1)?;
    let (aim, means) = (rest.until(at), rest.from(at + 1));
    let is_aim = aim.starts_any(AIMS) && !aim.has_quoted() && means.starts_any(&["the", "its"]);
    let target = nouns.target(means.without_front(&["its"])).filter(|_| is_aim)?;
    let is_drawn =
        target.kind.is_none() && target.words.last().is_some_and(|last| DRAWN.contains(&last.as_str()));
    let is_pressed = matches!(target.kind, Some(ElementKind::Button | ElementKind::Icon));
    // "The page links" are several.
    let is_one = !means.tokens.iter().any(|token| token.is_any(&["links", "buttons", "icons", "arrows"]));
    (is_one && (is_drawn || is_pressed)).then_some(Act::Click { target, how: ClickKind::Single })
}
