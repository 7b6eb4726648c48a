//! "The file list", "the table of variables": the only collection of a page that is about these things.

use crate::{ElementKind, Target};

use super::find::Candidate;
use super::view::View;
use super::words::{all_among, words_of};

/// The only list or table of a page, where the page or the part around it is about what the words name. No other thing
/// is called so.
pub(super) fn only_collection(view: &View, target: &Target) -> Option<Candidate> {
    let is_meant = matches!(target.kind, Some(ElementKind::List | ElementKind::Table))
        && target.quoted.is_none()
        && !target.words.is_empty()
        && target.ordinal.is_none()
        && target.state.is_none();
    if !is_meant {
        return None;
    }
    let collections: Vec<usize> = view.all().filter(|at| is_collection(view, *at)).collect();
    let outer = |at: &&usize| !view.scene.ancestors(**at).any(|around| collections.contains(&around));
    let mut outermost = collections.iter().filter(outer);
    let only = *outermost.next().filter(|_| outermost.next().is_none())?;
    let mut about = words_of(&view.scene.title);
    about.extend(words_of(view.scene.url.split(['?', '#']).next().unwrap_or_default()));
    for at in view.all().filter(|at| view.node(*at).role == "heading") {
        about.extend(words_of(view.text(at)));
    }
    for around in view.scene.ancestors(only) {
        about.extend(words_of(&view.node(around).name));
    }
    let because = format!("it is the only list, and the page is about {}", target.words.join(" "));
    all_among(&target.words, &about)
        .then(|| Candidate { exact: false, ..Candidate::sure(only, 0.8, because) })
}

/// A list or a table with entries, and not one of links that lead about.
fn is_collection(view: &View, at: usize) -> bool {
    const LEADING: &[&str] =
        &["navigation", "banner", "contentinfo", "complementary", "menu", "menubar", "tablist"];
    let is_kind = matches!(view.node(at).role.as_str(), "list" | "table" | "grid" | "treegrid");
    let leads = view.scene.ancestors(at).any(|around| LEADING.contains(&view.node(around).role.as_str()));
    is_kind && !leads && view.inside(at).any(|inner| view.is_entry(inner))
}
