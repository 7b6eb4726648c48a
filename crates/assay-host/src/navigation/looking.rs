//! The surface of an exploring: opens pages, presses what is to be pressed, and keeps requests that write from leaving.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use assay_actions::{Call, Consent, Policy};
use assay_driver::Deadline;
use assay_navigation::{Press, Seen, trimmed};
use assay_protocol::{
    Action, Answer, DialogAnswer, ErrorCode, FailedRequest, Failure, MouseButton, RouteReply, Scene,
    Selector, WaitFor,
};
use assay_runner::TestSurface;

const PAGE_TIME: Duration = Duration::from_secs(30);
const PRESS_TIME: Duration = Duration::from_secs(10);
/// How long a page may take to come to rest, and the pause between two looks.
const REST: Duration = Duration::from_millis(4_000);
const PAUSE: Duration = Duration::from_millis(120);
/// How long what a page has asked for may take, the first time that it is seen to take long.
const ANSWERS: Duration = Duration::from_secs(16);

/// Requests that may change something on the server.
const WRITING: &[&str] = &["POST", "PUT", "PATCH", "DELETE"];
/// Addresses that act although they are asked for with GET, wherever they have the word. In force while something is
/// pressed.
const ACTING: &[&str] = &[
    "delete",
    "remove",
    "destroy",
    "erase",
    "purge",
    "logout",
    "signout",
    "sign_out",
    "sign-out",
    "subscribe",
    "unlink",
    "archive",
    "duplicate",
    "approve",
    "reject",
    "publish",
    "restart",
    "shutdown",
];
/// The same, where the word is a whole segment of the path.
const ACTING_SEGMENTS: &[&str] =
    &["del", "rm", "drop", "clear", "reset", "save", "send", "pay", "buy", "done", "start", "stop"];

/// The addresses that are refused while something is pressed.
fn acting_addresses() -> impl Iterator<Item = String> {
    let anywhere = ACTING.iter().flat_map(|word| [format!("**{word}**"), format!("**?**{word}**")]);
    anywhere.chain(ACTING_SEGMENTS.iter().map(|word| format!("**/{word}")))
}

pub(super) struct Looker<'s> {
    surface: &'s mut dyn TestSurface,
    policy: Policy,
    /// Pages may read with requests that look like writing ones while they open.
    pub reads_by_post: bool,
    /// Requests that write are refused.
    is_guarded: bool,
    /// What is open was opened, and nothing was pressed since.
    fresh: Option<String>,
    document: Option<u64>,
    /// The status of the document, if it is an error.
    status: Option<u16>,
    refused: u32,
    /// Something did not answer in time.
    is_late: bool,
    /// What pages were still doing when patience was over: requests that are never answered, content that never rests.
    endless: BTreeSet<String>,
}

impl<'s> Looker<'s> {
    pub fn new(surface: &'s mut dyn TestSurface, policy: Policy) -> Looker<'s> {
        Looker {
            surface,
            policy,
            reads_by_post: false,
            is_guarded: false,
            fresh: None,
            document: None,
            status: None,
            refused: 0,
            is_late: false,
            endless: BTreeSet::new(),
        }
    }

    pub fn surface(&mut self) -> &mut dyn TestSurface {
        &mut *self.surface
    }

    async fn ask(&mut self, action: Action, time: Duration, consent: Consent) -> Result<Answer, Failure> {
        let policy = Policy { consent, ..self.policy.clone() };
        let call = Call { deadline: Deadline::after(time), wait: false, policy };
        let answer = self.surface.perform(&action, &call).await;
        let is_late =
            |failure: &Failure| matches!(failure.code, ErrorCode::Timeout | ErrorCode::NotResponding);
        self.is_late |= answer.as_ref().is_err_and(is_late);
        answer
    }

    /// From here on, requests that write do not leave the browser. Whether the browser can do that.
    pub async fn guard(&mut self) -> Result<bool, Failure> {
        for method in WRITING {
            let reply = RouteReply::Abort;
            let route = Action::Route { pattern: "**".to_string(), method: Some(method.to_string()), reply };
            match self.ask(route, PRESS_TIME, Consent::Given).await {
                Ok(_) => {}
                Err(failure) if failure.code == ErrorCode::Unsupported => return Ok(false),
                Err(failure) => return Err(failure),
            }
        }
        self.is_guarded = true;
        Ok(true)
    }

    pub async fn unguard(&mut self) -> Result<(), Failure> {
        if std::mem::take(&mut self.is_guarded) {
            self.ask(Action::Unroute { pattern: None }, PRESS_TIME, Consent::Given).await?;
        }
        Ok(())
    }

    /// Pages that sent something while they opened, which was refused.
    pub fn refused(&self) -> u32 {
        self.refused
    }

    async fn guard_addresses(&mut self) -> Result<(), Failure> {
        for pattern in acting_addresses() {
            let route = Action::Route { pattern, method: None, reply: RouteReply::Abort };
            self.ask(route, PRESS_TIME, Consent::Given).await?;
        }
        Ok(())
    }

    async fn unguard_addresses(&mut self) -> Result<(), Failure> {
        for pattern in acting_addresses() {
            self.ask(Action::Unroute { pattern: Some(pattern) }, PRESS_TIME, Consent::Given).await?;
        }
        Ok(())
    }

    /// Opens an address, presses the controls, and looks. A failure here is one of the browser, not of a page. What did
    /// not answer in time gets a second chance: the machine may have been busy.
    pub async fn look(&mut self, address: &str, presses: &[Press]) -> Result<Seen, Failure> {
        self.is_late = false;
        let seen = self.look_once(address, presses).await?;
        if !self.is_late || !matches!(seen, Seen::Nothing { .. }) {
            return Ok(seen);
        }
        self.fresh = None;
        self.look_once(address, presses).await
    }

    async fn look_once(&mut self, address: &str, presses: &[Press]) -> Result<Seen, Failure> {
        let started = Instant::now();
        if self.fresh.as_deref() != Some(address) || presses.is_empty() {
            if self.reads_by_post {
                self.unguard().await?;
            }
            let opened = self.open(address).await;
            if self.reads_by_post {
                self.guard().await?;
            }
            if let Err(why) = opened? {
                return Ok(Seen::Nothing { why });
            }
        }
        let mut scene = match self.settled().await {
            Ok(scene) => scene,
            Err(failure) => return of_the_page(failure),
        };
        let took_ms = started.elapsed().as_millis() as u64;
        self.fresh = presses.is_empty().then(|| address.to_string());
        if !presses.is_empty() {
            self.guard_addresses().await?;
            let pressed = self.press_all(presses, scene).await;
            self.unguard_addresses().await?;
            scene = match pressed? {
                Ok(scene) => scene,
                Err(why) => return Ok(Seen::Nothing { why }),
            };
        }
        Ok(Seen::Shown { scene: Box::new(trimmed(&scene)), status: self.status, took_ms })
    }

    async fn open(&mut self, address: &str) -> Result<Result<(), String>, Failure> {
        let effect = match self.ask(Action::Go { url: address.to_string() }, PAGE_TIME, Consent::Given).await
        {
            Ok(Answer::Effect(effect)) => effect,
            Ok(_) => return Ok(Err("nothing opened".to_string())),
            Err(failure) if failure.code == ErrorCode::DialogOpen => {
                self.dismiss().await?;
                return Ok(Err("a dialog of the browser opened".to_string()));
            }
            Err(failure) if is_of_the_page(failure.code) => return Ok(Err(failure.message)),
            Err(failure) => return Err(failure),
        };
        if !effect.downloads.is_empty() {
            return Ok(Err("it leads to a file".to_string()));
        }
        if effect.dialog.is_some() {
            self.dismiss().await?;
        }
        let is_refused = |failed: &FailedRequest| WRITING.contains(&failed.method.as_str());
        self.refused += u32::from(self.is_guarded && effect.failed_requests.iter().any(is_refused));
        self.status = effect.page.as_ref().and_then(|page| page.status).filter(|status| *status >= 400);
        Ok(Ok(()))
    }

    /// Waits until the page is loaded, has its answers and is quiet. Two looks alone do not show that: on a busy machine
    /// a page stands still before its code has begun.
    async fn loaded(&mut self) -> Result<(), Failure> {
        let began = Instant::now();
        loop {
            let wait = Action::Wait { until: WaitFor::Load };
            let busy = match self.ask(wait, REST, Consent::Given).await {
                Ok(Answer::Loaded { still_busy }) => still_busy,
                Ok(_) => Vec::new(),
                // A page that does not finish loading is looked at as it is.
                Err(failure) if failure.code == ErrorCode::Timeout => vec![failure.message],
                Err(failure) if is_of_the_page(failure.code) => return Ok(()),
                Err(failure) => return Err(failure),
            };
            let busy: BTreeSet<String> = busy.iter().map(|one| without_data(one)).collect();
            if busy.is_subset(&self.endless) {
                return Ok(());
            }
            if began.elapsed() > ANSWERS {
                self.endless.extend(busy);
                return Ok(());
            }
        }
    }

    /// The page, when it has come to rest.
    async fn settled(&mut self) -> Result<Scene, Failure> {
        self.loaded().await?;
        let began = Instant::now();
        let mut before: Option<Scene> = None;
        loop {
            let mut scene = self.scene().await?;
            if scene.dialog.is_some() {
                self.dismiss().await?;
                scene = self.scene().await?;
            }
            if self.document != Some(scene.document) {
                self.document = Some(scene.document);
                before = None;
            }
            let now = trimmed(&scene);
            let is_busy = scene.nodes.iter().any(|node| node.is("busy")) || (1..800).contains(&scene.due_ms);
            let rests = before.as_ref() == Some(&now) && !is_busy && !now.nodes.is_empty();
            if rests || began.elapsed() > REST {
                return Ok(scene);
            }
            before = Some(now);
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn scene(&mut self) -> Result<Scene, Failure> {
        match self.ask(Action::Scene, PRESS_TIME, Consent::Given).await? {
            Answer::Scene(scene) => Ok(*scene),
            _ => {
                Err(Failure::new(ErrorCode::Internal, "internal: expected a scene, found a different answer"))
            }
        }
    }

    /// Dialogs of the browser are answered with no.
    async fn dismiss(&mut self) -> Result<(), Failure> {
        let answer = Action::Dialog { answer: Some(DialogAnswer::Dismiss) };
        match self.ask(answer, PRESS_TIME, Consent::Given).await {
            Err(failure) if !is_of_the_page(failure.code) && failure.code != ErrorCode::NoDialog => {
                Err(failure)
            }
            _ => Ok(()),
        }
    }

    async fn press_all(&mut self, presses: &[Press], first: Scene) -> Result<Result<Scene, String>, Failure> {
        let mut scene = first;
        for press in presses {
            let Some(target) = control_in(&scene, press) else {
                return Ok(Err(format!("the {} \"{}\" is gone", press.role, press.name)));
            };
            // The rules for guests: what pays or deletes is refused by what the page says of it.
            let consent = if press.is_tab { Consent::Given } else { Consent::Needed };
            match self
                .ask(
                    Action::Click { target, button: MouseButton::Left, modifiers: Vec::new() },
                    PRESS_TIME,
                    consent,
                )
                .await
            {
                Ok(Answer::Effect(effect)) => {
                    if let Some(page) = &effect.page {
                        self.status = page.status.filter(|status| *status >= 400);
                    }
                    if !effect.downloads.is_empty() {
                        return Ok(Err("it leads to a file".to_string()));
                    }
                    if effect.dialog.is_some() {
                        self.dismiss().await?;
                        return Ok(Err(
                            "it asks with a dialog of the browser, which was answered with no".to_string()
                        ));
                    }
                    if !effect.tabs.is_empty() {
                        return Ok(Err("it opens another tab".to_string()));
                    }
                }
                Ok(_) => {}
                Err(failure) if failure.code == ErrorCode::DialogOpen => {
                    self.dismiss().await?;
                    return Ok(Err(
                        "it asks with a dialog of the browser, which was answered with no".to_string()
                    ));
                }
                Err(failure) if is_of_the_page(failure.code) => return Ok(Err(failure.message)),
                Err(failure) => return Err(failure),
            }
            scene = match self.settled().await {
                Ok(scene) => scene,
                Err(failure) if is_of_the_page(failure.code) => return Ok(Err(failure.message)),
                Err(failure) => return Err(failure),
            };
        }
        Ok(Ok(scene))
    }
}

fn control_in(scene: &Scene, press: &Press) -> Option<Selector> {
    let short = |name: &str| name.chars().take(120).collect::<String>();
    let node = scene
        .nodes
        .iter()
        .filter(|node| node.role == press.role && short(&node.name) == press.name)
        .nth(press.nth)?;
    Selector::parse(node.reference.as_deref()?).ok()
}

/// What a page was doing, without the query of a request and without numbers: the next one differs in these.
fn without_data(busy: &str) -> String {
    let end = busy.find('?').unwrap_or(busy.len());
    busy[..end].chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect()
}

fn of_the_page(failure: Failure) -> Result<Seen, Failure> {
    if is_of_the_page(failure.code) { Ok(Seen::Nothing { why: failure.message }) } else { Err(failure) }
}

/// Whether a failure says something of one page, and the next can be looked at all the same.
fn is_of_the_page(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::NotFound
            | ErrorCode::NavigationFailed
            | ErrorCode::Timeout
            | ErrorCode::NotResponding
            | ErrorCode::StaleRef
            | ErrorCode::UnknownRef
            | ErrorCode::Ambiguous
            | ErrorCode::NotActionable
            | ErrorCode::NotAccepted
            | ErrorCode::EvalFailed
            | ErrorCode::DialogOpen
            | ErrorCode::PageCrashed
            | ErrorCode::TabClosed
            | ErrorCode::ConsentNeeded
            | ErrorCode::OutcomeUnknown
            | ErrorCode::BlockedByPolicy
    )
}
