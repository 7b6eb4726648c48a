//! The quoted names of a claim, which count as they are written.

use crate::ground::lines::{drawn_line, read_line};
use crate::ground::view::View;
use crate::ground::words::{fold, run_at, spaced, words_of};
use crate::{About, Matcher, MatcherRole, Piece, Target, TextRole};

/// A quoted name that the page has nowhere as it is written: in another case, or with other words beside it that a search
/// passes over.
pub(super) fn not_on_the_page(view: &View, about: &About) -> Option<String> {
    let mut names = Vec::new();
    about.visit(&mut |piece| match piece {
        Piece::Target(target, _) => of_target(target, &mut names),
        Piece::MaybeTarget(Some(target), _) => of_target(target, &mut names),
        Piece::Text(text, TextRole::Name)
            // These name what is beside the page, or a column in the author's own words.
            if !matches!(
                about,
                About::Page { .. } | About::Cell { .. } | About::Marked { .. } | About::Sorted { .. } | About::Download { .. }
            ) =>
        {
            names.push(text.clone());
        }
        Piece::Matcher(matcher, role) if role != MatcherRole::Address => names.extend(text_of(matcher)),
        _ => {}
    });
    names.into_iter().find(|name| !is_shown(view, &spaced(name)))
}

fn of_target(target: &Target, names: &mut Vec<String>) {
    names.extend(target.quoted.clone());
    names.extend(target.text.as_ref().and_then(text_of));
    for relation in &target.relations {
        of_target(&relation.to, names);
    }
}

fn text_of(matcher: &Matcher) -> Option<String> {
    match matcher {
        Matcher::Contains(text)
        | Matcher::Equals(text)
        | Matcher::StartsWith(text)
        | Matcher::EndsWith(text) => Some(text.clone()),
        _ => None,
    }
}

/// Whether a text or a name has these words in it, one after the other.
pub(super) fn shows_words(view: &View, said: &str) -> bool {
    let words = words_of(said);
    let has = |text: &str| match words.is_empty() {
        true => fold(text).contains(&fold(said)),
        false => run_at(&words, &words_of(text)).is_some(),
    };
    let of_node = |at: usize| {
        let node = view.node(at);
        has(&node.name)
            || node.value.as_deref().is_some_and(has)
            || node.options.iter().any(|option| has(option))
            || has(view.text(at))
    };
    view.all().any(of_node)
}

/// Whether a name stands in any text that it can be found by, as it is written or as it is drawn. The texts that are put
/// together from several nodes come last.
fn is_shown(view: &View, exact: &str) -> bool {
    let has = |text: &str| spaced(text).contains(exact);
    let of_node = |at: usize| {
        let node = view.node(at);
        has(&node.name)
            || node.value.as_deref().is_some_and(has)
            || node.options.iter().any(|option| has(option))
            || node.attributes.values().any(|value| has(value))
            || node.attribute("transform").is_some() && has(&drawn_line(view, &[at]))
    };
    has(&view.scene.title)
        || view.scene.dialog.as_ref().is_some_and(|dialog| has(&dialog.message))
        || view.all().any(of_node)
        || view.all().any(|at| has(view.text(at)))
        || has(&read_line(view, &view.pieces(view.all(), false)))
}
