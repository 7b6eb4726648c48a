//! Going to one of many: a screen whose address has data in it, where it shows a certain thing, such as the item "Green
//! crate".

use assay_driver::Deadline;
use assay_protocol::{Action, AddressPattern, Failure, MouseButton, Scene, Selector};

use crate::attempt::Attempt;
use crate::screens::{LegHow, ScreenLeg, ScreenName, Screens, Walk, whole_path};

/// A thing that a screen shows one of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing {
    /// `Green crate`
    pub name: String,
    /// With the name of the screen before it: `Item Green crate`.
    pub whole: String,
    pub address: AddressPattern,
    /// Screens with links to such things.
    pub listed_on: Vec<String>,
}

impl Attempt<'_> {
    /// Goes to the screen where it shows the thing: by a link that is called so. One has arrived if the link's own address
    /// is shown, or if the page's heading or title has the name; a page of its kind is not enough.
    pub async fn walk_to_thing(
        &mut self,
        screens: &dyn Screens,
        to: &ScreenName,
        thing: &Thing,
        deadline: Deadline,
    ) -> Result<Walk, Failure> {
        let mut walk = Walk::default();
        (walk.place, walk.address) = self.whereabouts(screens, to.tree, deadline).await?;
        let scene = self.look(deadline).await?;
        if walk.place.screen.as_deref() == Some(&to.name) && is_about(&scene, &thing.name) {
            walk.arrived = true;
            return Ok(walk);
        }
        let mut sources: Vec<Option<&String>> = vec![None];
        sources.extend(thing.listed_on.iter().filter(|name| **name != to.name).map(Some));
        for source in sources {
            if let Some(name) = source {
                let list = ScreenName { tree: to.tree, name: name.clone() };
                let there = self.walk_to(screens, &list, deadline).await?;
                walk.legs.extend(there.legs);
                walk.broken.extend(there.broken);
                (walk.place, walk.address) = (there.place, there.address);
                if !there.arrived {
                    continue;
                }
            }
            let scene = self.look(deadline).await?;
            let is_other = |address: &str| screens.is_of_another(to.tree, address, &to.name);
            let Some((target, address)) = link_to_thing(&scene, thing, &is_other) else { continue };
            let leg = ScreenLeg {
                from: walk.place.screen.clone(),
                to: to.name.clone(),
                how: LegHow::Acts(vec![format!("click link \"{}\"", thing.name)]),
            };
            let click = Action::Click { target, button: MouseButton::Left, modifiers: Vec::new() };
            let clicked = self.tree_command(&click, &leg, deadline).await;
            walk.place = self.place_after(screens, to.tree, &leg, clicked.is_err(), deadline).await?;
            walk.legs.push(leg);
            let scene = self.look(deadline).await?;
            walk.address.clone_from(&scene.url);
            let is_address = whole_path(&scene.url, &scene.url).as_deref() == Some(&address);
            walk.arrived = walk.place.screen.as_deref() == Some(&to.name)
                && (is_address || is_about(&scene, &thing.name));
            if walk.arrived {
                return Ok(walk);
            }
        }
        Ok(walk)
    }
}

/// A link that is called as the thing, and the path that it leads to.
fn link_to_thing(
    scene: &Scene,
    thing: &Thing,
    is_other: &dyn Fn(&str) -> bool,
) -> Option<(Selector, String)> {
    let is_called = |name: &str| {
        let name = words(name);
        name == words(&thing.name) || name == words(&thing.whole)
    };
    let links = scene.nodes.iter().filter(|node| !node.is("covered") && !node.is("disabled"));
    links.filter(|node| is_called(&node.name)).find_map(|node| {
        let address = whole_path(node.attribute("href")?, &scene.url)?;
        let fits = thing.address.matches(&address) && !is_other(&address);
        let target = Selector::parse(node.reference.as_deref()?).ok()?;
        fits.then_some((target, address))
    })
}

/// Whether a heading of the page or its title has the name.
fn is_about(scene: &Scene, name: &str) -> bool {
    let wanted = format!(" {} ", words(name));
    let headings = scene.nodes.iter().filter(|node| node.role == "heading").map(|node| node.name.as_str());
    headings.chain([scene.title.as_str()]).any(|text| format!(" {} ", words(text)).contains(&wanted))
}

fn words(text: &str) -> String {
    let letters: String = text
        .to_lowercase()
        .chars()
        .map(|letter| if letter.is_alphanumeric() { letter } else { ' ' })
        .collect();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use assay_protocol::SceneNode;

    use super::*;

    fn link(name: &str, href: &str, reference: &str) -> SceneNode {
        let mut node = SceneNode { role: "link".to_string(), name: name.to_string(), ..SceneNode::default() };
        node.attributes.insert("href".to_string(), href.to_string());
        node.reference = Some(reference.to_string());
        node
    }

    #[test]
    fn a_link_must_be_called_as_the_thing_and_lead_to_its_kind() {
        let nodes = vec![
            link("Green crate", "/items/2/edit", "e1"),
            link("Green crates of old", "/items/9", "e2"),
            link("Green  Crate", "items/2", "e3"),
        ];
        let scene = Scene { url: "http://a/list".to_string(), nodes, ..Scene::default() };
        let thing = |name: &str| Thing {
            name: name.to_string(),
            whole: format!("Item {name}"),
            address: AddressPattern::parse("/items/{id}").expect("a pattern"),
            listed_on: Vec::new(),
        };
        let found = |name: &str| link_to_thing(&scene, &thing(name), &|_| false).map(|(_, address)| address);
        assert_eq!(found("Green crate").as_deref(), Some("/items/2"));
        assert_eq!(found("Purple crate"), None);
        assert!(link_to_thing(&scene, &thing("Green crate"), &|address| address == "/items/2").is_none());
    }

    #[test]
    fn a_page_is_about_what_its_heading_or_title_says() {
        let heading = SceneNode {
            role: "heading".to_string(),
            name: "Task 12: sweep".to_string(),
            ..SceneNode::default()
        };
        let scene = Scene { nodes: vec![heading], ..Scene::default() };
        assert!(is_about(&scene, "12"));
        assert!(!is_about(&scene, "2"));
    }
}
