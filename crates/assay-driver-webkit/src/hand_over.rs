//! A navigation that another process goes on with: some pages are not shown by the process of the page before.
//!
//! Knows who is to show the next page, and by which names its request goes; nothing of what comes of it.

use serde_json::value::RawValue;

#[derive(Default)]
pub(crate) struct HandOver {
    heir: Option<Heir>,
    /// The request for the next document, by its first name.
    asked: Option<String>,
    /// What the process that took a request over calls it, and its first name.
    renamed: Option<(String, String)>,
}

/// A process that is to show the next page.
pub(crate) struct Heir {
    pub process: String,
    /// What the process before called the request that was handed over.
    pub request: Option<String>,
    /// What it has told so far of the network.
    pub told: Vec<(String, Box<RawValue>)>,
    /// Another navigation has begun since.
    pub is_replaced: bool,
}

impl HandOver {
    pub fn to(&mut self, process: &str) {
        let (process, request) = (process.to_string(), self.asked.take());
        self.heir = Some(Heir { process, request, told: Vec::new(), is_replaced: false });
    }

    /// The heir, if it is this process: it shows the page now, or is gone.
    pub fn take(&mut self, process: &str) -> Option<Heir> {
        self.heir.take_if(|heir| heir.process == process)
    }

    /// Keeps what a process tells of the network that shows no page yet.
    pub fn told(&mut self, process: &str, method: &str, params: &RawValue) {
        if let Some(heir) = &mut self.heir
            && heir.process == process
            && method.starts_with("Network.")
        {
            heir.told.push((method.to_string(), params.to_owned()));
        }
    }

    /// Whether the navigation that is under way is another process's business.
    pub fn is_under_way(&self) -> bool {
        self.heir.as_ref().is_some_and(|heir| !heir.is_replaced)
    }

    /// Another navigation begins.
    pub fn replace(&mut self) {
        if let Some(heir) = &mut self.heir {
            heir.is_replaced = true;
        }
    }

    /// The document of the page is asked for.
    pub fn asks(&mut self, id: &str) {
        self.renamed.take_if(|(now, _)| now != id);
        self.asked = Some(self.first_name(id.to_string()));
    }

    pub fn asks_no_more(&mut self, id: &str) {
        self.asked.take_if(|asked| asked == id);
    }

    /// What was asked for is there.
    pub fn came(&mut self) {
        self.asked = None;
    }

    pub fn goes_on_as(&mut self, id: String, first: String) {
        self.renamed = Some((id, first));
    }

    /// What a request was called when it was first told of.
    pub fn first_name(&self, id: String) -> String {
        match &self.renamed {
            Some((now, first)) if *now == id => first.clone(),
            _ => id,
        }
    }

    /// Whether a request ended only because another process goes on with it.
    pub fn was_handed_over(&self, id: &str) -> bool {
        self.heir.as_ref().is_some_and(|heir| heir.request.as_deref() == Some(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_is_handed_over_keeps_its_first_name() {
        let mut hand_over = HandOver::default();
        hand_over.asks("28");
        hand_over.to("page-16");
        assert!(hand_over.is_under_way() && hand_over.was_handed_over("28"));
        hand_over.told("page-16", "Network.requestWillBeSent", RawValue::NULL);
        hand_over.told("page-16", "Page.frameStartedLoading", RawValue::NULL);
        hand_over.told("page-8", "Network.loadingFailed", RawValue::NULL);
        assert!(hand_over.take("page-8").is_none());
        let heir = hand_over.take("page-16").unwrap();
        assert_eq!((heir.request.as_deref(), heir.told.len()), (Some("28"), 1));
        hand_over.goes_on_as("7".to_string(), "28".to_string());
        assert_eq!(hand_over.first_name("7".to_string()), "28");
        hand_over.asks("8");
        assert_eq!(hand_over.first_name("7".to_string()), "7");
    }

    #[test]
    fn a_navigation_that_begins_meanwhile_takes_its_place() {
        let mut hand_over = HandOver::default();
        hand_over.to("page-16");
        hand_over.replace();
        assert!(!hand_over.is_under_way());
        assert!(hand_over.take("page-16").is_some_and(|heir| heir.is_replaced));
    }
}
