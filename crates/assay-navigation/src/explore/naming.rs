//! Names for screens that were found: the heading, else the title without the site's name, else the label that led there.

use std::collections::{HashMap, HashSet};

use assay_protocol::in_one_line;

use super::found::{Found, Part, Sample};
use super::path_part;
use crate::address::{path_of, pattern_of, resolved};

/// Longer texts are no names.
const LONGEST: usize = 60;
/// Pages that must share a heading before it is none of their own.
const FEW: usize = 3;
const SEPARATORS: &[&str] = &[" - ", " | ", " · ", " — ", " – ", " :: ", " » ", " • ", " / "];

/// What is known of all screens together.
pub(super) struct Naming {
    /// Headings that stand on many screens name the site.
    site_headings: HashSet<String>,
    /// Parts of titles that many screens share.
    site_titles: HashSet<String>,
    /// Headings of several screens: none of them is called so.
    shared_headings: HashSet<String>,
    /// How many screens have a part of a title.
    title_counts: HashMap<String, usize>,
    /// Paths of things whose headings have nothing in common but data.
    named_by_data: HashSet<String>,
}

impl Naming {
    pub fn of(screens: &[Found]) -> Naming {
        let pages: Vec<&Found> = screens.iter().filter(|found| found.part.is_none()).collect();
        let mut headings: HashMap<String, (usize, HashSet<&str>)> = HashMap::new();
        let mut titles: HashMap<String, usize> = HashMap::new();
        for found in &pages {
            let sample = &found.samples[0];
            if let Some(heading) = &sample.features.heading {
                let known = headings.entry(in_one_line(heading)).or_default();
                known.0 += 1;
                known.1.insert(&sample.scene.title);
            }
            let parts: HashSet<String> = parts_of(&sample.scene.title).into_iter().collect();
            for part in parts {
                *titles.entry(part).or_default() += 1;
            }
        }
        let many = (pages.len() * 2).div_ceil(5).max(3);
        // Pages that say the same, while their titles tell them apart, name a part of the site.
        let is_of_site = |(count, titles): &(usize, HashSet<&str>)| {
            *count >= many || (*count >= FEW && titles.len() * 3 >= count * 2)
        };
        // Views of one page at the same path, such as the page as a popup, leave its heading to it.
        let mut paths: HashMap<String, HashSet<&str>> = HashMap::new();
        for found in &pages {
            if let Some(heading) = &found.samples[0].features.heading {
                paths.entry(in_one_line(heading)).or_default().insert(path_part(&found.pattern));
            }
        }
        let is_shared = |text: &String| paths.get(text).is_some_and(|paths| paths.len() > 1);
        let shared_headings = headings.keys().filter(|text| is_shared(text)).cloned().collect();
        let least = (pages.len() / 2).max(2);
        let mut naming = Naming {
            shared_headings,
            site_headings: headings
                .into_iter()
                .filter(|(_, known)| is_of_site(known))
                .map(|(text, _)| text)
                .collect(),
            site_titles: titles
                .iter()
                .filter(|(_, count)| **count >= least)
                .map(|(text, _)| text.clone())
                .collect(),
            title_counts: titles,
            named_by_data: HashSet::new(),
        };
        let is_of_many = |found: &&&Found| found.samples.len() > 1 && found.pattern.contains('{');
        naming.named_by_data = pages
            .iter()
            .filter(is_of_many)
            .filter(|found| naming.heading(found).is_none())
            .map(|found| path_part(&found.pattern).to_string())
            .collect();
        naming
    }

    /// The heading by which a screen is recognised, with `*` for data; nothing where it says nothing of the screen.
    pub fn heading(&self, found: &Found) -> Option<String> {
        let mut headings =
            found.samples.iter().map(|sample| sample.features.heading.as_deref().map(in_one_line));
        let first = headings.next()??;
        if self.site_headings.contains(&first) || first.is_empty() || first.chars().count() > 2 * LONGEST {
            return None;
        }
        let mut common = first.clone();
        let mut others = 0;
        for heading in headings {
            common = glob_of(&common, &heading?)?;
            others += 1;
        }
        // What stands behind an id in an address names the screen again: `/orders/{id}/lines`.
        let path = path_part(&found.pattern);
        let is_data = path.trim_end_matches('/').rsplit('/').next().is_some_and(|last| last.contains('{'));
        if others == 0 && self.named_by_data.contains(path) {
            return None;
        }
        if is_data && others == 0 {
            // Only one is known: what its address says is data, and so are numbers.
            common = without_data(&first, &found.samples[0].address)?;
        } else if first.chars().any(|letter| letter.is_ascii_digit() || letter == '@') && others == 0 {
            common = without_numbers(&first);
        }
        if others == 0 && path.contains('{') && !is_data {
            common = without_thing(&common, &found.samples[0]);
        }
        let fixed = common.replace('*', "");
        if common.contains('*') && self.site_titles.iter().any(|site| site.contains(fixed.trim())) {
            return None;
        }
        (fixed.chars().filter(|letter| letter.is_alphabetic()).count() >= 2).then_some(common)
    }

    /// The title without the site's name.
    pub fn title(&self, found: &Found) -> Option<String> {
        let parts = parts_of(&found.samples[0].scene.title);
        if parts.len() == 1 && self.site_titles.contains(&parts[0]) {
            return None;
        }
        // `Help - Budgets - Bakery`: what few pages say names the page.
        let is_own = |part: &String| !self.site_titles.contains(part) && !part.is_empty();
        parts
            .into_iter()
            .filter(is_own)
            .min_by_key(|part| self.title_counts.get(part).copied().unwrap_or_default())
    }

    /// Whether a heading is the title with the name of the site: `Bakery Balance sheet` for `Balance sheet - Bakery`.
    fn is_title_of_site(&self, heading: &str, title: Option<&str>) -> bool {
        title.is_some_and(|title| heading != title && heading.contains(title))
            && self.site_titles.iter().any(|site| heading.contains(site.as_str()))
    }

    pub fn name(&self, found: &Found, taken: &HashSet<String>) -> String {
        let is_data = found.pattern.contains('{');
        let heading = self.heading(found).map(|heading| named_by(&heading));
        let label = in_one_line(&found.label);
        let candidates: Vec<Option<String>> = match &found.part {
            Some(Part::Dialog(name)) if name.contains('*') => {
                vec![
                    Some(format!("{} {}", named_by(name), kind_of(&found.pattern))),
                    Some(named_by(name)),
                    Some(label),
                ]
            }
            Some(Part::Dialog(name)) => {
                let by_page = format!("{} dialog", of_address(&found.pattern));
                vec![Some(in_one_line(name)), Some(label), Some(by_page)]
            }
            Some(Part::Tab(name)) => vec![Some(in_one_line(name)), heading],
            Some(Part::View) => vec![heading, Some(label)],
            Some(Part::Layer(name)) => vec![Some(in_one_line(name)), Some(label)],
            Some(Part::Menu(_)) => vec![Some(format!("{} menu", clean(&label)))],
            None if is_data => {
                let thing = of_address(&found.pattern);
                // What a query shows of a thing has a name of its own: `Account: Balances`.
                let is_view = found.pattern.split_once('?').is_some_and(|(_, query)| !query.contains('{'));
                let view = (is_view && !label.is_empty()).then(|| format!("{thing}: {}", clean(&label)));
                // A page in another shape of itself, such as a popup, is called after it.
                let path_is_fixed = !path_part(&found.pattern).contains('{');
                let key = found.pattern.split_once('?').and_then(|(_, query)| query.split('=').next());
                let shape = heading.as_ref().zip(key).filter(|_| path_is_fixed);
                let shape =
                    shape.map(|(heading, key)| format!("{heading} ({})", key.replace('_', " ").trim()));
                vec![heading, shape, Some(thing), view]
            }
            None => {
                let title = self.title(found);
                let heading = heading.filter(|heading| !self.is_title_of_site(heading, title.as_deref()));
                let is_shared =
                    heading.as_ref().is_some_and(|heading| self.shared_headings.contains(heading));
                let title = title.filter(|title| !is_shared || self.title_counts.get(title) == Some(&1));
                let by_address = Some(of_address(&found.pattern));
                match is_shared {
                    true => vec![title, Some(label), heading, by_address],
                    false => vec![heading, title, Some(label), by_address],
                }
            }
        };
        let named: Vec<String> = candidates
            .into_iter()
            .flatten()
            .map(|name| clean(&name))
            .filter(|name| name.chars().any(char::is_alphabetic) && name.chars().count() <= LONGEST)
            .collect();
        if let Some(free) = named.iter().find(|name| !is_taken(taken, name)) {
            return free.clone();
        }
        let first = named.first().cloned().unwrap_or_else(|| "Screen".to_string());
        let folder =
            path_of(&found.pattern).trim_matches('/').split('/').next().unwrap_or_default().to_string();
        let with_folder = format!("{first} ({folder})");
        if !folder.is_empty() && !folder.contains('{') && !is_taken(taken, &with_folder) {
            return with_folder;
        }
        let mut numbered = (2..).map(|number| format!("{first} {number}"));
        numbered.find(|name| !is_taken(taken, name)).unwrap_or(first)
    }
}

fn is_taken(taken: &HashSet<String>, name: &str) -> bool {
    let name = name.to_lowercase();
    taken.iter().any(|known| known.to_lowercase() == name)
}

/// The parts of a title: `Orders - My shop` has two.
pub(crate) fn parts_of(title: &str) -> Vec<String> {
    let mut parts = vec![in_one_line(title)];
    for separator in SEPARATORS {
        parts = parts
            .iter()
            .flat_map(|part| part.split(separator).map(|one| one.trim().to_string()).collect::<Vec<_>>())
            .collect();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// A heading without what it counts: `Orders (3 matches)` is `Orders`.
pub(super) fn without_counts(heading: &str) -> String {
    let mut kept = String::new();
    let mut rest = heading;
    while let Some((before, after)) = rest.split_once('(') {
        let Some((inside, beyond)) = after.split_once(')') else { break };
        kept.push_str(before);
        if !inside.contains(|letter: char| letter.is_ascii_digit() || letter == '*') {
            kept.push_str(&format!("({inside})"));
        }
        rest = beyond;
    }
    kept.push_str(rest);
    in_one_line(&kept)
}

/// `Order *` names a screen called `Order`.
fn named_by(heading: &str) -> String {
    let heading = without_counts(heading);
    let words: Vec<&str> = heading.split_whitespace().filter(|word| !word.contains('*')).collect();
    words.join(" ").trim_matches([' ', ':', '#', '-', '–', ',', '·']).to_string()
}

fn clean(name: &str) -> String {
    let name = name.trim_matches(|letter: char| letter.is_whitespace() || "*:><»→×▾▼▸⌄⋮".contains(letter));
    let name = name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(name);
    // Pictures of icon fonts stand in private planes.
    let shown =
        name.chars().filter(|letter| !matches!(*letter, '\u{e000}'..='\u{f8ff}') && !letter.is_control());
    in_one_line(&shown.collect::<String>())
}

/// What two headings have in common: the same words at both ends.
fn glob_of(one: &str, other: &str) -> Option<String> {
    if one == other {
        return Some(one.to_string());
    }
    let (first, second): (Vec<&str>, Vec<&str>) = (one.split(' ').collect(), other.split(' ').collect());
    let front = first.iter().zip(&second).take_while(|(left, right)| left == right).count();
    let room = first.len().min(second.len()) - front;
    let back = first
        .iter()
        .rev()
        .zip(second.iter().rev())
        .take(room)
        .take_while(|(left, right)| left == right)
        .count();
    if front + back == 0 {
        return None;
    }
    let words =
        first[..front].iter().copied().chain(["*"]).chain(first[first.len() - back..].iter().copied());
    Some(words.collect::<Vec<_>>().join(" "))
}

/// A heading without what its address says as well, and without numbers; nothing if that leaves nothing or all of it.
fn without_data(heading: &str, address: &str) -> Option<String> {
    let said: HashSet<String> = path_of(address)
        .split(|letter: char| !letter.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty())
        .collect();
    let is_data = |word: &&str| {
        let bare: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
        bare.chars().any(|letter| letter.is_ascii_digit())
            || said.contains(&bare.to_lowercase())
                && !bare.is_empty()
                && bare.chars().any(|letter| letter.is_ascii_digit())
    };
    let words: Vec<&str> = heading.split(' ').collect();
    let kept: Vec<&str> = words.iter().map(|word| if is_data(word) { "*" } else { *word }).collect();
    (kept.contains(&"*") && kept.iter().any(|word| *word != "*")).then(|| kept.join(" "))
}

/// A heading without the name of the thing that an address is about, of which one is known: what a link of the page to
/// that thing is called, what is quoted, and what stands behind a colon.
fn without_thing(heading: &str, sample: &Sample) -> String {
    const QUOTES: &[(char, char)] = &[('"', '"'), ('\u{201c}', '\u{201d}'), ('«', '»'), ('„', '“')];
    let above = |address: &str| {
        let own = path_of(&sample.address).split('?').next().unwrap_or_default();
        let above = path_of(address).split('?').next().unwrap_or_default().trim_end_matches('/');
        let last = above.rsplit('/').next().unwrap_or_default();
        pattern_of(address).contains('{') && own.starts_with(above.strip_suffix(last).unwrap_or(above))
    };
    let links = sample.scene.nodes.iter().filter(|node| node.role == "link");
    let things = links.filter(|node| {
        let target = node.attribute("href").and_then(|href| resolved(&sample.address, href));
        target.is_some_and(|target| above(&target))
    });
    let mut kept = heading.to_string();
    for name in things.map(|node| in_one_line(&node.name)) {
        if name.chars().count() > 1 && name != kept && kept.ends_with(&name) {
            kept = format!("{}*", kept.trim_end_matches(name.as_str()));
        }
    }
    for (open, close) in QUOTES {
        if let Some((before, rest)) = kept.split_once(*open)
            && let Some((_, after)) = rest.split_once(*close)
        {
            kept = format!("{before}*{after}");
        }
    }
    match kept.split_once(": ") {
        Some((before, behind)) if behind != "*" && before.chars().any(char::is_alphabetic) => {
            format!("{before}: *")
        }
        _ => kept,
    }
}

pub(super) fn without_numbers(heading: &str) -> String {
    let has_digit = |word: &str| word.chars().any(|letter| letter.is_ascii_digit() || letter == '@');
    heading.split(' ').map(|word| if has_digit(word) { "*" } else { word }).collect::<Vec<_>>().join(" ")
}

/// `/admin/users/{id}/edit` is `User edit`, `/wiki/{name}` is `Wiki`.
fn of_address(pattern: &str) -> String {
    let path = pattern.split('?').next().unwrap_or(pattern).replace("#/", "/");
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let is_data = |segment: &str| segment.contains('{');
    let words =
        |segment: &str| -> String { segment.split(['-', '_', '.', '+']).collect::<Vec<_>>().join(" ") };
    let Some(last) = segments.iter().rposition(|segment| !is_data(segment)) else {
        return if segments.is_empty() { "Home" } else { "Screen" }.to_string();
    };
    let name = if last + 1 < segments.len() {
        singular(&words(segments[last]))
    } else if last > 0 && is_data(segments[last - 1]) {
        let kind = segments[..last]
            .iter()
            .rev()
            .find(|segment| !is_data(segment))
            .map(|segment| singular(&words(segment)));
        format!("{} {}", kind.unwrap_or_default(), words(segments[last]))
    } else {
        words(segments[last])
    };
    let name = name.trim().to_string();
    let mut letters = name.chars();
    letters.next().map_or(name.clone(), |first| first.to_uppercase().chain(letters).collect())
}

/// What an address lists one of: `/admin/users` lists a user.
fn kind_of(pattern: &str) -> String {
    let path = pattern.split('?').next().unwrap_or(pattern).replace("#/", "/");
    let last =
        path.split('/').rfind(|segment| !segment.is_empty() && !segment.contains('{')).unwrap_or_default();
    singular(&last.split(['-', '_', '.', '+']).collect::<Vec<_>>().join(" ")).to_lowercase()
}

fn singular(word: &str) -> String {
    match word {
        "news" | "series" | "status" | "analytics" => word.to_string(),
        _ if word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
        _ if word.ends_with("sses") || word.ends_with("xes") || word.ends_with("ches") => {
            word[..word.len() - 2].to_string()
        }
        _ if word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") => {
            word[..word.len() - 1].to_string()
        }
        _ => word.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_make_names() {
        for (pattern, name) in [
            ("/admin/users/{id}/edit", "User edit"),
            ("/orders/{id}", "Order"),
            ("/wiki/{name}", "Wiki"),
            ("/categories/{id}", "Category"),
            ("/order-history", "Order history"),
            ("/{id}", "Screen"),
            ("/", "Home"),
            ("/news/{id}", "News"),
        ] {
            assert_eq!(of_address(pattern), name, "{pattern}");
        }
    }

    #[test]
    fn headings_keep_what_is_no_data() {
        assert_eq!(glob_of("Order 17", "Order 18").as_deref(), Some("Order *"));
        assert_eq!(glob_of("Ann Lee", "Bob Ray"), None);
        assert_eq!(without_data("Order 17", "/orders/17").as_deref(), Some("Order *"));
        assert_eq!(without_data("Brass lamp", "/product/7"), None);
        assert_eq!(named_by("Order *"), "Order");
    }
}
