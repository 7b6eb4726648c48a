//! One document, and the questions that can be put to its page script.

use std::sync::Arc;
use std::time::Duration;

use assay_driver::{Deadline, DriverError, FrameId, Point, WebPage};
use assay_protocol::{DropSide, Selector, WaitState};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use serde_json::value::RawValue;

use crate::fault::{ElementFault, PageFaults};
use crate::refusal::Answered;
use crate::report::{
    AtReport, Begun, CalmReport, Edge, FrameRow, MapReport, Offer, PageReport, PointReport, QueryReport,
    Read, ReadReport, SceneReport, ScrollReport, SettleReport, StoreItem, StoreReport, WaitReport,
};

/// The document of one frame of a surface.
///
/// `next` is the first ref that is free in the whole session: refs are given out by
/// documents, but no two elements of a session ever get the same one.
#[derive(Clone)]
pub struct Document<'a> {
    pub surface: &'a dyn WebPage,
    pub frame: FrameId,
    pub next: u32,
    /// What is made to go wrong in the pages of the session; none is the rule.
    pub faults: Option<Arc<PageFaults>>,
}

/// A call of the page script that did not come to an answer.
pub type PageError = DriverError;

#[derive(Debug, Clone, Serialize)]
pub struct BeginArguments<'a> {
    pub selector: &'a Selector,
    pub kind: &'static str,
    /// How long the page script may wait by itself, in milliseconds.
    pub patience: u64,
    /// Whether a target that is not there yet is waited for.
    pub wait: bool,
    /// Whether other elements are shut off from the input that follows.
    pub guard: bool,
    /// The event by which the input that follows is known to be complete; `settle` waits for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<&'static str>,
    /// Whether what changes from now on is to be reported by `settle`.
    pub watch: bool,
    /// Whether what changed since a drawn list was opened is part of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub continues: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub options: &'a [String],
    /// Whether the answer says what pressing the target would press, in words.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub labels: bool,
    pub next: u32,
}

/// How long the parts of an arrival may take.
#[derive(Debug, Clone, Copy)]
pub struct ArrivalWait {
    /// Until the `load` event.
    pub load_ms: u64,
    /// For timers that the page set while it loaded.
    pub timers_ms: u64,
    /// For what the page expects to hear over a socket.
    pub patience_ms: u64,
    /// Until the page shows more than that it is loading.
    pub content_ms: u64,
    /// A response has come that the page's code may still be processing.
    pub after_request: bool,
    /// The document was asked before.
    pub is_repeated: bool,
}

#[derive(serde::Deserialize)]
struct Held {
    holds: bool,
}

/// What a new document is asked to say of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Greeting {
    /// Its first heading, messages and dialogs.
    Whole,
    /// Messages and dialogs; the heading may be among them.
    Messages,
}

impl Document<'_> {
    async fn ask<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: impl Serialize,
        deadline: Deadline,
    ) -> Result<T, PageError> {
        let raw = self.call(function, arguments, deadline).await?;
        serde_json::from_str(raw.get()).map_err(|err| something_else(function, &err))
    }

    /// Puts a question about elements, which the page script may refuse.
    async fn ask_about<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: impl Serialize,
        deadline: Deadline,
    ) -> Result<Answered<T>, PageError> {
        let raw = self.call(function, arguments, deadline).await?;
        Answered::read(raw.get()).map_err(|err| something_else(function, &err))
    }

    async fn call(
        &self,
        function: &str,
        arguments: impl Serialize,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, PageError> {
        let arguments =
            self.with_faults(&arguments).map_err(|err| DriverError::Script { message: err.to_string() })?;
        let raw = self.surface.call(&self.frame, function, arguments, deadline).await?;
        if let Some(faults) = &self.faults {
            faults.note(raw.get());
        }
        Ok(raw)
    }

    /// The arguments of a question as JSON, with the texts that are not to be shown.
    fn with_faults(&self, arguments: &impl Serialize) -> serde_json::Result<String> {
        let Some(faults) = self.faults.as_ref().filter(|faults| !faults.texts().is_empty()) else {
            return serde_json::to_string(arguments);
        };
        let mut arguments = serde_json::to_value(arguments)?;
        arguments["faults"] = json!(faults.texts());
        serde_json::to_string(&arguments)
    }

    pub async fn map(
        &self,
        target: Option<&Selector>,
        all: bool,
        deadline: Deadline,
    ) -> Result<Answered<MapReport>, PageError> {
        self.ask_about("map", json!({ "selector": target, "all": all, "next": self.next }), deadline).await
    }

    /// Everything that is seen, whole.
    /// `seen` are the frames that the document around this one shows: what is cut off there is not seen here.
    pub async fn scene(
        &self,
        seen: Option<&[FrameRow]>,
        deadline: Deadline,
    ) -> Result<SceneReport, PageError> {
        self.ask("scene", json!({ "next": self.next, "frames": seen }), deadline).await
    }

    pub async fn query(
        &self,
        selector: &Selector,
        limit: usize,
        quiet: bool,
        deadline: Deadline,
    ) -> Result<Answered<QueryReport>, PageError> {
        let arguments = json!({ "selector": selector, "limit": limit, "quiet": quiet, "next": self.next });
        self.ask_about("query", arguments, deadline).await
    }

    pub async fn count(
        &self,
        selector: &Selector,
        deadline: Deadline,
    ) -> Result<Answered<QueryReport>, PageError> {
        let arguments = json!({ "selector": selector, "count_only": true, "limit": 0, "next": self.next });
        self.ask_about("query", arguments, deadline).await
    }

    /// How many elements of this document an act of `kind` could mean.
    pub async fn count_for(
        &self,
        selector: &Selector,
        kind: &str,
        deadline: Deadline,
    ) -> Result<Answered<QueryReport>, PageError> {
        let arguments =
            json!({ "selector": selector, "kind": kind, "count_only": true, "limit": 0, "next": self.next });
        self.ask_about("query", arguments, deadline).await
    }

    pub async fn read(
        &self,
        selector: Option<&Selector>,
        what: Read,
        name: Option<&str>,
        quiet: bool,
        deadline: Deadline,
    ) -> Result<Answered<ReadReport>, PageError> {
        let arguments =
            json!({ "selector": selector, "what": what, "name": name, "quiet": quiet, "next": self.next });
        self.ask_about("read", arguments, deadline).await
    }

    pub async fn begin(
        &self,
        arguments: &BeginArguments<'_>,
        deadline: Deadline,
    ) -> Result<Answered<Begun>, PageError> {
        self.ask_about("begin", arguments, deadline).await
    }

    /// Starts watching for changes where there is no target.
    pub async fn watch(&self, deadline: Deadline) -> Result<(), PageError> {
        self.ask::<serde::de::IgnoredAny>("watch", json!({ "next": self.next }), deadline).await.map(drop)
    }

    /// Shuts this document off from input that is meant for a frame inside it.
    pub async fn shield(&self, keys: bool, deadline: Deadline) -> Result<(), PageError> {
        self.ask::<serde::de::IgnoredAny>("shield", json!({ "keys": keys }), deadline).await.map(drop)
    }

    /// Where in this document a point of a frame is, if it can be pointed at there. The frame is the one whose
    /// content begins at `origin`; the point is as the frame itself counts.
    pub async fn frame_at(
        &self,
        inner: Point,
        origin: Point,
        deadline: Deadline,
    ) -> Result<PointReport, PageError> {
        let arguments =
            json!({ "x": inner.x, "y": inner.y, "left": origin.x, "top": origin.y, "next": self.next });
        self.ask("frameAt", arguments, deadline).await
    }

    /// What lies at a point of this document.
    pub async fn at(&self, point: Point, deadline: Deadline) -> Result<AtReport, PageError> {
        self.ask("at", json!({ "x": point.x, "y": point.y, "next": self.next }), deadline).await
    }

    /// Whether anything in this document has the focus.
    pub async fn has_focus(&self, deadline: Deadline) -> Result<bool, PageError> {
        #[derive(serde::Deserialize)]
        struct Focus {
            holds: bool,
        }
        self.ask::<Focus>("focus", json!({}), deadline).await.map(|focus| focus.holds)
    }

    /// Waits until the page has done what it does because of the act, and tells what changed since it
    /// began. `after_request` leaves the page time to take in an answer from the network. A page that shows that it
    /// works on the act, or expects to hear something over a socket, has `patience_ms`.
    pub async fn settle(
        &self,
        cap_ms: u64,
        patience_ms: u64,
        after_request: bool,
        deadline: Deadline,
    ) -> Result<SettleReport, PageError> {
        let arguments = json!({
            "cap": cap_ms, "patience": patience_ms, "after_request": after_request, "next": self.next,
        });
        self.ask("settle", arguments, deadline).await
    }

    /// The same, asked right behind `begin`, before its answer is there: so the page script awaits the
    /// input already when it comes, and tells what came of it before the page is painted. `SettleStatus::NoInput` when
    /// it had not come by then.
    pub async fn settle_after_begin(
        &self,
        cap_ms: u64,
        patience_ms: u64,
        deadline: Deadline,
    ) -> Result<SettleReport, PageError> {
        let arguments = json!({
            "cap": cap_ms, "patience": patience_ms, "after_begin": true, "next": self.next,
        });
        self.ask("settle", arguments, deadline).await
    }

    /// What a new document shows first, once it is loaded and quiet and shows more than that it is loading.
    pub async fn arrived(
        &self,
        wait: &ArrivalWait,
        greeting: Greeting,
        deadline: Deadline,
    ) -> Result<SettleReport, PageError> {
        let arguments = json!({
            "cap": wait.timers_ms, "patience": wait.patience_ms, "load": wait.load_ms, "most": wait.content_ms,
            "after_request": wait.after_request, "again": wait.is_repeated,
            "headings": greeting == Greeting::Whole, "next": self.next,
        });
        self.ask("arrived", arguments, deadline).await
    }

    /// Waits until a drawn list offers an option, and goes through a list that is scrolled if asked to.
    pub async fn offered(
        &self,
        element: u32,
        wanted: &str,
        patience: Duration,
        scroll: bool,
        deadline: Deadline,
    ) -> Result<Offer, PageError> {
        let patience = patience.as_millis() as u64;
        let arguments = json!({ "element": element, "wanted": wanted, "patience": patience, "scroll": scroll, "next": self.next });
        self.ask("offered", arguments, deadline).await
    }

    /// Whether a drawn list shows that it has taken an option.
    pub async fn took(
        &self,
        element: u32,
        option: u32,
        wanted: &str,
        deadline: Deadline,
    ) -> Result<bool, PageError> {
        let arguments = json!({ "element": element, "option": option, "wanted": wanted, "next": self.next });
        self.ask::<Held>("took", arguments, deadline).await.map(|seen| seen.holds)
    }

    /// Whether the page is still on its way: it shows so, expects to hear something, or has changed a moment ago.
    pub async fn is_underway(&self, deadline: Deadline) -> Result<bool, PageError> {
        self.ask::<Held>("isUnderway", json!({}), deadline).await.map(|seen| seen.holds)
    }

    pub async fn page(&self, deadline: Deadline) -> Result<PageReport, PageError> {
        self.ask("page", json!({}), deadline).await
    }

    pub async fn diff(&self, deadline: Deadline) -> Result<SettleReport, PageError> {
        self.ask("diff", json!({ "next": self.next }), deadline).await
    }

    pub async fn wait_for_element(
        &self,
        selector: &Selector,
        state: WaitState,
        patience_ms: u64,
        deadline: Deadline,
    ) -> Result<Answered<WaitReport>, PageError> {
        let arguments =
            json!({ "selector": selector, "state": state, "patience": patience_ms, "next": self.next });
        self.ask_about("waitFor", arguments, deadline).await
    }

    pub async fn wait_for_text(
        &self,
        text: &str,
        gone: bool,
        patience_ms: u64,
        deadline: Deadline,
    ) -> Result<Answered<WaitReport>, PageError> {
        let arguments = json!({ "text": text, "gone": gone, "patience": patience_ms, "next": self.next });
        self.ask_about("waitFor", arguments, deadline).await
    }

    /// Waits until nothing has changed in the document for a moment, for at most `patience_ms`.
    pub async fn calm(
        &self,
        moment_ms: u64,
        patience_ms: u64,
        deadline: Deadline,
    ) -> Result<CalmReport, PageError> {
        let arguments = json!({ "moment": moment_ms, "patience": patience_ms, "next": self.next });
        self.ask("calm", arguments, deadline).await
    }

    /// Of the page, and of everything around an element.
    pub async fn scroll_info(
        &self,
        element: Option<u32>,
        deadline: Deadline,
    ) -> Result<ScrollReport, PageError> {
        self.ask("scrollInfo", json!({ "element": element }), deadline).await
    }

    pub async fn scroll_to_edge(&self, edge: Edge, deadline: Deadline) -> Result<ScrollReport, PageError> {
        self.ask("scrollEdge", json!({ "edge": edge }), deadline).await
    }

    pub async fn local_store(
        &self,
        set: Option<&[StoreItem]>,
        deadline: Deadline,
    ) -> Result<StoreReport, PageError> {
        self.ask("localStore", json!({ "set": set }), deadline).await
    }

    pub async fn option_point(
        &self,
        element: u32,
        index: i64,
        deadline: Deadline,
    ) -> Result<PointReport, PageError> {
        self.ask("optionPoint", json!({ "element": element, "index": index }), deadline).await
    }

    pub async fn centre(
        &self,
        element: u32,
        side: DropSide,
        deadline: Deadline,
    ) -> Result<PointReport, PageError> {
        let asked = json!({ "element": element, "side": side, "next": self.next });
        self.ask("centre", asked, deadline).await
    }

    /// Has one element suffer a fault for as long as this document lives. The answer tells which it is.
    pub async fn suffer(
        &self,
        target: &Selector,
        fault: ElementFault,
        deadline: Deadline,
    ) -> Result<Answered<QueryReport>, PageError> {
        self.ask_about("fault", json!({ "selector": target, "kind": fault, "next": self.next }), deadline)
            .await
    }

    /// Ends all faults of this document; what they took away is there again.
    pub async fn lift_faults(&self, deadline: Deadline) -> Result<(), PageError> {
        self.ask::<serde::de::IgnoredAny>("lift", json!({}), deadline).await.map(drop)
    }

    /// Draws refs over everything that can be acted on; gives the first free ref.
    pub async fn annotate(&self, full_page: bool, deadline: Deadline) -> Result<u32, PageError> {
        #[derive(serde::Deserialize)]
        struct Annotated {
            next: u32,
        }
        let arguments = json!({ "full_page": full_page, "next": self.next });
        self.ask::<Annotated>("annotate", arguments, deadline).await.map(|annotated| annotated.next)
    }

    pub async fn remove_marks(&self, deadline: Deadline) -> Result<(), PageError> {
        self.ask::<serde::de::IgnoredAny>("unmark", json!({}), deadline).await.map(drop)
    }

    pub async fn highlight(&self, element: u32, ms: u64, deadline: Deadline) -> Result<(), PageError> {
        self.ask::<serde::de::IgnoredAny>("highlight", json!({ "element": element, "ms": ms }), deadline)
            .await
            .map(drop)
    }
}

fn something_else(function: &str, err: &serde_json::Error) -> PageError {
    DriverError::Script { message: format!("{function} answered something else: {err}") }
}
