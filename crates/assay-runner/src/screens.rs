//! Going to screens by the ways of a navigation tree: one leg after the other, and after each a look at where one is.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_driver::Deadline;
use assay_language::{About, Act, Claim, Destination, Hints, Intent, read};
use assay_protocol::{
    Action, AddressPattern, Answer, CookieOperation, EdgeCommand, ErrorCode, Failure, Judgement, MouseButton,
    RunFact, Scene, Selector, Verdict,
};

use crate::attempt::{Attempt, CommandChoice};
use crate::destination::is_shown;
use crate::step::StepEnd;
use crate::test_context::names_of;
use crate::things::Thing;

/// The name for commands that a tree asks for.
const TREE: &str = "tree";
/// How long a screen may take to show itself after the last act.
const PATIENCE: Duration = Duration::from_secs(4);
/// When another screen of the tree shows, and stays that long, the way led elsewhere.
const ELSEWHERE: Duration = Duration::from_millis(1_200);
const PAUSE: Duration = Duration::from_millis(80);
/// After so many links of every screen that a page does not have, it has none of them.
const MOST_ABSENT: usize = 2;
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

/// Why a page is not the screen that a test says it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Against {
    /// The page is surely this other screen of the tree.
    Other(String),
    /// Nobody can say what it is, but this speaks against it.
    Doubt(String),
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

    /// One thing of many and the screen that shows it, where a name means no screen but begins with one.
    fn thing_called(&self, name: &str) -> Option<(ScreenName, Thing)>;

    /// Where the application of a tree is, if the tree says so.
    fn base_url(&self, tree: usize) -> Option<String>;

    /// Where a scene is. `status` is that of its document, if it is an error.
    fn place(&self, tree: usize, scene: &Scene, status: Option<u16>) -> ScreenPlace;

    /// What speaks against a scene being a screen; nothing if nothing does. A dialog or a tab of the screen is the screen.
    fn against(&self, to: &ScreenName, scene: &Scene, status: Option<u16>) -> Option<Against>;

    /// Whether the address of another screen describes this address more closely than that of the screen.
    fn is_of_another(&self, tree: usize, address: &str, screen: &str) -> bool;

    /// The surest way to a screen, without the legs that failed.
    fn way(&self, tree: usize, from: Option<&str>, to: &str, failed: &[ScreenLeg]) -> Option<Vec<ScreenLeg>>;

    /// Whether a leg is a link that the tree has for every screen.
    fn is_of_every_screen(&self, tree: usize, leg: &ScreenLeg) -> bool;

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
    /// It is a link of every screen that this page does not have. That breaks no way.
    pub is_absent: bool,
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
        let mut absent = 0;
        if self.context.base_url.is_none() {
            self.context.base_url = screens.base_url(to.tree);
        }
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
            // A page that lacks what all others have, such as a popup, is left by an address.
            let from = walk.place.screen.as_deref().filter(|_| absent < MOST_ABSENT);
            let way = screens.way(to.tree, from, &to.name, &failed);
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
            if end.is_absent {
                absent += 1;
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
        let is_missing = acted.as_ref().is_err_and(|failure| failure.code == ErrorCode::NotFound);
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
        let is_absent = trouble.is_some() && is_missing && screens.is_of_every_screen(tree, leg);
        if unmet.is_none() && !is_absent {
            screens.walked(tree, leg, milliseconds, trouble.as_deref());
        }
        Ok(LegEnd { trouble, unmet, place, milliseconds, is_absent })
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

    /// A step that names a screen of the tree, or one thing that a screen shows; nothing if no tree knows the name.
    pub(crate) async fn go_to_screen(&mut self, name: &str, deadline: Deadline) -> Option<StepEnd> {
        let screens = self.context.screens.clone()?;
        // A detour takes longer than an act, and the tree names all of its ways.
        let deadline = deadline.later(Duration::from_secs(20));
        let (to, walked) = match screens.called(name) {
            ScreenCalled::One(to) => {
                let walked = self.walk_to(&*screens, &to, deadline).await;
                (to, walked)
            }
            ScreenCalled::Several(names) => {
                let reason = format!("several screens are called \"{name}\": {}", names.join(", "));
                return Some(StepEnd::inconclusive(reason));
            }
            ScreenCalled::Unknown { .. } => {
                let (to, thing) = thing_known(name, &*screens)?;
                let walked = self.walk_to_thing(&*screens, &to, &thing, deadline).await;
                let to = ScreenName { name: format!("{} \"{}\"", to.name, thing.name), ..to };
                (to, walked)
            }
        };
        let walk = match walked {
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
        let name = precondition_screen(text, &self.names())?;
        let end = self.go_to_screen(&name, deadline).await?;
        self.state.is_placed = true;
        Some(end)
    }

    /// "From the Orders page, click New": goes to the screen first, and gives back the rest of the sentence. Nothing if
    /// the sentence names no place to begin at.
    pub(crate) async fn first_on_screen<'s>(
        &mut self,
        sentence: &'s str,
        deadline: Deadline,
    ) -> Option<(StepEnd, &'s str)> {
        let (name, rest) = match to_screen(sentence) {
            // A name that the author gave comes first.
            Some(name) if !self.is_named_by_author(&name) => (name, ""),
            _ => from_screen(sentence)?,
        };
        let is_named = self.is_named_by_author(&name);
        if !is_named && let Some(end) = self.go_to_screen(&name, deadline).await {
            return Some((end, rest));
        }
        // "On the Orders page" may only say where one is.
        if rest.is_empty() || !says_from(sentence) {
            return None;
        }
        let place = format!("Go to the {name} page");
        let to = match read(&place, &self.names()).ok()?.into_iter().next() {
            Some(Intent::Act(Act::Go { to })) => to,
            _ => return None,
        };
        let is_there = match self.look(deadline).await {
            Ok(scene) => is_shown(&name, &scene, &self.hints(sentence, deadline).await),
            Err(failure) => return Some((StepEnd::of_failure(&failure), rest)),
        };
        let end = if is_there { StepEnd::passed() } else { self.go(&to, &place, deadline).await };
        Some((end, rest))
    }

    fn is_named_by_author(&self, name: &str) -> bool {
        let key: String = name.to_lowercase().split(' ').collect::<Vec<_>>().join("_");
        self.context.selectors.keys().any(|known| {
            let known = known.to_lowercase().replace(['-', ' '], "_");
            known == key || known == format!("{key}_page") || known == format!("{key}_screen")
        })
    }

    /// A claim that a screen of a tree is shown holds only where nothing on the page speaks against it.
    pub(crate) fn by_tree(&self, claim: &Claim, judgement: Judgement, scene: &Scene) -> Judgement {
        let About::Page { name } = &claim.about else { return judgement };
        if judgement.verdict != Verdict::Passed || claim.negated {
            return judgement;
        }
        let Some(screens) = &self.context.screens else { return judgement };
        let ScreenCalled::One(to) = screens.called(name) else { return judgement };
        match screens.against(&to, scene, self.state.error_status) {
            None => judgement,
            Some(Against::Other(other)) => Judgement {
                verdict: Verdict::Failed,
                reason: format!(
                    "{}: by the navigation tree, the page is {other}, not {}",
                    claim.said, to.name
                ),
                ..judgement
            },
            Some(Against::Doubt(why)) => Judgement {
                verdict: Verdict::Inconclusive,
                reason: format!("{}: not sure that the page is {}: {why}", claim.said, to.name),
                ..judgement
            },
        }
    }

    /// The screens that a name may mean that no tree has.
    pub(crate) fn nearest_screens(&self, name: &str) -> Vec<String> {
        match self.context.screens.as_ref().map(|screens| screens.called(name)) {
            Some(ScreenCalled::Unknown { nearest }) => nearest,
            _ => Vec::new(),
        }
    }
}

/// What a tree makes of a sentence before the rest of it is read: the screen to go to, and the rest.
pub(crate) fn begins_on_screen<'s>(sentence: &'s str, screens: &dyn Screens) -> Option<(String, &'s str)> {
    let (name, rest) = to_screen(sentence).map(|name| (name, "")).or_else(|| from_screen(sentence))?;
    Some((screen_known(&name, screens)?, rest))
}

/// The screen that a precondition means, if a tree has it.
pub fn screen_of_precondition(
    text: &str,
    screens: &dyn Screens,
    selectors: &BTreeMap<String, String>,
) -> Option<String> {
    screen_known(&precondition_screen(text, &names_of(selectors))?, screens)
}

/// The name that a tree has for a screen.
fn screen_known(name: &str, screens: &dyn Screens) -> Option<String> {
    match screens.called(name) {
        ScreenCalled::One(to) => Some(to.name),
        ScreenCalled::Several(_) => None,
        ScreenCalled::Unknown { .. } => {
            let (to, thing) = thing_known(name, screens)?;
            Some(format!("{} \"{}\"", to.name, thing.name))
        }
    }
}

/// One thing of many. In a sentence it stands in quotes or is a number: `Order Confirmation` may be a page of its own.
fn thing_known(name: &str, screens: &dyn Screens) -> Option<(ScreenName, Thing)> {
    let is_sure = name.contains('"') || name.chars().any(|letter| letter.is_ascii_digit());
    is_sure.then(|| screens.thing_called(name)).flatten()
}

fn precondition_screen(text: &str, names: &Hints) -> Option<String> {
    match from_screen(text) {
        Some((name, "")) => Some(name),
        _ => page_of(text, names),
    }
}

fn says_from(sentence: &str) -> bool {
    let sentence = sentence.trim().to_lowercase();
    sentence.starts_with("from the ") || sentence.starts_with("starting from the ")
}

/// The name in "Go to the Orders screen", where that is all of the sentence.
fn to_screen(sentence: &str) -> Option<String> {
    let trimmed = sentence.trim().trim_end_matches('.');
    let openings = ["Go to ", "go to ", "Navigate to ", "navigate to ", "Open ", "Visit "];
    let place = openings.iter().find_map(|opening| trimmed.strip_prefix(opening))?;
    let place = place.strip_prefix("the ").unwrap_or(place);
    let name = [" page", " screen"].iter().find_map(|noun| place.strip_suffix(noun))?.trim();
    // `Item "Green crate"` is one thing of its kind; a name may stand in quotes as a whole.
    let (plain, quoted) = name.split_once('"').map_or((name, ""), |(before, after)| (before, after));
    let is_thing = !plain.is_empty() && quoted.ends_with('"') && quoted.matches('"').count() == 1;
    let name = if is_thing { name } else { name.trim_matches('"') };
    let words = if is_thing { plain } else { name };
    let is_plain =
        !name.is_empty() && !words.contains([',', '"']) && !words.split(' ').any(|word| word == "and");
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
