//! Whether two scenes are one screen with other data, or two screens.

use std::collections::BTreeSet;

use assay_protocol::Scene;

use crate::address::{common_pattern, is_slug, numbered_word, pattern_of, resolved};
use crate::features::{Features, Spot, spots};

/// From here on two scenes are of one template.
const ONE_TEMPLATE: f64 = 0.72;
/// From here on two scenes are of one kind, if their addresses are one word with two numbers.
const NUMBERED: f64 = 0.3;
/// Below this, a scene with the same heading at the same address is another one all the same.
const NOTHING_ALIKE: f64 = 0.2;

/// How much two scenes have in common, from 0 to 1: labels count twice as much as structure.
pub(crate) fn likeness(one: &Features, other: &Features) -> f64 {
    let structure = share(&one.structure, &other.structure);
    if one.labels.is_empty() && other.labels.is_empty() {
        return structure;
    }
    (structure + 2.0 * share(&one.labels, &other.labels)) / 3.0
}

fn share(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let both = one.intersection(other).count();
    let either = one.union(other).count();
    if either == 0 { 1.0 } else { both as f64 / either as f64 }
}

/// Two scenes whose addresses have the same pattern.
pub(crate) fn is_same_at_one_address(one: &Features, other: &Features) -> bool {
    if one.has_password != other.has_password || one.dialog != other.dialog {
        return false;
    }
    let alike = likeness(one, other);
    match (&one.heading, &other.heading) {
        (Some(first), Some(second)) if first == second => alike >= NOTHING_ALIKE,
        _ => alike >= ONE_TEMPLATE - 0.2,
    }
}

/// A scene of which a screen shows another part or state at the same address: a tab, a view.
pub(crate) fn is_other_view(before: &Features, after: &Features) -> bool {
    likeness(before, after) < ONE_TEMPLATE
}

/// What the lists and tables of a page hold.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entries {
    /// Where their links lead.
    pub links: Vec<String>,
    /// How much they say, and how much the rest of the content says.
    pub letters: usize,
    pub letters_around: usize,
}

impl Entries {
    pub fn of(scene: &Scene) -> Entries {
        let mut entries = Entries::default();
        for (node, spot) in scene.nodes.iter().zip(spots(scene)) {
            if !matches!(node.role.as_str(), "text" | "link") {
                continue;
            }
            let letters = node.name.chars().count();
            match spot {
                Spot::Chrome => {}
                Spot::Content => entries.letters_around += letters,
                Spot::Entry => {
                    entries.letters += letters;
                    entries.links.extend(node.attribute("href").and_then(|href| resolved(&scene.url, href)));
                }
            }
        }
        entries
    }
}

/// What is known of one of two addresses that may be two things of one kind.
#[derive(Debug, Clone)]
pub(crate) struct Sibling<'a> {
    pub address: &'a str,
    /// The screen whose menu leads there: somebody named it.
    pub menu: Option<usize>,
    /// Addresses that the page links to.
    pub links: &'a [String],
    pub entries: &'a Entries,
}

/// Whether two addresses that differ in one segment are two things of one kind, such as `/wiki/Apple` and `/wiki/Pear`,
/// and not two lists of one template, such as `/admin/users` and `/admin/groups`.
pub(crate) fn are_things_of_one_kind(
    one: (&Sibling<'_>, &Features),
    other: (&Sibling<'_>, &Features),
    siblings: usize,
) -> bool {
    const MANY: usize = 8;
    let ((first, features), (second, others)) = (one, other);
    let alike = likeness(features, others);
    let Some((left, right)) = differing_segments(first.address, second.address) else { return false };
    let words = (numbered_word(&left), numbered_word(&right));
    // `/bug1` and `/bug2`: no menu has things by their numbers.
    if let (Some(word), Some(other)) = words {
        let is_in_menu = first.menu.is_some() && first.menu == second.menu;
        let is_one_form = features.has_password == others.has_password && features.dialog == others.dialog;
        return word == other && !is_in_menu && is_one_form && alike >= NUMBERED;
    }
    if features.has_password || others.has_password || alike < ONE_TEMPLATE {
        return false;
    }
    let look_like_names = is_slug(&left) && is_slug(&right);
    // Two entries of one menu are two screens, whatever they look like.
    if first.menu.is_some() && first.menu == second.menu && !(look_like_names && siblings >= MANY) {
        return false;
    }
    // A list of the things is none of them, although it stands among them: `/wiki/RecentChanges`.
    if lists_its_neighbours(first, second) || lists_its_neighbours(second, first) {
        return false;
    }
    // A list has pages of its own below its address; things of one kind have the same ones.
    if !below_is_alike(first, second) {
        return false;
    }
    // Things of one kind have the same labels, whatever they are called.
    let own = |features: &Features, name: &str| -> BTreeSet<String> {
        features.labels.iter().map(|label| without(label, name)).collect()
    };
    let (ours, theirs) = (own(features, &left), own(others, &right));
    if share(&ours, &theirs) < 0.8 {
        return false;
    }
    // A word may name a screen. That it names a thing, the page must show by what it has in common with the other.
    const PROOF: usize = 2;
    let is_in_menu = first.menu.is_some() || second.menu.is_some();
    let says_kind = names_its_kind(first.address, features) && names_its_kind(second.address, others);
    let is_proved = says_kind || ours.intersection(&theirs).count() >= PROOF;
    look_like_names || (siblings >= 2 && !is_in_menu && is_proved)
}

/// Whether the heading is made of the last two segments of the address: `/zoo/animal/ant` says "animal: ant".
fn names_its_kind(address: &str, features: &Features) -> bool {
    let pattern = pattern_of(address);
    let path = pattern.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/').to_lowercase();
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
        parts.map(|part| part.to_lowercase().trim_end_matches('s').to_string()).collect()
    };
    let mut segments = path.rsplit('/');
    let (Some(thing), Some(kind)) = (segments.next(), segments.next()) else { return false };
    let (thing, kind) = (words(thing), words(kind));
    let heading = features.heading.as_deref().map(words).unwrap_or_default();
    !kind.is_empty() && !thing.is_empty() && heading == [kind, thing].concat()
}

/// The one segment by which two addresses differ, ids aside.
fn differing_segments(one: &str, other: &str) -> Option<(String, String)> {
    let (one, other) = (pattern_of(one), pattern_of(other));
    let path = |pattern: &str| -> Vec<String> {
        let end = if pattern.contains("#/") { None } else { pattern.find(['?', '#']) };
        pattern[..end.unwrap_or(pattern.len())].trim_end_matches('/').split('/').map(str::to_string).collect()
    };
    let (first, second) = (path(&one), path(&other));
    let mut differing = first.iter().zip(&second).filter(|(left, right)| left != right);
    let (left, right) = differing.next()?;
    (first.len() == second.len() && differing.next().is_none()).then(|| (left.clone(), right.clone()))
}

/// Whether a page is little more than a list of addresses beside its own. What both pages list in one order is a menu.
fn lists_its_neighbours(page: &Sibling<'_>, other: &Sibling<'_>) -> bool {
    const MANY: usize = 8;
    if page.entries.letters_around * 2 > page.entries.letters {
        return false;
    }
    let only_path = |address: &str| pattern_of(address).split('?').next().unwrap_or_default().to_string();
    let (own, theirs) = (only_path(page.address), only_path(other.address));
    let listed = |page: &Sibling<'_>| -> Vec<String> {
        page.entries.links.iter().map(|link| only_path(link)).collect()
    };
    let is_neighbour = |link: &&String| **link == own || common_pattern(&own, link).is_some();
    // The own entry of a page may be no link there.
    let is_third = |link: &&String| **link != own && **link != theirs;
    let (ours, others) = (listed(page), listed(other));
    let neighbours = ours.iter().filter(is_neighbour).count();
    let different: BTreeSet<&String> = ours.iter().filter(is_neighbour).collect();
    different.len() >= MANY
        && neighbours * 10 >= ours.len() * 9
        && !ours.iter().filter(is_third).eq(others.iter().filter(is_third))
}

/// Whether what two pages link to below their own addresses does not speak against one kind.
fn below_is_alike(one: &Sibling<'_>, other: &Sibling<'_>) -> bool {
    let (first, second) = (below(one), below(other));
    (first.is_empty() && second.is_empty()) || share(&first, &second) >= 0.5
}

/// The names of pages whose addresses continue the own one, without those that any page may have.
fn below(page: &Sibling<'_>) -> BTreeSet<String> {
    const WORDS: &[&str] =
        &["edit", "history", "new", "add", "settings", "comments", "delete", "info", "details"];
    let only_path = |address: &str| -> String {
        let pattern = pattern_of(address);
        pattern.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/').to_string()
    };
    let own = only_path(page.address);
    page.links
        .iter()
        .filter_map(|link| only_path(link).strip_prefix(own.as_str())?.strip_prefix('/').map(str::to_string))
        .map(|rest| rest.split('/').next().unwrap_or_default().to_string())
        .filter(|name| !name.is_empty() && !WORDS.contains(&name.as_str()))
        // Things below the one are not those below the other.
        .map(|name| if name.contains('{') { format!("{name} {own}") } else { name })
        .collect()
}

fn without(label: &str, name: &str) -> String {
    let words: Vec<String> = name.to_lowercase().split(['-', '_', '+', ' ']).map(str::to_string).collect();
    label.split(' ').filter(|word| !words.contains(&word.to_lowercase())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::testing::scene;

    const ARTICLE: &str =
        "main\n h1 Apple\n link /wiki/Apple/edit Edit\n button Watch\n text An apple is a fruit";
    const OTHER: &str = "main\n h1 Pear\n link /wiki/Pear/edit Edit\n button Watch\n text A pear is no apple";

    #[track_caller]
    fn check(one: (&str, &str), other: (&str, &str), is_in_menu: bool, expected: bool) {
        let links = |lines: &str| -> Vec<String> {
            lines.split_whitespace().filter(|word| word.starts_with('/')).map(str::to_string).collect()
        };
        let (first, second) = (links(one.1), links(other.1));
        let features = |(url, lines): (&str, &str)| Features::of(&scene(url, "", lines));
        let menu = is_in_menu.then_some(0);
        let entries = |(url, lines): (&str, &str)| Entries::of(&scene(&format!("http://a{url}"), "", lines));
        let (ours, theirs) = (entries(one), entries(other));
        let left = Sibling { address: one.0, menu, links: &first, entries: &ours };
        let right = Sibling { address: other.0, menu, links: &second, entries: &theirs };
        assert_eq!(are_things_of_one_kind((&left, &features(one)), (&right, &features(other)), 2), expected);
    }

    #[test]
    fn articles_are_one_screen_and_lists_are_two() {
        check(("/wiki/Apple", ARTICLE), ("/wiki/Pear", OTHER), false, true);
        check(
            ("/admin/users/", "h1 Users\ntable\n row\n  columnheader Name\n row\n  link /admin/users/1 Ann"),
            (
                "/admin/groups/",
                "h1 Groups\ntable\n row\n  columnheader Name\n row\n  link /admin/groups/1 Staff",
            ),
            false,
            false,
        );
        check(("/help/start", "h1 Start\ntext x"), ("/help/end", "h1 End\ntext y"), true, false);
        // Pages with little on them are not one kind because neither has much.
        check(("/gallery/tides", "h1 Tides\ntext x"), ("/gallery/berths", "h1 Berths\ntext y"), false, false);
        check(
            ("/orders/2", "h1 Order\nbutton Print\nbutton Watch\nregion Notes"),
            ("/offers/1", "h1 Offer\nbutton Print\nbutton Watch\nregion Notes"),
            true,
            false,
        );
        // A word with a number is a thing, whatever more its page has; another word is another kind.
        let more = "h1 Bug 2\nbutton Print\ntable\n row\n  columnheader Author\n  columnheader Date";
        check(("/bug1", "h1 Bug 1\nbutton Print"), ("/bug2", more), false, true);
        check(("/bug1", "h1 Bug 1\nbutton Print"), ("/bug2", more), true, false);
        check(("/bug1", ARTICLE), ("/task1", OTHER), false, false);
        // What stands below two things has the same names.
        check(
            ("/projects/boats", "h1 Boats\nregion Members\nregion News\nlink /projects/boats/issues Issues"),
            ("/projects/ropes", "h1 Ropes\nregion Members\nregion News\nlink /projects/ropes/issues Issues"),
            false,
            true,
        );
        check(
            ("/settings/profile", "h1 Profile\ntextbox Name\nbutton Save"),
            ("/settings/billing", "h1 Billing\ntextbox Card\nbutton Save"),
            false,
            false,
        );
    }

    #[test]
    fn a_list_of_things_is_none_of_them() {
        let list = |around: &str| -> String {
            let entry = |number: usize| format!(" listitem\n  link /wiki/Page{number} A page with a name\n");
            format!("button Watch\nregion About\n{around}\nlist\n{}", (0..12).map(entry).collect::<String>())
        };
        let thing = ("/wiki/Pear", "button Watch\nregion About\ntext A pear is no apple");
        check(("/wiki/RecentChanges", &list("")), thing, false, false);
        check(thing, ("/wiki/RecentChanges", &list("")), false, false);
        // A page that says more than it lists is a page.
        let says = format!("text {}", "It says a lot of pages. ".repeat(20));
        check(("/wiki/Guide", &list(&says)), thing, false, true);
        // Two lists in another order.
        let backwards: Vec<String> = list("").lines().map(str::to_string).collect();
        let (front, entries) = backwards.split_at(backwards.len() - 24);
        let turned: Vec<&str> = entries.chunks(2).rev().flatten().map(String::as_str).collect();
        let turned = format!("{}\n{}", front.join("\n"), turned.join("\n"));
        check(("/wiki/RecentChanges", &list("")), ("/wiki/TitleIndex", &turned), false, false);
        // What both list in one order is a menu.
        check(("/wiki/Guide", &list("")), ("/wiki/Manual", &list("")), false, true);
    }

    #[test]
    fn a_form_with_a_password_is_another_screen_than_what_it_hides() {
        let page = Features::of(&scene("/orders", "", "h1 Shop\ntable\n row\n  columnheader Total"));
        let wall =
            Features::of(&scene("/orders", "", "h1 Shop\nform\n textbox Email\n password\n button Log in"));
        assert!(!is_same_at_one_address(&page, &wall));
        assert!(is_same_at_one_address(&page, &page.clone()));
    }
}
