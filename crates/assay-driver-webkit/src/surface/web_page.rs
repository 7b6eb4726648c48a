//! What a tab of WebKit can do because it shows documents.

use std::path::PathBuf;

use assay_driver::{
    Capability, Deadline, Evaluation, Frame, FrameId, Navigation, NetworkFault, Point, Reply, Surface,
    Viewport, WebPage,
};
use assay_protocol::{CookieInfo, Emulation, Route, RouteCount};
use serde_json::json;
use serde_json::value::RawValue;

use super::{WebKitSurface, lock, unsupported};
use crate::frames::MAIN;

impl WebPage for WebKitSurface {
    fn frames(&self) -> Vec<Frame> {
        self.frame_table().list()
    }

    fn frames_in_order(&self, deadline: Deadline) -> Reply<'_, Vec<Frame>> {
        Box::pin(self.watched(self.ordered_frames(deadline)))
    }

    fn main_frame(&self) -> FrameId {
        FrameId(MAIN.to_string())
    }

    fn call<'a>(
        &'a self,
        frame: &'a FrameId,
        function: &'a str,
        arguments: String,
        deadline: Deadline,
    ) -> Reply<'a, Box<RawValue>> {
        Box::pin(self.watched(self.call_page_script(frame, function, arguments, deadline)))
    }

    fn evaluate(&self, expression: String, deadline: Deadline) -> Reply<'_, Evaluation> {
        self.browser.used(self.id());
        Box::pin(self.watched(self.evaluate_for_user(expression, deadline)))
    }

    fn frame_offset<'a>(&'a self, frame: &'a FrameId, deadline: Deadline) -> Reply<'a, Point> {
        Box::pin(self.watched(self.offset_of(frame, deadline)))
    }

    fn navigate(&self, url: String, deadline: Deadline) -> Reply<'_, Navigation> {
        Box::pin(self.watched(self.go(url, deadline)))
    }

    fn stop_loading(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let stopped = self.ask_document(MAIN, None, "window.stop()")?;
            stopped.until(deadline).await.map(drop)
        })
    }

    fn end_scripts(&self, _deadline: Deadline) -> Reply<'_, ()> {
        unsupported(Capability::EndScripts)
    }

    fn go_in_history(&self, delta: i32, deadline: Deadline) -> Reply<'_, bool> {
        Box::pin(self.watched(self.step(delta, deadline)))
    }

    fn reload(&self, deadline: Deadline) -> Reply<'_, ()> {
        let params = json!({ "pageLoadStrategy": "None" });
        Box::pin(self.drive("reloadBrowsingContext", params, deadline))
    }

    fn set_files<'a>(
        &'a self,
        frame: &'a FrameId,
        element: u32,
        files: Vec<PathBuf>,
        deadline: Deadline,
    ) -> Reply<'a, ()> {
        Box::pin(self.watched(self.give_files(frame, element, files, deadline)))
    }

    fn pdf(&self, _deadline: Deadline) -> Reply<'_, Vec<u8>> {
        unsupported(Capability::Pdf)
    }

    fn answer_dialog(&self, accept: Option<String>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.answer_open_dialog(accept, deadline))
    }

    fn set_viewport(&self, viewport: Viewport, deadline: Deadline) -> Reply<'_, ()> {
        *lock(&self.viewport) = Some(viewport);
        lock(&self.pointer).forget_place();
        Box::pin(self.resize(viewport, deadline))
    }

    fn cookies(&self, deadline: Deadline) -> Reply<'_, Vec<CookieInfo>> {
        Box::pin(self.all_cookies(deadline))
    }

    fn set_cookies(&self, cookies: Vec<CookieInfo>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.add_cookies(cookies, deadline))
    }

    fn clear_cookies(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let params = json!({ "browsingContextHandle": self.handle(deadline).await? });
            self.automation("deleteAllCookies", params, deadline).await?;
            // It is answered before it is done. What is asked behind it is not.
            self.all_cookies(deadline).await.map(drop)
        })
    }

    fn set_network_fault(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.arm(fault, deadline))
    }

    fn emulation(&self) -> Emulation {
        self.browser.with_settings(|settings| settings.emulation.clone())
    }

    fn emulate(&self, emulation: Emulation, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.watched(self.emulate_everywhere(emulation, deadline)))
    }

    fn routes(&self) -> Vec<RouteCount> {
        self.browser.with_settings(|settings| settings.routes.counts().to_vec())
    }

    fn set_routes(&self, routes: Vec<Route>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.route_everywhere(routes, deadline))
    }

    fn activate(&self, deadline: Deadline) -> Reply<'_, ()> {
        lock(&self.pointer).forget_place();
        Box::pin(async move {
            let params = json!({ "browsingContextHandle": self.handle(deadline).await? });
            self.automation("switchToBrowsingContext", params, deadline).await.map(drop)
        })
    }
}
