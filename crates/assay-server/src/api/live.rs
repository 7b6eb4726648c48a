//! Live pages: looked at by everybody, used and stepped through by whoever opened them.

use std::sync::Arc;
use std::time::Duration;

use assay_host::{HandAct, HandDone, LiveElement, LiveLog, LiveUpdate, LiveView, PageStatus, StepOutcome};
use assay_protocol::{Agreed, ErrorCode, LockPriority};
use assay_tools::{CallSpec, DeviceWish, Draft, draft_of};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::test_files::problem_of;
use crate::live::{HeldDevice, HeldPage, NO_FILE, text_of};
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};
use crate::seams::LiveTest;

/// How long a request waits for a change.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// Control that nobody uses ends; each act renews it.
const CONTROL: Duration = Duration::from_secs(10 * 60);

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewPage {
    /// The text of a test file, as it stands: its test is stepped through.
    text: Option<String>,
    /// The file that the text is, or would be.
    path: Option<String>,
    /// The name of the test, where the text has several.
    test: Option<String>,
    /// Take the steps at once, up to a stop or a step that does not pass.
    #[serde(default)]
    go_on: bool,
    /// Without a text: the address to open, or a path of the application.
    url: Option<String>,
    /// The page of an open session instead, such as `session:default`.
    device: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PageName {
    page: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LivePageList {
    items: Vec<LivePageLine>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LivePageLine {
    page: String,
    owner: String,
    /// You opened it, so you may act.
    mine: bool,
    /// The file whose test is stepped through; empty where there is none.
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<String>,
    /// The device is controlled at this page.
    controlled: bool,
    status: PageStatus,
    url: String,
    title: String,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LookQuery {
    /// `state` of the answer before; without it, everything is new.
    #[serde(default)]
    state: u64,
    /// The number of the picture that is known.
    #[serde(default)]
    picture: u64,
    /// Wait so many milliseconds for something new; 0 without it, 20000 at most.
    #[serde(default)]
    wait_ms: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Elements {
    items: Vec<LiveElement>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct DoneByHand {
    #[serde(flatten)]
    act: HandAct,
    /// Say it as a sentence, in `recorded` of the page.
    #[serde(default)]
    record: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum StepOrder {
    /// Take the next step; after the last one, say what the claims come to.
    Next,
    /// Take all steps up to a stop, a step that does not pass, or the end.
    GoOn,
    /// Stop before the next step.
    Pause,
    /// Leave the next step out.
    Skip,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Steps {
    order: StepOrder,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewPageText {
    /// The whole text. Steps that are over stay over.
    text: String,
    /// The name of the test, where the text has several.
    test: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Stops {
    /// Lines of steps.
    lines: Vec<usize>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Sentence {
    sentence: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Place {
    /// An element of the list of elements; or else a point.
    #[serde(rename = "ref")]
    reference: Option<String>,
    x: Option<f64>,
    y: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Claims {
    /// Each holds now, and is understood.
    items: Vec<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Control {
    /// Take control of the device, or give it back.
    take: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ControlView {
    device: String,
    taken: bool,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/live", "list_live_pages", "List the live pages", list),
        Route::write_as(
            Method::Post,
            "/server/live",
            "open_live_page",
            "Open a page that is looked at, used by hand, and on which a test is stepped through",
            StatusCode::CREATED,
            open,
        )
        .without_key(),
        Route::get("/server/live/{page}", "look_at_live_page", "Wait for what is new on a live page", look),
        Route::get(
            "/server/live/{page}/elements",
            "list_live_elements",
            "List what a live page shows",
            elements,
        ),
        Route::get(
            "/server/live/{page}/log",
            "get_live_log",
            "Read the console and the network of a live page",
            log,
        ),
        Route::write(
            Method::Post,
            "/server/live/{page}/acts",
            "act_on_live_page",
            "Use a live page by hand",
            act,
        )
        .without_key(),
        Route::write(
            Method::Post,
            "/server/live/{page}/steps",
            "take_live_step",
            "Say what a live page does next",
            step,
        )
        .without_key(),
        Route::write(
            Method::Put,
            "/server/live/{page}/text",
            "edit_live_test",
            "Change the test of a live page without starting anew",
            edit,
        )
        .without_key(),
        Route::write(
            Method::Put,
            "/server/live/{page}/stops",
            "set_live_stops",
            "Say before which lines a live page stops",
            stops,
        )
        .without_key(),
        Route::write(
            Method::Post,
            "/server/live/{page}/tries",
            "try_sentence",
            "Try a sentence on a live page; it is no step of the test",
            try_sentence,
        )
        .without_key(),
        Route::write(
            Method::Post,
            "/server/live/{page}/checks",
            "propose_claims",
            "Say what could be claimed of an element of a live page",
            check,
        )
        .asking_only(),
        Route::write(
            Method::Post,
            "/server/live/{page}/claims",
            "record_claim",
            "Record a claim that holds",
            claim,
        )
        .without_key(),
        Route::write(
            Method::Post,
            "/server/live/{page}/recording/end",
            "end_recording",
            "Say what was typed last, and end the recording",
            end_recording,
        )
        .without_key(),
        Route::write(
            Method::Post,
            "/server/live/{page}/control",
            "control_live_device",
            "Take control of the device of a live page, or give it back",
            control,
        )
        .without_key(),
        Route::write(
            Method::Delete,
            "/server/live/{page}",
            "end_live_page",
            "End a live page and its browser",
            end,
        )
        .without_key(),
    ]
}

fn list(asked: &Asked, _: Nothing) -> Result<LivePageList, Problem> {
    let line = |(page, held): (String, Arc<HeldPage>)| {
        let LiveView { status, url, title, .. } = held.page.view();
        LivePageLine {
            page,
            owner: held.owner.clone(),
            mine: held.owner == asked.caller.name,
            path: held.path.clone(),
            device: held.device.as_ref().map(|device| device.device.clone()),
            controlled: held.device.as_ref().is_some_and(|device| *device.is_taken()),
            status,
            url,
            title,
        }
    };
    Ok(LivePageList { items: asked.service.live.all().into_iter().map(line).collect() })
}

/// The page, for the one who opened it.
pub(super) fn own_page(asked: &Asked) -> Result<Arc<HeldPage>, Problem> {
    owned_by_caller(asked, asked.part("page"))
}

pub(super) fn owned_by_caller(asked: &Asked, page: &str) -> Result<Arc<HeldPage>, Problem> {
    let held = asked.service.live.find(page)?;
    if held.owner == asked.caller.name {
        return Ok(held);
    }
    Err(Problem::forbidden(format!("this page belongs to {}; others only look at it", held.owner)))
}

fn draft(asked: &Asked, path: &str, text: &str) -> Result<Draft, Problem> {
    draft_of(&asked.service.seams.program.folder(), path, text).map_err(problem_of)
}

fn open(asked: &Asked, new: NewPage) -> Result<PageName, Problem> {
    let (service, owner) = (&asked.service, asked.caller.name.clone());
    let _place = service.place_for_call()?;
    service.live.check_room(&owner)?;
    if let Some(device) = &new.device {
        let number = format!("live {device}");
        let session = service.sessions.session_of(&owner, &number)?;
        // A device is no test, but it is read and masked like one.
        let file = draft(asked, NO_FILE, &text_of("Live page", "Reload the page"))?;
        let page = service.seams.live.open_device(file.path(), device, &session)?;
        let device = HeldDevice { device: device.clone(), session, is_taken: std::sync::Mutex::new(false) };
        let task = std::sync::Mutex::default();
        let held = HeldPage { page, owner, path: String::new(), device: Some(device), task };
        return Ok(PageName { page: service.live.keep(held)? });
    }
    let path = new.path.clone().unwrap_or_else(|| NO_FILE.to_string());
    let (text, goes_on) = match (&new.text, &new.url) {
        (Some(text), _) => (text.clone(), new.go_on),
        (None, url) => (text_of("Live page", &format!("Go to {}", url.as_deref().unwrap_or("/"))), true),
    };
    let file = draft(asked, &path, &text)?;
    let test = LiveTest {
        file: file.path(),
        draft_of: new.text.is_some().then(|| file.target()),
        name: new.test.as_deref(),
        is_going: goes_on,
    };
    let page = service.seams.live.open(&test)?;
    let path = if new.text.is_some() { path } else { String::new() };
    Ok(PageName {
        page: service.live.keep(HeldPage {
            page,
            owner,
            path,
            device: None,
            task: std::sync::Mutex::default(),
        })?,
    })
}

fn look(asked: &Asked, query: LookQuery) -> Result<LiveUpdate, Problem> {
    let held = asked.service.live.find(asked.part("page"))?;
    let most = Duration::from_millis(query.wait_ms).min(LONGEST_WAIT);
    let is_gone = || asked.is_gone() || asked.service.stop.is_cancelled();
    Ok(held.page.await_change(query.state, query.picture, most, &is_gone)?)
}

fn elements(asked: &Asked, _: Nothing) -> Result<Elements, Problem> {
    let _place = asked.service.place_for_call()?;
    Ok(Elements { items: asked.service.live.find(asked.part("page"))?.page.elements()? })
}

fn log(asked: &Asked, _: Nothing) -> Result<LiveLog, Problem> {
    let _place = asked.service.place_for_call()?;
    Ok(asked.service.live.find(asked.part("page"))?.page.log()?)
}

fn act(asked: &Asked, done: DoneByHand) -> Result<HandDone, Problem> {
    let held = own_page(asked)?;
    needs_control(&held)?;
    let _place = asked.service.place_for_call()?;
    Ok(held.page.by_hand(done.act, done.record)?)
}

/// The page of a device is used only by who controls it.
pub(super) fn needs_control(held: &HeldPage) -> Result<(), Problem> {
    match &held.device {
        Some(device) if !*device.is_taken() => {
            let message = format!("take control of `{}` first", device.device);
            Err(Problem::new(StatusCode::CONFLICT, ErrorCode::DeviceBusy.name(), message))
        }
        _ => Ok(()),
    }
}

fn step(asked: &Asked, steps: Steps) -> Result<LiveView, Problem> {
    let held = own_page(asked)?;
    needs_control(&held)?;
    match steps.order {
        StepOrder::Next => held.page.next()?,
        StepOrder::GoOn => held.page.go_on()?,
        StepOrder::Skip => held.page.skip()?,
        StepOrder::Pause => held.page.pause(),
    }
    Ok(held.page.view())
}

fn edit(asked: &Asked, new: NewPageText) -> Result<LiveView, Problem> {
    let held = own_page(asked)?;
    let file = draft(asked, held.path_or_none(), &new.text)?;
    held.page.edit(file.path(), new.test.as_deref())?;
    Ok(held.page.view())
}

fn stops(asked: &Asked, stops: Stops) -> Result<LiveView, Problem> {
    let held = own_page(asked)?;
    held.page.stop_at(stops.lines)?;
    Ok(held.page.view())
}

fn try_sentence(asked: &Asked, tried: Sentence) -> Result<StepOutcome, Problem> {
    let held = own_page(asked)?;
    needs_control(&held)?;
    let _place = asked.service.place_for_call()?;
    let file = draft(asked, held.path_or_none(), &text_of("Tried", &tried.sentence))?;
    Ok(held.page.try_sentence(file.path())?)
}

fn check(asked: &Asked, place: Place) -> Result<Claims, Problem> {
    let held = own_page(asked)?;
    let _place = asked.service.place_for_call()?;
    let items = match (place.reference, place.x, place.y) {
        (Some(reference), None, None) => held.page.claims_of(&reference)?,
        (None, Some(x), Some(y)) => held.page.claims_at(x, y)?,
        _ => return Err(Problem::usage("expected `ref`, or `x` and `y`")),
    };
    Ok(Claims { items })
}

fn claim(asked: &Asked, claim: Sentence) -> Result<LiveView, Problem> {
    let held = own_page(asked)?;
    let _place = asked.service.place_for_call()?;
    held.page.record_claim(&claim.sentence)?;
    Ok(held.page.view())
}

fn end_recording(asked: &Asked, _: Nothing) -> Result<LiveView, Problem> {
    let held = own_page(asked)?;
    held.page.end_recording()?;
    Ok(held.page.view())
}

fn control(asked: &Asked, control: Control) -> Result<ControlView, Problem> {
    let held = own_page(asked)?;
    let Some(device) = &held.device else {
        return Err(Problem::usage("this page is no device: its browser is its own"));
    };
    match control.take {
        true => {
            let wish = DeviceWish {
                device: device.device.clone(),
                period: CONTROL,
                wait: None,
                priority: LockPriority::Normal,
                purpose: format!("{} at a live page", asked.caller.name),
            };
            let is_gone = || asked.is_gone();
            let spec = spec_of(&device.session, &is_gone);
            asked.service.seams.program.take_control(&spec, wish)?;
            *device.is_taken() = true;
        }
        false => release(asked, device)?,
    }
    Ok(ControlView { device: device.device.clone(), taken: control.take })
}

fn spec_of<'a>(session: &'a str, is_stopped: &'a dyn Fn() -> bool) -> CallSpec<'a> {
    CallSpec { session, agreed: &Agreed::Nothing, tell: &|_| {}, is_stopped }
}

fn release(asked: &Asked, device: &HeldDevice) -> Result<(), Problem> {
    let mut is_taken = device.is_taken();
    if std::mem::take(&mut *is_taken) {
        let spec = spec_of(&device.session, &|| false);
        asked.service.seams.program.release_control(&spec, &device.device)?;
    }
    Ok(())
}

fn end(asked: &Asked, _: Nothing) -> Result<LivePageList, Problem> {
    let held = own_page(asked)?;
    asked.service.live.remove(asked.part("page"));
    held.page.end();
    if let Some(device) = &held.device {
        // Control that has ended already keeps nothing from ending.
        let _over = release(asked, device);
        let _forgotten = asked.service.sessions.end(&asked.caller.name, &format!("live {}", device.device));
    }
    list(asked, Nothing {})
}
