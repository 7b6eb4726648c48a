//! Going to screens by the ways of a navigation tree: one leg after the other, and after each a look at where one is.

use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_driver::Deadline;
use assay_language::{About, Act, Claim, Destination, Hints, Intent, read};
use assay_protocol::{
    Action, AddressPattern, Answer, CookieOperation, EdgeCommand, ErrorCode, Failure, MouseButton, RunFact,
    Scene, Selector,
};

use crate::attempt::{Attempt, CommandChoice};
use crate::step::StepEnd;

/// The name for commands that a tree asks for.
const TREE: &str = "tree";
/// How long a screen may take to show itself after the last act.
const PATIENCE: Duration = Duration::from_secs(4);
/// When another screen of the tree shows, and stays that long, the way led elsewhere.
const ELSEWHERE: Duration = Duration::from_millis(1_200);
const PAUSE: Duration = Duration::from_millis(80);
/// More detours than that lead nowhere.
const MOST_DETOURS: usize = 8;

/// A screen of one of the trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenName {
    pub tree: usize,
    pub name: String,
}

/// What the trees make of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScreenCalled {
    One(ScreenName),
    Several(Vec<String>),
    Unknown { nearest: Vec<String> },
}

/// What a tree makes of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScreenPlace {
    /// The screen, if nothing speaks against it.
    pub screen: Option<String>,
    /// What the page shows, in its own words.
    pub shown: String,
    /// Why no screen was recognised.
    pub why: String,
    /// Screens that come near, and what speaks against each.
    pub candidates: Vec<(String, String)>,
}

/// One leg of a way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScreenLeg {
    pub from: Option<String>,
    pub to: String,
    pub how: LegHow,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LegHow {
    Acts(Vec<String>),
    /// A path or an address is opened.
    Open(String),
}

impl ScreenLeg {
    /// Its commands, for people.
    pub fn said(&self) -> String {
        match &self.how {
            LegHow::Acts(acts) => acts.join(", "),
            LegHow::Open(address) => format!("go {address}"),
        }
    }
}

/// The screens of the application under test, as its project keeps them.
pub trait Screens {
    fn called(&self, name: &str) -> ScreenCalled;

    /// Where a scene is. `status` is that of its document, if it is an error.
    fn place(&self, tree: usize, scene: &Scene, status: Option<u16>) -> ScreenPlace;

    /// Whether the address of another screen describes this address more closely than that of the screen.
    fn is_of_another(&self, tree: usize, address: &str, screen: &str) -> bool;

    /// The surest way to a screen, without the legs that failed.
    fn way(&self, tree: usize, from: Option<&str>, to: &str, failed: &[ScreenLeg]) -> Option<Vec<ScreenLeg>>;

    /// The state of the application that a screen needs, if the screen that is shown needs the opposite one.
    fn unmet_condition(&self, tree: usize, screen: &str, shown: &str) -> Option<String>;

    /// A leg was walked; with the reason, if it did not lead there.
    fn walked(&self, tree: usize, leg: &ScreenLeg, milliseconds: u64, trouble: Option<&str>);
}

/// How going to a screen ended.
#[derive(Debug, Clone, Default)]
pub struct Walk {
    pub arrived: bool,
    pub legs: Vec<ScreenLeg>,
    /// Legs that did not lead where the tree says, and why.
    pub broken: Vec<(ScreenLeg, String)>,
    /// The state in which the screen can be reached, where the application is in the opposite one.
    pub unmet: Option<String>,
    /// Where one is in the end.
    pub place: ScreenPlace,
    pub address: String,
}

/// How one leg ended.
#[derive(Debug, Clone)]
pub struct LegEnd {
    pub trouble: Option<String>,
    /// The state that its goal needs, where the application is in the opposite one: the way itself may be sound.
    pub unmet: Option<String>,
    pub place: ScreenPlace,
    pub milliseconds: u64,
}

impl Attempt<'_> {
    /// Goes to a screen: by the surest way, and where a leg fails by the next one.
    pub async fn walk_to(
        &mut self,
        screens: &dyn Screens,
        to: &ScreenName,
        deadline: Deadline,
    ) -> Result<Walk, Failure> {
        let mut walk = Walk::default();
        let mut failed: Vec<ScreenLeg> = Vec::new();
        let scene = self.look(deadline).await?;
        (walk.place, walk.address) = (self.place(screens, to.tree, &scene), scene.url.clone());
        loop {
            if walk.place.screen.as_deref() == Some(&to.name) {
                walk.arrived = true;
                return Ok(walk);
            }
            if deadline.is_past() || failed.len() > MOST_DETOURS {
                return Ok(walk);
            }
            let way = screens.way(to.tree, walk.place.screen.as_deref(), &to.name, &failed);
            // Where the next leg is unknown from here, an address may still be opened.
            let way = way.or_else(|| screens.way(to.tree, None, &to.name, &failed));
            let Some(leg) = way.and_then(|legs| legs.into_iter().next()) else { return Ok(walk) };
            let end = self.walk_leg(screens, to.tree, &leg, deadline).await?;
            walk.legs.push(leg.clone());
            walk.place = end.place;
            if let Some(scene) = &self.state.last_look {
                walk.address.clone_from(&scene.url);
            }
            if end.unmet.is_some() {
                if leg.to == to.name {
                    walk.unmet = end.unmet;
                    return Ok(walk);
                }
                failed.push(leg);
                continue;
            }
            if let Some(trouble) = end.trouble {
                self.listener.event(RunFact::WayBroken {
                    test: self.context.test.clone(),
                    step: self.step.number,
                    from: leg.from.clone().unwrap_or_default(),
                    to: leg.to.clone(),
                    acts: leg.said(),
                    reason: trouble.clone(),
                });
                walk.broken.push((leg.clone(), trouble));
                failed.push(leg);
            }
        }
    }

    /// Where one is by a tree, and the address.
    pub async fn whereabouts(
        &mut self,
        screens: &dyn Screens,
        tree: usize,
        deadline: Deadline,
    ) -> Result<(ScreenPlace, String), Failure> {
        let scene = self.look(deadline).await?;
        Ok((self.place(screens, tree, &scene), scene.url.clone()))
    }

    /// Walks one leg, and looks whether it led where the tree says.
    pub async fn walk_leg(
        &mut self,
        screens: &dyn Screens,
        tree: usize,
        leg: &ScreenLeg,
        deadline: Deadline,
    ) -> Result<LegEnd, Failure> {
        let started = Instant::now();
        let acted = match &leg.how {
            LegHow::Open(address) => {
                let url = self.context.address_of(address).unwrap_or_else(|| address.clone());
                self.tree_command(&Action::Go { url }, leg, deadline).await
            }
            LegHow::Acts(acts) => self.tree_acts(screens, tree, acts, leg, deadline).await,
        };
        let trouble = match acted {
            Ok(()) => None,
            Err(failure) if ends_the_walk(failure.code) => return Err(failure),
            Err(failure) => Some(failure.message),
        };
        let place = self.place_after(screens, tree, leg, trouble.is_some(), deadline).await?;
        let milliseconds = started.elapsed().as_millis() as u64;
        // The act may have led there although something about it failed.
        let trouble = match place.screen.as_deref() == Some(&leg.to) {
            true => None,
            false => Some(trouble.unwrap_or_else(|| match &place.screen {
                Some(other) => format!("it led to {other}"),
                None => format!("it led to \"{}\": {}", place.shown, place.why),
            })),
        };
        let shown = place.screen.as_deref().filter(|_| trouble.is_some());
        let unmet = shown.and_then(|shown| screens.unmet_condition(tree, &leg.to, shown));
        if unmet.is_none() {
            screens.walked(tree, leg, milliseconds, trouble.as_deref());
        }
        Ok(LegEnd { trouble, unmet, place, milliseconds })
    }

    /// Forgets who is logged in: cookies, and what the site stored in the browser. Nothing is pressed, and the server is
    /// not told.
    pub async fn forget_login(&mut self, base: Option<&str>, deadline: Deadline) -> Result<(), Failure> {
        const CLEAR: &str = "try { localStorage.clear(); sessionStorage.clear(); } catch {}";
        let because = "the login is to be forgotten";
        let choice = || CommandChoice::harmless(TREE, because);
        let here = self.look(deadline).await?.url.clone();
        let start = base.map_or_else(|| here.clone(), str::to_string);
        if !here.starts_with(start.trim_end_matches('/')) {
            self.command(&Action::Go { url: start.clone() }, choice(), deadline).await?;
        }
        let clear = Action::Cookies { operation: CookieOperation::Clear };
        self.command(&clear, choice(), deadline).await?;
        self.command(&Action::Eval { expression: CLEAR.to_string() }, choice(), deadline).await?;
        // What is shown was made for who was logged in.
        self.command(&Action::Go { url: start }, choice(), deadline).await.map(drop)
    }

    async fn tree_acts(
        &mut self,
        screens: &dyn Screens,
        tree: usize,
        acts: &[String],
        leg: &ScreenLeg,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        for act in acts {
            let command = EdgeCommand::parse(act)
                .map_err(|err| Failure::new(ErrorCode::Usage, format!("`{act}`: {err}")))?;
            let action = match command {
                EdgeCommand::Act(action) => self.context.with_whole_address(action),
                EdgeCommand::LinkTo(pattern) => {
                    // `/orders/new` fits `/orders/{id}` as well, and is another screen.
                    let is_other = |address: &str| screens.is_of_another(tree, address, &leg.to);
                    self.link_to(&pattern, &is_other, deadline).await?
                }
            };
            self.tree_command(&action, leg, deadline).await?;
        }
        Ok(())
    }

    pub(crate) async fn tree_command(
        &mut self,
        action: &Action,
        leg: &ScreenLeg,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        let because = format!("the tree leads to {} so", leg.to);
        let deadline = deadline.at_most(Duration::from_secs(15));
        let answer = self.command(action, CommandChoice::harmless(TREE, &because), deadline).await?;
        let opened = match &answer {
            Answer::Effect(effect) => effect.tabs.last(),
            _ => None,
        };
        // A link may open its page in a tab of its own.
        let Some(tab) = opened else { return Ok(()) };
        let follow = Action::TabSwitch { tab: tab.tab.clone() };
        self.command(&follow, CommandChoice::harmless(TREE, &because), deadline).await.map(drop)
    }

    /// A click on the first link of the page whose address fits.
    async fn link_to(
        &mut self,
        pattern: &AddressPattern,
        is_other: &dyn Fn(&str) -> bool,
        deadline: Deadline,
    ) -> Result<Action, Failure> {
        let began = Instant::now();
        loop {
            let scene = self.look(deadline).await?;
            if let Some(target) = link_in(&scene, pattern, is_other) {
                return Ok(Action::Click { target, button: MouseButton::Left, modifiers: Vec::new() });
            }
            if began.elapsed() > PATIENCE || deadline.is_past() {
                let message = format!("no link of the page leads to {pattern}");
                return Err(Failure::new(ErrorCode::NotFound, message));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Looks until the page is the screen that is expected, or surely another one.
    pub(crate) async fn place_after(
        &mut self,
        screens: &dyn Screens,
        tree: usize,
        leg: &ScreenLeg,
        has_failed: bool,
        deadline: Deadline,
    ) -> Result<ScreenPlace, Failure> {
        let began = Instant::now();
        let patience = if has_failed { Duration::ZERO } else { PATIENCE };
        let mut elsewhere: Option<(String, Instant)> = None;
        loop {
            let scene = match self.look(deadline).await {
                Ok(scene) => scene,
                Err(failure) if ends_the_walk(failure.code) => return Err(failure),
                Err(failure) => return Ok(ScreenPlace { why: failure.message, ..ScreenPlace::default() }),
            };
            let place = self.place(screens, tree, &scene);
            let is_there = place.screen.as_deref() == Some(&leg.to);
            let is_late = began.elapsed() >= patience || deadline.is_past();
            if is_there || is_late {
                return Ok(place);
            }
            match (&place.screen, &elsewhere) {
                (Some(screen), Some((known, since))) if screen == known => {
                    if since.elapsed() >= ELSEWHERE && leg.from.as_ref() != Some(screen) {
                        return Ok(place);
                    }
                }
                (Some(screen), _) => elsewhere = Some((screen.clone(), Instant::now())),
                (None, _) => elsewhere = None,
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn place(&self, screens: &dyn Screens, tree: usize, scene: &Rc<Scene>) -> ScreenPlace {
        screens.place(tree, scene, self.state.error_status)
    }

    /// A step that names a screen of the tree; nothing if no tree knows the name.
    pub(crate) async fn go_to_screen(&mut self, name: &str, deadline: Deadline) -> Option<StepEnd> {
        let screens = self.context.screens.clone()?;
        let to = match screens.called(name) {
            ScreenCalled::One(to) => to,
            ScreenCalled::Several(names) => {
                let reason = format!("several screens are called \"{name}\": {}", names.join(", "));
                return Some(StepEnd::inconclusive(reason));
            }
            ScreenCalled::Unknown { .. } => return None,
        };
        // A detour takes longer than an act, and the tree names all of its ways.
        let walk = match self.walk_to(&*screens, &to, deadline.later(Duration::from_secs(20))).await {
            Ok(walk) => walk,
            Err(failure) => return Some(StepEnd::of_failure(&failure)),
        };
        for (leg, why) in &walk.broken {
            let from = leg.from.as_deref().unwrap_or("anywhere");
            self.note(format!("the way from {from} to {} is broken ({}): {why}", leg.to, leg.said()));
        }
        Some(if walk.arrived {
            StepEnd::passed()
        } else {
            let near: Vec<String> =
                walk.place.candidates.iter().map(|(name, why)| format!("{name}: {why}")).collect();
            let near = if near.is_empty() { String::new() } else { format!(" ({})", near.join("; ")) };
            if let Some(when) = &walk.unmet {
                let shown = walk.place.screen.as_deref().unwrap_or(&walk.place.shown);
                let reason = format!("{} is shown when {when}; its way led to {shown}", to.name);
                return Some(StepEnd::inconclusive(reason));
            }
            let where_to = match &walk.place.screen {
                Some(screen) => format!("the page is {screen}"),
                None => format!("the page shows \"{}\"; {}{near}", walk.place.shown, walk.place.why),
            };
            StepEnd::inconclusive(format!("no way of the tree led to {}: {where_to}", to.name))
        })
    }

    /// A precondition that names a screen of a tree: "I am on the Orders page", "From the Orders page".
    pub(crate) async fn be_on_screen(&mut self, text: &str, deadline: Deadline) -> Option<StepEnd> {
        self.context.screens.as_ref()?;
        let name = match from_screen(text) {
            Some((name, "")) => name,
            _ => page_of(text, &self.names())?,
        };
        self.go_to_screen(&name, deadline).await
    }

    /// "From the Orders page, click New": goes to the screen first, and gives back the rest of the sentence. Nothing if
    /// no tree has that screen.
    pub(crate) async fn first_on_screen<'s>(
        &mut self,
        sentence: &'s str,
        deadline: Deadline,
    ) -> Option<(StepEnd, &'s str)> {
        self.context.screens.as_ref()?;
        let (name, rest) = match to_screen(sentence) {
            // A name that the author gave comes first.
            Some(name) if !self.is_named_by_author(&name) => (name, ""),
            _ => from_screen(sentence)?,
        };
        let end = self.go_to_screen(&name, deadline).await?;
        Some((end, rest))
    }

    fn is_named_by_author(&self, name: &str) -> bool {
        let key: String = name.to_lowercase().split(' ').collect::<Vec<_>>().join("_");
        self.context.selectors.keys().any(|known| {
            let known = known.to_lowercase().replace(['-', ' '], "_");
            known == key || known == format!("{key}_page") || known == format!("{key}_screen")
        })
    }

    /// The screens that a name may mean that no tree has.
    pub(crate) fn nearest_screens(&self, name: &str) -> Vec<String> {
        match self.context.screens.as_ref().map(|screens| screens.called(name)) {
            Some(ScreenCalled::Unknown { nearest }) => nearest,
            _ => Vec::new(),
        }
    }
}

/// The name in "Go to the Orders screen", where that is all of the sentence.
fn to_screen(sentence: &str) -> Option<String> {
    let trimmed = sentence.trim().trim_end_matches('.');
    let openings = ["Go to ", "go to ", "Navigate to ", "navigate to ", "Open ", "Visit "];
    let place = openings.iter().find_map(|opening| trimmed.strip_prefix(opening))?;
    let place = place.strip_prefix("the ").unwrap_or(place);
    let name =
        [" page", " screen"].iter().find_map(|noun| place.strip_suffix(noun))?.trim().trim_matches('"');
    let is_plain =
        !name.is_empty() && !name.contains([',', '"']) && !name.split(' ').any(|word| word == "and");
    is_plain.then(|| name.to_string())
}

/// The name and the rest of "From the Orders page, click New".
fn from_screen(sentence: &str) -> Option<(String, &str)> {
    let trimmed = sentence.trim().trim_end_matches('.');
    let after = ["From the ", "from the ", "Starting from the ", "On the "]
        .iter()
        .find_map(|opening| trimmed.strip_prefix(opening))?;
    let (place, rest) = after.split_once(',').map_or((after, ""), |(place, rest)| (place, rest.trim()));
    let place = place.trim();
    let name =
        [" page", " screen"].iter().find_map(|noun| place.strip_suffix(noun))?.trim().trim_matches('"');
    // A whole sentence has an act before its place.
    (!name.is_empty() && name.split(' ').count() <= 6).then(|| (name.to_string(), rest))
}

/// The page that a sentence says one is on.
fn page_of(text: &str, names: &Hints) -> Option<String> {
    let intents = read(text, names).ok()?;
    match intents.as_slice() {
        [Intent::Act(Act::Go { to: Destination::Page(name) })] => Some(name.clone()),
        [Intent::Claim(Claim { negated: false, about: About::Page { name }, .. })] => Some(name.clone()),
        _ => None,
    }
}

fn link_in(scene: &Scene, pattern: &AddressPattern, is_other: &dyn Fn(&str) -> bool) -> Option<Selector> {
    let links = scene.nodes.iter().filter(|node| !node.is("covered") && !node.is("disabled"));
    links
        .filter(|node| {
            let address = node.attribute("href").and_then(|href| whole_path(href, &scene.url));
            address.is_some_and(|address| pattern.matches(&address) && !is_other(&address))
        })
        .find_map(|node| Selector::parse(node.reference.as_deref()?).ok())
}

/// The path that a link leads to; none for one of another site. Links are written in many ways; patterns have whole paths.
pub(crate) fn whole_path(href: &str, page: &str) -> Option<String> {
    let origin = |address: &str| {
        let (scheme, rest) = address.split_once("://")?;
        Some(format!("{scheme}://{}", rest.split(['/', '?', '#']).next().unwrap_or_default()))
    };
    let path_of = |address: &str| {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        rest.find(['/', '?', '#']).map_or("/", |at| &rest[at..]).to_string()
    };
    if href.contains("://") {
        return (origin(href) == origin(page)).then(|| path_of(href));
    }
    // `mailto:` and the like lead to no page.
    if href.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':')) {
        return None;
    }
    let path = path_of(page);
    let path = path.split('#').next().unwrap_or_default();
    let only_path = path.split('?').next().unwrap_or_default();
    Some(match href.chars().next() {
        Some('/') => href.to_string(),
        Some('#') => format!("{path}{href}"),
        Some('?') => format!("{only_path}{href}"),
        _ => {
            let folder = only_path.rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("{folder}/{}", href.trim_start_matches("./"))
        }
    })
}

/// Whether there is nothing to go on with.
fn ends_the_walk(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::BrowserLost
            | ErrorCode::BrowserFailed
            | ErrorCode::BrowserMissing
            | ErrorCode::DaemonFailed
            | ErrorCode::WrongVersion
            | ErrorCode::SessionBusy
            | ErrorCode::DeviceBusy
            | ErrorCode::ConsentNeeded
            | ErrorCode::Unreachable
            | ErrorCode::Io
            | ErrorCode::Internal
            | ErrorCode::Stopped
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_may_begin_on_a_screen() {
        let said =
            |sentence: &'static str| from_screen(sentence).map(|(name, rest)| format!("{name}|{rest}"));
        assert_eq!(said("From the Orders page, click New").as_deref(), Some("Orders|click New"));
        assert_eq!(said("From the \"Order history\" screen").as_deref(), Some("Order history|"));
        assert_eq!(to_screen("Go to the Order history screen.").as_deref(), Some("Order history"));
        assert_eq!(to_screen("Open the Orders page and click New"), None);
        assert_eq!(said("From the list choose Oslo"), None);
        assert_eq!(said("Click New on the Orders page"), None);
    }

    #[test]
    fn links_are_found_by_their_address_however_they_are_written() {
        let pattern = AddressPattern::parse("/orders/{id}").expect("a pattern");
        let page = "http://a:1/orders/list?page=2#top";
        let fits = |href: &str, page: &str| whole_path(href, page).is_some_and(|path| pattern.matches(&path));
        for href in ["/orders/7", "http://a:1/orders/7", "7", "./7"] {
            assert!(fits(href, page), "{href}");
        }
        for href in ["/orders", "http://b/orders/7", "/orders/7/edit", "#7", "mailto:a@b"] {
            assert!(!fits(href, "http://a:1/orders/"), "{href}");
        }
    }
}
