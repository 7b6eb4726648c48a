//! One browser and the session on it, made when needed and made again after a crash.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assay_actions::{
    Call, Consent, Fault, FileAccess, Observer, Policy, ProjectFiles, Session, Taking, render_answer,
};
use assay_driver::{Browser, BrowserInfo, Deadline, Driver, EventSink};
use assay_protocol::{
    Action, Agreed, Answer, BlockedRequests, BrowserSettings, ErrorCode, Failure, Format, GuestLimits,
    Outcome, TargetMark,
};
use tokio::task::JoinHandle;

use crate::guard::Guard;
use crate::owned_browser::{LaunchRequest, OwnedBrowser};
use crate::pool::{Pool, Share};
use crate::session_paths::{BrowserRecord, RECORD_VERSION, SessionPaths};

pub(crate) struct SessionBrowser {
    source: BrowserSource,
    settings: BrowserSettings,
    running: Option<Running>,
    /// A part of the shared browser that is being prepared for the next user.
    foreseen: Option<JoinHandle<Result<ShareWithObserver, Failure>>>,
    next_ref: u32,
    /// Refs up to here are on record as given out.
    reserved_refs: u32,
    launches: u32,
    /// What its user should know and was not told yet.
    note: Option<String>,
}

/// Where its browser comes from.
enum BrowserSource {
    /// A browser of its own.
    Own { driver: Arc<dyn Driver>, place: SessionPaths, guard: Arc<Mutex<Guard>>, policy: Box<Policy> },
    /// One that others use too.
    Shared(Arc<Pool>),
}

/// A part of a shared browser, and the one who is told of what happens in it.
type ShareWithObserver = (Arc<Share>, Arc<Observer>);

struct Running {
    session: Session,
    observer: Arc<Observer>,
    hold: BrowserHold,
}

enum BrowserHold {
    Own(OwnedBrowser),
    Shared(Arc<Share>),
}

impl BrowserHold {
    fn browser(&self) -> Arc<dyn Browser> {
        match self {
            BrowserHold::Own(owned) => owned.browser(),
            BrowserHold::Shared(share) => Arc::clone(share) as Arc<dyn Browser>,
        }
    }
}

/// Refs are reserved in steps, so that not every answer writes a file.
const REF_STEP: u32 = 500;

impl SessionBrowser {
    pub fn new(
        driver: Arc<dyn Driver>,
        place: SessionPaths,
        settings: BrowserSettings,
        guard: Arc<Mutex<Guard>>,
    ) -> SessionBrowser {
        // A session that crashed must not give a ref a second time to another element.
        let record = place.read_record();
        let next_ref = record.as_ref().map_or(1, |record| record.next_ref.max(1));
        SessionBrowser {
            source: BrowserSource::Own { driver, place, guard, policy: Box::default() },
            settings,
            running: None,
            foreseen: None,
            next_ref,
            reserved_refs: next_ref,
            // A session that was ended on purpose leaves no record.
            launches: u32::from(record.is_some()),
            note: None,
        }
    }

    /// Holds the browser that will be started to the domains of this policy.
    pub fn hold_to(&mut self, domains: Policy) {
        if let BrowserSource::Own { policy, .. } = &mut self.source {
            **policy = domains;
        }
    }

    /// One that shares its browser with others.
    pub fn sharing(pool: Arc<Pool>, settings: BrowserSettings) -> SessionBrowser {
        let source = BrowserSource::Shared(pool);
        SessionBrowser {
            source,
            settings,
            running: None,
            foreseen: None,
            next_ref: 1,
            reserved_refs: 1,
            launches: 0,
            note: None,
        }
    }

    pub fn info(&self) -> Option<BrowserInfo> {
        self.running.as_ref().map(|running| running.hold.browser().info())
    }

    pub fn observer(&self) -> Option<Arc<Observer>> {
        self.running.as_ref().map(|running| Arc::clone(&running.observer))
    }

    /// Whether there is a browser that runs, and that has done so far what it was asked to.
    pub fn is_good(&self) -> bool {
        self.running.as_ref().is_some_and(|running| {
            let is_trusted = match &running.hold {
                BrowserHold::Own(_) => true,
                BrowserHold::Shared(share) => share.is_good(),
            };
            is_trusted && !running.observer.is_gone()
        })
    }

    /// Whether only we end the browser: it is ours, and has no window that a user may close.
    pub fn is_kept_by_us(&self) -> bool {
        self.settings.connect.is_none() && self.settings.headless.unwrap_or(true)
    }

    pub fn settings(&self) -> &BrowserSettings {
        &self.settings
    }

    /// Makes sure that a browser runs. A note comes back when an earlier one was lost.
    pub async fn start(&mut self) -> Result<Option<String>, Failure> {
        if let Some(running) = &self.running {
            if !running.observer.is_gone() {
                return Ok(None);
            }
            self.stop().await;
        }
        let lodged = self.lodge().await?;
        self.running = Some(lodged);
        self.launches += 1;
        let again = self.launches > 1;
        Ok(again.then(|| {
            "this session's browser had ended; a new one was started, without the old tabs and logins"
                .to_string()
        }))
    }

    async fn lodge(&mut self) -> Result<Running, Failure> {
        let foreseen = self.foreseen_part().await;
        let (hold, observer) = match &self.source {
            BrowserSource::Own { driver, place, guard, policy } => {
                let observer = Observer::new();
                let sink = Arc::clone(&observer);
                let building = LaunchRequest {
                    driver: &**driver,
                    place,
                    settings: &self.settings,
                    guard,
                    policy,
                    next_ref: self.reserved_refs,
                    first_tab: true,
                };
                (BrowserHold::Own(OwnedBrowser::open(building, sink).await?), observer)
            }
            BrowserSource::Shared(pool) => {
                let (share, observer) = match foreseen {
                    Some(part) => part,
                    None => part_of(pool).await?,
                };
                (BrowserHold::Shared(share), observer)
            }
        };
        let session = Session::new(hold.browser(), Arc::clone(&observer), self.next_ref);
        Ok(Running { session, observer, hold })
    }

    /// Begins to prepare what `lodge_anew` will need, where that can be done beside the work under way.
    pub fn foresee(&mut self) {
        if let BrowserSource::Shared(pool) = &self.source
            && self.foreseen.is_none()
        {
            let pool = Arc::clone(pool);
            self.foreseen = Some(tokio::spawn(async move { part_of(&pool).await }));
        }
    }

    /// What was prepared, if that came to anything and is still good.
    async fn foreseen_part(&mut self) -> Option<ShareWithObserver> {
        let prepared = self.foreseen.take()?.await;
        // Whatever went wrong is met, and told, by who asks again.
        let (share, observer) = prepared.ok()?.ok()?;
        if share.is_good() {
            return Some((share, observer));
        }
        share.leave().await;
        None
    }

    /// Where others use the browser too: leaves all that this one had in it, and begins afresh. False where it has
    /// the browser to itself.
    pub async fn renew_share(&mut self) -> Result<bool, Failure> {
        if !matches!(self.source, BrowserSource::Shared(_)) {
            return Ok(false);
        }
        let fresh = self.lodge().await?;
        let before = self.running.replace(fresh);
        if let Some(Running { hold: BrowserHold::Shared(share), .. }) = before {
            share.leave().await;
        }
        Ok(true)
    }

    pub async fn perform(&mut self, action: &Action, call: &Call) -> Result<Answer, Failure> {
        let Some(running) = &mut self.running else {
            return Err(Failure::new(ErrorCode::Internal, "no browser was started"));
        };
        let result = running.session.perform(action, call).await;
        self.next_ref = running.session.next_ref();
        // Nobody holds the refs of one that shares its browser after its end.
        if let (BrowserSource::Own { place, .. }, BrowserHold::Own(owned)) = (&self.source, &running.hold)
            && self.next_ref > self.reserved_refs
        {
            self.reserved_refs = self.next_ref + REF_STEP;
            let record = BrowserRecord {
                version: RECORD_VERSION,
                profile: owned.profile(),
                next_ref: self.reserved_refs,
            };
            if let Err(err) = place.write_record(&record) {
                let file = place.record_file();
                self.note = Some(format!(
                    "could not write {}: {err}; should the session crash, the next one may reuse refs",
                    file.display()
                ));
            }
        }
        result
    }

    /// What its user should know, once.
    pub fn take_note(&mut self) -> Option<String> {
        self.note.take()
    }

    /// How long the browser was waited for so far.
    pub fn waited(&self) -> Duration {
        self.running.as_ref().map(|running| running.observer.waited()).unwrap_or_default()
    }

    /// Where the target of the last action is on a picture of the page.
    pub fn mark(&self) -> Option<TargetMark> {
        self.running.as_ref().and_then(|running| running.session.mark())
    }

    /// A picture of the page as it is now, taken on its own.
    pub fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure> {
        match &mut self.running {
            Some(running) => running.session.picture(deadline),
            None => Err(Failure::new(ErrorCode::Internal, "no browser was started")),
        }
    }

    /// Breaks something on purpose.
    pub async fn inject(&mut self, fault: &Fault, deadline: Deadline) -> Result<(), Failure> {
        match &mut self.running {
            Some(running) => running.session.inject(fault, deadline).await,
            None => Err(Failure::new(ErrorCode::Internal, "no browser was started")),
        }
    }

    /// Ends all that was broken on purpose.
    pub async fn lift_faults(&mut self, deadline: Deadline) -> Result<(), Failure> {
        match &mut self.running {
            Some(running) => running.session.lift_faults(deadline).await,
            None => Ok(()),
        }
    }

    /// How often what was broken has made a difference.
    pub fn faults_struck(&self) -> u32 {
        self.running.as_ref().map_or(0, |running| running.session.faults_struck())
    }

    /// What the policy held back since this was asked last.
    pub fn take_blocked(&mut self) -> Vec<BlockedRequests> {
        self.running.as_mut().map(|running| running.session.take_blocked()).unwrap_or_default()
    }

    /// Ends the browser, or leaves it to the others who use it.
    pub async fn stop(&mut self) {
        if let Some((share, _)) = self.foreseen_part().await {
            share.leave().await;
        }
        let Some(Running { session, hold, .. }) = self.running.take() else { return };
        drop(session);
        match hold {
            BrowserHold::Own(owned) => owned.close().await,
            BrowserHold::Shared(share) => share.leave().await,
        }
    }

    /// The session was ended on purpose: nobody holds its refs any more, and the next one counts from the start.
    pub fn forget_refs(&self) {
        if let BrowserSource::Own { place, .. } = &self.source {
            // Gone already is as good as removed.
            let _removed = std::fs::remove_file(place.record_file());
        }
    }
}

async fn part_of(pool: &Pool) -> Result<ShareWithObserver, Failure> {
    let observer = Observer::new();
    let share = pool.share(Arc::clone(&observer) as Arc<dyn EventSink>).await?;
    Ok((share, observer))
}

/// What a request asked for, as the client wants to read it.
pub(crate) fn outcome(result: Result<Answer, Failure>, format: Format, budget: Option<usize>) -> Outcome {
    match (result, format) {
        (Ok(answer), Format::Text) => {
            let (text, exit) = render_answer(&answer, budget);
            Outcome::Text { text, exit }
        }
        (Ok(answer), Format::Json) => {
            let exit = u8::from(matches!(answer, Answer::Is { holds: false, .. }));
            Outcome::Answer { answer: Box::new(answer), exit }
        }
        (Err(failure), _) => Outcome::Failed(failure),
    }
}

fn of_guest(limits: &GuestLimits) -> Policy {
    Policy {
        consent: match &limits.agreed {
            Agreed::Nothing => Consent::Needed,
            Agreed::To(refusal) => Consent::To(refusal.clone()),
            Agreed::Everything => Consent::Given,
        },
        files: FileAccess::Project(ProjectFiles {
            folder: PathBuf::from(&limits.folder),
            results: PathBuf::from(&limits.pictures),
            is_trusted: limits.is_trusted,
        }),
        ..Policy::default()
    }
}

pub(crate) fn call_of(request: &assay_protocol::Request, deadline: Deadline) -> Call {
    Call {
        deadline,
        wait: request.wait,
        policy: match &request.by.guest {
            None => Policy { allowed_schemes: request.allow.clone(), ..Policy::default() },
            Some(limits) => Policy { allowed_schemes: request.allow.clone(), ..of_guest(limits) },
        },
    }
}
