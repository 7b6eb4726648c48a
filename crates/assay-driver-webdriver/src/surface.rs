//! One window of a WebDriver session, as the seam sees it.

use std::sync::Arc;
use std::time::Duration;

use assay_driver::{
    Capability, Capture, Deadline, DragPath, DriverError, ImageFormat, KeyStroke, Modifiers, Navigation,
    PointerStep, Rect, Reply, Surface, SurfaceId,
};
use base64::Engine as _;
use serde_json::{Value, json};

use crate::exchange::{Exchange, Halt, Shared, Work};
use crate::input::{drag_actions, key_actions, pointer_actions, text_actions};
use crate::protocol::{Code, ELEMENT_KEY, Method, Trouble};

mod web_page;

pub(crate) struct WebDriverSurface {
    shared: Arc<Shared>,
    handle: String,
}

const DRIVER: &str = "webdriver";

impl WebDriverSurface {
    pub fn new(shared: Arc<Shared>, handle: String) -> WebDriverSurface {
        WebDriverSurface { shared, handle }
    }

    /// Takes the session, makes this window the current one, and does `work`.
    fn run<T: Send + 'static>(
        &self,
        deadline: Deadline,
        work: impl for<'a> FnOnce(&'a mut Exchange, &'a str) -> Work<'a, T> + Send + 'static,
    ) -> Reply<'static, T> {
        let handle = self.handle.clone();
        self.shared.run(deadline, move |exchange| {
            Box::pin(async move {
                exchange.in_window(&handle).await?;
                work(exchange, &handle).await
            })
        })
    }

    /// Gives input, then looks what came of it.
    fn input(&self, actions: Vec<Value>, deadline: Deadline) -> Reply<'static, ()> {
        self.run(deadline, move |exchange, window| {
            Box::pin(async move {
                for part in actions {
                    exchange.post("/actions", part).await?;
                }
                exchange.after_input(window).await
            })
        })
    }

    fn unsupported<T: Send + 'static>(capability: Capability) -> Reply<'static, T> {
        Box::pin(async move { Err(DriverError::Unsupported { driver: DRIVER, capability }) })
    }
}

/// Where the content of a frame begins in its parent's document.
const MEASURE_FRAME: &str = "
const frame = arguments[0];
const box = frame.getBoundingClientRect();
const style = getComputedStyle(frame);
return [box.left + frame.clientLeft + parseFloat(style.paddingLeft), box.top + frame.clientTop + parseFloat(style.paddingTop)];";

/// The element whose box is the one given, the outermost of several.
const ELEMENT_OF_BOX: &str = "
const [x, y, width, height] = arguments;
const fits = (box) => [box.x - x, box.y - y, box.width - width, box.height - height].every((difference) => Math.abs(difference) < 1);
for (const element of document.querySelectorAll('*')) if (fits(element.getBoundingClientRect())) return element;
return null;";

/// What the page of an error says in Chromium; other browsers show an empty page.
const ERROR_OF_PAGE: &str = "
const code = document.querySelector('.error-code');
return code ? code.textContent.trim() : '';";

impl Surface for WebDriverSurface {
    fn id(&self) -> SurfaceId {
        SurfaceId(self.handle.clone())
    }

    fn capabilities(&self) -> &'static [Capability] {
        self.shared.session.capabilities()
    }

    fn pointer(&self, steps: Vec<PointerStep>, modifiers: Modifiers, deadline: Deadline) -> Reply<'_, ()> {
        self.input(vec![pointer_actions(&steps, modifiers)], deadline)
    }

    fn keys(&self, strokes: Vec<KeyStroke>, deadline: Deadline) -> Reply<'_, ()> {
        match key_actions(&strokes) {
            Ok(actions) => self.input(vec![actions], deadline),
            Err(err) => Box::pin(async move { Err(err) }),
        }
    }

    fn insert_text(&self, text: String, deadline: Deadline) -> Reply<'_, ()> {
        self.input(text_actions(&text), deadline)
    }

    fn drag(&self, path: DragPath, deadline: Deadline) -> Reply<'_, ()> {
        self.input(vec![drag_actions(path)], deadline)
    }

    fn capture(&self, capture: Capture, deadline: Deadline) -> Reply<'_, Vec<u8>> {
        match capture {
            Capture { full_page: true, .. } => return Self::unsupported(Capability::FullPageScreenshot),
            Capture { format: ImageFormat::Jpeg, .. } => {
                return Self::unsupported(Capability::JpegScreenshot);
            }
            Capture { format: ImageFormat::Webp, .. } => {
                return Self::unsupported(Capability::WebpScreenshot);
            }
            Capture { format: ImageFormat::Png, full_page: false, .. } => {}
        }
        self.run(deadline, move |exchange, _| {
            Box::pin(async move {
                let path = match capture.clip {
                    None => "/screenshot".to_string(),
                    Some(clip) => format!("/element/{}/screenshot", element_in(exchange, clip).await?),
                };
                decode(&exchange.get(&path).await?).map_err(Halt::Error)
            })
        })
    }

    fn close(&self, deadline: Deadline) -> Reply<'_, ()> {
        let handle = self.handle.clone();
        self.shared
            .run(deadline, move |exchange| Box::pin(async move { exchange.close_window(&handle).await }))
    }
}

/// A page that is still loading after this long is used as it is.
const LOAD_TIME: Duration = Duration::from_secs(15);

async fn navigate(exchange: &mut Exchange, window: &str, url: String) -> Result<Navigation, Halt> {
    let before = exchange.shared().with_tab(window, |tab| tab.document()).flatten();
    let was_at = exchange.shared().with_tab(window, |tab| tab.url().to_string()).unwrap_or_default();
    // The server answers when the page is loaded. It must give up before we do, or nothing else is answered.
    let patience = (exchange.deadline.remaining() * 3 / 4).min(LOAD_TIME);
    exchange.post("/timeouts", json!({ "pageLoad": patience.as_millis() as u64 })).await?;
    let went = exchange.try_command(Method::Post, "/url", Some(json!({ "url": url }))).await;
    let timed_out = match went {
        Ok(_) => false,
        Err(Trouble::Refused { code: Code::Timeout, .. }) => true,
        Err(Trouble::Refused { code: Code::Other(_), message, .. }) => {
            return Ok(Navigation::Failed { reason: network_error(&message) });
        }
        Err(trouble) => return Err(exchange.halt("/url", trouble).await),
    };
    exchange.look_around(window).await?;
    let now = exchange.shared().with_tab(window, |tab| (tab.document(), tab.url().to_string()));
    let (document, is_at) = now.ok_or(DriverError::Closed)?;
    if document != before {
        if is_at.starts_with("chrome-error:") {
            let code = exchange.script(ERROR_OF_PAGE, json!([])).await?;
            let reason = code.as_str().filter(|code| !code.is_empty()).unwrap_or("FAILED").to_string();
            return Ok(Navigation::Failed { reason: format!("net::{reason}") });
        }
        if is_at == "about:blank" && !url.starts_with("about:") {
            return Ok(Navigation::Failed { reason: "the browser shows an empty page instead".to_string() });
        }
        return Ok(Navigation::NewDocument);
    }
    if timed_out {
        return Err(DriverError::Timeout.into());
    }
    match is_at == was_at && !url.contains('#') {
        // The page stays: the answer was a file, or nothing.
        true => Ok(Navigation::Failed { reason: "net::ERR_ABORTED".to_string() }),
        false => Ok(Navigation::SameDocument),
    }
}

/// The name of a network error within a driver's message.
fn network_error(message: &str) -> String {
    match message.find("net::") {
        Some(at) => message[at..].split_whitespace().next().unwrap_or(message).to_string(),
        None => message.to_string(),
    }
}

fn element_id(value: &Value) -> Option<&str> {
    value.get(ELEMENT_KEY)?.as_str()
}

async fn element_in(exchange: &mut Exchange, clip: Rect) -> Result<String, Halt> {
    let found = exchange.script(ELEMENT_OF_BOX, json!([clip.x, clip.y, clip.width, clip.height])).await?;
    element_id(&found).map(str::to_string).ok_or_else(|| {
        let message = "WebDriver captures whole elements only, and no element has this area".to_string();
        DriverError::Refused { method: "the picture".to_string(), message }.into()
    })
}

fn decode(value: &Value) -> Result<Vec<u8>, DriverError> {
    let refused = |message: String| DriverError::Refused { method: "a picture".to_string(), message };
    let text = value.as_str().ok_or_else(|| refused("it is not text".to_string()))?;
    base64::engine::general_purpose::STANDARD.decode(text).map_err(|err| refused(err.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_error_is_found_in_what_a_driver_says() {
        let message = "unknown error: net::ERR_NAME_NOT_RESOLVED";
        assert_eq!(network_error(message), "net::ERR_NAME_NOT_RESOLVED");
        assert_eq!(network_error("no way"), "no way");
    }
}
