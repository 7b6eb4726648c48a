//! The quoted names of a claim, which count as they are written.

use crate::ground::lines::{drawn_line, read_line};
use crate::ground::view::View;
use crate::ground::words::spaced;
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
                About::Page { .. } | About::Cell { .. } | About::Sorted { .. } | About::Download { .. }
            ) =>
        {
            names.push(text.clone());
        }
        Piece::Matcher(Matcher::Contains(text) | Matcher::Equals(text), role)
            if role != MatcherRole::Address =>
        {
            names.push(text.clone());
        }
        _ => {}
    });
    names.into_iter().find(|name| !is_shown(view, &spaced(name)))
}

fn of_target(target: &Target, names: &mut Vec<String>) {
    names.extend(target.quoted.clone());
    for relation in &target.relations {
        of_target(&relation.to, names);
    }
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
