//! Finds pages by name, such as "the login page".

use std::rc::Rc;

use assay_driver::Deadline;
use assay_language::{About, Act, Claim, Decision, Destination, Hints, common_paths, home_hint, judge};
use assay_protocol::{Action, Answer, Failure, Scene, SceneNode, Verdict};

use crate::attempt::{Attempt, CommandChoice};
use crate::locking::ActInProgress;
use crate::step::StepEnd;

impl Attempt<'_> {
    pub(crate) async fn go(&mut self, to: &Destination, sentence: &str, deadline: Deadline) -> StepEnd {
        match to {
            Destination::Url(url) => self.open(url, "the address is given", deadline).await,
            Destination::Path(path) => match self.context.address_of(path) {
                Some(url) => self.open(&url, "the path is given", deadline).await,
                None => StepEnd::inconclusive(format!("`{path}` is a path, and no base_url names the site")),
            },
            Destination::Home => {
                let hints = self.hints(sentence, deadline).await;
                if let Some((key, url)) = home_hint(&hints) {
                    let url = self.context.address_of(&url).unwrap_or(url);
                    return self.open(&url, &format!("the hint `{key}`"), deadline).await;
                }
                match self.context.base_url.clone() {
                    Some(url) => self.open(&url, "the base address", deadline).await,
                    None => StepEnd::inconclusive("no base_url says where the home page is".to_string()),
                }
            }
            Destination::Page(name) => self.go_to_page(name, to, sentence, deadline).await,
        }
    }

    /// By the author's name for it, by a link on the page, or by a path that such pages commonly have.
    async fn go_to_page(
        &mut self,
        name: &str,
        to: &Destination,
        sentence: &str,
        deadline: Deadline,
    ) -> StepEnd {
        let hints = self.hints(sentence, deadline).await;
        let act = Act::Go { to: to.clone() };
        // A name that the author gave needs no page to look at.
        if let Some(end) = self.decided(&act, &Rc::default(), &hints, deadline).await {
            return end;
        }
        if let Some(end) = self.go_to_screen(name, deadline).await {
            return end;
        }
        let mut scene = match self.look(deadline).await {
            Ok(scene) => scene,
            Err(failure) => return StepEnd::of_failure(&failure),
        };
        if is_blank(&scene) {
            let Some(base) = self.context.base_url.clone() else {
                return StepEnd::inconclusive(format!(
                    "the address of the {name} page is unknown: neither `selectors` nor a base_url gives it"
                ));
            };
            if let Err(failure) = self
                .command(
                    &Action::Go { url: base },
                    CommandChoice::harmless("builtin", "the base address"),
                    deadline,
                )
                .await
            {
                return StepEnd::of_failure(&failure);
            }
            scene = match self.look(deadline).await {
                Ok(scene) => scene,
                Err(failure) => return StepEnd::of_failure(&failure),
            };
        }
        if let Some(end) = self.decided(&act, &scene, &hints, deadline).await {
            return end;
        }
        for path in common_paths(name) {
            let Some(url) = self.context.address_of(&path) else { break };
            let because = format!("pages with that name are often at {path}");
            let opened = self
                .command(&Action::Go { url }, CommandChoice::harmless("builtin", &because), deadline)
                .await;
            match opened {
                // Many sites answer every path with some page, so check that it is the right one.
                Ok(Answer::Effect(effect))
                    if effect.page.as_ref().is_some_and(|page| page.status.is_none()) =>
                {
                    match self.look(deadline).await {
                        Ok(scene) if is_shown(name, &scene, &hints) => return StepEnd::passed(),
                        Ok(_) => {}
                        Err(failure) => return StepEnd::of_failure(&failure),
                    }
                }
                Ok(_) => {}
                Err(failure) => return StepEnd::of_failure(&failure),
            }
        }
        // The next pilot must begin where the step began, not on the last wrong page.
        if !self.state.available.pilots.is_empty() && scene.url.contains("://") {
            self.step.act_in_progress = ActInProgress::default();
            let back = Action::Go { url: scene.url.clone() };
            let chosen = CommandChoice::harmless("builtin", "back to where the step began");
            if let Err(failure) = self.command(&back, chosen, deadline).await {
                return StepEnd::of_failure(&failure);
            }
        }
        let nearest = self.nearest_screens(name);
        let nearest = match nearest.is_empty() {
            true => String::new(),
            false => format!("; the nearest screens of the navigation tree: {}", nearest.join(", ")),
        };
        StepEnd::not_sure(format!(
            "no link leads to a \"{name}\" page, and it is at none of the common paths; say where it is with a key \
             like `{}_page` under `selectors`{nearest}",
            name.replace(' ', "_")
        ))
    }

    /// Carries out the interpreter's decision; none if it has none.
    async fn decided(
        &mut self,
        act: &Act,
        scene: &Rc<Scene>,
        hints: &Hints,
        deadline: Deadline,
    ) -> Option<StepEnd> {
        let (name, decision) = self.interpret(act, scene, hints);
        match decision {
            Decision::Do(planned) => {
                let action = match &planned.action {
                    Action::Go { url } => {
                        Action::Go { url: self.context.address_of(url).unwrap_or_else(|| url.clone()) }
                    }
                    other => other.clone(),
                };
                self.state.history.acting(scene);
                Some(match self.command(&action, CommandChoice::of(name, &planned), deadline).await {
                    Ok(_) => StepEnd::passed(),
                    Err(failure) => StepEnd::of_failure(&failure),
                })
            }
            Decision::NothingToDo { because } => {
                self.note(because);
                Some(StepEnd::passed())
            }
            Decision::Unclear { why, candidates, clearer } if !scene.nodes.is_empty() => {
                Some(StepEnd::unclear(why, candidates, clearer))
            }
            Decision::Unclear { .. } | Decision::Missing { .. } => None,
        }
    }

    async fn open(&mut self, url: &str, because: &str, deadline: Deadline) -> StepEnd {
        match self
            .command(
                &Action::Go { url: url.to_string() },
                CommandChoice::harmless("builtin", because),
                deadline,
            )
            .await
        {
            Ok(_)
                if self.state.error_status.is_some_and(asks_to_log_in)
                    && self.shows_a_login(deadline).await =>
            {
                self.note(format!("{url} asks to log in"));
                StepEnd::passed()
            }
            Ok(_) => self.arrived(url),
            Err(failure) => StepEnd::of_failure(&failure),
        }
    }

    /// A page that is refused until somebody logs in, and lets them do so.
    async fn shows_a_login(&mut self, deadline: Deadline) -> bool {
        let is_secret = |node: &SceneNode| node.is("secret") || node.attribute("type") == Some("password");
        self.look(deadline).await.is_ok_and(|scene| scene.nodes.iter().any(is_secret))
    }

    /// An error of the server is no page to test, unless the test is about that error.
    fn arrived(&self, url: &str) -> StepEnd {
        match self.state.error_status.filter(|_| !self.context.expects_an_error) {
            None => StepEnd::passed(),
            Some(status @ 500..) => StepEnd::failed(format!("the server answered {url} with {status}")),
            Some(status) => StepEnd::inconclusive(format!(
                "the server answered {url} with {status}; if the test is about that, claim it: The page shows \"{status}\""
            )),
        }
    }
}

/// Whether a page is the one of this name, by all that it shows.
pub(crate) fn is_shown(name: &str, scene: &Scene, hints: &Hints) -> bool {
    let about = About::Page { name: name.to_string() };
    let claim = Claim { said: name.to_string(), negated: false, stays: false, about };
    judge(&claim, scene, hints).verdict == Verdict::Passed
}

fn is_blank(scene: &Scene) -> bool {
    scene.nodes.is_empty() && (scene.url.is_empty() || scene.url == "about:blank")
}

impl Attempt<'_> {
    /// Opens the base address if the test does not begin with a navigation.
    pub(crate) async fn open_base(&mut self, deadline: Deadline) -> Result<(), Failure> {
        let Some(url) = self.context.base_url.clone() else { return Ok(()) };
        self.command(&Action::Go { url }, CommandChoice::harmless("builtin", "the base address"), deadline)
            .await
            .map(drop)
    }
}

fn asks_to_log_in(status: u16) -> bool {
    matches!(status, 401 | 403)
}
