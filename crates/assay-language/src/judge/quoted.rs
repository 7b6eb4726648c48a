//! The quoted names of a claim, which count as they are written.

use crate::ground::lines::drawn_line;
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
            if !matches!(about, About::Page { .. } | About::Cell { .. } | About::Sorted { .. }) =>
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
    if names.is_empty() {
        return None;
    }
    let shown = shown_texts(view);
    names.into_iter().find(|name| {
        let exact = spaced(name);
        !shown.iter().any(|text| spaced(text).contains(&exact))
    })
}

fn of_target(target: &Target, names: &mut Vec<String>) {
    names.extend(target.quoted.clone());
    for relation in &target.relations {
        of_target(&relation.to, names);
    }
}

/// Every text that a name can be found by, as it is written and as it is drawn.
fn shown_texts(view: &View) -> Vec<String> {
    let mut shown = vec![
        view.scene.title.clone(),
        view.pieces(0..view.all().end, false)
            .iter()
            .map(|at| view.node(*at).name.as_str())
            .collect::<Vec<_>>()
            .join(" "),
    ];
    shown.extend(view.scene.dialog.iter().map(|dialog| dialog.message.clone()));
    for at in view.all() {
        let node = view.node(at);
        shown.push(node.name.clone());
        shown.push(view.text(at).to_string());
        shown.extend(node.value.clone());
        shown.extend(node.options.iter().cloned());
        shown.extend(node.attributes.values().cloned());
        if node.attribute("transform").is_some() {
            shown.push(drawn_line(view, &[at]));
        }
    }
    shown
}
