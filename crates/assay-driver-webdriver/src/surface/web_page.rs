//! What a window can do because it shows documents.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use assay_driver::{
    Capability, Deadline, DriverError, Evaluation, Frame, FrameId, Navigation, NetworkFault, Point, Reply,
    Viewport, WebPage,
};
use assay_protocol::CookieInfo;
use serde_json::json;
use serde_json::value::RawValue;

use super::{DRIVER, MEASURE_FRAME, WebDriverSurface, decode, element_id, navigate};
use crate::cookies::{cookie_body, to_cookie};
use crate::evaluate::evaluate;
use crate::exchange::{Exchange, Halt};
use crate::look::main_frame;
use crate::protocol::{Code, Method, Trouble};

impl WebPage for WebDriverSurface {
    fn frames(&self) -> Vec<Frame> {
        self.shared.frames(&self.handle)
    }

    fn main_frame(&self) -> FrameId {
        main_frame()
    }

    fn call<'a>(
        &'a self,
        frame: &'a FrameId,
        function: &'a str,
        arguments: String,
        deadline: Deadline,
    ) -> Reply<'a, Box<RawValue>> {
        let (handle, frame, function) = (self.handle.clone(), frame.clone(), function.to_string());
        self.shared.run(deadline, move |exchange| {
            Box::pin(async move {
                let text = exchange.call(&handle, &frame, &function, &arguments).await?;
                // Frames that came are to be known before the next question.
                let unseen = exchange.shared().with_tab(&handle, |tab| tab.unseen_frame()).flatten();
                if unseen.is_some()
                    && let Err(Halt::Error(DriverError::Lost)) = exchange.look_around(&handle).await
                {
                    return Err(DriverError::Lost.into());
                }
                RawValue::from_string(text)
                    .map_err(|err| DriverError::Script { message: err.to_string() }.into())
            })
        })
    }

    fn evaluate(&self, expression: String, deadline: Deadline) -> Reply<'_, Evaluation> {
        self.run(deadline, move |exchange, window| {
            Box::pin(async move {
                let evaluated = evaluate(exchange, &expression).await?;
                exchange.after_input(window).await?;
                Ok(evaluated)
            })
        })
    }

    fn frame_offset<'a>(&'a self, frame: &'a FrameId, deadline: Deadline) -> Reply<'a, Point> {
        let frame = frame.clone();
        self.run(deadline, move |exchange, window| {
            Box::pin(async move {
                let way = exchange.shared().with_tab(window, |tab| tab.way_to(&frame)).flatten();
                let way = way.ok_or(DriverError::DocumentGone)?;
                let mut offset = Point { x: 0.0, y: 0.0 };
                let mut parent = main_frame();
                for (step, element) in way {
                    exchange.in_frame(window, &parent).await?;
                    let measured = exchange.script(MEASURE_FRAME, json!([element])).await?;
                    offset.x += measured[0].as_f64().unwrap_or_default();
                    offset.y += measured[1].as_f64().unwrap_or_default();
                    parent = step;
                }
                Ok(offset)
            })
        })
    }

    fn navigate(&self, url: String, deadline: Deadline) -> Reply<'_, Navigation> {
        self.run(deadline, move |exchange, window| Box::pin(navigate(exchange, window, url)))
    }

    fn stop_loading(&self, deadline: Deadline) -> Reply<'_, ()> {
        self.run(deadline, |exchange, _| {
            Box::pin(async move { exchange.script("window.stop();", json!([])).await.map(drop) })
        })
    }

    /// Asked for only where it is offered.
    fn end_scripts(&self, _deadline: Deadline) -> Reply<'_, ()> {
        Self::unsupported(Capability::EndScripts)
    }

    fn go_in_history(&self, delta: i32, deadline: Deadline) -> Reply<'_, bool> {
        self.run(deadline, move |exchange, window| {
            Box::pin(async move {
                let place = |exchange: &Exchange| {
                    exchange
                        .shared()
                        .with_tab(window, |tab| (tab.document(), tab.url().to_string()))
                        .ok_or(DriverError::Closed)
                };
                let before = place(exchange)?;
                let path = if delta < 0 { "/back" } else { "/forward" };
                for _ in 0..delta.unsigned_abs() {
                    exchange.post(path, json!({})).await?;
                }
                // A document that is kept from before is there at once, another after a moment.
                let until = exchange.deadline.at_most(Duration::from_millis(500));
                loop {
                    exchange.after_input(window).await?;
                    if place(exchange)? != before {
                        return Ok(true);
                    }
                    if until.is_past() {
                        return Ok(false);
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            })
        })
    }

    fn reload(&self, deadline: Deadline) -> Reply<'_, ()> {
        self.run(deadline, |exchange, window| {
            Box::pin(async move {
                exchange.post("/refresh", json!({})).await?;
                exchange.after_input(window).await
            })
        })
    }

    fn set_files<'a>(
        &'a self,
        frame: &'a FrameId,
        element: u32,
        files: Vec<PathBuf>,
        deadline: Deadline,
    ) -> Reply<'a, ()> {
        let frame = frame.clone();
        self.run(deadline, move |exchange, window| {
            Box::pin(async move {
                exchange.in_frame(window, &frame).await?;
                let found = exchange
                    .script("return globalThis.__assay.elementFor(arguments[0]) || null;", json!([element]))
                    .await?;
                let id = element_id(&found).ok_or(DriverError::DocumentGone)?;
                let paths: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
                exchange.post(&format!("/element/{id}/value"), json!({ "text": paths.join("\n") })).await?;
                exchange.after_input(window).await
            })
        })
    }

    fn pdf(&self, deadline: Deadline) -> Reply<'_, Vec<u8>> {
        self.run(deadline, |exchange, _| {
            Box::pin(async move {
                let body = json!({ "background": true });
                match exchange.try_command(Method::Post, "/print", Some(body)).await {
                    Ok(value) => decode(&value).map_err(Halt::Error),
                    // WebKit's driver does not print.
                    Err(Trouble::Refused { code: Code::UnknownCommand, .. }) => {
                        Err(DriverError::Unsupported { driver: DRIVER, capability: Capability::Pdf }.into())
                    }
                    Err(trouble) => Err(exchange.halt("/print", trouble).await),
                }
            })
        })
    }

    fn answer_dialog(&self, accept: Option<String>, deadline: Deadline) -> Reply<'_, ()> {
        let handle = self.handle.clone();
        self.shared.run(deadline, move |exchange| {
            Box::pin(async move { exchange.answer_dialog(&handle, accept.as_deref()).await })
        })
    }

    fn set_viewport(&self, viewport: Viewport, deadline: Deadline) -> Reply<'_, ()> {
        self.run(deadline, move |exchange, _| {
            Box::pin(async move {
                let session = Arc::clone(exchange.shared());
                match session.session.set_page_size(viewport, exchange.deadline).await {
                    Ok(()) => Ok(()),
                    Err(trouble) => Err(exchange.halt("/window/rect", trouble).await),
                }
            })
        })
    }

    fn cookies(&self, deadline: Deadline) -> Reply<'_, Vec<CookieInfo>> {
        self.run(deadline, |exchange, _| {
            Box::pin(async move {
                let cookies = exchange.get("/cookie").await?;
                Ok(cookies.as_array().map(|list| list.iter().map(to_cookie).collect()).unwrap_or_default())
            })
        })
    }

    fn set_cookies(&self, cookies: Vec<CookieInfo>, deadline: Deadline) -> Reply<'_, ()> {
        self.run(deadline, move |exchange, _| {
            Box::pin(async move {
                for cookie in &cookies {
                    exchange.post("/cookie", cookie_body(cookie)).await?;
                }
                Ok(())
            })
        })
    }

    fn clear_cookies(&self, deadline: Deadline) -> Reply<'_, ()> {
        self.run(deadline, |exchange, _| {
            Box::pin(async move { exchange.command(Method::Delete, "/cookie", None).await.map(drop) })
        })
    }

    /// The window that commands go to is the one in front.
    fn set_network_fault(&self, _fault: Option<NetworkFault>, _deadline: Deadline) -> Reply<'_, ()> {
        Self::unsupported(Capability::NetworkFaults)
    }

    fn activate(&self, deadline: Deadline) -> Reply<'_, ()> {
        self.run(deadline, |_, _| Box::pin(async { Ok(()) }))
    }
}
