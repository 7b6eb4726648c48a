//! What is known of the tabs from looking at them, and the events that follow from a difference.
//!
//! WebDriver tells nothing by itself. So every answer of a document says which document it is and what
//! frames it has, and what changed since the last answer is told as if it had been an event.

use std::sync::Arc;

use assay_driver::{DriverEvent, EventSink, Frame, FrameId, SurfaceId};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;

/// What one document says of itself (`document.js`).
#[derive(Debug, Deserialize)]
pub(crate) struct Look {
    /// The moment the document began: no two documents of a frame share it.
    pub origin: f64,
    pub ready: String,
    pub url: String,
    frames: Vec<ChildLook>,
}

#[derive(Debug, Deserialize)]
struct ChildLook {
    number: u32,
    name: String,
    url: String,
    element: Value,
}

impl Look {
    pub fn empty() -> Look {
        Look { origin: 0.0, ready: String::new(), url: String::new(), frames: Vec::new() }
    }
}

pub(crate) struct Tab {
    pub handle: String,
    pub opened: Instant,
    pub dialog: bool,
    pub loaded: bool,
    dom_ready: bool,
    /// The main one first, parents before children.
    frames: Vec<KnownFrame>,
}

struct KnownFrame {
    frame: Frame,
    /// The reference to its element in the parent's document.
    element: Option<Value>,
    /// None as long as it was not looked at.
    document: Option<f64>,
}

pub(crate) fn main_frame() -> FrameId {
    FrameId("main".to_string())
}

impl Tab {
    pub fn new(handle: String) -> Tab {
        let frame =
            Frame { id: main_frame(), parent: None, name: String::new(), url: "about:blank".to_string() };
        Tab {
            handle,
            opened: Instant::now(),
            dialog: false,
            loaded: true,
            dom_ready: true,
            frames: vec![KnownFrame { frame, element: None, document: None }],
        }
    }

    pub fn surface(&self) -> SurfaceId {
        SurfaceId(self.handle.clone())
    }

    pub fn url(&self) -> &str {
        &self.frames[0].frame.url
    }

    pub fn document(&self) -> Option<f64> {
        self.frames[0].document
    }

    pub fn frames(&self) -> Vec<Frame> {
        self.frames.iter().map(|known| known.frame.clone()).collect()
    }

    /// The elements to pass through from the page to this frame. None when there is no such frame.
    pub fn way_to(&self, frame: &FrameId) -> Option<Vec<(FrameId, Value)>> {
        let mut way = Vec::new();
        let mut at = self.known(frame)?;
        while let Some(parent) = &at.frame.parent {
            way.push((at.frame.id.clone(), at.element.clone()?));
            at = self.known(parent)?;
        }
        way.reverse();
        Some(way)
    }

    /// A frame that was never looked at.
    pub fn unseen_frame(&self) -> Option<FrameId> {
        self.frames.iter().find(|known| known.document.is_none()).map(|known| known.frame.id.clone())
    }

    fn known(&self, frame: &FrameId) -> Option<&KnownFrame> {
        self.frames.iter().find(|known| known.frame.id == *frame)
    }

    /// Forgets a frame and all within it.
    pub fn forget(&mut self, frame: &FrameId) {
        let below = format!("{}.", frame.0);
        self.frames.retain(|known| {
            known.frame.parent.is_none()
                || (known.frame.id != *frame && !known.frame.id.0.starts_with(&below))
        });
    }

    /// Takes in what a document said, and tells what is new.
    pub fn take_in(&mut self, frame: &FrameId, look: Look, sink: &Arc<dyn EventSink>) {
        let surface = self.surface();
        let Some(at) = self.frames.iter().position(|known| known.frame.id == *frame) else { return };
        let is_main = at == 0;
        let known = &mut self.frames[at];
        let replaced = known.document != Some(look.origin);
        let moved = known.frame.url != look.url;
        known.document = Some(look.origin);
        known.frame.url.clone_from(&look.url);
        if replaced {
            self.forget_children(frame);
            if is_main {
                self.loaded = false;
                self.dom_ready = false;
            }
        }
        if replaced || moved {
            let (surface, frame, url) = (surface.clone(), frame.clone(), look.url.clone());
            sink.event(match replaced {
                true => DriverEvent::NavigationCommitted { surface, frame, is_main, url },
                false => DriverEvent::NavigatedWithin { surface, frame, is_main, url },
            });
        }
        if is_main && !self.dom_ready && look.ready != "loading" {
            self.dom_ready = true;
            sink.event(DriverEvent::DomReady { surface: surface.clone() });
        }
        if is_main && !self.loaded && look.ready == "complete" {
            self.loaded = true;
            sink.event(DriverEvent::Loaded { surface });
        }
        self.take_in_children(frame, look.frames);
    }

    fn forget_children(&mut self, parent: &FrameId) {
        let below = format!("{}.", parent.0);
        self.frames.retain(|known| !known.frame.id.0.starts_with(&below));
    }

    fn take_in_children(&mut self, parent: &FrameId, looks: Vec<ChildLook>) {
        let id_of = |look: &ChildLook| FrameId(format!("{}.{}", parent.0, look.number));
        let gone: Vec<FrameId> = self
            .frames
            .iter()
            .filter(|known| known.frame.parent.as_ref() == Some(parent))
            .filter(|known| !looks.iter().any(|look| id_of(look) == known.frame.id))
            .map(|known| known.frame.id.clone())
            .collect();
        for frame in &gone {
            self.forget(frame);
        }
        for look in looks {
            let id = id_of(&look);
            match self.frames.iter_mut().find(|known| known.frame.id == id) {
                Some(known) => {
                    known.element = Some(look.element);
                    known.frame.name = look.name;
                }
                None => {
                    let frame = Frame { id, parent: Some(parent.clone()), name: look.name, url: look.url };
                    // Behind the last one of the same family, so that parents stay before children.
                    let below = format!("{}.", parent.0);
                    let end = self
                        .frames
                        .iter()
                        .rposition(|known| known.frame.id == *parent || known.frame.id.0.starts_with(&below))
                        .map_or(self.frames.len(), |last| last + 1);
                    let known = KnownFrame { frame, element: Some(look.element), document: None };
                    self.frames.insert(end, known);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use serde_json::json;

    use super::*;

    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl EventSink for Told {
        fn event(&self, event: DriverEvent) {
            self.0.lock().unwrap().push(match event {
                DriverEvent::NavigationCommitted { frame, url, .. } => format!("{} is {url}", frame.0),
                DriverEvent::NavigatedWithin { frame, url, .. } => format!("{} moved to {url}", frame.0),
                DriverEvent::DomReady { .. } => "ready".to_string(),
                DriverEvent::Loaded { .. } => "loaded".to_string(),
                _ => "something else".to_string(),
            });
        }
    }

    fn look(origin: f64, ready: &str, url: &str, frames: &[u32]) -> Look {
        let child = |number: &u32| json!({ "number": number, "name": "", "url": "", "element": number });
        let frames: Vec<Value> = frames.iter().map(child).collect();
        serde_json::from_value(json!({ "origin": origin, "ready": ready, "url": url, "frames": frames }))
            .unwrap()
    }

    #[test]
    fn what_changed_since_the_last_look_is_told() {
        let told = Arc::new(Told::default());
        let sink: Arc<dyn EventSink> = Arc::clone(&told) as Arc<dyn EventSink>;
        let mut tab = Tab::new("w".to_string());
        let main = main_frame();
        tab.take_in(&main, look(1.0, "loading", "/a", &[]), &sink);
        tab.take_in(&main, look(1.0, "complete", "/a", &[]), &sink);
        tab.take_in(&main, look(1.0, "complete", "/a#b", &[]), &sink);
        tab.take_in(&main, look(2.0, "complete", "/c", &[]), &sink);
        let expected =
            ["main is /a", "ready", "loaded", "main moved to /a#b", "main is /c", "ready", "loaded"];
        assert_eq!(*told.0.lock().unwrap(), expected);
    }

    #[test]
    fn frames_keep_their_names_and_stand_behind_their_parents() {
        let sink: Arc<dyn EventSink> = Arc::new(Told::default());
        let mut tab = Tab::new("w".to_string());
        let names =
            |tab: &Tab| tab.frames().into_iter().map(|frame| frame.id.0).collect::<Vec<_>>().join(" ");
        tab.take_in(&main_frame(), look(1.0, "complete", "/", &[1, 2]), &sink);
        tab.take_in(&FrameId("main.1".to_string()), look(1.5, "complete", "/f", &[1]), &sink);
        assert_eq!(names(&tab), "main main.1 main.1.1 main.2");
        assert_eq!(tab.way_to(&FrameId("main.1.1".to_string())).unwrap().len(), 2);
        tab.take_in(&main_frame(), look(1.0, "complete", "/", &[2, 3]), &sink);
        assert_eq!(names(&tab), "main main.2 main.3");
        tab.take_in(&main_frame(), look(2.0, "complete", "/", &[1]), &sink);
        assert_eq!(names(&tab), "main main.1");
        assert_eq!(tab.unseen_frame(), Some(FrameId("main.1".to_string())));
    }
}
