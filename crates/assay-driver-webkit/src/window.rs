//! What surrounds the page: the size of its window, pictures of it, and its cookies.

use std::time::Duration;

use assay_driver::{Capability, Capture, Deadline, DriverError, ImageFormat, Rect, Viewport};
use assay_protocol::CookieInfo;
use base64::Engine;
use serde_json::{Value, json};

use crate::connection::PendingReply;
use crate::frames::MAIN;
use crate::protocol::*;
use crate::surface::WebKitSurface;

impl WebKitSurface {
    /// Makes the window so large that the page has the wanted size. How much the window adds is measured.
    pub async fn resize(&self, viewport: Viewport, deadline: Deadline) -> Result<(), DriverError> {
        const ATTEMPTS: usize = 3;
        if viewport.scale != 1.0 {
            let capability = Capability::DeviceScale;
            return Err(DriverError::Unsupported { driver: "webkit", capability });
        }
        let handle = self.handle(deadline).await?;
        let wanted = Size { width: f64::from(viewport.width), height: f64::from(viewport.height) };
        let mut page = self.page_size(deadline).await?;
        for _ in 0..ATTEMPTS {
            if (page.width, page.height) == (wanted.width, wanted.height) {
                return Ok(());
            }
            let context =
                self.automation("getBrowsingContext", json!({ "handle": handle }), deadline).await?;
            let window = parse::<ContextReply>(&context)?.context.window_size;
            let params = json!({
                "handle": handle, "origin": { "x": 0, "y": 0 },
                "size": {
                    "width": wanted.width + window.width - page.width,
                    "height": wanted.height + window.height - page.height,
                },
            });
            self.automation("setWindowFrameOfBrowsingContext", params, deadline).await?;
            page = self.page_size_once_changed(wanted, deadline).await?;
        }
        let message = format!(
            "asked for {}x{}, the page became {}x{}",
            wanted.width, wanted.height, page.width, page.height
        );
        Err(DriverError::Refused { method: "setWindowFrameOfBrowsingContext".to_string(), message })
    }

    /// The page learns of its new size a little after the window has it.
    async fn page_size_once_changed(&self, wanted: Size, deadline: Deadline) -> Result<Size, DriverError> {
        let patience = deadline.at_most(Duration::from_millis(400));
        loop {
            let size = self.page_size(deadline).await?;
            if (size.width, size.height) == (wanted.width, wanted.height) || patience.is_past() {
                return Ok(size);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn page_size(&self, deadline: Deadline) -> Result<Size, DriverError> {
        let [width, height, ..] = self.measure(deadline).await?;
        Ok(Size { width, height })
    }

    async fn measure(&self, deadline: Deadline) -> Result<[f64; 4], DriverError> {
        measures(self.ask_measures()?, deadline).await
    }

    fn ask_measures(&self) -> Result<PendingReply, DriverError> {
        const SIZES: &str = "(() => { const all = document.documentElement, body = document.body; \
            const most = (name) => Math.max(all ? all[name] : 0, body ? body[name] : 0); \
            return [innerWidth, innerHeight, most('scrollWidth'), most('scrollHeight')]; })()";
        self.ask_document(MAIN, None, SIZES)
    }

    pub async fn take_picture(&self, capture: Capture, deadline: Deadline) -> Result<Vec<u8>, DriverError> {
        match capture.format {
            ImageFormat::Png => {}
            ImageFormat::Jpeg => return Err(cannot(Capability::JpegScreenshot)),
            ImageFormat::Webp => return Err(cannot(Capability::WebpScreenshot)),
        }
        match (capture.clip, capture.full_page) {
            (_, true) => {
                let [width, height, all_width, all_height] = self.measure(deadline).await?;
                let all = from_corner(all_width.max(width), all_height.max(height));
                picture(self.ask_picture(all, "Page")?, deadline).await
            }
            (Some(clip), false) => picture(self.ask_picture(clip, "Page")?, deadline).await,
            (None, false) => self.take_view(deadline).await,
        }
    }

    /// A picture of what is shown, which mostly is as large as was asked for: both questions are put at once, and the
    /// picture is taken again only if it is not.
    async fn take_view(&self, deadline: Deadline) -> Result<Vec<u8>, DriverError> {
        let expected = self.viewport().map(|it| (f64::from(it.width), f64::from(it.height)));
        let sizes = self.ask_measures()?;
        let early = match expected {
            Some((width, height)) => Some(self.ask_picture(from_corner(width, height), "Viewport")?),
            None => None,
        };
        let [width, height, ..] = measures(sizes, deadline).await?;
        match early {
            Some(early) if expected == Some((width, height)) => picture(early, deadline).await,
            _ => picture(self.ask_picture(from_corner(width, height), "Viewport")?, deadline).await,
        }
    }

    fn ask_picture(&self, part: Rect, system: &str) -> Result<PendingReply, DriverError> {
        let params = json!({
            "x": part.x.floor() as i64, "y": part.y.floor() as i64,
            "width": part.width.ceil() as i64, "height": part.height.ceil() as i64,
            "coordinateSystem": system,
        });
        self.send(Some(MAIN), "Page.snapshotRect", params)
    }

    /// Those that the page's own address has: WebKit tells of no others.
    pub async fn all_cookies(&self, deadline: Deadline) -> Result<Vec<CookieInfo>, DriverError> {
        let params = json!({ "browsingContextHandle": self.handle(deadline).await? });
        let reply = self.automation("getAllCookies", params, deadline).await?;
        Ok(parse::<Cookies>(&reply)?.cookies.into_iter().map(to_cookie_info).collect())
    }

    pub async fn add_cookies(&self, cookies: Vec<CookieInfo>, deadline: Deadline) -> Result<(), DriverError> {
        let handle = self.handle(deadline).await?;
        for cookie in &cookies {
            let params = json!({ "browsingContextHandle": handle, "cookie": cookie_params(cookie) });
            self.automation("addSingleCookie", params, deadline).await?;
        }
        Ok(())
    }
}

fn from_corner(width: f64, height: f64) -> Rect {
    Rect { x: 0.0, y: 0.0, width, height }
}

/// The size of what is shown, and of all there is.
async fn measures(reply: PendingReply, deadline: Deadline) -> Result<[f64; 4], DriverError> {
    let reply = reply.until(deadline).await?;
    let value = parse::<Evaluated>(&reply)?.result.value.unwrap_or_default();
    serde_json::from_value(value).map_err(|err| DriverError::Script { message: err.to_string() })
}

async fn picture(reply: PendingReply, deadline: Deadline) -> Result<Vec<u8>, DriverError> {
    let reply = reply.until(deadline).await?;
    let picture: Picture<'_> = parse(&reply)?;
    let encoded = picture.data_url.split_once(',').map(|(_, data)| data).unwrap_or_default();
    base64::engine::general_purpose::STANDARD
        .decode(encoded)
        .map_err(|err| DriverError::Refused { method: "a picture".to_string(), message: err.to_string() })
}

fn cannot(capability: Capability) -> DriverError {
    DriverError::Unsupported { driver: "webkit", capability }
}

fn to_cookie_info(cookie: Cookie) -> CookieInfo {
    CookieInfo {
        name: cookie.name,
        value: cookie.value,
        domain: cookie.domain,
        path: cookie.path,
        expires: if cookie.session { -1.0 } else { cookie.expires },
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: cookie.same_site.filter(|policy| policy != "None"),
    }
}

fn cookie_params(cookie: &CookieInfo) -> Value {
    let session = cookie.expires < 0.0;
    json!({
        "name": cookie.name, "value": cookie.value, "domain": cookie.domain, "path": cookie.path,
        "expires": if session { 0.0 } else { cookie.expires },
        "size": cookie.name.len() + cookie.value.len(),
        "httpOnly": cookie.http_only, "secure": cookie.secure, "session": session,
        "sameSite": cookie.same_site.as_deref().unwrap_or("None"),
    })
}
