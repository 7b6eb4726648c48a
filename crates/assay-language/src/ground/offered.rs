//! Whether a page lacks what an act names exactly: the evidence that the page is at fault, and not the sentence.

use assay_protocol::Scene;

use crate::synonyms::variants;
use crate::{Act, LastAct, Nearness, StateWord};

use super::kinds::is_marked_as;
use super::marks::stands;
use super::opened::{is_nameless_menu, opened_menu};
use super::view::View;
use super::words::{fold, identifier_words, same_word, words_of};

/// Why the page cannot do what the act asks for; none where the thing may be there in another way.
pub fn lacks(act: &Act, scene: &Scene, acted: Option<&LastAct>) -> Option<String> {
    let view = View::new(scene);
    let is_blank = !view.all().any(|at| view.node(at).role == "text" || view.is_control(at));
    if scene.truncated || scene.dialog.is_some() || scene.due_ms > 0 || is_blank {
        return None;
    }
    // What the application calls it is not known.
    if matches!(act, Act::Perform(_)) {
        return None;
    }
    if let Some(evidence) = not_in_menu(act, &view, acted) {
        return Some(evidence);
    }
    act.targets().into_iter().find_map(|target| {
        let name = target.quoted.as_deref()?;
        let off = target.relations.is_empty().then(|| disabled(&view, name)).flatten();
        off.or_else(|| {
            let is_nowhere = !view.all().any(|at| is_like(&view, at, name)) && !hides_something(&view);
            is_nowhere.then(|| format!("nothing on the page is called \"{name}\", or anything like it"))
        })
    })
}

/// `Click "Export" in the menu`: the one that the last act has opened offers other things.
fn not_in_menu(act: &Act, view: &View, acted: Option<&LastAct>) -> Option<String> {
    let name = match act {
        Act::Choose { options, from: Some(from) } if is_nameless_menu(from) => options.first()?,
        Act::Click { target, .. } => {
            let [place] = target.relations.as_slice() else { return None };
            target.quoted.as_ref().filter(|_| place.how == Nearness::Inside && is_nameless_menu(&place.to))?
        }
        _ => return None,
    };
    let menu = opened_menu(view, acted?)?;
    let hides = view.inside(menu).any(|at| may_hide(view, at));
    let is_there = view.inside(menu).any(|at| is_like(view, at, name));
    let offered: Vec<String> = view
        .inside(menu)
        .filter(|at| view.is_control(*at))
        .map(|at| format!("\"{}\"", view.text(at).trim()))
        .collect();
    (!hides && !is_there).then(|| format!("the menu offers {}, not \"{name}\"", offered.join(", ")))
}

/// What bears the very name is there, and is marked as disabled.
fn disabled(view: &View, name: &str) -> Option<String> {
    let is_called = |at: usize| {
        let node = view.node(at);
        [view.text(at), node.name.as_str(), node.attribute("title").unwrap_or_default()]
            .into_iter()
            .any(|own| fold(own) == fold(name))
    };
    let called: Vec<usize> = view.all().filter(|at| is_called(*at)).collect();
    let is_off = |at: usize| {
        std::iter::once(at).chain(view.scene.ancestors(at).take(2)).filter(|around| is_called(*around)).any(
            |around| {
                stands(view, around, StateWord::Disabled) == Some(true)
                    || is_marked_as(view, around, &["disabled"])
            },
        )
    };
    let all_off = !called.is_empty() && called.iter().all(|at| is_off(*at));
    all_off.then(|| format!("\"{name}\" is disabled"))
}

/// Whether something could be called so: it shares a word with the name, or with another word for it.
fn is_like(view: &View, at: usize, name: &str) -> bool {
    let node = view.node(at);
    let mut have = words_of(&node.name);
    have.extend(words_of(view.text(at)).into_iter().filter(|_| !view.has_children(at)));
    have.extend(node.value.iter().flat_map(|value| words_of(value)));
    have.extend(node.options.iter().flat_map(|option| words_of(option)));
    for attribute in ["label", "placeholder", "title", "alt"] {
        have.extend(node.attribute(attribute).map(words_of).unwrap_or_default());
    }
    if view.is_control(at) {
        for attribute in ["id", "name", "testid", "class", "href", "icon"] {
            have.extend(node.attribute(attribute).map(identifier_words).unwrap_or_default());
        }
    }
    let wanted = words_of(name);
    let ways = variants(&wanted);
    let shares = |word: &String| have.iter().any(|other| same_word(word, other) || is_form_of(word, other));
    wanted.is_empty() || ways.iter().any(|way| way.words.iter().any(shares))
}

/// "Deletion" and "deleted" are forms of "delete".
fn is_form_of(one: &str, other: &str) -> bool {
    const LETTERS: usize = 5;
    one.len() >= LETTERS
        && other.len() >= LETTERS
        && one.bytes().take(LETTERS).eq(other.bytes().take(LETTERS))
}

/// An icon without a name may be what is meant, and a closed menu may hold it.
fn hides_something(view: &View) -> bool {
    view.all().any(|at| may_hide(view, at))
}

fn may_hide(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let is_drawn =
        node.role == "canvas" || node.role == "image" && node.name.is_empty() && node.is("clickable");
    let says_something =
        |part: usize| ["title", "alt", "icon"].iter().any(|name| view.node(part).attribute(name).is_some());
    let is_nameless = matches!(node.role.as_str(), "button" | "link" | "clickable" | "menuitem" | "tab")
        && node.name.trim().is_empty()
        && view.text(at).trim().is_empty()
        && !std::iter::once(at).chain(view.inside(at)).any(says_something);
    let is_closed = node.is("collapsed")
        || node.attribute("haspopup").is_some_and(|kind| kind != "false") && !node.is("expanded");
    is_drawn || is_nameless || is_closed && !view.is_editable(at)
}
