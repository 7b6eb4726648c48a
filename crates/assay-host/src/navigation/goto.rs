//! Goes to a screen by its name.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use assay_actions::Policy;
use assay_driver::Deadline;
use assay_navigation::LOGGED_OUT;
use assay_protocol::{ErrorCode, Failure, RunFact, Secrets};
use assay_runner::{
    Attempt, LegHow, ScreenCalled, ScreenName, Screens, TestContext, TestSurface, Thing, Walk,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::screens::TreeScreens;

/// How a command that goes to a screen ended.
#[derive(Debug, Clone, Serialize)]
pub struct GotoEnd {
    pub screen: String,
    pub address: String,
    /// The screens on the way, the last included.
    pub steps: Vec<String>,
    /// Ways that did not lead where the tree says.
    pub broken: Vec<String>,
}

impl GotoEnd {
    /// `→ Orders · /account/orders   (2 steps: Account, Orders)`
    pub fn line(&self) -> String {
        let steps = match self.steps.len() {
            0 => "already there".to_string(),
            1 => format!("1 step: {}", self.steps[0]),
            count => format!("{count} steps: {}", self.steps.join(", ")),
        };
        format!("→ {}   ({steps})", self.place())
    }

    /// `Orders · /account/orders`
    pub fn place(&self) -> String {
        format!("{} · {}", self.screen, assay_navigation::path_of(&self.address))
    }

    pub fn data(&self) -> Value {
        json!(self)
    }
}

/// Where the application is: the address that the project names, or else where its tree was explored.
fn base_of(screens: &TreeScreens, tree: usize, base_url: Option<&str>) -> Option<String> {
    base_url.map(str::to_string).or_else(|| screens.tree(tree).base_url.clone())
}

/// The screen of this name, or a refusal that names the nearest.
fn screen_named(screens: &TreeScreens, name: &str) -> Result<ScreenName, Failure> {
    match screens.called(name) {
        ScreenCalled::One(found) => Ok(found),
        ScreenCalled::Several(names) => Err(Failure::new(
            ErrorCode::Ambiguous,
            format!("several screens are called \"{name}\": {}", names.join(", ")),
        )
        .hint("assay tree show lists the screens; --tree NAME chooses a tree")),
        ScreenCalled::Unknown { nearest } => {
            let near = match nearest.as_slice() {
                [] => String::new(),
                names => format!("; nearest: {}", names.join(", ")),
            };
            Err(Failure::new(ErrorCode::Usage, format!("no screen is called \"{name}\"{near}"))
                .hint("assay tree show lists the screens"))
        }
    }
}

/// A screen by its name, or one thing of many that a screen shows.
fn goal_named(screens: &TreeScreens, name: &str) -> Result<(ScreenName, Option<Thing>), Failure> {
    match screen_named(screens, name) {
        Ok(to) => Ok((to, None)),
        Err(unknown) => match screens.thing_called(name) {
            Some((to, thing)) if unknown.code == ErrorCode::Usage => Ok((to, Some(thing))),
            _ => Err(unknown),
        },
    }
}

/// What becomes of the login of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Login {
    Kept,
    /// Cookies and what the site stored are forgotten first.
    Forgotten,
}

/// Goes to a screen on a surface that is open.
pub async fn goto(
    surface: &mut dyn TestSurface,
    screens: &TreeScreens,
    name: &str,
    base_url: Option<&str>,
    login: Login,
    time: Duration,
) -> Result<GotoEnd, Failure> {
    let (to, thing) = goal_named(screens, name)?;
    let (selectors, secrets) = (BTreeMap::new(), Secrets::default());
    let told = RefCell::new(Vec::new());
    let tell = |fact: RunFact| told.borrow_mut().push(fact);
    let base = base_of(screens, to.tree, base_url);
    let context = TestContext::new(&selectors, &secrets).at(base.clone()).under(Policy::default());
    let mut attempt = Attempt::new(surface, &tell, context);
    let deadline = Deadline::after(time);
    if login == Login::Forgotten {
        attempt.forget_login(base.as_deref(), deadline).await?;
    }
    let Some(thing) = thing else {
        let walk = attempt.walk_to(screens, &to, deadline).await?;
        return end_of(screens, &to, &walk);
    };
    let walk = attempt.walk_to_thing(screens, &to, &thing, deadline).await?;
    if walk.arrived {
        return end_of(screens, &to, &walk);
    }
    let said = match thing.listed_on.as_slice() {
        [] => "no screen of the tree lists such things".to_string(),
        lists => format!("looked on the page that was open, and on {}", lists.join(", ")),
    };
    Err(Failure::new(
        ErrorCode::NotFound,
        format!("no link called \"{}\" leads to {}; {said}", thing.name, to.name),
    ))
}

/// Which screen is shown on a surface that is open; a refusal that names the nearest if that is not sure.
pub async fn shown(
    surface: &mut dyn TestSurface,
    screens: &TreeScreens,
    time: Duration,
) -> Result<GotoEnd, Failure> {
    let (selectors, secrets) = (BTreeMap::new(), Secrets::default());
    let told = RefCell::new(Vec::new());
    let tell = |fact: RunFact| told.borrow_mut().push(fact);
    let context = TestContext::new(&selectors, &secrets).under(Policy::default());
    let mut attempt = Attempt::new(surface, &tell, context);
    let mut refusal = None;
    for tree in 0..screens.count() {
        let (place, address) = attempt.whereabouts(screens, tree, Deadline::after(time)).await?;
        if let Some(screen) = place.screen {
            return Ok(GotoEnd { screen, address, steps: Vec::new(), broken: Vec::new() });
        }
        let mut failure = Failure::new(
            ErrorCode::Ambiguous,
            format!("not sure which screen this is: the page shows \"{}\"; {}", place.shown, place.why),
        );
        for (name, why) in &place.candidates {
            failure = failure.detail(if why.is_empty() { name.clone() } else { format!("{name}: {why}") });
        }
        refusal.get_or_insert(failure);
    }
    Err(refusal.unwrap_or_else(|| {
        Failure::new(ErrorCode::Usage, "the project has no navigation tree yet")
            .hint("assay explore http://127.0.0.1:8080/ makes one")
    }))
}

/// Whether a name means a screen: no surface is needed for that.
pub fn goto_alone(screens: &TreeScreens, name: &str) -> Result<(), Failure> {
    goal_named(screens, name).map(drop)
}

fn end_of(screens: &TreeScreens, to: &ScreenName, walk: &Walk) -> Result<GotoEnd, Failure> {
    let is_broken = |leg: &assay_runner::ScreenLeg| walk.broken.iter().any(|(known, _)| known == leg);
    let broken: Vec<String> = walk
        .broken
        .iter()
        .map(|(leg, why)| {
            let from = leg.from.as_deref().unwrap_or("anywhere");
            format!("broken way: {from} → {} ({}): {why}", leg.to, leg.said())
        })
        .collect();
    if walk.arrived {
        let steps = walk.legs.iter().filter(|leg| !is_broken(leg)).map(|leg| leg.to.clone()).collect();
        return Ok(GotoEnd { screen: to.name.clone(), address: walk.address.clone(), steps, broken });
    }
    let mut failure = match &walk.place.screen {
        Some(screen) => {
            Failure::new(ErrorCode::NotFound, format!("no way led to {}; the page is {screen}", to.name))
        }
        // Exit code 3: where one is, is not sure.
        None => Failure::new(
            ErrorCode::Ambiguous,
            format!(
                "not sure that this is {}: the page shows \"{}\"; {}",
                to.name, walk.place.shown, walk.place.why
            ),
        ),
    };
    for (name, why) in &walk.place.candidates {
        failure = failure.detail(if why.is_empty() { name.clone() } else { format!("{name}: {why}") });
    }
    for line in broken {
        failure = failure.detail(line);
    }
    if walk.legs.is_empty() {
        let is_data = screens.tree(to.tree).screen(&to.name).and_then(|screen| screen.address.as_ref());
        let why = match is_data {
            Some(address) if !address.is_literal() => {
                format!("its address {address} has data in it, and no edge of the tree leads there")
            }
            _ => "no edge of the tree leads there, and it has no address of its own".to_string(),
        };
        failure = failure.detail(why);
    }
    if let Some(when) = &walk.unmet {
        failure = failure.detail(format!("{} is shown when {when}", to.name));
        return Err(failure.hint(match when == LOGGED_OUT {
            true => {
                format!("assay goto \"{}\" --log-out forgets cookies and storage of the site first", to.name)
            }
            false => "log in first, such as with assay do \"Log in as ada@example.com with password …\""
                .to_string(),
        }));
    }
    let opened = walk.legs.iter().any(|leg| matches!(leg.how, LegHow::Open(_)));
    Err(if opened {
        failure
    } else {
        failure.hint("assay tree validate walks every edge and says which are broken")
    })
}
