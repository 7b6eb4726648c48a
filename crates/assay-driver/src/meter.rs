//! The time spent waiting for a browser, measured at the seam: the rest of a step's time is our own.

use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use assay_protocol::{CookieInfo, Emulation, Route, RouteCount};
use serde_json::value::RawValue;

use crate::{
    Capability, Capture, Deadline, DragPath, Evaluation, Frame, FrameId, KeyStroke, Modifiers, Navigation,
    NetworkFault, Point, PointerStep, Reply, Surface, SurfaceId, Viewport, WebPage,
};

/// Adds up the time during which at least one answer of a browser is pending. Two at once count once.
#[derive(Debug, Default)]
pub struct Meter {
    state: Mutex<Reading>,
}

#[derive(Debug, Default)]
struct Reading {
    waiting: u32,
    since: Option<Instant>,
    total: Duration,
}

impl Meter {
    /// The waiting time so far, including a current wait.
    pub fn waited(&self) -> Duration {
        let state = self.state();
        state.total + state.since.map(|since| since.elapsed()).unwrap_or_default()
    }

    /// Counts the time that `work` takes as waiting, from its first poll until it ends or is dropped.
    pub async fn during<T>(&self, work: impl Future<Output = T>) -> T {
        let _wait = Wait::begin(self);
        work.await
    }

    fn state(&self) -> MutexGuard<'_, Reading> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Wait<'a>(&'a Meter);

impl Wait<'_> {
    fn begin(meter: &Meter) -> Wait<'_> {
        let mut state = meter.state();
        state.waiting += 1;
        state.since.get_or_insert_with(Instant::now);
        drop(state);
        Wait(meter)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.waiting -= 1;
        if state.waiting == 0
            && let Some(since) = state.since.take()
        {
            state.total += since.elapsed();
        }
    }
}

/// A page whose pending answers a meter counts. It does nothing else.
pub struct MeteredPage {
    page: Arc<dyn WebPage>,
    meter: Arc<Meter>,
}

impl MeteredPage {
    pub fn new(page: Arc<dyn WebPage>, meter: Arc<Meter>) -> Arc<MeteredPage> {
        Arc::new(MeteredPage { page, meter })
    }

    fn metered<'a, T: 'a>(&'a self, reply: Reply<'a, T>) -> Reply<'a, T> {
        Box::pin(self.meter.during(reply))
    }
}

impl Surface for MeteredPage {
    fn id(&self) -> SurfaceId {
        self.page.id()
    }

    fn capabilities(&self) -> &'static [Capability] {
        self.page.capabilities()
    }

    fn pointer(&self, steps: Vec<PointerStep>, modifiers: Modifiers, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.pointer(steps, modifiers, deadline))
    }

    fn keys(&self, strokes: Vec<KeyStroke>, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.keys(strokes, deadline))
    }

    fn insert_text(&self, text: String, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.insert_text(text, deadline))
    }

    fn drag(&self, path: DragPath, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.drag(path, deadline))
    }

    fn capture(&self, capture: Capture, deadline: Deadline) -> Reply<'_, Vec<u8>> {
        self.metered(self.page.capture(capture, deadline))
    }

    fn close(&self, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.close(deadline))
    }
}

impl WebPage for MeteredPage {
    fn frames(&self) -> Vec<Frame> {
        self.page.frames()
    }

    fn frames_in_order(&self, deadline: Deadline) -> Reply<'_, Vec<Frame>> {
        self.metered(self.page.frames_in_order(deadline))
    }

    fn main_frame(&self) -> FrameId {
        self.page.main_frame()
    }

    fn call<'a>(
        &'a self,
        frame: &'a FrameId,
        function: &'a str,
        arguments: String,
        deadline: Deadline,
    ) -> Reply<'a, Box<RawValue>> {
        self.metered(self.page.call(frame, function, arguments, deadline))
    }

    fn evaluate(&self, expression: String, deadline: Deadline) -> Reply<'_, Evaluation> {
        self.metered(self.page.evaluate(expression, deadline))
    }

    fn frame_offset<'a>(&'a self, frame: &'a FrameId, deadline: Deadline) -> Reply<'a, Point> {
        self.metered(self.page.frame_offset(frame, deadline))
    }

    fn navigate(&self, url: String, deadline: Deadline) -> Reply<'_, Navigation> {
        self.metered(self.page.navigate(url, deadline))
    }

    fn opening(&self, deadline: Deadline) -> Reply<'_, Navigation> {
        self.metered(self.page.opening(deadline))
    }

    fn stop_loading(&self, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.stop_loading(deadline))
    }

    fn end_scripts(&self, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.end_scripts(deadline))
    }

    fn go_in_history(&self, delta: i32, deadline: Deadline) -> Reply<'_, bool> {
        self.metered(self.page.go_in_history(delta, deadline))
    }

    fn reload(&self, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.reload(deadline))
    }

    fn set_files<'a>(
        &'a self,
        frame: &'a FrameId,
        element: u32,
        files: Vec<PathBuf>,
        deadline: Deadline,
    ) -> Reply<'a, ()> {
        self.metered(self.page.set_files(frame, element, files, deadline))
    }

    fn pdf(&self, deadline: Deadline) -> Reply<'_, Vec<u8>> {
        self.metered(self.page.pdf(deadline))
    }

    fn answer_dialog(&self, accept: Option<String>, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.answer_dialog(accept, deadline))
    }

    fn set_viewport(&self, viewport: Viewport, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.set_viewport(viewport, deadline))
    }

    fn cookies(&self, deadline: Deadline) -> Reply<'_, Vec<CookieInfo>> {
        self.metered(self.page.cookies(deadline))
    }

    fn set_cookies(&self, cookies: Vec<CookieInfo>, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.set_cookies(cookies, deadline))
    }

    fn clear_cookies(&self, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.clear_cookies(deadline))
    }

    fn set_network_fault(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.set_network_fault(fault, deadline))
    }

    fn emulation(&self) -> Emulation {
        self.page.emulation()
    }

    fn emulate(&self, emulation: Emulation, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.emulate(emulation, deadline))
    }

    fn routes(&self) -> Vec<RouteCount> {
        self.page.routes()
    }

    fn set_routes(&self, routes: Vec<Route>, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.set_routes(routes, deadline))
    }

    fn activate(&self, deadline: Deadline) -> Reply<'_, ()> {
        self.metered(self.page.activate(deadline))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_waits_at_once_count_once() {
        let meter = Meter::default();
        assert_eq!(meter.waited(), Duration::ZERO);
        let (first, second) = (Wait::begin(&meter), Wait::begin(&meter));
        drop(first);
        assert!(meter.state().since.is_some(), "the second goes on");
        drop(second);
        let waited = meter.waited();
        assert!(meter.state().since.is_none() && meter.state().waiting == 0);
        assert_eq!(meter.waited(), waited, "nothing is counted while nobody waits");
    }
}
