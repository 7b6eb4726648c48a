//! Targets that come and go: what a new one is sent before it may run, and which tab it belongs to.

use std::sync::Arc;

use assay_driver::{ContextId, DriverEvent, SurfaceId, WebPage};
use assay_protocol::Emulation;
use assay_wire::PendingReply;
use serde_json::json;

use super::{SessionKind, Shared, parse};
use crate::fault::interception;
use crate::protocol::*;
use crate::surface::{Beginning, ChromiumSurface};
use crate::worlds::TELL_WORLDS;

impl Shared {
    /// A new target waits until it is told to run. Nothing may be awaited before that:
    /// some replies only come once it runs.
    pub(super) fn attached(self: &Arc<Self>, event: AttachedToTarget, parent_session: Option<&str>) {
        let session = event.session_id;
        let info = event.target_info;
        let connection = self.connection();
        let own_page =
            info.kind == "page" && !info.url.starts_with("chrome://") && !info.url.starts_with("devtools://");
        let tab = if own_page {
            Some((info.target_id.clone(), SessionKind::Page))
        } else if info.kind == "iframe" {
            let state = self.state();
            parent_session
                .and_then(|parent| state.sessions.get(parent))
                .map(|(tab, _)| (tab.clone(), SessionKind::Frame))
        } else {
            None
        };
        let Some((tab, kind)) = tab else {
            if event.waiting_for_debugger {
                drop(connection.send(Some(&session), "Runtime.runIfWaitingForDebugger", json!({})));
            }
            let params = json!({ "sessionId": session });
            drop(connection.send(parent_session, "Target.detachFromTarget", params));
            return;
        };
        let mut state = self.state();
        state.sessions.insert(session.clone(), (tab.clone(), kind));
        // Asked after the session is known, so that a fault that is set meanwhile reaches it by one way or the other.
        let owner = state.surfaces.get(&tab);
        let context = match kind {
            SessionKind::Page => info.browser_context_id.as_deref(),
            SessionKind::Frame => owner.and_then(|surface| surface.context()),
        };
        let settings = state.settings.get(context.unwrap_or_default());
        let held_back = owner
            .and_then(|surface| surface.fault_command(settings))
            .or_else(|| interception(None, settings));
        let emulation = settings.map(|settings| settings.emulation.clone()).unwrap_or_default();
        let beginning = match kind {
            SessionKind::Page => state.beginning_of(&info),
            SessionKind::Frame => Beginning::Unknown,
        };
        if beginning != Beginning::Empty {
            drop(self.install_scripts(&session));
        }
        let commands = self.first_commands(kind).into_iter().chain(held_back);
        // Asked for its worlds, the empty document would make them and run our scripts, and then be replaced.
        let is_early = |method: &str| beginning == Beginning::Addressed && method == TELL_WORLDS;
        for (method, params) in commands.filter(|(method, _)| !is_early(method)) {
            drop(connection.send(Some(&session), method, params));
        }
        let surface = match kind {
            SessionKind::Frame => owner.cloned(),
            SessionKind::Page => Some(ChromiumSurface::new(
                Arc::clone(self),
                tab.clone(),
                session.clone(),
                info.browser_context_id.clone(),
                beginning,
            )),
        };
        if let Some(surface) = surface.as_ref().filter(|_| emulation != Emulation::default()) {
            self.emulate_in(surface, &session, &emulation);
        }
        drop(connection.send(Some(&session), "Runtime.runIfWaitingForDebugger", json!({})));
        let Some(surface) = surface else { return };
        match kind {
            SessionKind::Frame => {
                surface.frames().put(&info.target_id, None, &session);
                drop(state);
                self.learn_frames(tab, session, false);
            }
            SessionKind::Page => {
                surface.frames().put(&tab, None, &session);
                state.surfaces.insert(tab.clone(), Arc::clone(&surface));
                if let Some(context) = &info.browser_context_id {
                    state.addressed.remove(context);
                }
                drop(state);
                self.learn_frames(tab, session, beginning == Beginning::Empty);
                self.sink.event(DriverEvent::SurfaceOpened {
                    surface: Arc::clone(&surface) as Arc<dyn WebPage>,
                    context: info.browser_context_id.map(ContextId),
                    opener: info.opener_id.map(SurfaceId),
                    url: info.url,
                });
                surface.was_announced();
                self.tabs_changed.notify_waiters();
            }
        }
    }

    /// Every document that comes from now on gets the page script before its own scripts run.
    fn install_scripts(&self, session: &str) -> Vec<PendingReply> {
        let install =
            |script| self.connection().send(Some(session), "Page.addScriptToEvaluateOnNewDocument", script);
        self.installing.iter().map(install).collect()
    }

    fn first_commands(&self, kind: SessionKind) -> Vec<(&'static str, serde_json::Value)> {
        let mut commands = vec![
            ("Page.enable", json!({})),
            (TELL_WORLDS, json!({})),
            ("Network.enable", json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0 })),
            ("Target.setAutoAttach", auto_attach()),
        ];
        if kind == SessionKind::Page {
            commands.push(("Inspector.enable", json!({})));
            // A tab behind another would stop painting and animating.
            commands.push(("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })));
            if self.own_viewport {
                let viewport = self.options.viewport;
                commands.push((
                    "Emulation.setDeviceMetricsOverride",
                    json!({ "width": viewport.width, "height": viewport.height, "deviceScaleFactor": viewport.scale, "mobile": false }),
                ));
            }
        }
        commands
    }

    /// Frames that were there before we were are told by the tree, once. A tab that is still to get its scripts has
    /// them before it is ready: nobody asks it to open anything before that.
    fn learn_frames(self: &Arc<Self>, tab: String, session: String, owes_scripts: bool) {
        let reply = self.connection().send(Some(&session), "Page.getFrameTree", json!({}));
        let shared = Arc::downgrade(self);
        tokio::spawn(async move {
            let Ok(raw) = reply.await else { return };
            let (Some(shared), Ok(tree)) = (shared.upgrade(), parse::<FrameTreeReply>(&raw)) else { return };
            let surface = shared.state().surfaces.get(&tab).cloned();
            if let Some(surface) = surface {
                surface.frames().take_tree(&tree.frame_tree, &session);
                let installed = if owes_scripts { shared.install_scripts(&session) } else { Vec::new() };
                for taken in installed {
                    if taken.await.is_err() {
                        return;
                    }
                }
                surface.became_ready();
                shared.tabs_changed.notify_waiters();
            }
        });
    }

    pub(super) fn detached(&self, session: &str) {
        let mut state = self.state();
        let Some((tab, kind)) = state.sessions.remove(session) else { return };
        if kind == SessionKind::Page {
            let closed = state.surfaces.remove(&tab);
            state.sessions.retain(|_, (owner, _)| *owner != tab);
            let emptied = closed
                .as_ref()
                .and_then(|surface| surface.context())
                .filter(|context| !state.has_tabs_in(context));
            // Where tests share the browser, a page that closes itself must not take the place away that its test has.
            if let Some(context) = emptied.filter(|_| !self.begins_empty)
                && state.contexts.remove(context)
            {
                state.settings.remove(context);
                // Nobody waits for it: what was isolated is thrown away with its last tab.
                let params = json!({ "browserContextId": context });
                drop(self.connection().send(None, "Target.disposeBrowserContext", params));
            }
            drop(state);
            self.sink.event(DriverEvent::SurfaceClosed { surface: SurfaceId(tab) });
            self.tabs_changed.notify_waiters();
        }
    }
}

pub(super) fn auto_attach() -> serde_json::Value {
    // Workers are let go of at once, but must be attached to for that: one that is left out here waits for ever
    // to be told to run.
    json!({
        "autoAttach": true,
        "waitForDebuggerOnStart": true,
        "flatten": true,
        "filter": [{ "type": "page" }, { "type": "iframe" }, { "type": "worker" }],
    })
}
